"""The text of an MCP connection."""

import json

import pytest

from handrail.wire.mcp_stream import McpChunks

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "look"}}
LINE = json.dumps(CALL) + "\n"


def fed(*pieces):
    """The requests after these pieces, and whether the last line is whole."""
    stream = McpChunks()
    for piece in pieces:
        stream.feed(piece)
    return stream.whole(), stream.finished


def test_lines_are_put_together():
    """Text, bytes and messages; other messages are passed over."""
    other = '{"jsonrpc": "2.0", "method": "notifications/initialized"}\n\n'
    assert fed(LINE[:9], LINE[9:] + other, LINE.encode(), CALL) == ([CALL] * 3, True)


def test_a_line_that_is_cut_is_no_message():
    """And what came before it counts as broken off."""
    assert fed(LINE, LINE[:20]) == ([CALL], False)
    assert fed() == ([], False)


@pytest.mark.parametrize("piece", ["nonsense\n", "[1]\n", {"x": 1}])
def test_something_else_is_refused(piece):
    """What is no message raises ValueError."""
    with pytest.raises(ValueError, match="MCP"):
        fed(piece)
