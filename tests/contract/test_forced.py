"""Nulls that a strict form forces are taken out again, and no others."""

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.forced import admits_null, without_forced

SCHEMA: dict[str, Any] = {
    "$defs": {
        "P": {"properties": {"x": {"type": "integer"}, "y": {"type": ["integer", "null"]}}},
        "a/b~c": {"type": "string"},
    },
    "properties": {
        "q": {"type": "string"},
        "page": {"type": "integer"},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "points": {"type": "array", "items": {"$ref": "#/$defs/P"}},
        "any": {},
        "shape": {
            "anyOf": [
                {"properties": {"r": {"type": "number"}, "k": {"const": 1}}, "required": ["r"]},
                {"properties": {"w": {"type": "number"}}},
            ]
        },
        "either": {
            "anyOf": [
                {"properties": {"r": {"type": "number"}, "k": {"const": 1}}, "required": ["r"]},
                {"properties": {"r": {"type": "number"}}},
            ]
        },
        "whole": {
            "oneOf": [
                {"properties": {"r": {"type": "number"}}, "required": ["r"]},
                {"properties": {"r": {"type": "number"}, "k": {"const": 1}}},
            ]
        },
        "parts": {"allOf": [True, {"properties": {"r": {"type": "number"}}}]},
        "beside": {"$ref": "#/$defs/a~1b~0c", "properties": {"r": {"type": "number"}}},
        "free": True,
    },
    "required": ["q"],
}


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"q": "a", "page": None}, {"q": "a"}),
        ({"q": None}, {"q": None}),
        ({"q": "a", "note": None, "any": None}, {"q": "a", "note": None, "any": None}),
        ({"points": [{"x": None, "y": None}]}, {"points": [{"y": None}]}),
        ({"shape": {"r": None, "k": None}}, {"shape": {"r": None}}),
        ({"shape": {"w": None}}, {"shape": {}}),
        ({"shape": {"k": None}}, {"shape": {}}),
        ({"either": {"r": None}}, {"either": {}}),
        ({"either": {"r": None, "k": None}}, {"either": {"r": None}}),
        ({"whole": {"r": None}}, {"whole": {"r": None}}),
        ({"whole": {"r": 1, "k": None}}, {"whole": {"r": 1}}),
        ({"parts": {"r": None}}, {"parts": {}}),
        ({"beside": {"r": None}}, {"beside": {}}),
        ({"free": {"r": None}}, {"free": {"r": None}}),
        ({"unknown": None, "points": None}, {"unknown": None}),
        ({"points": ["x", [None]]}, {"points": ["x", [None]]}),
    ],
)
def test_a_null(sent: Any, expected: Any) -> None:
    """Goes where the field may be left out and null is not valid."""
    before = repr(sent)
    assert without_forced(sent, SCHEMA) == expected
    assert repr(sent) == before


def test_nothing_to_do_costs_no_copy() -> None:
    """The same object comes back."""
    sent = {"q": "a", "points": [{"x": 1}]}
    assert without_forced(sent, SCHEMA) is sent


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (True, True), (False, False), ({}, True), ({"type": "null"}, True),
        ({"enum": [1, None]}, True), ({"enum": [1]}, False), ({"const": None}, True),
        ({"const": 0}, False), ({"not": {"type": "null"}}, False), ({"oneOf": [{}, {}]}, False),
        ({"allOf": [{}, {"type": "string"}]}, False), ({"$ref": "#/properties/q"}, False),
        ({"if": {"type": "null"}, "then": False}, False), ({"minLength": 3}, True),
        ({"if": {"type": "null"}, "else": False}, True),
        ({"if": {"const": 1}, "then": False}, True),
        ({"if": {"const": 1}, "else": False}, False), ({"type": ["string", "null"]}, True),
        ({"type": "null", "enum": [1]}, False), ({"type": "string", "enum": [None]}, False),
        ({"anyOf": [False, {"const": 1}]}, False), ({"anyOf": [False, {}]}, True),
        ({"oneOf": [False, {}]}, True), ({"oneOf": [False, False]}, False),
        ({"not": {"const": 1}}, True), ({"$ref": "#/properties/note"}, True),
        ({"$ref": "#/properties/q", "type": "null"}, False), ({"$ref": "x/properties/q"}, True),
        ({"$ref": "#/$defs/a~1b~0c"}, False),
    ],
)  # fmt: skip
def test_what_admits_null(schema: Any, expected: bool) -> None:
    """As a validator would say."""
    assert admits_null(schema, SCHEMA) is expected


