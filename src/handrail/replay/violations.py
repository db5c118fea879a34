"""Which keyword of a JSON Schema a value breaks, and with what: the evidence for a widening.

A union is told by its branch that came closest, as the issues are; a value whose type no branch
takes breaks the union itself. Only what the judgement found is evidence: a model may take a text
for a number that its published schema would not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from handrail.contract.branches import closest, real_path
from handrail.contract.issue import join_pointer
from handrail.contract.schema_engine import compile_schema
from handrail.contract.words import Schema, json_type

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError, Validator

__all__ = ["Violation", "violations"]

_MOST = 200
_UNIONS = ("anyOf", "oneOf")


class Violation(NamedTuple):
    """One keyword that a value breaks.

    Attributes:
        node: Parts of the pointer of the schema that holds the keyword; references are followed.
        keyword: Its name.
        seen: What broke it: a value, a length, a JSON type, the name of a field.
        path: RFC 6901 pointer of what an issue would name.
    """

    node: tuple[str | int, ...]
    keyword: str
    seen: Any  # Any: JSON value
    path: str


def violations(
    schema: Schema,
    value: Any,  # Any: JSON value
    paths: Collection[str] | None = None,
) -> list[Violation]:
    """Everything that a value breaks.

    Args:
        schema: The JSON Schema; must not change afterwards.
        value: The value.
        paths: Pointers of the issues that were found: nothing else is told of. None is all.
    """
    try:
        errors = list(islice(_validator(_Same(schema)).iter_errors(value), _MOST))
    except Exception:  # a huge number, or a pattern beyond its limits
        return []
    found = [one for error in errors for one in _of(error, value)]
    return [one for one in found if paths is None or one.path in paths]


class _Same:
    """A schema, known by its identity: it keeps the schema alive as long as its validator."""

    __slots__ = ("schema",)

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.schema is self.schema

    def __hash__(self) -> int:
        return id(self.schema)


@lru_cache(maxsize=1024)
def _validator(same: _Same) -> Validator:
    return compile_schema(same.schema)


def _of(error: ValidationError, value: Any) -> Iterator[Violation]:  # Any: JSON value
    where = tuple(error.schema_path)
    at = real_path(error.instance_path, value)
    node, keyword = where[:-1], str(error.kind.name)
    path = join_pointer(at)
    context = getattr(error.kind, "context", None)
    if context is not None and keyword in _UNIONS:
        yield from _union(context, error, node, value)
        return
    item = _item(value, at)
    match keyword:
        case "required":
            name = error.kind.value
            yield Violation(node, keyword, name, f"{path}{join_pointer([name])}")
        case "additionalProperties":
            for name in error.kind.value:
                seen = [name, json_type(_item(item, (name,)))]
                yield Violation(node, keyword, seen, f"{path}{join_pointer([name])}")
        case "type":
            yield Violation(node, keyword, json_type(item), path)
        case (
            "minItems" | "maxItems" | "minLength" | "maxLength" | "minProperties" | "maxProperties"
        ):
            yield Violation(node, keyword, len(item), path)
        case _:
            yield Violation(node, keyword, item, path)


def _union(
    context: Sequence[Sequence[ValidationError]],
    error: ValidationError,
    node: tuple[str | int, ...],
    value: Any,  # Any: JSON value
) -> Iterator[Violation]:
    at = tuple(error.instance_path)
    best = closest(context, at)
    if best.errors:
        yield from _each(best.errors, value)
    else:
        item = _item(value, real_path(at, value))
        yield Violation(node, str(error.kind.name), json_type(item), join_pointer(at))


def _each(errors: Iterable[ValidationError], value: Any) -> Iterator[Violation]:  # Any: JSON value
    for error in errors:
        yield from _of(error, value)


def _item(value: Any, at: Iterable[str | int]) -> Any:  # Any: JSON value
    for part in at:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return None
    return value
