"""Changes of arguments: made in order, recorded, and taken back where they do not help."""

import pytest

from handrail import Issue, Mend
from handrail.contract.nodes import Nodes
from handrail.contract.steps import Step, applied, place_of, value_at, without_spoilt

VALUE = {"a": {"k": 1}, "rows": [{"q": "2"}, 3], "b": None}


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (Step("x", ("rows", 0, "q"), 2), {**VALUE, "rows": [{"q": 2}, 3]}),
        (Step("x", ("b",), None, "drop"), {"a": {"k": 1}, "rows": VALUE["rows"]}),
        (Step("x", ("a", "k"), "new", "rename"), {**VALUE, "a": {"new": 1}}),
    ],
)
def test_a_step_changes_its_place_alone(step: Step, expected: object) -> None:
    """The given value stays as it was."""
    before = repr(VALUE)
    assert applied([step], VALUE) == expected
    assert repr(VALUE) == before


def test_a_rename_keeps_the_order() -> None:
    """The field stays where it stood."""
    assert list(applied([Step("x", ("a",), "z", "rename")], VALUE)) == ["z", "rows", "b"]


def test_steps_are_recorded() -> None:
    """With the value, or the name, before and after."""
    assert Step("x", ("rows", 0, "q"), 2).mend(VALUE) == Mend("x", "/rows/0/q", "2", 2)
    assert Step("x", ("a",), "z", "rename").mend(VALUE) == Mend("x", "/a", "a", "z")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["rows", "0", "q"], "2"),
        (["missing"], None),
        (["rows", "1"], 3),
        (["rows", "2"], "no place"),
        (["rows", "9"], "no place"),
        (["rows", "x"], "no place"),
        (["b", "c"], "no place"),
        ([], "no place"),
    ],
)
def test_places_are_found(parts: list[str], expected: object) -> None:
    """A missing field has a place, a missing item has none."""
    place = place_of(Issue("VAL-002", "", ""), parts, VALUE, Nodes({}))
    assert (place.value if place else "no place") == expected


def test_a_step_goes_with_its_place_and_with_what_it_builds_on() -> None:
    """An issue at or below a place takes the step back, and all that came after it there."""
    steps = [Step("x", ("a",), "z", "rename"), Step("y", ("z", "k"), 2), Step("w", ("b",), 1)]
    assert without_spoilt(steps, [("z", "other")]) == [steps[2]]
    assert without_spoilt(steps, [("z", "k")]) == [steps[2]]
    assert without_spoilt(steps, [("rows",), ()]) == steps


def test_values_are_found() -> None:
    """Or a LookupError says that nothing is there."""
    assert value_at(VALUE, ("rows", 1)) == 3
    with pytest.raises(LookupError):
        value_at(VALUE, ("c",))
