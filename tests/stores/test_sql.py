"""Stores on disk: transactions, opening again, several at once, and what breaks them."""

import multiprocessing
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from handrail.errors import ProtocolError, StoreError
from handrail.protocol.ledger import breaks
from handrail.protocol.rows import INTENT, EntryRow
from handrail.runtime.storage import Store
from handrail.stores.sql import SqlStore
from handrail.stores.urls import open_store
from postgres import Server, private_server
from store_processes import decide, spend_and_append
from store_rows import approval, call, entry, event

Open = Callable[..., Store]


def ids(store: Store) -> list[str]:
    """Of the entries of the journal."""
    with store.reading() as rows:
        return [one.id for one in rows.journal.read()]


def wrote(store: Store, *entries: EntryRow, durable: bool = True) -> None:
    """In a group of their own."""
    with store.group(durable=durable) as rows:
        rows.journal.write(entries)


@pytest.fixture
def on_disk(url: str) -> Iterator[SqlStore]:
    """An open store on disk."""
    store = open_store(url)
    yield store
    store.close()


# ---- transactions, on all three


def test_a_group_is_kept_whole_or_not_at_all(store: Store) -> None:
    """Whatever tables it touched."""

    def interrupted() -> None:
        with store.group() as rows:
            rows.journal.write([entry(2)])
            rows.approvals.decide("a1", "denied", by="u1", at=1.0, hash="h1")
            rows.budgets.spend("run", "calls")
            rows.calls.changed("run")
            rows.events.claim(1.0, lease_s=5)
            rows.documents.delete("notes", "u1", "notes", "n1")
            rows.cache.set("notes", "u1", "k", 2, expires_at=None)
            raise KeyboardInterrupt

    with store.group() as rows:
        rows.journal.write([entry(1)])
        rows.approvals.add(approval())
        rows.events.add([event("e1")])
        rows.documents.create("notes", "u1", "notes", "n1", {}, 1.0)
        rows.cache.set("notes", "u1", "k", 1, expires_at=None)
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with store.reading() as rows:
        assert [one.id for one in rows.journal.read()] == ["x/1"]
        assert rows.approvals.get("a1") == approval()
        assert rows.budgets.spent("run") == {}
        assert [one.attempts for one in rows.events.find()] == [0]
        assert rows.documents.count("notes", "u1", "notes") == 1
        assert rows.cache.get("notes", "u1", "k", now=0.0) == (1,)
    with store.group() as rows:
        assert rows.calls.changed("run") == 1


def test_a_group_does_not_hold_another(store: Store) -> None:
    """It would wait for itself; the outer one goes on."""
    with store.group() as rows:
        with pytest.raises(ProtocolError, match="end it first"), store.group():
            pass
        rows.journal.write([entry(1)])
    assert ids(store) == ["x/1"]


def test_a_closed_store_says_so(opened: Open) -> None:
    """Closing twice is allowed."""
    store = opened()
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"), store.group():
        pass
    with pytest.raises(StoreError, match="closed"), store.reading():
        pass
    with pytest.raises(StoreError, match="closed"):
        store.record([entry(1)], durable=False)


# ---- on disk


def test_what_was_kept_is_there_when_it_is_opened_again(url: str) -> None:
    """Also what nobody waited for, if the store was closed."""
    first = open_store(url)
    wrote(first, entry(1))
    wrote(first, entry(2), durable=False)
    first.record([entry(3)], durable=False)
    first.close()
    second = open_store(url)
    assert ids(second) == ["x/1", "x/2", "x/3"]
    second.close()


def test_a_view_only_reads(on_disk: SqlStore) -> None:
    """Writing in it is refused; writing after it is not."""
    with pytest.raises(StoreError, match="may only"), on_disk.reading() as rows:
        rows.journal.write([entry(1)])
    wrote(on_disk, entry(2))
    assert ids(on_disk) == ["x/2"]


def test_readers_see_what_was_committed_and_never_wait(on_disk: SqlStore) -> None:
    """While a group is open in another thread."""
    wrote(on_disk, entry(1))
    with on_disk.group() as rows:
        rows.journal.write([entry(2)])
        with ThreadPoolExecutor(1) as thread:
            assert thread.submit(ids, on_disk).result(timeout=10) == ["x/1"]
    assert ids(on_disk) == ["x/1", "x/2"]


