"""Many processes that want the same thing (make soak)."""

import multiprocessing
from collections.abc import Callable

import pytest

from handrail.protocol.ledger import breaks
from handrail.stores.urls import open_store
from store_processes import append_rows, approve_each, spend_all
from store_rows import approval

pytestmark = pytest.mark.soak

PROCESSES = 8


def race(target: Callable[[str, int], None], url: str) -> None:
    """Run in so many processes at once; all of them end well."""
    spawn = multiprocessing.get_context("spawn")
    running = [spawn.Process(target=target, args=(url, n)) for n in range(PROCESSES)]
    for one in running:
        one.start()
    for one in running:
        one.join(600)
    assert [one.exitcode for one in running] == [0] * PROCESSES


def test_each_of_100_cards_has_one_winner(url: str) -> None:
    """Eight processes decide each of them."""
    store = open_store(url)
    with store.group() as rows:
        for number in range(100):
            rows.approvals.add(approval(f"a{number}"))
    race(approve_each, url)
    with store.reading() as rows:
        assert rows.budgets.spent("won") == {f"a{number}": 1 for number in range(100)}
        assert sum(rows.budgets.spent("winners").values()) == 100
    store.close()


def test_a_budget_is_exact_to_the_last_call(url: str) -> None:
    """Eight processes ask for a thousand calls each, of six thousand that there are."""
    store = open_store(url)
    race(spend_all, url)
    with store.reading() as rows:
        assert rows.budgets.spent("run") == {"asked": 8_000, "calls": 6_000}
    store.close()


def test_eight_processes_keep_one_chain(url: str) -> None:
    """Two thousand rows, one at a time."""
    store = open_store(url)
    race(append_rows, url)
    with store.reading() as rows:
        chain, head = rows.ledger.read(limit=5_000), rows.ledger.head()
    assert (len(chain), head.number, list(breaks(chain, head))) == (2_000, 2_000, [])
    store.close()
