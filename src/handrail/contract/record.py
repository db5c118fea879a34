"""Frozen values that cost nothing until a field differs from its default.

A result has two dozen fields, and on a good call all but four hold their default. A frozen
dataclass would write every one of them each time; a `Record` keeps defaults on the class and
writes only what it is given, which makes building one about as cheap as a small dict. Type
checkers see an ordinary frozen, keyword-only dataclass.
"""

from functools import cache
from inspect import get_annotations
from typing import Any, NoReturn, Self, dataclass_transform

__all__ = ["Record"]


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Record:
    """Base of frozen, keyword-only values whose defaults live on the class."""

    def __init__(self, **fields: Any) -> None:  # Any: checked by dataclass_transform
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: cannot delete {name!r}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = self.field_names()
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]  # fields may hold lists and dicts

    def __repr__(self) -> str:
        stored = [name for name in self.field_names() if name in self.__dict__]
        given = ", ".join(f"{name}={getattr(self, name)!r}" for name in stored)
        return f"{type(self).__name__}({given})"

    @classmethod
    def field_names(cls) -> tuple[str, ...]:
        """Names of the public fields, base classes first."""
        return _names_of(cls)  # type: ignore[arg-type]  # a class has a hash, its values none

    def replace(self, **changes: Any) -> Self:  # Any: as in __init__
        """The same value with some fields changed."""
        stored = _stored_by(type(self))  # type: ignore[arg-type]  # as above
        fields = {name: value for name, value in self.__dict__.items() if name in stored}
        return type(self)(**{**fields, **changes})


@cache
def _names_of(kind: type) -> tuple[str, ...]:
    names = [name for base in reversed(kind.__mro__) for name in get_annotations(base)]
    return tuple(dict.fromkeys(name for name in names if not name.startswith("_")))


@cache
def _stored_by(kind: type) -> frozenset[str]:
    """Every annotated name, private ones included: what a copy carries over."""
    return frozenset(name for base in kind.__mro__ for name in get_annotations(base))
