"""All schemas that may hold at a place, whichever branch was meant."""

import pytest

from handrail.contract.nodes import (
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


def test_open_is_what_a_schema_states() -> None:
    """Silence is not a statement."""
    assert is_open(nodes_at(ROOT, ()))
    assert not is_open(nodes_at(ROOT, ("inner",)))


def test_a_circular_schema_has_an_end() -> None:
    """A reference to itself is followed a few times at most."""
    root = {"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}] * 2}}}
    assert len(nodes_at(root, ("a", "b"))) <= 64
