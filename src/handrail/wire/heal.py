"""Histories as a provider accepts them.

A conversation that was cut to fit, interrupted, merged, or begun with another provider often has
calls without results, results without calls, or ids that repeat, and the next request is refused
as a whole. `heal` changes as little as makes it acceptable and keeps the order; nothing is
invented but a sentence that says that a result is missing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from handrail.errors import ConfigError
from handrail.wire.heal_anthropic import heal_anthropic
from handrail.wire.heal_openai import heal_openai
from handrail.wire.history import HistoryChange

__all__ = ["Healed", "heal"]

Message = Mapping[str, Any]  # Any: message of the provider
Healer = Callable[[Sequence[Any]], tuple[list[Any], list[HistoryChange]]]  # Any: messages

_HEALERS: dict[str, Healer] = {"openai": heal_openai, "anthropic": heal_anthropic}


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
    results without a call are dropped; results stand directly behind their calls; ids are
    unique; assistant turns without anything in them are left out. A healthy history comes back
    as it is, and healing twice is healing once. The messages given are never changed.

    Args:
        messages: Messages as the provider takes them, dicts or objects of its library.
        provider: ``openai`` (chat completions) or ``anthropic``.

    Raises:
        ConfigError: The provider is unknown.
    """
    healer = _HEALERS.get(provider)
    if healer is None:
        known = ", ".join(_HEALERS)
        raise ConfigError(f"provider={provider!r} has no healing: choose one of {known}")
    healed, changes = healer(messages)
    return Healed(healed, tuple(changes))
