"""Documents and cached values of authors' apps, in SQL."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, or_, select, update

from handrail.protocol.rows import DocumentRow
from handrail.stores.dialect import insert_into
from handrail.stores.keeping import from_json, kept_name, to_json
from handrail.stores.tables import CACHE, DOCUMENTS

__all__ = ["SqlCache", "SqlDocuments"]

_COLUMNS = [DOCUMENTS.c[name] for name in DocumentRow._fields]


class SqlDocuments:
    """Documents of authors' apps, on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

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
        values = {
            "app": kept_name(app, "the app"),
            "user": kept_name(user, "the user"),
            "collection": kept_name(collection, "the collection"),
            "id": kept_name(id, "the document id"),
            "version": 1,
            "data": to_json(data, f"document {id!r}"),
            "created_at": at,
            "updated_at": at,
        }
        insert = insert_into(self._connection, DOCUMENTS).values(values).on_conflict_do_nothing()
        return _document(self._connection.execute(insert.returning(*_COLUMNS)).first())

    def get(self, app: str, user: str, collection: str, id: str) -> DocumentRow | None:
        """The document with this id."""
        query = select(*_COLUMNS).where(_is(app, user, collection, id))
        return _document(self._connection.execute(query).first())

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
        changed = update(DOCUMENTS).where(_is(app, user, collection, id, if_match))
        changed = changed.values(
            data=to_json(data, f"document {id!r}"),
            version=DOCUMENTS.c.version + 1,
            updated_at=at,
        )
        return _document(self._connection.execute(changed.returning(*_COLUMNS)).first())

    def delete(
        self, app: str, user: str, collection: str, id: str, *, if_match: int | None = None
    ) -> bool:
        """Whether it was there and is gone."""
        gone = delete(DOCUMENTS).where(_is(app, user, collection, id, if_match))
        return self._connection.execute(gone).rowcount == 1

    def scan(
        self, app: str, user: str, collection: str, *, after: str = "", limit: int = 1000
    ) -> list[DocumentRow]:
        """Documents by id."""
        kept_name(after, "the document id")
        query = select(*_COLUMNS).where(_in(app, user, collection), DOCUMENTS.c.id > after)
        found = self._connection.execute(query.order_by(DOCUMENTS.c.id).limit(limit))
        return [row for row in map(_document, found) if row is not None]

    def count(self, app: str, user: str, collection: str) -> int:
        """How many documents a collection has."""
        query = select(func.count()).select_from(DOCUMENTS).where(_in(app, user, collection))
        return self._connection.execute(query).scalar_one()


def _in(app: str, user: str, collection: str) -> ColumnElement[bool]:
    own = DOCUMENTS.c
    kept_name(app, "the app")
    kept_name(user, "the user")
    kept_name(collection, "the collection")
    return and_(own.app == app, own.user == user, own.collection == collection)


def _is(
    app: str, user: str, collection: str, id: str, version: int | None = None
) -> ColumnElement[bool]:
    kept_name(id, "the document id")
    found = and_(_in(app, user, collection), DOCUMENTS.c.id == id)
    return found if version is None else and_(found, DOCUMENTS.c.version == version)


def _document(row: Row[Any] | None) -> DocumentRow | None:  # Any: values of columns
    return None if row is None else DocumentRow._make(row)._replace(data=from_json(row.data))


class SqlCache:
    """Values that may be forgotten, on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, app: str, user: str, key: str, *, now: float) -> tuple[Any] | None:
        """The value in a tuple of one."""  # Any: JSON value
        fresh = or_(CACHE.c.expires_at.is_(None), CACHE.c.expires_at > now)
        query = select(CACHE.c.value).where(_key(app, user, key), fresh)
        found = self._connection.execute(query).scalar()
        return None if found is None else (from_json(found),)

    def set(
        self, app: str, user: str, key: str, value: object, *, expires_at: float | None
    ) -> None:
        """Keep a JSON value."""
        kept = {
            "value": to_json(value, f"the cached value of {key!r}"),
            "expires_at": expires_at,
        }
        insert = insert_into(self._connection, CACHE).values(
            app=kept_name(app, "the app"),
            user=kept_name(user, "the user"),
            key=kept_name(key, "the cache key"),
            **kept,
        )
        own = [CACHE.c.app, CACHE.c.user, CACHE.c.key]
        self._connection.execute(insert.on_conflict_do_update(index_elements=own, set_=kept))

    def delete(self, app: str, user: str, key: str) -> bool:
        """Whether it was there."""
        return self._connection.execute(delete(CACHE).where(_key(app, user, key))).rowcount == 1

    def prune(self, now: float) -> int:
        """Delete what has expired."""
        return self._connection.execute(delete(CACHE).where(CACHE.c.expires_at <= now)).rowcount


def _key(app: str, user: str, key: str) -> ColumnElement[bool]:
    kept_name(app, "the app")
    kept_name(user, "the user")
    kept_name(key, "the cache key")
    return and_(CACHE.c.app == app, CACHE.c.user == user, CACHE.c.key == key)
