"""Any JSON Schema, any instance: a verdict always, and the one that jsonschema-rs gives.

The documented differences are kept out of the way: no schema names a ``format`` (there pydantic's
reading wins, see `test_formats`), and instances are objects within the limits of a call, without
placeholders and invented ids.
"""

import json
from collections.abc import Callable
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

from handrail import Severity, Tool, Toolbox, ToolCall

Schema = dict[str, Any] | bool  # Any: JSON Schema
Schemas = st.SearchStrategy[Schema]

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="<>_-"), max_size=4)
NAMES = st.sampled_from(["a", "b", "c", "ä", "a/b", "~", "", "0", "$ref", "properties"])
NUMBERS = st.integers(-100, 100) | st.sampled_from([0.5, 1.0, -2.0, 1e3, 2.5, 1e300])
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)
SIZES = st.integers(0, 3)
PATTERNS = st.sampled_from(["^a", "b$", "[0-9]+", "^$", ".", "(a|ä)b?", "\\d", "^\\w*$", "\\p{L}"])
KINDS = st.sampled_from(["object", "array", "string", "integer", "number", "boolean", "null"])

KEYWORDS: dict[str, Callable[[Schemas], st.SearchStrategy[Any]]] = {  # Any: JSON values
    "type": lambda _: KINDS | st.lists(KINDS, min_size=1, max_size=3, unique=True),
    "enum": lambda _: st.lists(VALUES, min_size=1, max_size=4),
    "const": lambda _: VALUES,
    "minimum": lambda _: NUMBERS,
    "exclusiveMaximum": lambda _: NUMBERS,
    "multipleOf": lambda _: st.sampled_from([1, 2, 3, 0.5, 10]),
    "minLength": lambda _: SIZES,
    "maxLength": lambda _: SIZES,
    "pattern": lambda _: PATTERNS,
    "items": lambda inner: inner,
    "prefixItems": lambda inner: st.lists(inner, min_size=1, max_size=2),
    "minItems": lambda _: SIZES,
    "maxItems": lambda _: SIZES,
    "uniqueItems": lambda _: st.booleans(),
    "contains": lambda inner: inner,
    "properties": lambda inner: st.dictionaries(NAMES, inner, max_size=3),
    "patternProperties": lambda inner: st.dictionaries(PATTERNS, inner, max_size=2),
    "additionalProperties": lambda inner: inner,
    "unevaluatedProperties": lambda inner: inner,
    "propertyNames": lambda inner: inner,
    "required": lambda _: st.lists(NAMES, max_size=2, unique=True),
    "dependentRequired": lambda _: st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True)),
    "dependentSchemas": lambda inner: st.dictionaries(NAMES, inner, max_size=2),
    "minProperties": lambda _: SIZES,
    "maxProperties": lambda _: SIZES,
    "anyOf": lambda inner: st.lists(inner, min_size=1, max_size=3),
    "oneOf": lambda inner: st.lists(inner, min_size=1, max_size=3),
    "allOf": lambda inner: st.lists(inner, min_size=1, max_size=2),
    "not": lambda inner: inner,
    "if": lambda inner: inner,
    "then": lambda inner: inner,
    "else": lambda inner: inner,
    "$ref": lambda _: st.sampled_from(["#/$defs/x", "#/$defs/loop", "#"]),
    "description": lambda _: TEXTS,
    "default": lambda _: VALUES,
}


@st.composite
def parts(draw: st.DrawFn, depth: int = 2) -> Schema:
    """A few keywords side by side, sensible together or not."""
    if depth == 0:
        return draw(st.booleans() | st.fixed_dictionaries({"type": KINDS}))
    inner = parts(depth - 1)
    chosen = draw(st.lists(st.sampled_from(sorted(KEYWORDS)), max_size=4, unique=True))
    return {name: draw(KEYWORDS[name](inner)) for name in chosen}


