"""What was found in a result, and how each kind of finding is made from the tables.

Status, coverage and advice come from the verdict table, the words from the table of results, so
that every result of a class looks the same wherever it was found. Source: the contract
`handrail/1`, section 7.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from handrail.contract.call import Advice, Coverage, NextStep, ToolResult
from handrail.contract.issue import Issue, Severity
from handrail.contract.judge import Judgement
from handrail.contract.output_codes import OUTPUTS
from handrail.contract.output_texts import (
    first_sentence,
    in_doubt,
    more_words,
    row_text,
    said_words,
    stated_text,
    wait_words,
    words_of,
)
from handrail.contract.preview import word
from handrail.contract.tool import Tool
from handrail.contract.tool_error import ToolError
from handrail.contract.verdict import VERDICTS

__all__ = ["Case", "Output", "failed", "made", "result_of", "stated"]

_NO_ADVICE = Advice()
_AUTHORS_TEXT = 500
_CODE = 64
_OWN_CLASSES = frozenset(
    {"schema_mismatch", "partial_data", "semantic_garbage", "need_user_input"}
    | {"transient", "tool_failed", "budget_spent"}
)


class Output(Judgement):
    """What was found in a result; ``stage`` is ``output`` and ``value`` the data.

    Attributes:
        code: Code of a row of the table of results, or the author's own where a check gave one.
        is_error: Whether the provider is told that this is an error.
        coverage: How far it brings the turn.
        advice: What to do next, for a program.
        facts: Values at the contract's paths.
        complete: False where rows are missing.
        told: What the model reads in place of the data; None where it reads the data.
        behind: What the model reads behind the data.
    """

    stage: Literal["input", "output"] = "output"
    code: str | None = None
    is_error: bool = False
    coverage: Coverage = Coverage.SATISFIED
    advice: Advice = _NO_ADVICE
    facts: Mapping[str, Any] = {}  # Any: JSON values; a frozen default
    complete: bool = True
    told: str | None = None
    behind: str | None = None

    @property
    def clean(self) -> bool:
        """Whether there is nothing in it but the data: a field costs nothing until it differs."""
        return len(self.__dict__) == 1 and "value" in self.__dict__


class Case(NamedTuple):
    """One result and what is known around it."""

    tool: Tool
    arguments: Mapping[str, Any]  # Any: JSON values
    at: float
    others: Sequence[str] | None


def failed(
    case: Case,
    code: str,
    *,
    own: str | None = None,
    said: str = "",
    wait: float | None = None,
    data: Any = None,  # Any: JSON value
    issues: tuple[Issue, ...] = (),
    words: Mapping[str, str] | None = None,
    host: str | None = None,
) -> Output:
    """A result of a row that says that something failed."""
    if code == "retry_after" and in_doubt(case.tool):
        code = "in_doubt"
    filled = {
        **words_of(case.tool, case.others),
        "said": said_words(said),
        "wait": wait_words(wait),
    }
    text = row_text(code, {**filled, **(words or {})})
    row = OUTPUTS[code]
    own = word(own, _CODE) if own else code
    return made(case, row.verdict, own, text, wait=wait, host=host).replace(
        value=data, issues=issues
    )


def made(
    case: Case,
    row: str,
    code: str,
    text: str,
    *,
    arguments: Mapping[str, Any] | None = None,  # Any: JSON values
    wait: float | None = None,
    reason: str | None = None,
    host: str | None = None,
) -> Output:
    """A judgement of this row of the verdict table; what does not fail is told behind the data."""
    verdict = VERDICTS[row]
    coverage, step = verdict.coverage, verdict.next
    alone = case.others is not None and not case.others
    if row == "schema_mismatch":
        coverage = Coverage.FAILED if alone else coverage
        step = _next_of(code, alone, step)
    if row == "transient" and in_doubt(case.tool):
        step = "ask_user"
    another = case.others[0] if case.others and step == "other_tool" else None
    return Output(
        status=verdict.status,
        error_class=verdict.error_class,
        is_error=verdict.is_error,
        code=code,
        coverage=coverage,
        complete=row != "partial_data",
        advice=Advice(step, arguments, another, wait, reason or first_sentence(text)),
        told=text if verdict.is_error else None,
        behind=None if verdict.is_error else text,
        host_advice=host,
    )


def _next_of(code: str, alone: bool, step: NextStep) -> NextStep:
    if code == "truncated_response":
        return "retry_changed"
    return "stop" if alone else step


def stated(
    case: Case,
    error: ToolError,
    *,
    wait: float | None = None,
    host: str | None = None,
    output: Output | None = None,
    beside: Sequence[ToolError] = (),
) -> Output:
    """What an author's structured error means: its class decides, its words are passed on."""
    row = error.error_class if error.error_class in _OWN_CLASSES else "tool_failed"
    words = words_of(case.tool, case.others)
    arguments = output.advice.arguments if output is not None else None
    further = more_words(None, case.tool, arguments)["further"]
    frame = "in_doubt" if row == "transient" and in_doubt(case.tool) else row
    text = stated_text(error, {**words, "further": further}, frame, wait_words(wait))
    for other in beside:
        if other is not error:
            text = f"{text}\nAlso: {word(other.detail, _AUTHORS_TEXT)}"
    if arguments is not None and error.hint and row == "partial_data":
        text = f"{text} {further}"
    found = made(
        case, row, word(error.code, _CODE) or row, text, arguments=arguments, wait=wait, host=host
    )
    issues = tuple(_issue_of(one) for one in beside or (error,))
    kept = output.value if output is not None else None
    facts = output.facts if output is not None and not found.is_error else {}
    severity = Severity.ERROR if found.is_error else Severity.INFO
    return found.replace(
        value=kept, facts=facts, issues=tuple(one.replace(severity=severity) for one in issues)
    )


