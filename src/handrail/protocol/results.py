"""The results of everything that is not simply valid: one function for each way a call can end.

Each takes the exchange's plain facts and gives a `ToolResult`; status, coverage and advice come
from the verdict table, texts from here and from `feedback`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from handrail.contract.call import Advice, Attempt, Escalation, ToolResult
from handrail.contract.issue import Issue, Severity
from handrail.contract.judge import Judgement
from handrail.contract.preview import word
from handrail.contract.verdict import VERDICTS

__all__ = [
    "Facts",
    "blocked",
    "cancelled",
    "denied",
    "invalid",
    "lost",
    "pending",
    "refused",
    "reused",
    "stopped",
]


class Facts(NamedTuple):
    """What every result carries.

    Attributes:
        call_id: Id of the call that is answered.
        tool: Name of the tool.
        attempt: Number of the attempt, from 1.
        max_attempts: The attempts budget.
        history: All attempts so far.
        host_advice: For the operator.
    """

    call_id: str
    tool: str
    attempt: int = 1
    max_attempts: int = 3
    history: tuple[Attempt, ...] = ()
    host_advice: str | None = None


def _result(
    facts: Facts,
    row: str,
    text: str,
    issues: Sequence[Issue] = (),
    **more: Any,  # Any: further fields of ToolResult
) -> ToolResult:
    """A result of this row of the table; `issues` come in the order in which they are shown."""
    verdict = VERDICTS[row]
    first = issues[0] if issues else None
    fields: dict[str, Any] = {  # Any: fields of ToolResult
        "call_id": facts.call_id,
        "tool": facts.tool,
        "status": verdict.status,
        "is_error": verdict.is_error,
        "issues": tuple(issues),
        "attempt": facts.attempt,
        "max_attempts": facts.max_attempts,
        "history": facts.history,
        "coverage": verdict.coverage,
        "error_class": verdict.error_class or None,
        "code": first.code if first and first.severity is Severity.ERROR else None,
        "advice": Advice(verdict.next),
        "host_advice": facts.host_advice,
        "_text": text,
    }
    fields.update(more)
    return ToolResult(**fields)


def invalid(facts: Facts, issues: Sequence[Issue], text: str) -> ToolResult:
    """The arguments must be corrected; the exchange stays open."""
    return _result(facts, "invalid_arguments", text, issues)


def refused(facts: Facts, issues: Sequence[Issue], text: str) -> ToolResult:
    """The call is refused: unknown tool, fabricated or unseen id, out of scope."""
    return _result(facts, "refused", text, issues)


def blocked(
    facts: Facts, issue: Issue, text: str, escalation: Escalation | None = None, **more: Any
) -> ToolResult:
    """A budget is spent; `more` overrides fields such as status and outcome."""
    fields = {"code": issue.code, "escalation": escalation, **more}
    return _result(facts, "budget_spent", text, (issue,), **fields)


def reused(facts: Facts, last: ToolResult, judgement: Judgement) -> ToolResult:
    """An earlier result of exactly this call, given again; the handler does not run."""
    return last.replace(
        call_id=facts.call_id,
        attempt=facts.attempt,
        max_attempts=facts.max_attempts,
        history=facts.history,
        issues=judgement.issues,
        mends=judgement.mends,
        host_advice=facts.host_advice,
        duration_ms=0.0,
        reused=True,
        _notes=judgement.issues,
    )


def stopped(facts: Facts, issues: Sequence[Issue], outcome: str) -> ToolResult:
    """The model went on without the call that it was asked to correct."""
    text = f"The call of {facts.tool!r} was not corrected and did not run."
    return _result(facts, "invalid_arguments", text, issues, outcome=outcome)


def pending(facts: Facts, approval_id: str) -> ToolResult:
    """A human must decide before the call runs."""
    text = (
        f"The call of {word(facts.tool)} waits for a person to approve it. "
        "It has not run. Do not call it again; wait for the decision."
    )
    return _result(facts, "pending", text, approval_id=approval_id)


def denied(facts: Facts, reason: str, *, expired: bool = False) -> ToolResult:
    """A human said no, or nobody decided in time."""
    if expired:
        text = (
            f"Nobody approved the call of {word(facts.tool)} in time. It did not run. "
            "Tell the user; do not call it again unless the user asks for it."
        )
    else:
        why = f" Reason: {word(reason, 300).rstrip('. ')}." if reason else ""
        text = (
            f"A person denied the call of {word(facts.tool)}. It did not run.{why} "
            "Do not call it again; ask the user how to go on."
        )
    return _result(facts, "denied", text, code="expired" if expired else "denied")


def lost(facts: Facts) -> ToolResult:
    """Whether the handler ran to its end is not known."""
    text = (
        f"Outcome unknown: whether {word(facts.tool)} ran to its end is not known. "
        "Do not call it again; a person must look."
    )
    return _result(facts, "unknown", text)


def cancelled(facts: Facts) -> ToolResult:
    """The host withdrew the call."""
    text = f"The call of {word(facts.tool)} was cancelled and its result is not available."
    return _result(facts, "tool_failed", text, code="cancelled")
