"""A call that took several attempts is told once."""

from typing import Any

import pytest
from hypothesis import given

from handrail.wire.heal import shape_of_history
from handrail.wire.heal_openai import OPENAI_HISTORY
from handrail.wire.registry import PROVIDERS
from handrail.wire.tidy import told_once
from histories import healthy
from history_shapes import SHAPES, History


def chat(*ids: str, content: str | None = None) -> list[dict[str, Any]]:
    """A turn of calls and their results, as OpenAI chat messages."""
    functions = [{"name": "look", "arguments": f'{{"n": "{id}"}}'} for id in ids]
    calls = [
        {"id": id, "type": "function", "function": one}
        for id, one in zip(ids, functions, strict=True)
    ]
    turn = {"role": "assistant", "content": content, "tool_calls": calls}
    return [turn, *({"role": "tool", "tool_call_id": id, "content": f"r {id}"} for id in ids)]


@pytest.mark.parametrize("shape", SHAPES)
@given(healthy())
def test_where_nothing_was_corrected_nothing_changes(
    shape: History, history: list[dict[str, Any]]
) -> None:
    """Each message is the very one that was given."""
    messages = shape.shaped(history, True)
    told = told_once(messages, {"x": "y"}, {"y", "z"})
    assert all(new is old for new, old in zip(told, messages, strict=True))


@pytest.mark.parametrize("shape", [one for one in SHAPES if one.shaped.__name__ != "<lambda>"])
def test_the_last_attempt_stands_in_the_place_of_the_first(shape: History) -> None:
    """Whatever the shape: as if there had been one attempt; what was said beside one stays."""
    user = {"role": "user", "content": "go"}
    history = [user, *chat("a", "x"), *chat("b"), *chat("c", content="words"), user]
    expected = [user, *chat("c", "x"), {"role": "assistant", "content": "words"}, user]
    expected[1]["tool_calls"][0]["id"] = expected[2]["tool_call_id"] = "a"
    told = told_once(shape.shaped(history, True), {"a": "c"}, {"b", "c"})
    read = PROVIDERS[shape.provider].read_messages
    assert read(told) == read(shape.shaped(expected, True))
    shape.refuse(told)


def test_thoughts_go_with_the_attempt_that_they_led_to() -> None:
    """In a turn that keeps something too: a provider refuses thoughts at its end."""
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    words = {"type": "text", "text": "words"}
    use = {"type": "tool_use", "id": "b", "name": "look", "input": {}}
    turn = {"role": "assistant", "content": [words, thought, use]}
    assert told_once([turn], {}, {"b"}) == [{"role": "assistant", "content": [words]}]


def test_a_history_that_tells_nothing_is_one_of_chat() -> None:
    """Plain words look alike in most shapes."""
    assert shape_of_history([{"role": "user", "content": "go"}]) is OPENAI_HISTORY
