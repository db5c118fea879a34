"""A healed history is accepted; a healthy one is not touched; healing twice is healing once."""

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail import ConfigError, heal
from handrail.wire.history import NO_RESULT
from histories import as_anthropic, damaged, healthy
from strict_anthropic import refuse_anthropic
from strict_provider import Refused, refuse

SEEDS = st.integers(0, 2**32)
KEYS = ("role", "content", "tool_calls", "tool_call_id")
CORPUS = os.environ.get("HANDRAIL_CONVERSATIONS")


def contents(messages: list[dict[str, Any]]) -> list[str]:
    """What every message says, result or not."""
    return [
        str(block.get("content", block.get("text")))
        for one in messages
        for block in (one["content"] if isinstance(one["content"], list) else [one])
    ]


def refused(messages: list[dict[str, Any]]) -> bool:
    """Whether a provider refuses them."""
    try:
        refuse(messages)
    except Refused:
        return True
    return False


def spoken(messages: list[dict[str, Any]]) -> list[str]:
    """The numbered words of a history, in order."""
    return [one for one in contents(messages) if one.startswith("words")]


@given(healthy())
def test_a_healthy_history_is_not_touched(history: list[dict[str, Any]]) -> None:
    """Not even copied: each message is the very one that was given."""
    for messages, provider, strict in (
        (history, "openai", refuse),
        (as_anthropic(history), "anthropic", refuse_anthropic),
    ):
        strict(messages)
        healed = heal(messages, provider)
        assert healed.changes == ()
        assert all(new is old for new, old in zip(healed.messages, messages, strict=True))


@given(healthy(), SEEDS, st.integers(1, 6))
@settings(max_examples=300)
def test_a_healed_openai_history_is_accepted(
    history: list[dict[str, Any]], seed: int, times: int
) -> None:
    """Whatever happened to it; and the second healing finds nothing."""
    broken = damaged(history, seed, times)
    before = copy.deepcopy(broken)
    healed = heal(broken)
    if healed.messages:
        refuse(healed.messages)
    assert broken == before
    assert heal(healed.messages).changes == ()
    assert bool(healed.changes) is (healed.messages != broken)


@given(healthy(), SEEDS, st.integers(1, 6), st.booleans())
@settings(max_examples=300)
def test_a_healed_anthropic_history_is_accepted(
    history: list[dict[str, Any]], seed: int, times: int, together: bool
) -> None:
    """Results of one turn in one message or in several."""
    broken = as_anthropic(damaged(history, seed, times), together)
    before = copy.deepcopy(broken)
    healed = heal(broken, "anthropic")
    refuse_anthropic(healed.messages)
    assert broken == before
    assert heal(healed.messages, "anthropic").changes == ()
    assert bool(healed.changes) is (healed.messages != broken)


@given(healthy(), SEEDS, st.booleans())
@settings(max_examples=200)
def test_nothing_is_invented_and_words_stay(
    history: list[dict[str, Any]], seed: int, openai: bool
) -> None:
    """Words keep their order; a result is one that was given, or says that there is none."""
    broken = damaged(history, seed)
    given = broken if openai else as_anthropic(broken)
    healed = heal(given, "openai" if openai else "anthropic").messages
    assert set(contents(healed)) <= {*contents(given), NO_RESULT}
    assert spoken(healed) == spoken(given)


def test_an_unknown_provider_is_told() -> None:
    """With those that are known."""
    with pytest.raises(ConfigError, match=r"provider='x' has no healing: choose one of openai"):
        heal([], "x")


@pytest.mark.skipif(CORPUS is None, reason="HANDRAIL_CONVERSATIONS names no file")
def test_recorded_conversations_are_healed() -> None:
    """Real histories, damaged by seed; undamaged ones come back as they are."""
    for row in map(json.loads, Path(str(CORPUS)).read_text(encoding="utf-8").splitlines()):
        messages = [{key: one[key] for key in KEYS if key in one} for one in row["messages"]]
        assert bool(heal(messages).changes) is refused(messages)
        for seed in range(40):
            refuse(heal(damaged(messages, seed)).messages)
