"""Which branch of a union came closest."""

from typing import Any

import pytest
from jsonschema_rs import ValidationError, validator_for

from handrail.contract.branches import closest, leaves


def context(schemas: list[Any], value: Any) -> list[list[ValidationError]]:
    """What jsonschema-rs says about each branch."""
    error = next(iter(validator_for({"anyOf": schemas}).iter_errors(value)))
    return error.kind.context  # type: ignore[attr-defined]  # it is an AnyOf


CARD = {
    "type": "object",
    "properties": {"kind": {"const": "card"}, "number": {"type": "string"}},
    "required": ["kind", "number"],
}
CASH = {
    "type": "object",
    "properties": {"kind": {"const": "cash"}, "amount": {"minimum": 1}, "unit": {"maxLength": 1}},
    "required": ["kind"],
}


@pytest.mark.parametrize(
    ("schemas", "value", "told"),
    [
        ([CARD, CASH], {"kind": "cash", "amount": 0, "unit": "xx"}, ["minimum", "maxLength"]),
        ([CASH, CARD], {"kind": "card"}, ["required"]),
        ([{"type": "null"}, CARD], {"kind": "card", "number": 1}, ["type"]),
        ([{"type": "string"}, {"type": "integer", "minimum": 5}], 3, ["minimum"]),
        ([{"const": "a"}, {"type": "integer"}], "b", ["const"]),
        ([{"required": ["a", "b"]}, {"required": ["c"]}], {}, ["required"]),
        ([{"type": "string"}, {"type": "null"}], 3, []),
    ],
)
def test_the_closest_branch(schemas: list[Any], value: Any, told: list[str]) -> None:
    """Type first, then the tag, then the fewest errors; nothing when no type fits."""
    chosen = closest(context(schemas, value), ())
    assert sorted(error.kind.name for error in chosen.errors) == sorted(told)


def test_a_tag_that_fits_no_branch_lists_all_tags() -> None:
    """The place of the tag, and every value that some branch takes there."""
    assert closest(context([CARD, CASH], {"kind": "gold"}), ()) == ((), ("kind",), ("card", "cash"))
    numbers = context([{"const": 1}, {"const": True}, {"enum": [1, 2]}], 3)
    assert closest(numbers, ()).options == (1, True, 2)


def test_a_missing_tag_is_all_that_is_told() -> None:
    """Where the schema names its discriminator, its absence comes first."""
    chosen = closest(context([CARD, CASH], {}), (), "kind")
    assert [error.kind.value for error in chosen.errors] == ["kind"]


def test_nested_unions_count_as_their_smallest_branch() -> None:
    """A union inside a union is no more than its best branch."""
    inner = {"anyOf": [{"required": ["a", "b"]}, {"required": ["c"]}]}
    assert [leaves(branch) for branch in context([inner], {})] == [1]
