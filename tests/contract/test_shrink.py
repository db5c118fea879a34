"""Room is shared fairly, the entity comes first, and nothing is left hollow."""

import json
from typing import Any

import pytest

from handrail.contract.outline import IDS, NAMES, Outline
from handrail.contract.shrink import NO_ROOM, Form, Shrink

Json = Any  # Any: JSON value


def shrunk(value: Json, room: int, level: int = NAMES, **form: Any) -> Json:
    """The value in so many characters, the root being the entity."""
    outline = Outline(value, {})
    return Shrink(outline, Form(level, (id(value),), **form)).fit(value, room)


def length(value: Json) -> int:
    """Characters as compact JSON."""
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False))


def test_what_one_does_not_need_goes_to_the_others() -> None:
    """Short fields are whole, long ones share the rest."""
    value = {"a": "x" * 20, "b": "y" * 900, "c": "z" * 900}
    made = shrunk(value, 500)
    assert made["a"] == value["a"]
    assert abs(len(made["b"]) - len(made["c"])) < 8
    assert 450 < length(made) <= 500


def test_an_id_in_a_small_object_needs_no_more_room_than_itself() -> None:
    """With nothing to spare an inner object keeps what it must, however little that is."""
    value = {key: {"id": at, "note": "x" * 60} for at, key in enumerate("abcdef")}
    alone = {key: {"id": at} for at, key in enumerate("abcdef")}
    assert shrunk(value, length(alone) + 1, IDS) == alone


def test_rows_without_an_id_take_no_room_from_those_with_one() -> None:
    """They are one mark, however many they are."""
    value = [*[True] * 60, {"id": 7, "note": "x" * 60}]
    assert shrunk(value, length(["[... 60 items left out ...]", {"id": 7}]) + 12, IDS)[-1] == {
        "id": 7
    }


def test_every_row_gets_a_little_before_one_gets_all() -> None:
    """Breadth: each body is shortened, none is missing."""
    rows = [{"id": n, "body": "word " * 100} for n in range(10)]
    made = shrunk(rows, 2_000)
    assert [row["id"] for row in made] == list(range(10))
    assert all("left out" in row["body"] for row in made)


def test_lists_without_ids_keep_their_ends() -> None:
    """With a count of what is missing."""
    made = shrunk(list(range(1_000)), 200)
    assert (made[0], made[-1]) == (0, 999)
    gap = next(item for item in made if isinstance(item, str))
    assert gap == f"[... {1_001 - len(made):,} items left out ...]"


def test_rows_go_from_the_middle_where_ids_do_not_fit() -> None:
    """First and last stay."""
    made = shrunk([{"id": f"row-{n}"} for n in range(500)], 400, IDS)
    assert (made[0], made[-1]) == ({"id": "row-0"}, {"id": "row-499"})
    assert length(made) <= 400


def test_half_an_id_is_not_an_id() -> None:
    """It is whole or missing."""
    value = {"id": "x" * 200, "text": "t" * 500}
    made = shrunk(value, 120, IDS)
    assert "id" not in made


def test_the_root_keeps_its_small_values() -> None:
    """A total is worth more than the text of a row."""
    value = {"rows": [{"id": n, "body": "b" * 90} for n in range(50)], "total": 50, "more": True}
    made = shrunk(value, 900)
    assert (made["total"], made["more"], len(made["rows"])) == (50, True, 50)


def test_own_words_of_a_failure_are_whole() -> None:
    """However long, if that is asked for."""
    value = {"error": "e" * 400, "rows": ["r" * 50] * 40}
    assert shrunk(value, 600, verbatim=True)["error"] == value["error"]


def test_a_failing_row_still_says_so() -> None:
    """Even where it is one of many."""
    rows = [{"id": n, "error": "no " * 200, "trace": "t" * 2_000} for n in range(4)]
    made = shrunk(rows, 1_400)
    assert all(row["error"].startswith("no ") for row in made)


@pytest.mark.parametrize("value", [{"a": {"b": "c" * 99}}, [["x" * 99]], 10**60])
def test_no_room_is_no_value(value: Json) -> None:
    """Rather than something hollow."""
    assert shrunk(value, 3) is NO_ROOM


def test_what_is_missing_is_named() -> None:
    """So that it can be asked for."""
    value = [{"id": n, "body": "b" * 400, "n": 1} for n in range(20)]
    shrink = Shrink(Outline(value, {}), Form(IDS, (id(value),)))
    shrink.fit(value, 250)
    assert list(shrink.left_out) == ["body", "n"]
