"""JSON Schema errors in our words: one row for each keyword."""

from typing import Any

import pytest

from handrail.contract.issue import Issue
from handrail.contract.schema_engine import compile_schema
from handrail.contract.translate import MAX_ERRORS, issues_of, repeated_items


def told(field: dict[str, Any], value: Any, **more: Any) -> list[Issue]:
    """Issues for one field ``/f`` of an object schema."""
    schema = {"type": "object", "properties": {"f": field}, **more}
    arguments = {"f": value}
    return issues_of(compile_schema(schema).iter_errors(arguments), schema, arguments)


ROWS = [
    ({"type": "integer"}, "x", "VAL-002", "Type mismatch: expected integer, got string"),
    ({"type": "string"}, None, "VAL-002", "Type mismatch: expected string, got null"),
    ({"type": ["string", "null"]}, 1, "VAL-002",
     "Type mismatch: expected string or null, got integer"),
    ({"minimum": 1}, 0, "VAL-003", "Value out of range: must be >= 1"),
    ({"exclusiveMaximum": 5.0}, 5, "VAL-003", "Value out of range: must be < 5"),
    ({"multipleOf": 5}, 7, "VAL-003", "Value is not a multiple of 5"),
    ({"minProperties": 1}, {}, "VAL-003",
     "Value out of range: must have at least 1 fields, has 0"),
    ({"maxItems": 1}, [1, 2], "VAL-006", "Array length 2 exceeds maximum 1"),
    ({"minItems": 3}, [1, 2], "VAL-006", "Array length 2 is below minimum 3"),
    ({"prefixItems": [{}], "items": False}, [1, 2], "VAL-006",
     "Array length 2 exceeds maximum 1"),
    ({"pattern": "^a$"}, "b", "VAL-007", "Value doesn't match pattern: ^a$"),
    ({"enum": ["fast", "slow"]}, "x", "VAL-008",
     "Invalid enum value 'x' (allowed: fast, slow)"),
    ({"const": "fast"}, "x", "VAL-008", "Invalid enum value 'x' (allowed: fast)"),
    ({"anyOf": [{"const": "a"}, {"const": "b"}]}, "x", "VAL-008",
     "Invalid enum value 'x' (allowed: a, b)"),
    ({"maxLength": 2}, "abc", "VAL-009", "String length 3 exceeds maximum 2"),
    ({"minLength": 2}, "a", "VAL-009", "String length 1 is below minimum 2"),
    ({"format": "date"}, "soon", "VAL-010", "Invalid format: ISO 8601 date, e.g. 2026-05-03"),
    ({"uniqueItems": True}, [1, 2, 1.0], "VAL-012", "Items 0 and 2 are equal"),
    ({"not": {"type": "string"}}, "x", "VAL-015", "Value must not be string"),
    ({"contains": {"const": 1}}, [2], "VAL-015", "Array does not contain what it must: 1"),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "x", "VAL-002",
     "Type mismatch: expected integer or null, got string"),
    ({"oneOf": [{"type": "integer"}, {"minimum": 0}]}, 1, "VAL-015",
     "Value fits more than one of the allowed forms"),
    ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, {}, "VAL-013",
     "One of 'a', 'b' is required"),
]  # fmt: skip


@pytest.mark.parametrize(("field", "value", "code", "message"), ROWS)
def test_rows(field: dict[str, Any], value: Any, code: str, message: str) -> None:
    """Each keyword has its code, its message and the place of the value."""
    assert [(issue.code, issue.path, issue.message) for issue in told(field, value)] == [
        (code, "/f", message)
    ]


def test_missing_and_unknown_fields() -> None:
    """A missing field is told at its own place, with what to add."""
    field = {"required": ["a"], "properties": {"a": {"type": "string"}}}
    closed = {**field, "additionalProperties": False}
    assert sorted((i.code, i.path, i.hint) for i in told(closed, {"zz": 1})) == [
        ("VAL-001", "/f/a", "add /f/a (string)"),
        ("VAL-005", "/f/zz", "Remove /f/zz."),
    ]


def test_a_rename_replaces_two_hints() -> None:
    """A field under a slightly wrong name is one edit, not an addition and a removal."""
    field = {
        "required": ["file_path"],
        "properties": {"file_path": {"type": "string"}},
        "additionalProperties": False,
    }
    renamed = {issue.code: issue.hint for issue in told(field, {"fiel_path": "x"})}
    edit = "Rename /f/fiel_path to /f/file_path."
    assert renamed == {"VAL-001": edit, "VAL-005": edit}
    removed = {issue.code: issue.hint for issue in told(field, {"fiel_path": 5})}
    assert removed["VAL-005"] == "Remove /f/fiel_path."


def test_conditions_name_their_cause() -> None:
    """What is required only because of other values is VAL-013."""
    assert [
        (i.code, i.path, i.message)
        for i in told({"dependentRequired": {"card": ["cvc"]}}, {"card": 1})
    ] == [("VAL-013", "/f/cvc", "Field 'cvc' is required because 'card' is given")]
    assert [
        i.code for i in told({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"a": 1})
    ] == ["VAL-013"]


def test_a_wrong_type_hides_what_follows_from_it() -> None:
    """A number for a constant string is one issue."""
    assert [issue.code for issue in told({"type": "string", "const": "a"}, 5)] == ["VAL-002"]


def test_property_names() -> None:
    """A field name that the schema does not admit is told at that field."""
    issues = told({"propertyNames": {"pattern": "^[a-z]+$"}}, {"A": 1})
    assert [(issue.code, issue.path) for issue in issues] == [("VAL-007", "/f/A")]


def test_floods_are_bounded() -> None:
    """A hundred thousand errors are looked at a thousand times."""
    assert len(told({"items": {"type": "integer"}}, ["x"] * 100_000)) == MAX_ERRORS


def test_repeated_items_are_those_of_json() -> None:
    """1 and 1.0 are equal, true is not 1, objects are equal in any order."""
    assert repeated_items([1, True, "1"]) is None
    assert repeated_items([0, {"a": 1, "b": 2}, {"b": 2.0, "a": 1}]) == (1, 2)


def test_fields_with_numbers_for_names() -> None:
    """A field called ``1`` is found like any other, and its pointer is ``/f/1``."""
    field = {"additionalProperties": {"type": "integer"}, "properties": {"2": {"maximum": 1}}}
    assert sorted((issue.code, issue.path) for issue in told(field, {"1": "x", "2": 5})) == [
        ("VAL-002", "/f/1"),
        ("VAL-003", "/f/2"),
    ]
