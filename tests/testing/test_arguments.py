"""Generated arguments are valid, and those that were spoiled mostly are not."""

import jsonschema_rs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from any_schema import Schema, schemas
from handrail.testing.arguments import spoiled, valid

RICH: Schema = {
    "type": "object",
    "$defs": {"T": {"type": "object", "properties": {"up": {"$ref": "#/$defs/T"}}}},
    "properties": {
        "s": {"type": "string", "minLength": 2, "maxLength": 4},
        "p": {"type": "string", "pattern": "^O-[0-9]{3}$"},
        "d": {"type": "string", "format": "date"},
        "i": {"type": "integer", "exclusiveMinimum": 3, "maximum": 12, "multipleOf": 4},
        "n": {"type": ["number", "null"], "minimum": 0},
        "l": {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "uniqueItems": True},
        "t": {"type": "array", "prefixItems": [{"const": 1}], "items": {"type": "boolean"}},
        "u": {"oneOf": [{"type": "boolean"}, {"$ref": "#/$defs/T"}]},
        "m": {"type": "object", "additionalProperties": {"type": "integer"}},
        "a": {"allOf": [{"properties": {"x": {"type": "null"}}}, {"required": ["x"]}]},
    },
    "required": ["s", "p", "d", "i", "l", "u", "a"],
    "additionalProperties": False,
}
JUDGE = jsonschema_rs.validator_for(RICH, validate_formats=True)


@given(valid(RICH))
@settings(max_examples=60)
def test_valid_arguments_are_valid(value: object) -> None:
    """For every kind of schema that authors write."""
    assert JUDGE.is_valid(value)


@given(st.data(), schemas())
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_any_schema_has_valid_arguments_or_none(data: st.DataObject, schema: Schema) -> None:
    """A strange schema gives few or none, and never wrong ones."""
    value = data.draw(valid(schema) | st.none())
    assert value is None or jsonschema_rs.validator_for(schema).is_valid(value)


def test_spoiled_arguments_are_wrong_in_many_ways() -> None:
    """A field is missing, unknown, or of another kind."""
    codes: set[str] = set()

    @given(spoiled(RICH))
    @settings(max_examples=100, derandomize=True, database=None)
    def gather(value: object) -> None:
        codes.update(error.kind.name for error in JUDGE.iter_errors(value))

    gather()
    assert codes >= {"required", "additionalProperties", "type"}
