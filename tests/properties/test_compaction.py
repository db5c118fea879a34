"""The laws of compaction, for any JSON value and any budget."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handrail.contract.compact import compact, compact_text
from handrail.contract.telling import Field, fails, field_kind, is_id_value
from handrail.contract.tokens import count_tokens

Json = Any  # Any: JSON value

WORDS = st.sampled_from(["id", "order_id", "name", "note", "status", "error", "valid", "rows", "k"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=200)
    | st.text('abc \n"é\u0301👨‍👩‍👧', max_size=2_000)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=8)
        | st.dictionaries(WORDS | st.text(max_size=8), inner, max_size=6)
    ),
    max_leaves=20,
)
LONG = st.builds(
    lambda word, times: word * times, st.text(min_size=1, max_size=6), st.integers(0, 250)
)
ROWS = st.lists(
    st.fixed_dictionaries(
        {"id": st.integers(0, 10**6) | st.text("ab-1", min_size=1, max_size=12)},
        optional={
            "name": st.text(max_size=30),
            "body": LONG,
            "tags": st.lists(st.text(max_size=8), max_size=5),
            "lines": st.lists(st.fixed_dictionaries({"sku": st.text("S1", min_size=1)})),
        },
    ),
    max_size=30,
)
FILLED = st.recursive(
    SCALARS | LONG,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=6)
        | st.dictionaries(WORDS, inner, min_size=1, max_size=5)
    ),
    max_leaves=15,
)
BUDGETS = st.integers(1, 900)
SHARES = st.integers(1, 110)
"""Budgets in hundredths of what the value takes: most of them are tight."""


def written(value: Json) -> str:
    """Compact JSON, as it is counted."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def budget_of(value: Json, share: int) -> int:
    """So many hundredths of the tokens of a value."""
    return max(1, count_tokens(written(value)) * share // 100)


def by_words(text: str) -> int:
    """A counter that has nothing to do with characters."""
    return len(text.split()) + text.count(",") + text.count('"')


def identifies(key: str, value: Json) -> bool:
    """Whether a field holds an id, or nothing but ids."""
    several = isinstance(value, list) and value and all(map(is_id_value, value))
    return field_kind(key) is Field.ID and bool(several or is_id_value(value))


def ids_of(value: Json) -> Iterator[tuple[str, Json]]:
    """Every id of every row."""
    if isinstance(value, list):
        for item in value:
            yield from ids_of(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if identifies(key, item):
                yield key, item
            else:
                yield from ids_of(item)


MARK = "[... 1,000 items left out ...]"
TOLD = 202
"""Characters that what an object says of its own failure keeps, if it is longer."""


def only_ids(value: Json) -> Json:
    """The reference that the floor is measured by: the ids in their places, what stands before
    them (an inner object's own failure) and what holds the places (a mark, the keys of a map)."""
    if isinstance(value, list):
        made = [only_ids(item) for item in value]
        rows = [item for item in made if item is not None]
        return [*rows, MARK] if rows and len(rows) < len(made) else rows or None
    if not isinstance(value, dict):
        return None
    kept = {}
    is_map = len(value) >= 8 and all(isinstance(item, dict) for item in value.values())
    for key, item in value.items():
        made = item if identifies(key, item) else only_ids(item)
        if field_kind(key) is Field.TELLING and item is not None and fails(value):
            long = len(written(item)) > TOLD
            made = [made, "x" * TOLD] if long else item
        if made is not None or is_map:
            kept[key] = "..." if made is None else made
    return kept or None


def has_empty(value: Json) -> bool:
    """Whether some list or object holds nothing."""
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return not value or any(map(has_empty, inner))


@pytest.mark.parametrize("counter", [None, by_words])
@given(value=VALUES, budget=BUDGETS)
@example(value={"error": "x" * 5_000}, budget=1)
@example(value=["\ud800" * 900], budget=30)
@example(value=["\u1100" * 3_000], budget=200)
@example(value={"_meta": 5, "text": "word " * 900}, budget=60)
def test_any_value_in_any_budget(
    counter: Callable[[str], int] | None, value: Json, budget: int
) -> None:
    """Valid JSON within the budget, the same for the same, and nothing changes the second time."""
    given_text = written(value)
    made = compact(value, budget, counter=counter)
    text = json.dumps(made, separators=(",", ":"), ensure_ascii="\ud800" in given_text)
    smallest = count_tokens(written("..."), counter)
    assert count_tokens(text, counter) <= max(budget, smallest)
    assert json.loads(text) == made
    assert written(value) == given_text
    assert compact(value, budget, counter=counter) == made
    assert compact(made, max(budget, smallest), counter=counter) is made
    if count_tokens(given_text, counter) <= budget:
        assert made is value
    elif isinstance(made, dict):
        assert "_meta" in made or fails(made)


@given(value=ROWS | st.fixed_dictionaries({"rows": ROWS, "k": LONG}) | VALUES, share=SHARES)
@example(value={f"k{n}": {"id": n, "k": "x" * 60} for n in range(40)} | {"k": 1}, share=25)
@example(value=[True, {"k": {"id": "e"}, "name": "x" * 420}], share=48)
@example(value={"k": {"error": "x" * 180, "id": 7}, "note": "x" * 900}, share=30)
@example(value={"order_id": ["e" * 120, "f" * 9], "id": "g" * 90}, share=93)
def test_every_id_is_kept_where_ids_fit(value: Json, share: int) -> None:
    """Measured by a reference of its own, with room for the mark around it."""
    budget = budget_of(value, share)
    if isinstance(value, dict) and fails(value):
        return  # what it says of its failure comes first
    alone = only_ids(value)
    room_for_mark = 160
    if alone is None or len(written(alone)) + room_for_mark > 4 * budget:
        return
    kept = list(ids_of(compact(value, budget)))
    for one in ids_of(value):
        assert one in kept


@given(
    value=st.lists(FILLED, min_size=1) | st.dictionaries(WORDS, FILLED, min_size=1), share=SHARES
)
def test_nothing_that_held_something_looks_empty(value: Json, share: int) -> None:
    """A list is never cut down to no items, nor an object to no fields."""
    made = compact(value, budget_of(value, share))
    assert has_empty(value) or not has_empty(made)


@given(
    payload=st.fixed_dictionaries(
        {"error": st.text(min_size=1, max_size=300)},
        optional={
            "valid": st.just(False),
            "suggestions": st.lists(st.text(max_size=40), max_size=4),
            "rows": ROWS,
            "trace": LONG,
            "echo": LONG,
        },
    ),
    share=SHARES,
)
@example(payload={"error": "0" * 12, "suggestions": [], "rows": [], "echo": "00" * 190}, share=19)
def test_a_failure_never_looks_like_a_success(payload: dict[str, Json], share: int) -> None:
    """Its own words stay as they are wherever they fit; else it still says that it failed."""
    budget = budget_of(payload, share)
    made = compact(payload, budget)
    told = {key: payload[key] for key in ("valid", "error", "suggestions") if key in payload}
    if len(written(told)) + 160 <= 4 * budget:
        assert {key: made[key] for key in told} == told
    assert made == "..." or fails(made)


@given(text=st.text(max_size=3_000) | VALUES.map(written), budget=BUDGETS)
def test_a_text_fits_and_json_stays_json(text: str, budget: int) -> None:
    """Plain text is marked; whatever could be parsed before can be parsed after."""
    made = compact_text(text, budget)
    assert count_tokens(made) <= max(budget, 2)
    if count_tokens(text) <= budget:
        assert made is text
        return
    assert "left out" in made or "..." in made or "_meta" in made or fails(json.loads(made))
    if text[:1] in "[{" and not text.startswith(("{ ", "[ ")):
        try:
            json.loads(text)
        except ValueError:
            return
        json.loads(made)
