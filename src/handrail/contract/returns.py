"""The declared results of one tool, compiled once.

What an author states with ``returns=`` is enforced, and so is a return annotation that is a
model, a dataclass, a TypedDict, or a list or choice of those. Other annotations (``str``,
``dict``, ``list[int]``) are written for people and type checkers more than for a judge: a result
of another kind than they say is delivered with a warning. Types go through pydantic, JSON Schemas
through jsonschema-rs; both speak with the words of the input side.
"""

import dataclasses
import sys
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from functools import cached_property
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from pydantic_core import ValidationError, to_json, to_jsonable_python

from handrail.contract.issue import Issue, Severity
from handrail.contract.payload import NOT_JSON, PLAIN, Payload
from handrail.contract.tool_error import ToolError
from handrail.contract.words import Schema, json_type
from handrail.errors import ContractError

if TYPE_CHECKING:
    pass

__all__ = ["VIOLATION", "Declared", "Fit", "compile_returns"]

VIOLATION = "schema_violation"
"""Code of the issues of a result that has not the declared form."""

_MAX_ISSUES = 100
_ENVELOPES = frozenset({"ActionResult", "CallToolResult", "ToolError", "Response"})
"""Names of annotated types that carry a result and are none."""

_ROWS = frozenset({list, tuple, set, frozenset, Sequence})
_STREAMS = frozenset({Iterator, Iterable, Generator, AsyncIterator, AsyncIterable, AsyncGenerator})
"""Rows one after the other: what is judged is the list of them."""


class Fit(NamedTuple):
    """How a result fits what is declared.

    Attributes:
        issues: What does not fit; empty when it does. Warnings where it is not enforced.
        value: The data, as JSON values.
        typed: What a check gets: the declared type, built from it.
        text: Whether JSON is declared and the text is none.
    """

    issues: tuple[Issue, ...] = ()
    value: Any = None  # Any: JSON value
    typed: Any = None  # Any: the declared type
    text: bool = False


class Declared:
    """What a tool says that it returns.

    Attributes:
        enforced: Whether another result is a failure; else it is only warned of.
        plain: Types of JSON values that are fine at a look, where it is not enforced.
    """

    enforced = True
    plain: frozenset[type] = frozenset()

    def holds(self, value: object) -> bool:
        """Whether a value is of the declared type already, so that nothing is left to judge."""
        return False

    def judge(self, payload: Payload) -> Fit:
        """How a result fits.

        Args:
            payload: As normalised.
        """
        raise NotImplementedError


def compile_returns(returns: Any, *, annotated: bool, tool: str = "") -> Declared | None:
    # Any: a type, a JSON Schema, or nothing
    """What judges the results of a tool; None where nothing is declared.

    Args:
        returns: A type or a JSON Schema.
        annotated: Whether it is only the handler's return annotation.
        tool: Name for errors.

    Raises:
        ContractError: It is stated, and no type that pydantic knows, nor a JSON Schema.
    """
    if returns is None or returns is Any or returns is object:
        return None
    if isinstance(returns, Mapping):
        return _BySchema(returns, tool)
    if not annotated:
        return _ByType(returns, tool)
    kind = _without_envelopes(returns)
    if kind is None:
        return None
    if _is_modelled(kind):
        try:
            return _ByType(kind, tool)
        except ContractError:  # an annotation may be any expression
            return None
    kinds = _kinds(kind)
    return _ByKind(kinds) if kinds else None


def _without_envelopes(kind: Any) -> Any:  # Any: an annotation
    """The annotation without `ToolError` and what only carries a result; None if that is all."""
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) in _STREAMS:
        kind = list[get_args(kind)[0]]  # type: ignore[misc]  # made at run time
    if get_origin(kind) in (Union, UnionType):
        parts = [part for part in get_args(kind) if not _is_envelope(part)]
        return Union[tuple(parts)] if parts else None  # noqa: UP007  # made at run time
    return None if _is_envelope(kind) else kind


