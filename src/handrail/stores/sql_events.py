"""Events on their way, in SQL. A claim is a lease: what its holder never ends is due again."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, select, update

from handrail.protocol.rows import EventRow, keepable
from handrail.stores.dialect import insert_into
from handrail.stores.keeping import from_json, kept_name, to_json
from handrail.stores.tables import EVENTS

__all__ = ["SqlEvents"]

_COLUMNS = [EVENTS.c[name] for name in EventRow._fields]


class SqlEvents:
    """Events on their way, on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, events: Sequence[EventRow]) -> None:
        """Events happened."""
        values = [_values(event) for event in events]
        if values:
            insert = insert_into(self._connection, EVENTS).on_conflict_do_nothing()
            self._connection.execute(insert, values)

    def claim(self, now: float, *, lease_s: float, limit: int = 100) -> list[EventRow]:
        """Take events that are due."""
        due = select(EVENTS.c.number).where(EVENTS.c.parked.is_(False), EVENTS.c.next_at <= now)
        due = due.order_by(EVENTS.c.number).limit(limit).with_for_update(skip_locked=True)
        # a common table is evaluated once, so that no more rows are locked than were asked for
        taken = update(EVENTS).where(EVENTS.c.number.in_(select(due.cte("due").c.number)))
        taken = taken.values(attempts=EVENTS.c.attempts + 1, next_at=now + lease_s)
        rows = [_event(row) for row in self._connection.execute(taken.returning(*_COLUMNS))]
        return sorted(rows, key=lambda row: row.number)

    def done(self, id: str, *, attempt: int) -> bool:
        """An event was delivered."""
        return self._connection.execute(delete(EVENTS).where(_taken(id, attempt))).rowcount == 1

    def failed(
        self, id: str, *, attempt: int, error: str, next_at: float, park: bool = False
    ) -> bool:
        """A delivery failed."""
        failed = update(EVENTS).where(_taken(id, attempt))
        failed = failed.values(error=keepable(error), next_at=next_at, parked=park)
        return self._connection.execute(failed).rowcount == 1

    def unpark(self, id: str, *, at: float) -> bool:
        """Try a parked event again."""
        parked = update(EVENTS).where(EVENTS.c.id == id, EVENTS.c.parked.is_(True))
        return self._connection.execute(parked.values(parked=False, next_at=at)).rowcount == 1

    def find(self, *, parked: bool | None = None, limit: int = 1000) -> list[EventRow]:
        """Events that are not delivered."""
        query = select(*_COLUMNS)
        if parked is not None:
            query = query.where(EVENTS.c.parked.is_(parked))
        found = self._connection.execute(query.order_by(EVENTS.c.number).limit(limit))
        return [_event(row) for row in found]


def _values(event: EventRow) -> dict[str, Any]:  # Any: values of columns
    values = event._asdict()
    del values["number"]
    return values | {
        "id": kept_name(event.id, "the event id"),
        "type": kept_name(event.type, "the event type"),
        "payload": to_json(event.payload, f"event {event.id!r}"),
        "error": keepable(event.error),
    }


def _taken(id: str, attempt: int) -> ColumnElement[bool]:
    own = EVENTS.c
    return and_(own.id == id, own.attempts == attempt, own.parked.is_(False))


def _event(row: Row[Any]) -> EventRow:  # Any: values of columns
    return EventRow._make(row)._replace(payload=from_json(row.payload))
