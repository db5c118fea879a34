"""Plain mistakes at plain places, explained without asking the schema engine.

Most failing calls fail plainly: a field is missing, a number is out of range, a value has another
type or is not in a list. For these pydantic's own error names the place, and one look at the
published schema of that place says the rest. So for each place and kind of error a *teller* is
made once; later only the value is looked at. A teller proves that the schema refuses the value
there, for the one reason that it tells; where it cannot (unions, several rules at one place, a
schema that says something else than pydantic does), it stands aside, and the whole call is
explained the long way.

The law: what the short way says is what the long way says, issue by issue. It is a property test.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from handrail.contract.branches import Path
from handrail.contract.explain import Spot, option_issue, required_issue, type_issue, unknown_issues
from handrail.contract.formats import CHECKS
from handrail.contract.issue import Issue
from handrail.contract.preview import preview
from handrail.contract.reading import Explained
from handrail.contract.translate import told, told_once
from handrail.contract.words import Schema, field_name, json_type, subschema, types_of

__all__ = ["Shortcut"]

Teller = Callable[[Any, Any], Issue | None]  # Any: JSON values: the one at the place, and all

_MOST_ERRORS = 50
"""A call with more is explained the long way, which groups and counts."""

_MOST_TELLERS = 4_096
"""Places and kinds that are remembered; arguments may be as deep and long as they like."""

_NOTES = frozenset(
    {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"}
    | {"$comment", "$schema", "$id", "$defs", "definitions"}
)
"""Keywords that say nothing about which values are valid."""

_OBJECT = frozenset({"type", "properties", "required", "additionalProperties"})
_ARRAY = frozenset({"type", "items"})
_LOWER = {"greater_than": "exclusiveMinimum", "greater_than_equal": "minimum"}
_UPPER = {"less_than": "exclusiveMaximum", "less_than_equal": "maximum"}
_LENGTHS = {"string_too_short": "minLength", "string_too_long": "maxLength"}
_BOUNDS = frozenset({"type", *_LOWER.values(), *_UPPER.values()})
_FIRM = frozenset({"missing", "extra_forbidden", "string_pattern_mismatch"}) | {
    *_LOWER,
    *_UPPER,
    *_LENGTHS,
}
"""Errors that no laxer reading of the same text takes away."""


class Shortcut:
    """The tellers of one published schema.

    Args:
        root: The schema.
    """

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._tellers: dict[tuple[Path, str], Teller | None] = {}

    def explain(
        self, error: ValidationError, arguments: Mapping[str, Any]
    ) -> Explained | None:  # Any: JSON values
        """Everything wrong with arguments that pydantic refused; None if it takes the long way."""
        if error.error_count() > _MOST_ERRORS:
            return None
        issues: list[Issue] = []
        unknown: dict[Path, list[str]] = {}
        firm = False
        for detail in error.errors(include_url=False):
            loc, kind = detail["loc"], detail["type"]
            firm = firm or kind in _FIRM
            if kind == "extra_forbidden":
                unknown.setdefault(loc[:-1], []).append(str(loc[-1]))
                continue
            issue = self._told(loc, kind, arguments)
            if issue is None:
                return None
            issues.append(issue)
        for owner, names in unknown.items():
            found = self._unknown(owner, names, arguments)
            if found is None:
                return None
            issues += found
        return Explained(told_once(issues) if unknown else issues, firm)

    def _told(self, loc: Path, kind: str, arguments: Any) -> Issue | None:  # Any: JSON value
        key = (loc, kind)
        teller = self._tellers.get(key)
        if teller is None:
            if key in self._tellers or len(self._tellers) >= _MOST_TELLERS:
                return None
            teller = self._tellers[key] = self._teller(loc, kind)
            if teller is None:
                return None
        at = arguments
        try:
            for part in loc[:-1] if kind == "missing" else loc:
                at = at[part]
        except (KeyError, IndexError, TypeError):
            return None
        return teller(at, arguments)

    def _teller(self, loc: Path, kind: str) -> Teller | None:
        """The teller of a kind of error at a place; None if that place or kind is not plain."""
        if kind == "missing":
            owner = self._object_at(loc[:-1])
            return _missing(self._root, loc, owner) if owner is not None and loc else None
        node = self._node(loc)
        if node is None:
            return None
        if kind in ("enum", "literal_error"):
            return _listed(self._root, loc, _inner(node, self._root))
        if kind.endswith("_type") or kind == "int_from_float":
            return _typed(self._root, loc, node)
        return _limited(self._root, loc, _inner(node, self._root), kind)

    def _unknown(
        self, owner: Path, names: Sequence[str], arguments: Any
    ) -> list[Issue] | None:  # Any: JSON value
        schema = self._object_at(owner)
        if schema is None or schema.get("additionalProperties") is not False:
            return None
        at = arguments
        try:
            for part in owner:
                at = at[part]
            if not all(name in at and name not in schema.get("properties", {}) for name in names):
                return None
        except (KeyError, IndexError, TypeError):
            return None
        return unknown_issues(Spot(self._root, arguments, owner, schema, ()), names)

    def _object_at(self, path: Path) -> Schema | None:
        """The schema of an object of which nothing but fields is said."""
        node = self._node(path)
        schema = _inner(node, self._root) if node is not None else None
        if schema is None or schema.get("type") != "object":
            return None
        return schema if _only(schema, _OBJECT) else None

    def _node(self, path: Path) -> Schema | None:
        """The schema of a place, if there is just one; with its ``null`` branch, if it has one."""
        node: Schema | None = _followed(self._root, self._root)
        for part in path:
            schema = _inner(node, self._root) if node is not None else None
            node = None if schema is None else _child(schema, part, self._root)
        return node


def _only(schema: Schema, allowed: frozenset[str]) -> bool:
    return all(key in allowed or key in _NOTES for key in schema)


def _followed(schema: Any, root: Schema) -> Schema | None:  # Any: JSON Schema, or true and false
    """The schema with its reference followed; None if more stands beside the reference."""
    for _ in range(8):
        if not isinstance(schema, Mapping):
            return None
        reference = schema.get("$ref")
        if reference is None:
            return schema
        if not isinstance(reference, str) or not _only(schema, frozenset({"$ref"})):
            return None
        if not reference.startswith("#/") or "~" in reference:
            return None
        schema = subschema(root, reference[2:].split("/"))
    return None


def _inner(node: Schema, root: Schema) -> Schema | None:
    """The schema of the values that are not null."""
    branches = node.get("anyOf")
    if branches is None:
        return node
    if not _only(node, frozenset({"anyOf"})) or len(branches) != 2:
        return None
    others = [branch for branch in branches if branch != {"type": "null"}]
    inner = _followed(others[0], root) if len(others) == 1 else None
    return inner if inner is not None and "anyOf" not in inner else None


def _child(schema: Schema, part: str | int, root: Schema) -> Schema | None:
    if isinstance(part, str):
        if schema.get("type") != "object" or not _only(schema, _OBJECT):
            return None
        fields = schema.get("properties", {})
        return _followed(fields.get(part, schema.get("additionalProperties")), root)
    if schema.get("type") != "array" or not _only(schema, _ARRAY):
        return None
    return _followed(schema.get("items"), root)


def _spot(root: Schema, arguments: Any, path: Path, schema: Schema) -> Spot:  # Any: JSON value
    return Spot(root, arguments, path, schema, ())


def _missing(root: Schema, path: Path, owner: Schema) -> Teller | None:
    *parent, name = path
    if name not in owner.get("required", ()):
        return None
    issue = required_issue(_spot(root, None, tuple(parent), owner), str(name), True)

    def tell(at: Any, arguments: Any) -> Issue | None:  # Any: JSON values
        return issue if isinstance(at, dict) and name not in at else None

    return tell


def _typed(root: Schema, path: Path, node: Schema) -> Teller | None:
    inner = _inner(node, root)
    if inner is None or not isinstance(inner.get("type"), str):
        return None
    if not {"allOf", "oneOf", "not", "if", "$ref", "const"}.isdisjoint(inner):
        return None
    kinds = frozenset(types_of(node, root))
    if "enum" in inner and types_of({"enum": inner["enum"]}, root) != (inner["type"],):
        return None
    known: dict[str, Issue] = {}
    field = field_name(path)

    def tell(at: Any, arguments: Any) -> Issue | None:  # Any: JSON values
        given = json_type(at)
        if at is None or given in kinds or (given == "integer" and "number" in kinds):
            return None
        if given == "string" and at.lstrip()[:1] in ("[", "{"):
            return type_issue(_spot(root, arguments, path, node))
        issue = known.get(given)
        if issue is None:
            issue = known[given] = type_issue(_spot(root, arguments, path, node))
            return issue
        return issue.with_actual(preview(at, field=field))

    return tell


def _listed(root: Schema, path: Path, inner: Schema | None) -> Teller | None:
    if inner is None or not _only(inner, frozenset({"type", "enum", "const"})):
        return None
    options = inner.get("enum", [inner.get("const")])
    if ("enum" in inner) == ("const" in inner) or not options:
        return None
    if not all(isinstance(option, str) for option in options):
        return None
    if inner.get("type", "string") != "string":
        return None
    field = field_name(path)

    def tell(at: Any, arguments: Any) -> Issue | None:  # Any: JSON values
        if not isinstance(at, str) or at in options:
            return None
        return option_issue(path, at, options, field)

    return tell


def _limited(root: Schema, path: Path, inner: Schema | None, kind: str) -> Teller | None:
    """Of an error of which only the value differs from call to call."""
    limit = _limit(inner, kind) if inner is not None else None
    if inner is None or limit is None:
        return None
    keyword, breaks = limit
    known: list[Issue] = []
    field = field_name(path)

    def tell(at: Any, arguments: Any) -> Issue | None:  # Any: JSON values
        if not breaks(at):
            return None
        if keyword in ("minLength", "maxLength") or not known:
            found = told(_spot(root, arguments, path, inner), keyword, inner[keyword])
            known[:] = found
            return found[0] if len(found) == 1 else None
        return known[0].with_actual(preview(at, field=field))

    return tell


def _limit(inner: Schema, kind: str) -> tuple[str, Callable[[Any], bool]] | None:  # Any: JSON value
    """The one keyword that such an error breaks, and whether a value breaks it and no other."""
    keys = {key for key in inner if key not in _NOTES}
    if kind in _LOWER or kind in _UPPER:
        keyword = _LOWER.get(kind) or _UPPER[kind]
        return (keyword, _bounds(inner, keyword)) if keyword in keys and keys <= _BOUNDS else None
    if kind in _LENGTHS:
        keyword = _LENGTHS[kind]
        plain = keyword in keys and keys <= {"type", "minLength", "maxLength"}
        return (keyword, _lengths(inner, keyword)) if plain else None
    if kind == "string_pattern_mismatch":
        return ("pattern", _is_text) if keys == {"type", "pattern"} else None
    check = CHECKS.get(str(inner.get("format")))
    if check is not None and keys == {"type", "format"} and "_parsing" in kind:
        return "format", lambda at: isinstance(at, str) and not check(at)
    return None


def _is_text(at: Any) -> bool:  # Any: JSON value
    return isinstance(at, str)


def _bounds(inner: Schema, keyword: str) -> Callable[[Any], bool]:  # Any: JSON value
    """Whether a number breaks the bound of the keyword, and only that."""
    tests: Mapping[str, Callable[[Any, Any], bool]] = {  # Any: numbers
        "minimum": operator.lt,
        "exclusiveMinimum": operator.le,
        "maximum": operator.gt,
        "exclusiveMaximum": operator.ge,
    }
    stated = [(tests[key], inner[key]) for key in tests if key in inner and key != keyword]
    broken, limit = tests[keyword], inner[keyword]

    def breaks(at: Any) -> bool:  # Any: JSON value
        if (type(at) is not int and type(at) is not float) or not broken(at, limit):
            return False
        return not [other for other, bound in stated if other(at, bound)]

    return breaks


def _lengths(inner: Schema, keyword: str) -> Callable[[Any], bool]:  # Any: JSON value
    low, high = inner.get("minLength", 0), inner.get("maxLength", float("inf"))

    def breaks(at: Any) -> bool:  # Any: JSON value
        if not isinstance(at, str) or low <= len(at) <= high:
            return False
        short = bool(len(at) < low)
        return short == (keyword == "minLength") and bool(low <= high)

    return breaks