def _is_envelope(kind: Any) -> bool:  # Any: an annotation
    base = get_origin(kind) or kind
    if not isinstance(base, type):
        return False
    return issubclass(base, ToolError) or any(one.__name__ in _ENVELOPES for one in base.__mro__)


def _is_modelled(kind: Any) -> bool:  # Any: an annotation
    """Whether an annotation is a model, or a list or choice of models."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return any(map(_is_modelled, parts)) and all(
            part is NoneType or _is_modelled(part) for part in parts
        )
    if origin in _ROWS:
        return any(map(_is_modelled, parts))
    base = origin or kind
    if not isinstance(base, type):
        return False
    if is_typeddict(base) or dataclasses.is_dataclass(base):
        return True
    from pydantic import BaseModel

    return issubclass(base, BaseModel)


_KINDS: Mapping[Any, tuple[type, ...]] = {  # Any: an annotation
    str: (str, bytes),
    int: (int,),
    float: (int, float),
    bool: (bool,),
    dict: (Mapping,),
    Mapping: (Mapping,),
    list: (list, tuple),
    Sequence: (list, tuple),
    NoneType: (NoneType,),
}


def _kinds(kind: Any) -> tuple[type, ...]:  # Any: an annotation
    """What an annotation allows at the top; empty where that is not known."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        parts = [_KINDS[part] if part is NoneType else _kinds(part) for part in get_args(kind)]
        return tuple(one for part in parts for one in part) if all(parts) else ()
    return _KINDS.get(origin or kind, ()) if kind is not NoneType else ()


class _ByKind(Declared):
    """An annotation that only says which kind of value comes back."""

    enforced = False

    def __init__(self, kinds: tuple[type, ...]) -> None:
        self.kinds = kinds
        names = {str: "string", bytes: "", int: "integer", float: "number", bool: "boolean"}
        names |= {list: "array", NoneType: "null", tuple: ""}
        words = dict.fromkeys(filter(None, (names.get(kind, "object") for kind in kinds)))
        self._described = " or ".join(words)
        fine = {one for one in PLAIN if issubclass(one, kinds)} - {type(None)}
        self.plain = frozenset(fine if bool in kinds else fine - {bool})

    def judge(self, payload: Payload) -> Fit:
        """A warning where the kind is another; text that holds it counts as it."""
        for value in (payload.value, payload.parsed):
            if isinstance(value, self.kinds) and (bool in self.kinds or type(value) is not bool):
                return Fit(value=payload.value)
        if payload.typed or payload.value is None:
            return Fit(value=payload.value)
        problem = f"The result is {json_type(payload.value)}, declared is {self._described}"
        issue = Issue(VIOLATION, "", problem, Severity.WARNING, expected=self._described)
        return Fit((issue,), payload.value)


class _ByType(Declared):
    """A type, judged by pydantic."""

    def __init__(self, kind: Any, tool: str) -> None:  # Any: a type
        from pydantic import PydanticUserError, TypeAdapter

        try:
            self._adapter: TypeAdapter[Any] = TypeAdapter(_modern(kind, {}))
        except (PydanticUserError, TypeError, NameError, RecursionError) as error:
            fault = f"returns={kind!r} is no type that pydantic can judge"
            raise ContractError(tool, [fault]) from error
        built = isinstance(kind, type) and _is_modelled(kind) and not is_typeddict(kind)
        self._own: type | None = kind if built else None

    @cached_property
    def _schema(self) -> Schema:
        try:
            return self._adapter.json_schema(mode="validation")
        except Exception:  # a type that cannot be published is judged all the same
            return {}

    def holds(self, value: object) -> bool:
        """Whether the author built the declared model or dataclass."""
        return self._own is not None and isinstance(value, self._own)

    def judge(self, payload: Payload) -> Fit:
        """Judged as values and, where that fails, as JSON: strict models take dates from JSON."""
        failed: ValidationError | None = None
        for given in _readings(payload):
            try:
                typed = self._typed(given)
            except ValidationError as error:
                failed = failed or error
            else:
                value = self._adapter.dump_python(typed, mode="json", warnings=False)
                return Fit(value=value, typed=typed)
        if payload.parsed is NOT_JSON or failed is None:
            return Fit(value=payload.value, text=True)
        return Fit(self._issues(failed, payload.parsed), payload.value)

    def _typed(self, given: Any) -> Any:  # Any: JSON value; the declared type
        try:
            return self._adapter.validate_python(given)
        except ValidationError:
            if isinstance(given, str | bytes):
                raise
            return self._adapter.validate_json(to_json(given, fallback=str))

    def _issues(self, error: ValidationError, given: Any) -> tuple[Issue, ...]:  # Any: JSON value
        from handrail.contract.pydantic_errors import explained_branches, issue_for, located

        schema = self._schema
        errors = explained_branches(located(error, given, schema), lambda _: False)[:_MAX_ISSUES]
        return tuple(_told(issue_for(path, detail, schema, given)) for path, detail in errors)


