"""The plain dicts that the wire room takes and gives, and the seam for one provider.

Everything here is data without behaviour, so that no other room learns a provider's field names.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

__all__ = [
    "CallDict",
    "Event",
    "FinishReason",
    "ReplyDict",
    "ResultDict",
    "ToolDict",
    "UsageDict",
    "Wire",
]

FinishReason = Literal["stop", "length", "tool_calls", "content_filter", "other"]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """One provider's shape, in and out: the functions that a further provider has to bring.

    Attributes:
        name: The provider's name, also `ReplyDict` ``provider``.
        recognise: Whether an object is a reply in this shape; never raises.
        read_reply: A whole reply; raises ValueError that names the malformed place.
        write: The assistant turn and the results of its calls, as input messages.
        tool_definition: One tool for the request; the flag asks for strict decoding.
        read_tools: The tools of a logged request.
        read_messages: The calls, results and texts of a logged history, in order.
    """

    name: str
    recognise: Callable[[object], bool]
    read_reply: Callable[[object], ReplyDict]
    write: Callable[[ReplyDict, Sequence[ResultDict]], list[dict[str, Any]]]  # Any: JSON object
    tool_definition: Callable[[ToolDict, bool], dict[str, Any]]  # Any: JSON object
    read_tools: Callable[[object], list[ToolDict]]
    read_messages: Callable[[Sequence[object]], list[Event]]
