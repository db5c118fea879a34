"""Carries asks to their parties and answers back, until a call is closed or must wait.

Two drivers, one for each kind of door, over the same exchange: they differ in how they wait and
in nothing else. Reads of one message run side by side, anything else is a barrier; results keep
the order of the calls. The turn's lock is held around the exchange, never while waiting.
"""

import asyncio
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from handrail.contract.author import ask_author, broken
from handrail.contract.call import ToolResult
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
    Looked,
)
from handrail.protocol.exchange import Exchange
from handrail.protocol.turn import Slot, TurnState
from handrail.runtime.executor import run_async, run_sync
from handrail.runtime.loop import run_private
from handrail.runtime.parties import Decision, Human

__all__ = ["Driver", "look", "result_of"]


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
        while True:
            ask = slot.ask
            if type(ask) is AskTool:
                exchange = _of(slot)
                try:
                    answer: Answer = run_sync(exchange.tool, ask, self._state.user, self._clock)
                except BaseException:
                    self._tell(slot, Cancelled(self._clock()))
                    raise
                self._tell(slot, answer)
            elif type(ask) is Close or type(ask) is AskModel:
                return ask.result
            elif type(ask) is AskHost:
                findings = tuple(_look_sync(lookup, ask) for lookup in ask.lookups)
                self._tell(slot, Looked(findings, self._clock()))
            elif type(ask) is AskHuman:
                if self._human is None:
                    return self._wait(slot, ask)
                said = _decide(self._human, ask.card)
                if inspect.isawaitable(said):
                    said = run_private(_awaited(said), "the human")
                self._tell(slot, self._decision(said, ask.card))

    def finish_all_sync(self, slots: Sequence[Slot]) -> list[ToolResult]:
        """Drive the calls of one message, in order."""
        for slot in slots:
            if slot.twin is None:
                self.finish_sync(slot)
        return [self._collected(slot) for slot in slots]

    # asynchronous

    async def finish(self, slot: Slot) -> ToolResult:
        """Drive one call until it is closed, or waits for the model or a human."""
        while True:
            ask = slot.ask
            if type(ask) is AskTool:
                exchange = _of(slot)
                try:
                    answer = await run_async(exchange.tool, ask, self._state.user, self._clock)
                except BaseException:
                    self._tell(slot, Cancelled(self._clock()))
                    raise
                self._tell(slot, answer)
            elif type(ask) is Close or type(ask) is AskModel:
                return ask.result
            elif type(ask) is AskHost:
                findings = [await look(lookup, ask.arguments) for lookup in ask.lookups]
                self._tell(slot, Looked(tuple(findings), self._clock()))
            elif type(ask) is AskHuman:
                if self._human is None:
                    return self._wait(slot, ask)
                said = _decide(self._human, ask.card)
                if inspect.isawaitable(said):
                    said = await _awaited(said)
                self._tell(slot, self._decision(said, ask.card))

    async def finish_all(self, slots: Sequence[Slot]) -> list[ToolResult]:
        """Drive the calls of one message: reads side by side, anything else alone."""
        for group in _barriers([slot for slot in slots if slot.twin is None]):
            if len(group) == 1:
                await self.finish(group[0])
            else:
                async with asyncio.TaskGroup() as tasks:
                    for slot in group:
                        tasks.create_task(self.finish(slot))
        return [self._collected(slot) for slot in slots]

    # both

    def _tell(self, slot: Slot, answer: Answer) -> Ask:
        with self._lock:
            exchange = _of(slot)
            slot.ask = exchange.receive(answer)
            slot.said = answer
            self._state.answered(exchange)
            return slot.ask

    def tell(self, slot: Slot, answer: Answer) -> Ask:
        """Give an answer that came from outside, such as an approval."""
        return self._tell(slot, answer)

    def _wait(self, slot: Slot, ask: AskHuman) -> ToolResult:
        self._on_pending(slot, ask.card)
        return ask.result

    def _collected(self, slot: Slot) -> ToolResult:
        twin = slot.twin
        if twin is not None and twin.said is not None and type(slot.ask) is AskTool:
            self._tell(slot, twin.said)
            slot.reused = True
        return result_of(slot)

    def _decision(self, said: object, card: Card) -> Decision:
        now = self._clock()
        match said:
            case True:
                return Approved("human", card.items[0].hash, now, card.fingerprint)
            case False:
                return Denied("human", "", now)
            case Approved() | Denied() | Edited():
                return said if said.at else said._replace(at=now)
        raise ProtocolError(
            f"a human decides with Approved, Denied, Edited, True or False, got {said!r}"
        )


def result_of(slot: Slot) -> ToolResult:
    """The result that a slot has now."""
    ask = slot.ask
    if isinstance(ask, Close | AskModel | AskHuman):
        return ask.result.replace(reused=True) if slot.reused else ask.result
    raise ProtocolError(f"the call of {slot.call.name!r} has no result yet")


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


def _decide(human: Human, card: Card) -> Any:  # Any: a decision, or an awaitable of one
    return human(card) if callable(human) else human.decide(card)


async def _awaited(said: Any) -> Any:  # Any: an awaitable decision
    return await said


def _look_sync(lookup: Callable[..., object], ask: AskHost) -> object:
    finding = ask_author(lookup, ask.arguments)
    if inspect.isawaitable(finding):
        return run_private(_finding(lookup, finding), "a check")
    return finding


async def look(lookup: Callable[..., object], arguments: object) -> object:
    """What a check of the host or the author finds; `Broken` where it raises."""
    finding = ask_author(lookup, arguments)
    return await _finding(lookup, finding) if inspect.isawaitable(finding) else finding


async def _finding(lookup: Callable[..., object], finding: Any) -> object:  # Any: an awaitable
    try:
        return await finding
    except Exception as error:
        return broken(lookup, error)
