"""A plain function as a guard sees it: a contract, and what tells one of its calls from another.

A toolbox gets JSON and calls a handler; a guard is called by a program and sees Python values. So
any function will do: parameters that cannot be part of a schema (a session, a client, ``self``)
tell calls apart, but are no arguments that a model could be told to change.
"""

import inspect
import re
import weakref
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

from pydantic_core import to_jsonable_python

from handrail.contract.tool import Tool
from handrail.errors import ContractError

if TYPE_CHECKING:
    from handrail.contract.signature import Signature

__all__ = ["Called", "Callee"]

_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_NAME = 64
_OWNERS = ("self", "cls")

Values = Mapping[str, Any]  # Any: JSON values


class Called(NamedTuple):
    """One call of a function.

    Attributes:
        arguments: What a model could have sent, as JSON values.
        all: All that tells it from other calls, as JSON values.
    """

    arguments: Values
    all: Values


class Callee:
    """A function and the contract of its results.

    Args:
        fn: Sync or async, with any parameters.
        returns: The type or JSON Schema of its results; None takes the return annotation.
        name: Name for the model; the function's own by default.
        description: What it does; the docstring by default.
        terms: Contract keywords.

    Raises:
        ContractError: A keyword makes no sense; every fault is listed.
    """

    def __init__(
        self,
        fn: Callable[..., object],
        returns: Any = None,  # Any: a type, a JSON Schema, or nothing
        *,
        name: str | None = None,
        description: str | None = None,
        **terms: Any,  # Any: the fields of Terms
    ) -> None:
        name = _name_of(fn) if name is None else name
        self.identity: Hashable = fn if _has_hash(fn) else id(fn)
        self._parameters = _parameters(fn)
        owner = next(iter(self._parameters), "")
        self._owner = owner if owner in _OWNERS else None
        signature = self._signature(fn, name)
        self._whole = signature.whole
        schema = _typed_schema(signature, name)
        self._loose = schema is None
        said = description or signature.description or f"The function {name}."
        stated = signature.returns if returns is None else returns
        if stated is inspect.Signature.empty:
            stated = None
        if returns is not None:  # what is stated is more than an annotation
            signature = replace(signature, returns=inspect.Signature.empty)
        params = self._named_schema() if schema is None else schema
        self.tool = Tool(name, said, None, params, stated, signature=signature, **terms)
        self._known = frozenset(self.tool.schema.get("properties", {}))
        self._numbers: dict[int, tuple[weakref.ref[object], int]] = {}
        self._counted = 0

    def _signature(self, fn: Callable[..., object], name: str) -> "Signature":
        """How it is called, where pydantic can say it; else nothing but its return annotation."""
        from handrail.contract.signature import Signature, model_for  # late: it loads pydantic

        try:
            return model_for(fn, skip=[self._owner] if self._owner else (), tool=name)
        except ContractError:
            from pydantic import BaseModel

            doc = (inspect.getdoc(fn) or "").split("\n\n", 1)[0]
            return Signature(BaseModel, None, {}, None, " ".join(doc.split()), _returned(fn))

    def _named_schema(self) -> dict[str, Any]:  # Any: JSON Schema
        """The names of its parameters: types that nobody stated are not made up."""
        fields = {}
        for name, parameter in self._parameters.items():
            if name == self._owner or parameter.kind in (
                parameter.VAR_POSITIONAL,
                parameter.VAR_KEYWORD,
            ):
                continue
            default = _jsonable(parameter.default)
            has_default = parameter.default is not parameter.empty and default is not _OPAQUE
            fields[name] = {"default": default} if has_default else {}
        return {"type": "object", "properties": fields}

    def called(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> Called:
        """One call of it, with its arguments by name."""
        given = self._by_name(args, kwargs)
        if self._whole is not None and self._whole in given:
            plain = _jsonable(given[self._whole])
            if isinstance(plain, dict):
                return Called(plain, plain)
        arguments, everything = {}, {}
        for name, value in given.items():
            plain = _OPAQUE if name == self._owner else _jsonable(value)
            if plain is _OPAQUE:
                everything[name] = f"<{type(value).__qualname__} {self._number(value)}>"
                continue
            everything[name] = plain
            if name in self._known or self._loose:
                arguments[name] = plain
        return Called(arguments, everything)

    def _number(self, value: object) -> int:
        """A number of an object that no later object gets, as its address might be."""
        address = id(value)
        known = self._numbers.get(address)
        if known is not None and known[0]() is value:
            return known[1]
        numbers = self._numbers
        try:
            alive = weakref.ref(value, lambda _: numbers.pop(address, None))
        except TypeError:  # a builtin
            return address
        self._counted += 1
        numbers[address] = alive, self._counted
        return self._counted

    def _by_name(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> dict[str, object]:
        given: dict[str, object] = {}
        names = [name for name, one in self._parameters.items() if one.kind not in _COLLECTING]
        for place, value in enumerate(args):
            given[names[place] if place < len(names) else f"*{place}"] = value
        return given | dict(kwargs)


_COLLECTING = (
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.VAR_KEYWORD,
    inspect.Parameter.KEYWORD_ONLY,
)
_OPAQUE: Any = object()  # Any: stands where a JSON value may be
"""What is no JSON value."""


def _jsonable(value: object) -> Any:  # Any: JSON value
    """The value as JSON; `_OPAQUE` where it is none. Reading an iterator would empty it."""
    if isinstance(value, Iterator):
        return _OPAQUE
    try:
        return to_jsonable_python(value, inf_nan_mode="strings", bytes_mode="base64")
    except Exception:  # an object of the author's, with a serializer of the author's
        return _OPAQUE


def _typed_schema(signature: "Signature", name: str) -> dict[str, Any] | None:  # Any: JSON Schema
    """The schema of its parameters, none of which is required: a session is no argument.

    None where there is nothing that can be judged.
    """
    from handrail.contract.engine import engine_for_schema

    if not signature.model.model_fields:
        return None
    try:
        schema = signature.model.model_json_schema()
        schema.pop("required", None)
        engine_for_schema(schema, tool=name)
    except Exception:  # types that cannot be published
        return None
    return schema


def _has_hash(fn: object) -> bool:
    try:
        hash(fn)
    except TypeError:
        return False
    return True


def _name_of(fn: Callable[..., object]) -> str:
    """A name that providers take, from the function's own."""
    inner = getattr(fn, "func", fn)  # of a partial
    own = getattr(inner, "__name__", None) or type(inner).__name__
    name = _NOT_IN_A_NAME.sub("_", str(own)).strip("_-")[:_LONGEST_NAME]
    if not name:
        return "tool"
    return name if not name[0].isdigit() else f"_{name}"[:_LONGEST_NAME]


def _parameters(fn: Callable[..., object]) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(fn).parameters
    except (TypeError, ValueError):  # a builtin
        return {}


def _returned(fn: Callable[..., object]) -> Any:  # Any: an annotation
    try:
        hints = get_type_hints(fn, include_extras=True)
    except Exception:  # an annotation may be any expression, or fn no function
        return inspect.Signature.empty
    return hints.get("return", inspect.Signature.empty)
