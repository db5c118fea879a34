"""JSON Schema errors -> Issues, by walking the schema and the arguments as sent.

One place for both engines, so that the same mistake has the same code, words and hint whoever
found it. jsonschema-rs names the keyword, the place in the schema and the place in the
arguments; everything else (what was expected, what would repair it) is read from those two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from handrail.contract.branches import Path, closest, real_path
from handrail.contract.canonical import canonical
from handrail.contract.explain import Spot, enum_issue, required_issue, type_issue, unknown_issues
from handrail.contract.formats import describe_format
from handrail.contract.issue import Issue, Suggestion, join_pointer
from handrail.contract.preview import word
from handrail.contract.words import (
    Schema,
    describe,
    json_type,
    number,
    resolve,
    shown_path,
    subschema,
    types_of,
)

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

__all__ = ["MAX_ERRORS", "issues_of", "repeated_items", "told", "told_once"]

MAX_ERRORS = 1000
"""Errors looked at; more of them say nothing new to a model."""


def issues_of(
    errors: Iterable[ValidationError],
    root: Schema,
    arguments: Any,  # Any: JSON value
    told: dict[Path, str] | None = None,
) -> list[Issue]:
    """Issues for what jsonschema-rs found, each place told once, in the order found.

    Args:
        errors: As found.
        root: The whole schema.
        arguments: The arguments as sent.
        told: Kept by the engine from call to call; see `Spot`.
    """
    found: list[Issue] = []
    for error in islice(errors, MAX_ERRORS):
        found.extend(_one(error, root, arguments, told))
    return told_once(found)


def told_once(found: Sequence[Issue]) -> list[Issue]:
    """A wrong type hides what else is wrong at its place; a rename is the hint of two fields."""
    wrong = {issue.path for issue in found if issue.code == "VAL-002"}
    renamed = {
        op["path"]: issue.hint
        for issue in found
        if issue.suggestion is not None
        for op in issue.suggestion.ops
        if op["op"] == "move"
    }
    kept: dict[tuple[str, str, str], Issue] = {}
    for issue in found:
        if issue.path in wrong and issue.code != "VAL-002":
            continue
        if issue.code == "VAL-001" and issue.path in renamed:
            issue = issue.replace(hint=renamed[issue.path])
        kept.setdefault((issue.code, issue.path, issue.message), issue)
    return list(kept.values())


def _one(
    error: ValidationError,
    root: Schema,
    arguments: Any,  # Any: JSON value
    told: dict[Path, str] | None,
) -> Iterator[Issue]:
    path = real_path(error.instance_path, arguments)
    where = tuple(error.schema_path)
    spot = Spot(root, arguments, path, subschema(root, where[:-1]), where, told)
    context = getattr(error.kind, "context", None)
    if context is not None:
        yield from _union(spot, context, tuple(error.instance_path))
        return
    teller = _TELLERS.get(error.kind.name)
    yield from teller(spot, error) if teller else _unlisted(spot, error)


class _Kind(NamedTuple):
    """A broken keyword, named as jsonschema-rs names it."""

    name: str
    value: Any  # Any: JSON value


class _Failed(NamedTuple):
    """A failure that somebody else found."""

    kind: _Kind


class _Failure(Protocol):
    """As much of a failure as its words depend on."""

    @property
    def kind(self) -> Any:  # Any: jsonschema-rs has a class for each keyword
        """The keyword and what it states."""


def told(spot: Spot, keyword: str, stated: Any) -> list[Issue]:  # Any: JSON value
    """The issues for one broken keyword at a place, whoever found it."""
    return list(_TELLERS[keyword](spot, _Failed(_Kind(keyword, stated))))


def _union(spot: Spot, context: Sequence[Sequence[ValidationError]], raw: Path) -> Iterator[Issue]:
    if any(not branch for branch in context):
        yield _semantic(spot, "Value fits more than one of the allowed forms", "fit exactly one")
        return
    names = _alternatives(spot, context)
    if names is not None:
        yield _one_required(spot, names)
        return
    stated = spot.schema.get("discriminator")
    name = stated.get("propertyName") if isinstance(stated, Mapping) else None
    choice = closest(context, raw, name)
    if choice.tag is not None:
        place = real_path(choice.tag, spot.arguments)
        tagged = Spot(spot.root, spot.arguments, place, {}, spot.where)
        yield enum_issue(tagged, choice.options)
    elif choice.errors:
        for error in choice.errors:
            yield from _one(error, spot.root, spot.arguments, spot.told)
    else:
        yield type_issue(spot)


def _alternatives(spot: Spot, context: Sequence[Sequence[ValidationError]]) -> list[str] | None:
    """Names, when each branch asks for nothing but fields that are absent."""
    names: list[str] = []
    for index, branch in enumerate(context):
        if "properties" in subschema(spot.root, (*spot.where, index)):
            return None
        for error in branch:
            if tuple(error.schema_path) != (*spot.where, index, "required"):
                return None
            names.append(str(error.kind.value))
    return list(dict.fromkeys(names)) if len(names) > 1 else None


def _one_required(spot: Spot, names: Sequence[str]) -> Issue:
    shown = ", ".join(f"'{word(name)}'" for name in names[:10])
    paths = " or ".join(shown_path((*spot.path, name)) for name in names[:3])
    return Issue.of(
        "VAL-013",
        join_pointer(spot.path),
        problem=f"One of {shown} is required",
        hint=f"add {paths}",
    )


def _type(spot: Spot, error: _Failure) -> Iterator[Issue]:
    yield type_issue(spot)


def _required(spot: Spot, error: _Failure) -> Iterator[Issue]:
    name = str(error.kind.value)
    yield required_issue(spot, name, spot.where[-1] == "required" and not _conditional(spot))


def _conditional(spot: Spot) -> bool:
    return bool({"then", "else", "dependentSchemas", "dependencies"} & set(spot.where))


def _bound(spot: Spot, error: _Failure) -> Iterator[Issue]:
    sign = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}[
        error.kind.name
    ]
    limit = f"{sign} {number(error.kind.value)}"
    yield Issue.of(
        "VAL-003",
        join_pointer(spot.path),
        constraint=f"must be {limit}",
        expected=spot.stated(),
        actual=spot.preview(),
        hint=f"set {shown_path(spot.path)} to a value {limit}",
    )


def _multiple(spot: Spot, error: _Failure) -> Iterator[Issue]:
    step = number(error.kind.value)
    yield Issue(
        "VAL-003",
        join_pointer(spot.path),
        f"Value is not a multiple of {step}",
        expected=spot.stated(),
        actual=spot.preview(),
        hint=f"set {shown_path(spot.path)} to a multiple of {step}",
    )


def _fields_count(spot: Spot, error: _Failure) -> Iterator[Issue]:
    low = error.kind.name == "minProperties"
    limit = f"at {'least' if low else 'most'} {error.kind.value} fields"
    yield Issue.of(
        "VAL-003",
        join_pointer(spot.path),
        constraint=f"must have {limit}, has {len(spot.value)}",
        expected=f"object with {limit}",
        hint=f"give {shown_path(spot.path)} {limit}",
    )


def _unknown(spot: Spot, error: _Failure) -> Iterator[Issue]:
    yield from unknown_issues(spot, [str(name) for name in error.kind.value])


def _false(spot: Spot, error: _Failure) -> Iterator[Issue]:
    *parent, last = spot.path or ("",)
    if isinstance(last, int):
        yield _items(spot.moved(tuple(parent)), "maxItems", last)
    elif spot.path:
        owner = subschema(spot.root, spot.where[:-2])
        yield from unknown_issues(spot.moved(tuple(parent), owner), [last])
    else:
        yield _semantic(spot, "No value is allowed", "leave it out")


def _length(spot: Spot, error: _Failure) -> Iterator[Issue]:
    size, limit, path = len(spot.value), error.kind.value, shown_path(spot.path)
    if error.kind.name == "maxLength":
        bound, hint = f"exceeds maximum {limit}", f"shorten {path} to at most {limit} characters"
    else:
        bound, hint = f"is below minimum {limit}", f"give {path} at least {limit} characters"
    yield Issue.of(
        "VAL-009",
        join_pointer(spot.path),
        length=size,
        bound=bound,
        expected=spot.stated(),
        actual=spot.preview(),
        hint=hint.replace("1 characters", "1 character") if limit == 1 else hint,
    )


def _count(spot: Spot, error: _Failure) -> Iterator[Issue]:
    yield _items(spot, error.kind.name, int(error.kind.value))


def _surplus(spot: Spot, error: _Failure) -> Iterator[Issue]:
    limit = error.kind.value
    first = limit if isinstance(limit, int) else min(limit, default=0)
    yield _items(spot, "maxItems", first)


def _items(spot: Spot, keyword: str, limit: int) -> Issue:
    low = keyword == "minItems"
    bound = f"is below minimum {limit}" if low else f"exceeds maximum {limit}"
    plural = "item" if limit == 1 else "items"
    return Issue.of(
        "VAL-006",
        join_pointer(spot.path),
        length=len(spot.value),
        bound=bound,
        expected=f"array with at {'least' if low else 'most'} {limit} {plural}",
        actual=spot.preview(),
        hint=f"send at {'least' if low else 'most'} {limit} {plural} in {shown_path(spot.path)}",
    )


def _pattern(spot: Spot, error: _Failure) -> Iterator[Issue]:
    pattern = word(error.kind.value)
    yield Issue.of(
        "VAL-007",
        join_pointer(spot.path),
        pattern=pattern,
        expected=spot.stated(),
        actual=spot.preview(),
        hint=f"give {shown_path(spot.path)} a value that matches {pattern}",
    )


def _enum(spot: Spot, error: _Failure) -> Iterator[Issue]:
    kind = error.kind
    options = list(kind.value) if kind.name == "enum" else [kind.value]
    given = json_type(spot.value)
    kinds = {json_type(option) for option in options}
    if given not in kinds and not (given == "integer" and "number" in kinds):
        yield type_issue(spot, types_of({"enum": options}, {}))
    else:
        yield enum_issue(spot, options)


def _format(spot: Spot, error: _Failure) -> Iterator[Issue]:
    name = str(error.kind.value)
    known = describe_format(name)
    words = known.words if known else word(name, 40)
    example = known.example if known else "a valid value"
    yield Issue.of(
        "VAL-010",
        join_pointer(spot.path),
        format=words,
        example=example,
        expected=words,
        actual=spot.preview(),
        hint=f"send {shown_path(spot.path)} as {words}, e.g. {example}",
    )


def _unique(spot: Spot, error: _Failure) -> Iterator[Issue]:
    first, second = repeated_items(spot.value) or (0, 1)
    again = (*spot.path, second)
    yield Issue.of(
        "VAL-012",
        join_pointer(spot.path),
        first=first,
        second=second,
        expected="array of different items",
        actual=spot.preview(),
        hint=f"Remove {shown_path(again)}.",
        suggestion=Suggestion(({"op": "remove", "path": join_pointer(again)},)),
    )


def repeated_items(items: Sequence[Any]) -> tuple[int, int] | None:  # Any: JSON values
    """Positions of the first two equal items; ``1`` and ``1.0`` are equal, ``1`` and true not."""
    seen: dict[bytes, int] = {}
    for index, item in enumerate(items):
        key = canonical(item)
        if key in seen:
            return seen[key], index
        seen[key] = index
    return None


def _property_name(spot: Spot, error: _Failure) -> Iterator[Issue]:
    inner = error.kind.error  # only on propertyNames
    name = str(inner.instance)
    schema = resolve(subschema(spot.root, spot.where[:-1]), spot.root)
    stated = describe(schema, spot.root)
    code = {"enum": "VAL-008", "const": "VAL-008", "pattern": "VAL-007"}.get(inner.kind.name)
    path = join_pointer((*spot.path, name))
    if code == "VAL-008":
        options = inner.kind.value if inner.kind.name == "enum" else [inner.kind.value]
        yield enum_issue(Spot(spot.root, name, (), {}, spot.where), options).replace(
            path=path, hint=None, suggestion=None
        )
    else:
        yield Issue(
            code or "VAL-005",
            path,
            f"Field name '{word(name)}' is not allowed",
            expected=f"field name: {stated}",
        )


def _not(spot: Spot, error: _Failure) -> Iterator[Issue]:
    barred = describe(spot.schema.get("not", {}), spot.root)
    problem = "Value is not allowed" if barred == "any value" else f"Value must not be {barred}"
    yield _semantic(spot, problem, None)


def _contains(spot: Spot, error: _Failure) -> Iterator[Issue]:
    item = describe(spot.schema.get("contains", {}), spot.root)
    yield _semantic(spot, f"Array does not contain what it must: {item}", f"add {item} to it")


def _unlisted(spot: Spot, error: _Failure) -> Iterator[Issue]:
    yield _semantic(spot, f"Value breaks the rule '{word(error.kind.name, 40)}'", None)


def _semantic(spot: Spot, problem: str, hint: str | None) -> Issue:
    stated = spot.stated()
    return Issue.of(
        "VAL-015",
        join_pointer(spot.path),
        problem=problem,
        expected=None if stated == "any value" else stated,
        actual=spot.preview(),
        hint=f"change {shown_path(spot.path)}: {hint}" if hint else None,
    )


_TELLERS: Mapping[str, Callable[[Spot, _Failure], Iterator[Issue]]] = {
    "type": _type,
    "required": _required,
    "minimum": _bound,
    "maximum": _bound,
    "exclusiveMinimum": _bound,
    "exclusiveMaximum": _bound,
    "multipleOf": _multiple,
    "minProperties": _fields_count,
    "maxProperties": _fields_count,
    "additionalProperties": _unknown,
    "unevaluatedProperties": _unknown,
    "falseSchema": _false,
    "minLength": _length,
    "maxLength": _length,
    "minItems": _count,
    "maxItems": _count,
    "additionalItems": _surplus,
    "unevaluatedItems": _surplus,
    "pattern": _pattern,
    "enum": _enum,
    "const": _enum,
    "format": _format,
    "contentEncoding": _format,
    "contentMediaType": _format,
    "uniqueItems": _unique,
    "propertyNames": _property_name,
    "not": _not,
    "contains": _contains,
}
