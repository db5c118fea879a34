"""Which result of a history answers which call, however damaged the history is.

A result belongs to the nearest earlier call with its id that has no result yet; else, if no call
before it bears that id, to a later one (it was put too early). A result without an id belongs to
the oldest open call of the message before it. Whatever is left answers nothing. Nothing else is
guessed: a result under a wrong id is never given to a call that happens to be open.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from handrail.wire.plain import dump

__all__ = ["NO_RESULT", "Group", "HistoryChange", "Opened", "Pairs", "copied", "fitting_name"]

NO_RESULT = (
    "No result of this call is recorded. It may or may not have run: check before calling again."
)
"""What an unanswered call is answered with; a call that ran must not look as if it had not."""

_NOT_IN_A_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME = 64


class HistoryChange(NamedTuple):
    """One thing that was changed in a history.

    Attributes:
        kind: ``result_added``, ``result_dropped``, ``result_moved``, ``id_changed``,
            ``turn_dropped`` or ``rewritten``.
        at: Position of the message in the history as given.
        text: What was done, for a log.
    """

    kind: str
    at: int
    text: str


@dataclass(slots=True)
class Opened:
    """One call of a history, as it is matched.

    Attributes:
        sent: Its id as given; ``""`` for none.
        name: Name of the tool, for the log.
        id: The id that it will bear.
        result: The message or block that answers it; None while nothing does.
        answered_at: Position of the message that held the result.
    """

    sent: str
    name: str
    id: str = ""
    result: Any = None  # Any: message or block of the provider
    answered_at: int = -1


@dataclass(slots=True)
class Group:
    """The calls of one assistant message, at its position in the history."""

    at: int
    calls: list[Opened] = field(default_factory=list)


class _Loose(NamedTuple):
    at: int
    id: str
    result: Any  # Any: message or block of the provider


class Pairs:
    """Matches calls and results; filled in the order of the history, then settled once."""

    def __init__(self) -> None:
        self.groups: dict[int, Group] = {}
        self.changes: list[HistoryChange] = []
        self._open: dict[str, list[list[Opened]]] = {}
        self._known: set[str] = set()
        self._loose: list[_Loose] = []
        self._last: Group | None = None

    def add(self, at: int, calls: Sequence[tuple[str, str]]) -> None:
        """The calls of one assistant message, each as id and name."""
        group = Group(at, [Opened(id, name) for id, name in calls])
        self.groups[at] = self._last = group
        mine: dict[str, list[Opened]] = {}
        for call in group.calls:
            mine.setdefault(call.sent, []).append(call)
        for id, opened in mine.items():
            self._open.setdefault(id, []).append(opened)
            self._known.add(id)

    def answer(self, at: int, id: str, result: Any) -> None:  # Any: message or block
        """One result."""
        call = self._waiting(id) if id else self._oldest()
        if call is None:
            self._loose.append(_Loose(at, id if id not in self._known else "", result))
            return
        call.result, call.answered_at = result, at
        if not id and call.sent:
            self.note("id_changed", at, f"a result without an id answers {call.sent!r}")

    def elsewhere(self) -> None:
        """A message that is no result: from here on a result without an id answers nothing."""
        self._last = None

    def settle(self, fits: Callable[[str], bool]) -> None:
        """Match what stands before its call, drop what answers nothing, give ids of their own."""
        for loose in self._loose:
            call = self._first(loose.id) if loose.id else None
            if call is None:
                text = f"a result for {loose.id!r} answers no call"
                if not loose.id:
                    text = "a result answers no call, or one that is answered already"
                self.note("result_dropped", loose.at, text)
            else:
                call.result, call.answered_at = loose.result, loose.at
        self._name_calls(fits)

    def note(self, kind: str, at: int, text: str) -> None:
        """Write down a change."""
        self.changes.append(HistoryChange(kind, at, text))

    def _waiting(self, id: str) -> Opened | None:
        for opened in reversed(self._open.get(id, [])):
            for call in opened:
                if call.result is None:
                    return call
        return None

    def _first(self, id: str) -> Opened | None:
        opened = self._open.get(id, [[]])[0]
        return next((call for call in opened if call.result is None), None)

    def _oldest(self) -> Opened | None:
        calls = self._last.calls if self._last is not None else []
        return next((call for call in calls if call.result is None), None)

    def _name_calls(self, fits: Callable[[str], bool]) -> None:
        sent = {call.sent for group in self.groups.values() for call in group.calls}
        used: set[str] = set()
        number = 1
        for group in self.groups.values():
            for call in group.calls:
                call.id = call.sent
                if not call.sent or call.sent in used or not fits(call.sent):
                    while f"call_{number}" in sent or f"call_{number}" in used:
                        number += 1
                    call.id = f"call_{number}"
                    text = f"the id {call.sent!r} of a call of {call.name!r} became {call.id!r}"
                    self.note("id_changed", group.at, text)
                used.add(call.id)


def copied(message: Any, place: str) -> dict[str, Any]:  # Any: message or block of the provider
    """A message or block as a dict of its own, as far as it goes down to be changed."""
    return dict(message) if isinstance(message, Mapping) else dump(message, place)


def fitting_name(name: object) -> str:
    """A tool's name that a provider takes: other characters become ``_``."""
    return _NOT_IN_A_NAME.sub("_", name)[:_LONGEST_NAME] if isinstance(name, str) and name else "_"
