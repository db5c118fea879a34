"""What a widening comes to: the false alarms are judged again under the widened contract.

Only what was rejected need be judged again, since a wider contract rejects nothing more. Of false
alarms that break the same keywords with the same values one is kept, and stands for all. How many
are kept is bounded, so that memory stays flat; those beyond count as if nothing had changed.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from handrail.contract.issue import Issue, Severity
from handrail.contract.judge import judge_input
from handrail.contract.policy import Settings
from handrail.contract.terms import TERM_DEFAULTS
from handrail.contract.tool import Tool
from handrail.contract.words import Schema
from handrail.errors import ContractError
from handrail.replay.outcomes import judged_result
from handrail.replay.records import Recorded
from handrail.replay.schemas import Contract
from handrail.replay.violations import violations
from handrail.replay.widening import Change, widened

__all__ = ["PARAMETERS", "RETURNS", "Alarm", "Sides", "cleared", "error_paths", "returns_schema"]

PARAMETERS, RETURNS = "parameters", "returns"

Sides = Mapping[str, list[Change]]
"""Edits of a contract: of its ``parameters`` and of its ``returns``."""

_SCHEMA_CODES = frozenset(f"VAL-{number:03}" for number in (1, 2, 3, 5, 6, 7, 8, 9, 10, 12, 13))


class Alarm(NamedTuple):
    """A suspected false alarm that is kept.

    Attributes:
        call: The call.
        result: What the tool gave.
        value: The arguments, mended, or the result as JSON values.
        side: ``parameters`` or ``returns``.
        issues: What was found.
    """

    call: Recorded
    result: object
    value: Any  # Any: JSON value
    side: str
    issues: tuple[Issue, ...]


def error_paths(issues: Collection[Issue]) -> frozenset[str]:
    """Pointers of the errors."""
    return frozenset(one.path for one in issues if one.severity is Severity.ERROR)


def returns_schema(tool: Tool) -> Schema:
    """The JSON Schema of the results; empty where none is enforced."""
    declared = tool.declared
    if declared is None or not declared.enforced:
        return {}
    return declared.schema


def cleared(
    contract: Contract, sides: Sides, alarms: Iterable[tuple[Alarm, int]], policy: Settings
) -> int:
    """How many of these alarms the edits take away.

    Args:
        contract: The contract as it is.
        sides: The edits.
        alarms: Those that were kept, each with the number of alarms that it stands for.
        policy: The rules.
    """
    tool = contract.tool
    schemas = {
        PARAMETERS: widened(tool.schema, sides.get(PARAMETERS, ())),
        RETURNS: widened(returns_schema(tool), sides.get(RETURNS, ())),
    }
    wider = {side: _wider(tool, side, schemas[side]) for side in schemas if sides.get(side)}
    return sum(
        times
        for alarm, times in alarms
        if sides.get(alarm.side)
        and _is_cleared(alarm, schemas[alarm.side], wider.get(alarm.side), policy)
    )


def _wider(tool: Tool, side: str, schema: Schema) -> Tool | None:
    """The tool with another schema; None where the author's own types judge as well."""
    stated = tool.params if side == PARAMETERS else tool.returns
    if not isinstance(stated, Mapping):
        return None
    terms = {name: getattr(tool, name) for name in TERM_DEFAULTS if name not in _NOT_TERMS}
    params = schema if side == PARAMETERS else tool.params
    returns = schema if side == RETURNS else None
    try:
        return Tool(tool.name, tool.description, None, params, returns, **terms)
    except ContractError:
        return None


_NOT_TERMS = ("returns", "examples")


def _is_cleared(alarm: Alarm, schema: Schema, wider: Tool | None, policy: Settings) -> bool:
    errors = [one for one in alarm.issues if one.severity is Severity.ERROR]
    if wider is None:
        told = alarm.side == RETURNS or all(one.code in _SCHEMA_CODES for one in errors)
        return told and not violations(schema, alarm.value, error_paths(errors))
    if alarm.side == PARAMETERS:
        finish = alarm.call.finish_reason
        return judge_input(wider, alarm.call.arguments, policy, finish_reason=finish).ok
    output = judged_result(wider, alarm.result, None, _arguments(alarm))
    return output is None or not output.is_error


def _arguments(alarm: Alarm) -> Mapping[str, Any] | None:  # Any: JSON values
    arguments = alarm.call.arguments
    return arguments if isinstance(arguments, Mapping) else None
