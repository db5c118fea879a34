"""The walk over a JSON value."""

import json

from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.issue import split_pointer
from handrail.contract.walk import leaves, parts, pointer, strings

SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
KEYS = st.text(max_size=4)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def count(value: object) -> int:
    """Scalars in a value, counted the short way: by recursion."""
    if isinstance(value, dict):
        return sum(map(count, value.values()))
    return sum(map(count, value)) if isinstance(value, list) else 1


def resolve(value: object, path: str) -> object:
    """The value at an RFC 6901 pointer."""
    for part in split_pointer(path):
        value = value[int(part)] if isinstance(value, list) else value[part]  # type: ignore[index]
    return value


def test_leaves_come_in_document_order() -> None:
    """Scalars come as they are written, however they are nested."""
    value = {"a": [1, {"b": "x"}, "y"], "c": {"d": None}, "e": True}
    expected = [
        ("/a/0", "a", 1),
        ("/a/1/b", "b", "x"),
        ("/a/2", "a", "y"),
        ("/c/d", "d", None),
        ("/e", "e", True),
    ]
    assert [(pointer(place), name, item) for place, name, item in leaves(value)] == expected


def test_a_list_lends_its_items_its_name() -> None:
    """Items of lists in lists go by the name of the outermost list."""
    assert [name for _, name, _ in leaves({"ids": [["a"], "b"]})] == ["ids", "ids"]


def test_a_lone_scalar_is_a_leaf_at_the_root() -> None:
    """A value that is no container has the empty pointer and no name."""
    assert [(pointer(place), name, item) for place, name, item in leaves("x")] == [("", None, "x")]


def test_strings_are_the_leaves_that_are_text() -> None:
    """Numbers, booleans and null are left out."""
    value = {"a": 1, "b": "x", "c": [None, "y", False]}
    assert [(parts(place), text) for place, _, text in strings(value)] == [
        (("b",), "x"),
        (("c", 1), "y"),
    ]


def test_depth_costs_no_stack() -> None:
    """A value a hundred thousand deep is walked, and its pointer spelled."""
    deep: object = "x"
    for _ in range(100_000):
        deep = [deep]
    [(place, _, text)] = strings(deep)
    assert (len(parts(place)), text) == (100_000, "x")
    while isinstance(deep, list):
        deep = deep[0]


@given(JSON)
def test_every_scalar_is_found_where_its_pointer_says(value: object) -> None:
    """As many leaves as scalars, and each pointer leads to its own leaf."""
    found = list(leaves(value))
    assert len(found) == count(value)
    assert [json.dumps(resolve(value, pointer(place))) for place, _, _ in found] == [
        json.dumps(item) for _, _, item in found
    ]
