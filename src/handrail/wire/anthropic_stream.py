"""A streamed Anthropic message, put together event by event.

The arguments of a call come as pieces of JSON text and stay text, so that text which is cut is
judged as cut. Events of the client library that only repeat others (``text``, ``input_json``)
are passed over.
"""

from typing import Any

from handrail.wire.plain import arguments_object, dump, field, shape_of, string

__all__ = ["AnthropicChunks"]

_PIECES = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
}


class AnthropicChunks:
    """The events of one message; blocks are kept by their index."""

    def __init__(self) -> None:
        self.finished = False
        self._blocks: dict[int, dict[str, Any]] = {}  # Any: JSON object
        self._inputs: dict[int, list[str]] = {}
        self._stop: str | None = None
        self._usage: dict[str, Any] = {}  # Any: JSON values

    def feed(self, chunk: object) -> None:
        """Take the next event."""
        kind = field(chunk, "type")
        if not isinstance(kind, str):
            raise ValueError(f"an event of an Anthropic stream is expected, got {shape_of(chunk)}")
        if kind == "message_start":
            self._count(field(field(chunk, "message"), "usage"))
        elif kind == "content_block_start":
            place = f"content_block {field(chunk, 'index')}"
            self._blocks[_index(chunk)] = dump(field(chunk, "content_block"), place)
        elif kind == "content_block_delta":
            self._delta(_index(chunk), field(chunk, "delta"))
        elif kind == "message_delta":
            self._count(field(chunk, "usage"))
            stop = field(field(chunk, "delta"), "stop_reason")
            if isinstance(stop, str):
                self._stop, self.finished = stop, True
        elif kind == "message_stop":
            self.finished = True
        elif kind == "error":
            self.finished = False

    def _delta(self, index: int, delta: object) -> None:
        block = self._blocks.get(index)
        if block is None:
            raise ValueError(f"content_block_delta {index} came before its content_block_start")
        kind = string(field(delta, "type"))
        if kind == "input_json_delta":
            self._inputs.setdefault(index, []).append(string(field(delta, "partial_json")))
        elif key := _PIECES.get(kind):
            block[key] = string(block.get(key)) + string(field(delta, key))
        elif kind == "citations_delta":
            cited = dump(field(delta, "citation"), "citation")
            block["citations"] = [*(block.get("citations") or ()), cited]

    def _count(self, usage: object) -> None:
        if usage is not None:
            self._usage |= dump(usage, "usage")

    def whole(self) -> dict[str, Any]:  # Any: JSON object
        """The message so far; a thought without its signature cannot be sent, and is left out."""
        blocks = [
            self._block(index, block)
            for index, block in sorted(self._blocks.items())
            if block.get("type") != "thinking" or block.get("signature")
        ]
        return {
            "type": "message",
            "role": "assistant",
            "content": blocks,
            "stop_reason": self._stop,
            "usage": self._usage,
        }

    def _block(self, index: int, block: dict[str, Any]) -> dict[str, Any]:  # Any: JSON object
        text = "".join(self._inputs.get(index, ()))
        if not text:
            return block
        own = block.get("type") == "tool_use"
        return {**block, "input": text if own else arguments_object(text)}


def _index(chunk: object) -> int:
    index = field(chunk, "index")
    if isinstance(index, int):
        return index
    raise ValueError(f"{field(chunk, 'type')}.index must be a number, got {type(index).__name__}")