def _modern(kind: Any, made: dict[Any, Any]) -> Any:  # Any: types
    """The type with each `typing.TypedDict` in it as pydantic wants them before Python 3.12.

    A TypedDict that holds itself is left as it is: pydantic then says what to import.
    """
    if sys.version_info >= (3, 12):
        return kind
    if is_typeddict(kind) and type(kind).__module__ == "typing":
        if kind in made:
            return made[kind]
        made[kind] = kind
        import typing_extensions

        hints = get_type_hints(kind, include_extras=True)
        fields = {}
        for name, hint in hints.items():
            wrapper = Required if name in kind.__required_keys__ else NotRequired
            bare = get_args(hint)[0] if get_origin(hint) in (Required, NotRequired) else hint
            fields[name] = wrapper[_modern(bare, made)]
        build: Any = typing_extensions.TypedDict  # Any: a special form that can be called
        made[kind] = build(kind.__name__, fields)
        return made[kind]
    parts = get_args(kind)
    changed = tuple(_modern(part, made) for part in parts)
    if changed == parts or get_origin(kind) is Literal:
        return kind
    if get_origin(kind) in (Union, UnionType):
        return Union[changed]  # noqa: UP007  # made at run time
    return get_origin(kind)[changed]


class _BySchema(Declared):
    """A JSON Schema, judged by jsonschema-rs."""

    def __init__(self, schema: Schema, tool: str) -> None:
        from handrail.contract.schema_engine import compile_schema

        self._schema = dict(schema)
        try:
            self._validator = compile_schema(self._schema, tool)
        except ContractError as error:
            raise ContractError(tool, [f"returns: {fault}" for fault in error.faults]) from error

    def judge(self, payload: Payload) -> Fit:
        """Judged as JSON values; plain text fits where the schema allows a string."""
        for reading in _readings(payload):
            given = to_jsonable_python(reading, fallback=str)
            if self._validator.is_valid(given):
                return Fit(value=given, typed=given)
        if payload.parsed is NOT_JSON:
            return Fit(value=payload.value, text=True)
        from handrail.contract.translate import issues_of

        given = to_jsonable_python(payload.parsed, fallback=str)
        found = issues_of(self._validator.iter_errors(given), self._schema, given)
        return Fit(tuple(map(_told, found[:_MAX_ISSUES])), payload.value)


def _readings(payload: Payload) -> list[Any]:  # Any: JSON values
    """What a result may be taken for: the JSON that it holds, and then the text itself."""
    if payload.parsed is NOT_JSON:
        return [payload.value]
    return [payload.parsed] if payload.text is None else [payload.parsed, payload.text]


def _told(issue: Issue) -> Issue:
    """An issue of a result: the same place and words, without hints, which are for arguments."""
    return Issue(
        VIOLATION,
        issue.path,
        issue.message,
        slug=issue.slug,
        expected=issue.expected,
        actual=issue.actual,
    )
