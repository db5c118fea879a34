"""Entries of the journal, in SQL."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, exists, select

from handrail.protocol.rows import INTENT, OUTCOME, EntryRow, keepable
from handrail.stores.dialect import insert_into
from handrail.stores.keeping import Redact, from_json, kept_name, redacted, to_json
from handrail.stores.tables import JOURNAL

__all__ = ["SqlJournal", "entry_values"]

_COLUMNS = [JOURNAL.c[name] for name in EntryRow._fields]
_LATER = JOURNAL.alias("later")
_HAS_OUTCOME = exists(
    select(1).where(_LATER.c.exchange == JOURNAL.c.exchange, _LATER.c.kind == OUTCOME)
)
_OPEN = (JOURNAL.c.kind == INTENT) & ~_HAS_OUTCOME


def entry_values(entries: Sequence[EntryRow]) -> list[dict[str, Any]]:  # Any: values of columns
    """The entries as they are inserted.

    Raises:
        StoreError: One holds something that cannot be kept.
    """
    return [
        {
            "id": kept_name(entry.id, "the entry id"),
            "exchange": kept_name(entry.exchange, "the exchange id"),
            "tool": keepable(entry.tool),
            "kind": entry.kind,
            "at": entry.at,
            "version": entry.version,
            "body": to_json(entry.body, f"entry {entry.id!r}"),
        }
        for entry in entries
    ]


class SqlJournal:
    """Entries of the journal, on one connection."""

    def __init__(self, connection: Connection, redact: Redact | None) -> None:
        self._connection = connection
        self._redact = redact

    def write(self, entries: Sequence[EntryRow]) -> None:
        """Append entries."""
        self.insert(entry_values(redacted(self._redact, entries)))

    def insert(self, values: list[dict[str, Any]]) -> None:  # Any: values of columns
        """Append what `entry_values` made."""
        if values:
            insert = insert_into(self._connection, JOURNAL).on_conflict_do_nothing()
            self._connection.execute(insert, values)

    def read(
        self, *, exchange: str | None = None, after: int = 0, limit: int = 1000
    ) -> list[EntryRow]:
        """Entries, oldest first."""
        query = select(*_COLUMNS).where(JOURNAL.c.number > after)
        if exchange is not None:
            query = query.where(JOURNAL.c.exchange == exchange)
        found = self._connection.execute(query.order_by(JOURNAL.c.number).limit(limit))
        return [_entry(row) for row in found]

    def unfinished(self, *, limit: int = 1000) -> list[EntryRow]:
        """Intents without an outcome."""
        query = select(*_COLUMNS).where(_OPEN).order_by(JOURNAL.c.number).limit(limit)
        return [_entry(row) for row in self._connection.execute(query)]

    def prune(self, horizon: float) -> int:
        """Delete what is older."""
        old = delete(JOURNAL).where(JOURNAL.c.at < horizon, ~_OPEN)
        return self._connection.execute(old).rowcount

    def shorten(self, most: int) -> int:
        """Delete the oldest above `most`."""
        descending = select(JOURNAL.c.number).order_by(JOURNAL.c.number.desc())
        last = self._connection.execute(descending.offset(most).limit(1)).scalar()
        if last is None:
            return 0
        return self._connection.execute(
            delete(JOURNAL).where(JOURNAL.c.number <= last, ~_OPEN)
        ).rowcount


def _entry(row: Row[Any]) -> EntryRow:  # Any: values of columns
    entry = EntryRow._make(row)
    return entry._replace(body=from_json(row.body))
