"""The four issues that a model meets most, with the edit that repairs each.

Wrong type, missing field, unknown field and a value outside its list: here the hints are exact
edits wherever the contract alone determines them, because small models follow an edit better
than an explanation. A value that the redactor would touch is never part of an edit.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from handrail.contract.formats import describe_format
from handrail.contract.issue import CODES, Issue, Severity, Suggestion, join_pointer
from handrail.contract.pointer import safe_word
from handrail.contract.preview import preview, word, would_redact
from handrail.contract.similarity import similarities
from handrail.contract.words import (
    Schema,
    by_rank,
    describe,
    field_name,
    json_type,
    listed,
    quoted,
    ranked,
    resolve,
    shown_path,
    subschema,
    types_of,
    unquoted,
)

__all__ = [
    "Spot",
    "enum_issue",
    "field_names",
    "option_issue",
    "property_names",
    "required_issue",
    "type_issue",
    "unknown_issues",
]

_NEAR = 0.75
"""Likeness from which a listed value is offered as the one meant."""

_NEAR_NAME = 0.8
"""Likeness from which an absent field is offered as the one meant."""

_MAX_ABSENT = 200
"""Absent fields that an unknown one is compared with."""

_MAX_PARSED = 100_000
"""Characters of a string that are tried as JSON to word a hint."""

_MAX_TOLD = 2_000
"""Places of one schema whose words are kept; one that refers to itself has no end of them."""

_ARTICLES = {"array": "an array", "object": "an object", "integer": "an integer"}


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where schema and arguments disagree.

    Attributes:
        root: The whole schema.
        arguments: The whole arguments as sent.
        path: Place in the arguments.
        schema: The schema that holds at the place.
        where: Place of the failed keyword in the schema.
        told: What schemas ask for, in words, by the place of the keyword; kept by an engine.
    """

    root: Schema
    arguments: Any  # Any: JSON value
    path: tuple[str | int, ...]
    schema: Schema
    where: tuple[str | int, ...]
    told: dict[tuple[str | int, ...], str] | None = None

    @property
    def value(self) -> Any:  # Any: JSON value
        """What was sent at the place."""
        at = self.arguments
        for part in self.path:
            at = at[part]
        return at

    def preview(self) -> str:
        """What was sent, sanitised."""
        return preview(self.value, field=field_name(self.path))

    def stated(self) -> str:
        """What the schema asks for, in words."""
        if self.told is None:
            return describe(self.schema, self.root)
        text = self.told.get(self.where)
        if text is None:
            text = describe(self.schema, self.root)
            if len(self.told) < _MAX_TOLD:
                self.told[self.where] = text
        return text

    def moved(self, path: tuple[str | int, ...], schema: Schema | None = None) -> "Spot":
        """The same failure told at another place."""
        new = self.schema if schema is None else schema
        return Spot(self.root, self.arguments, path, new, self.where)

    def owner(self) -> Schema:
        """The schema of the object that the place is a field of; empty when unknown."""
        for index in range(len(self.where) - 1, 0, -1):
            named = self.where[index - 1] == "properties"
            if named and self.path and str(self.where[index]) == str(self.path[-1]):
                return subschema(self.root, self.where[: index - 1])
        return {}


def type_issue(spot: Spot, kinds: Sequence[str] = ()) -> Issue:
    """VAL-002: another JSON type than the schema admits, null included."""
    names = tuple(kinds) or types_of(spot.schema, spot.root)
    value = spot.value
    given = json_type(value)
    stated = spot.stated()
    wanted = _either(names) or stated
    hint, edit = _type_hint(spot, names, wanted)
    message = CODES["VAL-002"].message.format(expected=wanted, actual=given)
    return Issue(
        "VAL-002",
        join_pointer(spot.path),
        message,
        expected=wanted if stated == "any value" else stated,
        actual=preview(value, field=field_name(spot.path)),
        hint=hint,
        suggestion=edit,
    )


