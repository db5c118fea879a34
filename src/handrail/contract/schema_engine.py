"""The engine for tools known by JSON Schema alone (MCP, OpenAPI): jsonschema-rs decides.

A foreign schema that does not say whether further fields are allowed stays open: unknown fields
are warnings. Draft-07 and later are honoured by ``$schema``. A remote ``$ref`` is never fetched.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from copy import deepcopy
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from handrail.contract.canonical import normalise
from handrail.contract.explain import Spot, property_names, unknown_issues
from handrail.contract.formats import CHECKS
from handrail.contract.issue import Issue, Severity, join_pointer
from handrail.contract.reading import LaxReading, Rejected
from handrail.contract.translate import issues_of
from handrail.contract.words import Schema, resolve
from handrail.errors import ContractError

if TYPE_CHECKING:
    import jsonschema_rs

__all__ = [
    "CHECK_VALUES",
    "INTEGRAL",
    "SchemaEngine",
    "compile_schema",
    "require_object",
    "unjudged",
]

CHECK_VALUES = "check every value against its description and send them again"
"""What to do when nobody can say which value is wrong."""

INTEGRAL = re.compile(r"\d(?:\.0|[eE])")
"""What any text with an integral float matches; some others do too."""

_OLD_DRAFTS = ("draft-03", "draft-04", "draft-06")
_MAX_DEPTH = 64


def compile_schema(schema: Schema, tool: str = "") -> jsonschema_rs.Validator:
    """A validator for a JSON Schema, with pydantic's reading of formats.

    Raises:
        ContractError: It is no JSON Schema, or names something that is not in it.
    """
    import jsonschema_rs  # late: it brings email and socket with it

    stated = schema.get("$schema")
    if isinstance(stated, str) and any(draft in stated for draft in _OLD_DRAFTS):
        raise ContractError(tool, [f"$schema {stated!r} is older than draft-07"])
    try:
        return jsonschema_rs.validator_for(
            dict(schema), formats=dict(CHECKS), validate_formats=True, offline=True
        )
    except jsonschema_rs.ValidationError as error:
        raise ContractError(tool, [_fault(error)]) from error
    except (jsonschema_rs.ReferencingError, ValueError, TypeError, RecursionError) as error:
        raise ContractError(tool, [f"not a JSON Schema: {error}"]) from error


def _fault(error: jsonschema_rs.ValidationError) -> str:
    place = join_pointer(error.instance_path)
    return f"not a JSON Schema: {error.message}" + (f", at {place}" if place else "")


def require_object(schema: Schema, tool: str) -> None:
    """Raise ContractError unless the root of a schema is an object."""
    if not _is_object(schema, schema, 8):
        stated = resolve(schema, schema).get("type")
        raise ContractError(
            tool, [f"the root of the schema must be an object, not {stated or 'just anything'!r}"]
        )


def _is_object(schema: Any, root: Schema, depth: int) -> bool:  # Any: JSON Schema
    schema = resolve(schema, root)
    if "type" in schema:
        return schema["type"] in ("object", ["object"])
    if "properties" in schema or not schema:
        return True
    for keyword in ("anyOf", "oneOf"):
        if branches := schema.get(keyword):
            return depth > 0 and all(_is_object(branch, root, depth - 1) for branch in branches)
    if parts := schema.get("allOf"):
        return depth > 0 and any(_is_object(part, root, depth - 1) for part in parts)
    return not {"const", "enum", "items", "pattern", "minimum", "maximum", "$ref"} & set(schema)


class SchemaEngine:
    """Judges by one JSON Schema.

    Args:
        schema: JSON Schema of the arguments; copied.
        closed: True refuses unknown top-level fields where the schema is silent; False or None
            keeps it open, with warnings.
        tool: Name for errors.

    Raises:
        ContractError: The schema cannot be used; every fault is listed.
    """

    states_lax = False
    _closed_here = False

    def __init__(self, schema: Schema, *, closed: bool | None = None, tool: str = "") -> None:
        if not isinstance(schema, Mapping):
            raise ContractError(tool, ["the schema must be a JSON object"])
        own = deepcopy(dict(schema))
        if closed and "additionalProperties" not in own and "unevaluatedProperties" not in own:
            own["additionalProperties"] = False
            self._closed_here = True
        self._validator = compile_schema(own, tool)
        require_object(own, tool)
        self.schema: Schema = own
        self._told: dict[tuple[str | int, ...], str] = {}

    def accept(self, text: str, *, exact: bool = False) -> Any:  # Any: a JSON object
        """The arguments as parsed; integral floats are integers."""
        value = from_json(text)
        self._judge(value)
        return normalise(value) if INTEGRAL.search(text) else value

    def prepare(self, value: Mapping[str, Any]) -> Any:  # Any: JSON values
        """The same for a value."""
        self._judge(value)
        return normalise(value)

    def _judge(self, value: Any) -> None:  # Any: JSON value
        try:
            fits = self._validator.is_valid(value)
        except Exception as fault:  # a huge number, or a pattern beyond its limits
            raise Rejected(fault=fault) from fault
        if not fits:
            raise Rejected

    def explain(
        self, text: str, value: Mapping[str, Any], rejected: Rejected
    ) -> list[Issue]:  # Any: JSON values
        """Everything wrong, in the order of the schema."""
        try:
            found = issues_of(self._validator.iter_errors(value), self.schema, value, self._told)
        except Exception:  # as in `prepare`
            found = []
        return found or [unjudged()]

    def is_firm(self, value: Mapping[str, Any], rejected: Rejected) -> bool:  # Any: JSON values
        """True: a JSON Schema has no lax reading."""
        return True

    def unknown(self, value: Mapping[str, Any]) -> list[Issue]:  # Any: JSON values
        """A warning for each field that the open schema does not name, nested ones too."""
        if not self._opened or (self._flat and value.keys() <= self._names):
            return []
        found: list[Issue] = []
        _walk_unknown(value, self.schema, self.schema, value, (), found)
        return found

    def droppable(
        self, value: Mapping[str, Any], unknown: Collection[str]
    ) -> frozenset[str]:  # Any: JSON values
        """Fields at the top, if it was not the schema that closed it."""
        return frozenset(at for at in unknown if self._closed_here and at.count("/") == 1)

    def lax(self, value: dict[str, Any]) -> LaxReading | None:  # Any: JSON values
        """None: a JSON Schema has no lax reading."""
        return None

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(property_names(self.schema, self.schema))

    @cached_property
    def _opened(self) -> bool:
        """Whether any object of the schema is silent about further fields."""
        return _any_open(self.schema)

    @cached_property
    def _flat(self) -> bool:
        fields = resolve(self.schema, self.schema).get("properties", {}).values()
        return all(_is_leaf(field) for field in fields)


def _any_open(schema: Any) -> bool:  # Any: JSON value
    if isinstance(schema, Mapping):
        if isinstance(schema.get("properties"), Mapping) and not _says_more(schema):
            return True
        return any(_any_open(part) for part in schema.values())
    return isinstance(schema, list) and any(_any_open(part) for part in schema)


def _is_leaf(field: Any) -> bool:  # Any: JSON Schema
    """Whether a field cannot hold an object with named fields."""
    if not isinstance(field, Mapping):
        return True
    if {"$ref", "properties", "anyOf", "oneOf", "allOf"} & set(field):
        return False
    return _is_leaf(field.get("items"))


def unjudged() -> Issue:
    """The safe verdict when arguments could not be judged at all; says nothing of the cause."""
    problem = "The arguments could not be checked, so the call was not made"
    return Issue.of("VAL-015", problem=problem, hint=CHECK_VALUES)


def _walk_unknown(
    value: Any,
    schema: Any,
    root: Schema,
    arguments: Any,
    path: tuple[str | int, ...],
    found: list[Issue],
) -> None:  # Any: JSON values
    if len(path) > _MAX_DEPTH:
        return
    schema = resolve(schema, root)
    if isinstance(value, Mapping):
        fields = schema.get("properties")
        if not isinstance(fields, Mapping):
            return
        if not _says_more(schema):
            names = [name for name in value if name not in fields]
            if names:
                spot = Spot(root, arguments, path, schema, ())
                found.extend(unknown_issues(spot, names, Severity.WARNING))
        for name, item in value.items():
            if name in fields:
                _walk_unknown(item, fields[name], root, arguments, (*path, name), found)
    elif isinstance(value, list) and isinstance(schema.get("items"), Mapping):
        for index, item in enumerate(value):
            _walk_unknown(item, schema["items"], root, arguments, (*path, index), found)


_SAYS_MORE = frozenset(
    {"additionalProperties", "unevaluatedProperties", "patternProperties", "allOf", "anyOf"}
    | {"oneOf", "if", "dependentSchemas", "dependencies", "not"}
)


def _says_more(schema: Schema) -> bool:
    """Whether more than ``properties`` decides which fields there are."""
    return not _SAYS_MORE.isdisjoint(schema)
