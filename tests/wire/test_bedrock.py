"""The Converse shape, in and out."""

import pytest

from handrail.wire.bedrock import (
    BEDROCK,
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

THOUGHT = {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}}
TEXT = {"text": "Let me look."}
USE = {"toolUse": {"toolUseId": "t1", "name": "look", "input": {"q": None}}}


def response(*blocks, stop="tool_use", **rest):
    """A response with these blocks."""
    message = {"role": "assistant", "content": list(blocks)}
    return {"output": {"message": message}, "stopReason": stop, **rest}


def result(call_id, content="done", is_error=False):
    """A result of the tool ``look``."""
    return {"call_id": call_id, "name": "look", "content": content, "is_error": is_error}


def block(call_id, content="done", **rest):
    """The same as a block."""
    return {"toolResult": {"toolUseId": call_id, "content": [{"text": content}], **rest}}


def test_a_response_is_read():
    """Cached input counts as input."""
    usage = {"inputTokens": 5, "cacheReadInputTokens": 2, "outputTokens": 3}
    assert read_reply(response(THOUGHT, TEXT, USE, usage=usage)) == {
        "provider": "bedrock",
        "text": "Let me look.",
        "calls": [{"id": "t1", "name": "look", "arguments": {"q": None}}],
        "finish_reason": "tool_calls",
        "usage": {"input_tokens": 7, "output_tokens": 3},
        "message": {"role": "assistant", "content": [THOUGHT, TEXT, USE]},
    }


@pytest.mark.parametrize(
    ("sent", "finish"),
    [
        ("end_turn", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("guardrail_intervened", "content_filter"),
        ("malformed_tool_use", "other"),
        (None, "other"),
    ],
)
def test_finish_reasons_are_few(sent, finish):
    """Every stop reason becomes one of five."""
    assert read_reply(response(TEXT, stop=sent))["finish_reason"] == finish


def test_an_assistant_message_is_recognised_by_its_blocks():
    """With a call in it; text alone could be anybody's."""
    assert recognise({"role": "assistant", "content": [TEXT, USE]})
    assert not recognise({"role": "assistant", "content": [TEXT]})
    assert not recognise({"role": "user", "content": [USE]})


def test_all_results_go_into_one_user_message():
    """In the order of the calls; only an error has a status."""
    second = {"toolUse": {"toolUseId": "t2", "name": "look", "input": {}}}
    messages = write(
        read_reply(response(THOUGHT, USE, second)), [result("t2", "no", True), result("t1")]
    )
    assert messages == [
        {"role": "assistant", "content": [THOUGHT, USE, second]},
        {"role": "user", "content": [block("t1"), block("t2", "no", status="error")]},
    ]


def test_what_a_request_refuses_is_not_sent():
    """Blank texts, empty results, names and ids of other letters."""
    odd = {"toolUse": {"toolUseId": "a:1", "name": "functions.look", "input": {}}}
    turn, answers = write(read_reply(response({"text": " "}, odd)), [result("a:1", " ")])
    sent = {"toolUseId": "a_1", "name": "functions_look", "input": {}}
    assert turn["content"] == [{"toolUse": sent}]
    assert answers["content"] == [block("a_1", "(no text)")]


def test_a_tool_of_the_provider_is_no_call():
    """It stays where it is and gets no result."""
    server = {"toolUse": {**USE["toolUse"], "type": "server_tool_use"}}
    reply = read_reply(response(server))
    assert reply["calls"] == []
    assert write(reply, [])[0]["content"] == [server]


def test_calls_read_from_text_are_written_as_blocks():
    """Without the text that they were; broken arguments become an empty object."""
    reply = read_reply(response(THOUGHT, TEXT))
    reply["message"] = without_text(reply["message"])
    reply["calls"] = [{"id": "t", "name": "look", "arguments": '{"q": '}]
    turn, _ = write(reply, [result("t")])
    call = {"toolUse": {"toolUseId": "t", "name": "look", "input": {}}}
    assert turn["content"] == [THOUGHT, call]


def test_a_single_call_and_a_single_result():
    """A block, or the call in it."""
    wanted = {"id": "t1", "name": "look", "arguments": {"q": None}}
    assert read_call(USE) == read_call(USE["toolUse"]) == wanted
    assert read_reply(enclose([USE["toolUse"], USE]))["calls"][0] == wanted
    assert read_call(TEXT) is None
    assert write_result(result("t1")) == block("t1")


def test_tools_go_out_and_come_back():
    """With their place in the request; other entries are left out."""
    tool = {"name": "look", "description": "Looks.", "schema": {"type": "object", "x": 1}}
    tools = [{"cachePoint": {"type": "default"}}, tool_definition(tool)]
    assert read_tools({"toolConfig": {"tools": tools}}) == [tool]
    assert tool_definition(tool, True)["toolSpec"]["strict"] is True


def test_a_logged_history_is_read_in_order():
    """Texts, calls and results, JSON results included."""
    json_block = {"toolResult": {"toolUseId": "t1", "content": [{"json": {"a": 1}}]}}
    events = read_messages(
        [
            {"role": "user", "content": [{"text": "u"}]},
            {"role": "assistant", "content": [THOUGHT, TEXT, USE]},
            {"role": "user", "content": [json_block]},
        ]
    )
    assert [event[0] for event in events] == ["user", "text", "call", "result"]
    assert events[-1][1] == result("t1", '{"a": 1}')


@pytest.mark.parametrize(
    ("obj", "place"),
    [
        ({"x": 1}, "keys x"),
        (response({"toolUse": {}}), r"content\[0\].toolUse.name"),
        (response(5), r"content\[0\] must be an object"),
    ],
)
def test_a_malformed_part_is_named(obj, place):
    """A malformed response raises ValueError that says where."""
    with pytest.raises(ValueError, match=place):
        read_reply(obj)


def test_the_wire_is_this_module():
    """The seam hands out the functions of this module."""
    assert (BEDROCK.name, BEDROCK.write) == ("bedrock", write)
