"""The shapes of what the runtime reaches outside: stores, models and humans satisfy them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

from handrail.contract.call import ToolCall, ToolResult
from handrail.contract.goal import Goal
from handrail.protocol.asks import Approved, Card, Denied, Edited

__all__ = ["Decider", "Decision", "Human", "Judge", "ModelLike", "ReplyLike"]

Decision = Approved | Denied | Edited
"""What a human may say about a card."""


class Decider(Protocol):
    """Somebody who decides cards."""

    def decide(self, card: Card) -> Decision | bool | Awaitable[Decision | bool]:
        """Approve, deny or edit; True and False are short for the first two."""


Human = Decider | Callable[[Card], Decision | bool | Awaitable[Decision | bool]]


class ReplyLike(Protocol):
    """One reply of a model."""

    @property
    def text(self) -> str:
        """What the model said."""

    @property
    def tool_calls(self) -> Sequence[ToolCall]:
        """What the model called."""


class ModelLike(Protocol):
    """A model that answers OpenAI chat messages."""

    async def respond(
        self,
        messages: Sequence[Mapping[str, Any]],  # Any: OpenAI chat messages
        tools: Sequence[Mapping[str, Any]],  # Any: OpenAI tool definitions
        *,
        tool_choice: Any = None,  # Any: as OpenAI takes it
        response_format: Any = None,  # Any: as OpenAI takes it
    ) -> ReplyLike:
        """One reply to the conversation so far."""


Judge = ModelLike | Callable[[Goal, tuple[ToolResult, ...], str], object | Awaitable[object]]
"""Says how far results bring a goal: a model, or ``(goal, results, answer) -> Coverage``."""
