"""The record of asks and answers."""

import pytest

from handrail import Status, ToolResult
from handrail.protocol.asks import Answer, Ask, Cancelled, Close, GaveUp, Lost
from handrail.protocol.journal import Entry, Journal


def test_entries_are_numbered_and_the_oldest_go_first() -> None:
    """Bounded: what is above the capacity is gone, and its number is not used again."""
    journal = Journal(capacity=2)
    for at in range(3):
        journal.write("x", "tool", GaveUp(float(at)))
    assert [entry.number for entry in journal] == [2, 3]
    assert (len(journal), journal.written) == (2, 3)


def test_an_entry_shows_what_was_said() -> None:
    """Kind, exchange, tool and the values of the message."""
    journal = Journal()
    journal.write("x.1", "tool", GaveUp(5.0), "llm_gave_up", 2)
    (entry,) = journal.of("x.1")
    assert entry.to_dict() == {
        "number": 1,
        "exchange": "x.1",
        "tool": "tool",
        "kind": "GaveUp",
        "outcome": "llm_gave_up",
        "attempts": 2,
        "at": 5.0,
    }


def test_a_reader_that_raises_harms_nobody() -> None:
    """Its exception is handed over; the other readers still read."""
    read: list[int] = []
    faults: list[Exception] = []

    def broken(entry: Entry) -> None:
        raise KeyError(entry.number)

    journal = Journal(
        subscribers=(broken, lambda entry: read.append(entry.number)), on_fault=faults.append
    )
    journal.write("x", "tool", GaveUp(1.0))
    assert read == [1]
    assert [type(fault) for fault in faults] == [KeyError]


def test_a_reader_may_choose() -> None:
    """A reader with ``wants`` is given only what it wants."""

    class Picky:
        def __init__(self) -> None:
            self.kinds: list[str] = []

        def wants(self, message: Ask | Answer, outcome: str | None) -> bool:
            return isinstance(message, Lost)

        def __call__(self, entry: Entry) -> None:
            self.kinds.append(entry.kind)

    picky = Picky()
    journal = Journal(subscribers=(picky,))
    journal.write("x", "tool", GaveUp(1.0))
    journal.write("x", "tool", Lost(1.0))
    assert picky.kinds == ["Lost"]


def test_a_reader_may_name_the_kinds_it_reads() -> None:
    """It is not even asked about the others."""

    class Narrow:
        kinds: frozenset[type] = frozenset({Lost})

        def __init__(self) -> None:
            self.asked: list[str] = []

        def wants(self, message: Ask | Answer, outcome: str | None) -> bool:
            self.asked.append(type(message).__name__)
            return False

        def __call__(self, entry: Entry) -> None:
            raise AssertionError("not wanted")

    narrow = Narrow()
    journal = Journal(subscribers=(narrow,))
    journal.write("x", "tool", GaveUp(1.0))
    journal.write("x", "tool", Lost(1.0))
    journal.exchanged("x", "tool", Lost(1.0), ENDED, None, 1)
    journal.exchanged("x", "tool", GaveUp(1.0), ENDED, None, 1)
    assert narrow.asked == ["Lost"] * 2
    closing = Narrow()
    closing.kinds = frozenset({Close})
    Journal(subscribers=(closing,)).exchanged("x", "tool", Lost(1.0), ENDED, None, 1)
    assert closing.asked == ["Close"]


def test_entries_are_frozen() -> None:
    """A reader cannot rewrite what happened."""
    journal = Journal()
    journal.write("x", "tool", GaveUp(1.0))
    with pytest.raises(AttributeError):
        next(iter(journal)).tool = "other"  # type: ignore[misc]  # on purpose


ENDED = Close(ToolResult(call_id="c", tool="tool", status=Status.UNKNOWN))


def test_an_answer_and_what_it_led_to_are_two_entries() -> None:
    """Numbered one after the other; the outcome is that of the ask."""
    told: list[Entry] = []
    journal = Journal(subscribers=(told.append,))
    journal.write("x", "tool", Lost(1.0))
    journal.exchanged("x", "tool", Lost(2.0), ENDED, "unknown", 2)
    journal.exchanged("y", "other", Cancelled(3.0), ENDED, None, 1)
    journal.write("x", "tool", Lost(4.0))
    assert told == list(journal)
    assert [(one.number, one.exchange, one.tool, one.kind) for one in journal] == [
        (1, "x", "tool", "Lost"),
        (2, "x", "tool", "Lost"),
        (3, "x", "tool", "Close"),
        (4, "y", "other", "Cancelled"),
        (5, "y", "other", "Close"),
        (6, "x", "tool", "Lost"),
    ]
    decided = [(one.outcome, one.attempts) for one in journal]
    assert decided == [(None, 0), (None, 2), ("unknown", 2), (None, 1), (None, 1), (None, 0)]
    assert (journal.written, journal.of("y")) == (6, told[3:5])


def test_a_reader_is_asked_with_the_outcome() -> None:
    """It may want only what decided a call."""

    class Deciding:
        def __init__(self) -> None:
            self.numbers: list[int] = []

        def wants(self, message: Ask | Answer, outcome: str | None) -> bool:
            return outcome is not None

        def __call__(self, entry: Entry) -> None:
            self.numbers.append(entry.number)

    deciding = Deciding()
    journal = Journal(subscribers=(deciding,))
    journal.exchanged("x", "tool", Lost(2.0), ENDED, "unknown", 2)
    journal.write("x", "tool", ENDED, "unknown", 2)
    journal.write("x", "tool", ENDED)
    assert deciding.numbers == [2, 3]
