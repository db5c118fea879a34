"""Carries asks to their parties and answers back, until a call is closed or must wait.

Two drivers, one for each kind of door, over the same exchange: they differ in how they wait and
in nothing else. Reads of one message run side by side, anything else is a barrier; results keep
the order of the calls. The turn's lock is held around the exchange, never while waiting.
"""

import inspect
import logging
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any

from handrail.contract.author import Broken, ask_author, broken
from handrail.contract.call import ToolResult
from handrail.contract.terms import is_async
from handrail.errors import ProtocolError
from handrail.protocol.asks import (
    Answer,
    Approved,
    Ask,
    AskHost,
    AskHuman,
    AskModel,
    AskTool,
    Cancelled,
    Card,
    Close,
    Denied,
    Edited,
    Expired,
    Looked,
    Returned,
)
from handrail.protocol.exchange import Exchange
from handrail.protocol.slots import Slot
from handrail.protocol.turn import TurnState
from handrail.runtime.executor import run_async, run_sync
from handrail.runtime.loop import refuse_running_loop, run_private
from handrail.runtime.parties import Decision, Human
from handrail.runtime.pause import pause, pause_sync

__all__ = ["Driver", "look", "result_of"]

logger = logging.getLogger("handrail.runtime")

_EDITS = 3
"""Edits of one card by a human who is asked at once, before the card is left to wait."""


