"""The shape of a store: what the runtime keeps, and what it may rely on.

A store is reached by groups: everything that is done inside one ``with store.group() as rows``
is kept as a whole or not at all, and when the block has ended without an exception it is on disk.
Each operation that several processes may race for is one atomic statement, which says by its
answer who won. Every method may raise `StoreError`; nothing was changed then, unless the message
says that this is not known. All of it is thread-safe and blocks: async code calls it in a thread.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from handrail.protocol.ledger import LedgerHead, LedgerRow
from handrail.protocol.rows import (
    ApprovalRow,
    ApprovalStatus,
    CallCount,
    DocumentRow,
    EntryRow,
    EventRow,
)

__all__ = [
    "ApprovalRows",
    "BudgetRows",
    "CacheRows",
    "CallRows",
    "DocumentRows",
    "EventRows",
    "Group",
    "JournalRows",
    "LedgerRows",
    "Store",
]


class JournalRows(Protocol):
    """Entries of the journal; append-only but for retention."""

    def write(self, entries: Sequence[EntryRow]) -> None:
        """Append entries; those whose id is there already change nothing."""

    def read(
        self, *, exchange: str | None = None, after: int = 0, limit: int = 1000
    ) -> list[EntryRow]:
        """Entries with a number above `after`, of one exchange or of all, oldest first."""

    def unfinished(self, *, limit: int = 1000) -> list[EntryRow]:
        """Intents whose exchange has no outcome: what a crash may have left, oldest first."""


class ApprovalRows(Protocol):
    """Calls that wait for a human, and what was decided about them."""

    def add(self, row: ApprovalRow) -> bool:
        """A call begins to wait; False if there is an approval with this id already."""

    def get(self, id: str) -> ApprovalRow | None:
        """The approval with this id."""

    def find(
        self,
        *,
        user: str | None = None,
        status: ApprovalStatus | None = "pending",
        hash: str | None = None,
        limit: int = 1000,
    ) -> list[ApprovalRow]:
        """Approvals, oldest first; those that anybody may decide are everybody's."""

    def decide(
        self, id: str, status: ApprovalStatus, *, by: str, at: float, hash: str, reason: str = ""
    ) -> ApprovalRow | None:
        """Approve or deny, once: the row as it is now, or None where somebody else was first.

        It must be pending, unexpired at `at`, for this user or for anybody, and still have `hash`.
        """

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
        """Put other arguments on a pending approval; conditions and answer as of `decide`."""

    def use(self, id: str, *, at: float) -> ApprovalRow | None:
        """Take an approved call to run it, once; None where it is not there to be taken."""

    def expire(self, now: float) -> list[ApprovalRow]:
        """Close what nobody decided in time; each row is given to one caller."""


class BudgetRows(Protocol):
    """Counted budgets. Amounts are whole numbers, so that sums are exact."""

    def spend(
        self, scope: str, name: str, amount: int = 1, *, limit: int | None = None
    ) -> int | None:
        """Take from a budget: what is spent of it now, or None (nothing taken) above `limit`."""

    def refund(self, scope: str, name: str, amount: int = 1) -> int:
        """Give back what was not used: what is spent now, at least 0."""

    def spent(self, scope: str) -> dict[str, int]:
        """What is spent of each budget of a scope."""

    def clear(self, scope: str) -> None:
        """Forget a scope."""


class CallRows(Protocol):
    """Counts of identical calls; a scope is a run, a name one call (tool and hash)."""

    def admit(self, scope: str, name: str, *, allowed: int) -> CallCount | None:
        """Begin a run of a call: its counts now, or None (nothing counted) if none is left.

        A count starts again when a state-changing call succeeded since its last run.
        """

    def settle(self, scope: str, name: str, mark: str, *, counted: bool = True) -> CallCount:
        """A run ended with the result `mark`; another mark than before starts the count again."""

    def release(self, scope: str, name: str) -> None:
        """A run that was admitted did not take place."""

    def changed(self, scope: str) -> int:
        """A state-changing call succeeded: how many did in this scope."""

    def get(self, scope: str, name: str) -> CallCount | None:
        """The counts of a call."""

    def clear(self, scope: str) -> None:
        """Forget a scope."""


class LedgerRows(Protocol):
    """One hash-chained row for each logical call; see `handrail.protocol.ledger`."""

    def append(
        self, rows: Sequence[tuple[str, float, Mapping[str, Any]]]
    ) -> list[LedgerRow]:  # Any: JSON values
        """Append (id, time, body) to the one chain; ids that have a row already are left out.

        Concurrent writers wait for each other until the end of the group.
        """

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
        """Rows beyond the number `after` (below it, if newest first; 0 is the beginning).

        Args:
            after: Where the page before ended.
            limit: Rows at most.
            newest_first: Whether numbers descend.
            since: Seconds since the epoch; rows at or after it.
            until: Rows before it.
            facets: ``user``, ``app``, ``tool``, ``status``: rows that have exactly these.
        """

    def get(self, id: str) -> LedgerRow | None:
        """The row of one logical call."""

    def head(self) -> LedgerHead:
        """Where the chain ends."""


