"""What is kept of a call, as plain values: one row, one meaning.

Rows hold JSON and numbers only, so that every store keeps them alike and any later version reads
them. A store takes and gives them; what they mean is decided by who writes them. Source:
``durability``, the requirements on journal, state and stores; seed 000 (confirmation, audit).
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

__all__ = [
    "INTENT",
    "OUTCOME",
    "ROW_VERSION",
    "ApprovalRow",
    "ApprovalStatus",
    "CallCount",
    "DocumentRow",
    "EntryRow",
    "EventRow",
    "keepable",
]

ROW_VERSION = 1
"""Version of the shape of what rows hold as JSON."""

INTENT = "AskTool"
"""Kind of the entry that is written before a handler runs."""

OUTCOME = "Close"
"""Kind of the entry that ends an exchange; an intent without one is an open question."""

ApprovalStatus = Literal["pending", "approved", "denied", "expired", "used"]


class EntryRow(NamedTuple):
    """One entry of the journal.

    Attributes:
        id: Unique for ever, given by the writer: writing the same id again changes nothing.
        exchange: Id of the exchange.
        tool: Name of the tool, as it was proposed.
        kind: Name of the ask or answer, such as ``Proposed``.
        at: Seconds since the epoch.
        body: What was asked or answered, JSON values only.
        version: Version of the body's shape.
        number: Position in the store, ascending and never reused; 0 before it is written.
    """

    id: str
    exchange: str
    tool: str
    kind: str
    at: float
    body: Mapping[str, Any]  # Any: JSON values
    version: int = ROW_VERSION
    number: int = 0


class ApprovalRow(NamedTuple):
    """A call that waits, or waited, for a human.

    Attributes:
        id: Handle for approve, deny and edit.
        user: Who may decide; None is anybody.
        tool: Name of the tool.
        arguments: Exactly what will run, JSON values only.
        hash: SHA-256 of the canonical arguments: what is approved.
        fingerprint: Hash of the tool's contract when the card was made.
        created_at: Seconds since the epoch.
        expires_at: Seconds since the epoch; at this moment it may still be decided.
        turn_key: Key of the turn that it belongs to.
        slot: What resuming the call needs besides, JSON values only.
        status: ``pending`` until somebody decides; ``used`` once the call was handed on to run.
        decided_at: Seconds since the epoch.
        decided_by: Id of who decided.
        reason: Why it was denied.
    """

    id: str
    user: str | None
    tool: str
    arguments: Mapping[str, Any]  # Any: JSON values
    hash: str
    fingerprint: str
    created_at: float
    expires_at: float
    turn_key: str = ""
    slot: Mapping[str, Any] = {}  # Any: JSON values
    status: ApprovalStatus = "pending"
    decided_at: float | None = None
    decided_by: str | None = None
    reason: str = ""


class CallCount(NamedTuple):
    """How often exactly one call was made in one run.

    Attributes:
        standing: Finished runs that still count.
        running: Runs that are not finished.
        runs: Finished runs in all; never starts again.
        mark: What its last result was, as the writer digests it; empty before the first.
    """

    standing: int
    running: int
    runs: int
    mark: str


class EventRow(NamedTuple):
    """An event on its way to its subscribers.

    Attributes:
        id: Unique for ever: adding the same id again changes nothing.
        type: Such as ``notes.created``.
        payload: JSON values only.
        at: When it happened, seconds since the epoch.
        attempts: Deliveries begun so far.
        next_at: Not to be delivered before, seconds since the epoch.
        parked: Whether it is given up until somebody looks at it.
        error: Why the last delivery failed; for the operator.
        number: Position in the store, ascending; 0 before it is written.
    """

    id: str
    type: str
    payload: Mapping[str, Any]  # Any: JSON values
    at: float
    attempts: int = 0
    next_at: float = 0.0
    parked: bool = False
    error: str = ""
    number: int = 0


class DocumentRow(NamedTuple):
    """One document of an author's app.

    Attributes:
        app: Whose data it is.
        user: Which user's; empty for the app's own.
        collection: Name of the collection.
        id: Unique in the collection.
        version: From 1; one more with each change.
        data: JSON values only.
        created_at: Seconds since the epoch.
        updated_at: Seconds since the epoch.
    """

    app: str
    user: str
    collection: str
    id: str
    version: int
    data: Mapping[str, Any]  # Any: JSON values
    created_at: float
    updated_at: float


def keepable(text: str) -> str:
    """The text, with what no database can hold (NUL, lone surrogates) shown as it would print."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
