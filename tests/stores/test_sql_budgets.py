"""The budgets and the counts of identical calls of every store."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from handrail.errors import StoreError
from handrail.protocol.rows import CallCount
from handrail.runtime.storage import Store

Open = Callable[..., Store]


def test_a_budget_is_spent_up_to_its_limit(store: Store) -> None:
    """What goes beyond takes nothing; what was not used is given back."""
    with store.group() as rows:
        spend = rows.budgets.spend
        assert [spend("run", "calls", 2, limit=5) for _ in range(3)] == [2, 4, None]
        assert spend("run", "calls", limit=5) == 5
        assert rows.budgets.refund("run", "calls", 2) == 3
        assert rows.budgets.refund("run", "calls", 9) == 0
        assert rows.budgets.refund("run", "none") == 0
        assert spend("run", "tokens", 10**12) == 10**12
        assert spend("other", "calls", 6, limit=5) is None
        assert rows.budgets.spent("run") == {"calls": 0, "tokens": 10**12}
        rows.budgets.clear("run")
        assert (rows.budgets.spent("run"), rows.budgets.spent("other")) == ({}, {})


def test_many_who_spend_at_once_spend_no_more_than_there_is(store: Store) -> None:
    """Exactly as much as there is, from several threads."""

    def spend(_: int) -> int | None:
        with store.group(durable=False) as rows:
            return rows.budgets.spend("run", "calls", limit=30)

    with ThreadPoolExecutor(8) as threads:
        spent = [one for one in threads.map(spend, range(60)) if one is not None]
    assert sorted(spent) == list(range(1, 31))


def test_an_identical_call_has_so_many_runs(store: Store) -> None:
    """Runs under way count too."""
    with store.group() as rows:
        calls = rows.calls
        assert calls.get("run", "search:1") is None
        assert calls.admit("run", "search:1", allowed=0) is None
        assert calls.admit("run", "search:1", allowed=2) == CallCount(0, 1, 0, "")
        assert calls.admit("run", "search:1", allowed=2) == CallCount(0, 2, 0, "")
        assert calls.admit("run", "search:1", allowed=2) is None
        assert calls.settle("run", "search:1", "ok") == CallCount(1, 1, 1, "ok")
        assert calls.admit("run", "search:1", allowed=2) is None
        calls.release("run", "search:1")
        assert calls.admit("run", "search:1", allowed=2) == CallCount(1, 1, 1, "ok")
        assert calls.admit("run", "search:2", allowed=1) == CallCount(0, 1, 0, "")
        assert calls.admit("run2", "search:1", allowed=1) == CallCount(0, 1, 0, "")


def test_another_result_starts_the_count_again(store: Store) -> None:
    """A re-run that the contract allows is not counted."""
    with store.group() as rows:
        calls = rows.calls
        calls.admit("run", "poll", allowed=3)
        assert calls.settle("run", "poll", "a") == CallCount(1, 0, 1, "a")
        calls.admit("run", "poll", allowed=3)
        assert calls.settle("run", "poll", "a", counted=False) == CallCount(1, 0, 2, "a")
        calls.admit("run", "poll", allowed=3)
        assert calls.settle("run", "poll", "b") == CallCount(1, 0, 3, "b")
        calls.release("run", "poll")
        assert calls.get("run", "poll") == CallCount(1, 0, 3, "b")
        assert calls.settle("run", "unheard of", "b") == CallCount(1, 0, 1, "b")


def test_a_change_in_between_starts_the_count_again(store: Store) -> None:
    """Only of calls that ended before it, and only in its own scope."""
    with store.group() as rows:
        calls = rows.calls
        for scope in ("run", "other"):
            calls.admit(scope, "read", allowed=1)
            calls.settle(scope, "read", "a")
        assert (calls.changed("run"), calls.changed("run")) == (1, 2)
        assert calls.admit("other", "read", allowed=1) is None
        assert calls.admit("run", "read", allowed=1) == CallCount(0, 1, 1, "a")
        calls.settle("run", "read", "a")
        assert calls.admit("run", "read", allowed=1) is None
        calls.clear("run")
        assert calls.get("run", "read") is None
        assert calls.changed("run") == 1


def test_many_who_make_one_call_at_once_make_it_as_often_as_allowed(store: Store) -> None:
    """From several threads."""

    def admit(_: int) -> CallCount | None:
        with store.group(durable=False) as rows:
            return rows.calls.admit("run", "write", allowed=3)

    with ThreadPoolExecutor(8) as threads:
        assert sum(one is not None for one in threads.map(admit, range(40))) == 3


def test_counters_that_nobody_touched_go(opened: Open) -> None:
    """The number of changes stays as long as a count depends on it."""
    at = [0.0]
    store = opened(keep_days=1, clock=lambda: at[0])
    with store.group() as rows:
        rows.budgets.spend("old", "calls")
        rows.calls.changed("old")
        rows.calls.changed("run")
        rows.calls.admit("run", "a", allowed=1)
    at[0] = 100_000.0
    with store.group() as rows:
        rows.budgets.spend("new", "calls")
        rows.calls.settle("run", "a", "ok")
    assert store.prune() == {"budgets": 1, "calls": 1}
    with store.group() as rows:
        assert rows.budgets.spent("new") == {"calls": 1}
        assert rows.calls.changed("run") == 2


def test_names_that_no_database_holds_are_refused(store: Store) -> None:
    """Nothing is counted under a name that stands for two."""
    with pytest.raises(StoreError, match="the scope"), store.group() as rows:
        rows.budgets.spend("a\0", "calls")
    with pytest.raises(StoreError, match="the call"), store.group() as rows:
        rows.calls.admit("run", "\ud800", allowed=1)
