"""Going round without getting further: four patterns across the calls of a turn, and the ladder.

A pattern is evidence only while nothing changes, so everything is forgotten when a state-changing
call succeeds, and each pattern ends with the first result that differs. Never counted are tools
that are meant to be asked again (``poll``, ``repeatable``), transient failures (the moment is at
fault), and the calls of one model message against each other (the model saw nothing between).

Each pattern climbs the same ladder: a hint behind the result, a sharper note with the fields of
the tool, a refusal. The tool's refusals in a row then lead to its withdrawal for the turn, and a
call after that to a human. Patterns that vary their arguments must be seen whole once more for
each rung: a search that finds nothing three times may well find something the fourth time.
Source: the contract `handrail/1`, section 6.
"""

from enum import IntEnum, StrEnum
from typing import NamedTuple

from handrail.contract.call import Status, ToolResult
from handrail.contract.emptiness import is_empty
from handrail.contract.tool import Tool
from handrail.protocol.identical import Made, alike

__all__ = ["CYCLES", "EMPTY", "SAME", "Found", "Loops", "Pattern", "Rung"]

CYCLES = 4
"""A-B pairs of calls after which it is ping-pong."""

SAME = 5
"""Steps with other arguments and one result."""

EMPTY = 3
"""Empty results in a row."""

_RUNGS = 3
_TOOLS = 256
_KEPT = 1_000
_UNTELLING = frozenset({bool, int, float})
"""Results of so few values that equal ones prove nothing: five free slots are no loop."""

_SIZED = frozenset({str, list})
_COMPARABLE = frozenset({str, list, dict})


class Rung(IntEnum):
    """How far up the ladder."""

    NONE = 0
    HINT = 1
    SHARPER = 2
    REFUSE = 3


class Pattern(StrEnum):
    """What goes round."""

    IDENTICAL = "identical"
    PING_PONG = "ping_pong"
    SAME_RESULT = "same_result"
    EMPTY = "empty"


class Found(NamedTuple):
    """A pattern that is there.

    Attributes:
        pattern: Which one.
        rung: What is due: a note of that kind behind this result, or a refusal.
        times: Calls, or pairs of calls, that make it.
    """

    pattern: Pattern
    rung: Rung
    times: int


class _Streak:
    """What the latest results of one tool have in common."""

    __slots__ = ("empty", "made", "result", "same", "step")

    def __init__(self) -> None:
        self.made: Made | None = None
        self.result: ToolResult | None = None
        self.same = 0
        self.empty = 0
        self.step = -1


class Loops:
    """The patterns of one run. Not thread-safe: the turn's lock is held.

    Attributes:
        warm: Whether anything went round yet; nothing is stopped before.
    """

    __slots__ = (
        "_abandoned",
        "_newer",
        "_older",
        "_pairs",
        "_refusals",
        "_streaks",
        "_unknown",
        "warm",
    )

    def __init__(self) -> None:
        self.warm = False
        self._streaks: dict[str, _Streak] = {}
        self._older: Made | None = None
        self._newer: Made | None = None
        self._pairs = 0
        self._refusals: dict[str, tuple[int, int]] = {}
        self._abandoned: dict[tuple[str, str], int] = {}
        self._unknown: dict[str, int] = {}

    # after a run

    def ran(
        self,
        tool: Tool,
        made: Made,
        result: ToolResult,
        step: int,
        *,
        lone: bool,
        limit: int,
    ) -> Found | None:
        """Take note of a run that ended; the pattern that it completes, where it does.

        Args:
            tool: The contract.
            made: The call's place among identical ones, this run counted.
            result: How it ended.
            step: Number of the model message.
            lone: Whether it was the only call of its message.
            limit: Identical calls allowed.
        """
        if self._refusals:
            self._refusals.pop(tool.name, None)
        good = result.status is Status.OK
        if good and tool.action_type != "read":
            self.changed()
            return None
        if tool.poll or tool.repeatable or not (good or _tells(result)):
            return None
        streak = self._streaks.get(tool.name)
        if streak is None:
            streak = self._opened(tool.name)
        if not lone or made.count < 2 or made is not self._older or made is self._newer:
            self._pairs = 0
        else:
            self._pairs += 1
        self._older, self._newer = (self._newer, made) if lone else (None, None)
        same, empty = streak.same, streak.empty
        _extend(streak, tool, made, result, step)
        if made.count < 2 and streak.same < SAME and streak.empty < EMPTY:
            return None
        self.warm = True
        grown = (streak.same > same, streak.empty > empty)
        return _highest(made, self._pairs, streak, grown, limit)

    def _opened(self, name: str) -> _Streak:
        if len(self._streaks) >= _TOOLS:
            self._streaks.pop(next(iter(self._streaks)))
        streak = self._streaks[name] = _Streak()
        return streak

    def changed(self) -> None:
        """A state-changing call succeeded: what went round before may now lead on."""
        if self._streaks:
            self._streaks = {}
            self.warm = False
            self._older = self._newer = None
        if self._refusals or self._abandoned:
            self._refusals = {}
            self._abandoned = {}

    # before a run

    def stopped(self, tool: Tool, made: Made) -> Found | None:
        """The pattern that this call would go on with, if it was told of twice already."""
        streak = self._streaks.get(tool.name)
        if streak is None:
            return None
        if streak.empty >= EMPTY * _RUNGS:
            return Found(Pattern.EMPTY, Rung.REFUSE, streak.empty)
        if streak.same >= SAME * _RUNGS and made is not streak.made:
            return Found(Pattern.SAME_RESULT, Rung.REFUSE, streak.same)
        pairs = (self._pairs + 2) // 2
        if pairs >= CYCLES + Rung.REFUSE - 1 and made is self._older:
            return Found(Pattern.PING_PONG, Rung.REFUSE, pairs)
        return None

    def refused(self, name: str, step: int) -> int:
        """A call of this tool was refused for going round; how many steps in a row now."""
        count, last = self._refusals.pop(name, (0, -1))
        if len(self._refusals) >= _TOOLS:
            self._refusals.pop(next(iter(self._refusals)))
        count += last != step
        self._refusals[name] = (count, step)
        return count

    def abandoned(self, name: str, key: str) -> None:
        """The model went on without a call whose arguments it was asked to correct."""
        count = self._abandoned.pop((name, key), 0)
        if len(self._abandoned) >= _KEPT:
            self._abandoned.pop(next(iter(self._abandoned)))
        self._abandoned[name, key] = count + 1

    @property
    def abandons(self) -> bool:
        """Whether the model left any bad arguments as they were."""
        return bool(self._abandoned)

    def times_abandoned(self, name: str, key: str) -> int:
        """How often exactly these bad arguments were left as they were."""
        return self._abandoned.get((name, key), 0)

    def unknown(self, name: str) -> int:
        """A tool that does not exist was called; how often this name was."""
        count = self._unknown.pop(name, 0) + 1
        if len(self._unknown) >= _KEPT:
            self._unknown.pop(next(iter(self._unknown)))
        self._unknown[name] = count
        return count

    # a new turn

    def begin_turn(self) -> None:
        """The user spoke: whatever went round, the next call of each tool may run."""
        for streak in self._streaks.values():
            streak.empty = min(streak.empty, EMPTY * _RUNGS - 1)
            streak.same = min(streak.same, SAME * _RUNGS - 1)
        self._pairs = min(self._pairs, 2 * (CYCLES + Rung.REFUSE - 2) - 2)
        self._refusals = {}
        self._unknown = dict.fromkeys(self._unknown, 1)
        self._abandoned = {key: min(count, CYCLES - 1) for key, count in self._abandoned.items()}


