"""The Messages shape, in and out."""

import json
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.wire.anthropic import (
    ANTHROPIC,
    read_messages,
    read_reply,
    read_tools,
    recognise,
    tool_definition,
    write,
)

THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "s"}
TEXT = {"type": "text", "text": "Let me look."}
USE = {"type": "tool_use", "id": "u1", "name": "look", "input": {"q": None}}
MESSAGE = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "content": [THOUGHT, TEXT, USE],
    "stop_reason": "tool_use",
    "usage": {"input_tokens": 5, "cache_read_input_tokens": 2, "output_tokens": 3},
}
REPLY = {
    "provider": "anthropic",
    "text": "Let me look.",
    "calls": [{"id": "u1", "name": "look", "arguments": {"q": None}}],
    "finish_reason": "tool_calls",
    "usage": {"input_tokens": 7, "output_tokens": 3},
    "message": {"role": "assistant", "content": [THOUGHT, TEXT, USE]},
}


def result(call_id, content="done", is_error=False):
    """A result of the tool ``look``."""
    return {"call_id": call_id, "name": "look", "content": content, "is_error": is_error}


def block(call_id, content="done", is_error=False):
    """The same result as a block."""
    return {
        "type": "tool_result",
        "tool_use_id": call_id,
        "content": content,
        "is_error": is_error,
    }


def test_a_message_is_read_as_dict_and_as_object():
    """A dict and objects with the same fields give the same reply."""
    blocks = [SimpleNamespace(**one) for one in MESSAGE["content"]]
    usage = SimpleNamespace(**MESSAGE["usage"])
    assert read_reply(MESSAGE) == REPLY
    assert read_reply(SimpleNamespace(**{**MESSAGE, "content": blocks, "usage": usage})) == REPLY


@pytest.mark.parametrize(
    ("sent", "finish"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("tool_use", "tool_calls"),
        ("refusal", "content_filter"),
        ("pause_turn", "other"),
        (None, "other"),
    ],
)
def test_finish_reasons_are_few(sent, finish):
    """Every stop reason becomes one of five."""
    assert read_reply({**MESSAGE, "stop_reason": sent})["finish_reason"] == finish


def test_all_results_go_into_one_user_message():
    """The turn keeps its blocks; the results follow in the order of the calls."""
    second = {**USE, "id": "u2"}
    reply = read_reply({**MESSAGE, "content": [THOUGHT, USE, second]})
    messages = write(reply, [result("u2", "b", True), result("u1", "a")])
    assert messages == [
        {"role": "assistant", "content": [THOUGHT, USE, second]},
        {"role": "user", "content": [block("u1", "a"), block("u2", "b", True)]},
    ]


def test_missing_ids_are_minted_in_both():
    """A call without an id gets one, in the turn and in its result."""
    reply = read_reply({**MESSAGE, "content": [{**USE, "id": None}, {**USE, "id": "call_1"}]})
    turn, answers = write(reply, [result("call_2"), result("call_1")])
    assert [one["id"] for one in turn["content"]] == ["call_2", "call_1"]
    assert [one["tool_use_id"] for one in answers["content"]] == ["call_2", "call_1"]


def test_calls_read_from_text_are_written_as_blocks():
    """Calls that had no block come after the text; their JSON text becomes an object."""
    reply = read_reply({**MESSAGE, "content": [TEXT]})
    reply["calls"] = [
        {"id": "", "name": "look", "arguments": '{"q": 1}'},
        {"id": "", "name": "look", "arguments": '{"q": '},
    ]
    turn, _ = write(reply, [result(""), result("")])
    assert [one.get("input") for one in turn["content"]] == [None, {"q": 1}, {}]


def test_empty_turns_and_texts_are_left_out():
    """A request may hold neither an empty text block nor an empty turn."""
    empty = {"type": "text", "text": "", "citations": None}
    assert write(read_reply({**MESSAGE, "content": [empty]}), []) == []
    assert write(read_reply({**MESSAGE, "content": [empty, TEXT]}), []) == [
        {"role": "assistant", "content": [TEXT]}
    ]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ([{"type": "tool_use", "id": "x"}], r"content\[0\].name"),
        ([TEXT, 5], r"content\[1\] must be an object"),
        (None, "keys id, type, role"),
    ],
)
def test_a_malformed_part_is_named(content, place):
    """A malformed message raises ValueError that says where."""
    with pytest.raises(ValueError, match=place):
        read_reply({**MESSAGE, "content": content})


KEYS = st.sampled_from(["type", "role", "content", "name", "input", "id", "stop_reason", "usage"])
WORDS = st.sampled_from(["message", "assistant", "tool_use", "text", "thinking"])


@settings(max_examples=100)
@given(
    st.recursive(
        st.none() | st.integers() | WORDS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
        max_leaves=15,
    )
)
def test_any_json_is_read_or_refused(value):
    """No JSON raises anything else than ValueError."""
    recognise(value)
    try:
        reply = read_reply(value)
    except ValueError:
        return
    json.dumps(write(reply, [result(call["id"]) for call in reply["calls"]]))


def test_tools_go_out_and_come_back():
    """A definition is read back as the tool that it was made of."""
    tool = {"name": "look", "description": "Looks.", "schema": {"type": "object", "a": {}}}
    definition = tool_definition(tool)
    assert definition == {"name": "look", "description": "Looks.", "input_schema": tool["schema"]}
    server = {"type": "web_search_20250305", "name": "web_search"}
    assert read_tools({"tools": [definition, server]}) == [tool]
    assert tool_definition(tool, strict=True)["strict"] is True


def test_a_logged_history_is_read_in_order():
    """Calls, results and texts come in order; a result takes the name of its call."""
    parts = [{"type": "text", "text": "r"}]
    events = read_messages(
        [
            {"role": "user", "content": "u"},
            {"role": "assistant", "content": [THOUGHT, TEXT, USE]},
            {"role": "user", "content": [block("u1", parts, True), {"type": "text", "text": "v"}]},
            {"role": "assistant", "content": "bye"},
        ]
    )
    assert events == [
        ("user", "u"),
        ("text", "Let me look."),
        ("call", REPLY["calls"][0]),
        ("result", result("u1", "r", True)),
        ("user", "v"),
        ("text", "bye"),
    ]


def test_the_wire_is_this_module():
    """The seam hands out the functions of this module."""
    assert (ANTHROPIC.name, ANTHROPIC.read_reply, ANTHROPIC.write) == (
        "anthropic",
        read_reply,
        write,
    )