def _type_hint(spot: Spot, names: Sequence[str], wanted: str) -> tuple[str, Suggestion | None]:
    value, path = spot.value, shown_path(spot.path)
    if isinstance(value, str) and (parsed := _as_json(value, names)) is not None:
        hint = f"Send {path} as {_ARTICLES[json_type(parsed)]}, not as a string."
        if would_redact(parsed, field=field_name(spot.path)):
            return hint, None
        return hint, Suggestion(
            ({"op": "replace", "path": join_pointer(spot.path), "value": parsed},)
        )
    owner = spot.owner() if value is None else {}
    if owner and spot.path and spot.path[-1] not in owner.get("required", ()):
        return f"Remove {path}.", Suggestion(({"op": "remove", "path": join_pointer(spot.path)},))
    return f"send {path} as {wanted}", None


def _as_json(text: str, names: Sequence[str]) -> Any:  # Any: JSON value
    """The array or object inside a string where one was wanted, else None."""
    first = text.lstrip()[:1]
    wanted = {"[": "array", "{": "object"}.get(first)
    if wanted is None or wanted not in names or len(text) > _MAX_PARSED:
        return None
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return parsed if json_type(parsed) == wanted else None


def _either(names: Sequence[str]) -> str:
    return " or ".join(word(name, 40) for name in names)


def required_issue(spot: Spot, name: str, plain: bool) -> Issue:
    """VAL-001, or VAL-013 when another field is what makes this one required."""
    field = _property(spot.schema, name, spot.root)
    path = (*spot.path, name)
    expected = describe(field, spot.root)
    hint = f"add {shown_path(path)} ({_asked(field, spot.root)})"
    if plain:
        return Issue.of(
            "VAL-001", join_pointer(path), field=word(name), expected=expected, hint=hint
        )
    cause = _cause(spot, name)
    because = f" because '{word(cause)}' is given" if cause else " with these values"
    return Issue.of(
        "VAL-013",
        join_pointer(path),
        problem=f"Field '{word(name)}' is required{because}",
        expected=expected,
        hint=hint,
    )


def _cause(spot: Spot, name: str) -> str | None:
    rules = spot.schema.get("dependentRequired") or spot.schema.get("dependencies")
    given = spot.value
    if isinstance(rules, Mapping) and isinstance(given, Mapping):
        for cause, needed in rules.items():
            if cause in given and isinstance(needed, Sequence) and name in needed:
                return str(cause)
    return None


def _asked(field: Schema, root: Schema) -> str:
    field = resolve(field, root)
    known = describe_format(str(field.get("format", "")))
    if known:
        return f"{known.words}, e.g. {known.example}"
    if "enum" in field or "const" in field:
        return describe(field, root)
    return _either(types_of(field, root)) or describe(field, root)


def _property(schema: Schema, name: str, root: Schema, depth: int = 4) -> Schema:
    schema = resolve(schema, root)
    found = schema.get("properties", {}).get(name)
    if isinstance(found, Mapping):
        return found
    for part in schema.get("allOf", ()) if depth > 0 else ():
        if field := _property(part, name, root, depth - 1):
            return field
    return {}


def property_names(schema: Schema, root: Schema, depth: int = 4) -> list[str]:
    """Names that a schema states for an object's fields, those of ``allOf`` and unions too."""
    schema = resolve(schema, root)
    names = [
        str(name) for name, field in schema.get("properties", {}).items() if field is not False
    ]
    if depth > 0:
        for keyword in ("allOf", "anyOf", "oneOf"):
            for part in schema.get(keyword, ()):
                names.extend(property_names(part, root, depth - 1))
    return list(dict.fromkeys(names))


def field_names(schema: Schema) -> set[str]:
    """Names of all properties in a schema, nested ones and definitions included."""
    names: set[str] = set()
    waiting: list[Any] = [schema]  # Any: JSON values
    while waiting:
        at = waiting.pop()
        if isinstance(at, Mapping):
            properties = at.get("properties")
            if isinstance(properties, Mapping):
                names.update(properties)
            waiting.extend(at.values())
        elif isinstance(at, list):
            waiting.extend(at)
    return names


