"""Nulls that a strict form forces are taken out again, and no others."""

from typing import Any

import pytest

from handrail.contract.forced import admits_null, without_forced

SCHEMA: dict[str, Any] = {
    "$defs": {"P": {"properties": {"x": {"type": "integer"}, "y": {"type": ["integer", "null"]}}}},
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
    ],
)  # fmt: skip
def test_what_admits_null(schema: Any, expected: bool) -> None:
    """As a validator would say."""
    assert admits_null(schema, SCHEMA) is expected


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
