"""What the calls of a log have in common: loops, tokens spent on repeats, cut replies, text, mends.

Calls are put back into their conversations and messages as they stream by. Memory is bounded:
when too many conversations are open, or too many calls are remembered in all, the conversation
that was silent for longest is put aside. If it goes on after all, it begins anew, which is counted.
"""

import heapq
from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Any

from handrail.contract.judge import Judgement
from handrail.contract.policy import Settings
from handrail.contract.preview import word
from handrail.contract.tool import Tool
from handrail.replay.action_names import terms_by_name
from handrail.replay.records import Answered, Place, Recorded
from handrail.replay.retrace import Habit, Loop, Play, Reply, Retrace, play_of
from handrail.replay.schemas import Contract, tool_name

__all__ = ["HabitTotals", "Habits", "LoopTotals", "TokenTotals"]

MOST_CONVERSATIONS = 1_000
MOST_CALLS = 50_000
MOST_PUT_ASIDE = 65_536
MOST_LOOPS = 1_000
"""Loops that are kept with their places, the longest; all are counted."""

_CHARACTERS_A_TOKEN = 4
_CUT = "VAL-011"
_BY_REASON = ("length", "interrupted")
_ANYTHING: Mapping[str, Any] = {"type": "object", "properties": {}}  # Any: JSON Schema

_Key = tuple[str, str | None, str | int]


@dataclass(slots=True)
class LoopTotals:
    """Loops of one kind.

    Attributes:
        loops: How many.
        longest: The most times that one went round.
        stopped: Calls of them that the budgets would have refused.
    """

    loops: int = 0
    longest: int = 0
    stopped: int = 0

    def add(self, loop: Loop) -> None:
        """Count one loop."""
        self.loops += 1
        self.longest = max(self.longest, loop.times)
        self.stopped += loop.stopped

    def to_dict(self) -> dict[str, int]:
        """The counts as a JSON object."""
        return {"loops": self.loops, "longest": self.longest, "stopped": self.stopped}


