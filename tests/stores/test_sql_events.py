"""The events of every store."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from handrail.errors import StoreError
from handrail.protocol.rows import EventRow
from handrail.runtime.storage import Store
from store_rows import event


def added(store: Store, *ids: str) -> None:
    """Events that are due."""
    with store.group() as rows:
        rows.events.add([event(id) for id in ids])


def test_an_event_is_leased_and_done(store: Store) -> None:
    """Oldest first; the same id is added once, and nobody else gets what is leased."""
    added(store, "e1", "e2", "e1")
    with store.group() as rows:
        (first,) = rows.events.claim(10.0, lease_s=5, limit=1)
        assert first._replace(number=0) == event("e1", attempts=1, next_at=15.0)
        assert [one.id for one in rows.events.claim(10.0, lease_s=5)] == ["e2"]
        assert rows.events.claim(14.9, lease_s=5) == []
        assert rows.events.done("e1", attempt=1) is True
        assert rows.events.done("e1", attempt=1) is False
        assert [one.id for one in rows.events.find()] == ["e2"]


def test_a_lost_lease_is_due_again(store: Store) -> None:
    """Its first holder can no longer end it."""
    added(store, "e1")
    with store.group() as rows:
        rows.events.claim(10.0, lease_s=5)
        (again,) = rows.events.claim(15.0, lease_s=5)
        assert again.attempts == 2
        assert rows.events.done("e1", attempt=1) is False
        assert rows.events.failed("e1", attempt=1, error="late", next_at=0.0) is False
        assert rows.events.done("e1", attempt=2) is True


def test_a_failure_is_tried_again_or_parked(store: Store) -> None:
    """A parked one is seen, and is not tried until somebody says so."""
    added(store, "e1", "e2")
    with store.group() as rows:
        rows.events.claim(10.0, lease_s=5)
        assert rows.events.failed("e1", attempt=1, error="no\0", next_at=60.0)
        assert rows.events.failed("e2", attempt=1, error="bad", next_at=60.0, park=True)
        assert rows.events.done("e2", attempt=1) is False
        assert [one.error for one in rows.events.find(parked=False)] == ["no\\x00"]
        assert [one.id for one in rows.events.find(parked=True)] == ["e2"]
        assert rows.events.claim(59.0, lease_s=5) == []
        assert [one.id for one in rows.events.claim(60.0, lease_s=5)] == ["e1"]
        assert rows.events.unpark("e1", at=0.0) is False
        assert rows.events.unpark("e2", at=0.0) is True
        assert [one.attempts for one in rows.events.claim(60.0, lease_s=5)] == [2]


def test_each_event_is_claimed_by_one_of_many(store: Store) -> None:
    """From several threads; what one takes no other sees."""
    added(store, *[f"e{n}" for n in range(60)])

    def claim(_: int) -> list[str]:
        with store.group(durable=False) as rows:
            return [one.id for one in rows.events.claim(1.0, lease_s=60, limit=4)]

    with ThreadPoolExecutor(8) as threads:
        taken = [id for ids in threads.map(claim, range(40)) for id in ids]
    assert sorted(taken) == sorted(f"e{n}" for n in range(60))


def test_an_event_and_a_ledger_row_are_kept_together(store: Store) -> None:
    """Or not at all."""

    def ended(*events: EventRow) -> None:
        with store.group() as rows:
            rows.ledger.append([("c1", 1.0, {})])
            rows.events.add(events)

    with pytest.raises(StoreError, match="'e2'"):
        ended(event("e1"), event("e2", payload={"a": object()}))
    with store.reading() as rows:
        assert (rows.ledger.read(), rows.events.find()) == ([], [])