LEAVES = st.booleans() | st.sampled_from(
    [
        {}, {"type": "null"}, {"type": "string"}, {"type": ["integer", "null"]}, {"const": None},
        {"const": 0}, {"enum": [1]}, {"enum": [None, 1]}, {"minimum": 3}, {"required": ["a"]},
        {"$ref": "#/$defs/none"}, {"$ref": "#/$defs/text"},
    ]
)  # fmt: skip


def joined(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    words: dict[str, st.SearchStrategy[Any]] = dict.fromkeys(("anyOf", "oneOf", "allOf"), several)
    words |= dict.fromkeys(("not", "if", "then", "else", "items"), inner)
    return st.fixed_dictionaries({}, optional=words)


@given(st.recursive(LEAVES, joined, max_leaves=8))
def test_law_of_null(schema: Any) -> None:
    """The validator that judges says the same of every schema."""
    root = {"$defs": {"none": {"type": "null"}, "text": {"type": "string"}}, "allOf": [schema]}
    validator = jsonschema_rs.Draft202012Validator(root)
    assert admits_null(schema, root) is validator.is_valid(None)


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf", "allOf"])
def test_a_reference_to_itself(keyword: str) -> None:
    """Says nothing of null; each target is followed once, however often it is referred to."""
    again = {"$ref": "#/$defs/x"}
    schema = {"$defs": {"x": {keyword: [again] * 9}}, "properties": {"a": again}}
    assert admits_null(again, schema) is (keyword != "oneOf")
    assert without_forced({"a": {"b": 1}}, schema) == {"a": {"b": 1}}


def test_references_that_double() -> None:
    """Thirty levels, each of which refers to the next one twice."""
    levels = {f"x{n}": {"allOf": [{"$ref": f"#/$defs/x{n + 1}"}] * 2} for n in range(30)}
    schema = {"$defs": {**levels, "x30": {"type": "null"}}}
    assert admits_null({"$ref": "#/$defs/x0"}, schema)


def nested(levels: int, key: str | None) -> Any:
    """A null inside so many objects or arrays."""
    value: Any = {"k": None}
    for _ in range(levels):
        value = [value] if key is None else {key: value}
    return value


@pytest.mark.parametrize("key", ["n", None])
def test_arguments_are_read_sixty_four_deep(key: str | None) -> None:
    """What lies further down is left as it is."""
    again = {"$ref": "#"}
    schema = {"properties": {"n": again, "k": {"type": "integer"}}, "items": again}
    assert "None" not in repr(without_forced(nested(64, key), schema))
    assert without_forced(nested(65, key), schema) == nested(65, key)


def chain(keyword: str, length: int, last: Any) -> Any:
    """A schema that says something only after so many references or unions."""
    if keyword == "$ref":
        links = {f"x{n}": {"$ref": f"#/$defs/x{n + 1}"} for n in range(1, length)}
        return {"$ref": "#/$defs/x1", "$defs": {**links, f"x{length}": last}}
    for _ in range(length):
        last = {keyword: [last]}
    return last


@pytest.mark.parametrize("keyword", ["$ref", "anyOf", "oneOf", "allOf"])
def test_schemas_are_read_sixty_four_deep(keyword: str) -> None:
    """What lies further down names no field, and admits nothing."""
    fields = {"properties": {"k": {"type": "integer"}}}
    assert without_forced({"k": None}, chain(keyword, 64, fields)) == {}
    assert without_forced({"k": None}, chain(keyword, 65, fields)) == {"k": None}
    for length, expected in ((64, True), (65, False)):
        schema = chain(keyword, length, {"type": "null"})
        assert admits_null(schema, schema) is expected
