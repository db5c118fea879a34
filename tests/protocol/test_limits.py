"""What the model reads when a call may not be made again."""

from collections.abc import Callable

import pytest

from handrail import Status, Tool, ToolCall, ToolResult
from handrail.contract.issue import Issue
from handrail.protocol import limits
from handrail.protocol.loops import Found, Pattern, Rung
from handrail.protocol.results import Facts
from snapshots import matches_snapshot

FACTS = Facts("c1", "search_orders", 2, 3, host_advice="for the operator")
FOUND = ToolResult(call_id="c", tool="search_orders", data=[])
FAILED = FOUND.replace(status=Status.FAILED, is_error=True)
SEARCH = Tool(
    "search_orders",
    "Searches.",
    None,
    {"properties": {"name": {"type": "string"}, "limit": {"type": "integer"}}, "type": "object"},
)
BARE = Tool("ping", "Pings.", None, {"type": "object"})


def told(result: ToolResult) -> str:
    """All that a result says: the model's text, its issues, the host's fields."""
    lines = [result.content, "", f"{result.status.value} {result.code} {result.error_class}"]
    lines += [
        f"{issue.severity.value} {issue.code} {issue.path!r} {issue.message}"
        for issue in result.issues
    ]
    lines += [f"attempt {result.attempt}/{result.max_attempts}, host: {result.host_advice}"]
    if result.escalation is not None:
        human = result.escalation
        lines += ["", f"{human.by_code} {human.likely_cause}", human.text]
    return "\n".join(lines)


REFUSALS: dict[str, Callable[[], ToolResult]] = {
    "identical": lambda: limits.identical(FACTS, 3, FOUND),
    "identical_once": lambda: limits.identical(FACTS, 1, FOUND),
    "identical_failed": lambda: limits.identical(FACTS, 2, FAILED),
    "under_way": lambda: limits.identical(FACTS, 1, None),
    "sent_twice": lambda: limits.sent_twice(FACTS),
    "run_limit": lambda: limits.run_limit(FACTS, "20 calls"),
    "withdrawn": lambda: limits.withdrawn(FACTS),
    "withdrawn_for_going_round": lambda: limits.withdrawn(FACTS, "again and again"),
    "unknown_again": lambda: limits.unknown_again(FACTS),
    "sharper": lambda: limits.sharper(SEARCH, limits.sent_twice(FACTS)),
    "sharper_without_fields": lambda: limits.sharper(BARE, limits.sent_twice(FACTS)),
    "escalated": lambda: limits.escalated(
        limits.withdrawn(FACTS), ToolCall("c1", "search_orders", "{}")
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_the_model_reads(name: str) -> None:
    """Every text, its issue and what the host learns, byte for byte."""
    assert matches_snapshot(told(REFUSALS[name]()), f"limit_{name}", "protocol")


@pytest.mark.parametrize("pattern", Pattern)
def test_what_the_model_reads_of_each_pattern(pattern: Pattern) -> None:
    """A call that would go on with it does not run."""
    result = limits.going_round(FACTS, SEARCH, Found(pattern, Rung.REFUSE, 6))
    assert matches_snapshot(told(result), f"limit_going_round_{pattern}", "protocol")


@pytest.mark.parametrize("rung", [Rung.HINT, Rung.SHARPER])
@pytest.mark.parametrize("pattern", Pattern)
def test_a_note_stands_behind_the_result(pattern: Pattern, rung: Rung) -> None:
    """The result stays what it is; the note is a warning, and the model reads it."""
    before = Issue.of("BUD-003", "", problem="before")
    result = FOUND.replace(issues=(before,))
    noted = limits.noted(SEARCH, result, Found(pattern, rung, 6))
    assert (noted.status, noted.data, noted.issues[0]) == (Status.OK, [], before)
    assert matches_snapshot(told(noted), f"note_{pattern}_{rung.name.lower()}", "protocol")


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


def test_a_long_name_is_short_for_a_human() -> None:
    """Sixty-four characters of it."""
    stopped = limits.escalated(limits.withdrawn(FACTS), ToolCall("c1", "n" * 80, "{}"))
    assert stopped.escalation is not None
    assert f"Tool '{'n' * 61}...' was stopped" in stopped.escalation.text
