"""The store in memory gives the answers of the stores on disk."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.errors import StoreError
from handrail.protocol.rows import INTENT, OUTCOME
from handrail.runtime.storage import Group, Store
from handrail.stores.memory import CAPACITY, MemoryStore
from handrail.stores.urls import open_store
from store_rows import approval, call, entry, event

Step = Callable[[Group], object]

IDS = st.sampled_from(["a", "b", "c"])
TIMES = st.integers(0, 30).map(float)
USERS = st.sampled_from(["u1", "u2"])
HASHES = st.sampled_from(["h1", "h2"])


def steps() -> st.SearchStrategy[Step]:
    """One thing that can be done in a group."""

    def step(do: Callable[..., object], *given: st.SearchStrategy[Any]) -> st.SearchStrategy[Step]:
        return st.tuples(*given).map(lambda said: lambda rows: do(rows, *said))

    kinds = st.sampled_from(["Proposed", INTENT, OUTCOME])
    small = st.integers(1, 3)
    return st.one_of(
        step(lambda r, n, k, x: r.journal.write([entry(n, k, x)]), small, kinds, IDS),
        step(lambda r, i, t: r.approvals.add(approval(i, expires_at=t)), IDS, TIMES),
        step(
            lambda r, i, u, t, h: r.approvals.decide(i, "approved", by=u, at=t, hash=h),
            IDS, USERS, TIMES, HASHES,
        ),
        step(
            lambda r, i, u, t, h: r.approvals.change(i, {}, by=u, at=t, hash=h, new_hash="h2"),
            IDS, USERS, TIMES, HASHES,
        ),
        step(lambda r, i, t: r.approvals.use(i, at=t), IDS, TIMES),
        step(lambda r, t: r.approvals.expire(t), TIMES),
        step(lambda r, i, n, m: r.budgets.spend("run", i, n, limit=m), IDS, small, small),
        step(lambda r, i, n: r.budgets.refund("run", i, n), IDS, small),
        step(lambda r, i, n: r.calls.admit("run", i, allowed=n), IDS, small),
        step(lambda r, i, m, c: r.calls.settle("run", i, m, counted=c), IDS, IDS, st.booleans()),
        step(lambda r, i: r.calls.release("run", i), IDS),
        step(lambda r: r.calls.changed("run")),
        step(lambda r, i, t, u: r.ledger.append([(i, t, {"user": u})]), IDS, TIMES, USERS),
        step(lambda r, u, n, a: r.ledger.read(user=u, newest_first=n, after=a), USERS,
             st.booleans(), small),
        step(lambda r, i, t: r.events.add([event(i, next_at=t)]), IDS, TIMES),
        step(lambda r, t, n: r.events.claim(t, lease_s=5, limit=n), TIMES, small),
        step(lambda r, i, n: r.events.done(i, attempt=n), IDS, small),
        step(
            lambda r, i, n, t, p: r.events.failed(i, attempt=n, error="e", next_at=t, park=p),
            IDS, small, TIMES, st.booleans(),
        ),
        step(lambda r, i, t: r.events.unpark(i, at=t), IDS, TIMES),
        step(lambda r, i, t: r.documents.create("a", "u", "c", i, {"t": t}, t), IDS, TIMES),
        step(
            lambda r, i, t, v: r.documents.update("a", "u", "c", i, {}, t, if_match=v),
            IDS, TIMES, st.none() | small,
        ),
        step(lambda r, i, v: r.documents.delete("a", "u", "c", i, if_match=v), IDS, small),
    )  # fmt: skip


def contents(store: Store) -> list[object]:
    """Everything that can be read, without the numbers that only a store knows."""
    with store.reading() as rows:
        return [
            [one._replace(number=0) for one in rows.journal.read()],
            [one._replace(number=0) for one in rows.journal.unfinished()],
            rows.approvals.find(status=None),
            rows.budgets.spent("run"),
            [rows.calls.get("run", id) for id in "abc"],
            rows.ledger.read(),
            [one._replace(number=0) for one in rows.events.find()],
            rows.documents.scan("a", "u", "c"),
        ]


def without_numbers(said: object) -> object:
    """An answer as two stores can give it alike."""
    if isinstance(said, list):
        return [one._replace(number=0) if hasattr(one, "attempts") else one for one in said]
    return said


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty store in a file."""
    file = tmp_path_factory.mktemp("empty") / "empty.db"
    open_store(f"sqlite:///{file}").close()
    return file


@settings(max_examples=40)
@given(groups=st.lists(st.tuples(st.lists(steps(), max_size=8), st.booleans()), max_size=6))
def test_memory_and_disk_say_the_same(empty: Path, groups: list[tuple[list[Step], bool]]) -> None:
    """Whatever is done, in whichever groups, and whether a group is kept or dropped."""
    file = shutil.copy(empty, empty.with_name("copy.db"))
    memory, disk = (
        MemoryStore(clock=lambda: 0.0),
        open_store(f"sqlite:///{file}", clock=lambda: 0.0),
    )

    def answers(store: Store, group: list[Step], *, kept: bool) -> list[object]:
        said: list[object] = []
        try:
            with store.group(durable=False) as rows:
                said = [without_numbers(step(rows)) for step in group]
                if not kept:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            pass
        return said

    for group, kept in groups:
        assert answers(memory, group, kept=kept) == answers(disk, group, kept=kept)
        assert contents(memory) == contents(disk)
    disk.close()


def test_it_is_bounded() -> None:
    """The oldest entries go first, and open questions stay."""
    store = MemoryStore()
    assert CAPACITY.max_rows == 10_000
    store.record([entry(1, INTENT, "open")], durable=False)
    for number in range(2_600):
        store.record(call(number * 4, f"c{number}"), durable=False)
    with store.reading() as rows:
        kept = rows.journal.read(limit=20_000)
    assert len(kept) <= 11_001
    assert (kept[0].exchange, kept[-1].exchange) == ("open", "c2599")
    assert "journal" in store.prune()
    with store.reading() as rows:
        assert len(rows.journal.read(limit=20_000)) == 10_001


def test_what_was_written_cannot_be_changed() -> None:
    """Neither by what was given nor by what was read."""
    store, body = MemoryStore(), {"a": [1]}
    with store.group() as rows:
        rows.journal.write([entry(1, body=body)])
        body["a"].append(2)
        rows.journal.read()[0].body["a"].append(3)
        assert rows.journal.read()[0].body == {"a": [1]}


def test_a_closed_one_holds_nothing() -> None:
    """And says so."""
    store = MemoryStore()
    store.record([entry(1)], durable=True)
    store.flush()
    store.close()
    with pytest.raises(StoreError, match="in memory is closed"), store.reading():
        pass
