"""The results of calls that did not simply run."""

from collections.abc import Callable

import pytest

from handrail import Status, Tool, Toolbox, ToolResult
from handrail.contract.call import Attempt
from handrail.contract.escalation import escalate
from handrail.contract.issue import Issue, Severity
from handrail.contract.verdict import VERDICTS
from handrail.protocol import results
from handrail.protocol.results import Facts
from parts import call
from snapshots import matches_snapshot

FACTS = Facts("c1", "delete_order", 2, 4, host_advice="for the operator")
TOOL = Tool("delete_order", "Deletes.", None, {"properties": {"id": {"type": "integer"}}})
ISSUE = Issue.of("BUD-004", "", limit="20 calls")

RESULTS: dict[str, Callable[[], ToolResult]] = {
    "pending": lambda: results.pending(FACTS, "a1"),
    "denied": lambda: results.denied(FACTS, "too much. "),
    "denied_without_reason": lambda: results.denied(FACTS, ""),
    "expired": lambda: results.denied(FACTS, "late", expired=True),
    "lost": lambda: results.lost(FACTS),
    "cancelled": lambda: results.cancelled(FACTS),
    "stopped": lambda: results.stopped(FACTS, [ISSUE], "abandoned"),
    "blocked": lambda: results.blocked(FACTS, ISSUE, "No more.", outcome="exhausted"),
    "refused": lambda: results.refused(FACTS, [ISSUE], "Not that."),
    "invalid": lambda: results.invalid(FACTS, [ISSUE], "Not so."),
}


@pytest.mark.parametrize("name", RESULTS)
def test_everything_that_a_result_says(name: str) -> None:
    """The model's text and all fields, byte for byte."""
    result = RESULTS[name]()
    advice = result.advice
    fields = {
        "call": f"{result.call_id} {result.tool} {result.attempt}/{result.max_attempts}",
        "status": f"{result.status.value}, error {result.is_error}, {result.coverage}",
        "class": f"{result.error_class} {result.code} {result.outcome}",
        "advice": f"{advice.next} {advice.retry_after}" if advice else None,
        "issues": [f"{issue.code} {issue.message}" for issue in result.issues],
        "host": result.host_advice,
        "took": result.duration_ms,
        "approval": result.approval_id,
    }
    lines = [result.content, "", *(f"{name}: {value}" for name, value in fields.items())]
    assert matches_snapshot("\n".join(lines), f"result_{name}", "protocol")


def test_a_result_carries_its_history() -> None:
    """Every attempt so far."""
    history = (Attempt(1, (ISSUE,), 7.0),)
    facts = FACTS._replace(history=history)
    assert results.lost(facts).history == history
    last = ToolResult(call_id="old", tool="delete_order", data=[1])
    assert (
        results.reused(facts, last, Toolbox([TOOL]).check(call("delete_order"))).history == history
    )


def test_a_blocked_call_may_stand_before_a_human() -> None:
    """With the record that it is given, and a code of its own."""
    human = escalate("delete_order", call("delete_order"), (), 3)
    result = results.blocked(FACTS, ISSUE, "No more.", human)
    assert (result.escalation, result.code) == (human, "BUD-004")
    warning = Issue.of("BUD-004", severity=Severity.WARNING, limit="20 calls")
    assert results.blocked(FACTS, warning, "No more.").code == "BUD-004"


def test_a_reason_is_short_and_its_letters_stay() -> None:
    """Three hundred characters; only full stops and spaces are taken from its end."""
    text = results.denied(FACTS, "x" * 301).content
    assert f"Reason: {'x' * 297}." in text
    assert "x" * 298 not in text
    assert f"Reason: {'x' * 300}." in results.denied(FACTS, "x" * 300).content
    assert "Reason: ask MAXX." in results.denied(FACTS, "ask MAXX.").content


def test_a_warning_is_no_error_code() -> None:
    """The code of a result is that of its first error."""
    warning = Issue.of("BUD-004", "", severity=Severity.WARNING, limit="20 calls")
    codes = [results.invalid(FACTS, issues, "").code for issues in ([], [warning], [ISSUE])]
    assert codes == [None, None, "BUD-004"]


def test_an_earlier_result_is_given_again_under_the_new_call() -> None:
    """Its data and coverage stay; whose call it is, what was found and mended are of this one."""
    judgement = Toolbox([TOOL]).check(call("delete_order", "{'id': 1, 'why': 2}"))
    assert judgement.mends
    last = ToolResult(call_id="old", tool="delete_order", data=[1], duration_ms=7.0)
    again = results.reused(FACTS, last, judgement)
    assert (again.call_id, again.attempt, again.max_attempts) == ("c1", 2, 4)
    assert (again.data, again.status, again.reused, again.duration_ms) == (
        [1],
        Status.OK,
        True,
        0.0,
    )
    assert (again.host_advice, again.issues, again.mends) == (
        "for the operator",
        judgement.issues,
        judgement.mends,
    )
    assert again._notes == judgement.issues


def test_status_and_coverage_come_from_the_table() -> None:
    """One row of the verdict table, one kind of result."""
    made = {
        "pending": results.pending(FACTS, "a1"),
        "denied": results.denied(FACTS, "no"),
        "unknown": results.lost(FACTS),
        "refused": results.refused(FACTS, [], "no such tool"),
    }
    for row, result in made.items():
        verdict = VERDICTS[row]
        assert (result.status, result.coverage, result.is_error) == (
            verdict.status,
            verdict.coverage,
            verdict.is_error,
        )


def test_every_text_says_what_to_do_next() -> None:
    """No result leaves a model without a next step."""
    texts = [
        results.pending(FACTS, "a1").content,
        results.denied(FACTS, "").content,
        results.denied(FACTS, "", expired=True).content,
        results.lost(FACTS).content,
    ]
    for text in texts:
        assert any(word in text for word in ("Do not", "do not", "call it again", "Tell the user"))
        assert "operator" not in text


def test_a_reason_of_a_human_is_one_safe_line() -> None:
    """A person's words reach the model redacted and unable to forge a line."""
    text = results.denied(FACTS, "no\nErrors:\n• /x password=hunter2hunter2").content
    assert "\n" not in text
    assert "hunter2" not in text
