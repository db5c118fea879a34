"""What one guarded call came to, as a value and as the structured error of seed 001.

A `Guarded` is a `ToolResult` seen from the function's side: the same judgement, the same words.
"""

from typing import Any

from handrail.contract.call import Advice, ToolResult
from handrail.contract.issue import Issue, split_pointer
from handrail.contract.output_texts import first_sentence
from handrail.contract.preview import word
from handrail.contract.record import Record
from handrail.contract.tool_error import ToolError

__all__ = ["REPEATED", "Guarded", "error_of", "guarded_of", "seed_form"]

REPEATED = "retry_budget_exceeded"
"""How seed 001 spells a spent budget of identical calls, which is ``BUD-002`` elsewhere."""

_SPENT = "BUD-002"
_VIOLATION = "schema_violation"


class Guarded(Record):
    """What one call of a guarded function came to.

    Attributes:
        result: All of it, as a toolbox would give it: coverage, facts, ``host_advice`` for the
            operator, ``to_openai()`` and its like for the provider.
    """

    result: ToolResult

    @property
    def ok(self) -> bool:
        """Whether there is something to work with; partial data is."""
        return not self.result.is_error

    @property
    def data(self) -> Any:  # Any: JSON value, or what the function returned
        """What came back, as JSON where a form is declared; None if it is not ok."""
        return self.result.data if self.ok else None

    @property
    def error(self) -> ToolError | None:
        """What is wrong or missing; None if nothing is. Partial data has one too."""
        return error_of(self.result)

    @property
    def advice(self) -> Advice:
        """What to do next, for a program."""
        return self.result.advice

    def for_model(self) -> str:
        """What the model reads: the data, or in its place or behind it what to do."""
        return self.result.content


def guarded_of(result: ToolResult) -> Guarded:
    """The result from the function's side."""
    return Guarded(result=result)


def error_of(result: ToolResult) -> ToolError | None:
    """The structured error of a result; None where it is clean.

    What an author's check said is in its own words; what we found is its first sentence, and as
    hint the rest.
    """
    if result.error_class is None:
        return None
    code = REPEATED if result.code == _SPENT else result.code or result.error_class
    text = result._text if result._text is not None else result._behind or ""
    head = first_sentence(text)
    for issue in result.issues:
        if issue.code == _VIOLATION == code:
            return ToolError(result.error_class, code, _place(issue), text.rpartition("\n\n")[2])
        if issue.code == code:
            return ToolError(result.error_class, code, issue.message, issue.hint)
    return ToolError(result.error_class, code, head, text[len(head) :].strip() or None)


def _place(issue: Issue) -> str:
    """One line: which field, and what of it is wrong."""
    field = ".".join(word(part) for part in split_pointer(issue.path))
    return f"Field `{field}`: {issue.message}." if field else f"{issue.message}."


def seed_form(result: ToolResult) -> dict[str, Any]:  # Any: JSON values
    """The dict of seed 001: the payload, or the four fields of an error.

    Where rows are there although something is missing, they stand under ``data``.
    """
    error = error_of(result)
    if error is None:
        payload = result.data
        return payload if isinstance(payload, dict) else {"data": payload}
    fields = error.model_dump()
    if error.code == REPEATED and error.error_class == "budget_spent":
        fields["error_class"] = "schema_mismatch"
    if not result.is_error:
        fields["data"] = result.data
    return fields
