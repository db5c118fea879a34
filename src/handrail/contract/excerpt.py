"""A part of an output that is too big to be shown: a page of a list, of an object or of a text.

A page is as long as the budget allows, and says how much there is and where the next one starts.
"""

from collections.abc import Sequence
from json.encoder import encode_basestring
from typing import Any

from pydantic_core import from_json, to_json

from handrail.contract.graphemes import boundary
from handrail.contract.issue import split_pointer
from handrail.contract.tokens import Counter, count_tokens

__all__ = ["content_of", "excerpt", "part_at"]

Json = Any  # Any: JSON value

_ROOM_AROUND = 40
"""Tokens of what a page says beside its content."""


def content_of(text: str) -> Json:
    """What a text holds: its JSON value if it is an object or a list, else the text itself."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            return from_json(text)
        except ValueError:
            return text
    return text


def part_at(value: Json, path: str) -> Json:
    """The part at a JSON Pointer (RFC 6901).

    Raises:
        LookupError: There is nothing at that place.
    """
    if path and not path.startswith("/"):
        raise LookupError(path)
    for name in split_pointer(path):
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isascii() and name.isdigit():
            value = value[int(name)]
        else:
            raise LookupError(path)
    return value


def excerpt(
    part: Json, budget: int, *, start: int = 0, count: int | None = None, counter: Counter | None
) -> dict[str, Json]:
    """One page.

    Args:
        part: A JSON value, or a text.
        budget: Tokens of the page.
        start: Items, fields or characters to skip.
        count: How many to give; as many as fit without it, and never more than fit.
        counter: Counts the tokens of a text; characters / 4 without one.

    Returns:
        ``items``, ``fields``, ``text`` or ``value``; ``start``, ``count`` and ``total`` in items,
        fields or characters; and ``next``, the ``start`` of the following page, if there is one.
        A single item that alone is over the budget is given whole.
    """
    room = max(1, budget - _ROOM_AROUND)
    if isinstance(part, str):
        return _of_text(part, room, start, count, counter)
    if isinstance(part, dict):
        pairs = [{key: item} for key, item in part.items()]
        chosen = _fitting(pairs, room, start, count, counter)
        fields = {key: item for pair in chosen for key, item in pair.items()}
        return {"fields": fields, **_place(start, len(chosen), len(pairs))}
    if isinstance(part, list):
        chosen = _fitting(part, room, start, count, counter)
        return {"items": chosen, **_place(start, len(chosen), len(part))}
    return {"value": part}


def _of_text(
    text: str, room: int, start: int, count: int | None, counter: Counter | None
) -> dict[str, Json]:
    wanted = len(text) - start if count is None else min(count, len(text) - start)
    length = wanted
    while length > 1:
        tokens = count_tokens(encode_basestring(text[start : start + length]), counter)
        if tokens <= room:
            break
        length = max(1, min(length - 1, length * room // tokens))
    near = text[start : start + length + 64]
    length = boundary(near, length) or length
    page = text[start : start + length]
    return {"text": page, **_place(start, len(page), len(text))}


def _fitting(
    items: Sequence[Json], room: int, start: int, count: int | None, counter: Counter | None
) -> list[Json]:
    """As many items as fit, at least one."""
    last = len(items) if count is None else start + count
    chosen: list[Json] = []
    for item in items[start:last]:
        room -= count_tokens(to_json(item, inf_nan_mode="null").decode() + ",", counter)
        if room < 0 and chosen:
            break
        chosen.append(item)
    return chosen


def _place(start: int, count: int, total: int) -> dict[str, int]:
    place = {"start": start, "count": count, "total": total}
    return {**place, "next": start + count} if start + count < total else place
