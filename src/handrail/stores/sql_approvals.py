"""Calls that wait for a human, in SQL. Whoever changes a row's status first has won it."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Update, and_, delete, or_, select, update

from handrail.protocol.rows import ApprovalRow, ApprovalStatus, keepable
from handrail.stores.dialect import insert_into
from handrail.stores.keeping import from_json, kept_name, to_json
from handrail.stores.tables import APPROVALS

__all__ = ["SqlApprovals"]

_OWN = APPROVALS.c
_COLUMNS = [_OWN["owner" if name == "user" else name] for name in ApprovalRow._fields]


class SqlApprovals:
    """Calls that wait for a human, on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, row: ApprovalRow) -> bool:
        """A call begins to wait."""
        what = f"approval {row.id!r}"
        values = row._asdict()
        values["owner"] = values.pop("user")
        values |= {
            "id": kept_name(row.id, "the approval id"),
            "arguments": to_json(row.arguments, f"the arguments of {what}"),
            "slot": to_json(row.slot, what),
            "turn_key": kept_name(row.turn_key, "the turn key"),
        }
        kept_name(row.user or "", "the user")
        insert = insert_into(self._connection, APPROVALS).values(values)
        added = insert.on_conflict_do_nothing().returning(_OWN.id)
        return self._connection.execute(added).first() is not None

    def get(self, id: str) -> ApprovalRow | None:
        """The approval with this id."""
        kept_name(id, "the approval id")
        found = self._connection.execute(select(*_COLUMNS).where(_OWN.id == id)).first()
        return None if found is None else _approval(found)

    def find(
        self,
        *,
        user: str | None = None,
        status: ApprovalStatus | None = "pending",
        hash: str | None = None,
        limit: int = 1000,
    ) -> list[ApprovalRow]:
        """Approvals, oldest first."""
        query = select(*_COLUMNS)
        if user is not None:
            kept_name(user, "the user")
            query = query.where(or_(_OWN.owner == user, _OWN.owner.is_(None)))
        if status is not None:
            query = query.where(_OWN.status == status)
        if hash is not None:
            query = query.where(_OWN.hash == hash)
        found = self._connection.execute(query.order_by(_OWN.created_at, _OWN.id).limit(limit))
        return [_approval(row) for row in found]

    def decide(
        self, id: str, status: ApprovalStatus, *, by: str, at: float, hash: str, reason: str = ""
    ) -> ApprovalRow | None:
        """Approve or deny, once."""
        changed = update(APPROVALS).where(_is_open(id, by, at, hash))
        said = {"decided_at": at, "decided_by": by, "reason": keepable(reason)}
        return self._won(changed.values(status=status, **said))

    def change(
        self,
        id: str,
        arguments: Mapping[str, Any],  # Any: JSON values
        *,
        by: str,
        at: float,
        hash: str,
        new_hash: str,
    ) -> ApprovalRow | None:
        """Put other arguments on a pending approval."""
        text = to_json(arguments, f"the arguments of approval {id!r}")
        changed = update(APPROVALS).where(_is_open(id, by, at, hash))
        return self._won(changed.values(arguments=text, hash=new_hash))

    def use(self, id: str, *, at: float) -> ApprovalRow | None:
        """Take an approved call to run it, once."""
        kept_name(id, "the approval id")
        taken = update(APPROVALS).where(_OWN.id == id, _OWN.status == "approved")
        return self._won(taken.values(status="used", decided_at=at))

    def expire(self, now: float) -> list[ApprovalRow]:
        """Close what nobody decided in time."""
        late = update(APPROVALS).where(_OWN.status == "pending", _OWN.expires_at < now)
        closed = late.values(status="expired", decided_at=now).returning(*_COLUMNS)
        rows = [_approval(row) for row in self._connection.execute(closed)]
        return sorted(rows, key=lambda row: (row.created_at, row.id))

    def _won(self, changed: Update) -> ApprovalRow | None:
        found = self._connection.execute(changed.returning(*_COLUMNS)).first()
        return None if found is None else _approval(found)

    def prune(self, horizon: float) -> int:
        """Delete decided approvals that are older."""
        decided = _OWN.status.in_(["denied", "expired", "used"])
        old = delete(APPROVALS).where(decided, _OWN.decided_at < horizon)
        return self._connection.execute(old).rowcount


def _is_open(id: str, by: str, at: float, hash: str) -> ColumnElement[bool]:
    kept_name(id, "the approval id")
    kept_name(by, "the user")
    return and_(
        _OWN.id == id,
        _OWN.status == "pending",
        _OWN.expires_at >= at,
        _OWN.hash == hash,
        or_(_OWN.owner == by, _OWN.owner.is_(None)),
    )


def _approval(row: Row[Any]) -> ApprovalRow:  # Any: values of columns
    approval = ApprovalRow._make(row)
    return approval._replace(arguments=from_json(row.arguments), slot=from_json(row.slot))
