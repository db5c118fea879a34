"""Events, documents and cached values, in memory. The store's lock is held around every method."""

from collections.abc import Mapping, Sequence
from typing import Any

from handrail.protocol.rows import DocumentRow, EventRow, keepable
from handrail.stores.keeping import from_json, kept_copy, kept_name, to_json
from handrail.stores.table import Table

__all__ = ["MemoryCache", "MemoryDocuments", "MemoryEvents"]


class MemoryEvents:
    """Events on their way."""

    def __init__(self) -> None:
        self.rows: Table[str, EventRow] = Table()
        self._last = 0

    @property
    def tables(self) -> list[Table[Any, Any]]:  # Any: rows of any kind
        """The tables that a transaction puts back."""
        return [self.rows]

    def add(self, events: Sequence[EventRow]) -> None:
        """Events happened."""
        for event in events:
            kept_name(event.id, "the event id")
            kept_name(event.type, "the event type")
            payload = kept_copy(event.payload, f"event {event.id!r}")
            if self.rows.get(event.id) is None:
                self._last += 1
                said = keepable(event.error)
                row = event._replace(payload=payload, number=self._last, error=said)
                self.rows.put(event.id, row)

    def claim(self, now: float, *, lease_s: float, limit: int = 100) -> list[EventRow]:
        """Take events that are due."""
        due = [row for row in self.rows.rows() if not row.parked and row.next_at <= now][:limit]
        taken = [row._replace(attempts=row.attempts + 1, next_at=now + lease_s) for row in due]
        return [_copied(self.rows.put(row.id, row)) for row in taken]

    def done(self, id: str, *, attempt: int) -> bool:
        """An event was delivered."""
        return self._taken(id, attempt) is not None and self.rows.drop(id)

    def failed(
        self, id: str, *, attempt: int, error: str, next_at: float, park: bool = False
    ) -> bool:
        """A delivery failed."""
        row = self._taken(id, attempt)
        if row is None:
            return False
        self.rows.put(id, row._replace(error=keepable(error), next_at=next_at, parked=park))
        return True

    def _taken(self, id: str, attempt: int) -> EventRow | None:
        row = self.rows.get(id)
        return row if row is not None and row.attempts == attempt and not row.parked else None

    def unpark(self, id: str, *, at: float) -> bool:
        """Try a parked event again."""
        row = self.rows.get(id)
        if row is None or not row.parked:
            return False
        self.rows.put(id, row._replace(parked=False, next_at=at))
        return True

    def find(self, *, parked: bool | None = None, limit: int = 1000) -> list[EventRow]:
        """Events that are not delivered."""
        found = [row for row in self.rows.rows() if parked is None or row.parked == parked]
        return [_copied(row) for row in found[:limit]]


def _copied(row: EventRow) -> EventRow:
    return row._replace(payload=kept_copy(row.payload, row.id))


class MemoryDocuments:
    """Documents of authors' apps."""

    def __init__(self) -> None:
        self.rows: Table[tuple[str, str, str, str], DocumentRow] = Table()

    @property
    def tables(self) -> list[Table[Any, Any]]:  # Any: rows of any kind
        """The tables that a transaction puts back."""
        return [self.rows]

    def create(
        self,
        app: str,
        user: str,
        collection: str,
        id: str,
        data: Mapping[str, Any],  # Any: JSON values
        at: float,
    ) -> DocumentRow | None:
        """A new document."""
        key = _document_key(app, user, collection, id)
        fresh = kept_copy(data, f"document {id!r}")
        if self.rows.get(key) is not None:
            return None
        return _copy_of(self.rows.put(key, DocumentRow(*key, 1, fresh, at, at)))

    def get(self, app: str, user: str, collection: str, id: str) -> DocumentRow | None:
        """The document with this id."""
        row = self.rows.get(_document_key(app, user, collection, id))
        return None if row is None else _copy_of(row)

    def update(
        self,
        app: str,
        user: str,
        collection: str,
        id: str,
        data: Mapping[str, Any],  # Any: JSON values
        at: float,
        *,
        if_match: int | None = None,
    ) -> DocumentRow | None:
        """Put other data in place."""
        fresh = kept_copy(data, f"document {id!r}")
        key = _document_key(app, user, collection, id)
        row = self.rows.get(key)
        if row is None or if_match not in (None, row.version):
            return None
        row = row._replace(data=fresh, version=row.version + 1, updated_at=at)
        return _copy_of(self.rows.put(key, row))

    def delete(
        self, app: str, user: str, collection: str, id: str, *, if_match: int | None = None
    ) -> bool:
        """Whether it was there and is gone."""
        key = _document_key(app, user, collection, id)
        row = self.rows.get(key)
        if row is None or if_match not in (None, row.version):
            return False
        return self.rows.drop(key)

    def scan(
        self, app: str, user: str, collection: str, *, after: str = "", limit: int = 1000
    ) -> list[DocumentRow]:
        """Documents by id."""
        of = _document_key(app, user, collection, after)[:3]
        found = [row for key, row in self.rows.items() if key[:3] == of and row.id > after]
        found.sort(key=lambda row: row.id)
        return [_copy_of(row) for row in found[:limit]]

    def count(self, app: str, user: str, collection: str) -> int:
        """How many documents a collection has."""
        of = _document_key(app, user, collection, "")[:3]
        return sum(key[:3] == of for key, _ in self.rows.items())


def _document_key(app: str, user: str, collection: str, id: str) -> tuple[str, str, str, str]:
    return (
        kept_name(app, "the app"),
        kept_name(user, "the user"),
        kept_name(collection, "the collection"),
        kept_name(id, "the document id"),
    )


def _copy_of(row: DocumentRow) -> DocumentRow:
    return row._replace(data=kept_copy(row.data, row.id))


class MemoryCache:
    """Values that may be forgotten."""

    def __init__(self) -> None:
        self.rows: Table[tuple[str, str, str], tuple[str, float | None]] = Table()

    @property
    def tables(self) -> list[Table[Any, Any]]:  # Any: rows of any kind
        """The tables that a transaction puts back."""
        return [self.rows]

    def get(self, app: str, user: str, key: str, *, now: float) -> tuple[Any] | None:
        """The value in a tuple of one."""  # Any: JSON value
        kept = self.rows.get(_cache_key(app, user, key))
        if kept is None or (kept[1] is not None and kept[1] <= now):
            return None
        return (from_json(kept[0]),)

    def set(
        self, app: str, user: str, key: str, value: object, *, expires_at: float | None
    ) -> None:
        """Keep a JSON value."""
        text = to_json(value, f"the cached value of {key!r}")
        self.rows.put(_cache_key(app, user, key), (text, expires_at))

    def delete(self, app: str, user: str, key: str) -> bool:
        """Whether it was there."""
        return self.rows.drop(_cache_key(app, user, key))

    def prune(self, now: float) -> int:
        """Delete what has expired."""
        old = [key for key, (_, end) in self.rows.items() if end is not None and end <= now]
        return sum(self.rows.drop(key) for key in old)


def _cache_key(app: str, user: str, key: str) -> tuple[str, str, str]:
    return kept_name(app, "the app"), kept_name(user, "the user"), kept_name(key, "the cache key")
