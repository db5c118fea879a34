"""What is kept of calls in memory; what it answers is proved in the suite of all stores."""

from handrail.protocol.ledger import GENESIS, LedgerHead
from handrail.protocol.rows import INTENT
from handrail.stores.memory_calls import MemoryCalls, MemoryJournal, MemoryLedger
from store_rows import call, entry


def test_shortening_passes_over_open_questions() -> None:
    """It deletes no more than what is above the bound."""
    journal = MemoryJournal(None)
    journal.write([entry(0, INTENT, "open"), *call(1, "a"), *call(5, "b")])
    assert journal.shorten(6) == 2
    assert [one.body["n"] for one in journal.read()] == [0, 3, 4, 5, 6, 7, 8]
    assert journal.shorten(9) == 0


def test_every_table_can_be_put_back() -> None:
    """Each says which it has."""
    calls = MemoryCalls(lambda: 0.0)
    calls.changed("run")
    calls.admit("run", "a", allowed=1)
    for table in calls.tables:
        table.undo()
    assert (calls.get("run", "a"), calls.changed("run")) == (None, 1)


def test_the_head_is_that_of_the_newest_row() -> None:
    """Also after the newest was put back."""
    ledger = MemoryLedger()
    (first,) = ledger.append([("a", 1.0, {})])
    ledger.rows.keep()
    ledger.append([("b", 1.0, {})])
    ledger.rows.undo()
    assert ledger.head() == LedgerHead(1, first.hash)
    assert MemoryLedger().head() == LedgerHead(0, GENESIS)
