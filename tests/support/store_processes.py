"""What processes of their own do to one store; here, so that a spawned process finds it."""

import time

from handrail.stores.urls import open_store

__all__ = ["append_rows", "approve_each", "decide", "spend_all", "spend_and_append"]


def spend_and_append(url: str, name: str) -> None:
    """Twenty rows and as many units of one budget."""
    store = open_store(url, wait_s=60)
    for number in range(20):
        with store.group(durable=False) as rows:
            rows.budgets.spend("run", "calls", limit=50)
            rows.ledger.append([(f"{name}{number}", 1.0, {"tool": "t"})])
    store.close()


def decide(url: str, name: str) -> None:
    """Approve the one card, and say who won."""
    store = open_store(url, wait_s=60)
    with store.group() as rows:
        won = rows.approvals.decide("a1", "approved", by="u1", at=1.0, hash="h1")
    with store.group() as rows:
        rows.budgets.spend("won", name, int(won is not None))
    store.close()


def approve_each(url: str, number: int) -> None:
    """A hundred cards, one after the other."""
    store = open_store(url, wait_s=120)
    for attempt in range(100):
        with store.group() as rows:
            won = rows.approvals.decide(f"a{attempt}", "approved", by="u1", at=1.0, hash="h1")
            if won is not None:
                rows.budgets.spend("won", won.id)
                rows.budgets.spend("winners", str(number))
    store.close()


def spend_all(url: str, number: int) -> None:
    """A thousand calls of one budget."""
    store = open_store(url, wait_s=120)
    for _ in range(1_000):
        with store.group(durable=False) as rows:
            rows.budgets.spend("run", "calls", limit=6_000)
            rows.budgets.spend("run", "asked")
    store.close()


def append_rows(url: str, number: int) -> None:
    """Rows of the ledger, one at a time."""
    store = open_store(url, wait_s=120)
    for row in range(250):
        with store.group(durable=False) as rows:
            rows.ledger.append([(f"p{number}-{row}", time.time(), {"user": f"u{number}"})])
    store.close()
