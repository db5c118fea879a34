"""The approvals of every store."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from handrail.errors import StoreError
from handrail.protocol.rows import ApprovalRow
from handrail.runtime.storage import Store
from store_rows import approval

Open = Callable[..., Store]


def added(store: Store, *approvals: ApprovalRow) -> None:
    """They wait now."""
    with store.group() as rows:
        assert [rows.approvals.add(one) for one in approvals] == [True] * len(approvals)


def decided(store: Store, **given: Any) -> ApprovalRow | None:
    """What came of deciding approval a1."""  # Any: of decide
    how = {"id": "a1", "status": "approved", "by": "u1", "at": 10.0, "hash": "h1", **given}
    with store.group() as rows:
        return rows.approvals.decide(**how)


def test_an_approval_comes_back_as_it_was(store: Store) -> None:
    """With what resuming needs; a second with the same id is not added."""
    row = approval(slot={"call": {"id": "c"}, "step": 2}, turn_key="chat:3", user=None)
    added(store, row)
    with store.group() as rows:
        assert rows.approvals.add(approval(tool="other")) is False
        assert (rows.approvals.get("a1"), rows.approvals.get("a2")) == (row, None)


def test_it_is_decided_once(store: Store) -> None:
    """The first decision stands, whatever the second says."""
    added(store, approval())
    won = decided(store, status="denied", reason="no\0")
    assert won == approval(status="denied", decided_at=10.0, decided_by="u1", reason="no\\x00")
    assert decided(store) is None
    with store.reading() as rows:
        assert rows.approvals.get("a1") == won


@pytest.mark.parametrize(
    "given",
    [{"by": "u2"}, {"at": 900.5}, {"hash": "h2"}, {"id": "a2"}],
    ids=["user", "late", "hash", "id"],
)
def test_only_as_it_was_asked(store: Store, given: dict[str, Any]) -> None:
    """Another user, too late, other arguments or another id change nothing."""
    added(store, approval())
    assert decided(store, **given) is None
    assert decided(store, at=900.0) is not None


def test_a_call_that_belongs_to_nobody_is_everybodys(store: Store) -> None:
    """Anybody may decide it, and everybody sees it."""
    added(store, approval(user=None), approval("a2", created_at=-1.0, user="u2"))
    with store.reading() as rows:
        assert [one.id for one in rows.approvals.find(user="u1")] == ["a1"]
        assert [one.id for one in rows.approvals.find()] == ["a2", "a1"]
    won = decided(store, by="u9")
    assert won is not None
    assert won.decided_by == "u9"


def test_an_approved_call_is_taken_once(store: Store) -> None:
    """And not before somebody approved it."""
    added(store, approval())
    with store.group() as rows:
        assert rows.approvals.use("a1", at=5.0) is None
    decided(store)
    with store.group() as rows:
        used = rows.approvals.use("a1", at=11.0)
        assert used is not None
        assert (used.status, used.arguments) == ("used", {"id": "O-1"})
        assert rows.approvals.use("a1", at=12.0) is None


def test_other_arguments_get_another_hash(store: Store) -> None:
    """An approval of the old ones is void then, and so is a second edit of them."""
    added(store, approval())
    how: dict[str, Any] = {"by": "u1", "at": 5.0, "hash": "h1", "new_hash": "h2"}
    with store.group() as rows:
        changed = rows.approvals.change("a1", {"id": "O-2"}, **how)
        assert changed == approval(arguments={"id": "O-2"}, hash="h2")
        assert rows.approvals.change("a1", {"id": "O-3"}, **how) is None
    assert decided(store) is None
    assert decided(store, hash="h2") is not None


def test_nobody_decided_in_time(store: Store) -> None:
    """Each is closed once; what may still be decided stays."""
    late = [approval("a2", expires_at=10.0, created_at=2.0), approval("a3", expires_at=10.0)]
    added(store, approval(), *late)
    with store.group() as rows:
        assert [one.id for one in rows.approvals.expire(10.0)] == []
        assert [one.id for one in rows.approvals.expire(10.5)] == ["a3", "a2"]
        assert rows.approvals.expire(10.5) == []
        assert [one.id for one in rows.approvals.find(status=None, limit=2)] == ["a1", "a3"]
        assert [one.id for one in rows.approvals.find(status="expired", hash="h1")] == ["a3", "a2"]


def test_decided_approvals_go_after_some_days(opened: Open) -> None:
    """Those that wait are kept, however old; what was approved and not yet run is kept too."""
    store = opened(keep_days=1, clock=lambda: 86_400.0 * 3)
    added(store, approval(), approval("a2"), approval("a3"))
    decided(store, id="a2", status="denied")
    decided(store, id="a3")
    assert store.prune() == {"approvals": 1}
    with store.reading() as rows:
        assert {one.id for one in rows.approvals.find(status=None)} == {"a1", "a3"}


def test_a_user_that_no_database_holds_is_refused(store: Store) -> None:
    """Two such users could not be told apart."""
    with pytest.raises(StoreError, match="the user"), store.group() as rows:
        rows.approvals.add(approval(user="u\0"))
    with pytest.raises(StoreError, match="the user"):
        decided(store, by="\ud800")
    with pytest.raises(StoreError, match="the approval id"), store.reading() as rows:
        rows.approvals.get("\0")


def test_of_many_who_decide_at_once_one_wins(store: Store) -> None:
    """From several threads, each with a transaction of its own."""
    added(store, approval())
    with ThreadPoolExecutor(8) as threads:
        said = list(threads.map(lambda n: decided(store, at=float(n)), range(40)))
    assert sum(one is not None for one in said) == 1
