"""What an author's checks of a result said -> the judgement with it."""

from collections.abc import Mapping, Sequence
from typing import Any

from handrail.contract.author import Broken
from handrail.contract.issue import Issue, Severity
from handrail.contract.output import Case, Output, stated
from handrail.contract.output_codes import OUTPUTS
from handrail.contract.tool import Tool
from handrail.contract.tool_error import ToolError, tool_error_of

__all__ = ["with_found", "with_output_findings"]


def with_output_findings(
    tool: Tool,
    output: Output,
    findings: Sequence[object],
    arguments: Mapping[str, Any] | None = None,  # Any: JSON values
    *,
    others: Sequence[str] | None = None,
) -> Output:
    """The judgement with what its awaited checks found.

    Args:
        tool: The contract.
        output: As `judge_output` gave it, with ``lookups``.
        findings: One for each of them.
        arguments: Those of the call.
        others: As for `judge_output`.
    """
    case = Case(tool, arguments or {}, 0.0, others)
    output = output.replace(lookups=())
    return with_found(case, output, findings)


def with_found(case: Case, output: Output, findings: Sequence[object]) -> Output:
    """The judgement with what checks found: a structured error of theirs decides.

    A check that raises is at fault itself: the data is delivered, with a warning.
    """
    errors, faults = _errors_of(findings)
    if faults:
        message = OUTPUTS["unchecked"].told
        issue = Issue("unchecked", "", message, Severity.WARNING)
        host = "; ".join(filter(None, [output.host_advice, *faults]))
        output = output.replace(issues=(*output.issues, issue), host_advice=host)
    if not errors:
        return output
    first = min(errors, key=lambda error: error.error_class == "partial_data")
    found = stated(case, first, output=output, beside=errors)
    return found.replace(issues=(*output.issues, *found.issues), host_advice=output.host_advice)


def _errors_of(findings: Sequence[object]) -> tuple[list[ToolError], list[str]]:
    """What checks said, as structured errors; and a sentence for the operator for each fault."""
    errors: list[ToolError] = []
    faults: list[str] = []
    for finding in findings:
        match finding:
            case None | True:
                pass
            case Broken():
                raised = tool_error_of(finding.error)
                errors += [raised] if raised is not None else []
                faults += [finding.detail] if raised is None else []
            case str():
                errors.append(ToolError("semantic_garbage", "semantic", finding))
            case list() | tuple():
                inner = _errors_of(finding)
                errors += inner[0]
                faults += inner[1]
            case _:
                found = tool_error_of(finding)
                if found is not None:
                    errors.append(found)
                else:
                    kind = type(finding).__name__
                    faults.append(
                        f"a check returned {kind}, expected None, str, ToolError or a list"
                    )
    return errors, faults
