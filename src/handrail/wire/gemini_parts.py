"""The parts of a Gemini content, in both of their spellings."""

import base64
import re
from collections.abc import Mapping
from typing import Any

from handrail.wire.plain import dump, either, field, string

__all__ = ["call_of", "part_of", "response_of", "said_of"]

_SNAKE = re.compile(r"_([a-z])")


def call_of(part: object) -> object | None:
    """The call in a part; None where there is none."""
    return _inner(part, "functionCall", "function_call")


def response_of(part: object) -> object | None:
    """The result in a part; None where there is none."""
    return _inner(part, "functionResponse", "function_response")


def said_of(part: object) -> str:
    """What a part says; a thought says nothing."""
    if field(part, "thought") is True:
        return ""
    return string(field(part, "text"))


def part_of(part: object, place: str) -> dict[str, Any]:  # Any: JSON object of the provider
    """A part as input, in the spelling of REST; bytes become base64 text.

    Raises:
        ValueError: If it is no object.
    """
    kept: dict[str, Any] = {}  # Any: JSON object of the provider
    for key, value in dump(part, place).items():
        name = _camel(key)
        if name == "functionCall":
            called = dump(value, f"{place}.{name}")
            kept[name] = {one: called[one] for one in ("id", "name", "args") if one in called}
        else:
            kept[name] = _plain(value)
    return kept


def _inner(part: object, *keys: str) -> object | None:
    found: object = either(part, *keys)
    return None if isinstance(found, str | bytes | int | float) else found


def _camel(key: str) -> str:
    return _SNAKE.sub(lambda found: found[1].upper(), key)


def _plain(value: Any) -> Any:  # Any: JSON value, or bytes of the client library
    if isinstance(value, bytes):
        return base64.urlsafe_b64encode(value).decode()
    if isinstance(value, Mapping):
        return {_camel(str(key)): _plain(one) for key, one in value.items() if one is not None}
    return value
