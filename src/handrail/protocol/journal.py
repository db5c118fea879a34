"""The append-only record of asks and answers.

Asks and answers are frozen values already, so writing one down is one append; an `Entry` is
built when somebody reads it. Everything else that wants to know what happened (log lines,
metrics, histories) reads here and never writes back.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from handrail.protocol.asks import Answer, Ask

__all__ = ["CAPACITY", "Entry", "Journal", "Subscriber"]

CAPACITY = 10_000
"""Entries kept in memory; the oldest go first."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One ask or answer in the life of one call.

    Attributes:
        number: Position in the journal, from 1; never reused.
        exchange: Id of the exchange.
        tool: Name of the tool.
        message: The ask or answer itself.
        outcome: Outcome of the logical call, where this entry decided it.
        attempts: Proposals judged so far.
    """

    number: int
    exchange: str
    tool: str
    message: Ask | Answer
    outcome: str | None
    attempts: int

    @property
    def kind(self) -> str:
        """Name of the ask or answer, such as ``Proposed`` or ``AskTool``."""
        return type(self.message).__name__

    def to_dict(self) -> dict[str, Any]:  # Any: values as the message holds them
        """The entry as a dict; values are those of the message, unchanged."""
        return {
            "number": self.number,
            "exchange": self.exchange,
            "tool": self.tool,
            "kind": self.kind,
            "outcome": self.outcome,
            "attempts": self.attempts,
            **self.message._asdict(),
        }


class Subscriber(Protocol):
    """Somebody who reads entries.

    A subscriber may have ``kinds``, the types of message that it reads at all, and a method
    ``wants(message, outcome) -> bool``, which is asked about each of these. An entry that nobody
    wants is never built.
    """

    def __call__(self, entry: Entry, /) -> None:
        """Read one entry."""


_Row = tuple[int, str, str, Ask | Answer, str | None, int]
_Readers = tuple[tuple[Subscriber, Callable[[Ask | Answer, str | None], bool] | None], ...]


class Journal:
    """Append-only, bounded, in memory.

    Args:
        capacity: Entries kept.
        subscribers: Called with each entry after it is written. An exception of one goes to
            `on_fault` and nowhere else.
        on_fault: Called with the exception of a subscriber.
    """

    def __init__(
        self,
        capacity: int = CAPACITY,
        subscribers: tuple[Subscriber, ...] = (),
        on_fault: Callable[[Exception], None] | None = None,
    ) -> None:
        self._rows: deque[_Row] = deque(maxlen=capacity)
        self._subscribers = subscribers
        self._readers: dict[type, _Readers] = {}
        self._on_fault = on_fault
        self._written = 0

    def exchanged(
        self,
        exchange: str,
        tool: str,
        answer: Answer,
        ask: Ask,
        outcome: str | None,
        attempts: int,
    ) -> None:
        """Append an answer and the ask that it led to."""
        number = self._written
        self._written = number + 2
        said = (number + 1, exchange, tool, answer, None, attempts)
        asked = (number + 2, exchange, tool, ask, outcome, attempts)
        self._rows.append(said)
        readers = self._readers.get(type(answer))
        if readers is None:
            readers = self._readers_of(type(answer))
        if readers:
            self._tell(readers, said)
        self._rows.append(asked)
        readers = self._readers.get(type(ask))
        if readers is None:
            readers = self._readers_of(type(ask))
        if readers:
            self._tell(readers, asked)

    def write(
        self,
        exchange: str,
        tool: str,
        message: Ask | Answer,
        outcome: str | None = None,
        attempts: int = 0,
    ) -> None:
        """Append one ask or answer."""
        self._written += 1
        row = (self._written, exchange, tool, message, outcome, attempts)
        self._rows.append(row)
        readers = self._readers.get(type(message))
        if readers is None:
            readers = self._readers_of(type(message))
        if readers:
            self._tell(readers, row)

    def _readers_of(self, kind: type) -> _Readers:
        readers = tuple(
            (one, getattr(one, "wants", None))
            for one in self._subscribers
            if kind in (getattr(one, "kinds", None) or (kind,))
        )
        self._readers[kind] = readers
        return readers

    def _tell(self, readers: _Readers, row: _Row) -> None:
        for reader, wants in readers:
            try:
                if wants is None or wants(row[3], row[4]):
                    reader(Entry(*row))
            except Exception as error:  # a reader must never change what it reads
                if self._on_fault is not None:
                    self._on_fault(error)

    def __iter__(self) -> Iterator[Entry]:
        return (Entry(*row) for row in list(self._rows))

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def written(self) -> int:
        """How many entries were ever written; those above the capacity are gone."""
        return self._written

    def of(self, exchange: str) -> list[Entry]:
        """The kept entries of one exchange, oldest first."""
        return [Entry(*row) for row in list(self._rows) if row[1] == exchange]
