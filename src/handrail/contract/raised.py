"""What a handler raised -> what the model is told, and what it may do."""

from collections.abc import Mapping, Sequence
from typing import Any

from handrail.contract.author import described
from handrail.contract.envelopes import said_in
from handrail.contract.failures import Failure, failure_of
from handrail.contract.output import Case, Output, failed, stated
from handrail.contract.output_codes import OUTPUTS
from handrail.contract.preview import word
from handrail.contract.tool import Tool

__all__ = ["judge_failure"]


def judge_failure(
    tool: Tool,
    failure: Failure | BaseException,
    arguments: Mapping[str, Any] | None = None,  # Any: JSON values
    *,
    at: float = 0.0,
    others: Sequence[str] | None = None,
    reference: str = "",
    detail: str | None = None,
) -> Output:
    """Judge what a handler raised; never raises, and never tells the model its text.

    Args:
        tool: The contract.
        failure: The exception, or what it was found to amount to.
        arguments: Those of the call.
        at: When it was raised, in seconds since the epoch.
        others: As for `judge_output`.
        reference: Handle under which the operator finds the details; the model may name it.
        detail: For the operator.
    """
    case = Case(tool, arguments or {}, at, others)
    if isinstance(failure, BaseException):
        detail = f"{tool.name} raised {described(failure)}" if detail is None else detail
        failure = failure_of(failure, at)
    if failure.tool_error is not None:
        return stated(case, failure.tool_error, wait=failure.retry_after, host=detail)
    code = failure.code if failure.code in OUTPUTS else "internal"
    said = _of_body(failure.body) if code not in _MOMENT else ""
    shown = f" (reference {word(reference)})" if reference else ""
    return failed(
        case, code, said=said, wait=failure.retry_after, host=detail, words={"reference": shown}
    )


_MOMENT = frozenset({"retry_after", "internal"})
"""Rows in which what the other side said helps nobody: nothing in the call can be changed."""


def _of_body(body: Any) -> str:  # Any: JSON value
    """What the other side answered, where it answered with an object."""
    return said_in(body) if isinstance(body, Mapping) else ""
