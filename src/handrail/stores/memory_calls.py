"""What is kept of calls, in memory. The store's lock is held around every method."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from handrail.protocol.ledger import FACETS, GENESIS, LedgerHead, LedgerRow, ledger_row
from handrail.protocol.rows import (
    INTENT,
    OUTCOME,
    ApprovalRow,
    ApprovalStatus,
    CallCount,
    EntryRow,
    keepable,
)
from handrail.stores.keeping import Redact, kept_copy, kept_name, redacted
from handrail.stores.table import Table

__all__ = ["MemoryApprovals", "MemoryBudgets", "MemoryCalls", "MemoryJournal", "MemoryLedger"]


class MemoryJournal:
    """Entries of the journal."""

    def __init__(self, redact: Redact | None) -> None:
        self.rows: Table[str, EntryRow] = Table()
        self._redact = redact
        self._last = 0

    @property
    def tables(self) -> list[Table[Any, Any]]:  # Any: rows of any kind
        """The tables that a transaction puts back."""
        return [self.rows]

    def write(self, entries: Sequence[EntryRow]) -> None:
        """Append entries."""
        for entry in redacted(self._redact, entries):
            id = kept_name(entry.id, "the entry id")
            kept_name(entry.exchange, "the exchange id")
            body = kept_copy(entry.body, f"entry {entry.id!r}")
            if self.rows.get(id) is None:
                self._last += 1
                tool = keepable(entry.tool)
                self.rows.put(id, entry._replace(body=body, tool=tool, number=self._last))

    def read(
        self, *, exchange: str | None = None, after: int = 0, limit: int = 1000
    ) -> list[EntryRow]:
        """Entries, oldest first."""
        found = [
            row
            for row in self.rows.rows()
            if row.number > after and (exchange is None or row.exchange == exchange)
        ]
        return [row._replace(body=kept_copy(row.body, row.id)) for row in found[:limit]]

    def unfinished(self, *, limit: int = 1000) -> list[EntryRow]:
        """Intents without an outcome."""
        return [row._replace(body=kept_copy(row.body, row.id)) for row in self._open()[:limit]]

    def _open(self) -> list[EntryRow]:
        done = {row.exchange for row in self.rows.rows() if row.kind == OUTCOME}
        return [row for row in self.rows.rows() if row.kind == INTENT and row.exchange not in done]

    def prune(self, horizon: float) -> int:
        """Delete what is older."""
        return self._delete([row for row in self.rows.rows() if row.at < horizon])

    def shorten(self, most: int) -> int:
        """Delete the oldest above `most`."""
        over = max(0, len(self.rows) - most)
        return self._delete([row for _, row in zip(range(over), self.rows.rows(), strict=False)])

    def _delete(self, old: list[EntryRow]) -> int:
        held: set[str] = set()
        if any(row.kind == INTENT for row in old):
            held = {row.id for row in self._open()}
        return sum(self.rows.drop(row.id) for row in old if row.id not in held)


class MemoryApprovals:
    """Calls that wait for a human."""

    def __init__(self) -> None:
        self.rows: Table[str, ApprovalRow] = Table()

    @property
    def tables(self) -> list[Table[Any, Any]]:  # Any: rows of any kind
        """The tables that a transaction puts back."""
        return [self.rows]

    def add(self, row: ApprovalRow) -> bool:
        """A call begins to wait."""
        kept_name(row.id, "the approval id")
        kept_name(row.user or "", "the user")
        kept_name(row.turn_key, "the turn key")
        fresh = _copied(row)
        if self.rows.get(row.id) is not None:
            return False
        self.rows.put(row.id, fresh)
        return True

    def get(self, id: str) -> ApprovalRow | None:
        """The approval with this id."""
        row = self.rows.get(kept_name(id, "the approval id"))
        return None if row is None else _copied(row)

    def find(
        self,
        *,
        user: str | None = None,
        status: ApprovalStatus | None = "pending",
        hash: str | None = None,
        limit: int = 1000,
    ) -> list[ApprovalRow]:
        """Approvals, oldest first."""
        kept_name(user or "", "the user")
        found = [
            row
            for row in self.rows.rows()
            if (user is None or row.user in (user, None))
            and (status is None or row.status == status)
            and (hash is None or row.hash == hash)
        ]
        found.sort(key=lambda row: (row.created_at, row.id))
        return [_copied(row) for row in found[:limit]]

    def decide(
        self, id: str, status: ApprovalStatus, *, by: str, at: float, hash: str, reason: str = ""
    ) -> ApprovalRow | None:
        """Approve or deny, once."""
        row = self._open(id, by, at, hash)
        if row is None:
            return None
        said = keepable(reason)
        row = row._replace(status=status, decided_at=at, decided_by=by, reason=said)
        return _copied(self.rows.put(id, row))

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
        fresh = kept_copy(arguments, f"the arguments of approval {id!r}")
        row = self._open(id, by, at, hash)
        if row is None:
            return None
        return _copied(self.rows.put(id, row._replace(arguments=fresh, hash=new_hash)))

    def _open(self, id: str, by: str, at: float, hash: str) -> ApprovalRow | None:
        row = self.rows.get(kept_name(id, "the approval id"))
        kept_name(by, "the user")
        if row is None or row.status != "pending" or at > row.expires_at:
            return None
        return row if row.hash == hash and row.user in (by, None) else None

    def use(self, id: str, *, at: float) -> ApprovalRow | None:
        """Take an approved call to run it, once."""
        row = self.rows.get(kept_name(id, "the approval id"))
        if row is None or row.status != "approved":
            return None
        return _copied(self.rows.put(id, row._replace(status="used", decided_at=at)))

    def expire(self, now: float) -> list[ApprovalRow]:
        """Close what nobody decided in time."""
        late = [r for r in self.rows.rows() if r.status == "pending" and r.expires_at < now]
        late.sort(key=lambda row: (row.created_at, row.id))
        closed = [row._replace(status="expired", decided_at=now) for row in late]
        return [_copied(self.rows.put(row.id, row)) for row in closed]

    def prune(self, horizon: float) -> int:
        """Delete decided approvals that are older."""
        old = [
            row.id
            for row in self.rows.rows()
            if row.status in ("denied", "expired", "used") and (row.decided_at or 0) < horizon
        ]
        return sum(self.rows.drop(id) for id in old)


def _copied(row: ApprovalRow) -> ApprovalRow:
    what = f"approval {row.id!r}"
    return row._replace(arguments=kept_copy(row.arguments, what), slot=kept_copy(row.slot, what))


class MemoryBudgets:
    """Counted budgets."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.rows: Table[tuple[str, str], tuple[int, float]] = Table()
        self._clock = clock

    @property
    def tables(self) -> list[Table[Any, Any]]:  # Any: rows of any kind
        """The tables that a transaction puts back."""
        return [self.rows]

    def spend(
        self, scope: str, name: str, amount: int = 1, *, limit: int | None = None
    ) -> int | None:
        """Take from a budget."""
        spent = self._spent(scope, name) + amount
        if limit is not None and spent > limit:
            return None
        self.rows.put((scope, name), (spent, self._clock()))
        return spent

    def refund(self, scope: str, name: str, amount: int = 1) -> int:
        """Give back what was not used."""
        spent = max(0, self._spent(scope, name) - amount)
        if self.rows.get((scope, name)) is not None:
            self.rows.put((scope, name), (spent, self._clock()))
        return spent

    def _spent(self, scope: str, name: str) -> int:
        key = (kept_name(scope, "the scope"), kept_name(name, "the budget"))
        kept = self.rows.get(key)
        return 0 if kept is None else kept[0]

    def spent(self, scope: str) -> dict[str, int]:
        """What is spent of each budget."""
        return {name: kept[0] for (of, name), kept in sorted(self.rows.items()) if of == scope}

    def clear(self, scope: str) -> None:
        """Forget a scope."""
        for key in [key for key, _ in self.rows.items() if key[0] == scope]:
            self.rows.drop(key)

    def prune(self, horizon: float) -> int:
        """Delete what nobody touched since."""
        old = [key for key, (_, at) in self.rows.items() if at < horizon]
        return sum(self.rows.drop(key) for key in old)


