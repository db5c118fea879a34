"""What it costs to keep things: appends alone and in groups, budgets, and a long ledger.

    python bench/stores.py [--rows N] URL ... > bench/results/stores.md

Each URL is a store that may be filled, such as ``sqlite:///bench.db`` or
``postgresql://postgres@127.0.0.1/bench``. The store in memory is always measured beside them.
Rates are of wall time, since most of it is waiting for the disk: the figures of two stores on one
machine compare, those of two machines do not.
"""

import argparse
import os
import platform
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count

from sqlalchemy import text

from handrail import Toolbox, ToolCall
from handrail.protocol.ledger import LedgerRow, breaks
from handrail.protocol.rows import INTENT, OUTCOME, EntryRow
from handrail.runtime.storage import Store
from handrail.stores.memory import MemoryStore
from handrail.stores.sql import SqlStore
from handrail.stores.urls import open_store

_ids = count(1)
_RUN = f"{os.getpid()}-{time.time_ns()}"
_PAGE = 10_000


def entries(kinds: tuple[str, ...]) -> list[EntryRow]:
    """The entries of one call, with a body of about 300 bytes each."""
    exchange = f"{_RUN}-{next(_ids)}"
    body = {"arguments": {"customer_id": "C-9921", "page": 1}, "text": "x" * 220}
    return [
        EntryRow(f"{exchange}/{n}", exchange, "search_orders", kind, time.time(), body)
        for n, kind in enumerate(kinds)
    ]


def rate(work: Callable[[], object], times: int, *, rounds: int = 5) -> float:
    """Median of how often `work` runs in a second."""
    rates = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(times):
            work()
        rates.append(times / (time.perf_counter() - start))
    return statistics.median(rates)


def one_by_one(store: Store) -> float:
    """Durable entries a second of one thread: each waits for the disk."""
    return rate(lambda: store.record(entries(("Approved",)), durable=True), 100)


def shared(store: Store, threads: int = 16) -> float:
    """Durable entries a second of many threads, which share commits."""

    def work(_: int) -> None:
        for _ in range(50):
            store.record(entries(("Approved",)), durable=True)

    with ThreadPoolExecutor(threads) as pool:
        return rate(lambda: list(pool.map(work, range(threads))), 1, rounds=3) * threads * 50


def grouped(store: Store) -> float:
    """Entries a second that nobody waits for, until the last is on disk."""

    def work() -> None:
        for _ in range(5_000):
            store.record(entries(("Proposed",)), durable=False)
        store.flush()

    return rate(work, 1) * 5_000


def budgets(store: Store) -> float:
    """Budgets spent a second, each in a durable transaction of its own."""

    def work() -> None:
        with store.group() as rows:
            rows.budgets.spend(_RUN, "calls", limit=10**9)

    return rate(work, 100)


def a_call(store: Store, kinds: tuple[str, ...], durable: tuple[str, ...]) -> float:
    """Microseconds that keeping one call adds."""

    def work() -> None:
        for entry in entries(kinds):
            store.record([entry], durable=entry.kind in durable)

    return 1e6 / rate(work, 200)


def memory_only() -> float:
    """Microseconds of a valid call whose journal is in memory."""
    box = Toolbox()

    @box.tool(action_type="read", max_identical=10_000)
    def search_orders(customer_id: str, page: int = 1) -> dict[str, int]:
        """List the orders of a customer."""
        return {"page": page}

    pages = count(1)

    def work() -> None:
        with box.turn() as turn:
            turn.answer_sync(
                ToolCall("c", "search_orders", {"customer_id": "C", "page": next(pages)})
            )

    return 1e6 / rate(work, 2_000)


# ---- the ledger


def bodies(first: int, last: int) -> list[tuple[str, float, dict[str, object]]]:
    """Rows of the ledger, as large as those of a call."""
    return [
        (
            f"{_RUN}-{n}",
            1_700_000_000.0 + n,
            {
                "user": f"u{n % 1000}", "app": "shop", "tool": f"tool_{n % 50}", "status": "ok",
                "action_type": "write", "attempts": 1, "duration_ms": 12.5, "outcome": "no_retry",
                "arguments": {"customer_id": "C-9921", "page": 1}, "summary": "x" * 80,
            },
        )
        for n in range(first, last)
    ]  # fmt: skip


def fill(store: Store, rows: int, batch: int = 1_000) -> float:
    """Rows a second that are appended, so many in a group."""
    start = time.perf_counter()
    for first in range(0, rows, batch):
        with store.group(durable=False) as group:
            group.ledger.append(bodies(first, min(first + batch, rows)))
    return rows / (time.perf_counter() - start)


