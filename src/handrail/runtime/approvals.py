"""Calls that wait for a human, and what may be said about them, once.

A card is decided by the user it was made for, a single time, before it expires, and only while
the tool's contract is the one that the card shows. What runs is what the card's hash covers.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from handrail.contract.judge import Judgement, judge_input
from handrail.contract.tool import Tool
from handrail.errors import ApprovalError
from handrail.protocol.asks import Approved, AskHuman, Card, Denied, Edited, Expired
from handrail.protocol.turn import Slot
from handrail.runtime.turn import Turn

__all__ = ["Approvals", "Claimed"]

_REMEMBERED = 10_000
"""Decided ids that are still told apart from unknown ones."""


class Claimed(NamedTuple):
    """A card that was taken out to be decided."""

    turn: Turn
    slot: Slot
    card: Card


class Approvals:
    """The open cards of one toolbox, in memory. Thread-safe.

    Args:
        clock: Seconds since the epoch.
        tools: The tools as they are registered now.
    """

    def __init__(self, clock: Callable[[], float], tools: Mapping[str, Tool]) -> None:
        self._clock = clock
        self._tools = tools
        self._lock = threading.Lock()
        self._open: dict[str, Claimed] = {}
        self._decided: OrderedDict[str, None] = OrderedDict()

    def add(self, turn: Turn, slot: Slot, card: Card) -> None:
        """A call begins to wait."""
        with self._lock:
            self._open[card.id] = Claimed(turn, slot, card)

    def cards(self, user: object = None) -> list[Card]:
        """The open cards that have not expired, of one user or of all, oldest first."""
        now = self._clock()
        with self._lock:
            waiting = [one.card for one in self._open.values()]
        wanted = None if user is None else _identity(user)
        return [
            card
            for card in waiting
            if card.expires_at >= now and (wanted is None or _identity(card.user) == wanted)
        ]

    def approve(self, id: str, by: object) -> Claimed:
        """Take a card out and tell its call that it may run."""
        claimed = self._claim(id, by)
        card = claimed.card
        tool = self._tools.get(card.items[0].tool)
        print_now = tool.fingerprint if tool is not None else ""
        answer = Approved(by, card.items[0].hash, self._clock(), print_now)
        claimed.turn.driver.tell(claimed.slot, answer)
        if print_now != card.fingerprint:
            raise ApprovalError(
                "changed",
                f"the contract of {card.items[0].tool!r} has changed since the approval was "
                "asked for; the call did not run",
            )
        return claimed

    def deny(self, id: str, by: object, reason: str) -> Claimed:
        """Take a card out and tell its call that it may not run."""
        claimed = self._claim(id, by)
        claimed.turn.driver.tell(claimed.slot, Denied(by, reason, self._clock()))
        return claimed

    def edit(self, id: str, arguments: Mapping[str, Any], by: object) -> Judgement:
        """Put other arguments on a card, if they are valid; the card gets a new hash.

        Returns:
            What was found in the new arguments. Unless it is ``ok`` the card is unchanged.
        """  # Any: JSON values
        claimed = self._claim(id, by)
        slot = claimed.slot
        exchange = slot.exchange
        assert exchange is not None  # a card belongs to an exchange
        policy = claimed.turn.policy
        judgement = judge_input(exchange.tool, arguments, policy, lambda _: True)
        with self._lock:
            self._decided.pop(id, None)
            self._open[id] = claimed
        if judgement.ok:
            edited = Edited(arguments, by, self._clock())
            ask = claimed.turn.driver.tell(slot, edited)
            assert isinstance(ask, AskHuman)  # an edit that is valid asks the human again
            with self._lock:
                self._open[id] = Claimed(claimed.turn, slot, ask.card)
        return judgement

    def _claim(self, id: str, by: object) -> Claimed:
        with self._lock:
            claimed = self._open.get(id)
            if claimed is None:
                raise self._missing(id)
            owner = claimed.card.user
            if owner is not None and _identity(owner) != _identity(by):
                raise ApprovalError(
                    "wrong_user", f"approval {id!r} belongs to another user than {_identity(by)!r}"
                )
            del self._open[id]
            self._decided[id] = None
            while len(self._decided) > _REMEMBERED:
                self._decided.popitem(last=False)
        now = self._clock()
        if now > claimed.card.expires_at:
            claimed.turn.driver.tell(claimed.slot, Expired(now))
            raise ApprovalError(
                "expired", f"approval {id!r} has expired; propose the call again to get a new one"
            )
        return claimed

    def _missing(self, id: str) -> ApprovalError:
        if id in self._decided:
            return ApprovalError("used", f"approval {id!r} was decided already")
        return ApprovalError("unknown", f"there is no open approval {id!r}")


def _identity(user: object) -> str:
    """The id of a user, given as a string or as an object with ``id``."""
    return str(getattr(user, "id", user))
