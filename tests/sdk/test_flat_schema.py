"""What authors write as params -> a full JSON Schema."""

from typing import Any

import pytest

from handrail.errors import ContractError
from handrail.sdk.flat_schema import full_schema

FULL = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


def test_full_schema_stays_as_it_is() -> None:
    """Whatever marks it as one."""
    by_reference = {"$ref": "#/$defs/a", "$defs": {"a": FULL}}
    assert full_schema(FULL, "t", needed=[]) == FULL
    assert full_schema(by_reference, "t", needed=[]) == by_reference
    assert full_schema({"properties": {"a": {}}}, "t", needed=[]) == {"properties": {"a": {}}}


def test_flat_fields_become_an_object() -> None:
    """Closed, and with what the handler cannot do without."""
    flat = {"to": {"type": "string", "description": "Whom"}, "n": {"type": "integer"}}
    assert full_schema(flat, "t", needed=["to"]) == {
        "type": "object",
        "properties": flat,
        "required": ["to"],
        "additionalProperties": False,
    }


def test_handler_that_takes_anything_needs_every_field() -> None:
    """Unless the field says otherwise; further fields are allowed."""
    flat = {"a": {"type": "string"}, "b": {"type": "string", "default": ""},
            "c": {"type": "string", "required": False}}  # fmt: skip
    made = full_schema(flat, "t", needed=None)
    assert made["required"] == ["a"]
    assert "additionalProperties" not in made
    assert made["properties"]["c"] == {"type": "string"}


@pytest.mark.parametrize(
    ("stated", "expected"),
    [("str", "string"), ("int", "integer"), ("float", "number"), ("bool", "boolean"),
     ("list", "array"), ("dict", "object"), ("string", "string"), (int, "integer")],
)  # fmt: skip
def test_words_of_python_are_types(stated: Any, expected: str) -> None:
    """Under ``type``, and alone."""
    made = full_schema({"a": {"type": stated}}, "t", needed=None)
    assert made["properties"]["a"] == {"type": expected}
    if isinstance(stated, str):
        assert full_schema({"a": stated}, "t", needed=None)["properties"]["a"] == {"type": expected}


def test_fields_may_be_called_like_words_of_json_schema() -> None:
    """A field named ``properties`` or ``type``."""
    flat = {"properties": {"type": "string"}, "type": {"type": "string"}}
    assert set(full_schema(flat, "t", needed=None)["properties"]) == {"properties", "type"}


def test_required_list_of_a_nested_object_stays() -> None:
    """It is JSON Schema's own there."""
    inner = {"type": "object", "properties": {"x": {}}, "required": ["x"]}
    assert full_schema({"a": inner}, "t", needed=None)["properties"]["a"] == inner


def test_what_is_no_schema_is_refused() -> None:
    """Every field that is not described, at once."""
    with pytest.raises(ContractError) as raised:
        full_schema({"a": 3, "b": ["string"], "c": "str"}, "t", needed=None)
    assert len(raised.value.faults) == 2
