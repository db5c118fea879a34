"""Frozen values that keep their defaults on the class."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.record import Record


class Point(Record):
    """A value with one required field, two defaults and a private field."""

    x: int
    y: int = 0
    label: str = ""
    _memo: str | None = None


class Labelled(Point):
    """A value with a field more, and a default of its own."""

    label: str = "none"
    colour: str = "red"


values = st.fixed_dictionaries(
    {"x": st.integers()},
    optional={"y": st.integers(), "label": st.text(), "_memo": st.none() | st.text()},
)


def test_defaults_are_not_stored() -> None:
    """A field that holds its default costs nothing."""
    point = Point(x=1)
    assert (point.x, point.y, point.label) == (1, 0, "")
    assert vars(point) == {"x": 1}


def test_a_record_cannot_be_changed() -> None:
    """Neither setting nor deleting works, and the message names the field."""
    point = Point(x=1)
    with pytest.raises(AttributeError, match="Point is frozen: cannot set 'x'"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="Point is frozen: cannot delete 'x'"):
        del point.x
    assert point == Point(x=1)


@given(values, values)
def test_equal_records_have_equal_public_fields(one: dict[str, Any], two: dict[str, Any]) -> None:
    """A given default equals a default left out, and private fields do not count."""
    defaults = {"y": 0, "label": ""}
    public_one = {k: v for k, v in {**defaults, **one}.items() if k != "_memo"}
    public_two = {k: v for k, v in {**defaults, **two}.items() if k != "_memo"}
    assert (Point(**one) == Point(**two)) == (public_one == public_two)


def test_records_of_two_classes_differ() -> None:
    """The class is part of the value."""
    assert Point(x=1, label="none") != Labelled(x=1)
    assert Point(x=1) != {"x": 1}


def test_a_record_is_not_hashable() -> None:
    """Its fields may hold lists and dicts."""
    with pytest.raises(TypeError, match="unhashable"):
        hash(Point(x=1))


@given(values, st.integers())
def test_replace_changes_one_field_of_a_copy(fields: dict[str, Any], y: int) -> None:
    """The original stays, and everything else is carried over, private fields too."""
    before = Point(**fields)
    after = before.replace(y=y)
    assert vars(after) == {**fields, "y": y}
    assert vars(before) == fields


def test_replace_leaves_memos_behind() -> None:
    """What was cached on the instance but never declared is not carried over."""
    point = Point(x=1)
    vars(point)["content"] = "cached"
    assert vars(point.replace(y=2)) == {"x": 1, "y": 2}


def test_field_names_put_base_classes_first() -> None:
    """Each name stands once, where it was first declared; private ones are left out."""
    assert Labelled.field_names() == ("x", "y", "label", "colour")


def test_repr_shows_what_was_given() -> None:
    """Defaults and private fields are left out."""
    assert repr(Labelled(x=1, colour="blue", _memo="m")) == "Labelled(x=1, colour='blue')"
