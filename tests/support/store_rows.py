"""Rows for the tests of the stores."""

from typing import Any

from handrail.protocol.rows import INTENT, OUTCOME, ApprovalRow, EntryRow, EventRow

__all__ = ["approval", "call", "entry", "event"]


def entry(number: int, kind: str = "Proposed", exchange: str = "x", **fields: Any) -> EntryRow:
    """An entry; its number is in its id and in its time."""  # Any: fields of the row
    given = {"body": {"n": number}, "at": float(number), **fields}
    return EntryRow(f"{exchange}/{number}", exchange, "search", kind, **given)


def call(number: int, exchange: str) -> list[EntryRow]:
    """The entries of one call that ran."""
    kinds = ("Proposed", INTENT, "Returned", OUTCOME)
    return [entry(number + step, kind, exchange) for step, kind in enumerate(kinds)]


def approval(id: str = "a1", **fields: Any) -> ApprovalRow:  # Any: fields of the row
    """An approval of user u1 that may be decided until 900."""
    given = {
        "user": "u1",
        "tool": "delete_order",
        "arguments": {"id": "O-1"},
        "hash": "h1",
        "fingerprint": "f1",
        "created_at": 0.0,
        "expires_at": 900.0,
        **fields,
    }
    return ApprovalRow(id, **given)


def event(id: str, **fields: Any) -> EventRow:  # Any: fields of the row
    """An event that is due at once."""
    given = {"type": "notes.created", "payload": {"id": id}, "at": 0.0, **fields}
    return EventRow(id, **given)
