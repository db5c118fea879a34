"""Budgets and counts of identical calls, in SQL: one statement decides, whoever races for it."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    ScalarSelect,
    case,
    delete,
    exists,
    func,
    literal,
    select,
    update,
)

from handrail.protocol.rows import CallCount
from handrail.stores.dialect import insert_into
from handrail.stores.keeping import kept_name
from handrail.stores.tables import BUDGETS, CALLS, EPOCHS

__all__ = ["SqlBudgets", "SqlCalls"]

_COUNTS = [CALLS.c[name] for name in CallCount._fields]


class SqlBudgets:
    """Counted budgets, on one connection."""

    def __init__(self, connection: Connection, clock: Callable[[], float]) -> None:
        self._connection = connection
        self._clock = clock

    def spend(
        self, scope: str, name: str, amount: int = 1, *, limit: int | None = None
    ) -> int | None:
        """Take from a budget."""
        kept_name(scope, "the scope")
        kept_name(name, "the budget")
        if limit is not None and amount > limit:
            return None
        at = self._clock()
        insert = insert_into(self._connection, BUDGETS).values(
            scope=scope, name=name, spent=amount, at=at
        )
        spent = BUDGETS.c.spent + amount
        taken = insert.on_conflict_do_update(
            index_elements=[BUDGETS.c.scope, BUDGETS.c.name],
            set_={"spent": spent, "at": at},
            where=None if limit is None else spent <= limit,
        )
        return self._connection.execute(taken.returning(BUDGETS.c.spent)).scalar()

    def refund(self, scope: str, name: str, amount: int = 1) -> int:
        """Give back what was not used."""
        left = BUDGETS.c.spent - amount
        given = update(BUDGETS).where(BUDGETS.c.scope == scope, BUDGETS.c.name == name)
        given = given.values(spent=case((left > 0, left), else_=0), at=self._clock())
        left_over: int | None = self._connection.execute(given.returning(BUDGETS.c.spent)).scalar()
        return left_over or 0

    def spent(self, scope: str) -> dict[str, int]:
        """What is spent of each budget."""
        query = select(BUDGETS.c.name, BUDGETS.c.spent).where(BUDGETS.c.scope == scope)
        found = self._connection.execute(query.order_by(BUDGETS.c.name))
        return {row.name: row.spent for row in found}

    def clear(self, scope: str) -> None:
        """Forget a scope."""
        self._connection.execute(delete(BUDGETS).where(BUDGETS.c.scope == scope))

    def prune(self, horizon: float) -> int:
        """Delete what nobody touched since."""
        return self._connection.execute(delete(BUDGETS).where(BUDGETS.c.at < horizon)).rowcount


class SqlCalls:
    """Counts of identical calls, on one connection."""

    def __init__(self, connection: Connection, clock: Callable[[], float]) -> None:
        self._connection = connection
        self._clock = clock

    def admit(self, scope: str, name: str, *, allowed: int) -> CallCount | None:
        """Begin a run of a call."""
        kept_name(scope, "the scope")
        kept_name(name, "the call")
        if allowed < 1:
            return None
        epoch, at = _epoch(scope), self._clock()
        fresh = {"standing": 0, "running": 1, "runs": 0, "mark": "", "epoch": epoch, "at": at}
        insert = insert_into(self._connection, CALLS).values(scope=scope, name=name, **fresh)
        stale = (CALLS.c.epoch != epoch) & (CALLS.c.running == 0)
        standing = case((stale, 0), else_=CALLS.c.standing)
        begun = insert.on_conflict_do_update(
            index_elements=[CALLS.c.scope, CALLS.c.name],
            set_={"standing": standing, "running": CALLS.c.running + 1, "at": at},
            where=standing + CALLS.c.running < allowed,
        )
        return _count(self._connection.execute(begun.returning(*_COUNTS)).first())

    def settle(self, scope: str, name: str, mark: str, *, counted: bool = True) -> CallCount:
        """A run ended."""
        kept_name(scope, "the scope")
        kept_name(name, "the call")
        one, at = int(counted), self._clock()
        ended = {"mark": mark, "epoch": _epoch(scope), "at": at}
        insert = insert_into(self._connection, CALLS).values(
            scope=scope, name=name, standing=one, running=0, runs=1, **ended
        )
        other = (CALLS.c.mark != "") & (CALLS.c.mark != mark)
        standing: ColumnElement[int] = case((other, 0), else_=CALLS.c.standing) + one
        counts = {"standing": standing, "running": _one_less(), "runs": CALLS.c.runs + 1}
        settled = insert.on_conflict_do_update(
            index_elements=[CALLS.c.scope, CALLS.c.name], set_=counts | ended
        )
        count = _count(self._connection.execute(settled.returning(*_COUNTS)).first())
        assert count is not None  # the statement has no condition
        return count

    def release(self, scope: str, name: str) -> None:
        """A run did not take place."""
        given = update(CALLS).where(CALLS.c.scope == scope, CALLS.c.name == name)
        self._connection.execute(given.values(running=_one_less(), at=self._clock()))

    def changed(self, scope: str) -> int:
        """A state-changing call succeeded."""
        kept_name(scope, "the scope")
        at = self._clock()
        insert = insert_into(self._connection, EPOCHS).values(scope=scope, epoch=1, at=at)
        counted = insert.on_conflict_do_update(
            index_elements=[EPOCHS.c.scope], set_={"epoch": EPOCHS.c.epoch + 1, "at": at}
        )
        return int(self._connection.execute(counted.returning(EPOCHS.c.epoch)).scalar_one())

    def get(self, scope: str, name: str) -> CallCount | None:
        """The counts of a call."""
        query = select(*_COUNTS).where(CALLS.c.scope == scope, CALLS.c.name == name)
        return _count(self._connection.execute(query).first())

    def clear(self, scope: str) -> None:
        """Forget a scope."""
        self._connection.execute(delete(CALLS).where(CALLS.c.scope == scope))
        self._connection.execute(delete(EPOCHS).where(EPOCHS.c.scope == scope))

    def prune(self, horizon: float) -> int:
        """Delete what nobody touched since."""
        old = self._connection.execute(delete(CALLS).where(CALLS.c.at < horizon)).rowcount
        live = exists(select(1).where(CALLS.c.scope == EPOCHS.c.scope))
        ended = delete(EPOCHS).where(EPOCHS.c.at < horizon, ~live)
        return old + self._connection.execute(ended).rowcount


def _epoch(scope: str) -> ScalarSelect[Any] | ColumnElement[Any]:  # Any: a number in SQL
    found = select(EPOCHS.c.epoch).where(EPOCHS.c.scope == scope).scalar_subquery()
    return func.coalesce(found, literal(0))


def _one_less() -> ColumnElement[int]:
    return case((CALLS.c.running > 0, CALLS.c.running - 1), else_=0)


def _count(row: Row[Any] | None) -> CallCount | None:  # Any: values of columns
    return None if row is None else CallCount._make(row)
