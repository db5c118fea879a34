"""Walks a JSON value leaf by leaf, at any depth, without recursion.

A leaf comes with its *place*: a chain ``(parent place, key)`` instead of a finished pointer.
Almost every leaf is fine and nobody asks where it was, so the chain costs one small tuple a
leaf whatever the depth, and `parts` or `pointer` spell it out only for a finding.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from handrail.contract.issue import join_pointer

__all__ = ["Leaf", "Place", "leaves", "parts", "pointer", "strings"]

Place: TypeAlias = "tuple[Place, str | int] | None"
"""Where a leaf is: parent place and key or position; None is the root."""

Leaf: TypeAlias = tuple[Place, str | None, object]
"""Place, name of the nearest object key (a list's items go by the list's name), scalar."""

Entries: TypeAlias = Iterator[tuple[Any, object]]  # Any: str in an object, int in a list

_CONTAINERS = (dict, list, tuple)


def leaves(value: object) -> Iterator[Leaf]:
    """Every scalar of a JSON value in document order, null and booleans included.

    Takes any finite nesting of mappings at the root, dicts, lists and tuples.
    """
    if isinstance(value, Mapping):
        value = dict(value)
    if not isinstance(value, _CONTAINERS):
        yield None, None, value
        return
    stack: list[tuple[Entries, Place, str | None, bool]] = [
        (_entries(value), None, None, isinstance(value, dict))
    ]
    while stack:
        entries, place, name, named = stack[-1]
        for key, item in entries:
            field = key if named else name
            if isinstance(item, _CONTAINERS):
                stack.append((_entries(item), (place, key), field, isinstance(item, dict)))
                break
            yield (place, key), field, item
        else:
            stack.pop()


def _entries(
    value: dict[str, object] | list[object] | tuple[object, ...],
) -> Entries:
    return iter(value.items()) if isinstance(value, dict) else enumerate(value)


def strings(value: object) -> Iterator[tuple[Place, str | None, str]]:
    """Every string among the `leaves`."""
    for place, name, item in leaves(value):
        if isinstance(item, str):
            yield place, name, item


def parts(place: Place) -> tuple[str | int, ...]:
    """Keys and positions from the root: ``("items", 0, "id")``."""
    found: list[str | int] = []
    while place is not None:
        place, key = place
        found.append(key)
    return tuple(reversed(found))


def pointer(place: Place) -> str:
    """RFC 6901 pointer of a place."""
    return join_pointer(parts(place))
