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
from handrail.wire.heal_turns import NO_BEGINNING
from handrail.wire.history import NO_RESULT
from histories import damaged, healthy
from history_shapes import SHAPES, History, jumbled, said_in
from provider_types import refusals
from snapshots import matches_snapshot
from strict_provider import Refused, refuse

SEEDS = st.integers(0, 2**32)
KEYS = ("role", "content", "tool_calls", "tool_call_id")
WORDS = st.sampled_from(
    [
        "role",
        "content",
        "parts",
        "type",
        "id",
        "call_id",
        "tool_calls",
        "tool_call_id",
        "tool_use_id",
        "toolUse",
        "toolResult",
        "toolUseId",
        "functionCall",
        "functionResponse",
        "name",
        "input",
        "args",
        "response",
        "arguments",
        "function",
        "text",
        "output",
        "user",
        "assistant",
        "model",
        "tool",
        "tool_use",
        "tool_result",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "reasoning",
        "message",
        "a",
        "b",
    ]
)
JSON = st.recursive(
    st.one_of(WORDS, st.none(), st.integers(0, 1), st.just("")),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=4)),
    max_leaves=8,
)
CORPUS = os.environ.get("HANDRAIL_CONVERSATIONS")


def refused(messages: list[dict[str, Any]]) -> bool:
    """Whether a provider refuses them."""
    try:
        refuse(messages)
    except Refused:
        return True
    return False


@pytest.mark.parametrize("shape", SHAPES)
@given(healthy())
def test_a_healthy_history_is_not_touched(shape: History, history: list[dict[str, Any]]) -> None:
    """Not even copied: each message is the very one that was given."""
    messages = shape.shaped(history, True)
    before = copy.deepcopy(messages)
    shape.refuse(messages)
    healed = heal(messages, shape.provider)
    assert healed.changes == ()
    assert all(new is old for new, old in zip(healed.messages, messages, strict=True))
    assert messages == before


@pytest.mark.parametrize("shape", SHAPES)
@given(healthy(), SEEDS, st.integers(1, 6), st.booleans())
@settings(max_examples=150)
def test_a_healed_history_is_accepted(
    shape: History, history: list[dict[str, Any]], seed: int, times: int, together: bool
) -> None:
    """Whatever happened to it; and the second healing finds nothing."""
    check(shape, shape.shaped(damaged(history, seed, times), together))


@pytest.mark.parametrize("shape", SHAPES)
@given(healthy(), SEEDS, st.integers(1, 8))
@settings(max_examples=150)
def test_blocks_that_went_astray_are_put_right(
    shape: History, history: list[dict[str, Any]], seed: int, times: int
) -> None:
    """Lost, repeated, out of order, in another message."""
    check(shape, jumbled(shape.shaped(history, True), shape.key, seed, times))


def check(shape: History, broken: list[dict[str, Any]]) -> None:
    """The laws of healing; words are neither lost nor put in another order."""
    before = copy.deepcopy(broken)
    healed = heal(broken, shape.provider)
    if healed.messages:
        shape.refuse(healed.messages)
    assert refusals(shape.provider, healed.messages) == []
    assert broken == before
    again = heal(healed.messages, shape.provider)
    assert again.changes == ()
    assert all(new is old for new, old in zip(again.messages, healed.messages, strict=True))
    assert bool(healed.changes) is (healed.messages != broken)
    assert said_in(healed.messages) == said_in(broken)


@pytest.mark.parametrize("shape", SHAPES)
@given(healthy(), SEEDS)
@settings(max_examples=100)
def test_nothing_is_invented(shape: History, history: list[dict[str, Any]], seed: int) -> None:
    """A result is one that was given, or says that there is none."""
    broken = shape.shaped(damaged(history, seed), True)
    healed = heal(broken, shape.provider).messages
    assert texts(healed) - texts(broken) <= {NO_RESULT, NO_BEGINNING}


def texts(value: Any) -> set[str]:
    """Every text with a space in it: what a model reads, no id and no name."""
    if isinstance(value, dict):
        return {one for item in value.values() for one in texts(item)}
    if isinstance(value, list):
        return {one for item in value for one in texts(item)}
    return {value} if isinstance(value, str) and " " in value and "{" not in value else set()


@pytest.mark.parametrize("provider", sorted({shape.provider for shape in SHAPES}))
def test_what_a_model_reads_where_something_is_missing(provider: str) -> None:
    """The whole of it, in the provider's shape."""
    (shape, *_) = [one for one in SHAPES if one.provider == provider]
    function = {"name": "look", "arguments": "{}"}
    call = {"id": "a", "type": "function", "function": function}
    broken = shape.shaped([{"role": "assistant", "content": None, "tool_calls": [call]}], True)
    text = json.dumps(heal(broken, provider).messages, indent=1)
    assert matches_snapshot(text, f"healed_{provider}", "wire")


def test_mcp_has_no_history() -> None:
    """Silence would hide a mistake."""
    with pytest.raises(ConfigError, match="has no history to heal, since each tools/call is a"):
        heal([], "mcp")


@pytest.mark.parametrize("provider", sorted({shape.provider for shape in SHAPES}))
@given(st.lists(st.dictionaries(WORDS, JSON, max_size=5), max_size=4))
def test_whatever_is_given_is_survived(provider: str, given: list[dict[str, Any]]) -> None:
    """No message of any form raises; what is changed is told, and is done at once."""
    healed = heal(given, provider)
    assert bool(healed.changes) is (healed.messages != given)
    assert heal(healed.messages, provider).messages == healed.messages


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
