"""All schemas that may hold at a place, whichever branch was meant."""

import pytest

from handrail.contract.nodes import (
    Nodes,
    field_names,
    is_open,
    nodes_at,
    options_of,
    required_of,
    types_at,
)

ROOT = {
    "type": "object",
    "properties": {
        "unit": {"anyOf": [{"enum": ["a", "b"]}, {"const": "c"}, {"type": "null"}]},
        "inner": {"$ref": "#/$defs/Inner"},
        "rows": {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "number"}},
        "old": {"type": "array", "items": [{"type": "boolean"}]},
        "plain": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["unit"],
    "patternProperties": {"^x": {"type": "integer"}, "(": {"type": "null"}},
    "additionalProperties": {"type": "boolean"},
    "$defs": {"Inner": {"oneOf": [{"properties": {"k": {"type": "string"}}, "required": ["k"]}]}},
}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), {"object"}),
        (("unit",), {"string", "null"}),
        (("inner", "k"), {"string"}),
        (("rows", 0), {"string"}),
        (("rows", 3), {"number"}),
        (("old", 0), {"boolean"}),
        (("old", 1), set()),
        (("plain", 0), {"string"}),
        (("unit", 0), set()),
        (("x1",), {"integer"}),
        (("other",), {"boolean"}),
        (("inner", "k", "deeper"), set()),
    ],
)
def test_every_type_that_may_hold(path: tuple[str | int, ...], expected: set[str]) -> None:
    """Unions, references, patterns, tuples and further fields."""
    assert types_at(nodes_at(ROOT, path)) == expected


def test_options_come_from_every_branch() -> None:
    """Enum members and constants alike."""
    assert options_of(nodes_at(ROOT, ("unit",))) == ["a", "b", "c"]


def test_fields_and_what_is_required() -> None:
    """Of an object behind a reference and a union."""
    nodes = nodes_at(ROOT, ("inner",))
    assert (field_names(nodes), required_of(nodes)) == (["k"], {"k"})
    assert field_names([{"properties": {"a": False, "b": True}}, {"properties": {"b": {}}}]) == [
        "b"
    ]


def test_open_is_what_a_schema_states() -> None:
    """Silence is not a statement."""
    assert is_open(nodes_at(ROOT, ()))
    assert not is_open(nodes_at(ROOT, ("inner",)))


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({"additionalProperties": True}, True),
        ({"additionalProperties": {}}, True),
        ({"unevaluatedProperties": True}, True),
        ({"patternProperties": {"^x": {}}}, True),
        ({"patternProperties": {"^x": {}}, "additionalProperties": False}, True),
        ({"additionalProperties": False}, False),
        ({"additionalProperties": False, "unevaluatedProperties": True}, False),
        ({"unevaluatedProperties": False}, False),
        ({"patternProperties": {}}, False),
        ({}, False),
    ],
)
def test_words_that_open_an_object(stated: dict[str, object], expected: bool) -> None:
    """Any that lets a field through that has no name; one schema is enough."""
    assert is_open([stated]) is expected
    assert is_open([{}, stated]) is expected


def test_a_circular_schema_has_an_end() -> None:
    """A reference to itself is followed a few times at most."""
    root = {"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}] * 2}}}
    assert len(nodes_at(root, ("a", "b"))) <= 64


def test_unions_are_read_six_deep() -> None:
    """What lies further down says nothing."""
    schema: dict[str, object] = {"type": "null"}
    for level in range(7, 0, -1):
        schema = {"anyOf": [{**schema, "const": str(level)}]}
    assert options_of(nodes_at(schema, ())) == ["1", "2", "3", "4", "5", "6"]
    assert types_at(nodes_at(schema, ())) == {"string"}


def test_places_are_remembered() -> None:
    """They are those of the schema; two thousand are kept, so that none grows without end."""
    nodes = Nodes(ROOT)
    assert nodes.at(("unit",)) == nodes_at(ROOT, ("unit",))
    assert nodes.at(("inner", "k")) == nodes_at(ROOT, ("inner", "k"))
    assert nodes.options(("unit",)) == ["a", "b", "c"]
    assert nodes.options(("inner",)) == []
    assert nodes.at(("unit",)) is nodes.at(("unit",))
    assert nodes.options(("unit",)) is nodes.options(("unit",))
    kept = Nodes({"items": {"enum": ["a"]}})
    for at in range(2_000):
        assert kept.options((at,)) is kept.options((at,))
        assert kept.at((at,)) is kept.at((at,))
    assert kept.options((2_000,)) is not kept.options((2_000,))
    assert kept.at((2_000,)) is not kept.at((2_000,))
    assert kept.options((2_000,)) == ["a"]
