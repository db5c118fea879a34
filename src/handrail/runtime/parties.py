"""The shapes of what the runtime reaches outside: stores, models and humans satisfy them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from handrail.contract.call import ToolCall, ToolResult
from handrail.contract.goal import Goal
from handrail.protocol.asks import Approved, Card, Denied, Edited

__all__ = [
    "Artifact",
    "ArtifactStore",
    "Decider",
    "Decision",
    "Human",
    "Judge",
    "ModelLike",
    "ReplyLike",
]

Decision = Approved | Denied | Edited
"""What a human may say about a card."""


class Decider(Protocol):
    """Somebody who decides cards."""

    def decide(self, card: Card) -> Decision | bool | Awaitable[Decision | bool]:
        """Approve, deny or edit; True and False are short for the first two."""


Human = Decider | Callable[[Card], Decision | bool | Awaitable[Decision | bool]]


class Artifact(NamedTuple):
    """An output that is kept because it is too big to be shown.

    Attributes:
        id: Unguessable.
        scope: The conversation or run that it belongs to, and ends with.
        owner: The user whom it belongs to; None is nobody, and then only the scope may read it.
        tool: Name of the tool that gave it.
        text: The whole of it, as the model would have read it.
    """

    id: str
    scope: str
    owner: str | None
    tool: str
    text: str


class ArtifactStore(Protocol):
    """Where artifacts are kept. What it forgets early is told to the model as not there."""

    def put(self, artifact: Artifact) -> None:
        """Keep it; older ones may go for it."""

    def get(self, id: str) -> Artifact | None:
        """The artifact; None if there is none, or no more."""

    def holds(self, scope: str) -> bool:
        """Whether anything is kept for this conversation or run."""

    def drop(self, scope: str) -> None:
        """Forget everything of a conversation or run that is over."""


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