def _issue_of(error: ToolError) -> Issue:
    if error.code == "semantic":
        problem = word(error.detail, _AUTHORS_TEXT) or "The result does not pass a check"
        return Issue.of("VAL-015", "", problem=problem)
    detail = word(error.detail, _AUTHORS_TEXT) or word(error.code, _CODE)
    hint = word(error.hint, _AUTHORS_TEXT) if error.hint else None
    return Issue(word(error.code, _CODE), "", detail, hint=hint)


def result_of(
    tool: Tool,
    output: Output,
    judgement: Judgement | None = None,
    **fields: Any,  # Any: further fields of ToolResult
) -> ToolResult:
    """The result that goes back to the model.

    Args:
        tool: The contract.
        output: What was found in what the tool gave back.
        judgement: What was found in the arguments: its warnings are told behind the result.
        fields: Further fields of the result, such as ``call_id``.
    """
    if output.clean and (judgement is None or not (judgement.issues or judgement.host_advice)):
        return ToolResult(tool=tool.name, data=output.value, **fields)
    issues, notes = output.issues, _warnings(output.issues)
    advice = [output.host_advice] if output.host_advice else []
    if judgement is not None and (judgement.issues or judgement.host_advice):
        issues = (*judgement.issues, *issues)
        fields["mends"] = judgement.mends
        if judgement.ok:
            notes = (*_warnings(judgement.issues), *notes)
        if judgement.host_advice:
            advice.insert(0, judgement.host_advice)
    if issues:
        fields["issues"] = issues
    if notes and not output.is_error:
        fields["_notes"] = notes
    if advice:
        fields["host_advice"] = "; ".join(advice)
    if output.code is not None:
        fields |= {
            "status": output.status,
            "is_error": output.is_error,
            "error_class": output.error_class,
            "code": output.code,
            "coverage": output.coverage,
            "advice": output.advice,
            "complete": output.complete,
        }
    for name, item in (("_text", output.told), ("_behind", output.behind)):
        if item is not None:
            fields[name] = item
    if output.facts:
        fields["facts"] = output.facts
    return ToolResult(tool=tool.name, data=output.value, **fields)


def _warnings(issues: Sequence[Issue]) -> tuple[Issue, ...]:
    return tuple(issue for issue in issues if issue.severity is Severity.WARNING)
