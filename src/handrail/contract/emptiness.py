"""Results with nothing in them: which are senseless, and which are an answer.

Nothing found is an answer like any other, unless the call itself explains it: more rows are said
to exist, an id field was given a name, the arguments exclude each other. Source: seeds 001 and
003; the page of results, section 1.
"""

import re
from collections.abc import Mapping
from typing import Any

from handrail.contract.paging import More
from handrail.contract.preview import preview, word
from handrail.contract.screens import IdPattern

__all__ = ["excluding", "has_no_first_page", "is_empty", "named_id"]

_NAME_WORD = r"[^\W\d_](?:[^\W\d_]|[.'\u2019-])*+"
_NAME = re.compile(rf"{_NAME_WORD}(?:\s+{_NAME_WORD}){{1,5}}\Z")
"""Two to six words of letters, as in O'Neil, Anne-Marie and St.: a person's or a thing's name."""

_ADDRESS = re.compile(r"[^\s@]{1,64}@[^\s@]{1,255}\.[A-Za-z]{2,}\Z")
_BOUNDS = (
    ("start", "end"),
    ("begin", "end"),
    ("from", "to"),
    ("from", "until"),
    ("since", "until"),
    ("after", "before"),
    ("min", "max"),
    ("gte", "lte"),
    ("lower", "upper"),
)
_PARTS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?\Z")


def is_empty(data: Any) -> bool:  # Any: whatever the handler returned
    """Whether a result has nothing in it.

    That is ``None``, an empty text, list or object, or an object with an empty list or object in
    it and no list or object that holds something: ``{"items": [], "total": 0}``.
    """
    if type(data) is dict and data:  # the most of all, and no subclass is looked for
        known = [item for item in data.values() if type(item) is list or type(item) is dict]
        return bool(known) and not any(known)
    if data is None:
        return True
    if isinstance(data, str | list) or (isinstance(data, Mapping) and not data):
        return not data
    if not isinstance(data, Mapping):  # an array of numbers may refuse to be true or false
        return False
    inner = [item for item in data.values() if isinstance(item, list | dict)]
    return bool(inner) and not any(inner)


def has_no_first_page(more: More, arguments: Mapping[str, Any]) -> bool:  # Any: JSON values
    """Whether the first page is empty although more rows exist.

    A page with a cursor may well be empty: some stores filter after they have cut the page.
    """
    if more.shown != 0 or more.cursor is not None or more.link is not None:
        return False
    asked = {name.lower(): item for name, item in arguments.items()}
    page = more.page if more.page is not None else asked.get("page", 1)
    offset = more.offset if more.offset is not None else asked.get("offset", asked.get("skip", 0))
    return page in (0, 1) and offset == 0


def named_id(
    arguments: Mapping[str, Any], ids: Mapping[str, IdPattern | None]
) -> tuple[str, str] | None:  # Any: JSON values
    """An id field that was given a name, with a preview of that; None where there is none.

    Declared id fields are judged by their pattern, where they have one. Other fields are id
    fields if their name ends so.
    """
    for name, value in arguments.items():
        if not isinstance(value, str):
            continue
        parts = [part.lower() for part in _PARTS.findall(name)]
        if name not in ids and parts[-1:] not in (["id"], ["uuid"]):
            continue
        pattern = ids.get(name)
        strange = _is_name(value) if pattern is None else re.fullmatch(pattern, value) is None
        if strange:
            return word(name), preview(value, field=name)
    return None


def _is_name(value: str) -> bool:
    text = value.strip()
    return _NAME.match(text) is not None or _ADDRESS.match(text) is not None


def excluding(arguments: Mapping[str, Any], more: More | None = None) -> str | None:
    # Any: JSON values
    """Why no row can fit these arguments, in words; None where nothing is seen."""
    by_parts = {tuple(part.lower() for part in _PARTS.findall(name)): name for name in arguments}
    for parts, low in by_parts.items():
        for first, last in _BOUNDS:
            if first not in parts:
                continue
            high = by_parts.get(tuple(last if part == first else part for part in parts))
            if high is not None and _above(arguments[low], arguments[high]):
                given = preview(arguments[low], field=low), preview(arguments[high], field=high)
                return f"{word(low)} {given[0]} is after {word(high)} {given[1]}"
    return _beyond(arguments, more)


def _above(low: Any, high: Any) -> bool:  # Any: JSON values
    """Whether a lower bound is above its upper one; of texts only dates are compared."""
    if isinstance(low, bool) or isinstance(high, bool):
        return False
    if isinstance(low, int | float) and isinstance(high, int | float):
        return low > high
    if isinstance(low, str) and isinstance(high, str) and _DATE.match(low) and _DATE.match(high):
        return low[:10] > high[:10]
    return False


def _beyond(arguments: Mapping[str, Any], more: More | None) -> str | None:  # Any: JSON values
    """A page after the last, where the result tells how many rows there are."""
    if more is None or not more.total:
        return None
    offset = next((arguments[n] for n in ("offset", "skip") if n in arguments), more.offset)
    if isinstance(offset, int) and offset >= more.total:
        return f"there are {more.total} rows, and the call begins after {offset}"
    return None
