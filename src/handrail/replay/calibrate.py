"""Recorded traffic through a candidate contract: what it would have stopped, and was it right?

A call that the contract rejects although the real tool accepted it is a suspected false alarm, and
so is a result that it calls broken although the call succeeded. They are the first-class figure:
a contract that cries wolf teaches a model to distrust its tools. Source: seed 001; the page of
results, section 5.

Memory is flat: counts, a few examples, and a bounded number of false alarms that are judged again
under the widened contract.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from handrail.contract.call import Status
from handrail.contract.issue import Issue, Severity
from handrail.contract.judge import Judgement
from handrail.contract.output import Output
from handrail.contract.policy import Settings
from handrail.contract.preview import word
from handrail.replay.check import MOST_TOOLS, OTHER_TOOLS
from handrail.replay.effect import (
    PARAMETERS,
    RETURNS,
    Alarm,
    Sides,
    cleared,
    error_paths,
    returns_schema,
)
from handrail.replay.narrowing import Narrowing, Profile
from handrail.replay.outcomes import Came, came_of, judged_result
from handrail.replay.records import Answered, Recorded
from handrail.replay.schemas import Contract
from handrail.replay.shapes import pointer_shape
from handrail.replay.tallies import GroupKey, Groups, ToolTally
from handrail.replay.violations import violations
from handrail.replay.widening import Broken, Change, widenings

__all__ = ["Calibration", "Suggestion"]

MOST_WAITING = 20_000
MOST_KEPT = 20_000
MOST_KEPT_OF_TOOL = 1_000
_LONGEST_KEPT = 65_536
_MOST_PROFILES = 500

_Waiting = tuple[str, str | None, str]


class Suggestion(NamedTuple):
    """A widening of one tool's contract, with its effect.

    Attributes:
        contract: Number of the contract, in the order in which they were first called.
        tool: Its name, safe for one line: its ref in the schema file, or that of the tool.
        side: ``parameters`` or ``returns``.
        change: The edit.
        accepted: Accepted calls of the tool.
        before: Suspected false alarms of the tool.
        after: Those that are left with all suggestions for the tool.
        unproved: Those of these that were not kept, and count as if nothing had changed.
    """

    contract: int
    tool: str
    side: str
    change: Change
    accepted: int
    before: int
    after: int
    unproved: int


class _Contracted:
    """What is known of one contract."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.accepted = 0
        self.alarms = 0
        self.dropped = 0
        self.broken = {PARAMETERS: Broken(), RETURNS: Broken()}
        self.kept: dict[int, tuple[Alarm, int]] = {}
        self.profile = Profile()


