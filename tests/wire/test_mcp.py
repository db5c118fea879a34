"""The MCP shape, in and out."""

import pytest
from mcp import types

from handrail.wire.mcp import (
    MCP,
    enclose,
    read_call,
    read_messages,
    read_reply,
    read_tools,
    recognise,
    tool_definition,
    without_text,
    write,
    write_result,
)


def request(id=7, name="look", **arguments):
    """One request."""
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


def result(call_id, content="done", is_error=False):
    """A result of the tool ``look``."""
    return {"call_id": call_id, "name": "look", "content": content, "is_error": is_error}


def answer(content="done", is_error=False):
    """The same as a server returns it."""
    return {"content": [{"type": "text", "text": content}], "isError": is_error}


def test_a_request_is_read_and_answered_under_its_own_id():
    """A number stays a number."""
    reply = read_reply(request(7, q=1))
    assert reply["calls"] == [{"id": "7", "name": "look", "arguments": {"q": 1}}]
    assert reply["finish_reason"] == "tool_calls"
    sent = write(reply, [result("7", "no", True)])
    assert sent == [{"jsonrpc": "2.0", "id": 7, "result": answer("no", True)}]


def test_a_batch_is_answered_in_order():
    """One response per request."""
    batch = [request(1), request("b")]
    assert recognise(batch)
    sent = write(read_reply(enclose(batch)), [result("b"), result("1")])
    assert [one["id"] for one in sent] == [1, "b"]


def test_a_request_without_an_envelope_gets_a_bare_result():
    """As a server's handler sees it: params, no id."""
    params = types.CallToolRequestParams(name="look", arguments={"q": 1})
    own = types.CallToolRequest(method="tools/call", params=params)
    reply = read_reply(own)
    assert reply["calls"] == [{"id": "call_1", "name": "look", "arguments": {"q": 1}}]
    assert write(reply, [result("call_1")]) == [answer()]


def test_a_single_call_and_a_single_result():
    """The result bears no id."""
    assert read_call(request(7))["id"] == "7"
    assert read_call({"method": "tools/list"}) is None
    assert write_result(result("7")) == answer()
    assert without_text({"ids": [7]}) == {"ids": [7]}


def test_tools_go_out_and_come_back():
    """As the client library's objects too."""
    tool = {"name": "look", "description": "Looks.", "schema": {"type": "object", "x": 1}}
    definition = tool_definition(tool, True)
    assert "strict" not in definition
    assert read_tools({"result": {"tools": [definition]}}) == [tool]
    assert read_tools([types.Tool.model_validate(definition)]) == [tool]


def test_a_log_of_messages_is_read_in_order():
    """Responses to other requests are left out; a protocol error is a result."""
    log = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize"},
        {"jsonrpc": "2.0", "id": 1, "result": {"content": []}},
        request(2),
        request(3),
        {"jsonrpc": "2.0", "id": 3, "error": {"code": -32602, "message": "Unknown tool"}},
        {"jsonrpc": "2.0", "id": 2, "result": answer("ok", True)},
    ]
    assert [one for kind, one in read_messages(log) if kind == "result"] == [
        result("3", "Unknown tool", True),
        result("2", "ok", True),
    ]


@pytest.mark.parametrize(
    ("obj", "place"),
    [
        ({"method": "tools/list"}, "keys method"),
        ([request(), {"x": 1}], r"requests\[1\]"),
        ({"method": "tools/call"}, r"requests\[0\].params.name"),
    ],
)
def test_a_malformed_part_is_named(obj, place):
    """A malformed request raises ValueError that says where."""
    with pytest.raises(ValueError, match=place):
        read_reply(obj)


def test_the_wire_is_this_module():
    """The seam hands out the functions of this module."""
    assert (MCP.name, MCP.write) == ("mcp", write)
