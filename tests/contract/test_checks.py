"""Ready-made checks: each finds its fault, and nothing else."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from handrail.contract.checks import Check, at_path, echoes_argument, not_empty, paged, unit
from handrail.contract.facts import MISSING

Value = dict[str, Any]  # Any: JSON values


class Page(BaseModel):
    """As a typed result comes."""

    orders: list[str]
    page: int = 1
    has_more: bool = False


@dataclass
class Reading:
    """As an untyped one may come."""

    unit: str


def code(check: Check, value: object, args: Value | None = None) -> str | None:
    """The code of what a check finds."""
    found = check(value, args or {})
    return None if found is None else found.code


# ---- pages


@pytest.mark.parametrize(
    ("value", "args", "expected"),
    [
        (Page(orders=["O-1"]), {}, None),
        (Page(orders=[]), {}, None),
        (Page(orders=["O-1"], has_more=True), {}, "more_pages_available"),
        (Page(orders=[], has_more=True), {}, "empty_first_page"),
        (Page(orders=[], has_more=True, page=2), {}, "more_pages_available"),
        ({"orders": [], "has_more": True}, {"page": 3}, "more_pages_available"),
        ({"orders": [], "has_more": True}, {}, "empty_first_page"),
        ({"orders": [], "has_more": "cursor-2", "page": 0}, {}, "empty_first_page"),
        ({"orders": []}, {}, None),
        ("text", {}, None),
    ],
)
def test_pages(value: object, args: Value, expected: str | None) -> None:
    """The last page is complete; the first one is not empty while more exist."""
    assert code(paged(items="orders", more="has_more", page="page"), value, args) == expected


def test_the_next_page_is_named() -> None:
    """With its number, where there is one."""
    check = paged(items="orders")
    numbered = check(Page(orders=["a", "b"], page=4, has_more=True), {})
    named = check({"orders": ["a"], "has_more": True, "page": "four"}, {})
    assert numbered is not None
    assert numbered.detail == "Page 4 holds 2 rows, and more exist"
    assert numbered.hint == "Call again with page=5 to go on."
    assert named is not None
    assert (named.detail, named.hint) == ("Page four holds 1 row, and more exist", None)


# ---- nothing there


@pytest.mark.parametrize("value", [[], {}, "", "  ", None])
def test_nothing_is_found_missing(value: object) -> None:
    """At the root and further in."""
    assert code(not_empty(), value) == "empty_result"
    assert code(not_empty("a.b"), {"a": {"b": value}}) == "empty_result"


@pytest.mark.parametrize("value", [[0], {"a": 1}, "x", 0, False])
def test_something_passes(value: object) -> None:
    """A zero is an answer."""
    assert code(not_empty("/a"), {"a": value}) is None


def test_a_field_that_is_not_there_is_empty() -> None:
    """The author asked for it."""
    found = not_empty("orders")({"rows": [1]}, {})
    assert found is not None
    assert found.detail == "There is nothing under orders, although there should be"


# ---- units


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("celsius", "celsius"),
        ("°C", "celsius"),
        ("21.5 °C", "Celsius"),
        ("-3,5 degC", "c"),
        ("Imperial", "fahrenheit"),
        ("km/h", "km/h"),
        ("EUR", "eur"),
    ],
)
def test_the_right_unit_passes(said: str, expected: str) -> None:
    """In any usual spelling."""
    assert code(unit("unit", expected), Reading(said)) is None


@pytest.mark.parametrize("said", ["fahrenheit", "", "21.5", None, 21.5])
def test_the_wrong_unit_does_not(said: object) -> None:
    """A bare number does not say in which unit it is."""
    assert code(unit("/unit", "celsius"), {"unit": said}) == "wrong_unit"


def test_both_units_are_named() -> None:
    """So that the model can convert."""
    found = unit("unit", "fahrenheit")({"unit": "celsius"}, {})
    assert found is not None
    assert found.detail == 'The unit under unit is "celsius", expected is fahrenheit'
    assert code(unit("unit", "celsius"), {}) == "wrong_unit"


# ---- echoes


@pytest.mark.parametrize(
    ("found", "asked", "expected"),
    [
        ("C-1", "C-1", None),
        ("c-1 ", "C-1", None),
        (7, "7", None),
        ([1, 2], [1, 2], None),
        (True, True, None),
        (1, True, "not_what_was_asked"),
        ("C-2", "C-1", "not_what_was_asked"),
        (None, "C-1", "not_what_was_asked"),
    ],
)
def test_the_result_speaks_of_what_was_asked(
    found: object, asked: object, expected: str | None
) -> None:
    """Ids come back as numbers, names in another case."""
    check = echoes_argument("customer.id", "customer_id")
    assert code(check, {"customer": {"id": found}}, {"customer_id": asked}) == expected


def test_what_was_not_asked_for_is_not_looked_for() -> None:
    """An optional argument may be left out; a result that says nothing may not."""
    check = echoes_argument("id", "customer_id")
    assert code(check, {"id": "C-1"}) is None
    assert code(check, {}, {"customer_id": "C-1"}) == "not_what_was_asked"


# ---- paths


def test_paths_lead_through_objects_lists_and_models() -> None:
    """As pointers and as dots; a private name is none."""
    value = {"a.b": [{"c": Page(orders=["O-1"])}], "a": {"b": 2}}
    assert at_path(value, "/a.b/0/c/orders/0") == "O-1"
    assert at_path(value, "a.b") == 2
    assert at_path(value, "") is value
    for nowhere in ("/a.b/1", "/a.b/x", "x", "/a.b/0/c/__class__", "a.b.c"):
        assert at_path(value, nowhere) is MISSING


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, st.text(), st.dictionaries(st.text(), st.text()))
def test_no_result_breaks_a_check(value: object, path: str, args: dict[str, str]) -> None:
    """Whatever comes back, a check says something or nothing."""
    checks = [paged(path, path, path), not_empty(path), unit(path, path)]
    for check in (*checks, echoes_argument(path, next(iter(args), "x"))):
        found = check(value, args)
        assert found is None or found.error_class in ("partial_data", "semantic_garbage")
