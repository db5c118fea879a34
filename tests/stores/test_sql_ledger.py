"""The ledger of every store."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from handrail.errors import StoreError
from handrail.protocol.ledger import GENESIS, LedgerHead, breaks
from handrail.runtime.storage import Store


def appended(store: Store, *ids: str) -> None:
    """Rows with these ids, which name tool and user."""
    bodies = [
        (id, float(n), {"tool": id[0], "user": "u1", "note": "é"}) for n, id in enumerate(ids)
    ]
    with store.group() as rows:
        rows.ledger.append(bodies)


def whole(store: Store) -> bool:
    """Whether the chain holds."""
    with store.reading() as rows:
        return list(breaks(rows.ledger.read(), rows.ledger.head())) == []


def test_rows_are_one_chain(store: Store) -> None:
    """Over several groups; each id has one row, the first."""
    with store.reading() as rows:
        assert rows.ledger.head() == LedgerHead(0, GENESIS)
    appended(store, "a1", "b1", "a1")
    appended(store, "b1", "c1")
    with store.reading() as rows:
        every = rows.ledger.read()
        assert [(row.number, row.id) for row in every] == [(1, "a1"), (2, "b1"), (3, "c1")]
        assert every[0].body == {"tool": "a", "user": "u1", "note": "é", "id": "a1", "at": 0.0}
        assert rows.ledger.head() == LedgerHead(3, every[2].hash)
        assert (rows.ledger.get("b1"), rows.ledger.get("x")) == (every[1], None)
    assert whole(store)


def test_rows_are_found_and_paged(store: Store) -> None:
    """By what they say, by time, from either end."""
    appended(store, "a1", "b1", "a2", "b2", "a3")
    with store.reading() as rows:
        read = rows.ledger.read
        assert [row.id for row in read(tool="a")] == ["a1", "a2", "a3"]
        assert [row.id for row in read(tool="a", user="u1", after=1, limit=1)] == ["a2"]
        assert [row.id for row in read(user="u2")] == []
        assert [row.id for row in read(newest_first=True, limit=2)] == ["a3", "b2"]
        assert [row.id for row in read(newest_first=True, after=4, limit=2)] == ["a2", "b1"]
        assert [row.id for row in read(since=1.0, until=3.0)] == ["b1", "a2"]
        with pytest.raises(TypeError, match="colour"):
            read(colour="red")


def test_a_group_that_raises_leaves_the_chain_alone(store: Store) -> None:
    """The next row follows the last that was kept."""
    appended(store, "a1")

    def interrupted() -> None:
        with store.group() as rows:
            rows.ledger.append([("b1", 1.0, {})])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with pytest.raises(StoreError, match="'c1'"), store.group() as rows:
        rows.ledger.append([("c0", 1.0, {}), ("c1", 1.0, {"data": object()})])
    appended(store, "d1")
    with store.reading() as rows:
        assert [row.id for row in rows.ledger.read()] == ["a1", "d1"]
    assert whole(store)


def test_concurrent_writers_keep_one_chain(store: Store) -> None:
    """Every row is there, and the chain holds."""
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda n: appended(store, f"a{n}", f"b{n}"), range(25)))
    with store.reading() as rows:
        assert rows.ledger.head().number == 50
    assert whole(store)


def test_what_a_model_said_does_not_break_it(store: Store) -> None:
    """What no database holds is spelt out where rows are found by it, and whole in the body."""
    with store.group() as rows:
        (row,) = rows.ledger.append([("a", 1.0, {"tool": "x\0\ud800"})])
    assert (row.tool, row.body["tool"]) == ("x\\x00\\ud800", "x\0\ud800")
    assert whole(store)
