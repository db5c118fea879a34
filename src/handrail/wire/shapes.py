"""The plain dicts that the wire room takes and gives, and the seam for one provider.

Everything here is data without behaviour, so that no other room learns a provider's field names.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypedDict

__all__ = [
    "CallDict",
    "Chunks",
    "Event",
    "FinishReason",
    "ReplyDict",
    "ResultDict",
    "ToolDict",
    "UsageDict",
    "Wire",
]

FinishReason = Literal["stop", "length", "tool_calls", "content_filter", "interrupted", "other"]
"""Why a reply ended; ``interrupted`` is a stream that broke off, whose calls are never run."""


class CallDict(TypedDict):
    """One proposed call: ``arguments`` is JSON text as sent, or a mapping if sent as one."""

    id: str
    name: str
    arguments: str | Mapping[str, Any]  # Any: JSON values


class UsageDict(TypedDict):
    """Tokens of one reply; 0 where the provider said nothing."""

    input_tokens: int
    output_tokens: int


class ReplyDict(TypedDict):
    """One whole reply of a model.

    ``message`` is the assistant turn in the provider's input shape, without its calls where
    the shape allows that; `Wire.write` puts ``calls`` into it.
    """

    provider: str
    text: str
    calls: list[CallDict]
    finish_reason: FinishReason
    usage: UsageDict
    message: dict[str, Any]  # Any: JSON object of the provider


class ResultDict(TypedDict):
    """What one call is answered with."""

    call_id: str
    name: str
    content: str
    is_error: bool


class ToolDict(TypedDict):
    """One tool as a model is told of it; ``schema`` is the JSON Schema of its arguments."""

    name: str
    description: str
    schema: dict[str, Any]  # Any: JSON Schema


Event = (
    tuple[Literal["call"], CallDict]
    | tuple[Literal["result"], ResultDict]
    | tuple[Literal["user"], str]
    | tuple[Literal["text"], str]
)


class Chunks(Protocol):
    """The chunks of one streamed reply, put together as they come.

    Attributes:
        finished: Whether the provider said that the reply is whole.
    """

    finished: bool

    def feed(self, chunk: object) -> None:
        """Take the next chunk; raises ValueError if it is not of this provider's stream."""

    def whole(self) -> object:
        """The reply so far, in the shape that the provider's whole replies have."""


def _as_listed(tools: list[dict[str, Any]]) -> list[dict[str, Any]]:  # Any: JSON object
    return tools


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """One provider's shape, in and out: the functions that a further provider has to bring.

    Attributes:
        name: The provider's name, also `ReplyDict` ``provider``.
        recognise: Whether an object is a reply in this shape; never raises.
        read_reply: A whole reply; raises ValueError that names the malformed place.
        write: The assistant turn and the results of its calls, as input messages.
        read_call: One call as the provider writes it; None for another shape.
        write_result: One result by itself, without its place among the others.
        enclose: Calls, or the list that a reply holds them in, as a whole reply.
        without_text: An assistant turn without what was said in it.
        chunks: Puts a streamed reply together.
        tool_definition: One tool for the request; the flag asks for strict decoding.
        group_tools: Tool definitions as the request's list of tools.
        read_tools: The tools of a logged request.
        read_messages: The calls, results and texts of a logged history, in order.
    """

    name: str
    recognise: Callable[[object], bool]
    read_reply: Callable[[object], ReplyDict]
    write: Callable[[ReplyDict, Sequence[ResultDict]], list[dict[str, Any]]]  # Any: JSON object
    read_call: Callable[[object], CallDict | None]
    write_result: Callable[[ResultDict], dict[str, Any]]  # Any: JSON object
    enclose: Callable[[Sequence[object]], object]
    without_text: Callable[[dict[str, Any]], dict[str, Any]]  # Any: JSON object
    chunks: Callable[[], Chunks]
    tool_definition: Callable[[ToolDict, bool], dict[str, Any]]  # Any: JSON object
    read_tools: Callable[[object], list[ToolDict]]
    read_messages: Callable[[Sequence[object]], list[Event]]
    group_tools: Callable[[list[dict[str, Any]]], list[dict[str, Any]]] = (  # Any: JSON object
        _as_listed
    )
