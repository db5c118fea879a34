"""Documents in memory: what every extension has while no store is configured.

Each app and each user has documents of their own. Nothing is shared with a caller: what goes in
and what comes out are copies.
"""

import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any

from handrail.errors import StoreError
from handrail.sdk.cache import MemoryCache
from handrail.sdk.documents import MOST_ROWS, Document, Page
from handrail.sdk.where import Key, Order, matches, read_cursor, written_cursor

__all__ = ["MemoryData", "MemoryDocuments"]

Json = Mapping[str, Any]  # Any: JSON values
Owner = tuple[str, str]


@dataclass(slots=True)
class _Row:
    id: str
    text: str
    number: int
    version: int
    created_at: float
    updated_at: float

    def document(self) -> Document:
        data = json.loads(self.text)
        return Document(self.id, data, self.version, self.created_at, self.updated_at)


class MemoryDocuments:
    """`Documents` in memory; of one owner.

    Args:
        clock: Seconds since the epoch.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._rows: dict[str, dict[str, _Row]] = {}
        self._number = 0
        self._lock = threading.Lock()

    async def create(self, collection: str, data: Json) -> Document:
        """See `Documents.create`."""
        text, now = _text(collection, data), self._clock()
        with self._lock:
            self._number += 1
            row = _Row(os.urandom(16).hex(), text, self._number, 1, now, now)
            self._rows.setdefault(collection, {})[row.id] = row
            return row.document()

    async def get(self, collection: str, id: str) -> Document | None:
        """See `Documents.get`."""
        with self._lock:
            row = self._rows.get(collection, {}).get(id)
            return None if row is None else row.document()

    async def update(
        self, collection: str, id: str, data: Json, *, if_match: int | None = None
    ) -> Document | None:
        """See `Documents.update`."""
        changes = json.loads(_text(collection, data))
        with self._lock:
            row = self._rows.get(collection, {}).get(id)
            if row is None:
                return None
            if if_match is not None and if_match != row.version:
                raise StoreError(
                    f"{collection}/{id} has version {row.version} by now, not {if_match}: read it "
                    "again and repeat the change",
                    reason="conflict",
                )
            row.text = json.dumps({**json.loads(row.text), **changes})
            row.version += 1
            row.updated_at = self._clock()
            return row.document()

    async def delete(self, collection: str, id: str) -> bool:
        """See `Documents.delete`."""
        with self._lock:
            return self._rows.get(collection, {}).pop(id, None) is not None

    async def count(self, collection: str, where: Json | None = None) -> int:
        """See `Documents.count`."""
        with self._lock:
            rows = list(self._rows.get(collection, {}).values())
            return sum(matches(json.loads(row.text), where) for row in rows)

    async def query(
        self,
        collection: str,
        where: Json | None = None,
        order_by: str | Sequence[str] | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page:
        """See `Documents.query`."""
        order = Order(order_by)
        fields = [order_by] if isinstance(order_by, str) else list(order_by or ())
        asked: object = [collection, dict(where or {}), fields]
        with self._lock:
            found = [
                (row.document(), row.number) for row in self._rows.get(collection, {}).values()
            ]
        keyed = [
            (order.key(document.data, number), document)
            for document, number in found
            if matches(document.data, where)
        ]

        def before(one: tuple[Key, Document], other: tuple[Key, Document]) -> int:
            return order.before(one[0], other[0])

        keyed.sort(key=cmp_to_key(before))
        total = len(keyed)
        if cursor is not None:
            last = read_cursor(cursor, asked)
            keyed = [one for one in keyed if order.before(last, one[0]) < 0]
        size = min(max(int(limit), 1), MOST_ROWS)
        page, more = keyed[:size], len(keyed) > size
        ahead = written_cursor(page[-1][0], asked) if more else None
        return Page([document for _, document in page], more, ahead, total)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was stored yet."""
        return not self._number


class MemoryData:
    """Documents and caches of every app and user, in memory.

    Args:
        clock: Seconds since the epoch.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._documents: dict[Owner, MemoryDocuments] = {}
        self._caches: dict[Owner, MemoryCache] = {}

    def documents(self, app_id: str, user_id: str) -> MemoryDocuments:
        """The documents of one user of one app."""
        made = self._documents.get((app_id, user_id))
        if made is None:
            fresh = MemoryDocuments(self._clock)
            made = self._documents.setdefault((app_id, user_id), fresh)
        return made

    def cache(self, app_id: str, user_id: str) -> MemoryCache:
        """The cache of one user of one app."""
        made = self._caches.get((app_id, user_id))
        if made is None:
            made = self._caches.setdefault((app_id, user_id), MemoryCache(self._clock))
        return made

    def move(self, app_id: str, to: str, user_id: str) -> None:
        """Give the documents and the cache of one app to another."""
        if (app_id, user_id) in self._documents:
            self._documents[to, user_id] = self._documents.pop((app_id, user_id))
        if (app_id, user_id) in self._caches:
            self._caches[to, user_id] = self._caches.pop((app_id, user_id))


def _text(collection: str, data: object) -> str:
    """JSON text of a document.

    Raises:
        StoreError: It is none.
    """
    if not isinstance(data, Mapping):
        given = type(data).__name__
        raise StoreError(
            f"a document of {collection!r} must be an object, got {given}", reason="data"
        )
    try:
        return json.dumps(dict(data), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(
            f"a document of {collection!r} cannot be stored as JSON: {error}", reason="data"
        ) from error