class Driver:
    """Drives the exchanges of one turn.

    Args:
        state: The turn.
        lock: Held around every change of the turn.
        clock: Seconds since the epoch.
        human: Asked at once where a call needs approval; None leaves it pending.
        on_pending: Told of each call that waits for a human, with its slot.
    """

    def __init__(
        self,
        state: TurnState,
        lock: Any,  # Any: threading.Lock is a function to type checkers
        clock: Callable[[], float],
        human: Human | None,
        on_pending: Callable[[Slot, Card], None],
    ) -> None:
        self._state = state
        self._lock = lock
        self._clock = clock
        self._human = human
        self._on_pending = on_pending

    # synchronous

    def finish_sync(self, slot: Slot) -> ToolResult:
        """Drive one call until it is closed, or waits for the model or a human."""
        try:
            while True:
                ask = slot.ask
                if type(ask) is AskTool:
                    exchange = slot.exchange or _of(slot)
                    slot.began = True
                    if ask.delay_s:
                        pause_sync(ask.delay_s, self._clock)
                    user = self._state.user
                    self._tell(slot, run_sync(exchange.tool, ask, user, self._clock))
                elif type(ask) is Close or type(ask) is AskModel:
                    return ask.result
                elif type(ask) is AskHost:
                    findings = tuple(_look_sync(lookup, ask) for lookup in ask.lookups)
                    self._tell(slot, Looked(findings, self._clock()))
                elif type(ask) is AskHuman and not self._decided(
                    slot, ask, self._asked_sync(ask.card)
                ):
                    return result_of(slot)
        except BaseException:
            self.withdraw([slot])
            raise

    def finish_all_sync(self, slots: Sequence[Slot]) -> list[ToolResult]:
        """Drive the calls of one message, in order."""
        try:
            for slot in slots:
                if type(slot.ask) is AskHost:
                    findings = tuple(_look_sync(lookup, slot.ask) for lookup in slot.ask.lookups)
                    self._tell(slot, Looked(findings, self._clock()))
                    self._share(slots)
                if slot.twin is None:
                    self.finish_sync(slot)
        except BaseException:
            self.withdraw(slots)
            raise
        return [self._collected(slot) for slot in slots]

    def _asked_sync(self, card: Card) -> object:
        if self._human is None:
            return None
        decide = _decider(self._human)
        if is_async(decide):
            refuse_running_loop("the human")
        said = ask_author(decide, card)
        return run_private(_later(decide, said), "the human") if inspect.isawaitable(said) else said

    # asynchronous

    async def finish(self, slot: Slot) -> ToolResult:
        """Drive one call until it is closed, or waits for the model or a human."""
        try:
            while True:
                ask = slot.ask
                if type(ask) is AskTool:
                    exchange = slot.exchange or _of(slot)
                    slot.began = True
                    if ask.delay_s:
                        await pause(ask.delay_s, self._clock)
                    user = self._state.user
                    self._tell(slot, await run_async(exchange.tool, ask, user, self._clock))
                elif type(ask) is Close or type(ask) is AskModel:
                    return ask.result
                elif type(ask) is AskHost:
                    await self._look(slot)
                elif type(ask) is AskHuman and not self._decided(
                    slot, ask, await self._asked(ask.card)
                ):
                    return result_of(slot)
        except BaseException:
            self.withdraw([slot])
            raise

    async def finish_all(self, slots: Sequence[Slot]) -> list[ToolResult]:
        """Drive the calls of one message: reads side by side, anything else alone."""
        try:
            for group in _barriers([slot for slot in slots if _runs(slot)]):
                looking = [slot for slot in group if type(slot.ask) is AskHost]
                if looking:
                    await _side_by_side(self._look, looking)
                    self._share(slots)
                await _side_by_side(self.finish, [slot for slot in group if slot.twin is None])
        except BaseException:
            self.withdraw(slots)
            raise
        return [self._collected(slot) for slot in slots]

    async def _look(self, slot: Slot) -> None:
        ask = slot.ask
        if type(ask) is AskHost:
            findings = [await look(lookup, ask.arguments) for lookup in ask.lookups]
            self._tell(slot, Looked(tuple(findings), self._clock()))

    async def _asked(self, card: Card) -> object:
        """What the human says; a synchronous one thinks in a thread, not in the event loop."""
        if self._human is None:
            return None
        decide = _decider(self._human)
        if is_async(decide):
            return await look(decide, card)
        from asyncio import to_thread

        said = await to_thread(ask_author, decide, card)
        return await _later(decide, said) if inspect.isawaitable(said) else said

    # both

    def tell(self, slot: Slot, answer: Answer) -> Ask:
        """Give an answer that came from outside, such as an approval."""
        return self._tell(slot, answer)

    def expire(self, slot: Slot) -> bool:
        """Whether a call waits for a human no more; one that waited too long is closed here."""
        now = self._clock()
        with self._lock:
            ask = slot.ask
            if type(ask) is AskHuman:
                if now <= ask.card.expires_at:
                    return False
                self._told(slot, Expired(now))
        return True

    def withdraw(self, slots: Sequence[Slot]) -> None:
        """Cancel what waits for host or tool, or for a human who was being asked."""
        for slot in slots:
            parked = type(slot.ask) is AskHuman and slot.parked
            if _runs(slot) and not parked:
                with self._lock:
                    if not slot.began:
                        self._state.release(_of(slot))
                    self._told(slot, Cancelled(self._clock()))

    def _tell(self, slot: Slot, answer: Answer) -> Ask:
        with self._lock:
            return self._told(slot, answer)

    def _told(self, slot: Slot, answer: Answer) -> Ask:
        exchange = slot.exchange or _of(slot)
        slot.ask = exchange.receive(answer)
        if type(answer) is Looked and type(slot.said) is Returned:
            slot.looked = answer
        else:
            slot.said = answer
        self._state.answered(exchange)
        return slot.ask

    def _share(self, slots: Sequence[Slot]) -> None:
        with self._lock:
            self._state.share(slots)

    def _collected(self, slot: Slot) -> ToolResult:
        twin = slot.twin
        if twin is not None and twin.said is not None and type(slot.ask) is AskTool:
            _of(slot).reran = _of(twin).reran  # what ran was the other; nothing runs again here
            asked = self._tell(slot, twin.said)
            if twin.looked is not None and type(asked) is AskHost:
                self._tell(slot, twin.looked)
            slot.reused = True
        return result_of(slot)

    def _decided(self, slot: Slot, ask: AskHuman, said: object) -> bool:
        """Whether the call goes on; if not, it is left to a decision later.

        An edit leads to a new card, which the human is asked about. Putting in place what stands
        there already is an approval. Nobody is asked for ever: after a few edits it waits.
        """
        decision = _decision(said, ask.card, self._clock())
        if decision is None:
            self._park(slot, ask, said)
            return False
        told = self._tell(slot, decision)
        if type(decision) is not Edited or type(told) is not AskHuman:
            return True
        hash = told.card.items[0].hash
        if told.card is not ask.card and hash == ask.card.items[0].hash:
            fingerprint = told.card.fingerprint
            self._tell(slot, Approved(decision.by, hash, self._clock(), fingerprint))
            return True
        slot.edits += 1
        if slot.edits < _EDITS:
            return True
        self._park(slot, told, said)
        return False

    def _park(self, slot: Slot, ask: AskHuman, said: object) -> None:
        if self._human is not None:
            error = said.error if isinstance(said, Broken) else None
            what = said.detail if isinstance(said, Broken) else f"it said {type(said).__name__}"
            logger.error("No decision of the human could be taken", exc_info=error)
            advice = f"no decision of the human could be taken, so the call waits: {what}"
            slot.ask = ask._replace(result=ask.result.replace(host_advice=advice))
        slot.parked = True
        self._on_pending(slot, ask.card)


