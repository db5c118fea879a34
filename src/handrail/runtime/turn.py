"""The doors of one turn: take a reply, answer a call, resume after an approval.

A `Turn` is thread-safe. Its synchronous doors need no event loop as long as handlers and checks
are synchronous.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from weakref import ref

from handrail.contract.call import Advice, Coverage, ToolCall, ToolResult
from handrail.contract.goal import Goal
from handrail.contract.offer import offer
from handrail.contract.policy import Settings
from handrail.contract.tool import Tool
from handrail.errors import ConfigError, ProtocolError
from handrail.protocol.asks import Card
from handrail.protocol.slots import Incoming, Slot
from handrail.protocol.turn import TurnState
from handrail.runtime.answers import Answers
from handrail.runtime.artifacts import Fitting
from handrail.runtime.driver import Driver
from handrail.runtime.loop import refuse_running_loop, run_private
from handrail.runtime.parties import Human, Judge
from handrail.runtime.transcript import tidied

if TYPE_CHECKING:
    from handrail.contract.clarification import Clarification
    from handrail.protocol.coverage import Cover
    from handrail.wire.shapes import CallDict, ReplyDict, Wire
    from handrail.wire.stream import Collector

__all__ = ["Turn", "definitions"]


class _Waiting:
    """Tells the toolbox of a call that waits; holds the turn weakly, so as to make no cycle."""

    __slots__ = ("_tell", "_turn")

    def __init__(self, turn: Turn, tell: Callable[[Turn, Slot, Card], None]) -> None:
        self._turn = ref(turn)
        self._tell = tell

    def __call__(self, slot: Slot, card: Card) -> None:
        turn = self._turn()
        if turn is not None:
            self._tell(turn, slot, card)


class Turn:
    """The calls between two user messages.

    Made by `Toolbox.turn`; use it as a context manager, ``async with`` or ``with``.

    Attributes:
        fitting: Makes outputs short enough for the model; None where nothing is too long.
    """

    def __init__(
        self,
        state: TurnState,
        clock: Callable[[], float],
        human: Human | None,
        on_pending: Callable[[Turn, Slot, Card], None],
        lock: Any = None,  # Any: threading.Lock is a function to type checkers
        judge: Judge | None = None,
    ) -> None:
        self._state = state
        self._judge = judge
        self._lock = lock or threading.Lock()
        self._clock = clock
        self._driver = Driver(state, self._lock, clock, human, _Waiting(self, on_pending))
        self._results: list[ToolResult] = []
        self._held: list[Answers] = []
        self._minted = count(1)
        self._ids: set[str] = set()
        self.fitting: Fitting | None = None
        self._fitted = 0

    # whole replies

    async def take(self, reply: object, *, finish_reason: str | None = None) -> Answers:
        """Judge and run every call of a reply; each is answered exactly once.

        Args:
            reply: A whole response of a provider, an assistant message, a list of calls, or what
                `stream` gave, once the stream has ended.
            finish_reason: Why the reply ended, where `reply` does not say so.

        Raises:
            ValueError: `reply` is no shape that is understood.
        """
        message, slots = self._open(reply, finish_reason)
        await self._driver.finish_all(slots)
        if not slots and self._answered(message["text"]):
            said = await self._judgement(message["text"])
            self._note_judgement(said)
        return self._closed(message, slots)

    def take_sync(self, reply: object, *, finish_reason: str | None = None) -> Answers:
        """As `take`, from synchronous code."""
        message, slots = self._open(reply, finish_reason, sync=True)
        self._driver.finish_all_sync(slots)
        if not slots and self._answered(message["text"]):
            said = run_private(self._judgement(message["text"]), "the judge of the goal")
            self._note_judgement(said)
        return self._closed(message, slots)

    async def answer_all(self, calls: Sequence[ToolCall]) -> Answers:
        """As `take`, for the calls of one message that the host has read itself."""
        return await self.take(list(calls))

    def answer_all_sync(self, calls: Sequence[ToolCall]) -> Answers:
        """As `answer_all`, from synchronous code."""
        return self.take_sync(list(calls))

    def stream(self, provider: str = "openai") -> Collector:
        """Collects one streamed reply: feed it every chunk, then pass it to `take`.

        The calls of a stream that broke off are answered as cut off and never run.
        """
        from handrail.wire.stream import Collector

        return Collector(_wire(provider))

    # single calls

    async def answer(
        self, call: ToolCall, *, finish_reason: str | None = None, chain: str | None = None
    ) -> ToolResult:
        """Judge and run one call that is a message of its own.

        Args:
            call: What the model proposed.
            finish_reason: ``length`` if the reply was cut off.
            chain: The host's name of the logical call that this is an attempt of.
        """
        with self._lock:
            slot = self._state.propose(call, self._clock(), finish_reason, chain)
        result = await self._driver.finish(slot)
        self._results.append(result)
        return result

    def answer_sync(
        self, call: ToolCall, *, finish_reason: str | None = None, chain: str | None = None
    ) -> ToolResult:
        """As `answer`, from synchronous code.

        Raises:
            ProtocolError: The handler is async and an event loop is running here.
        """
        self.refuse_in_loop(call.name)
        with self._lock:
            slot = self._state.propose(call, self._clock(), finish_reason, chain)
        result = self._driver.finish_sync(slot)
        self._results.append(result)
        return result

    # approvals

    async def resume(self) -> Answers:
        """The oldest held-back message, with the results of what was decided meanwhile.

        While a call of it still waits, its `Answers` are ``pending`` and it stays held back. A
        call that nobody decided in time is closed as denied.

        Raises:
            ProtocolError: Nothing is held back.
        """
        return self.resume_sync()

    def resume_sync(self) -> Answers:
        """As `resume`, from synchronous code."""
        with self._lock:
            if not self._held:
                raise ProtocolError("nothing is held back in this turn: no call waits for a human")
            held = self._held[0]
        for slot in held.slots:
            if slot.parked:
                self._driver.expire(slot)
        with self._lock:
            answers = held.refreshed()
            if not answers.pending and held in self._held:
                self._held.remove(held)
                self._results += answers.results
            return answers

    # limits of the run

    def spend(self, *, tokens: int = 0, cost: float = 0.0) -> None:
        """Count what was spent outside the replies that were taken, for `Policy.limits`.

        `take` counts by itself what a reply says of its usage.
        """
        limits = self._state.limits
        if limits is not None:
            with self._lock:
                limits.spend(tokens, cost)

    @property
    def limit_reached(self) -> str | None:
        """The limit that a further model message would break, such as ``15 rounds``."""
        limits = self._state.limits
        if limits is None:
            return None
        with self._lock:
            return limits.refuses_message(self._clock())

    # reading

    @property
    def results(self) -> tuple[ToolResult, ...]:
        """Every result that was given to the model so far."""
        return tuple(self._results)

    @property
    def correcting(self) -> bool:
        """Whether a call waits for the model to correct it."""
        return self._state.open_count > 0

    @property
    def withdrawn(self) -> frozenset[str]:
        """Names of the tools that are withdrawn for this turn."""
        return frozenset(self._state.withdrawn)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that the model can see: neither hidden nor withdrawn."""
        with self._lock:
            return tuple(self._state.visible)

    def widen(self) -> None:
        """Show the model every tool from now on."""
        with self._lock:
            self._state.widen()

    @property
    def coverage(self) -> Coverage:
        """How far the turn is: of its goal, or without one of its latest message.

        What rules cannot tell is SATISFIED only if the judge said so, where there is one; it is
        asked when the model gives its final answer.
        """
        return self._cover().coverage

    @property
    def next(self) -> Advice:
        """The call that would bring the turn further, with exact id and arguments where known."""
        return self._cover().next

    @property
    def clarification(self) -> Clarification | None:
        """What a tool asks the user, while nobody has answered."""
        with self._lock:
            return self._state.progress.clarification

    def schemas(
        self, provider: str = "openai", *, strict: bool = False
    ) -> list[dict[str, Any]]:  # Any: definitions of the provider
        """Tool definitions for the provider, without hidden and withdrawn tools.

        Once a result was too big to be shown, `read_artifact` is among them.
        """
        if self.fitting is not None:
            for result in self._results[self._fitted :]:
                _ = result.content  # what is too big becomes an artifact when it is read
            self._fitted = len(self._results)
        published = self._state.strict
        return definitions(self.tools, provider, strict=strict, published=published)

    def tidy(
        self, messages: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:  # Any: messages of the provider
        """A history in which each call that was corrected stands once, with its last result."""
        return tidied(messages, self._results)

    def show(self, text: str, ids: Iterable[object] = (), *, goal: Goal | None = None) -> None:
        """What the user wrote besides: ids in it count as seen, and questions as answered.

        Args:
            text: The words.
            ids: Ids that the host vouches for.
            goal: What the turn is for from now on; None leaves it.
        """
        with self._lock:
            self._state.progress.hear(text, goal)
            self._state.seen.add_text(text)
            for one in ids:
                self._state.seen.add_text(str(one))

    def reserve(self, ids: Iterable[str]) -> None:
        """Call ids of the history, which no call of this turn shall bear again."""
        self._ids.update(ids)

    def close(self) -> None:
        """End the turn: calls that were not corrected are given up."""
        with self._lock:
            self._state.close(self._clock())
        if self.fitting is not None:
            self.fitting.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # inside

    def _open(
        self, reply: object, finish_reason: str | None, *, sync: bool = False
    ) -> tuple[ReplyDict, list[Slot]]:
        from handrail.runtime.replies import cost_of, read  # late: it loads every shape of reply

        message, mends = read(reply, self._state.tools, self._mint, self._state.expected)
        with self._lock:
            message["calls"] = [self._named(one) for one in message["calls"]]
        if self._state.limits is not None:
            usage = message["usage"]
            self.spend(tokens=usage["input_tokens"] + usage["output_tokens"], cost=cost_of(reply))
        broken = message["finish_reason"] == "interrupted"
        ended = "interrupted" if broken else finish_reason or message["finish_reason"]
        calls = [ToolCall(one["id"], one["name"], one["arguments"]) for one in message["calls"]]
        if sync:
            for call in calls:
                self.refuse_in_loop(call.name)
        last = len(calls) - 1
        incoming = [
            Incoming(call, ended if broken or number == last else None, None, mends)
            for number, call in enumerate(calls)
        ]
        with self._lock:
            return message, self._state.step(incoming, self._clock())

    def _closed(self, message: ReplyDict, slots: Sequence[Slot]) -> Answers:
        progress = self._state.progress
        follow_up = None
        if not slots and progress.goal is not None:
            said = self._cover()
            with self._lock:
                follow_up = progress.follow_up(said)
        answers = Answers(message, slots, follow_up=follow_up, ended=progress.ended)
        if answers.pending:
            self._held.append(answers)
        else:
            self._results += answers.results
        return answers

    def _cover(self) -> Cover:
        state = self._state
        with self._lock:
            return state.progress.cover(
                state.visible, correcting=state.open_count > 0, judge=self._judge is not None
            )

    def _answered(self, text: str) -> bool:
        """Note the final words; whether the judge must be asked about them."""
        if self._state.progress.goal is None:
            return False
        with self._lock:
            self._state.progress.answered(text)
        return self._judge is not None and not self._cover().decided

    async def _judgement(self, text: str) -> Cover:
        from handrail.runtime.goals import judged  # late: few turns have a judge

        progress = self._state.progress
        assert self._judge is not None  # asked for only then
        assert progress.goal is not None  # as above
        return await judged(self._judge, progress.goal, list(progress.found), text, self.tools)

    def _note_judgement(self, said: Cover) -> None:
        with self._lock:
            self._state.progress.judged(said)

    def _named(self, call: CallDict) -> CallDict:
        if call["id"] in self._ids:
            call = {**call, "id": self._mint()}
        self._ids.add(call["id"])
        return call

    def _mint(self) -> str:
        return f"call_{self._state.id}_{next(self._minted)}"

    def refuse_in_loop(self, name: str) -> None:
        """Raise ProtocolError if a call of this tool cannot wait behind a synchronous door."""
        tool = self._state.tools.get(name)
        if tool is None or not tool.waits:
            return
        refuse_running_loop(name)

    @property
    def user(self) -> object:
        """Whom the turn belongs to."""
        return self._state.user

    @property
    def policy(self) -> Settings:
        """The rules of this turn."""
        return self._state.policy

    @property
    def driver(self) -> Driver:
        """Carries an approval that came from outside."""
        return self._driver


def definitions(
    tools: Sequence[Tool],
    provider: str,
    *,
    strict: bool = False,
    published: set[str] | None = None,
) -> list[dict[str, Any]]:  # Any: definitions of the provider
    """Tool definitions in the provider's shape.

    Args:
        tools: The tools.
        provider: Name of the provider.
        strict: Whether the provider's strict subset is asked for.
        published: Gets the names of the tools whose form forces nulls.
    """
    wire = _wire(provider)
    offers = [offer(tool, provider, strict=strict) for tool in tools]
    if published is not None:
        published.update(one.tool["name"] for one in offers if one.forces_null)
    return wire.group_tools([wire.tool_definition(one.tool, one.flag) for one in offers])


def _wire(provider: str) -> Wire:
    from handrail.wire.registry import PROVIDERS

    wire = PROVIDERS.get(provider)
    if wire is None:
        known = ", ".join(PROVIDERS)
        raise ConfigError(f"provider={provider!r} is unknown: choose one of {known}")
    return wire
