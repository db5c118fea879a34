"""The providers by name, and which of them wrote a reply."""

from collections.abc import Mapping, Sequence

from handrail.wire.anthropic import ANTHROPIC
from handrail.wire.bedrock import BEDROCK
from handrail.wire.gemini import GEMINI
from handrail.wire.mcp import MCP
from handrail.wire.openai_chat import OPENAI
from handrail.wire.openai_responses import OPENAI_RESPONSES
from handrail.wire.plain import field, shape_of
from handrail.wire.shapes import CallDict, ReplyDict, Wire

__all__ = ["PROVIDERS", "read_call", "read_reply", "recognise", "whose_calls"]

PROVIDERS: dict[str, Wire] = {
    wire.name: wire for wire in (OPENAI, OPENAI_RESPONSES, ANTHROPIC, GEMINI, BEDROCK, MCP)
}

# The stricter shapes first: an Anthropic turn also looks like an assistant message.
_ORDER = (MCP, OPENAI_RESPONSES, GEMINI, BEDROCK, ANTHROPIC, OPENAI)


def recognise(reply: object) -> Wire | None:
    """The provider whose shape this is; None for an unknown one."""
    if _is_plain(reply):
        return OPENAI
    return next((wire for wire in _ORDER if wire.recognise(reply)), None)


def _is_plain(reply: object) -> bool:
    """The most frequent shapes, which are nobody else's: found at a glance."""
    if isinstance(reply, Mapping) and reply.get("role") == "assistant":
        return not isinstance(reply.get("content"), list | tuple)
    return isinstance(field(reply, "choices"), list)


def read_reply(reply: object) -> ReplyDict:
    """A whole reply of any known provider.

    Raises:
        ValueError: If the shape is unknown or malformed.
    """
    wire = recognise(reply)
    if wire is None:
        raise ValueError(
            f"cannot read {shape_of(reply)} as a model's reply. Understood are: an OpenAI chat "
            "completion (choices), an assistant message (role, content, tool_calls), an object "
            "with text and tool_calls, an OpenAI response (output), an Anthropic message (type, "
            "content, stop_reason), a Gemini response (candidates), a Bedrock Converse response "
            "(output.message, stopReason), and an MCP tools/call request."
        )
    return wire.read_reply(reply)


def whose_calls(calls: Sequence[object]) -> Wire | None:
    """The provider in whose shape all of these calls are; None where there is no single one."""
    if not calls:
        return None
    return next((wire for wire in _ORDER if all(map(wire.read_call, calls))), None)


def read_call(obj: object) -> CallDict:
    """One call in the shape of any known provider; its id is ``""`` where it has none.

    Raises:
        ValueError: If the shape is unknown or malformed.
    """
    for wire in _ORDER:
        call = wire.read_call(obj)
        if call is not None:
            return call
    raise ValueError(
        f"cannot read {shape_of(obj)} as one call. Understood are an entry of tool_calls, a "
        "function_call item, a tool_use block, a functionCall part, a toolUse block, a tools/call "
        "request, and an object with name and arguments."
    )
