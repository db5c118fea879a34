"""JSON Patch operations do what RFC 6902 says and never change what they are given."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.patch import apply, in_order

VALUE = {"a": [1, {"b": 2}], "c/d": None}

CASES = [
    ({"op": "add", "path": "/e", "value": 3}, {**VALUE, "e": 3}),
    ({"op": "add", "path": "/a/0", "value": 0}, {**VALUE, "a": [0, 1, {"b": 2}]}),
    ({"op": "add", "path": "/a/-", "value": 9}, {**VALUE, "a": [1, {"b": 2}, 9]}),
    ({"op": "add", "path": "/a/2", "value": 9}, {**VALUE, "a": [1, {"b": 2}, 9]}),
    ({"op": "replace", "path": "/a/1/b", "value": []}, {**VALUE, "a": [1, {"b": []}]}),
    ({"op": "replace", "path": "", "value": 1}, 1),
    ({"op": "remove", "path": "/c~1d"}, {"a": [1, {"b": 2}]}),
    ({"op": "remove", "path": "/a/0"}, {**VALUE, "a": [{"b": 2}]}),
    ({"op": "move", "from": "/c~1d", "path": "/f"}, {"a": [1, {"b": 2}], "f": None}),
    ({"op": "move", "from": "/a/1/b", "path": "/b"}, {"a": [1, {}], "c/d": None, "b": 2}),
    ({"op": "move", "from": "/a", "path": "/a"}, VALUE),
]


@pytest.mark.parametrize(("op", "expected"), CASES)
def test_operations(op: dict[str, Any], expected: object) -> None:
    """Each operation gives the new value and leaves the old one alone."""
    before = copy.deepcopy(VALUE)
    assert apply([op], VALUE) == expected
    assert before == VALUE


FAULTS = [
    {"op": "replace", "path": "/x", "value": 1},
    {"op": "remove", "path": "/a/2"},
    {"op": "remove", "path": "/a/01"},
    {"op": "remove", "path": "/a/-"},
    {"op": "remove", "path": ""},
    {"op": "add", "path": "/a/7", "value": 1},
    {"op": "add", "path": "/a/" + "9" * 5000, "value": 1},
    {"op": "add", "path": "/c~1d/x", "value": 1},
    {"op": "add", "path": "x", "value": 1},
    {"op": "add", "path": "/x"},
    {"op": "move", "from": "/a", "path": "/a/0"},
    {"op": "test", "path": "/a", "value": 1},
    {},
]


TOLD = [
    ({"op": "add", "path": "/x"}, ValueError, "the operation 'add' needs a value"),
    ({"op": "replace", "path": "/x"}, ValueError, "the operation 'replace' needs a value"),
    (
        {"op": "move", "from": "/a", "path": "/a/0"},
        ValueError,
        "a value cannot be moved into itself",
    ),
    (
        {"op": "test", "path": "/a"},
        ValueError,
        "unknown operation 'test': use add, replace, remove or move",
    ),
    ({"op": "remove", "path": "a"}, ValueError, "'a' is not a JSON pointer"),
    ({"op": "remove"}, ValueError, "None is not a JSON pointer"),
    ({"op": "move", "path": "/b"}, ValueError, "None is not a JSON pointer"),
    ({"op": "remove", "path": ""}, ValueError, "the whole value cannot be removed"),
    ({"op": "add", "path": "/a/3", "value": 1}, LookupError, "there is no item 3"),
    ({"op": "remove", "path": "/a/2"}, LookupError, "there is nothing at '2'"),
    ({"op": "remove", "path": "/x"}, LookupError, "there is nothing at 'x'"),
    ({"op": "remove", "path": "/x/y"}, LookupError, "there is nothing at 'x'"),
    ({"op": "add", "path": "/c~1d/x", "value": 1}, LookupError, "there is nothing at 'x'"),
    ({"op": "add", "path": "/a/0/x", "value": 1}, LookupError, "there is nothing at 'x'"),
    ({"op": "remove", "path": "/a/-"}, LookupError, "'-' is not an array index"),
    ({"op": "replace", "path": "/a/-", "value": 1}, LookupError, "'-' is not an array index"),
    ({"op": "add", "path": "/a/00", "value": 1}, LookupError, "'00' is not an array index"),
    ({"op": "add", "path": "/a/+1", "value": 1}, LookupError, "'+1' is not an array index"),
    ({"op": "add", "path": "/a/\u0661", "value": 1}, LookupError, "'\u0661' is not an array index"),
    (
        {"op": "add", "path": f"/a/{'1' * 16}", "value": 1},
        LookupError,
        f"'{'1' * 16}' is not an array index",
    ),
    (
        {"op": "add", "path": f"/a/{'1' * 15}", "value": 1},
        LookupError,
        f"there is no item {'1' * 15}",
    ),
]


@pytest.mark.parametrize(("op", "kind", "says"), TOLD)
def test_what_cannot_be_done_is_told(op: dict[str, Any], kind: type[Exception], says: str) -> None:
    """A place that is missing is a LookupError, nonsense a ValueError."""
    with pytest.raises(kind) as told:
        apply([op], VALUE)
    assert told.value.args == (says,)


def test_moves_inside_an_array_and_beside_a_name_that_begins_alike() -> None:
    """The place of the target is that after the removal."""
    value = {"a": [1, 2, 3], "ab": 4}
    assert apply([{"op": "move", "from": "/a/0", "path": "/a/1"}], value)["a"] == [2, 1, 3]
    assert apply([{"op": "move", "from": "/a/0", "path": "/a/-"}], value)["a"] == [2, 3, 1]
    assert apply([{"op": "move", "from": "/a", "path": "/abc"}], value) == {
        "ab": 4,
        "abc": [1, 2, 3],
    }
    assert apply([{"op": "move", "from": "/ab", "path": ""}], value) == 4
    for place in ("", "/a"):
        assert apply([{"op": "move", "from": place, "path": place}], value) is value


@pytest.mark.parametrize("op", FAULTS)
def test_impossible_operations_are_refused(op: dict[str, Any]) -> None:
    """What cannot be done raises, and only in the documented ways."""
    with pytest.raises((LookupError, ValueError)):
        apply([op], VALUE)


def test_only_the_way_to_the_edit_is_copied() -> None:
    """What an edit does not touch is shared."""
    value = {"a": {"b": 1}, "big": [1, 2]}
    new = apply([{"op": "replace", "path": "/a/b", "value": 2}], value)
    assert new["big"] is value["big"]
    assert new["a"] is not value["a"]


@given(st.lists(st.integers(0, 9), min_size=1, unique=True))
def test_removals_of_several_suggestions_do_not_disturb_each_other(at: list[int]) -> None:
    """Removals come last index first, also from ten items on."""
    items = list(range(12))
    ops = [{"op": "remove", "path": f"/items/{index + 2}"} for index in at]
    left = apply(in_order(ops), {"items": items})["items"]
    assert left == [item for item in items if item - 2 not in at]


def test_operations_in_order_are_given_once() -> None:
    """Edits come before removals, and the same edit comes once."""
    remove = {"op": "remove", "path": "/x"}
    replace = {"op": "replace", "path": "/y", "value": 1}
    assert in_order([remove, replace, dict(replace), remove]) == [replace, remove]


def test_operations_are_the_same_in_kind_place_and_source_alone() -> None:
    """The first of several values stays; removals go from the last place to the first."""
    ops = [
        {"op": "remove", "path": "/a/2"},
        {"op": "move", "from": "/x", "path": "/z"},
        {"op": "move", "from": "/y", "path": "/z"},
        {"op": "add", "path": "/z", "value": 1},
        {"op": "add", "path": "/z", "value": 2},
        {"op": "replace", "path": "/z", "value": 3},
        {"op": "remove", "path": "/a/10"},
        {"op": "remove", "path": "/b"},
        {"op": "remove", "path": "/a/9/k"},
        {"op": "remove", "path": "/ab"},
    ]
    kept = in_order(ops)
    assert kept[:4] == [ops[1], ops[2], ops[3], ops[5]]
    assert [op["path"] for op in kept[4:]] == ["/b", "/ab", "/a/10", "/a/9/k", "/a/2"]
