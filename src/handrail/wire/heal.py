"""Histories as a provider accepts them.

A conversation that was cut to fit, interrupted, merged, or begun with another provider often has
calls without results, results without calls, or ids that repeat, and the next request is refused
as a whole. `heal` changes as little as makes it acceptable and keeps the order; nothing is
invented but a sentence that says that a result, or the beginning, is missing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from handrail.errors import ConfigError
from handrail.wire.heal_anthropic import ANTHROPIC_HISTORY
from handrail.wire.heal_bedrock import BEDROCK_HISTORY
from handrail.wire.heal_gemini import GEMINI_HISTORY
from handrail.wire.heal_openai import OPENAI_HISTORY
from handrail.wire.heal_responses import RESPONSES_HISTORY
from handrail.wire.heal_turns import Shape, healed
from handrail.wire.history import HistoryChange
from handrail.wire.plain import field

__all__ = ["Healed", "heal", "shape_of_history"]

Message = Mapping[str, Any]  # Any: message of the provider

_HISTORIES: dict[str, Shape] = {
    "openai": OPENAI_HISTORY,
    "openai-responses": RESPONSES_HISTORY,
    "anthropic": ANTHROPIC_HISTORY,
    "gemini": GEMINI_HISTORY,
    "bedrock": BEDROCK_HISTORY,
}


@dataclass(frozen=True, slots=True)
class Healed:
    """A history, and what was changed in it.

    Attributes:
        messages: The messages; those that needed nothing are the very ones given.
        changes: What was done, in the order of the messages; empty if they were in order.
    """

    messages: list[dict[str, Any]]  # Any: messages of the provider
    changes: tuple[HistoryChange, ...]


def heal(messages: Sequence[Message], provider: str = "openai") -> Healed:
    """The history with what makes a provider refuse it taken away.

    Calls without a result get one that says so, since a call that may have run must not vanish;
    results without a call are dropped; results stand directly behind their calls, in one message
    where the provider wants that; ids are unique; turns without anything in them are left out.
    Where roles have to alternate (Bedrock), messages of one role become one; where a history may
    not begin with the model (Bedrock; with its calls: Gemini), a sentence says that the beginning
    is not recorded. A healthy history comes back as it is, and healing twice is healing once. The
    messages given are never changed.

    It wants the whole history: with ``previous_response_id`` a Responses request holds only what
    is new, and there is nothing to heal in it.

    Args:
        messages: Messages as the provider takes them, dicts or objects of its library: messages,
            for ``openai-responses`` the ``input`` items, for ``gemini`` the ``contents``.
        provider: ``openai`` (chat completions), ``openai-responses``, ``anthropic``, ``gemini``
            or ``bedrock``. With MCP each call is a request of its own: it has no history.

    Raises:
        ConfigError: The provider is unknown, or has no histories.
    """
    shape = _HISTORIES.get(provider)
    if shape is None:
        known = ", ".join(_HISTORIES)
        why = "has no healing"
        if provider == "mcp":
            why = "has no history to heal, since each tools/call is a request of its own"
        raise ConfigError(f"provider={provider!r} {why}: choose one of {known}")
    made, changes = healed(messages, shape)
    return Healed(made, tuple(changes))


def shape_of_history(messages: Sequence[Message]) -> Shape:
    """The shape of these messages; that of chat completions where nothing tells."""
    return next((shape for one in messages if (shape := _shape_of(one))), OPENAI_HISTORY)


def _shape_of(message: Message) -> Shape | None:
    if field(message, "parts") is not None:
        return GEMINI_HISTORY
    if field(message, "call_id") is not None:
        return RESPONSES_HISTORY
    content = field(message, "content")
    for block in content if isinstance(content, list | tuple) else ():
        if field(block, "type") in ("tool_use", "tool_result"):
            return ANTHROPIC_HISTORY
        if field(block, "toolUse") is not None or field(block, "toolResult") is not None:
            return BEDROCK_HISTORY
    return None
