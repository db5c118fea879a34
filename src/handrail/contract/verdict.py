"""The verdict table: for each class of trouble, what status and coverage it has and who acts next.

``docs/verdicts.md`` is generated from it. Source: the contract `handrail/1`, section 7.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from handrail.contract.call import Coverage, NextStep, Status

__all__ = ["VERDICTS", "Verdict"]


class Verdict(NamedTuple):
    """One row of the table.

    Attributes:
        error_class: The one public word; ``""`` in parentheses rows that have none.
        stage: Where it arises: ``input``, ``human``, ``tool``, ``output`` or ``either``.
        status: Status of the result.
        is_error: Whether the provider is told that this is an error.
        coverage: How far it brings the turn.
        who: Who acts next.
        again: Whether the same arguments may be sent again.
        next: The advice for a program.
    """

    error_class: str
    stage: str
    status: Status
    is_error: bool
    coverage: Coverage
    who: str
    again: str
    next: NextStep


_MORE = Coverage.NEEDS_MORE_TOOLS
_ASK = Coverage.NEED_USER_INPUT

_ROWS = {
    "clean": Verdict("", "output", Status.OK, False, Coverage.SATISFIED, "nobody", "-", "none"),
    "invalid_arguments": Verdict(
        "invalid_arguments",
        "input",
        Status.INVALID,
        True,
        _MORE,
        "the model, in this exchange",
        "no",
        "retry_changed",
    ),
    "refused": Verdict(
        "refused",
        "input",
        Status.REFUSED,
        True,
        _MORE,
        "the model, with a new call",
        "never",
        "other_tool",
    ),
    "denied": Verdict(
        "denied",
        "human",
        Status.DENIED,
        True,
        Coverage.FAILED,
        "the model or the user",
        "never",
        "stop",
    ),
    "pending": Verdict("", "human", Status.PENDING, False, _ASK, "the human", "-", "ask_user"),
    "schema_mismatch": Verdict(
        "schema_mismatch",
        "output",
        Status.FAILED,
        True,
        _MORE,
        "the user or another tool",
        "never",
        "other_tool",
    ),
    "partial_data": Verdict(
        "partial_data",
        "output",
        Status.OK,
        False,
        _MORE,
        "the model, with new arguments",
        "only changed",
        "retry_changed",
    ),
    "semantic_garbage": Verdict(
        "semantic_garbage",
        "output",
        Status.FAILED,
        True,
        _MORE,
        "the model, with a new idea",
        "never",
        "retry_changed",
    ),
    "need_user_input": Verdict(
        "need_user_input", "output", Status.OK, False, _ASK, "the user", "-", "ask_user"
    ),
    "transient": Verdict(
        "transient",
        "tool",
        Status.FAILED,
        True,
        _MORE,
        "the model, with a new call after retry_after",
        "yes, within its budget",
        "retry_same",
    ),
    "tool_failed": Verdict(
        "tool_failed",
        "tool",
        Status.FAILED,
        True,
        Coverage.FAILED,
        "the model or the user",
        "never",
        "stop",
    ),
    "started": Verdict("", "tool", Status.STARTED, False, _MORE, "nobody yet", "-", "none"),
    "unknown": Verdict(
        "", "tool", Status.UNKNOWN, True, _ASK, "the human", "never by itself", "ask_user"
    ),
    "budget_spent": Verdict(
        "budget_spent",
        "either",
        Status.BLOCKED,
        True,
        Coverage.FAILED,
        "the user",
        "never",
        "stop",
    ),
}

VERDICTS: Mapping[str, Verdict] = MappingProxyType(_ROWS)
"""Rows by name; the names of rows without an error class are ours."""
