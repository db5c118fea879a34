"""The text of an MCP connection, cut into messages: one JSON object a line.

MCP does not stream a call. What can be cut is the connection, in the middle of a line: then the
stream counts as broken off, and the requests before that line are not run either, since nobody
is there to be answered.
"""

import json
from collections.abc import Mapping

from handrail.wire.plain import field, shape_of

__all__ = ["McpChunks"]


class McpChunks:
    """The ``tools/call`` requests that came; other messages are passed over."""

    def __init__(self) -> None:
        self.finished = False
        self._requests: list[object] = []
        self._line = ""

    def feed(self, chunk: object) -> None:
        """Take a message, or the next piece of text."""
        if isinstance(chunk, str | bytes):
            text = chunk if isinstance(chunk, str) else chunk.decode("utf-8", "replace")
            *lines, self._line = (self._line + text).split("\n")
            for line in filter(str.strip, lines):
                self._message(_parsed(line))
        else:
            self._message(chunk)
        self.finished = not self._line.strip()

    def _message(self, message: object) -> None:
        if field(message, "method") is None and field(message, "jsonrpc") is None:
            raise ValueError(f"an MCP message is expected, got {shape_of(message)}")
        if field(message, "method") == "tools/call":
            self._requests.append(message)

    def whole(self) -> object:
        """The requests so far."""
        return list(self._requests)


def _parsed(line: str) -> Mapping[str, object]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("a line of an MCP connection is not JSON") from None
    if isinstance(message, dict):
        return message
    raise ValueError(f"an MCP message is an object, got {type(message).__name__}")
