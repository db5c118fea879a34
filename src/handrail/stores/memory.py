"""The store in memory: the same answers as on disk, and gone with the process.

One lock stands for the transaction. Each change notes how it is undone, so that a group which
raises leaves nothing behind. Rows are kept as JSON text, like on disk: nobody can change what
was written by changing what was given.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from handrail.errors import ProtocolError, StoreError
from handrail.protocol.rows import EntryRow
from handrail.stores.keeping import Redact, Retention
from handrail.stores.memory_calls import (
    MemoryApprovals,
    MemoryBudgets,
    MemoryCalls,
    MemoryJournal,
    MemoryLedger,
)
from handrail.stores.memory_data import MemoryCache, MemoryDocuments, MemoryEvents
from handrail.stores.table import Table

__all__ = ["CAPACITY", "MemoryGroup", "MemoryStore"]

CAPACITY = Retention(max_rows=10_000)
"""Entries of the journal that are kept unless something else is said."""


class MemoryGroup:
    """The tables of one store in memory; see `handrail.runtime.storage.Group`."""

    def __init__(self, redact: Redact | None, clock: Callable[[], float]) -> None:
        self.journal = MemoryJournal(redact)
        self.approvals = MemoryApprovals()
        self.budgets = MemoryBudgets(clock)
        self.calls = MemoryCalls(clock)
        self.ledger = MemoryLedger()
        self.events = MemoryEvents()
        self.documents = MemoryDocuments()
        self.cache = MemoryCache()

    @property
    def tables(self) -> list[Table[Any, Any]]:  # Any: rows of any kind
        """Every table of the store."""
        return [
            *self.journal.tables,
            *self.approvals.tables,
            *self.budgets.tables,
            *self.calls.tables,
            *self.ledger.tables,
            *self.events.tables,
            *self.documents.tables,
            *self.cache.tables,
        ]


class MemoryStore:
    """State in memory, bounded.

    Args:
        retention: What is deleted by and by.
        redact: What of an entry is kept; see `handrail.stores.keeping.Redact`.
        clock: Seconds since the epoch.
    """

    def __init__(
        self,
        *,
        retention: Retention = CAPACITY,
        redact: Redact | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._retention = retention
        self._redact = redact
        self._clock = clock
        self._lock = threading.RLock()
        self._busy = False
        self._closed = False
        self._shorten_at = (retention.max_rows or 0) * 11 // 10
        self._rows = MemoryGroup(redact, clock)

    @contextmanager
    def group(self, *, durable: bool = True) -> Iterator[MemoryGroup]:
        """A transaction; `durable` makes no difference here.

        Raises:
            ProtocolError: A group is open in this thread already.
            StoreError: The store is closed.
        """
        with self._lock:
            self._check()
            if self._busy:
                raise ProtocolError("a group of this store is open in this thread: end it first")
            self._busy = True
            try:
                yield self._rows
                self._bound()
            except BaseException:
                for table in self._rows.tables:
                    table.undo()
                raise
            finally:
                self._busy = False
                for table in self._rows.tables:
                    table.keep()

    @contextmanager
    def reading(self) -> Iterator[MemoryGroup]:
        """A view for reading.

        Raises:
            StoreError: The store is closed.
        """
        with self._lock:
            self._check()
            yield self._rows

    def record(self, entries: Sequence[EntryRow], *, durable: bool) -> None:
        """Append to the journal."""
        with self.group(durable=durable) as rows:
            rows.journal.write(entries)

    def flush(self) -> None:
        """Nothing waits here."""

    def _bound(self) -> None:
        """Shorten the journal now and then: each time costs a look at every entry."""
        most = self._retention.max_rows
        if most is not None and len(self._rows.journal.rows) > self._shorten_at:
            self._rows.journal.shorten(most)
            self._shorten_at = len(self._rows.journal.rows) + most // 10

    def prune(self) -> dict[str, int]:
        """Delete what the retention no longer keeps."""
        now = self._clock()
        horizon = self._retention.horizon(now)
        with self.group() as rows:
            gone = {"cache": rows.cache.prune(now), "journal": 0}
            if horizon is not None:
                gone["journal"] = rows.journal.prune(horizon)
                gone["approvals"] = rows.approvals.prune(horizon)
                gone["budgets"] = rows.budgets.prune(horizon)
                gone["calls"] = rows.calls.prune(horizon)
            if self._retention.max_rows is not None:
                gone["journal"] += rows.journal.shorten(self._retention.max_rows)
        return {name: count for name, count in gone.items() if count}

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            self._closed = True
            self._rows = MemoryGroup(self._redact, self._clock)

    def _check(self) -> None:
        if self._closed:
            raise StoreError("the store in memory is closed; make a new one")
