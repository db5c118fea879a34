"""What the model reads when a call may not be made again."""

from handrail import Status, ToolResult
from handrail.protocol import limits
from handrail.protocol.results import Facts

FACTS = Facts("c1", "search_orders")


def test_an_identical_call_is_refused_with_its_count() -> None:
    """Status refused, class budget_spent, BUD-002."""
    last = ToolResult(call_id="c", tool="search_orders", data=[])
    result = limits.identical(FACTS, 3, last)
    assert (result.status, result.error_class, result.code) == (
        Status.REFUSED,
        "budget_spent",
        "BUD-002",
    )
    assert "3 times" in result.content
    assert "with the same result" in result.content


def test_a_failed_identical_call_says_that_it_failed() -> None:
    """A write that failed once is not called done."""
    last = ToolResult(call_id="c", tool="t", status=Status.FAILED, is_error=True)
    assert (
        "once with exactly these arguments, and failed" in limits.identical(FACTS, 1, last).content
    )


def test_sent_twice_is_refused() -> None:
    """Two identical writes of one message: the second does not run."""
    result = limits.sent_twice(FACTS)
    assert result.status is Status.REFUSED
    assert "sent twice in one message" in result.content


def test_withdrawn_and_unknown_tools_are_blocked() -> None:
    """Blocked, BUD-003, and told what to do instead."""
    for result in (limits.withdrawn(FACTS), limits.unknown_again(FACTS)):
        assert (result.status, result.code) == (Status.BLOCKED, "BUD-003")
        assert "Do not call it again" in result.content


def test_a_call_under_way_is_not_called_done() -> None:
    """While the first one waits or runs, the second is told to wait."""
    assert "is not finished" in limits.identical(FACTS, 1, None).content
