"""Any JSON Schema, any instance: a verdict always, and the one that jsonschema-rs gives.

The documented differences are kept out of the way: no schema names a ``format`` (there pydantic's
reading wins, see `test_formats`), and instances are objects within the limits of a call, without
placeholders and invented ids.
"""

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

from any_schema import OBJECTS, Schema, schemas
from handrail import Severity, Tool, Toolbox, ToolCall


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
