"""What comes back from a run, judged for an exchange: its result, or one more thing to do."""

from collections.abc import Sequence
from typing import Any, Protocol

from handrail.contract.call import Status, ToolResult
from handrail.contract.findings import with_output_findings
from handrail.contract.judge import Judgement
from handrail.contract.output import Output
from handrail.contract.raised import judge_failure
from handrail.contract.returned import is_clean, judge_output
from handrail.contract.tool import Tool
from handrail.protocol.asks import Looked, Raised, Returned
from handrail.protocol.results import Facts

__all__ = [
    "Neighbours",
    "is_plain",
    "judged",
    "looked_up",
    "others_of",
    "plain",
    "unblocked",
]


class Neighbours(Protocol):
    """The turn, as far as a result is concerned."""

    @property
    def visible(self) -> Sequence[Tool]:
        """The tools that may be called."""


def others_of(tool: Tool, turn: Neighbours) -> list[str] | None:
    """The other tools of its group that may be used; None where it is in no group."""
    if tool.group is None:
        return None
    return [one.name for one in turn.visible if one.group == tool.group and one.name != tool.name]


def judged(tool: Tool, said: Returned | Raised, judgement: Judgement, turn: Neighbours) -> Output:
    """What was found in what a handler returned or raised."""
    others = others_of(tool, turn)
    if isinstance(said, Returned):
        return judge_output(tool, said.value, judgement.value, at=said.at, others=others)
    fault = said.fault
    return judge_failure(
        tool,
        fault.amounts_to,
        judgement.value,
        at=said.at,
        others=others,
        reference=fault.reference,
        detail=fault.detail,
    )


def is_plain(tool: Tool, said: Returned | Raised, judgement: Judgement) -> bool:
    """Whether there is nothing to say of a run but what it returned."""
    if type(said) is not Returned or judgement.issues or judgement.host_advice is not None:
        return False
    return is_clean(tool, said.value)


def plain(said: Returned | Raised, facts: Facts, ran_ms: float, outcome: str) -> ToolResult:
    """The result of such a run: the quick form of `judged` and what follows it."""
    late: dict[str, Any] = {}  # Any: fields of ToolResult
    if facts.attempt > 1:
        late = {"attempt": facts.attempt, "history": facts.history}
    return ToolResult(
        call_id=facts.call_id,
        tool=facts.tool,
        data=said.value if isinstance(said, Returned) else None,
        max_attempts=facts.max_attempts,
        duration_ms=ran_ms,
        outcome=outcome,
        **late,
    )


def looked_up(
    tool: Tool, output: Output, said: Looked, judgement: Judgement, turn: Neighbours
) -> Output:
    """The judgement with what the awaited checks of the result found."""
    others = others_of(tool, turn)
    return with_output_findings(tool, output, said.findings, judgement.value, others=others)


def unblocked(result: ToolResult, output: Output) -> ToolResult:
    """The result in shadow mode: what was found is recorded, what was returned is delivered."""
    if output.clean or output.value is None:
        return result
    return result.replace(status=Status.OK, is_error=False, _text=None, _behind=None, _notes=())
