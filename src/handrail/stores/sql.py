"""The store on disk: a SQLite file, or a Postgres server.

Both speak the same statements; how they begin a transaction is in `handrail.stores.engines`, what
they raise in `handrail.stores.faults`. A store belongs to the process that opened it.
"""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import URL, Connection

from handrail.errors import ProtocolError, StoreError
from handrail.protocol.rows import EntryRow
from handrail.stores.engines import postgres_engine, sqlite_engine
from handrail.stores.faults import store_errors
from handrail.stores.keeping import KEEP_ALL, Redact, Retention, redacted
from handrail.stores.schema import NEWEST, revision, upgrade
from handrail.stores.sql_approvals import SqlApprovals
from handrail.stores.sql_budgets import SqlBudgets, SqlCalls
from handrail.stores.sql_documents import SqlCache, SqlDocuments
from handrail.stores.sql_events import SqlEvents
from handrail.stores.sql_journal import SqlJournal, entry_values
from handrail.stores.sql_ledger import SqlLedger
from handrail.stores.writer import GroupWriter

__all__ = ["SqlGroup", "SqlStore"]

logger = logging.getLogger("handrail.stores")

_PRUNED_EVERY = 10_000
"""Entries written between two looks at the retention."""


class SqlGroup:
    """The tables on one connection, in one transaction; see `handrail.runtime.storage.Group`."""

    __slots__ = (
        "approvals",
        "budgets",
        "cache",
        "calls",
        "documents",
        "events",
        "journal",
        "ledger",
    )

    def __init__(
        self, connection: Connection, redact: Redact | None, clock: Callable[[], float]
    ) -> None:
        self.journal = SqlJournal(connection, redact)
        self.approvals = SqlApprovals(connection)
        self.budgets = SqlBudgets(connection, clock)
        self.calls = SqlCalls(connection, clock)
        self.ledger = SqlLedger(connection)
        self.events = SqlEvents(connection)
        self.documents = SqlDocuments(connection)
        self.cache = SqlCache(connection)


class SqlStore:
    """State in a SQLite file or on a Postgres server. Thread-safe; opened by `open_store`.

    Args:
        url: Where.
        retention: What is deleted by and by.
        redact: What of an entry is kept; see `handrail.stores.keeping.Redact`.
        clock: Seconds since the epoch.
        wait_s: Seconds to wait for a lock, or for a connection.

    Raises:
        StoreError: It cannot be opened, or was written by a later version.
    """

    def __init__(
        self,
        url: URL,
        *,
        retention: Retention = KEEP_ALL,
        redact: Redact | None = None,
        clock: Callable[[], float] = time.time,
        wait_s: float = 10.0,
    ) -> None:
        on_disk = url.get_backend_name() == "sqlite"
        self.place = (url if on_disk else url.set(query={})).render_as_string(hide_password=True)
        self._retention = retention
        self._redact = redact
        self._clock = clock
        self._engine = (sqlite_engine if on_disk else postgres_engine)(url, wait_s=wait_s)
        self._process = os.getpid()
        self._in_group = threading.local()
        self._closed = False
        self._written = 0
        self._writer: GroupWriter[dict[str, Any]] = GroupWriter(self._append, self.place)
        try:
            self._prepare()
        except BaseException:
            self._engine.dispose()
            raise

    def _prepare(self) -> None:
        with self._begun(reads=True) as connection:
            if revision(connection) == NEWEST:
                return
        with self._begun() as connection:
            upgrade(connection, self.place)

    # transactions

    @contextmanager
    def _begun(self, **options: bool) -> Iterator[Connection]:
        """A connection in a transaction, committed at the end."""
        with store_errors(self.place), self._engine.connect() as fresh:
            connection = fresh.execution_options(**options)
            with connection.begin() as transaction:
                yield connection
                with store_errors(self.place, writes="reads" not in options):
                    transaction.commit()

    @contextmanager
    def group(self, *, durable: bool = True) -> Iterator[SqlGroup]:
        """A transaction; see `handrail.runtime.storage.Store.group`.

        Raises:
            ProtocolError: A group is open in this thread already.
            StoreError: The database does not take it; then nothing of it is kept.
        """
        self._check()
        if getattr(self._in_group, "yes", False):
            raise ProtocolError("a group of this store is open in this thread: end it first")
        self._in_group.yes = True
        try:
            with self._begun(durable=durable) as connection:
                yield SqlGroup(connection, self._redact, self._clock)
        finally:
            self._in_group.yes = False

    @contextmanager
    def reading(self) -> Iterator[SqlGroup]:
        """A view for reading, which sees what was committed.

        Raises:
            StoreError: The database does not answer, or something was to be written.
        """
        self._check()
        with self._begun(reads=True) as connection:
            yield SqlGroup(connection, self._redact, self._clock)

    # the journal, in groups

    def record(self, entries: Sequence[EntryRow], *, durable: bool) -> None:
        """Append to the journal; see `handrail.runtime.storage.Store.record`.

        Raises:
            StoreError: They could not be written, or too many wait for a store that cannot write.
        """
        self._check()
        self._writer.put(entry_values(redacted(self._redact, entries)), durable=durable)

    def _append(self, values: list[dict[str, Any]], durable: bool) -> None:  # Any: columns
        if not values:
            return
        with self._begun(durable=durable) as connection:
            SqlJournal(connection, None).insert(values)
        self._written += len(values)
        if self._written >= _PRUNED_EVERY and self._retention != KEEP_ALL:
            self._written = 0
            try:
                self._prune()
            except StoreError as error:  # what was written is written
                logger.warning("Old rows could not be deleted: %s", error)

    def flush(self) -> None:
        """Return once everything recorded so far is on disk.

        Raises:
            StoreError: It could not be written; it still waits.
        """
        self._check()
        self._writer.flush()

    # keeping house

    def prune(self) -> dict[str, int]:
        """Delete what the retention no longer keeps: how many rows of each table.

        Raises:
            StoreError: The database does not take it.
        """
        self._check()
        return self._prune()

    def _prune(self) -> dict[str, int]:
        now = self._clock()
        horizon, most = self._retention.horizon(now), self._retention.max_rows
        gone = {"journal": 0}
        with self._begun(durable=False) as connection:
            rows = SqlGroup(connection, None, self._clock)
            gone["cache"] = rows.cache.prune(now)
            if horizon is not None:
                gone["journal"] = rows.journal.prune(horizon)
                gone["approvals"] = rows.approvals.prune(horizon)
                gone["budgets"] = rows.budgets.prune(horizon)
                gone["calls"] = rows.calls.prune(horizon)
            if most is not None:
                gone["journal"] += rows.journal.shorten(most)
        return {name: count for name, count in gone.items() if count}

    def close(self) -> None:
        """Write what waits, and let go of the connections.

        Raises:
            StoreError: Some entries could not be written.
        """
        if self._closed:
            return
        self._closed = True
        if self._process != os.getpid():
            self._engine.dispose(close=False)
            return
        try:
            self._writer.close()
        finally:
            self._engine.dispose()

    def _check(self) -> None:
        if self._closed:
            raise StoreError(f"{self.place}: the store is closed; open it again")
        if self._process != os.getpid():
            raise StoreError(
                f"{self.place}: the store was opened before this process was forked; open it in "
                "each process"
            )
