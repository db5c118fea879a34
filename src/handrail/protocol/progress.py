"""How far a turn is: its evidence, its goal, the tools it sees, and when it has gone far enough.

`TurnState` tells it what ended and when calls go round; it decides nothing about single calls.
The rules and their words are loaded when somebody first asks: most turns have no goal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from handrail.contract.call import Coverage, Mend, ToolCall, ToolResult
from handrail.contract.goal import Goal, asks_for_all
from handrail.contract.preview import word
from handrail.contract.tool import Tool
from handrail.protocol.found import Found
from handrail.protocol.visibility import Move, Visibility

if TYPE_CHECKING:
    from handrail.contract.clarification import Clarification
    from handrail.protocol.coverage import Case, Cover

__all__ = ["Progress"]

_FORCED = 3
"""Answers of one turn that are sent back for having come too early."""


class Progress:
    """How far one turn is. Not thread-safe: the turn's lock is held.

    Args:
        visibility: The tools of the turn.
        goal: What the turn is for.
        said: What the user wrote.
        enforce: Whether anything is done about it; False only observes.

    Attributes:
        found: The calls that ended, oldest first.
        visibility: The tools of the turn.
        goal: What the turn is for.
        wants_all: Whether limits are lifted, because the user asked for all.
        waiting: Ids of the exchanges that wait for a human.
        ended: The partial answer with which the turn stopped; None while it goes on.
    """

    __slots__ = (
        "_answer",
        "_asked_back",
        "_enforce",
        "_judged",
        "_judged_at",
        "_said",
        "_since",
        "ended",
        "found",
        "goal",
        "visibility",
        "waiting",
        "wants_all",
    )

    def __init__(
        self,
        visibility: Visibility,
        goal: Goal | None = None,
        said: str = "",
        *,
        enforce: bool = True,
    ) -> None:
        self.found: list[Found] = []
        self.visibility = visibility
        self.goal = goal
        self.waiting: set[str] = set()
        self.ended: str | None = None
        self._enforce = enforce
        self._said = [said] if said else []
        self._since = 0
        self._answer: str | None = None
        self._asked_back: set[str] = set()
        self._judged: Cover | None = None
        self._judged_at = -1
        self.wants_all = self._asks_for_all()

    def _asks_for_all(self) -> bool:
        if self.goal is None or not self._enforce:
            return False
        return asks_for_all(self.goal.text, *self._said)

    # what is told

    def hear(self, text: str, goal: Goal | None = None) -> None:
        """The user wrote again: what was asked is answered, and a new goal takes the old place."""
        if text:
            self._said.append(text)
            self._since = len(self.found)
            self._asked_back = set()
        if goal is not None:
            self.goal = goal
        if text or goal is not None:
            self._answer = None
            self._judged = None
            self.wants_all = self._asks_for_all()

    def lift(self, tool: Tool, call: ToolCall) -> tuple[ToolCall, tuple[Mend, ...]]:
        """The call without the limit that the model chose, where the user asked for all."""
        from handrail.protocol.whole import lifted

        return lifted(tool, call)

    def answered(self, text: str) -> None:
        """The model gave its final words, about which no judge has spoken yet."""
        self._answer = text
        self._judged = None

    def judged(self, said: Cover) -> None:
        """What a judge said about the evidence as it is."""
        self._judged, self._judged_at = said, len(self.found)

    # what follows

    def cover(self, tools: Sequence[Tool], *, correcting: bool, judge: bool) -> Cover:
        """How far the turn is.

        Args:
            tools: The tools that the model can see.
            correcting: Whether a call waits for the model to correct it.
            judge: Whether there is a judge for what rules cannot tell.
        """
        from handrail.protocol.coverage import cover

        said = cover(self._case(tools, correcting=correcting))
        if said.decided or not judge:
            return said
        if self._judged is not None and self._judged_at == len(self.found):
            return self._judged
        return said._replace(coverage=Coverage.NEEDS_MORE_TOOLS)

    def _case(self, tools: Sequence[Tool], *, correcting: bool) -> Case:
        from handrail.protocol.coverage import Case

        return Case(
            self.found,
            tools,
            self.goal,
            tuple(self._said),
            self._answer,
            bool(self.waiting),
            correcting,
            self._since,
        )

    @property
    def clarification(self) -> Clarification | None:
        """What the user is asked, while nobody has answered."""
        from handrail.protocol.evidence import open_question

        return open_question(self.found[self._since :], self._said)

    def follow_up(self, said: Cover) -> str | None:
        """What is sent back to the model, whose answer came too early; None to take it.

        A question to the user is always taken. Each call is asked for once, and a turn sends
        three answers back at most.
        """
        from handrail.contract.follow import fits
        from handrail.protocol.words import follow_up

        question = (self._answer or "").rstrip().endswith("?")
        if not (self._enforce and said.forced) or question or self.visibility.stopped:
            return None
        tool = self.visibility.tools.get(said.next.tool or "")
        whole = tool is not None and fits(tool, said.next.arguments or {})
        text = follow_up(said.reason, said.next, whole=whole)
        if text in self._asked_back or len(self._asked_back) >= _FORCED:
            return None
        self._asked_back.add(text)
        return text

    def stuck(self, result: ToolResult, step: int) -> ToolResult:
        """Calls go round: where the turn is restricted, widen it once, then end it."""
        if not self._enforce:
            return result
        move = self.visibility.stuck(step)
        if move is Move.STAY:
            return result
        from handrail.protocol.words import more_tools, partial_answer

        if move is Move.STOP:
            self.ended = partial_answer(self.found, self._missing())
            return result
        more = more_tools(self.visibility.widen())
        behind = more if result._behind is None else f"{result._behind}\n\n{more}"
        return result.replace(_behind=behind)

    def _missing(self) -> str:
        tools = tuple(self.visibility.tools.values())
        said = self.cover(tools, correcting=False, judge=False)
        if said.reason and said.coverage is not Coverage.SATISFIED:
            return said.reason
        return word(self.goal.text, 200) if self.goal else ""
