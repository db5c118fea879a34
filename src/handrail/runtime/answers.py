"""What one model message came to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handrail.contract.call import Status, ToolResult
from handrail.protocol.slots import Slot
from handrail.runtime.driver import result_of

if TYPE_CHECKING:
    from handrail.wire.shapes import ReplyDict, ResultDict

__all__ = ["Answers"]


class Answers:
    """The results of one model message, in the order of its calls.

    Attributes:
        reply: The message as read; its ``text`` is what the model said.
        follow_up: What the model is told whose answer came before the goal was covered; None
            where its answer is taken.
        ended: The partial answer of a turn that stopped because nothing new came of its calls;
            None while it goes on.
    """

    def __init__(
        self,
        reply: ReplyDict,
        slots: Sequence[Slot],
        *,
        follow_up: str | None = None,
        ended: str | None = None,
    ) -> None:
        self.reply = reply
        self.follow_up = follow_up
        self.ended = ended
        self._slots = tuple(slots)
        self.results: tuple[ToolResult, ...] = tuple(result_of(slot) for slot in slots)

    @property
    def text(self) -> str:
        """What the model said beside its calls; of a turn that stopped, the partial answer."""
        return self.ended or self.reply["text"]

    @property
    def pending(self) -> tuple[ToolResult, ...]:
        """The results that wait for a human."""
        return tuple(one for one in self.results if one.status is Status.PENDING)

    @property
    def done(self) -> bool:
        """Whether there is nothing to send.

        That is a final answer, a human who is awaited, or the end of a turn that got no further.
        An answer that came before the goal was covered is not final: `to_messages` holds what
        the model is told.
        """
        if self.follow_up is not None:
            return False
        return not self.results or bool(self.pending) or self.ended is not None

    def to_messages(self) -> list[dict[str, Any]]:  # Any: messages of the provider
        """The assistant turn and all its results, as the provider wants them.

        Empty while a call is pending: a provider takes a message only with every call answered.
        """
        if self.pending:
            return []
        from handrail.wire.registry import PROVIDERS

        write = PROVIDERS[self.reply["provider"]].write
        messages = write(self.reply, [_sent(result) for result in self.results])
        if self.follow_up is not None:
            from handrail.wire.said import user_message

            messages.append(user_message(self.reply["provider"], self.follow_up))
        return messages

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Where each call stands."""
        return self._slots

    def refreshed(self) -> Answers:
        """The same message with the results as they are now."""
        return Answers(self.reply, self._slots, ended=self.ended)


def _sent(result: ToolResult) -> ResultDict:
    return {
        "call_id": result.call_id,
        "name": result.tool,
        "content": result.content,
        "is_error": result.is_error,
    }
