"""The providers by name, and which of them wrote a reply."""

from handrail.wire.anthropic import ANTHROPIC
from handrail.wire.openai_chat import OPENAI
from handrail.wire.plain import shape_of
from handrail.wire.shapes import ReplyDict, Wire

__all__ = ["PROVIDERS", "read_reply", "recognise"]

PROVIDERS: dict[str, Wire] = {"openai": OPENAI, "anthropic": ANTHROPIC}

# The stricter shape first: an Anthropic turn also looks like an assistant message.
_ORDER = (ANTHROPIC, OPENAI)


def recognise(reply: object) -> Wire | None:
    """The provider whose shape this is; None for an unknown one."""
    return next((wire for wire in _ORDER if wire.recognise(reply)), None)


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
            "with text and tool_calls, and an Anthropic message (type, content, stop_reason)."
        )
    return wire.read_reply(reply)