def result_of(slot: Slot) -> ToolResult:
    """The result that a slot has now."""
    ask = slot.ask
    if isinstance(ask, Close | AskModel | AskHuman):
        return ask.result.replace(reused=True) if slot.reused else ask.result
    raise ProtocolError(f"the call of {slot.call.name!r} has no result yet")


def _decision(said: object, card: Card, now: float) -> Decision | None:
    """What was said, at the time when it was said; None if it is no decision."""
    match said:
        case True:
            return Approved("human", card.items[0].hash, now, card.fingerprint)
        case False:
            return Denied("human", "", now)
        case Approved() | Denied() | Edited():
            return said._replace(at=now)
    return None


def _runs(slot: Slot) -> bool:
    return isinstance(slot.ask, AskHost | AskHuman | AskTool)


def _of(slot: Slot) -> Exchange:
    if slot.exchange is None:
        raise ProtocolError(f"the call of {slot.call.name!r} is closed")
    return slot.exchange


def _barriers(slots: Sequence[Slot]) -> Iterator[list[Slot]]:
    group: list[Slot] = []
    for slot in slots:
        alone = slot.exchange is not None and slot.exchange.tool.action_type != "read"
        if alone and group:
            yield group
            group = []
        group.append(slot)
        if alone:
            yield group
            group = []
    if group:
        yield group


async def _side_by_side(
    do: Callable[[Slot], Coroutine[Any, Any, object]],  # Any: of Coroutine
    slots: Sequence[Slot],
) -> None:
    if len(slots) == 1:
        await do(slots[0])
    elif slots:
        from asyncio import TaskGroup

        async with TaskGroup() as tasks:
            for slot in slots:
                tasks.create_task(do(slot))


def _decider(human: Human) -> Callable[..., object]:
    return human if callable(human) else human.decide


async def _later(asked: Callable[..., object], said: Any) -> object:  # Any: an awaitable
    try:
        return await said
    except Exception as error:
        return broken(asked, error)


def _look_sync(lookup: Callable[..., object], ask: AskHost) -> object:
    if is_async(lookup):
        refuse_running_loop("a check")
    finding = ask_author(lookup, ask.arguments)
    if inspect.isawaitable(finding):
        return run_private(_later(lookup, finding), "a check")
    return finding


async def look(lookup: Callable[..., object], arguments: object) -> object:
    """What a check of the host or the author finds; `Broken` where it raises."""
    finding = ask_author(lookup, arguments)
    return await _later(lookup, finding) if inspect.isawaitable(finding) else finding