def _tells(result: ToolResult) -> bool:
    """Whether a failure says something about the call: a lost connection does not."""
    if result.error_class == "transient" or result.code == "cancelled":
        return False
    return result.status is not Status.UNKNOWN


def _extend(streak: _Streak, tool: Tool, made: Made, result: ToolResult, step: int) -> None:
    """Count this result in; the calls of one message count once."""
    new_step = step != streak.step
    last = streak.result
    if last is None or type(result.data) in _UNTELLING or not _equal(last, result):
        streak.same = 1
    elif new_step and made is not streak.made:
        streak.same += 1
    data = result.data
    nothing = not data if type(data) in _SIZED else is_empty(data)
    if not nothing or result.status is not Status.OK or tool.empty == "ok":
        streak.empty = 0
    elif new_step:
        streak.empty += 1
    streak.made = made
    streak.result = result
    streak.step = step


def _equal(one: ToolResult, other: ToolResult) -> bool:
    """As `alike`, and quick where two texts or objects differ."""
    if type(one.data) in _COMPARABLE and type(other.data) in _COMPARABLE:
        return one.data == other.data and alike(one, other)
    return alike(one, other)


def _highest(
    made: Made, pairs: int, streak: _Streak, grown: tuple[bool, bool], limit: int
) -> Found | None:
    """The pattern that is furthest up the ladder, where one reaches a rung with this run."""
    cycles = pairs // 2 + 1 if pairs % 2 == 0 else 0
    found = [
        Found(Pattern.IDENTICAL, _identical(made.count, limit), made.count),
        Found(Pattern.PING_PONG, _rung(cycles - CYCLES + 1), cycles),
        Found(Pattern.SAME_RESULT, _step_of(streak.same, SAME, grown[0]), streak.same),
        Found(Pattern.EMPTY, _step_of(streak.empty, EMPTY, grown[1]), streak.empty),
    ]
    best = max(found, key=lambda one: one.rung)
    return best if best.rung else None


def _identical(count: int, limit: int) -> Rung:
    """The last run that is allowed is told sharply, the one before it with a hint."""
    return _rung(count - limit + Rung.SHARPER) if count > 1 else Rung.NONE


def _rung(number: int) -> Rung:
    """The note for this many: a refusal is for the call that comes after."""
    return Rung(min(max(number, Rung.NONE), Rung.SHARPER))


def _step_of(count: int, length: int, grown: bool) -> Rung:
    """A note where the pattern is whole once more, and between nothing."""
    return _rung(count // length) if grown and count % length == 0 else Rung.NONE
