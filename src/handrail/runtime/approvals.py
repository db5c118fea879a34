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
from handrail.errors import ApprovalError, ApprovalReason
from handrail.protocol.asks import Approved, AskHuman, Card, Denied, Edited
from handrail.protocol.slots import Slot
from handrail.runtime.turn import Turn

__all__ = ["Approvals", "Claimed", "identity"]

_MISSING = {
    "used": "approval {id!r} was decided already",
    "expired": "approval {id!r} has expired; propose the call again to get a new one",
    "changed": "approval {id!r} is being edited; look at it again",
    "unknown": "there is no open approval {id!r}",
}
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
        self._decided: OrderedDict[str, ApprovalReason] = OrderedDict()

    def add(self, turn: Turn, slot: Slot, card: Card) -> None:
        """A call begins to wait; those that nobody decided in time are closed."""
        with self._lock:
            self._open[card.id] = Claimed(turn, slot, card)
        self._sweep()

    def _sweep(self) -> None:
        now = self._clock()
        late = []
        with self._lock:
            for claimed in self._open.values():  # oldest first
                if claimed.card.expires_at >= now:
                    break
                late.append(claimed)
            for claimed in late:
                del self._open[claimed.card.id]
                self._remember(claimed.card.id, "expired")
        for claimed in late:
            claimed.turn.driver.expire(claimed.slot)

    def cards(self, user: object = None) -> list[Card]:
        """The open cards that have not expired, of one user or of all, oldest first."""
        now = self._clock()
        with self._lock:
            waiting = [_current(one) for one in self._open.values()]
        wanted = None if user is None else identity(user)
        return [
            card
            for card in waiting
            if card.expires_at >= now and (wanted is None or identity(card.user) == wanted)
        ]

    def approve(self, id: str, by: object, *, sync: bool = False) -> Claimed:
        """Take a card out and tell its call that it may run.

        Args:
            id: Of the card.
            by: Who approves.
            sync: Whether the call will run behind a synchronous door.

        Raises:
            ApprovalError: Wrong user, used, expired, changed or unknown.
            ProtocolError: The door is synchronous, the handler async, and a loop is running.
        """
        claimed = self._claim(id, by, sync=sync)
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
        claimed = self._claim(id, by, reason="changed")
        slot = claimed.slot
        exchange = slot.exchange
        assert exchange is not None  # a card belongs to an exchange
        judgement = judge_input(exchange.tool, arguments, claimed.turn.policy, lambda _: True)
        if judgement.ok:
            ask = claimed.turn.driver.tell(slot, Edited(arguments, by, self._clock()))
            assert isinstance(ask, AskHuman)  # an edit that is valid asks the human again
            claimed = claimed._replace(card=ask.card)
        with self._lock:
            self._decided.pop(id, None)
            self._open[id] = claimed
        return judgement

    def _claim(
        self, id: str, by: object, *, reason: ApprovalReason = "used", sync: bool = False
    ) -> Claimed:
        with self._lock:
            claimed = self._open.get(id)
            if claimed is None:
                raise self._missing(id)
            owner = claimed.card.user
            if owner is not None and identity(owner) != identity(by):
                raise ApprovalError(
                    "wrong_user", f"approval {id!r} belongs to another user than {identity(by)!r}"
                )
            if sync:
                claimed.turn.refuse_in_loop(claimed.slot.call.name)
            del self._open[id]
            self._remember(id, reason)
        if claimed.turn.driver.expire(claimed.slot):
            self._decided[id] = "expired"
            raise self._missing(id)
        return claimed

    def _remember(self, id: str, reason: ApprovalReason) -> None:
        self._decided[id] = reason
        while len(self._decided) > _REMEMBERED:
            self._decided.popitem(last=False)

    def _missing(self, id: str) -> ApprovalError:
        reason = self._decided.get(id, "unknown")
        return ApprovalError(reason, _MISSING[reason].format(id=id))


def identity(user: object) -> str:
    """The id of a user, given as a string or as an object with ``id``."""
    return str(getattr(user, "id", user))


def _current(claimed: Claimed) -> Card:
    """The card with how often exactly this call has run by now; the hash does not cover it."""
    card, exchange = claimed.card, claimed.slot.exchange
    runs = exchange.made.runs if exchange is not None and exchange.made is not None else 0
    if runs == card.items[0].already_done:
        return card
    return card.replace(items=(card.items[0]._replace(already_done=runs), *card.items[1:]))
