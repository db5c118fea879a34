"""Log lines about validation: one for each failure, one for each logical call.

Values never enter a log line; fields are attributes of the record. Tool and field names are the
model's words as long as nobody knows them: they enter on one line, bounded, without secrets.
Source: seed 000 (observability), seed 004 (FR-061..FR-066, NFR-013..NFR-015), the contract
`handrail/1`, section 9.
"""

import logging
from collections.abc import Sequence

from handrail.contract.call import Status, ToolResult
from handrail.contract.issue import Issue, Severity
from handrail.contract.pointer import safe_pointer
from handrail.contract.preview import word
from handrail.protocol.asks import Answer, Ask, AskModel, Close
from handrail.protocol.journal import Entry

__all__ = ["OUTCOME_LEVELS", "LogLines"]

logger = logging.getLogger("handrail.validation")

logger.addHandler(logging.NullHandler())  # quiet until a host listens

_MAX_NAME = 64
OUTCOME_LEVELS = {
    "no_retry": logging.DEBUG,
    "success": logging.INFO,
    "llm_gave_up": logging.INFO,
    "redundant": logging.WARNING,
    "exhausted": logging.WARNING,
    "fabricated_id_on_retry": logging.WARNING,
}
"""The level of each outcome's line."""


class LogLines:
    """Writes the log lines of one toolbox.

    Args:
        name: Name of the toolbox or extension, shown as ``ext=``.
    """

    kinds = frozenset({AskModel, Close})
    """The messages that can have something to log."""

    def __init__(self, name: str) -> None:
        self._name = name

    def wants(self, message: Ask | Answer, outcome: str | None) -> bool:
        """Whether an entry has something to log, and somebody listens."""
        if type(message) is Close:
            quiet = outcome == "no_retry" and not message.result.issues
            if quiet and not logger.isEnabledFor(logging.DEBUG):
                return False
        elif type(message) is not AskModel:
            return False
        return _is_heard()

    def __call__(self, entry: Entry) -> None:
        """Log what the entry says."""
        match entry.message:
            case AskModel(judgement=judgement, max_attempts=most):
                self._failure(entry, judgement.issues, most)
            case Close(result=result):
                if _is_failure(result, entry):
                    self._failure(entry, _issues(result), result.max_attempts)
                if entry.outcome:
                    self._outcome(entry, entry.outcome)

    def _failure(self, entry: Entry, issues: Sequence[Issue], most: int) -> None:
        if not logger.isEnabledFor(logging.WARNING):
            return
        errors = [issue for issue in issues if issue.severity is Severity.ERROR]
        logger.warning(
            "Tool validation failed",
            extra={
                "tool_name": _name(entry),
                "error_count": len(errors),
                "retry_attempt": entry.attempts,
                "max_retries": most,
                "errors": [{"path": safe_pointer(one.path), "code": one.code} for one in errors],
                "correlation_id": entry.exchange,
            },
        )

    def _outcome(self, entry: Entry, outcome: str) -> None:
        if not logger.isEnabledFor(OUTCOME_LEVELS[outcome]):
            return
        retries, name = max(0, entry.attempts - 1), _name(entry)
        logger.log(
            OUTCOME_LEVELS[outcome],
            "validation_retry_outcome tool=%s ext=%s outcome=%s retry_count=%d",
            name,
            self._name,
            outcome,
            retries,
            extra={
                "tool_name": name,
                "ext": self._name,
                "outcome": outcome,
                "retry_count": retries,
                "correlation_id": entry.exchange,
            },
        )


def _is_heard() -> bool:
    """Whether a record could reach anybody: a handler that is not ours, or a filter that counts."""
    at: logging.Logger | None = logger
    if logger.filters:
        return True
    while at is not None:
        for handler in at.handlers:
            if type(handler) is not logging.NullHandler:
                return True
        at = at.parent if at.propagate else None
    return False


def _name(entry: Entry) -> str:
    return word(entry.tool, _MAX_NAME)


def _is_failure(result: ToolResult, entry: Entry) -> bool:
    if entry.outcome in ("exhausted", "redundant"):
        return True
    if entry.outcome in ("no_retry", "success"):  # shadow mode lets it run all the same
        return any(issue.severity is Severity.ERROR for issue in result.issues)
    return result.status is Status.REFUSED and result.error_class == "refused"


def _issues(result: ToolResult) -> tuple[Issue, ...]:
    """What was wrong; a blocked result itself tells only of its budget."""
    if result.status is Status.BLOCKED and result.history:
        return result.history[-1].issues
    return result.issues
