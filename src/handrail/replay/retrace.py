"""The calls of one recorded conversation, made again with the results that were recorded.

The counters are those of a live run (`RunLedger`): what they count as going round is decided
there, and nothing of it is said again here. No tool runs, and a call that a budget would have
refused counts as recorded for what follows. Kept of each call are hashes, so a conversation costs
memory by the number of its calls and not by their size.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, NamedTuple

from handrail.contract.call import Status, ToolResult
from handrail.contract.canonical import digest
from handrail.contract.envelopes import stated_failure
from handrail.contract.judge import Judgement
from handrail.contract.parse import parse
from handrail.contract.policy import Settings
from handrail.contract.tool import Tool
from handrail.protocol.identical import Made
from handrail.protocol.loops import CYCLES, EMPTY, SAME, Found, Pattern
from handrail.protocol.run_ledger import RunLedger
from handrail.replay.records import Place, Recorded

__all__ = ["Habit", "Loop", "Play", "Reply", "Retrace", "outcome", "play_of"]

_LONG = 500
"""Characters of a result above which its hash stands for it."""

_NO_LIMIT = 1_000_000_000
"""Identical calls are counted here one by one; the other patterns must not stand behind them."""

_NO_CALL = Made({}, -1, -1, -1)

_FAILED = ToolResult(
    call_id="", tool="", status=Status.FAILED, is_error=True, error_class="tool_failed"
)
_TRANSIENT = _FAILED.replace(error_class="transient", code="retry_after")
_UNKNOWN = ToolResult(call_id="", tool="", data="(not recorded)")


class Habit(StrEnum):
    """What goes round: the patterns of a live run, and names of tools that do not exist."""

    IDENTICAL = Pattern.IDENTICAL.value
    PING_PONG = Pattern.PING_PONG.value
    SAME_RESULT = Pattern.SAME_RESULT.value
    EMPTY = Pattern.EMPTY.value
    UNKNOWN_TOOL = "unknown_tool"


_BEGINS = {
    Habit.IDENTICAL: 2,
    Habit.PING_PONG: CYCLES,
    Habit.SAME_RESULT: SAME,
    Habit.EMPTY: EMPTY,
    Habit.UNKNOWN_TOOL: 2,
}
"""The count with which a loop is new; a higher one goes on with the loop before."""


@dataclass(slots=True, kw_only=True)
class Loop:
    """Calls that went round.

    Attributes:
        habit: How.
        tool: Name of the tool of the last call, safe for one line.
        conversation: Where the log names one.
        first: Place of the call at which it was first seen.
        last: Place of its latest call.
        turn: Position of the first one's message in the conversation; None if not known.
        last_turn: That of the latest.
        times: Identical calls, pairs of calls, steps with one result, empty results, or calls of
            the unknown name.
        stopped: Calls that the budgets would have refused.
    """

    habit: Habit
    tool: str
    conversation: str | None
    first: Place
    last: Place
    turn: int | None
    last_turn: int | None
    times: int
    stopped: int = 0

    def to_dict(self) -> dict[str, Any]:  # Any: JSON object
        """The loop as a JSON object."""
        return {
            "habit": str(self.habit),
            "tool": self.tool,
            "conversation": self.conversation,
            "file": self.first.file,
            "line": self.first.line,
            "last_line": self.last.line,
            "turn": self.turn,
            "last_turn": self.last_turn,
            "times": self.times,
            "stopped": self.stopped,
        }


@dataclass(slots=True, kw_only=True)
class Play:
    """One recorded call as it is made again.

    Attributes:
        place: Where it stands.
        name: Name of the tool, safe for one line.
        tool: The contract; None for a tool that does not exist.
        key: Hash of the canonical arguments.
        kind: ``text`` for a call that was only written, and never answered; else ``call``.
        turn: Position of its message in the conversation; None if not known.
        call_id: What its result names it by.
        size: Characters of the call.
        result: What came of it; None if not known.
        ran: Whether the result is one of the tool.
        tokens: Input and output tokens of its reply, where the log says them here.
        answer_size: Characters of the result.
    """

    place: Place
    name: str
    tool: Tool | None
    key: str
    kind: str = "call"
    turn: int | None = None
    call_id: str = ""
    size: int = 0
    result: ToolResult | None = None
    ran: bool = False
    tokens: tuple[int, int] | None = None
    answer_size: int = 0

    def answer(self, result: object, failed: bool | None) -> None:
        """Note what the tool gave, as far as the log says it."""
        known = outcome(self.name, result, failed)
        if known is not None:
            self.result, self.ran = known, True
            self.answer_size = _size(result)


class Reply(NamedTuple):
    """What one message of calls cost.

    Attributes:
        calls: How many.
        repeats: Calls among them that were made before, with nothing changed since.
        tokens: Input and output tokens; None if the log does not say.
        size: Characters of the calls and their results.
    """

    calls: int
    repeats: int
    tokens: tuple[int, int] | None
    size: int


class Retrace:
    """One conversation so far.

    Args:
        conversation: Its name, where the log has one.
        policy: The rules: how many identical calls are allowed.
        ended: Is given each loop once it can grow no more.

    Attributes:
        conversation: Its name.
        calls: Calls made again so far.
        arguable: Calls that a budget would have refused although their result was a new one.
    """

    def __init__(
        self, conversation: str | None, policy: Settings, ended: Callable[[Loop], None]
    ) -> None:
        self.calls = 0
        self.arguable = 0
        self.conversation = conversation
        self._policy = policy
        self._ended = ended
        self._ledger = RunLedger()
        self._open: dict[tuple[Habit, object], Loop] = {}
        self._expected: int | None = None

    def user_spoke(self, turn: int | None, calls: int) -> None:
        """Begin a turn where more messages lie between than the results of the calls before.

        Args:
            turn: Position of the message that comes; None if not known.
            calls: Its calls.
        """
        if turn is None:
            return
        if self._expected is not None and turn > self._expected:
            self._ledger.begin_turn()
        self._expected = turn + 1 + calls

    def step(self, plays: list[Play]) -> Reply:
        """Make the calls of one message again."""
        self._ledger.steps += 1
        self.calls += len(plays)
        lone = len(plays) == 1
        again = [self._made(play, lone=lone) for play in plays]
        said = [play.tokens for play in plays if play.tokens is not None]
        tokens = (sum(one[0] for one in said), sum(one[1] for one in said)) if said else None
        size = sum(play.size + play.answer_size for play in plays)
        return Reply(len(plays), sum(again), tokens, size)

    def end(self) -> None:
        """The conversation is over, as far as the log tells."""
        for loop in self._open.values():
            self._ended(loop)
        self._open = {}

    def _made(self, play: Play, *, lone: bool) -> bool:
        """Make one call again; whether it only repeats an earlier one."""
        tool, ledger = play.tool, self._ledger
        if tool is None:
            return self._unknown(play)
        if tool.poll or tool.repeatable:
            if tool.action_type != "read" and (play.result is None or not play.result.is_error):
                ledger.identical.changed()
                ledger.loops.changed()
            return False
        made = ledger.identical.find(tool, {play.kind: play.key}, ledger.steps, plain=True)
        if made.runs and made.step == ledger.steps:
            return True  # sent twice in one message
        allowed = tool.max_identical or self._policy.identical[tool.action_type]
        standing = ledger.identical.standing(made, allowed)
        held = ledger.loops.stopped(tool, made) if ledger.loops.warm else None
        made.step = ledger.steps
        made.running += 1
        result = play.result or made.result or _UNKNOWN
        if made.result is _UNKNOWN:
            made.result = result  # what is not known contradicts nothing
        ledger.identical.settle(tool, made, result)
        found = None
        if play.ran:
            found = ledger.loops.ran(tool, made, result, ledger.steps, lone=lone, limit=_NO_LIMIT)
        elif play.result is None and tool.action_type != "read":
            ledger.loops.changed()
        refused = standing >= allowed
        going_on = self._going_on(tool, made, held)
        repeats = made.count > 1
        self.arguable += (refused and not repeats) or (held is not None and going_on is None)
        if repeats:
            self._loop(Habit.IDENTICAL, made, play, made.count).stopped += refused
        for seen in (found, going_on):
            if seen is not None:
                habit = Habit(seen.pattern.value)
                key = None if habit is Habit.PING_PONG else play.name
                loop = self._loop(habit, key, play, seen.times)
                loop.stopped += seen is going_on and not refused
        return repeats

    def _going_on(self, tool: Tool, made: Made, held: Found | None) -> Found | None:
        """The pattern that a live run would have stopped, if this call did go on with it."""
        if held is None or held.pattern is Pattern.PING_PONG:
            return held if made.count > 1 else None
        return self._ledger.loops.stopped(tool, _NO_CALL)

    def _loop(self, habit: Habit, key: object, play: Play, times: int) -> Loop:
        """The loop that this call belongs to: the one that grows, or a new one."""
        loop = self._open.get((habit, key))
        if loop is not None and times != _BEGINS[habit]:
            grown = loop.times + 1 if habit is Habit.IDENTICAL else max(loop.times, times)
            loop.last, loop.last_turn = play.place, play.turn
            loop.tool, loop.times = play.name, grown
            return loop
        if loop is not None:
            self._ended(loop)
        loop = Loop(
            habit=habit,
            tool=play.name,
            conversation=self.conversation,
            first=play.place,
            last=play.place,
            turn=play.turn,
            last_turn=play.turn,
            times=times,
        )
        self._open[habit, key] = loop
        return loop

    def _unknown(self, play: Play) -> bool:
        times = self._ledger.loops.unknown(play.name)
        if times < 2:
            return False
        loop = self._loop(Habit.UNKNOWN_TOOL, play.name, play, times)
        loop.stopped += times > self._policy.unknown_tool_tellings
        return True


def play_of(
    call: Recorded,
    name: str,
    tool: Tool | None,
    judgement: Judgement | None,
    judged_by: Tool | None = None,
) -> Play:
    """A recorded call, ready to be made again.

    Args:
        call: The call.
        name: Name of the tool, safe for one line.
        tool: The contract under which it is counted; None for a tool that does not exist.
        judgement: What we say of it; None if it could not be judged.
        judged_by: The contract that says so, whose schema states the defaults.
    """
    play = Play(
        place=call.place,
        name=name,
        tool=tool,
        key=_key(call, judged_by, judgement),
        turn=call.turn,
        call_id=call.call_id,
        size=len(call.tool) + (len(judgement.text) if judgement else _size(call.arguments)),
    )
    if call.usage is not None:
        play.tokens = (call.usage["input_tokens"], call.usage["output_tokens"])
    play.answer(call.result, call.failed)
    if call.as_text and play.result is None:
        play.kind = "text"
    if play.result is None and judgement is not None and not judgement.ok:
        play.result = ToolResult(
            call_id="",
            tool="",
            status=judgement.status,
            is_error=True,
            error_class=judgement.error_class,
        )
    return play


def outcome(tool: str, result: object, failed: bool | None) -> ToolResult | None:
    """What the counters need to know of a recorded result; None if nothing is known.

    Two failures are alike, whatever they say, as they are to a live run, which never reads the
    texts of failures; those that state a transient HTTP status are told apart.
    """
    if result is None:
        return _FAILED if failed else None
    data = _data(result)
    stated = stated_failure(data) if isinstance(data, Mapping) else None
    if stated is not None and stated.row == "retry_after":
        return _TRANSIENT
    return _FAILED if failed else ToolResult(call_id="", tool="", data=data)


def _data(result: object) -> Any:  # Any: JSON values
    """The result as JSON values, or a hash that equals only that of the same result."""
    text = _text(result)
    if len(text) > _LONG:
        return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    if not isinstance(result, str):
        return result
    try:
        return json.loads(result)
    except (ValueError, RecursionError):
        return result


def _key(call: Recorded, tool: Tool | None, judgement: Judgement | None) -> str:
    """Hash of the arguments as they are compared; of their text where they are no object."""
    value = judgement.value if judgement is not None else None
    if value is None:
        value = parse(call.arguments).value
    try:
        if value is not None:
            return digest(value if tool is None else tool.completed(value))
    except (ValueError, RecursionError):  # not a finite number, or too deep
        pass
    return digest(_text(call.arguments))


def _size(value: object) -> int:
    return 0 if value is None else len(_text(value))


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError):
        return repr(type(value))
