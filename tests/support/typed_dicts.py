"""Checks JSON against TypedDicts as a strict server would: at once, and without unknown keys.

Validation by pydantic is lazy for iterables and lets unknown keys of a TypedDict pass.
"""

import collections.abc
import functools
import types
from typing import Annotated, Any, Literal, NotRequired, Required, Union, get_args, get_origin

from typing_extensions import get_type_hints, is_typeddict

__all__ = ["faults"]

_LISTS = (list, collections.abc.Iterable, collections.abc.Sequence)
_MAPS = (dict, collections.abc.Mapping)


def faults(value: object, wanted: Any, place: str = "") -> list[str]:  # Any: a type form
    """What is wrong with a value; empty if it is of the wanted type."""
    origin = get_origin(wanted)
    if origin in (Annotated, Required, NotRequired):
        return faults(value, get_args(wanted)[0], place)
    if wanted is Any or wanted is object:
        return []
    if origin in (Union, types.UnionType):
        found = [faults(value, one, place) for one in get_args(wanted)]
        return min(found, key=lambda one: (max(map(len, one), default=0), one))
    if is_typeddict(wanted):
        return _typed_dict(value, wanted, place)
    if origin is Literal:
        return [] if value in get_args(wanted) else [f"{place}: {value!r} is none of {wanted}"]
    if origin in _MAPS:
        return [] if isinstance(value, dict) else [f"{place}: no object"]
    if origin in _LISTS or getattr(origin, "__name__", "") == "SequenceNotStr":
        if not isinstance(value, list):
            return [f"{place}: no list"]
        inner = get_args(wanted)[0]
        return [
            fault for n, one in enumerate(value) for fault in faults(one, inner, f"{place}/{n}")
        ]
    plain = type(None) if wanted is None else wanted
    return [] if isinstance(value, plain) else [f"{place}: no {plain.__name__}"]


_hints = functools.cache(get_type_hints)


def _typed_dict(value: object, wanted: Any, place: str) -> list[str]:  # Any: a TypedDict
    if not isinstance(value, dict):
        return [f"{place}: no object"]
    hints = _hints(wanted)
    missing = [f"{place}: {key} is missing" for key in wanted.__required_keys__ - value.keys()]
    unknown = [f"{place}: {key} is unknown" for key in value.keys() - hints.keys()]
    inner = [
        fault
        for key, one in value.items()
        if key in hints
        for fault in faults(one, hints[key], f"{place}/{key}")
    ]
    return missing + unknown + inner