@st.composite
def schemas(draw: st.DrawFn) -> dict[str, Any]:  # Any: JSON Schema
    """A schema of arguments: an object of some fields, with more keywords around them."""
    root = draw(parts(2))
    fields = draw(st.dictionaries(NAMES, parts(2), max_size=3))
    defs = {"x": draw(parts(1)), "loop": {"anyOf": [draw(parts(1)), {"$ref": "#/$defs/loop"}]}}
    around = root if isinstance(root, dict) else {}
    return {**around, "type": "object", "properties": fields, "$defs": defs}


def verdict_of(schema: dict[str, Any], value: dict[str, Any]) -> bool:  # Any: JSON values
    """Whether the call may run; whatever is wrong is said with code, place and message."""
    tool = Tool.from_json_schema("tool", "Does things.", schema, mend="off")
    judgement = Toolbox([tool]).check(ToolCall("c", "tool", json.dumps(value)))
    errors = [issue for issue in judgement.issues if issue.severity is Severity.ERROR]
    assert judgement.ok is (not errors)
    assert all(issue.message and issue.code.startswith("VAL-") for issue in errors)
    return judgement.ok


@given(schemas(), st.lists(OBJECTS, min_size=1, max_size=4))
@settings(max_examples=100)
def test_the_verdict_is_that_of_the_validator(
    schema: dict[str, Any],
    values: list[dict[str, Any]],  # Any: JSON values
) -> None:
    """For arguments that know nothing of the schema."""
    own = jsonschema_rs.validator_for(schema)
    for value in values:
        assert verdict_of(schema, value) is own.is_valid(value)


SENSIBLE: list[Schema] = [
    {"type": "integer", "minimum": 1, "multipleOf": 3},
    {"enum": ["x", 1, None, True, [1]]},
    {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 1},
    {"type": "array", "items": {"enum": [1, "b", None]}, "maxItems": 3},
    {"oneOf": [{"type": "string", "minLength": 2}, {"type": "number"}]},
    {"anyOf": [{"type": "null"}, {"type": "string", "pattern": "^[a-c]+$"}]},
    {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
]
MADE = {at: from_schema(schema) for at, schema in enumerate(SENSIBLE)}


@given(st.data(), st.sampled_from(sorted(MADE)), st.sampled_from(sorted(MADE)))
@settings(max_examples=100)
def test_what_fits_is_accepted(data: st.DataObject, made: int, asked: int) -> None:
    """For a value made from one field's schema and asked of the same, or of another."""
    value = data.draw(MADE[made])
    fields = {"a": SENSIBLE[asked], "b": {"items": {"$ref": "#/properties/a"}}}
    schema = {"type": "object", "properties": fields, "required": ["a"]}
    own = jsonschema_rs.validator_for(schema).is_valid({"a": value, "b": [value]})
    assert verdict_of(schema, {"a": value, "b": [value]}) is own
    assert own or made != asked


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"format": "date-time"}, "2026-05-03T00:00:00", True),
        ({"format": "uuid"}, "1b4e28ba2fa141d2883f0016d3cca427", True),
        ({"type": "string"}, "<ORDER_ID>", False),
    ],
)
def test_documented_differences(schema: dict[str, Any], value: object, expected: bool) -> None:
    """Pydantic's reading of formats, and the screen for placeholders."""  # Any: JSON Schema
    whole = {"type": "object", "properties": {"a": schema}}
    own = jsonschema_rs.validator_for(whole, validate_formats=True).is_valid({"a": value})
    assert (verdict_of(whole, {"a": value}), own) == (expected, not expected)


@pytest.mark.fuzz
@given(schemas(), st.lists(OBJECTS, min_size=1, max_size=4))
@settings(max_examples=20_000)
def test_the_verdict_is_that_of_the_validator_for_long(
    schema: dict[str, Any],
    values: list[dict[str, Any]],  # Any: JSON values
) -> None:
    """As above, with many more examples."""
    own = jsonschema_rs.validator_for(schema)
    for value in values:
        assert verdict_of(schema, value) is own.is_valid(value)
