"""A model: messages and tools in, one reply out.

The one seam to language models. Messages are OpenAI chat dicts and tools are OpenAI tool dicts,
whoever serves the model; nothing else in the code knows a provider library.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from handrail.contract.call import ToolCall
from handrail.errors import HandrailError

__all__ = ["Message", "Model", "ModelError", "ModelReply", "ToolDict", "Usage"]

Message = dict[str, Any]  # Any: JSON values
ToolDict = dict[str, Any]  # Any: JSON values

_BODY_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one request, as the server counted them; 0 where it did not."""

    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """What a model answered, unjudged.

    Attributes:
        text: The words of the reply; calls that were written as text are still in here.
        tool_calls: The calls that the server sent as calls, arguments untouched.
        usage: Tokens of this request.
        finish_reason: ``stop``, ``length``, ``tool_calls``, ``content_filter``, the server's own
            word where it has another, or None where it gave none.
        model: Name of the model that answered, as the server gave it.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    finish_reason: str | None = "stop"
    model: str = ""


@runtime_checkable
class Model(Protocol):
    """Whatever answers messages."""

    async def respond(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDict] = (),
        *,
        tool_choice: str | Message | None = None,
        response_format: Message | None = None,
    ) -> ModelReply:
        """One reply to a conversation.

        Args:
            messages: OpenAI chat messages, oldest first.
            tools: OpenAI tool definitions.
            tool_choice: As in OpenAI chat completions; None leaves it to the server.
            response_format: As in OpenAI chat completions; None is free text.

        Raises:
            ModelError: The model cannot be reached, or its server refused the request.
        """


class ModelError(HandrailError):
    """A model could not answer: not reached, refused, or the answer is no chat completion.

    For the programmer: the text may quote the server and must not be shown to a model.

    Attributes:
        status: HTTP status of the refusal; None where there was no response.
        body: What the server said, at most 2,000 characters.
        retry_after: Seconds that the server asked to wait; None where it did not.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        body: str = "",
        retry_after: float | None = None,
    ) -> None:
        self.status = status
        self.body = body if len(body) <= _BODY_CHARACTERS else body[: _BODY_CHARACTERS - 3] + "..."
        self.retry_after = retry_after
        super().__init__(f"{message}: {self.body}" if self.body else message)
