"""Which empty results are senseless."""

from collections import OrderedDict
from types import MappingProxyType
from typing import Any

import pytest

from handrail.contract.emptiness import excluding, has_no_first_page, is_empty, named_id
from handrail.contract.paging import More
from handrail.contract.preview import preview


@pytest.mark.parametrize(
    "data",
    [
        None, "", [], {}, {"items": [], "total": 0}, {"items": {}, "n": 1}, MappingProxyType({}),
        MappingProxyType({"items": [], "total": 0}), OrderedDict(items=[]), OrderedDict(),
    ],
)  # fmt: skip
def test_nothing_is_empty(data: object) -> None:
    """None, empty containers, objects whose containers are empty."""
    assert is_empty(data)


@pytest.mark.parametrize(
    "data",
    [
        0, False, "x", [0], {"n": 0}, {"a": [], "b": [1]}, (), b"", {"a": {"b": 1}, "c": []},
        MappingProxyType({"n": 0}), MappingProxyType({"a": [], "b": {"c": 1}}), OrderedDict(n=1),
    ],
)  # fmt: skip
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
        (More(shown=0, link="x"), {}, False),
        (More(shown=0, offset=0), {"offset": 20}, True),
        (More(shown=0, offset=20), {"offset": 0}, False),
        (More(shown=0, page=1), {"page": 2}, True),
        (More(shown=0), {"Page": 2}, False),
        (More(shown=0), {"skip": 20}, False),
        (More(shown=0), {"skip": 20, "offset": 0}, True),
        (More(shown=0), {"page": 0, "skip": 0}, True),
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
        ({"limit": 5, "customer_id": "John Smith"}, ("customer_id", '"John Smith"')),
        ({"id": "C-1", "UUID": " Mary O'Neil Jr. "}, ("UUID", '" Mary O\'Neil Jr. "')),
        ({"customer_id": "Anne-Marie St. John"}, ("customer_id", '"Anne-Marie St. John"')),
        ({"customer_id": "one two three four five six"},
         ("customer_id", '"one two three four five six"')),
        ({"customer_id": "-a -b"}, None),
        ({"customer_id": "ab c3"}, None),
        ({"customer_id": "one two three four five six seven"}, None),
    ],
)  # fmt: skip
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
    assert named_id({"order": "C-9921", "sku": "Red Shoes"}, ids) == ("sku", '"Red Shoes"')
    assert named_id({"order": "C-99210"}, ids) == ("order", '"C-99210"')


def test_secrets_and_long_values_are_shown_as_previews() -> None:
    """What is given back is for a text that the model reads."""
    found = named_id({"password": "John Smith"}, {"password": None})
    assert found == ("password", preview("John Smith", field="password"))
    assert "John" not in found[1]
    both = excluding({"min_token": 1, "max_token": 0})
    assert both == (
        f"min_token {preview(1, field='min_token')} is after max_token "
        f"{preview(0, field='max_token')}"
    )


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
        ({"start": 1, "min": 3, "max": 2}, "min 3 is after max 2"),
        ({"from": 5, "to": 9, "until": 1}, "from 5 is after until 1"),
        ({"begin": 2, "end": 1.5}, "begin 2 is after end 1.5"),
        ({"since": "2026-05-02 10:00", "until": "2026-05-01T10:00:00.5Z"},
         'since "2026-05-02 10:00" is after until "2026-05-01T10:00:00.5Z"'),
        ({"after": "2026-05-01T12:00", "before": "2026-05-01T10:00"}, None),
        ({"gte": 1, "lte": 1}, None), ({"lower": 2, "upper": False}, None),
        ({"lower": 2, "upper": "1"}, None), ({"lower": "2026-05-03", "upper": 1}, None),
        ({"lower": "2026-05-03", "upper": "b"}, None),
        ({"lower": "z", "upper": "2026-05-03"}, None),
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
    assert excluding({"offset": 47}, more) == "there are 47 rows, and the call begins after 47"
    assert excluding({"skip": 50}, more) == "there are 47 rows, and the call begins after 50"
    assert excluding({"skip": 50, "offset": 0}, more) is None
    assert excluding({}, more) is None
    assert excluding({"offset": "50"}, more) is None
    own = More(total=47, shown=0, offset=60)
    assert excluding({}, own) == "there are 47 rows, and the call begins after 60"
    assert excluding({"offset": 0}, own) is None
    assert excluding({"offset": 50}, More(total=0)) is None
    assert excluding({"offset": 50}, More()) is None
