"""Which logged calls belong to one conversation, and what became of them in later rows.

A request log says neither: it follows from the history of each request, which repeats the calls
of the replies before it together with their results. A tracing export says both, in rows of
their own. What is kept is bounded, so that a log may be of any length: of conversations that
went silent long ago the thread is lost, and begins anew.
"""

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, NamedTuple

from handrail.replay.records import Answered, Place, Recorded, content_key
from handrail.wire.pairing import is_minted
from handrail.wire.shapes import CallDict, Event, ResultDict

__all__ = ["Execution", "History", "Thread", "Threads"]

_CALLS = 65_536
_TRACES = 4_096
_HELD = 16_384


class History(NamedTuple):
    """What a request repeats of the conversation before it.

    Attributes:
        events: Calls and results, in order.
        first: Key of the first message, which tells conversations without ids apart.
        length: How many messages there are.
        tells_failures: Whether this provider's results say if they are errors.
    """

    events: Sequence[Event] = ()
    first: bytes = b""
    length: int = 0
    tells_failures: bool = False


@dataclass(slots=True)
class Thread:
    """The conversation of one reply.

    Attributes:
        conversation: Its name.
        turn: Position of the reply.
        trace: Key of its tool executions; ``""`` if the log has none.
        first: As in `History`.
        answers: Results of earlier calls that its request brought.
    """

    conversation: str
    turn: int | None = None
    trace: str = ""
    first: bytes = b""
    answers: list[Answered] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """A tool that was run, as a trace records it; the call itself is in a model's reply.

    Attributes:
        trace: What it has in common with that reply.
        call: Name, arguments, result, and the id of the call where it is known.
    """

    trace: str
    call: Recorded


@dataclass(slots=True)
class _Known:
    """A call that was read."""

    conversation: str
    turn: int | None
    call_id: str
    sent_id: str
    tool: str
    arguments: bytes
    answered: bool = False


