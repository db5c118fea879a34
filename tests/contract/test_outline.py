"""Sizes are those of the JSON text, floors those of what must stay of it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.outline import GAP_ROOM, Outline

Json = Any  # Any: JSON value

ROWS = [
    {"id": 1, "name": "one", "body": "x" * 50},
    {"id": 22, "body": "y", "lines": [{"sku": "S-1", "n": 1}]},
]
ENTITIES = {
    "orders": [
        {"id": "O-1", "customer_id": "C-1"},
        {"id": "O-2", "customer_id": "C-1"},
    ],
    "customer": {"customer_id": "C-1", "note": "n"},
}


def written(value: Json) -> str:
    """Compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.text()
        | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_the_size_is_that_of_the_text(value: Json) -> None:
    """For any JSON value."""
    assert Outline(value, {}).root.full == len(written(value))


def test_the_floors_are_the_ids_and_the_names() -> None:
    """Measured by the same rows without the rest."""
    ids = [{"id": 1}, {"id": 22, "lines": [{"sku": "S-1"}]}]
    names = [{"id": 1, "name": "one"}, ids[1]]
    root = Outline(ROWS, {}).root
    assert (root.ids, root.names) == (len(written(ids)), len(written(names)))


def test_a_list_with_loose_items_keeps_room_for_a_mark() -> None:
    """What has no id may go, and its place is marked."""
    assert Outline([{"id": 1}, 5], {}).root.ids == len('[{"id":1}]') + GAP_ROOM


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"id": {"O-2"}}, ENTITIES["orders"][1]),
        ({"customer_id": {"C-1"}}, ENTITIES["customer"]),
        ({"query": {"nobody"}}, None),
        ({}, None),
    ],
)
def test_the_inspected_entity_is_the_one_with_the_id(wanted: Any, found: Json) -> None:
    """Of several that carry it, the one on the outermost level."""
    path = Outline(ENTITIES, wanted).inspected
    assert path == () if found is None else path[-1] == id(found)


def test_two_of_the_same_rank_are_nobody() -> None:
    """Rows that merely belong to the customer are not the customer."""
    assert Outline(ENTITIES["orders"], {"customer_id": {"C-1"}}).inspected == ()


def test_keys_of_a_map_are_ids() -> None:
    """Many fields that all hold objects."""
    value = {f"key {n}": {"text": "t" * 30} for n in range(10)}
    left = dict.fromkeys(value, "...")
    assert Outline(value, {}).root.ids == len(written(left))
