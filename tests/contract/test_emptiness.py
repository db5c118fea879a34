"""Which empty results are senseless."""

from typing import Any

import pytest

from handrail.contract.emptiness import excluding, has_no_first_page, is_empty, named_id
from handrail.contract.paging import More


@pytest.mark.parametrize(
    "data", [None, "", [], {}, {"items": [], "total": 0}, {"items": {}, "n": 1}]
)
def test_nothing_is_empty(data: object) -> None:
    """None, empty containers, objects whose containers are empty."""
    assert is_empty(data)


@pytest.mark.parametrize("data", [0, False, "x", [0], {"n": 0}, {"a": [], "b": [1]}, (), b""])
def test_a_value_is_not_empty(data: object) -> None:
    """Zero and false are answers."""
    assert not is_empty(data)


@pytest.mark.parametrize(
    ("more", "arguments", "expected"),
    [
        (More(shown=0), {}, True),
        (More(shown=0, page=1), {}, True),
        (More(shown=0, page=0), {}, True),
        (More(shown=0), {"page": 1, "offset": 0}, True),
        (More(shown=0, page=2), {}, False),
        (More(shown=0), {"page": 2}, False),
        (More(shown=0), {"offset": 20}, False),
        (More(shown=0, cursor="c"), {}, False),
        (More(shown=3), {}, False),
        (More(), {}, False),
    ],
)
def test_the_first_page_cannot_be_empty_if_more_exist(
    more: More, arguments: dict[str, Any], expected: bool
) -> None:
    """Later ones may be, and pages of a cursor (some stores filter after cutting)."""
    assert has_no_first_page(more, arguments) is expected


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"customer_id": "John Smith"}, ("customer_id", '"John Smith"')),
        ({"customerId": "Ann"}, None),
        ({"customer_id": "ann@example.com"}, ("customer_id", '"ann@example.com"')),
        ({"customer_id": "C-9921"}, None),
        ({"customer_id": "550e8400-e29b-41d4-a716-446655440000"}, None),
        ({"name": "John Smith"}, None),
        ({"paid": "John Smith"}, None),
        ({"customer_id": 5}, None),
    ],
)
def test_an_id_searched_by_name_is_seen(
    arguments: dict[str, Any], found: tuple[str, str] | None
) -> None:
    """Two words of letters, or an address, where an id belongs (seed 001, class 3)."""
    assert named_id(arguments, {}) == found


def test_a_declared_pattern_decides() -> None:
    """And a declared field needs no telling name."""
    ids = {"order": r"C-\d{4}", "sku": None}
    assert named_id({"order": "9921"}, ids) == ("order", '"9921"')
    assert named_id({"order": "C-9921"}, ids) is None
    assert named_id({"sku": "Red Shoes"}, ids) == ("sku", '"Red Shoes"')


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"start_date": "2026-05-03", "end_date": "2026-05-01"},
         'start_date "2026-05-03" is after end_date "2026-05-01"'),
        ({"min_price": 9, "max_price": 3}, "min_price 9 is after max_price 3"),
        ({"dateFrom": "2026-05-03T10:00:00", "dateTo": "2026-05-01"},
         'dateFrom "2026-05-03T10:00:00" is after dateTo "2026-05-01"'),
        ({"start_date": "2026-05-01", "end_date": "2026-05-01"}, None),
        ({"start_date": "tomorrow", "end_date": "today"}, None),
        ({"min_price": True, "max_price": 0}, None),
        ({"start": "b", "end": "a"}, None),
        ({"from": "Berlin", "to": "Aachen"}, None),
        ({"start_date": "2026-05-03"}, None),
    ],
)  # fmt: skip
def test_arguments_that_exclude_each_other(arguments: dict[str, Any], problem: str | None) -> None:
    """Numbers and ISO dates are compared; other texts are not."""
    assert excluding(arguments) == problem


def test_a_page_beyond_the_last_is_seen() -> None:
    """Where the result says how many rows there are."""
    more = More(total=47, shown=0)
    assert excluding({"offset": 50}, more) == "there are 47 rows, and the call begins after 50"
    assert excluding({"offset": 40}, more) is None
    assert excluding({"offset": 50}) is None