class _Counted:
    """A call's counts, and the state-changing successes at its last end."""

    __slots__ = ("at", "count", "epoch")

    def __init__(self, count: CallCount, epoch: int, at: float) -> None:
        self.count = count
        self.epoch = epoch
        self.at = at


class MemoryCalls:
    """Counts of identical calls."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.rows: Table[tuple[str, str], _Counted] = Table()
        self.epochs: Table[str, tuple[int, float]] = Table()
        self._clock = clock

    @property
    def tables(self) -> list[Table[Any, Any]]:  # Any: rows of any kind
        """The tables that a transaction puts back."""
        return [self.rows, self.epochs]

    def admit(self, scope: str, name: str, *, allowed: int) -> CallCount | None:
        """Begin a run of a call."""
        epoch = self._epoch(scope, name)
        kept = self.rows.get((scope, name)) or _Counted(CallCount(0, 0, 0, ""), epoch, 0.0)
        stale = kept.epoch != epoch and kept.count.running == 0
        now = kept.count._replace(standing=0) if stale else kept.count
        if now.standing + now.running >= allowed:
            return None
        return self._put(scope, name, now._replace(running=now.running + 1), kept.epoch)

    def settle(self, scope: str, name: str, mark: str, *, counted: bool = True) -> CallCount:
        """A run ended."""
        epoch = self._epoch(scope, name)
        kept = self.rows.get((scope, name))
        now = CallCount(0, 1, 0, "") if kept is None else kept.count
        standing = 0 if now.mark not in ("", mark) else now.standing
        ended = CallCount(standing + counted, max(0, now.running - 1), now.runs + 1, mark)
        return self._put(scope, name, ended, epoch)

    def release(self, scope: str, name: str) -> None:
        """A run did not take place."""
        kept = self.rows.get((scope, name))
        if kept is not None:
            left = max(0, kept.count.running - 1)
            self._put(scope, name, kept.count._replace(running=left), kept.epoch)

    def _put(self, scope: str, name: str, count: CallCount, epoch: int) -> CallCount:
        self.rows.put((scope, name), _Counted(count, epoch, self._clock()))
        return count

    def _epoch(self, scope: str, name: str) -> int:
        kept_name(scope, "the scope")
        kept_name(name, "the call")
        kept = self.epochs.get(scope)
        return 0 if kept is None else kept[0]

    def changed(self, scope: str) -> int:
        """A state-changing call succeeded."""
        epoch = self._epoch(scope, "") + 1
        self.epochs.put(scope, (epoch, self._clock()))
        return epoch

    def get(self, scope: str, name: str) -> CallCount | None:
        """The counts of a call."""
        kept = self.rows.get((scope, name))
        return None if kept is None else kept.count

    def clear(self, scope: str) -> None:
        """Forget a scope."""
        self.epochs.drop(scope)
        for key in [key for key, _ in self.rows.items() if key[0] == scope]:
            self.rows.drop(key)

    def prune(self, horizon: float) -> int:
        """Delete what nobody touched since."""
        old = [key for key, kept in self.rows.items() if kept.at < horizon]
        ended = [scope for scope, (_, at) in self.epochs.items() if at < horizon]
        live = {key[0] for key, kept in self.rows.items() if kept.at >= horizon}
        dropped = sum(self.rows.drop(key) for key in old)
        return dropped + sum(self.epochs.drop(scope) for scope in ended if scope not in live)


class MemoryLedger:
    """One row for each logical call."""

    def __init__(self) -> None:
        self.rows: Table[str, LedgerRow] = Table()

    @property
    def tables(self) -> list[Table[Any, Any]]:  # Any: rows of any kind
        """The tables that a transaction puts back."""
        return [self.rows]

    def append(
        self, rows: Sequence[tuple[str, float, Mapping[str, Any]]]
    ) -> list[LedgerRow]:  # Any: JSON values
        """Append to the chain."""
        written: list[LedgerRow] = []
        for id, at, body in rows:
            kept_name(id, "the ledger id")
            if self.rows.get(id) is None:
                body = kept_copy(body, f"the ledger row of {id!r}")
                written.append(self.rows.put(id, ledger_row(self.head(), id, at, body)))
        return written

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
        found = [
            row
            for row in self.rows.rows()
            if (not after or (row.number < after if newest_first else row.number > after))
            and (since is None or row.at >= since)
            and (until is None or row.at < until)
            and all(getattr(row, name) == wanted for name, wanted in facets.items())
        ]
        return (found[::-1] if newest_first else found)[:limit]

    def get(self, id: str) -> LedgerRow | None:
        """The row of one logical call."""
        return self.rows.get(id)

    def head(self) -> LedgerHead:
        """Where the chain ends."""
        newest = self.rows.newest()
        return LedgerHead(0, GENESIS) if newest is None else LedgerHead(newest.number, newest.hash)