@dataclass(slots=True)
class TokenTotals:
    """What replies with calls cost.

    Attributes:
        replies: Replies, those without a stated usage included.
        calls: Their calls.
        input: Input tokens, as the log states them.
        output: Output tokens, as the log states them.
        unstated: Replies whose usage the log does not state.
        estimated: Tokens of the calls and results of those, a token for 4 characters; what was
            sent along with them is not known.
    """

    replies: int = 0
    calls: int = 0
    input: int = 0
    output: int = 0
    unstated: int = 0
    estimated: int = 0

    @property
    def all(self) -> int:
        """Stated and estimated tokens together."""
        return self.input + self.output + self.estimated

    def add(self, reply: Reply) -> None:
        """Count one reply."""
        self.replies += 1
        self.calls += reply.calls
        if reply.tokens is None:
            self.unstated += 1
            self.estimated += -(-reply.size // _CHARACTERS_A_TOKEN)
        else:
            self.input += reply.tokens[0]
            self.output += reply.tokens[1]

    def to_dict(self) -> dict[str, int]:
        """The counts as a JSON object."""
        return {
            "replies": self.replies,
            "calls": self.calls,
            "input_tokens": self.input,
            "output_tokens": self.output,
            "replies_without_usage": self.unstated,
            "estimated_tokens": self.estimated,
        }


@dataclass(slots=True)
class HabitTotals:
    """Counts of what calls have in common.

    Attributes:
        conversations: Conversations that were followed.
        forgotten: Conversations that went on after they were put aside to bound memory.
        alone: Calls of which the log does not say where they belong.
        by_habit: Loops by kind.
        arguable: Calls that a budget would have refused although they brought a new result.
        repeated: Calls that were made before, with nothing changed since.
        all: What all replies with calls cost.
        repeats: What those cost that only repeated.
        cut: Calls of replies that were cut off, by why it is known.
        text: Calls that were written as text.
        text_ok: Calls among them that would run.
        mended: Calls by kind of mend, whatever became of them.
        ran: Calls that would run thanks to that kind of mend.
    """

    conversations: int = 0
    forgotten: int = 0
    alone: int = 0
    by_habit: dict[Habit, LoopTotals] = field(default_factory=dict)
    arguable: int = 0
    repeated: int = 0
    all: TokenTotals = field(default_factory=TokenTotals)
    repeats: TokenTotals = field(default_factory=TokenTotals)
    cut: Counter[str] = field(default_factory=Counter)
    text: int = 0
    text_ok: int = 0
    mended: Counter[str] = field(default_factory=Counter)
    ran: Counter[str] = field(default_factory=Counter)
    _longest: list[tuple[int, int, Loop]] = field(default_factory=list)
    _order: "count[int]" = field(default_factory=lambda: count(0, -1))

    def loop(self, loop: Loop) -> None:
        """Count a loop that has ended, and keep it if it is among the longest."""
        self.by_habit.setdefault(loop.habit, LoopTotals()).add(loop)
        entry = (loop.times, next(self._order), loop)
        if len(self._longest) < MOST_LOOPS:
            heapq.heappush(self._longest, entry)
        else:
            heapq.heappushpop(self._longest, entry)

    @property
    def loops(self) -> list[Loop]:
        """The longest loops, the longest first."""
        return [loop for *_, loop in sorted(self._longest, key=lambda one: one[:2], reverse=True)]

    @property
    def found(self) -> int:
        """How many loops there are."""
        return sum(one.loops for one in self.by_habit.values())

    def to_dict(self) -> dict[str, Any]:  # Any: JSON object
        """The counts as a JSON object."""
        kept = self.loops
        return {
            "loops": {
                "by_habit": {str(habit): self._of(habit).to_dict() for habit in Habit},
                "conversations": self.conversations,
                "conversations_forgotten": self.forgotten,
                "calls_without_conversation": self.alone,
                "stopped_arguable": self.arguable,
                "found": [loop.to_dict() for loop in kept],
                "found_omitted": self.found - len(kept),
            },
            "tokens": {
                "all": self.all.to_dict(),
                "repeats": {**self.repeats.to_dict(), "repeated_calls": self.repeated},
            },
            "truncations": {name: self.cut[name] for name in (*_BY_REASON, "by_content")},
            "as_text": {"calls": self.text, "ok": self.text_ok},
            "mends": {
                kind: {"calls": calls, "ran": self.ran[kind]}
                for kind, calls in sorted(self.mended.items())
            },
        }

    def _of(self, habit: Habit) -> LoopTotals:
        return self.by_habit.get(habit) or LoopTotals()


class _Talk:
    """A conversation that is followed, and its message that is not whole yet."""

    __slots__ = ("at", "plays", "trace")

    def __init__(self, trace: Retrace) -> None:
        self.trace = trace
        self.at: int | Place | None = None
        self.plays: list[Play] = []


class Habits:
    """Follows the conversations of logs.

    Args:
        policy: The rules: how many identical calls are allowed.
    """

    def __init__(self, policy: Settings) -> None:
        self.totals = HabitTotals()
        self._policy = policy
        self._talks: OrderedDict[_Key, _Talk] = OrderedDict()
        self._unnamed: _Key | None = None
        self._waiting: dict[tuple[str, str | None, str], Play] = {}
        self._put_aside: OrderedDict[int, None] = OrderedDict()
        self._calls = 0

    def call(
        self,
        call: Recorded,
        contract: Contract | None,
        judgement: Judgement | None,
        *,
        unknown: bool = False,
    ) -> None:
        """Take note of a call: how it was written, and how it stands to the earlier ones.

        Args:
            call: The call.
            contract: The contract that it was judged by, if there is one.
            judgement: What we say of it; None if it could not be judged.
            unknown: Whether there is no such tool.
        """
        self._written(call, judgement)
        play = _play(call, contract, judgement, unknown=unknown)
        if call.conversation is None and call.turn is None:
            self.totals.alone += 1
            self.totals.all.add(Reply(1, 0, play.tokens, play.size + play.answer_size))
            return
        talk = self._talk(call)
        at = call.place if call.turn is None else call.turn
        if talk.plays and at != talk.at:
            self._step(talk)
        talk.at = at
        talk.plays.append(play)
        if play.result is None and call.call_id:
            self._waiting[call.place.file, call.conversation, call.call_id] = play

    def answered(self, answer: Answered) -> None:
        """Take note of a result that stands apart from its call."""
        place = (answer.place.file, answer.conversation, answer.call_id)
        play = self._waiting.pop(place, None)
        if play is not None:
            play.answer(answer.result, answer.failed)

    def end(self) -> None:
        """A log is over: what is open is ended, and nothing of it is remembered."""
        while self._talks:
            self._end(self._talks.popitem(last=False)[1])
        self._waiting.clear()
        self._put_aside.clear()

    def _written(self, call: Recorded, judgement: Judgement | None) -> None:
        totals = self.totals
        totals.text += call.as_text
        if call.finish_reason in _BY_REASON:
            totals.cut[call.finish_reason] += 1
        if judgement is None:
            return
        if call.finish_reason not in _BY_REASON and _is_cut(judgement):
            totals.cut["by_content"] += 1
        totals.text_ok += call.as_text and judgement.ok
        kinds = sorted({mend.kind for mend in judgement.mends})
        totals.mended.update(kinds)
        if judgement.ok:
            totals.ran.update(kinds)

    def _talk(self, call: Recorded) -> _Talk:
        """The conversation of a call, begun anew where its turns do."""
        key: _Key = (call.place.file, call.model, call.conversation or call.place.line)
        if call.conversation is None and self._unnamed != key:
            self._drop(self._unnamed)
            self._unnamed = key
        talk = self._talks.get(key)
        if talk is not None and _earlier(call.turn, talk.at):
            self._drop(key)
            talk = None
        if talk is not None:
            self._talks.move_to_end(key)
            return talk
        if hash(key) in self._put_aside:
            del self._put_aside[hash(key)]
            self.totals.forgotten += 1
        else:
            self.totals.conversations += 1
        if len(self._talks) >= MOST_CONVERSATIONS:
            self._make_room()
        trace = Retrace(call.conversation, self._policy, self.totals.loop)
        talk = self._talks[key] = _Talk(trace)
        return talk

    def _step(self, talk: _Talk) -> None:
        """The message of a conversation is whole."""
        plays, talk.plays = talk.plays, []
        for play in plays:
            if play.result is None and play.call_id:
                place = (play.place.file, talk.trace.conversation, play.call_id)
                self._waiting.pop(place, None)
        at = talk.at if isinstance(talk.at, int) else None
        talk.trace.user_spoke(at, len(plays))
        reply = talk.trace.step(plays)
        self.totals.all.add(reply)
        self.totals.repeated += reply.repeats
        if reply.repeats == reply.calls:
            self.totals.repeats.add(reply)
        self._calls += reply.calls
        while self._calls > MOST_CALLS:
            self._make_room()

    def _make_room(self) -> None:
        """Put the conversation aside that was silent for longest."""
        key, talk = self._talks.popitem(last=False)
        if len(self._put_aside) >= MOST_PUT_ASIDE:
            self._put_aside.popitem(last=False)
        self._put_aside[hash(key)] = None
        self._end(talk)

    def _drop(self, key: _Key | None) -> None:
        talk = self._talks.pop(key, None) if key is not None else None
        if talk is not None:
            self._end(talk)

    def _end(self, talk: _Talk) -> None:
        self._calls -= talk.trace.calls
        if talk.plays:
            calls = self._calls
            self._step(talk)
            self._calls = calls
        talk.trace.end()
        self.totals.arguable += talk.trace.arguable


def _is_cut(judgement: Judgement) -> bool:
    return any(issue.code == _CUT for issue in judgement.issues)


def _earlier(turn: int | None, at: int | Place | None) -> bool:
    return turn is not None and isinstance(at, int) and turn < at


def _play(
    call: Recorded, contract: Contract | None, judgement: Judgement | None, *, unknown: bool
) -> Play:
    name = word(call.tool)
    tool = None if unknown else _counted_as(call.tool, contract)
    play = play_of(call, name, tool, judgement, contract.tool if contract else None)
    if unknown and play.ran and play.result is not None and not play.result.is_error:
        play.tool = _guessed(call.tool)  # it did run, though no schema of it is known
    return play


def _counted_as(name: str, contract: Contract | None) -> Tool:
    """The contract under which a call is counted: as declared, else as its name suggests."""
    return contract.tool if contract is not None and contract.declared else _guessed(name)


@lru_cache(maxsize=4096)
def _guessed(name: str) -> Tool:
    return Tool.from_json_schema(
        tool_name(name), "a recorded tool", _ANYTHING, **terms_by_name(name)
    )
