"""The Chat Completions shape, in and out."""

import json
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.wire.openai_chat import (
    OPENAI,
    read_messages,
    read_reply,
    read_tools,
    recognise,
    tool_definition,
    write,
)

CALL = {"id": "a1", "type": "function", "function": {"name": "look", "arguments": '{"q": 1}'}}
MESSAGE = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESPONSE = {
    "id": "r",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "finish_reason": "tool_calls", "message": MESSAGE}],
    "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
}
REPLY = {
    "provider": "openai",
    "text": "",
    "calls": [{"id": "a1", "name": "look", "arguments": '{"q": 1}'}],
    "finish_reason": "tool_calls",
    "usage": {"input_tokens": 7, "output_tokens": 3},
    "message": {"role": "assistant", "content": None},
}


def assistant(**fields):
    """A reply read from an assistant message alone."""
    return read_reply({"role": "assistant", "content": None, **fields})


def result(call_id, content="done"):
    """A result of the tool ``look``."""
    return {"call_id": call_id, "name": "look", "content": content, "is_error": False}


def objects(value):
    """The same JSON as objects with attributes."""
    return json.loads(json.dumps(value), object_hook=lambda fields: SimpleNamespace(**fields))


def test_a_response_is_read_as_dict_and_as_object():
    """A dict and an object with the same fields give the same reply."""
    assert read_reply(RESPONSE) == REPLY
    assert read_reply(objects(RESPONSE)) == REPLY


def test_the_openai_packages_objects_are_read():
    """The client library's own objects are read, a whole response and a message alone."""
    chat = pytest.importorskip("openai.types.chat")
    response = chat.ChatCompletion.model_validate(RESPONSE)
    assert read_reply(response) == REPLY
    assert read_reply(response.choices[0].message)["calls"] == REPLY["calls"]


def test_arguments_sent_as_an_object_stay_one():
    """Some servers send arguments as an object, though the library declares text."""
    chat = pytest.importorskip("openai.types.chat")
    function = {"name": "look", "arguments": {"q": None}}
    sent = chat.ChatCompletion.construct(
        choices=[{"message": {"role": "assistant", "tool_calls": [{"function": function}]}}]
    )
    reply = read_reply(sent)
    assert reply["calls"] == [{"id": "call_1", "name": "look", "arguments": {"q": None}}]
    turn, _ = write(reply, [result("call_1")])
    assert turn["tool_calls"][0]["function"]["arguments"] == '{"q": null}'


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"content": "hello"}, "hello"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "ab"),
        ({"content": [{"type": "refusal", "refusal": "no"}]}, "no"),
        ({"refusal": "no"}, "no"),
        ({"content": [{"type": "image"}, 5, None]}, ""),
        ({"content": 5}, ""),
    ],
)
def test_text_is_read_from_any_content(fields, text):
    """Content may be text, a list of parts, or a refusal."""
    assert assistant(**fields)["text"] == text


def test_the_old_function_call_is_a_call():
    """A deprecated ``function_call`` gets an id and is written as a tool call."""
    reply = assistant(function_call={"name": "look", "arguments": "{}"})
    assert reply["calls"] == [{"id": "call_1", "name": "look", "arguments": "{}"}]
    turn, answer = write(reply, [result("call_1")])
    assert [call["id"] for call in turn["tool_calls"]] == [answer["tool_call_id"]]


def test_a_model_reply_is_read():
    """An object with text, tool_calls, finish_reason and usage is read and written back."""
    call = SimpleNamespace(id="x", name="look", arguments={"q": 1})
    usage = SimpleNamespace(input_tokens=2, output_tokens=1)
    obj = SimpleNamespace(text="hm", tool_calls=[call], finish_reason="length", usage=usage)
    reply = read_reply(obj)
    assert reply["calls"] == [{"id": "x", "name": "look", "arguments": {"q": 1}}]
    assert (reply["text"], reply["finish_reason"]) == ("hm", "length")
    assert reply["usage"] == {"input_tokens": 2, "output_tokens": 1}
    assert write(reply, [result("x")])[0]["content"] == "hm"


@pytest.mark.parametrize(
    ("sent", "finish"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("function_call", "tool_calls"),
        ("content_filter", "content_filter"),
        ("new_word", "other"),
        (None, "other"),
        (3, "other"),
    ],
)
def test_finish_reasons_are_few(sent, finish):
    """Every finish reason becomes one of five."""
    choice = {"message": {"role": "assistant"}, "finish_reason": sent}
    assert read_reply({"choices": [choice]})["finish_reason"] == finish


def test_only_the_first_choice_counts():
    """Of several choices the first is read; of none, an empty reply."""
    other = {"message": {"role": "assistant", "content": "second"}}
    assert read_reply({"choices": [*RESPONSE["choices"], other]})["calls"] == REPLY["calls"]
    assert read_reply({"choices": []})["calls"] == []


