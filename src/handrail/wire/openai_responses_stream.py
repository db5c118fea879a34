"""A streamed OpenAI response, put together event by event.

The last event carries the whole response and is believed, if it holds items; some servers leave
them out there. Until then items are kept by their index, and arguments as pieces of JSON text.
"""

from typing import Any

from handrail.wire.plain import field, pruned, shape_of, string

__all__ = ["ResponsesChunks"]

_PIECES = {
    "response.function_call_arguments.delta": "arguments",
    "response.custom_tool_call_input.delta": "input",
    "response.output_text.delta": "text",
    "response.refusal.delta": "refusal",
}
_WHOLE_PIECES = {
    "response.function_call_arguments.done": "arguments",
    "response.custom_tool_call_input.done": "input",
    "response.output_text.done": "text",
}
_KEPT = ("status", "incomplete_details", "usage")
_ENDS = ("response.completed", "response.incomplete")
_BREAKS = ("response.failed", "response.cancelled", "error")


class ResponsesChunks:
    """The events of one response."""

    def __init__(self) -> None:
        self.finished = False
        self._items: dict[int, dict[str, Any]] = {}  # Any: JSON object
        self._done: set[int] = set()
        self._places: dict[str, int] = {}
        self._pieces: dict[int, dict[str, list[str]]] = {}
        self._response: object = None

    def feed(self, chunk: object) -> None:
        """Take the next event."""
        kind = field(chunk, "type")
        if not isinstance(kind, str):
            raise ValueError(f"an event of an OpenAI response is expected, got {shape_of(chunk)}")
        if kind in _ENDS:
            self._response = field(chunk, "response")
            self.finished = True
        elif kind in _BREAKS:
            self.finished = False
        elif kind == "response.output_item.added":
            self._items[self._index(chunk)] = pruned(field(chunk, "item"), "item")
        elif kind == "response.output_item.done":
            self._items[self._index(chunk)] = pruned(field(chunk, "item"), "item")
            self._done.add(self._index(chunk))
        elif kind in _PIECES:
            said = self._pieces.setdefault(self._index(chunk), {}).setdefault(_PIECES[kind], [])
            said.append(string(field(chunk, "delta")))
        elif kind in _WHOLE_PIECES:
            name = _WHOLE_PIECES[kind]
            self._pieces.setdefault(self._index(chunk), {})[name] = [string(field(chunk, name))]

    def _index(self, chunk: object) -> int:
        """Which item an event is about: by its index, or by its id where a server sends none."""
        index = field(chunk, "output_index")
        if isinstance(index, int):
            return index
        id = field(chunk, "item_id") or field(field(chunk, "item"), "id")
        if isinstance(id, str) and id:
            return self._places.setdefault(id, len(self._places))
        raise ValueError(
            f"{field(chunk, 'type')} has neither output_index nor item_id: it is {shape_of(chunk)}"
        )

    def whole(self) -> dict[str, Any]:  # Any: JSON object
        """The response so far; reasoning that is not done cannot be sent, and is left out."""
        ended = {key: field(self._response, key) for key in _KEPT}
        output = field(self._response, "output") or [
            item if index in self._done else self._begun(index, item)
            for index, item in sorted(self._items.items())
            if index in self._done or item.get("type") != "reasoning"
        ]
        status = ended["status"] or ("completed" if self.finished else "in_progress")
        return {"object": "response", **ended, "status": status, "output": output}

    def _begun(self, index: int, item: dict[str, Any]) -> dict[str, Any]:  # Any: JSON object
        """An item that is not done; its id is dropped, since the server need not know it."""
        pieces = {key: "".join(said) for key, said in self._pieces.get(index, {}).items()}
        if item.get("type") != "message":
            return {key: one for key, one in {**item, **pieces}.items() if key != "id"}
        content: list[dict[str, Any]] = []  # Any: JSON object
        if pieces.get("text"):
            content.append({"type": "output_text", "text": pieces["text"], "annotations": []})
        if pieces.get("refusal"):
            content.append({"type": "refusal", "refusal": pieces["refusal"]})
        return {**item, "status": "incomplete", "content": content or item.get("content") or []}
