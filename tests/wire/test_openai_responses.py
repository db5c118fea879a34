"""The Responses shape, in and out."""

import pytest

from handrail.wire.openai_responses import (
    OPENAI_RESPONSES,
    enclose,
    read_call,
    read_messages,
    read_reply,
    read_tools,
    recognise,
    tool_definition,
    without_text,
    write,
    write_result,
)

THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": []}
TEXT = {"type": "output_text", "text": "Let me look.", "annotations": []}
MESSAGE = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [TEXT],
}
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "c1",
    "name": "look",
    "arguments": '{"q": 1}',
}
RESPONSE = {
    "object": "response",
    "status": "completed",
    "output": [THOUGHT, MESSAGE, CALL],
    "usage": {"input_tokens": 5, "output_tokens": 3},
}


def result(call_id, content="done", is_error=False):
    """A result of the tool ``look``."""
    return {"call_id": call_id, "name": "look", "content": content, "is_error": is_error}


def test_a_response_is_read():
    """Text, calls, usage and finish of the parts that have them."""
    assert read_reply(RESPONSE) == {
        "provider": "openai-responses",
        "text": "Let me look.",
        "calls": [{"id": "c1", "name": "look", "arguments": '{"q": 1}'}],
        "finish_reason": "tool_calls",
        "usage": {"input_tokens": 5, "output_tokens": 3},
        "message": {"output": [THOUGHT, MESSAGE, CALL]},
    }


@pytest.mark.parametrize(
    ("changes", "finish"),
    [
        ({}, "tool_calls"),
        ({"output": [MESSAGE]}, "stop"),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
            "length",
        ),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
            "content_filter",
        ),
        ({"status": "incomplete"}, "other"),
        ({"status": "failed"}, "interrupted"),
        ({"status": "in_progress"}, "interrupted"),
    ],
)
def test_a_status_is_a_finish_reason(changes, finish):
    """A response that is not completed was cut, stopped, or never finished."""
    assert read_reply({**RESPONSE, **changes})["finish_reason"] == finish


def test_the_list_of_items_is_a_reply_too():
    """``response.output`` by itself is recognised, a list of something else is not."""
    assert recognise([THOUGHT, CALL])
    assert read_reply([THOUGHT, CALL])["calls"] == read_reply(RESPONSE)["calls"]
    assert not recognise([])
    assert not recognise([{"name": "look"}])
    assert not recognise([{"type": "text", "text": "x"}])


def test_items_keep_their_place_and_nulls_are_left_out():
    """Reasoning stays before its call; what the request refuses is not sent."""
    parsed = {**MESSAGE, "content": [{**TEXT, "logprobs": None, "parsed": {"a": 1}}]}
    output = [{**THOUGHT, "status": None}, parsed, {**CALL, "parsed_arguments": {"q": 1}}]
    sent = write(read_reply({**RESPONSE, "output": output}), [result("c1", is_error=True)])
    answer = {"type": "function_call_output", "call_id": "c1", "output": "done"}
    assert sent == [THOUGHT, MESSAGE, CALL, answer]


def test_calls_read_from_text_come_last():
    """A call that had no item gets one; its broken arguments go back as they are."""
    reply = read_reply({**RESPONSE, "output": [MESSAGE]})
    reply["message"] = without_text(reply["message"])
    reply["calls"] = [{"id": "t", "name": "look", "arguments": {"q": 2}}]
    call, _ = write(reply, [result("t")])
    assert call == {
        "type": "function_call",
        "call_id": "t",
        "name": "look",
        "arguments": '{"q": 2}',
    }


def test_a_custom_call_is_answered_as_one():
    """Free text goes in and out under its own names."""
    custom = {"type": "custom_tool_call", "call_id": "c2", "name": "sql", "input": "SELECT 1"}
    reply = read_reply(enclose([custom]))
    call, answer = write(reply, [result("c2")])
    assert call == custom
    assert answer["type"] == "custom_tool_call_output"


def test_a_single_call_and_a_single_result():
    """One item each; the id that pairs them is ``call_id``."""
    assert read_call(CALL) == {"id": "c1", "name": "look", "arguments": '{"q": 1}'}
    assert read_call(MESSAGE) is None
    assert write_result(result("c1"))["call_id"] == "c1"


def test_strict_is_always_stated():
    """This endpoint takes a missing ``strict`` as true."""
    tool = {"name": "look", "description": "", "schema": {}}
    assert tool_definition(tool)["strict"] is False
    assert tool_definition(tool, True)["strict"] is True
    assert read_tools([{"type": "web_search"}, tool_definition(tool)])[0]["name"] == "look"


def test_a_logged_input_is_read_in_order():
    """User texts, the model's texts, calls and results."""
    answer = write_result(result("c1", "r"))
    events = read_messages([{"role": "user", "content": "u"}, THOUGHT, MESSAGE, CALL, answer])
    assert [event[0] for event in events] == ["user", "text", "call", "result"]
    assert events[-1][1] == result("c1", "r")


@pytest.mark.parametrize(
    ("obj", "place"),
    [
        ({"object": "response"}, "keys object"),
        ({"output": [{"type": "function_call"}]}, r"output\[0\].name"),
        ({"output": [5]}, r"output\[0\] must be an object"),
    ],
)
def test_a_malformed_part_is_named(obj, place):
    """A malformed response raises ValueError that says where."""
    with pytest.raises(ValueError, match=place):
        read_reply(obj)


def test_the_wire_is_this_module():
    """The seam hands out the functions of this module."""
    assert (OPENAI_RESPONSES.name, OPENAI_RESPONSES.write) == ("openai-responses", write)