def unknown_issues(
    spot: Spot, names: Sequence[str], severity: Severity = Severity.ERROR
) -> list[Issue]:
    """VAL-005 for each field that the object must not have."""
    known = property_names(spot.schema, spot.root)
    given = spot.value if isinstance(spot.value, Mapping) else {}
    absent = [name for name in known if name not in given]
    meant = {name: _meant(spot, name, absent) for name in names}
    issues = []
    for name in names:
        target = meant[name]
        if target is not None and list(meant.values()).count(target) > 1:
            target = None
        issues.append(_unknown_issue(spot, name, known, target, severity))
    return issues


def _unknown_issue(
    spot: Spot, name: str, known: Sequence[str], target: str | None, severity: Severity
) -> Issue:
    path = (*spot.path, name)
    here = join_pointer(path)
    ops: dict[str, Any]  # Any: JSON Patch
    if target is not None:
        new = (*spot.path, target)
        hint = f"Rename {shown_path(path)} to {shown_path(new)}."
        ops = {"op": "move", "from": here, "path": join_pointer(new)}
    else:
        hint = f"Remove {shown_path(path)}."
        ops = {"op": "remove", "path": here}
    allowed = listed(known, name) or "none"
    return Issue.of(
        "VAL-005",
        here,
        severity=severity,
        field=word(name),
        allowed=allowed,
        expected=f"one of the fields: {allowed}" if known else "no such field",
        actual=preview(spot.value[name], field=field_name(path)),
        hint=hint,
        suggestion=Suggestion((ops,)),
    )


def _meant(spot: Spot, name: str, absent: Sequence[str]) -> str | None:
    """The one absent field that a name stands for, by case, separators or a slip."""
    absent = absent[:_MAX_ABSENT]
    near = sorted(zip(similarities(name, absent), absent, strict=True), reverse=True)
    if not near or near[0][0] < _NEAR_NAME:
        return None
    if len(near) > 1 and near[1][0] == near[0][0]:
        return None
    best = near[0][1]
    kinds = types_of(_property(spot.schema, best, spot.root), spot.root)
    given = json_type(spot.value[name])
    plausible = not kinds or given in kinds or (given == "integer" and "number" in kinds)
    return best if plausible else None


def enum_issue(spot: Spot, options: Sequence[Any]) -> Issue:  # Any: JSON values
    """VAL-008: not one of the listed values."""
    value, field = spot.value, field_name(spot.path)
    return option_issue(spot.path, value, options, field)


def option_issue(
    place: tuple[str | int, ...], value: Any, options: Sequence[Any], field: str | None
) -> Issue:  # Any: JSON values
    """The same for a value at a place, under the name that says whether it is secret."""
    ranks = ranked(value, options)
    shown = safe_word(listed(by_rank(options, ranks)), 400)
    near = _nearest_option(value, options, ranks)
    path, pointer = shown_path(place), join_pointer(place)
    actual = preview(value, field=field)
    edit = None
    if near is not None:
        hint = f"Set {path} to {preview(near)}."
        if not would_redact(near, field=field):
            ops = {"op": "replace", "path": pointer, "value": near}
            edit = Suggestion((ops,))
    else:
        hint = f"set {path} to one of: {shown}" if len(options) > 1 else f"set {path} to {shown}"
    return Issue.of(
        "VAL-008",
        pointer,
        value=unquoted(actual) if len(actual) < 60 else quoted(value, field),
        allowed=shown,
        expected=f"one of: {shown}",
        actual=actual,
        hint=hint,
        suggestion=edit,
    )


def _nearest_option(value: object, options: Sequence[Any], ranks: Sequence[float]) -> Any:
    # Any: JSON values
    """The one option that a string is a slip of, else None."""
    if not isinstance(value, str) or max(ranks, default=0.0) < _NEAR:
        return None
    texts = [
        (rank, option)
        for rank, option in zip(ranks, options, strict=False)
        if isinstance(option, str)
    ]
    texts.sort(reverse=True)
    if not texts or texts[0][0] < _NEAR or (len(texts) > 1 and texts[1][0] == texts[0][0]):
        return None
    return texts[0][1]
