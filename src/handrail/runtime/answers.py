"""What one model message came to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from handrail.contract.call import Status, ToolResult
from handrail.protocol.turn import Slot
from handrail.runtime.driver import result_of

if TYPE_CHECKING:
    from handrail.wire.shapes import ReplyDict, ResultDict

__all__ = ["Answers"]


class Answers:
    """The results of one model message, in the order of its calls.

    Attributes:
        reply: The message as read; its ``text`` is what the model said.
    """

    def __init__(self, reply: ReplyDict, slots: Sequence[Slot]) -> None:
        self.reply = reply
        self._slots = tuple(slots)
        self.results: tuple[ToolResult, ...] = tuple(result_of(slot) for slot in slots)

    @property
    def text(self) -> str:
        """What the model said beside its calls."""
        return self.reply["text"]

    @property
    def pending(self) -> tuple[ToolResult, ...]:
        """The results that wait for a human: one for each card, where calls share it."""
        waiting = [one for one in self.results if one.status is Status.PENDING]
        if not waiting:
            return ()
        return tuple({one.approval_id: one for one in reversed(waiting)}.values())[::-1]

    @property
    def done(self) -> bool:
        """Whether there is nothing to send: a final answer, or a human is awaited."""
        return not self.results or bool(self.pending)

    def to_messages(self) -> list[dict[str, Any]]:  # Any: messages of the provider
        """The assistant turn and all its results, as the provider wants them.

        Empty while a call is pending: a provider takes a message only with every call answered.
        """
        if self.pending:
            return []
        from handrail.wire.registry import PROVIDERS

        write = PROVIDERS[self.reply["provider"]].write
        return write(self.reply, [_sent(result) for result in self.results])

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Where each call stands."""
        return self._slots

    def refreshed(self) -> Answers:
        """The same message with the results as they are now."""
        return Answers(self.reply, self._slots)


def _sent(result: ToolResult) -> ResultDict:
    return {
        "call_id": result.call_id,
        "name": result.tool,
        "content": result.content,
        "is_error": result.is_error,
    }
