"""Which result of a history answers which call, however damaged the history is.

A history is read as turns of parts, whatever its shape: calls, results, and what was said. A
result belongs to the nearest earlier call with its id that has no result yet; else, if no call
before it bears that id, to a later one (it was put too early). A result without an id belongs to
the oldest open call of the message before it, or of its name in the calls before it where the
shape has results bear names. Whatever is left answers nothing. Nothing else is guessed: a result
under a wrong id is never given to a call that happens to be open.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from handrail.wire.plain import dump

__all__ = [
    "NO_RESULT",
    "Group",
    "HistoryChange",
    "Note",
    "Opened",
    "Pairs",
    "Part",
    "Turn",
    "copied",
    "fitting_name",
]

NO_RESULT = (
    "No result of this call is recorded. It may or may not have run: check before calling again."
)
"""What an unanswered call is answered with; a call that ran must not look as if it had not."""

_NOT_IN_A_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME = 64

Note = Callable[[str, int, str], None]
"""Writes a change down: its kind, the position of the message, and what was done."""


class HistoryChange(NamedTuple):
    """One thing that was changed in a history.

    Attributes:
        kind: ``result_added``, ``result_dropped``, ``result_moved``, ``id_changed``,
            ``turn_added``, ``turn_dropped`` or ``rewritten``.
        at: Position of the message in the history as given.
        text: What was done, for a log.
    """

    kind: str
    at: int
    text: str


@dataclass(slots=True, eq=False)
class Part:
    """One piece of a turn.

    Attributes:
        kind: A call, a result, what was said, or nothing: what a provider refuses and nobody
            misses, such as empty text.
        at: Position of its message in the history as given.
        value: The block, item or message.
        id: Id of the call, as given; ``""`` for none.
        name: Name of the tool; of a result only where its shape bears it.
        turn: Number of the turn that holds it.
        place: Its place in that turn.
    """

    kind: Literal["call", "result", "said", "nothing"]
    at: int
    value: Any  # Any: message or block of the provider
    id: str = ""
    name: str = ""
    turn: int = -1
    place: int = -1


@dataclass(slots=True, eq=False)
class Turn:
    """What one side said at once: mostly one message.

    Attributes:
        role: Whose turn it is; ``other`` for instructions.
        parts: What it is made of.
        source: The message that it was read from; None for a new one.
        given: The values of its parts as the message held them.
        answers: Whether it consists of the results of one group of calls.
    """

    role: Literal["model", "user", "other"]
    parts: list[Part]
    source: Any = None  # Any: message of the provider
    given: Sequence[Any] = ()  # Any: blocks of the provider
    answers: bool = False

    def holds(self, *kinds: str) -> bool:
        """Whether a part is of one of these kinds."""
        return any(part.kind in kinds for part in self.parts)


@dataclass(slots=True, eq=False)
class Opened:
    """One call of a history, as it is matched.

    Attributes:
        call: The call.
        id: The id that it will bear.
        result: The part that answers it; None while nothing does.
    """

    call: Part
    id: str = ""
    result: Part | None = None

    def __str__(self) -> str:
        """How a log calls it."""
        own = f"the call {self.id!r}" if self.id else "a call"
        return f"{own} of {self.call.name!r}"


Group = list[Opened]
"""The calls of one turn."""


class Pairs:
    """Matches calls and results; filled in the order of the history, then settled once.

    Args:
        optional: Whether calls and results need no id in this shape.

    Attributes:
        groups: The calls, turn by turn.
        changes: What was done so far, in no order.
    """

    def __init__(self, *, optional: bool = False) -> None:
        self.groups: list[Group] = []
        self.changes: list[HistoryChange] = []
        self._optional = optional
        self._open: dict[str, list[Group]] = {}
        self._loose: list[Part] = []
        self._after_calls = False

    def add(self, calls: Iterable[Part]) -> Group:
        """The calls of one turn."""
        group = [Opened(call) for call in calls]
        self.groups.append(group)
        self._after_calls = True
        mine: dict[str, Group] = {}
        for opened in group:
            mine.setdefault(opened.call.id, []).append(opened)
        for id, same in mine.items():
            self._open.setdefault(id, []).append(same)
        return group

    def answer(self, result: Part) -> None:
        """One result."""
        opened = self._waiting(result.id) if result.id else self._oldest(result.name)
        if opened is None:
            if result.id in self._open:
                result.id = ""
            self._loose.append(result)
            return
        opened.result = result
        if not result.id and opened.call.id and not self._optional:
            text = f"a result without an id answers {opened.call.id!r}"
            self.note("id_changed", result.at, text)

    def elsewhere(self) -> None:
        """Something was said: from here on a result without id and name answers nothing."""
        self._after_calls = False

    def settle(self, fits: Callable[[str], bool]) -> None:
        """Match what stands before its call, drop what answers nothing, give ids of their own."""
        for loose in self._loose:
            opened = self._first(loose.id) if loose.id else None
            if opened is None:
                text = f"a result for {loose.id!r} answers no call"
                if not loose.id:
                    text = "a result answers no call, or one that is answered already"
                self.note("result_dropped", loose.at, text)
            else:
                opened.result = loose
        self._name_calls(fits)

    def note(self, kind: str, at: int, text: str) -> None:
        """Write down a change."""
        self.changes.append(HistoryChange(kind, at, text))

    def _waiting(self, id: str) -> Opened | None:
        groups = reversed(self._open.get(id, []))
        return next((one for group in groups for one in group if one.result is None), None)

    def _first(self, id: str) -> Opened | None:
        group = self._open.get(id, [[]])[0]
        return next((one for one in group if one.result is None), None)

    def _oldest(self, name: str) -> Opened | None:
        group = self.groups[-1] if self.groups and (name or self._after_calls) else []
        waiting = (one for one in group if one.result is None)
        return next((one for one in waiting if name in ("", one.call.name)), None)

    def _name_calls(self, fits: Callable[[str], bool]) -> None:
        calls = [one for group in self.groups for one in group]
        sent = {one.call.id for one in calls}
        used: set[str] = set()
        number = 1
        for one in calls:
            one.id = one.call.id
            if not one.id and self._optional:
                continue
            if not one.id or one.id in used or not fits(one.id):
                while f"call_{number}" in sent or f"call_{number}" in used:
                    number += 1
                one.id = f"call_{number}"
                text = f"the id {one.call.id!r} of a call of {one.call.name!r} became {one.id!r}"
                self.note("id_changed", one.call.at, text)
            used.add(one.id)


def copied(message: Any, place: str) -> dict[str, Any]:  # Any: message or block of the provider
    """A message or block as a dict of its own, as far as it goes down to be changed."""
    return dict(message) if isinstance(message, Mapping) else dump(message, place)


def fitting_name(name: object) -> str:
    """A tool's name that a provider takes: other characters become ``_``."""
    return _NOT_IN_A_NAME.sub("_", name)[:_LONGEST_NAME] if isinstance(name, str) and name else "_"
