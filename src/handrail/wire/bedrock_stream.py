"""A streamed Bedrock Converse reply, put together event by event.

Each event is an object with one key. Blocks are kept by their index; only calls have a start
event. The arguments of a call come as pieces of JSON text and stay text, so that text which is
cut is judged as cut.
"""

from collections.abc import Mapping
from typing import Any

from handrail.wire.plain import arguments_object, dump, field, shape_of, string

__all__ = ["BedrockChunks"]


class BedrockChunks:
    """The events of one reply."""

    def __init__(self) -> None:
        self.finished = False
        self._blocks: dict[int, dict[str, Any]] = {}  # Any: JSON object
        self._inputs: dict[int, list[str]] = {}
        self._done: set[int] = set()
        self._stop: str | None = None
        self._usage: object = None

    def feed(self, chunk: object) -> None:
        """Take the next event."""
        if (started := field(chunk, "contentBlockStart")) is not None:
            self._blocks[_index(started)] = dump(field(started, "start"), "contentBlockStart.start")
        elif (piece := field(chunk, "contentBlockDelta")) is not None:
            self._delta(_index(piece), field(piece, "delta"))
        elif (done := field(chunk, "contentBlockStop")) is not None:
            self._done.add(_index(done))
        elif (stopped := field(chunk, "messageStop")) is not None:
            self._stop, self.finished = string(field(stopped, "stopReason")), True
        elif (metadata := field(chunk, "metadata")) is not None:
            self._usage = field(metadata, "usage")
        elif _is_exception(chunk):
            self.finished = False
        elif field(chunk, "messageStart") is None:
            raise ValueError(f"an event of a Converse stream is expected, got {shape_of(chunk)}")

    def _delta(self, index: int, delta: object) -> None:
        block = self._blocks.setdefault(index, {})
        if (call := field(delta, "toolUse")) is not None:
            self._inputs.setdefault(index, []).append(string(field(call, "input")))
        elif (thought := field(delta, "reasoningContent")) is not None:
            _think(block.setdefault("reasoningContent", {}), thought)
        elif (text := field(delta, "text")) is not None:
            block["text"] = string(block.get("text")) + string(text)

    def whole(self) -> dict[str, Any]:  # Any: JSON object
        """The response so far; reasoning that is not done cannot be sent, and is left out."""
        blocks = [
            self._block(index, block)
            for index, block in sorted(self._blocks.items())
            if self.finished or index in self._done or "reasoningContent" not in block
        ]
        return {
            "output": {"message": {"role": "assistant", "content": list(filter(None, blocks))}},
            "stopReason": self._stop,
            "usage": self._usage,
        }

    def _block(self, index: int, block: dict[str, Any]) -> dict[str, Any]:  # Any: JSON object
        call = block.get("toolUse")
        if isinstance(call, Mapping):
            given: object = "".join(self._inputs.get(index, ())) or call.get("input") or {}
            if call.get("type") == "server_tool_use" and isinstance(given, str):
                given = arguments_object(given)
            return {"toolUse": {**call, "input": given}}
        return block


def _think(thought: dict[str, Any], piece: object) -> None:  # Any: JSON object
    if (redacted := field(piece, "redactedContent")) is not None:
        thought["redactedContent"] = thought.get("redactedContent", redacted[:0]) + redacted
        return
    said = thought.setdefault("reasoningText", {"text": ""})
    said["text"] += string(field(piece, "text"))
    if signature := string(field(piece, "signature")):
        said["signature"] = said.get("signature", "") + signature


def _index(event: object) -> int:
    index = field(event, "contentBlockIndex")
    if isinstance(index, int):
        return index
    raise ValueError(f"contentBlockIndex must be a number, got {type(index).__name__}")


def _is_exception(chunk: object) -> bool:
    return isinstance(chunk, dict) and any(str(key).endswith("Exception") for key in chunk)
