"""A model that follows a script, and a human that answers."""

import copy
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from handrail.contract.call import ToolCall
from handrail.models.model import Message, ModelReply, ToolDict

if TYPE_CHECKING:
    from handrail.protocol.asks import Approved, Card, Denied

__all__ = ["AutoHuman", "Item", "Request", "ScriptedModel", "Text", "call", "text"]


class Text(NamedTuple):
    """Words that a scripted model answers."""

    words: str


class Request(NamedTuple):
    """What a scripted model was sent, as it was then."""

    messages: list[Message]
    tools: list[ToolDict]
    tool_choice: str | Message | None


Item = (
    ToolCall
    | Text
    | BaseException
    | Sequence[ToolCall]
    | Callable[[list[Message], list[ToolDict]], Any]
)


def call(
    name: str,
    arguments: Mapping[str, Any] | str | None = None,  # Any: JSON values
    id: str | None = None,
) -> ToolCall:
    """A call for a script.

    Args:
        name: Name of the tool.
        arguments: An object, sent as JSON text like providers do; or a text, sent as it is,
            however broken.
        id: Id of the call; None lets the model number it: ``call_1``, ``call_2`` and so on.
    """
    sent = arguments if isinstance(arguments, str) else json.dumps(dict(arguments or {}))
    return ToolCall(id or "", name, sent)


def text(words: str) -> Text:
    """A reply in words for a script."""
    return Text(words)


class ScriptedModel:
    """A model that answers from a list.

    Args:
        script: One item a reply: a `call`, a list of them (one reply with several calls), a
            `text`, an exception to raise, or a callable ``(messages, tools)`` that returns one of
            these.

    Attributes:
        requests: Everything it was sent, each as ``(messages, tools, tool_choice)``.
    """

    def __init__(self, script: Iterable[Item]) -> None:
        self.requests: list[Request] = []
        self._script = iter(tuple(script))
        self._numbered = 0

    async def respond(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDict] = (),
        *,
        tool_choice: str | Message | None = None,
        response_format: Message | None = None,
    ) -> ModelReply:
        """The next reply of the script.

        Raises:
            AssertionError: The script ended.
        """
        sent = copy.deepcopy(Request(list(messages), list(tools), tool_choice))
        self.requests.append(sent)
        try:
            item = next(self._script)
        except StopIteration:
            raise AssertionError("script ended") from None
        if callable(item) and not isinstance(item, type):
            item = item(copy.deepcopy(sent.messages), copy.deepcopy(sent.tools))
        return self._reply(item)

    def _reply(self, item: object) -> ModelReply:
        match item:
            case BaseException():
                raise item
            case Text(words):
                return ModelReply(text=words, model="scripted")
            case ToolCall():
                return self._calls([item])
            case list() | tuple() if item and all(isinstance(each, ToolCall) for each in item):
                return self._calls(item)
            case _:
                raise TypeError(
                    f"{item!r} is no item of a script: use call(...), text(...) or a list"
                )

    def _calls(self, given: Sequence[ToolCall]) -> ModelReply:
        calls = tuple(ToolCall(c.id or self._next_id(), c.name, c.arguments) for c in given)
        return ModelReply(tool_calls=calls, finish_reason="tool_calls", model="scripted")

    def _next_id(self) -> str:
        self._numbered += 1
        return f"call_{self._numbered}"


class AutoHuman:
    """A human who answers every card at once, and always the same.

    Args:
        approve: Whether the answer is yes.
        by: Who answers.
        reason: Given with a no.

    Attributes:
        asked: The cards, in order.
    """

    def __init__(self, approve: bool = True, by: object = "human", reason: str = "") -> None:
        self.approve = approve
        self.by = by
        self.reason = reason
        self.asked: list[Card] = []

    async def decide(self, card: "Card") -> "Approved | Denied":
        """The answer to a card."""
        from handrail.protocol.asks import Approved, Denied

        self.asked.append(card)
        at = time.time()
        if self.approve:
            return Approved(self.by, card.items[0].hash, at, card.fingerprint or None)
        return Denied(self.by, self.reason, at)
