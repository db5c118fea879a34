"""What comes back from a run, judged for an exchange: its result, or one more thing to do."""

from collections.abc import Sequence
from typing import Protocol

from handrail.contract.call import Status, ToolResult
from handrail.contract.findings import with_output_findings
from handrail.contract.judge import Judgement
from handrail.contract.output import Output
from handrail.contract.raised import judge_failure
from handrail.contract.returned import judge_output
from handrail.contract.tool import Tool
from handrail.protocol.asks import Looked, Raised, Returned

__all__ = ["Neighbours", "judged", "looked_up", "others_of", "unblocked"]


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
