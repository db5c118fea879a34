"""Conditions, order and cursors by themselves; what stores make of them is in `test_documents`."""

import json
from functools import cmp_to_key
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.errors import StoreError
from handrail.sdk.where import Order, matches, read_cursor, written_cursor

VALUES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()


@given(VALUES)
def test_value_matches_itself(value: Any) -> None:
    """And what is absent matches null alone."""
    assert matches({"a": value}, {"a": value})
    assert matches({}, {"a": value}) is (value is None)


@pytest.mark.parametrize(
    ("data", "where", "expected"),
    [
        ({"a.b": 1, "a": {"b": 2}}, {"a.b": 1}, True),
        ({"a": {"b": 2}}, {"a.b": 2}, True),
        ({"a": 3}, {"a.b": 3}, False),
        ({"a": 0}, {"a": False}, False),
        ({"a": {"$x": 1}}, {"a": {"$exists": True}}, True),
        ({"a": {}}, {"a": {}}, True),
        ({"a": 1}, None, True),
    ],
)
def test_conditions(data: Any, where: Any, expected: bool) -> None:
    """A name with a dot goes before a way; false is not 0."""
    assert matches(data, where) is expected


@given(st.lists(VALUES, max_size=8), st.booleans())
def test_law_order_is_total(values: list[Any], turned: bool) -> None:
    """Sorting twice is sorting once, whatever comes first; keys survive JSON."""
    order = Order("-v" if turned else "v")
    keys = [order.key({"v": value}, number) for number, value in enumerate(values)]
    by = cmp_to_key(order.before)
    once = sorted(keys, key=by)
    turned_round = keys[::-1]
    assert sorted(turned_round, key=by) == once
    assert sorted(json.loads(json.dumps(keys)), key=by) == once


@given(st.lists(st.integers() | st.text(), max_size=3), st.text(max_size=5))
def test_cursor_is_read_as_written(values: list[Any], query: str) -> None:
    """For its own query only."""
    key = Order(None).key({}, 7)
    cursor = written_cursor([*values, *key], query)
    assert read_cursor(cursor, query) == [*values, 7]
    with pytest.raises(StoreError, match="belongs to another query"):
        read_cursor(cursor, [query])
