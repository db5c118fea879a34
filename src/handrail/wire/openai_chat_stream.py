"""A streamed OpenAI chat completion, put together fragment by fragment.

Servers differ in how they cut a call into fragments, and are read as meant: fragments belong
together by ``index``; another id or another name at an index that has arguments begins the next
call (some servers give every parallel call the index 0); without an index a fragment with a name
begins a call, and one without continues the last.
"""

from collections.abc import Mapping
from typing import Any

from handrail.wire.plain import field, items, shape_of, string

__all__ = ["ChatChunks"]


class _Call:
    """The fragments of one call."""

    __slots__ = ("arguments", "id", "index", "name", "text")

    def __init__(self, index: object) -> None:
        self.index = index
        self.id = ""
        self.name = ""
        self.text: list[str] = []
        self.arguments: Mapping[str, Any] | None = None  # Any: JSON values

    def add(self, fragment: object, function: object) -> None:
        """Take one fragment."""
        self.id = self.id or string(field(fragment, "id"))
        name = string(field(function, "name"))
        if name and name != self.name:
            self.name += name
        given = field(function, "arguments")
        if isinstance(given, Mapping):
            self.arguments = given
        elif string(given):
            self.text.append(given)

    def is_another(self, fragment: object, function: object) -> bool:
        """Whether a fragment at this call's index begins another call."""
        its_id = string(field(fragment, "id"))
        if its_id and self.id:
            return its_id != self.id
        begun = bool(self.text) or self.arguments is not None
        name = string(field(function, "name"))
        return begun and bool(name) and name != self.name

    def whole(self) -> dict[str, Any]:  # Any: JSON object
        """The call as a whole reply holds it."""
        arguments = "".join(self.text) if self.arguments is None else self.arguments
        function = {"name": self.name, "arguments": arguments}
        return {"id": self.id, "type": "function", "function": function}


class ChatChunks:
    """The chunks of one completion; of several choices the first."""

    def __init__(self) -> None:
        self.finished = False
        self._calls: list[_Call] = []
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._finish: str | None = None
        self._usage: object = None

    def feed(self, chunk: object) -> None:
        """Take the next chunk; the closing ``[DONE]`` may be fed too."""
        if isinstance(chunk, str) and chunk.strip().removeprefix("data:").strip() == "[DONE]":
            return
        if field(chunk, "choices") is None and field(chunk, "usage") is None:
            if field(chunk, "error") is not None:
                self.finished = False
                return
            raise ValueError(f"a chunk of an OpenAI chat stream is expected, got {shape_of(chunk)}")
        self._usage = field(chunk, "usage") or self._usage
        for choice in items(field(chunk, "choices"), "choices"):
            if field(choice, "index") in (0, None):
                self._choice(choice)

    def _choice(self, choice: object) -> None:
        delta = field(choice, "delta")
        self._text.append(string(field(delta, "content")))
        self._refusal.append(string(field(delta, "refusal")))
        for fragment in items(field(delta, "tool_calls"), "choices[0].delta.tool_calls"):
            self._fragment(fragment, field(fragment, "function"))
        older = field(delta, "function_call")
        if older is not None:
            self._fragment(None, older)
        finish = field(choice, "finish_reason")
        if isinstance(finish, str) and finish:
            self._finish, self.finished = finish, True

    def _fragment(self, fragment: object, function: object) -> None:
        call = self._place(fragment, function)
        if call is None or call.is_another(fragment, function):
            call = _Call(field(fragment, "index"))
            self._calls.append(call)
        call.add(fragment, function)

    def _place(self, fragment: object, function: object) -> _Call | None:
        index = field(fragment, "index")
        if index is None:
            begins = bool(string(field(function, "name")))
            return None if begins or not self._calls else self._calls[-1]
        return next((one for one in reversed(self._calls) if one.index == index), None)

    def whole(self) -> dict[str, Any]:  # Any: JSON object
        """The completion so far; a call whose name did not come yet is left out."""
        text, refusal = "".join(self._text), "".join(self._refusal)
        message: dict[str, Any] = {"role": "assistant", "content": text or None}  # Any: JSON object
        if refusal:
            message["refusal"] = refusal
        calls = [call.whole() for call in self._calls if call.name]
        if calls:
            message["tool_calls"] = calls
        return {
            "choices": [{"index": 0, "message": message, "finish_reason": self._finish}],
            "usage": self._usage,
        }