def test_entries_from_many_threads_are_all_there(on_disk: SqlStore) -> None:
    """Durable ones and others, each thread's in its order."""

    def record(thread: int) -> None:
        for number in range(30):
            one = entry(number, exchange=f"t{thread}")
            on_disk.record([one], durable=number % 10 == 9)

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(record, range(6)))
    for thread in range(6):
        with on_disk.reading() as rows:
            kept = rows.journal.read(exchange=f"t{thread}")
        assert [one.body["n"] for one in kept] == list(range(30))


def test_the_retention_acts_by_itself(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Now and then, while entries are written."""
    monkeypatch.setattr("handrail.stores.sql._PRUNED_EVERY", 10)
    store = open_store(url, max_rows=5)
    for number in range(5):
        store.record(call(number * 4, f"c{number}"), durable=True)
    kept = ids(store)
    assert len(kept) == 13  # 12 rows, then cut to 5, then 8 more
    assert kept[-1] == "c4/19"
    store.close()


# ---- several processes


def in_processes(target: Callable[[str, str], None], url: str, count: int) -> None:
    """Run at once, each in a process of its own."""
    spawn = multiprocessing.get_context("spawn")
    running = [spawn.Process(target=target, args=(url, name)) for name in "abcdefgh"[:count]]
    for one in running:
        one.start()
    for one in running:
        one.join(120)
    assert [one.exitcode for one in running] == [0] * count


def test_processes_share_budgets_and_one_chain(url: str) -> None:
    """Exactly; nothing is lost, nothing is counted twice."""
    store = open_store(url)
    in_processes(spend_and_append, url, 3)
    with store.reading() as rows:
        assert rows.budgets.spent("run") == {"calls": 50}
        assert rows.ledger.head().number == 60
        assert list(breaks(rows.ledger.read(), rows.ledger.head())) == []
    store.close()


def test_of_processes_that_decide_at_once_one_wins(url: str) -> None:
    """On a database that each of them opens as new."""
    store = open_store(url)
    with store.group() as rows:
        rows.approvals.add(approval())
    in_processes(decide, url, 3)
    with store.reading() as rows:
        assert sum(rows.budgets.spent("won").values()) == 1
    store.close()


FORK = """
import os, sys
from handrail.errors import StoreError
from handrail.stores.urls import open_store
store = open_store(sys.argv[1])
child = os.fork()
if child == 0:
    try:
        store.flush()
    except StoreError as error:
        print(error, flush=True)
    store.close()
    os._exit(0)
os.waitpid(child, 0)
with store.group() as rows:
    print(rows.budgets.spend("run", "calls"))
store.close()
"""


def test_a_store_is_opened_in_each_process(url: str) -> None:
    """A forked child must not use its parent's connections, and cannot harm them."""
    command = [sys.executable, "-W", "error", "-c", FORK, url]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    said, spent = done.stdout.splitlines()
    assert said.endswith("before this process was forked; open it in each process")
    assert (spent, done.stderr) == ("1", "")


KILLED = """
import os, signal, sys
from handrail.protocol.rows import EntryRow
from handrail.stores.urls import open_store
store = open_store(sys.argv[1])
row = EntryRow("x/1", "x", "t", "AskTool", 1.0, {})
store.record([row], durable=True)
with store.group() as rows:
    rows.journal.write([row._replace(id="x/2")])
    rows.budgets.spend("run", "calls")
with store.group() as rows:
    rows.journal.write([row._replace(id="x/3")])
    rows.ledger.append([("c1", 1.0, {})])
    rows.budgets.spend("run", "calls")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_was_kept_outlives_a_process_that_was_killed(url: str) -> None:
    """What was not committed is gone whole, and holds up nobody."""
    command = [sys.executable, "-c", KILLED, url]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    store = open_store(url, wait_s=5)
    assert ids(store) == ["x/1", "x/2"]
    with store.group() as rows:
        assert rows.budgets.spend("run", "calls") == 2
        assert [row.number for row in rows.ledger.append([("c1", 1.0, {})])] == [1]
    store.close()


# ---- SQLite that cannot


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a SQLite store can be."""
    return tmp_path / "store.db"


@pytest.fixture
def sqlite(file: Path) -> Iterator[SqlStore]:
    """A SQLite store that holds one entry and waits for nobody."""
    store = open_store(f"sqlite:///{file}", wait_s=0.05)
    wrote(store, entry(1))
    yield store
    store.close()


def test_a_full_disk_is_told_and_reading_goes_on(sqlite: SqlStore) -> None:
    """Nothing is half-written, and writing goes on when there is room."""
    with sqlite._engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        pages = raw.execute("PRAGMA page_count").fetchone()[0]
        raw.execute(f"PRAGMA max_page_count={pages + 2}")
    large = [entry(n, body={"text": "x" * 4000}) for n in range(2, 12)]
    with pytest.raises(StoreError, match=r"store\.db: the disk, .* is full: make room"):
        wrote(sqlite, *large)
    with pytest.raises(StoreError, match="is full"):
        sqlite.record(large, durable=True)
    assert ids(sqlite) == ["x/1"]
    with sqlite._engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        raw.execute("PRAGMA max_page_count=1000000")
    sqlite.record(large, durable=True)
    assert len(ids(sqlite)) == 11


def test_a_locked_database_is_told(sqlite: SqlStore, file: Path) -> None:
    """Reading goes on, and so does writing once the other is done."""
    other = sqlite3.connect(file)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked by another process that writes"):
        wrote(sqlite, entry(2))
    assert ids(sqlite) == ["x/1"]
    other.rollback()
    other.close()
    wrote(sqlite, entry(2))
    assert ids(sqlite) == ["x/1", "x/2"]


def test_a_file_that_is_no_database_is_left_alone(file: Path) -> None:
    """The message says what to do; the file is as it was."""
    file.write_bytes(b"precious notes\n" * 100)
    with pytest.raises(StoreError, match=r"store\.db: the file is no SQLite database: name"):
        open_store(f"sqlite:///{file}")
    assert file.read_bytes() == b"precious notes\n" * 100


def test_a_damaged_file_is_told(file: Path) -> None:
    """When it is read, or when it is opened."""
    store = open_store(f"sqlite:///{file}")
    wrote(store, *[entry(n, body={"text": "x" * 2000}) for n in range(50)])
    store.close()
    with file.open("r+b") as raw:
        raw.seek(4096)
        raw.write(b"\xff" * (file.stat().st_size - 4096))

    def read() -> None:
        damaged = open_store(f"sqlite:///{file}")
        try:
            ids(damaged)
        finally:
            damaged.close()

    with pytest.raises(StoreError, match=r"store\.db: the file is damaged: put a backup"):
        read()


def test_an_error_of_the_block_is_not_taken_for_one_of_the_database(sqlite: SqlStore) -> None:
    """A failing disk of somebody else, for example."""

    def breaks_down() -> None:
        with sqlite.group() as rows:
            rows.journal.write([entry(2)])
            raise OSError("somebody else's disk")

    with pytest.raises(OSError, match="somebody else"):
        breaks_down()
    assert ids(sqlite) == ["x/1"]


# ---- a server that goes away


@pytest.fixture
def own_server(postgres: Server) -> Iterator[Server]:
    """A server to stop; asked for only where there can be one."""
    assert postgres.port
    with private_server() as server:
        yield server


def test_a_server_may_go_and_come_back(own_server: Server) -> None:
    """What was not committed is gone, what nobody waited for is written when it is back."""
    store = open_store(own_server.new_place(), wait_s=2)
    wrote(store, entry(1))
    began, go_on = threading.Event(), threading.Event()

    def interrupted() -> None:
        with store.group() as rows:
            rows.journal.write([entry(2)])
            began.set()
            go_on.wait(30)

    with ThreadPoolExecutor(1) as thread:
        lost = thread.submit(interrupted)
        began.wait(30)
        own_server.stop()
        go_on.set()
        with pytest.raises(StoreError, match="whether the last change was kept is not known"):
            lost.result(timeout=30)
    with pytest.raises(StoreError, match="does not answer: see that it runs"):
        wrote(store, entry(3))
    with pytest.raises(StoreError, match="does not answer"):
        ids(store)
    store.record([entry(4, INTENT)], durable=False)
    own_server.start()
    store.flush()
    wrote(store, entry(5))
    assert ids(store) == ["x/1", "x/4", "x/5"]
    store.close()


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    """Without the password."""
    with pytest.raises(StoreError) as told:
        open_store("postgresql://me:hunter2@127.0.0.1:1/x?application_name=hunter2", wait_s=1)
    assert "me:***@127.0.0.1:1/x: the server does not answer" in str(told.value)
    assert "hunter2" not in str(told.value)


def test_a_database_that_is_not_there_is_told(postgres: Server) -> None:
    """With what to do."""
    with pytest.raises(StoreError, match="there is no such database on the server: create it"):
        open_store(postgres.url("nowhere"))
