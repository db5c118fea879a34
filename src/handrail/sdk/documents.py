"""``ctx.store``: the documents of one app and one user, and what every store of them promises.

Each store behind it passes the same tests (`tests/sdk/test_documents.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["MOST_ROWS", "Document", "Documents", "Page"]

MOST_ROWS = 1_000
"""Documents of one page."""

Json = Mapping[str, Any]  # Any: JSON values


@dataclass(frozen=True, slots=True)
class Document:
    """A stored document.

    Attributes:
        id: Made by the store.
        data: A JSON object of its own: changing it changes nothing that is stored.
        version: From 1, one higher with each update; what ``if_match`` compares.
        created_at: Seconds since the epoch.
        updated_at: Seconds since the epoch.
    """

    id: str
    data: dict[str, Any]  # Any: JSON values
    version: int
    created_at: float
    updated_at: float


@dataclass(frozen=True, slots=True)
class Page:
    """Documents that a query found.

    Attributes:
        data: In order.
        has_more: Whether there are further ones.
        cursor: Asks for them: ``query(..., cursor=page.cursor)``; None where there are none.
        total: How many match in all.
    """

    data: list[Document]
    has_more: bool
    cursor: str | None
    total: int


class Documents(Protocol):
    """Documents in named collections, of one app and one user; nobody else sees them."""

    async def create(self, collection: str, data: Json) -> Document:
        """Store a new document.

        Raises:
            StoreError: `data` is not a JSON object (reason ``data``).
        """
        ...

    async def get(self, collection: str, id: str) -> Document | None:
        """A document; None if there is none of this id."""
        ...

    async def update(
        self, collection: str, id: str, data: Json, *, if_match: int | None = None
    ) -> Document | None:
        """Put fields of `data` in place of those of the same name; the others stay.

        Args:
            collection: Name of the collection.
            id: Id of the document.
            data: The fields.
            if_match: Only if the document still has this version.

        Returns:
            The document as it is now; None if there is none of this id.

        Raises:
            StoreError: It has another version by now (reason ``conflict``), or `data` is not a
                JSON object (``data``).
        """
        ...

    async def delete(self, collection: str, id: str) -> bool:
        """Remove a document; whether there was one."""
        ...

    async def count(self, collection: str, where: Json | None = None) -> int:
        """How many documents match; see `query`."""
        ...

    async def query(
        self,
        collection: str,
        where: Json | None = None,
        order_by: str | Sequence[str] | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page:
        """Documents that match, a page at a time.

        Args:
            collection: Name of the collection.
            where: Field and value, all of which must hold; ``a.b`` is a field inside a field. A
                mapping of operators compares otherwise: ``{"n": {"$gte": 3, "$lt": 9}}``; known
                are ``$ne $in $gt $gte $lt $lte $contains $exists``.
            order_by: Field, or several; a minus before it turns the order round. Documents that
                are equal in it, and all without it, come in the order of their creation.
            limit: Documents of the page, 1 to 1,000; what is outside is read as the nearest.
            cursor: That of the page before, of the same query.

        Raises:
            StoreError: The cursor is none of this query (reason ``cursor``).
            ConfigError: An operator is unknown.
        """
        ...
