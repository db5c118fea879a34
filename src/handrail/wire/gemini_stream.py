"""A streamed Gemini reply: every chunk is a response that holds the next parts.

A call comes whole in one part. Where the request asked for streamed arguments, it comes as a
name and then as values with a path each (``$.place.city``); ``willContinue`` says that more of it
is to come.
"""

import re
from itertools import pairwise
from typing import Any

from handrail.wire.gemini_parts import call_of, part_of, said_of
from handrail.wire.plain import either, field, items, shape_of, string

__all__ = ["GeminiChunks"]

_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\[['\"]([^'\"]*)['\"]\]")
_MOST_ITEMS = 10_000


class GeminiChunks:
    """The chunks of one reply; of several candidates the first."""

    def __init__(self) -> None:
        self.finished = False
        self._parts: list[dict[str, Any]] = []  # Any: JSON object
        self._open: dict[str, Any] | None = None  # Any: arguments that still come
        self._finish: str | None = None
        self._usage: object = None
        self._feedback: object = None

    def feed(self, chunk: object) -> None:
        """Take the next chunk."""
        usage = either(chunk, "usageMetadata", "usage_metadata")
        feedback = either(chunk, "promptFeedback", "prompt_feedback")
        candidates = field(chunk, "candidates")
        if candidates is None and usage is None and feedback is None:
            if field(chunk, "error") is not None:
                self.finished = False
                return
            raise ValueError(f"a chunk of a Gemini stream is expected, got {shape_of(chunk)}")
        self._usage = usage or self._usage
        if either(feedback, "blockReason", "block_reason") is not None:
            self._feedback = feedback
            self.finished = True
        for candidate in items(candidates, "candidates"):
            if field(candidate, "index") in (0, None):
                self._candidate(candidate)

    def _candidate(self, candidate: object) -> None:
        parts = items(field(field(candidate, "content"), "parts"), "parts")
        for index, part in enumerate(parts):
            called = call_of(part)
            if called is not None and self._fragment(called, part):
                continue
            self._add(part_of(part, f"parts[{index}]"))
        finish = either(candidate, "finishReason", "finish_reason")
        if isinstance(finish, str):
            self._finish = finish
            self.finished = self._open is None

    def _fragment(self, called: object, part: object) -> bool:
        """Take a piece of a call whose arguments are streamed; False for a whole call."""
        more = either(called, "willContinue", "will_continue") is True
        pieces = items(either(called, "partialArgs", "partial_args"), "functionCall.partialArgs")
        name = string(field(called, "name"))
        if name and not more and not pieces:
            return False
        if name:
            whole = part_of(part, "part")
            self._open = whole["functionCall"].setdefault("args", {})
            self._parts.append(whole)
        if self._open is not None:
            for piece in pieces:
                _put(self._open, piece)
        if not more:
            self._open = None
        return True

    def _add(self, part: dict[str, Any]) -> None:  # Any: JSON object
        """Join text with the text before it, unless one of them carries a signature."""
        last = self._parts[-1] if self._parts else {}
        if set(part) == {"text"} == set(last) and said_of(part):
            last["text"] += part["text"]
        elif part != {"text": ""}:
            self._parts.append(part)

    def whole(self) -> dict[str, Any]:  # Any: JSON object
        """The response so far."""
        content = {"role": "model", "parts": self._parts}
        return {
            "candidates": [{"content": content, "finishReason": self._finish}],
            "usageMetadata": self._usage,
            "promptFeedback": self._feedback,
        }


def _put(target: dict[str, Any], piece: object) -> None:  # Any: JSON values
    """Put one streamed value at its path; text continues the text that is there.

    Raises:
        ValueError: If the path is none, or leads through a value that holds nothing.
    """
    path = string(either(piece, "jsonPath", "json_path"))
    steps = [found[1] or found[3] or int(found[2]) for found in _STEP.finditer(path)]
    if not steps or path != "$" + "".join(found[0] for found in _STEP.finditer(path)):
        raise ValueError(f"partialArgs.jsonPath is not understood: {path[:80]!r}")
    place: Any = target  # Any: JSON value
    for step, after in pairwise(steps):
        empty: Any = [] if isinstance(after, int) else {}  # Any: JSON value
        place = _at(place, step, empty, path)
    before = _at(place, steps[-1], None, path)
    value = _value(piece)
    both_text = isinstance(before, str) and isinstance(value, str)
    place[steps[-1]] = before + value if both_text else value


def _at(place: Any, step: Any, empty: Any, path: str) -> Any:  # Any: JSON values
    if isinstance(place, dict) and isinstance(step, str):
        if place.get(step) is None:
            place[step] = empty
        return place[step]
    if isinstance(place, list) and isinstance(step, int) and step <= len(place) < _MOST_ITEMS:
        if step == len(place):
            place.append(empty)
        return place[step]
    raise ValueError(f"partialArgs.jsonPath does not fit what came before: {path[:80]!r}")


def _value(piece: object) -> Any:  # Any: JSON value
    for keys in (("stringValue", "string_value"), ("boolValue", "bool_value")):
        if (value := either(piece, *keys)) is not None:
            return value
    number = either(piece, "numberValue", "number_value")
    if isinstance(number, float) and number.is_integer():
        return int(number)
    return number
