"""The journal of every store."""

from collections.abc import Callable
from typing import Any

import pytest

from handrail.errors import StoreError
from handrail.protocol.rows import INTENT, EntryRow
from handrail.runtime.storage import Store
from store_rows import call, entry

Open = Callable[..., Store]


def numbers(entries: list[EntryRow]) -> list[int]:
    """Which entries these are."""
    return [one.body["n"] for one in entries]


def test_entries_come_back_as_they_were_written(store: Store) -> None:
    """In order, with a number, of one exchange or of all, in pages."""
    with store.group() as rows:
        rows.journal.write([entry(1), entry(2, exchange="y"), entry(3)])
    with store.reading() as rows:
        every = rows.journal.read()
        assert [one._replace(number=0) for one in every] == [
            entry(1), entry(2, exchange="y"), entry(3)
        ]  # fmt: skip
        assert every[0].number < every[1].number < every[2].number
        assert numbers(rows.journal.read(exchange="x")) == [1, 3]
        assert numbers(rows.journal.read(after=every[0].number, limit=1)) == [2]


def test_the_same_id_is_written_once(store: Store) -> None:
    """So that whoever does not know whether it was written may write it again."""
    with store.group() as rows:
        rows.journal.write([entry(1)])
    with store.group() as rows:
        rows.journal.write([entry(1), entry(2)])
        assert numbers(rows.journal.read()) == [1, 2]


def test_any_json_comes_back(store: Store) -> None:
    """NUL, lone surrogates, large numbers and deep values are JSON, and no concern of ours."""
    body = {"\0": "\ud800é", "big": 2**80, "deep": [{"a": [None, True, 1.5, ""]}]}
    with store.group() as rows:
        rows.journal.write([entry(1, body=body)])
        (kept,) = rows.journal.read()
    assert kept.body == body


def test_a_tool_name_of_the_models_making_is_kept_readable(store: Store) -> None:
    """A model may call a tool by any text; what no database holds is spelt out."""
    with store.group() as rows:
        rows.journal.write([entry(1)._replace(tool="a\0b\udc80é")])
        assert rows.journal.read()[0].tool == "a\\x00b\\udc80é"


@pytest.mark.parametrize(
    "fields",
    [
        {"body": {"a": object()}},
        {"body": {"a": float("nan")}},
        {"id": "a\0"},
        {"exchange": "\udc80"},
    ],
    ids=["object", "nan", "id", "exchange"],
)
def test_what_cannot_be_kept_is_refused_whole(store: Store, fields: dict[str, Any]) -> None:
    """No row of the group is there afterwards."""
    bad = entry(1)._replace(**fields)
    with pytest.raises(StoreError, match="cannot be kept"), store.group() as rows:
        rows.journal.write([entry(2), bad])
    with pytest.raises(StoreError, match="cannot be kept"):
        store.record([entry(3), bad], durable=False)
    store.flush()
    with store.reading() as rows:
        assert rows.journal.read() == []


def test_an_intent_without_an_outcome_is_unfinished(store: Store) -> None:
    """What ran to its end is not; nor is what never began."""
    with store.group() as rows:
        rows.journal.write([*call(1, "done"), entry(10, exchange="asked")])
        rows.journal.write([entry(11, INTENT, "open"), entry(12, "Started", "open")])
        assert [one.exchange for one in rows.journal.unfinished()] == ["open"]


def test_recorded_entries_are_there_after_a_flush(store: Store) -> None:
    """Durable ones at once, the others soon, all in order."""
    store.record([entry(1), entry(2)], durable=False)
    store.record([entry(3)], durable=True)
    with store.reading() as rows:
        assert numbers(rows.journal.read()) == [1, 2, 3]
    store.record([entry(4)], durable=False)
    store.flush()
    with store.reading() as rows:
        assert numbers(rows.journal.read()) == [1, 2, 3, 4]


def test_the_oldest_go_first(opened: Open) -> None:
    """At most as many as were allowed are left, but for intents that are an open question."""
    store = opened(max_rows=3)
    with store.group() as rows:
        rows.journal.write([entry(1, INTENT, "open"), *call(2, "a"), *call(6, "b")])
    store.prune()
    with store.reading() as rows:
        assert numbers(rows.journal.read()) == [1, 7, 8, 9]


def test_old_entries_go_after_some_days(opened: Open) -> None:
    """Again but for open questions."""
    day = 86_400.0
    store = opened(keep_days=2, clock=lambda: 5 * day)
    with store.group() as rows:
        rows.journal.write([entry(1, at=day), entry(2, INTENT, "open", at=day)])
        rows.journal.write([entry(3, at=3 * day), entry(4, at=4 * day)])
    assert store.prune() == {"journal": 1}
    assert store.prune() == {}
    with store.reading() as rows:
        assert numbers(rows.journal.read()) == [2, 3, 4]


def test_redacted_bodies_are_never_written(opened: Open) -> None:
    """Whichever way an entry comes in."""
    store = opened(redact=lambda one: {"n": one.body["n"] * 10} if one.tool == "search" else None)
    store.record([entry(1), entry(2)._replace(tool="pay")], durable=True)
    with store.group() as rows:
        rows.journal.write([entry(3)])
        assert [one.body for one in rows.journal.read()] == [{"n": 10}, {}, {"n": 30}]
