"""How single schemas look in a strict subset, and what has no strict form."""

from typing import Any

import pytest

from handrail.contract.strict import strict_form
from handrail.contract.subsets import Subset

NULLABLE = Subset(keywords=frozenset({"minimum"}), optional="nullable", recursion=True)
KEPT = Subset(inline=True, enums=frozenset({"string"}), most_fields=3, most_depth=2, most_values=2)
OBJECT: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}}


def field_of(part: Any, subset: Subset = NULLABLE, **root: Any) -> Any:  # Any: JSON values
    """The strict form of an optional field, or why there is none."""
    form = strict_form({"type": "object", "properties": {"a": part}, **root}, subset)
    return form.why if form.schema is None else form.schema["properties"]["a"]


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ({"type": "string"}, {"type": ["string", "null"]}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"enum": ["x", "y"]}, {"type": ["string", "null"], "enum": ["x", "y", None]}),
        ({"const": 1}, {"type": ["integer", "null"], "enum": [1, None]}),
        (
            {"type": "array", "items": {"type": "string"}, "description": "Tags."},
            {
                "description": "Tags.",
                "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}],
            },
        ),
        (
            {"oneOf": [{"type": "string"}, {"type": "integer"}]},
            {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
        ),
        ({"type": "integer", "minimum": 1}, {"type": ["integer", "null"], "minimum": 1}),
        ({"allOf": [{"type": "string"}], "title": "T"}, {"type": ["string", "null"], "title": "T"}),
        (
            {"type": "string", "anyOf": [{"minLength": 3}, {"const": ""}]},
            {"anyOf": [{"type": "string"}, {"type": "string", "enum": [""]}, {"type": "null"}]},
        ),
    ],
)
def test_an_optional_field_becomes_nullable(part: Any, expected: Any) -> None:
    """Whatever its kind; a field that takes null already stays as it is."""
    assert field_of(part) == expected


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ({}, "any type is allowed"),
        (True, "any value is allowed"),
        ({"type": "object"}, "the object may have any fields"),
        ({"type": "object", "additionalProperties": {"type": "string"}},
         "the object may have further fields"),
        ({"type": "object", "patternProperties": {"^x": {}}},
         "names of fields are given by a pattern"),
        ({**OBJECT, "anyOf": [{"required": ["b"]}]},
         "more fields are named than the object declares"),
        ({"type": "array"}, "the list may hold anything"),
        ({"type": "array", "prefixItems": [{}]}, "each place of the list has a schema of its own"),
        ({"enum": [{"a": 1}]}, "a listed value is an object or a list"),
        ({"enum": [1], "type": "string"}, "nothing fits"),
        ({"$ref": "other.json#/a"}, "a reference leads out of the schema"),
        ({"$ref": "#/$defs/none"}, "a reference leads to nothing, or to anything"),
        ({"$ref": "#/properties/a"}, "it refers to itself and to nothing else"),
        ({"$ref": "#/$defs/n", "properties": {"b": {}}}, "more is said beside a reference"),
    ],
)  # fmt: skip
def test_what_has_no_strict_form(part: Any, why: str) -> None:
    """Since a strict form would forbid a valid value."""
    assert field_of(part, **{"$defs": {"n": OBJECT}}) == why


def test_no_strict_form_says_where() -> None:
    """As a pointer into the schema."""
    form = strict_form({"properties": {"a/b": {"items": {}}}}, NULLABLE)
    assert (form.schema, form.place) == (None, "/properties/a~1b/items")


def test_objects_are_closed_and_complete() -> None:
    """Every field is required; a condition between declared fields is dropped, and told."""
    two = {"a": {"type": "string"}, "b": {"type": "null"}}
    schema = {"properties": two, "required": ["b"], "anyOf": [{"required": ["a"]}]}
    form = strict_form(schema, NULLABLE)
    assert form.dropped == (("", "anyOf"),)
    assert form.schema == {
        "type": "object",
        "properties": {"a": {"type": ["string", "null"]}, "b": {"type": "null"}},
        "required": ["a", "b"],
        "additionalProperties": False,
    }


def test_references_stay_or_are_written_out() -> None:
    """A reference stands alone; a schema that refers to itself stays only where it may."""
    tree = {"type": "object", "properties": {"up": {"$ref": "#/$defs/t"}}}
    root = {"$defs": {"t": tree, "n": OBJECT}}
    assert field_of({"$ref": "#/$defs/t"}, **root) == {
        "anyOf": [{"$ref": "#/$defs/t"}, {"type": "null"}]
    }
    assert field_of({"$ref": "#/$defs/t"}, KEPT, **root) == "it refers to itself"
    assert field_of({"$ref": "#/$defs/n"}, KEPT, **root)["properties"] == {"n": {"type": "integer"}}


def test_listed_values_that_a_provider_cannot_list() -> None:
    """Become their type."""
    assert field_of({"enum": ["x", None]}, KEPT) == {
        "anyOf": [{"type": "string", "enum": ["x"]}, {"type": "null"}]
    }


def test_limits() -> None:
    """Beyond them there is no strict form."""
    assert field_of({"enum": ["a", "b", "c"]}, KEPT) == "there are more than 2 listed values"
    deep = {"properties": {"b": {"properties": {"c": {"type": "null"}}}}}
    assert field_of(deep, KEPT) == "there are more than 2 levels"
    wide = {"properties": {key: {"type": "null"} for key in "bcde"}}
    assert field_of(wide, KEPT) == "there are more than 3 fields"


def test_references_that_double_have_no_form_without_references() -> None:
    """Twenty levels, each of which refers to the next one twice: a million fields in all."""
    twice = {f"x{n}": {"allOf": [{"anyOf": [_to(n + 1), _to(n + 1)]}]} for n in range(20)}
    form = strict_form(
        {"properties": {"a": _to(0)}, "$defs": {**twice, "x20": {"type": "null"}}}, KEPT
    )
    assert form.why == "there are more than 5000 parts once its references are written out"


def _to(level: int) -> dict[str, Any]:
    return {"$ref": f"#/$defs/x{level}"}