def pages(store: Store) -> Iterator[LedgerRow]:
    """The whole ledger, page by page."""
    last = 0
    while True:
        with store.reading() as group:
            page = group.ledger.read(after=last, limit=_PAGE)
        if not page:
            return
        yield from page
        last = page[-1].number


def verified(store: Store) -> float:
    """Rows a second whose chain is proved."""
    with store.reading() as group:
        head = group.ledger.head()
    start = time.perf_counter()
    if found := list(breaks(pages(store), head)):
        raise SystemExit(f"the chain does not hold: {found[:3]}")
    return head.number / (time.perf_counter() - start)


def listed(store: Store, **facets: str) -> float:
    """Milliseconds until the newest 50 rows are there."""

    def work() -> None:
        with store.reading() as group:
            group.ledger.read(newest_first=True, limit=50, **facets)

    return 1e3 / rate(work, 20)


def bytes_a_row(store: SqlStore, rows: int) -> float:
    """Bytes on disk of one row of the ledger, its indexes included."""
    with store._begun(reads=True) as connection:
        if connection.dialect.name == "postgresql":
            size = connection.execute(text("SELECT pg_total_relation_size('handrail_ledger')"))
        else:
            size = connection.execute(
                text("SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'handrail_ledger%'"
                     " OR name LIKE 'sqlite_autoindex_handrail_ledger%'")
            )  # fmt: skip
        return float(size.scalar_one()) / rows


# ---- the page


def appends(name: str, store: Store) -> str:
    """The line of one store in the first table."""
    write, read = ("Proposed", INTENT, "Returned", OUTCOME), ("Proposed", INTENT, OUTCOME)
    figures = [
        one_by_one(store),
        shared(store),
        grouped(store),
        budgets(store),
        a_call(store, read, ()),
        a_call(store, write, (INTENT, OUTCOME)),
    ]
    store.flush()
    return f"| {name} | " + " | ".join(f"{one:,.0f}" for one in figures) + " |"


def ledger(name: str, store: SqlStore, rows: int) -> str:
    """The line of one store in the second table."""
    figures = [f"{fill(store, rows):,.0f}", f"{verified(store):,.0f}"]
    figures += [f"{listed(store):.2f}", f"{listed(store, user='u7'):.2f}"]
    figures += [f"{listed(store, app='shop', status='failed'):.1f}"]
    figures += [f"{bytes_a_row(store, rows):,.0f}"]
    return f"| {name} | {rows:,} | " + " | ".join(figures) + " |"


HEAD = """# What the stores cost

Written by `bench/stores.py` on {date}; {machine}, {cores} cores, Python {python}, SQLite {sqlite}.
Rates of wall time on a machine that did other things too: compare the lines with each other.

## Appending

Entries of 300 bytes. *Durable*: each returns when it is on disk. *Shared*: 16 threads, whose
durable entries share commits. *Grouped*: nobody waits. *Budgets*: one atomic statement in a
durable transaction. The last two columns are what keeping a call adds for the caller: a read
(three entries, none waited for), a write (four entries, intent and outcome durable). A valid call
with its journal in memory takes {call:,.0f} µs.

| store | durable/s | shared/s | grouped/s | budgets/s | read adds µs | write adds µs |
|---|---|---|---|---|---|---|"""

LEDGER = """
## The ledger

Rows of about 350 bytes of JSON, 1,000 in a group. The newest 50 of all, of one user, and of a
status that no row has, for which every row is read.

| store | rows | append/s | verify/s | newest, ms | of a user, ms | of no row, ms | bytes a row |
|---|---|---|---|---|---|---|---|"""


def main() -> None:
    """Print the page."""
    said = argparse.ArgumentParser()
    said.add_argument("urls", nargs="*")
    said.add_argument("--rows", type=int, default=1_000_000)
    chosen = said.parse_args()
    stores = {url.partition(":")[0]: open_store(url) for url in chosen.urls}
    print(
        HEAD.format(
            date=time.strftime("%Y-%m-%d"), machine=platform.machine(), cores=os.cpu_count(),
            python=platform.python_version(), sqlite=sqlite3.sqlite_version, call=memory_only(),
        )
    )  # fmt: skip
    print(appends("memory", MemoryStore()), flush=True)
    for name, store in stores.items():
        print(appends(name, store), flush=True)
    print(LEDGER)
    for name, store in stores.items():
        print(ledger(name, store, chosen.rows), flush=True)
        store.close()


if __name__ == "__main__":
    main()
