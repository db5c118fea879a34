"""The ledger in SQL: one chain, whoever writes.

The single row of the head is locked from the first append to the end of the transaction, so that
each writer sees the last row of the one before it. Append last in a group, and many rows at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, insert, select, update

from handrail.protocol.ledger import FACETS, LedgerHead, LedgerRow, ledger_row
from handrail.stores.keeping import kept_copy, kept_name
from handrail.stores.tables import LEDGER, LEDGER_HEAD

__all__ = ["SqlLedger"]

_COLUMNS = [LEDGER.c[name] for name in LedgerRow._fields]
_ASKED = 500
"""Ids that one statement asks for; SQLite takes 32,766 values, Postgres 65,535."""


class SqlLedger:
    """The ledger, on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def append(
        self, rows: Sequence[tuple[str, float, Mapping[str, Any]]]
    ) -> list[LedgerRow]:  # Any: JSON values
        """Append to the chain."""
        bodies: dict[str, tuple[float, dict[str, Any]]] = {}  # Any: JSON values
        for id, at, body in rows:
            kept_name(id, "the ledger id")
            bodies.setdefault(id, (at, kept_copy(body, f"the ledger row of {id!r}")))
        if not bodies:
            return []
        locked = select(LEDGER_HEAD.c.number, LEDGER_HEAD.c.hash).with_for_update()
        head = LedgerHead._make(self._connection.execute(locked).one())
        known = self._known(list(bodies))
        written: list[LedgerRow] = []
        for id in bodies:
            if id not in known:
                row = ledger_row(head, id, *bodies[id])
                head = LedgerHead(row.number, row.hash)
                written.append(row)
        if written:
            self._connection.execute(insert(LEDGER), [row._asdict() for row in written])
            self._connection.execute(update(LEDGER_HEAD).values(number=head.number, hash=head.hash))
        return written

    def _known(self, ids: list[str]) -> set[str]:
        known: set[str] = set()
        for start in range(0, len(ids), _ASKED):
            part = LEDGER.c.id.in_(ids[start : start + _ASKED])
            known.update(self._connection.execute(select(LEDGER.c.id).where(part)).scalars())
        return known

    def read(
        self,
        *,
        after: int = 0,
        limit: int = 1000,
        newest_first: bool = False,
        since: float | None = None,
        until: float | None = None,
        **facets: str,
    ) -> list[LedgerRow]:
        """Rows beyond the number `after`."""
        unknown = set(facets) - set(FACETS)
        if unknown:
            raise TypeError(f"no facet of the ledger: {', '.join(sorted(unknown))}")
        number = LEDGER.c.number
        query = select(*_COLUMNS).where(*[LEDGER.c[name] == it for name, it in facets.items()])
        if after:
            query = query.where(number < after if newest_first else number > after)
        if since is not None:
            query = query.where(LEDGER.c.at >= since)
        if until is not None:
            query = query.where(LEDGER.c.at < until)
        query = query.order_by(number.desc() if newest_first else number).limit(limit)
        return [LedgerRow._make(row) for row in self._connection.execute(query)]

    def get(self, id: str) -> LedgerRow | None:
        """The row of one logical call."""
        found = self._connection.execute(select(*_COLUMNS).where(LEDGER.c.id == id)).first()
        return None if found is None else LedgerRow._make(found)

    def head(self) -> LedgerHead:
        """Where the chain ends."""
        query = select(LEDGER_HEAD.c.number, LEDGER_HEAD.c.hash)
        return LedgerHead._make(self._connection.execute(query).one())
