"""Which JSON value says exactly what a lax reading understood, place by place.

pydantic tells where strict reading failed and which type it wanted. For each such place the
lax reading of that one type is written back as JSON (``"30"`` becomes 30). Whether the whole
then means the same is for the engine to prove: it validates the patched arguments strictly.
"""

import datetime
import decimal
import math
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from handrail.contract.branches import Path
from handrail.contract.issue import join_pointer
from handrail.contract.pydantic_errors import Located, schema_at
from handrail.contract.reading import Change
from handrail.contract.words import Schema

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = ["changes_of"]


@cache
def _adapter(kind: Any) -> "TypeAdapter[Any]":  # Any: a type
    """Built when a lax reading first needs it."""
    from pydantic import ConfigDict, TypeAdapter

    lenient = ConfigDict(coerce_numbers_to_str=True) if kind is str else None
    return TypeAdapter(kind, config=lenient)


def _reader(kind: Any) -> Callable[[Any], Any]:  # Any: a type; JSON value to JSON value
    def read(value: Any) -> Any:  # Any: JSON value
        adapter = _adapter(kind)
        return adapter.dump_python(adapter.validate_json(_dumped(value)), mode="json")

    return read


def _dumped(value: Any) -> bytes:  # Any: JSON value
    """A JSON value as JSON text."""
    return to_json(value)


def _text(value: Any) -> Any:  # Any: JSON value
    return _adapter(str).validate_python(value)


_READERS: Mapping[str, Callable[[Any], Any]] = MappingProxyType(  # Any: JSON values
    {
        "int": _reader(int),
        "float": _reader(float),
        "bool": _reader(bool),
        "string": _text,
        "datetime": _reader(datetime.datetime),
        "date": _reader(datetime.date),
        "time": _reader(datetime.time),
        "time_delta": _reader(datetime.timedelta),
        "decimal": _reader(decimal.Decimal),
    }
)
_WHEN = ("_type", "_parsing", "_from_float", "_from_datetime_parsing", "_from_datetime_inexact")


def changes_of(
    value: dict[str, Any], errors: Sequence[Located], schema: Schema
) -> tuple[dict[str, Any], tuple[Change, ...]]:  # Any: JSON values
    """The arguments with the coerced values put in, and one change for each place.

    A place whose reading is not known keeps its value, with ``before`` equal to ``after``.
    """
    patched = deepcopy(value)
    changes: dict[str, Change] = {}
    for path, detail in errors:
        try:
            before = _get(value, path)
        except (KeyError, IndexError, TypeError):  # a field that a branch of a union misses
            continue
        if not path:
            continue
        pointer = join_pointer(path)
        known = changes.get(pointer)
        if known is not None and known[1] is not known[2]:
            continue
        after = _read(before, detail, schema_at(schema, path))
        changes[pointer] = (pointer, before, after)
        if after is not before:
            _get(patched, path[:-1])[path[-1]] = after
    return patched, tuple(changes.values())


def _read(before: Any, detail: Mapping[str, Any], schema: Schema) -> Any:
    # Any: JSON values, pydantic's error details
    kind = str(detail["type"])
    if kind in ("enum", "literal_error"):
        options = [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else [])]
        equal = [option for option in options if _alike(option, before)]
        return equal[0] if len(equal) == 1 else before
    for ending in _WHEN:
        reader = _READERS.get(kind.removesuffix(ending)) if kind.endswith(ending) else None
        if reader is not None:
            try:
                after = reader(before)
            except ValueError:
                return before
            # JSON has no Infinity: the value stays as it was sent, and is read again when it runs
            return before if isinstance(after, float) and not math.isfinite(after) else after
    return before


def _alike(option: Any, before: Any) -> bool:  # Any: JSON values
    return bool(option == before) or (
        isinstance(before, str) != isinstance(option, str) and str(option) == str(before)
    )


def _get(value: Any, path: Path) -> Any:  # Any: JSON value
    for part in path:
        value = value[part]
    return value