class Calibration:
    """Follows a check, and holds its verdicts against what really came of the calls.

    Args:
        policy: The rules.
        raw: Whether examples hold raw values.
        examples: Examples of each kind of finding.

    Attributes:
        totals: Counts of everything.
        by_tool: Counts by name of the tool.
        groups: Findings by kind, code and field.
        unknown: Calls of which nothing tells what came of them.
        unchecked: Results whose async check was not run.
    """

    def __init__(self, policy: Settings, *, raw: bool = False, examples: int = 3) -> None:
        self.totals = ToolTally()
        self.by_tool: dict[str, ToolTally] = {}
        self.groups = Groups(raw=raw, examples=examples)
        self.unknown = 0
        self.unchecked = 0
        self._policy = policy
        self._waiting: OrderedDict[_Waiting, tuple[Recorded, Contract | None, Judgement]] = (
            OrderedDict()
        )
        self._contracts: dict[int, _Contracted] = {}
        self._kept = 0

    def call(
        self,
        call: Recorded,
        contract: Contract | None,
        judgement: Judgement | None,
        *,
        unknown: bool = False,
    ) -> None:
        """Take note of a call; if its result stands elsewhere in the log, once that is read."""
        if judgement is None:
            return
        if call.result is None and call.error is None and call.call_id:
            key = (call.place.file, call.conversation, call.call_id)
            self._waiting[key] = (call, contract, judgement)
            if len(self._waiting) > MOST_WAITING:
                _, oldest = self._waiting.popitem(last=False)
                self._settle(*oldest, None, None)
            return
        self._settle(call, contract, judgement, call.result, call.error)

    def answered(self, answer: Answered) -> None:
        """Take note of a result that stands apart from its call."""
        key = (answer.place.file, answer.conversation, answer.call_id)
        waiting = self._waiting.pop(key, None)
        if waiting is not None:
            self._settle(*waiting, answer.result, answer.failed)

    def end(self) -> None:
        """A log is over: what still waits has no result."""
        while self._waiting:
            _, (call, contract, judgement) = self._waiting.popitem(last=False)
            self._settle(call, contract, judgement, None, None)

    # ---- one call

    def _settle(
        self,
        call: Recorded,
        contract: Contract | None,
        judgement: Judgement,
        result: object,
        error: object,
    ) -> None:
        came = came_of(result, error)
        name = word(call.tool)
        tallies = (self.totals, self._of(name))
        known = self._known(contract) if contract is not None else None
        self.unknown += came.accepted is None
        for tally in tallies:
            _count_call(tally, came, judgement)
        if known is not None:
            known.accepted += came.accepted is True
            self._profiled(known, came, judgement)
        alarm = self._input(name, call, known, judgement, came, result)
        if contract is not None and judgement.ok:
            asked = self._policy.needs_approval(contract.tool.name, contract.tool.action_type)
            for tally in tallies:
                tally.asked += asked
            if asked:
                self.groups.add([GroupKey("asked", name, "approval", "")], call, result, "")
        broken = known is not None and self._output(
            name, call, known, judgement, came, result, error
        )
        for tally in tallies:
            tally.input_alarms += alarm
            tally.output_alarms += broken
            tally.alarmed += alarm or broken
        if known is not None:
            known.alarms += alarm + broken

    def _input(
        self,
        name: str,
        call: Recorded,
        known: _Contracted | None,
        judgement: Judgement,
        came: Came,
        result: object,
    ) -> bool:
        """Count what was found in the arguments; whether that is a suspected false alarm."""
        if judgement.ok:
            keys = [
                GroupKey("mended", name, one.kind, pointer_shape(one.path))
                for one in judgement.mends
            ]
            self.groups.add(keys, call, result, "")
            return False
        alarm = came.accepted is True
        kind = "false_alarm" if alarm else "caught" if came.accepted is False else "unsure"
        self._issues(kind, name, judgement.issues, call, result)
        if alarm and known is not None:
            value = judgement.given if judgement.value is None else judgement.value
            self._evidence(known, Alarm(call, result, value, PARAMETERS, judgement.issues))
        return alarm

    def _output(
        self,
        name: str,
        call: Recorded,
        known: _Contracted,
        judgement: Judgement,
        came: Came,
        result: object,
        error: object,
    ) -> bool:
        """Judge a result; whether what was found is a suspected false alarm."""
        arguments = judgement.value if isinstance(judgement.value, Mapping) else None
        output = judged_result(known.contract.tool, result, error, arguments)
        if output is None:
            return False
        self.unchecked += bool(output.lookups)
        for tally in (self.totals, self._of(name)):
            tally.results += 1
            tally.outputs[output.error_class or "ok"] += 1
        if output.error_class is None:
            return False
        alarm = output.is_error and came.accepted is True
        kind = "false_alarm_output" if alarm else f"output_{output.error_class}"
        code = output.code or output.error_class
        if output.code == "schema_violation":
            self._issues(kind, name, output.issues, call, result, code)
        else:
            self.groups.add([GroupKey(kind, name, code, "")], call, result, "")
        if alarm:
            self._evidence(
                known, Alarm(call, result, _plain(output, result), RETURNS, output.issues)
            )
        return alarm

    def _issues(
        self,
        kind: str,
        name: str,
        issues: tuple[Issue, ...],
        call: Recorded,
        result: object,
        code: str = "",
    ) -> None:
        for issue in issues:
            if issue.severity is Severity.ERROR:
                key = GroupKey(kind, name, code or issue.code, pointer_shape(issue.path))
                self.groups.add([key], call, result, issue.expected or "")

    def _evidence(self, known: _Contracted, alarm: Alarm) -> None:
        tool = known.contract.tool
        schema = tool.schema if alarm.side == PARAMETERS else returns_schema(tool)
        if not schema or alarm.value is None:
            return
        found = violations(schema, alarm.value, error_paths(alarm.issues) or None)
        known.broken[alarm.side].add(found)
        alike = hash((alarm.side, repr(found), tuple(one.code for one in alarm.issues)))
        if alike in known.kept:
            first, times = known.kept[alike]
            known.kept[alike] = (first, times + 1)
            return
        room = len(known.kept) < MOST_KEPT_OF_TOOL and self._kept < MOST_KEPT
        if room and len(str(alarm.call.arguments)) + len(str(alarm.result)) <= _LONGEST_KEPT:
            known.kept[alike] = (alarm, 1)
            self._kept += 1
        else:
            known.dropped += 1

    def _profiled(self, known: _Contracted, came: Came, judgement: Judgement) -> None:
        if came.accepted is None or not isinstance(judgement.value, Mapping):
            return
        if came.accepted:
            known.profile.accept(judgement.value)
        elif judgement.ok:
            known.profile.fail(judgement.value)

    def _of(self, name: str) -> ToolTally:
        found = self.by_tool.get(name)
        if found is None:
            name = name if len(self.by_tool) < MOST_TOOLS else OTHER_TOOLS
            found = self.by_tool.setdefault(name, ToolTally())
        return found

    def _known(self, contract: Contract) -> _Contracted | None:
        found = self._contracts.get(id(contract))
        if found is None and len(self._contracts) < MOST_TOOLS:
            found = self._contracts[id(contract)] = _Contracted(contract)
        return found

    # ---- what follows from it

    def suggestions(self) -> list[Suggestion]:
        """The widenings that accepted calls ask for, with their effect; most alarms first."""
        every = enumerate(self._contracts.values())
        found = [one for number, known in every for one in self._suggested(number, known)]
        return sorted(found, key=_order)

    def _suggested(self, number: int, known: _Contracted) -> Iterator[Suggestion]:
        tool = known.contract.tool
        schemas = {PARAMETERS: tool.schema, RETURNS: returns_schema(tool)}
        sides: Sides = {
            side: widenings(schemas[side], known.broken[side], known.accepted) for side in schemas
        }
        if not any(sides.values()):
            return
        gone = cleared(known.contract, sides, known.kept.values(), self._policy)
        left = max(0, known.alarms - gone)
        for side, changes in sides.items():
            for change in changes:
                name = word(known.contract.ref or known.contract.name, 200)
                yield Suggestion(
                    number, name, side, change, known.accepted, known.alarms, left, known.dropped
                )

    def narrowings(self) -> list[tuple[str, int, Narrowing]]:
        """What a narrowing would catch: tool, accepted calls, what."""
        return [
            (word(known.contract.ref or known.contract.name, 200), known.accepted, one)
            for known in self._contracts.values()
            for one in known.profile.narrowings(list(known.contract.schema.get("required", ())))
        ]


def _order(one: Suggestion) -> tuple[int, str, int, str, str]:
    return -one.before, one.tool, one.contract, one.side, one.change.pointer


def _count_call(tally: ToolTally, came: Came, judgement: Judgement) -> None:
    tally.calls += 1
    tally.accepted += came.accepted is True
    tally.assumed += came.accepted is True and not came.stated
    tally.failed += came.accepted is False
    if judgement.ok:
        tally.mended += bool(judgement.mends)
        return
    refused = judgement.status is Status.REFUSED
    tally.refused += refused
    tally.invalid += not refused
    tally.caught += came.accepted is False


def _plain(output: Output, result: object) -> Any:  # Any: JSON value
    """A result as JSON values: text that holds JSON is what it holds."""
    if isinstance(result, str):
        from json import loads

        try:
            return loads(result)
        except (ValueError, RecursionError):
            return result
    return output.value if output.value is not None else result