class EventRows(Protocol):
    """Events on their way; delivered at least once."""

    def add(self, events: Sequence[EventRow]) -> None:
        """Events happened; those whose id is there already change nothing."""

    def claim(self, now: float, *, lease_s: float, limit: int = 100) -> list[EventRow]:
        """Take events that are due, oldest first; nobody else gets them for `lease_s` seconds."""

    def done(self, id: str, *, attempt: int) -> bool:
        """An event was delivered; False where the lease of that attempt was lost."""

    def failed(
        self, id: str, *, attempt: int, error: str, next_at: float, park: bool = False
    ) -> bool:
        """A delivery failed: try again at `next_at`, or park it; False as of `done`."""

    def unpark(self, id: str, *, at: float) -> bool:
        """Try a parked event again; False where there is none."""

    def find(self, *, parked: bool | None = None, limit: int = 1000) -> list[EventRow]:
        """Events that are not delivered, oldest first."""


class DocumentRows(Protocol):
    """Documents of authors' apps, each app and user apart."""

    def create(
        self,
        app: str,
        user: str,
        collection: str,
        id: str,
        data: Mapping[str, Any],  # Any: JSON values
        at: float,
    ) -> DocumentRow | None:
        """A new document; None if there is one with this id."""

    def get(self, app: str, user: str, collection: str, id: str) -> DocumentRow | None:
        """The document with this id."""

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
        """Put other data in place; None if it is not there, or its version is not `if_match`."""

    def delete(
        self, app: str, user: str, collection: str, id: str, *, if_match: int | None = None
    ) -> bool:
        """Whether it was there, with the version `if_match`, and is gone."""

    def scan(
        self, app: str, user: str, collection: str, *, after: str = "", limit: int = 1000
    ) -> list[DocumentRow]:
        """Documents whose id is above `after` in code-point order, by id."""

    def count(self, app: str, user: str, collection: str) -> int:
        """How many documents a collection has."""


class CacheRows(Protocol):
    """Values that may be forgotten, each app and user apart."""

    def get(self, app: str, user: str, key: str, *, now: float) -> tuple[Any] | None:
        """The value in a tuple of one, so that a kept None is told from nothing."""

    def set(
        self, app: str, user: str, key: str, value: object, *, expires_at: float | None
    ) -> None:
        """Keep a JSON value until `expires_at`, or for ever."""

    def delete(self, app: str, user: str, key: str) -> bool:
        """Whether it was there."""


class Group(Protocol):
    """Everything that can be read and changed in one transaction."""

    @property
    def journal(self) -> JournalRows:
        """Entries of the journal."""

    @property
    def approvals(self) -> ApprovalRows:
        """Calls that wait for a human."""

    @property
    def budgets(self) -> BudgetRows:
        """Counted budgets."""

    @property
    def calls(self) -> CallRows:
        """Counts of identical calls."""

    @property
    def ledger(self) -> LedgerRows:
        """One row for each logical call."""

    @property
    def events(self) -> EventRows:
        """Events on their way."""

    @property
    def documents(self) -> DocumentRows:
        """Documents of authors' apps."""

    @property
    def cache(self) -> CacheRows:
        """Values that may be forgotten."""


class Store(Protocol):
    """Where state is kept."""

    def group(self, *, durable: bool = True) -> AbstractContextManager[Group]:
        """A transaction: kept as a whole when the block ends, dropped where it raises.

        Args:
            durable: Whether it must survive a power cut; without, it survives the end of the
                process only.
        """

    def reading(self) -> AbstractContextManager[Group]:
        """A view for reading, which goes on where nothing can be written any more."""

    def record(self, entries: Sequence[EntryRow], *, durable: bool) -> None:
        """Append to the journal, together with what other threads append.

        Args:
            entries: In order.
            durable: Whether to return only once they are on disk. Otherwise they are there
                soon, at the latest after `flush` or `close`.

        Raises:
            StoreError: `durable` entries could not be written; or too many entries wait for a
                store that cannot write.
        """

    def flush(self) -> None:
        """Return once everything recorded so far is on disk."""

    def prune(self) -> dict[str, int]:
        """Delete what the retention no longer keeps: how many rows of each table."""

    def close(self) -> None:
        """Write what waits, and let go of files and connections. Closing twice is allowed."""
