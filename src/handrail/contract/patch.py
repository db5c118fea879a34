"""JSON Patch (RFC 6902): the operations that suggestions are made of, applied to a value.

`add`, `replace`, `remove` and `move`; `copy` and `test` are never suggested. The given value is
never changed: only the containers on the way to an edited place are copied, everything else is
shared between the old and the new value.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from handrail.contract.issue import split_pointer

__all__ = ["apply", "in_order"]

_Edit = Callable[[Any, str], Any]  # Any: a container of JSON values, before and after


def apply(ops: Iterable[Mapping[str, Any]], value: object) -> Any:  # Any: JSON values
    """The value after all `ops`, applied one after the other.

    Raises:
        LookupError: A place that must exist does not.
        ValueError: An operation is unknown or malformed.
    """
    for op in ops:
        value = _apply_one(op, value)
    return value


def in_order(ops: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:  # Any: JSON values
    """Operations of several suggestions in an order in which none moves another's target.

    One for each place and kind; removals come last, the last array index first.
    """
    unique: dict[tuple[str, str, str], Mapping[str, Any]] = {}  # Any: JSON values
    for op in ops:
        unique.setdefault((str(op.get("op")), str(op.get("path")), str(op.get("from"))), op)
    removals = [op for op in unique.values() if op.get("op") == "remove"]
    others = [op for op in unique.values() if op.get("op") != "remove"]
    return others + sorted(removals, key=_place, reverse=True)


def _place(op: Mapping[str, Any]) -> list[str]:  # Any: JSON values
    parts = str(op.get("path", "")).split("/")
    return [part.zfill(16) if part.isdecimal() else part for part in parts]


def _apply_one(op: Mapping[str, Any], value: object) -> object:  # Any: JSON values
    kind = op.get("op")
    path = _parts(op.get("path"))
    if kind in ("add", "replace") and "value" not in op:
        raise ValueError(f"the operation {kind!r} needs a value")
    match kind:
        case "add":
            return _add(value, path, op["value"])
        case "replace":
            return _replace(value, path, op["value"])
        case "remove":
            return _remove(value, path)
        case "move":
            source = _parts(op.get("from"))
            if path[: len(source)] == source and path != source:
                raise ValueError("a value cannot be moved into itself")
            moved = _get(value, source)
            return value if path == source else _add(_remove(value, source), path, moved)
    raise ValueError(f"unknown operation {kind!r}: use add, replace, remove or move")


def _parts(pointer: object) -> list[str]:
    if not isinstance(pointer, str) or (pointer and not pointer.startswith("/")):
        raise ValueError(f"{pointer!r} is not a JSON pointer")
    return split_pointer(pointer)


def _get(value: Any, parts: list[str]) -> Any:  # Any: JSON value
    for part in parts:
        value = value[_existing(value, part)]
    return value


def _add(value: object, parts: list[str], new: object) -> object:
    def edit(target: Any, part: str) -> Any:  # Any: a container of JSON values
        if isinstance(target, dict):
            return {**target, part: new}
        at = len(target) if part == "-" else _index(part)
        if at > len(target):
            raise LookupError(f"there is no item {part}")
        return [*target[:at], new, *target[at:]]

    return _edited(value, parts, edit) if parts else new


def _replace(value: object, parts: list[str], new: object) -> object:
    return _edited(value, parts, lambda target, part: _with(target, part, new)) if parts else new


def _remove(value: object, parts: list[str]) -> object:
    def edit(target: Any, part: str) -> Any:  # Any: a container of JSON values
        smaller = target.copy()
        del smaller[_existing(target, part)]
        return smaller

    if not parts:
        raise ValueError("the whole value cannot be removed")
    return _edited(value, parts, edit)


def _edited(value: Any, parts: list[str], edit: _Edit) -> Any:  # Any: JSON value
    """The value with `edit` done to the container that holds the last of `parts`."""
    part, *rest = parts
    if not isinstance(value, (dict, list)):
        raise LookupError(f"there is nothing at {part!r}")
    if not rest:
        return edit(value, part)
    return _with(value, part, _edited(value[_existing(value, part)], rest, edit))


def _with(target: Any, part: str, new: object) -> Any:  # Any: a container of JSON values
    copied = target.copy()
    copied[_existing(target, part)] = new
    return copied


def _existing(target: object, part: str) -> Any:  # Any: the key of a dict or the index of a list
    if isinstance(target, dict) and part in target:
        return part
    if isinstance(target, list) and (at := _index(part)) < len(target):
        return at
    raise LookupError(f"there is nothing at {part!r}")


def _index(part: str) -> int:
    plain = part.isascii() and part.isdecimal() and len(part) < 16
    if not plain or (part != "0" and part.startswith("0")):
        raise LookupError(f"{part!r} is not an array index")
    return int(part)
