"""The hash chain of the ledger: how a row is linked to the one before it, and how that is proved.

A row's hash covers its text and the hash of the row before it, so changing, removing or moving a
row breaks the chain at that place. Whoever can write to the store can also write a whole new
chain: an operator who must rule that out notes `LedgerHead.hash` elsewhere from time to time and
compares. Source: seed 000 (audit), the requirements on the ledger.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from handrail.protocol.rows import keepable

__all__ = [
    "FACETS",
    "GENESIS",
    "Break",
    "LedgerHead",
    "LedgerRow",
    "breaks",
    "ledger_row",
    "link",
]

GENESIS = "0" * 64
"""Stands for the hash of the row before the first."""

FACETS = ("user", "app", "tool", "status")
"""Names in a row's body that it can be found by."""

_FACET_CHARS = 200
"""A model may call a tool by any text; no index takes one of any length. The body has it whole."""


class LedgerRow(NamedTuple):
    """One logical call in the ledger.

    Attributes:
        number: From 1, without gaps.
        id: Of the logical call; a second row with the same id is never written.
        at: Seconds since the epoch.
        user: Of the body, 200 characters at most; empty where it names none. So are `app`,
            `tool` and `status`.
        app: Name of the app.
        tool: Name of the tool.
        status: How the call ended.
        text: The body as JSON text, byte for byte what the hash covers.
        prev_hash: Hash of the row before it, `GENESIS` for the first.
        hash: SHA-256 over `prev_hash` and `text`, 64 hexadecimal digits.
    """

    number: int
    id: str
    at: float
    user: str
    app: str
    tool: str
    status: str
    text: str
    prev_hash: str
    hash: str

    @property
    def body(self) -> dict[str, Any]:  # Any: JSON values
        """What the row says."""
        body: dict[str, Any] = json.loads(self.text)  # Any: JSON values
        return body


class LedgerHead(NamedTuple):
    """Where the chain ends: number and hash of the newest row; 0 and `GENESIS` without rows."""

    number: int
    hash: str


class Break(NamedTuple):
    """One place where the chain does not hold.

    Attributes:
        kind: ``edited`` (a row is not what was written), ``removed`` (rows are missing before
            it), ``moved`` (it does not follow the row before it) or ``cut`` (the newest rows are
            missing).
        number: The row at which it was found.
        detail: A sentence for the operator.
    """

    kind: str
    number: int
    detail: str


def link(prev_hash: str, text: str) -> str:
    """The hash of a row with this text behind the row with `prev_hash`."""
    import hashlib  # late: it loads a library of the system

    return hashlib.sha256(f"{prev_hash}\n{text}".encode()).hexdigest()


def ledger_row(
    head: LedgerHead,
    id: str,
    at: float,
    body: Mapping[str, Any],  # Any: JSON values
) -> LedgerRow:
    """The next row of the chain.

    Args:
        head: Where the chain ends.
        id: Of the logical call.
        at: Seconds since the epoch.
        body: What the row says, JSON values only; it is written as ASCII with sorted keys.

    Raises:
        TypeError: The body holds something that is not JSON.
        ValueError: The body holds NaN or Infinity.
    """
    stated = {**body, "id": id, "at": at}
    text = json.dumps(stated, sort_keys=True, allow_nan=False, separators=(",", ":"))
    user, app, tool, status = [_facet(body, name) for name in FACETS]
    hash = link(head.hash, text)
    return LedgerRow(head.number + 1, id, at, user, app, tool, status, text, head.hash, hash)


def _facet(body: Mapping[str, Any], name: str) -> str:  # Any: JSON values
    said = body.get(name)
    return "" if said is None else keepable(str(said)[:_FACET_CHARS])


def breaks(rows: Iterable[LedgerRow], head: LedgerHead) -> Iterator[Break]:
    """Every place where the rows, by ascending number, are not the chain that ends at `head`."""
    number, hash = 0, GENESIS
    for row in rows:
        if not _is_as_written(row):
            yield Break("edited", row.number, f"row {row.number} is not what was written")
        if row.number != number + 1:
            which = _span(number + 1, row.number - 1)
            yield Break("removed", row.number, f"{which} missing before row {row.number}")
        elif row.prev_hash != hash:
            where = f"row {number}" if number else "the beginning"
            yield Break("moved", row.number, f"row {row.number} does not follow {where}")
        number, hash = row.number, row.hash
    if number < head.number:
        yield Break("cut", number, f"{_span(number + 1, head.number)} missing at the end")
    elif (number, hash) != head:
        detail = f"the chain was noted to end with row {head.number}, but ends otherwise"
        yield Break("cut", number, detail)


def _span(first: int, last: int) -> str:
    return f"row {first} is" if first == last else f"rows {first} to {last} are"


def _is_as_written(row: LedgerRow) -> bool:
    if link(row.prev_hash, row.text) != row.hash:
        return False
    try:
        body: object = json.loads(row.text)
    except ValueError:
        return False
    if not isinstance(body, dict):
        return False
    facets = (row.user, row.app, row.tool, row.status)
    stated = tuple(_facet(body, name) for name in FACETS)
    return facets == stated and (row.id, row.at) == (body.get("id"), body.get("at"))
