"""A schema in words."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.words import (
    describe,
    field_name,
    json_type,
    listed,
    nearest,
    resolve,
    shown_path,
    similar,
    subschema,
    types_of,
)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "any value"),
        (True, "any value"),
        ({"type": "string"}, "string"),
        ({"type": "string", "maxLength": 1048576}, "string with max length 1048576"),
        ({"type": "string", "minLength": 1, "maxLength": 3}, "string with length 1 to 3"),
        ({"type": "string", "pattern": "^a+$"}, "string with pattern ^a+$"),
        ({"type": "integer", "minimum": 1}, "integer >= 1"),
        ({"type": "number", "exclusiveMinimum": 0, "maximum": 1.5}, "number > 0 and <= 1.5"),
        ({"type": "integer", "multipleOf": 5}, "integer a multiple of 5"),
        ({"enum": ["utf-8", "ascii", None, 3]}, "one of: utf-8, ascii, null, 3"),
        ({"const": "x"}, "x"),
        ({"type": "array", "items": {"type": "string"}}, "array of string"),
        ({"type": "array", "maxItems": 3}, "array with at most 3 items"),
        ({"type": "string", "format": "date-time"}, "ISO 8601 date-time"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer or null"),
        ({"type": ["string", "null"]}, "string or null"),
        ({"properties": {"a": {}}}, "object"),
        ({"$ref": "#/$defs/n"}, "integer >= 2"),
        ({"allOf": [{"$ref": "#/$defs/n"}]}, "integer >= 2"),
    ],
)
def test_describe(schema: Any, words: str) -> None:
    """What is expected, in the words of the contract."""
    assert describe(schema, {"$defs": {"n": {"type": "integer", "minimum": 2}}}) == words


@given(st.text(), st.text())
def test_similar_is_a_likeness(one: str, other: str) -> None:
    """From 0 to 1, and 1 for the same word in another case or with other separators."""
    assert 0 <= similar(one, other) <= 1
    assert similar("customerId", "customer-ID") == 1
    assert similar("abc", "xyz") == 0


def test_nearest_come_first_and_the_rest_are_counted() -> None:
    """At most ten options are shown."""
    assert nearest("utf8", ["ascii", "utf-16", "utf-8"]) == ["utf-8", "utf-16", "ascii"]
    assert listed(range(12)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more"


def test_references_that_lead_nowhere_say_nothing() -> None:
    """Circles, missing targets and remote references end."""
    root = {"$defs": {"a": {"$ref": "#/$defs/a"}}, "allOf": [{"type": "object"}]}
    assert resolve({"$ref": "#/$defs/a"}, root) == {}
    assert resolve({"$ref": "#/$defs/b"}, root) == {}
    assert resolve({"$ref": "https://example.com"}, root) == {"$ref": "https://example.com"}
    assert subschema(root, ["allOf", 0]) == {"type": "object"}
    assert subschema(root, ["allOf", 7]) == {}


def test_types() -> None:
    """JSON types of values and of schemas."""
    values = [None, True, 1, 1.0, 1.5, "x", [], {}]
    assert [json_type(value) for value in values] == [
        "null",
        "boolean",
        "integer",
        "integer",
        "number",
        "string",
        "array",
        "object",
    ]
    assert types_of({"anyOf": [{"const": 1}, {"enum": ["a", None]}]}, {}) == (
        "integer",
        "string",
        "null",
    )
    assert types_of({"anyOf": [{"type": "string"}, {}]}, {}) == ()


def test_the_name_that_decides_on_secrecy() -> None:
    """A secret name anywhere on the way, or else the last name."""
    assert field_name(("items", 0, "qty", 1)) == "qty"
    assert field_name(("password", "value", 0)) == "password"
    assert field_name((0,)) is None
    assert shown_path(()) == "(root)"
    assert "\n" not in shown_path(("a\nb",))