class Threads:
    """The conversations of one or more logs."""

    def __init__(self) -> None:
        self._calls: OrderedDict[bytes, _Known] = OrderedDict()
        self._traces: OrderedDict[str, list[_Known]] = OrderedDict()
        self._replies: OrderedDict[str, str] = OrderedDict()
        self._held: list[Execution] = []
        self._begun: tuple[Place, int] | None = None

    def begun(self, place: Place) -> str:
        """A name for a conversation that has none: where it begins."""
        same = self._begun is not None and self._begun[0] == place
        number = self._begun[1] + 1 if same and self._begun else 1
        self._begun = (place, number)
        return str(place) if number == 1 else f"{place}#{number}"

    def thread(
        self,
        place: Place,
        history: History,
        *,
        named: str | None = None,
        after: str | None = None,
        trace: str = "",
    ) -> Thread:
        """The conversation that a request goes on with.

        Args:
            place: Where the request stands.
            history: What it repeats.
            named: Its conversation, if the log names it.
            after: Id of the reply that it continues, for providers that keep the history.
            trace: Key of the tool executions.
        """
        found = self._matches(history)
        name = named or next((one.conversation for one in reversed(found.values())), None)
        name = name or self._replies.get(after or "") or self.begun(place)
        answers = list(self._answers(place, history, found))
        return Thread(name, history.length, trace, history.first, answers)

    def add(self, thread: Thread, call: Recorded, sent_id: str) -> Recorded:
        """The call as part of its conversation, with its result if that was read before.

        Args:
            thread: The conversation.
            call: The call.
            sent_id: Its id as the provider sent it, or one that was minted here.
        """
        call_id = f"{sent_id}@{thread.turn}" if is_minted(sent_id) else sent_id
        known = _Known(
            thread.conversation,
            thread.turn,
            call_id,
            sent_id,
            call.tool,
            _content(call.arguments),
        )
        self._calls[_key(sent_id, call.tool, known.arguments, thread.first)] = known
        if len(self._calls) > _CALLS:
            self._calls.popitem(last=False)
        call = replace(call, call_id=call_id, conversation=thread.conversation, turn=thread.turn)
        if not thread.trace:
            return call
        self._traces.setdefault(thread.trace, []).append(known)
        self._traces.move_to_end(thread.trace)
        if len(self._traces) > _TRACES:
            self._traces.popitem(last=False)
        done = self._execution(thread.trace, known)
        if done is None:
            return call
        known.answered = True
        return replace(call, result=done.call.result, error=done.call.error)

    def replied(self, thread: Thread, reply_id: object) -> None:
        """Remember the id of a reply, by which later requests may go on."""
        if isinstance(reply_id, str) and reply_id:
            self._replies[reply_id] = thread.conversation
            if len(self._replies) > _TRACES:
                self._replies.popitem(last=False)

    def executed(self, execution: Execution) -> Iterator[Answered | Recorded]:
        """Take a tool's execution: the result of a call, or held until its call is read."""
        done = execution.call
        for known in self._traces.get(execution.trace, ()):
            if not known.answered and _fits(known, done):
                known.answered = True
                yield Answered(
                    place=done.place,
                    call_id=known.call_id,
                    conversation=known.conversation,
                    result=done.result,
                    failed=done.failed,
                )
                return
        self._held.append(execution)
        if len(self._held) > _HELD:
            yield from self._alone(self._held.pop(0))

    def rest(self) -> Iterator[Recorded]:
        """Executions whose model's reply the log does not hold; they are calls themselves."""
        held, self._held = self._held, []
        for execution in held:
            yield from self._alone(execution)

    def _alone(self, execution: Execution) -> Iterator[Recorded]:
        if execution.trace not in self._traces:
            yield execution.call

    def _execution(self, trace: str, known: _Known) -> Execution | None:
        for index, one in enumerate(self._held):
            if one.trace == trace and _fits(known, one.call):
                return self._held.pop(index)
        return None

    def _matches(self, history: History) -> dict[int, _Known]:
        """The last calls of a history that were read before, by their position in it.

        It is read from its end, to the first call whose result is known: what stands before
        that, earlier requests have brought.
        """
        found: dict[int, _Known] = {}
        for index in range(len(history.events) - 1, -1, -1):
            event = history.events[index]
            if event[0] == "call":
                sent = event[1]
                key = _key(sent["id"], sent["name"], _content(sent["arguments"]), history.first)
                known = self._calls.get(key)
                if known is not None:
                    found[index] = known
                    if known.answered:
                        break
        return dict(sorted(found.items()))

    def _answers(
        self, place: Place, history: History, found: Mapping[int, _Known]
    ) -> Iterator[Answered]:
        waiting: list[tuple[CallDict, _Known]] = []
        for index in range(min(found, default=len(history.events)), len(history.events)):
            event = history.events[index]
            if event[0] == "call" and index in found:
                waiting.append((event[1], found[index]))
            elif event[0] == "result":
                known = _answered(waiting, event[1])
                if known is not None and not known.answered:
                    known.answered = True
                    failed = event[1]["is_error"]
                    yield Answered(
                        place=place,
                        call_id=known.call_id,
                        conversation=known.conversation,
                        result=event[1]["content"],
                        failed=failed if failed or history.tells_failures else None,
                    )


def _answered(waiting: list[tuple[CallDict, _Known]], result: ResultDict) -> _Known | None:
    for index, (sent, known) in enumerate(waiting):
        if sent["id"] == result["call_id"]:
            del waiting[index]
            return known
    return None


def _fits(known: _Known, done: Recorded) -> bool:
    """Whether an execution is that of a call: by its id, else by name and arguments."""
    if done.call_id and (done.call_id == known.sent_id or not is_minted(known.sent_id)):
        return done.call_id == known.sent_id
    return done.tool == known.tool and _content(done.arguments) == known.arguments


def _key(sent_id: str, tool: str, arguments: bytes, first: bytes) -> bytes:
    """What tells a call in a history; an id that is not the provider's tells nothing."""
    own = first if is_minted(sent_id) else sent_id.encode(errors="replace")
    return b"\0".join((own, tool.encode(errors="replace"), arguments))


def _content(arguments: str | Mapping[str, Any] | None) -> bytes:  # Any: JSON values
    """Key of arguments, sent as text or as an object."""
    value: object = arguments
    if isinstance(arguments, str):
        try:
            value = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            return content_key(arguments)
    try:
        return sha256(json.dumps(value or {}, sort_keys=True).encode()).digest()
    except (TypeError, ValueError, RecursionError):
        return content_key(str(type(value)))