@pytest.mark.parametrize(
    ("reply", "place"),
    [
        ({"choices": [{}]}, r"choices\[0\].message"),
        ({"choices": [None]}, r"choices\[0\].message"),
        ({"role": "assistant", "tool_calls": "x"}, "message.tool_calls must be a list"),
        ({"role": "assistant", "tool_calls": [5]}, r"message.tool_calls\[0\].name"),
        ({"role": "assistant", "tool_calls": [{"function": {}}]}, r"\[0\].function.name"),
        ({"role": "assistant", "function_call": {"name": 3}}, "function_call.name"),
        ("text", "type str"),
    ],
)
def test_a_malformed_part_is_named(reply, place):
    """A malformed reply raises ValueError that says where."""
    with pytest.raises(ValueError, match=place):
        read_reply(reply)


def test_the_turn_and_its_results_are_written():
    """One assistant message and one tool message per call, in the order of the calls."""
    reply = assistant(content="ok", tool_calls=[CALL, {**CALL, "id": "b2"}], audio={"id": "s"})
    turn, *answers = write(reply, [result("b2", "2"), result("a1", "1")])
    sent = [CALL, {**CALL, "id": "b2"}]
    expected = {"role": "assistant", "content": "ok", "audio": {"id": "s"}, "tool_calls": sent}
    assert turn == expected
    assert answers == [
        {"role": "tool", "tool_call_id": "a1", "content": "1"},
        {"role": "tool", "tool_call_id": "b2", "content": "2"},
    ]


def test_a_turn_has_only_what_a_request_accepts():
    """Fields of a response that a request refuses are left out; a final answer keeps its text."""
    reply = assistant(content="bye", annotations=[], reasoning_content="hm", parsed=1)
    assert write(reply, []) == [{"role": "assistant", "content": "bye"}]
    assert write(assistant(), []) == [{"role": "assistant", "content": ""}]


@settings(max_examples=100)
@given(st.lists(st.sampled_from(["", "a", "b", "call_1", "call_2"]), max_size=6))
def test_every_call_is_answered_once(ids):
    """Whatever ids were sent, those written are unique and each is answered once, in order."""
    reply = assistant(tool_calls=[{**CALL, "id": one} for one in ids])
    turn, *answers = write(reply, [result(call["id"]) for call in reversed(reply["calls"])])
    sent = [call["id"] for call in turn.get("tool_calls", [])]
    assert [answer["tool_call_id"] for answer in answers] == sent
    assert len(set(sent)) == len(ids)
    assert [one for one in sent if one in ids] == sent or "" in ids or len(set(ids)) < len(ids)


@settings(max_examples=100)
@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "role",
                        "choices",
                        "message",
                        "tool_calls",
                        "function",
                        "name",
                        "arguments",
                        "content",
                        "id",
                    ]
                ),
                inner | st.just("assistant"),
                max_size=5,
            )
        ),
        max_leaves=15,
    )
)
def test_any_json_is_read_or_refused(value):
    """No JSON raises anything else than ValueError."""
    try:
        reply = read_reply(value)
    except ValueError:
        return
    assert recognise(value)
    assert reply["provider"] == "openai"


def test_tools_go_out_and_come_back():
    """A definition is read back as the tool that it was made of."""
    tool = {"name": "look", "description": "Looks.", "schema": {"type": "object", "a": {}}}
    definition = tool_definition(tool, strict=True)
    function = {"name": "look", "description": "Looks.", "parameters": tool["schema"]}
    assert definition == {"type": "function", "function": {**function, "strict": True}}
    assert read_tools({"tools": [definition, {"type": "custom", "custom": {}}]}) == [tool]
    assert read_tools({"functions": [function]}) == [tool]
    assert read_tools([{"type": "function", **function}]) == [tool]
    assert read_tools({}) == []


def test_a_logged_history_is_read_in_order():
    """Calls, results and texts come in order; a result takes the name of its call."""
    old = {"role": "assistant", "function_call": {"name": "look", "arguments": "{}"}}
    events = read_messages(
        [
            {"role": "system", "content": "s"},
            {"role": "user", "content": [{"type": "text", "text": "u"}]},
            {**MESSAGE, "content": "t"},
            {"role": "tool", "tool_call_id": "a1", "content": "r"},
            old,
            {"role": "function", "name": "look", "content": "f"},
        ]
    )
    assert events == [
        ("user", "u"),
        ("text", "t"),
        ("call", REPLY["calls"][0]),
        ("result", result("a1", "r")),
        ("call", {"id": "call_1", "name": "look", "arguments": "{}"}),
        ("result", result("call_1", "f")),
    ]


def test_the_wire_is_this_module():
    """The seam hands out the functions of this module."""
    assert (OPENAI.name, OPENAI.read_reply, OPENAI.write) == ("openai", read_reply, write)
