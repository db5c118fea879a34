"""The Gemini shape, in and out."""

import pytest
from google.genai import types

from handrail.wire.gemini import (
    GEMINI,
    enclose,
    group_tools,
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

THOUGHT = {"text": "hm", "thought": True}
TEXT = {"text": "Let me look."}
CALL = {"functionCall": {"name": "look", "args": {"q": None}}, "thoughtSignature": "c2ln"}
OWN_ID = {"functionCall": {"id": "g1", "name": "look", "args": {}}}


def response(*parts, finish="STOP", **rest):
    """A response with these parts."""
    content = {"role": "model", "parts": list(parts)}
    return {"candidates": [{"content": content, "finishReason": finish}], **rest}


def result(call_id, content="done", is_error=False):
    """A result of the tool ``look``."""
    return {"call_id": call_id, "name": "look", "content": content, "is_error": is_error}


def test_a_response_is_read():
    """Thoughts are no text, and count as output."""
    counted = {"promptTokenCount": 5, "candidatesTokenCount": 2, "thoughtsTokenCount": 1}
    assert read_reply(response(THOUGHT, TEXT, CALL, usageMetadata=counted)) == {
        "provider": "gemini",
        "text": "Let me look.",
        "calls": [{"id": "call_1", "name": "look", "arguments": {"q": None}}],
        "finish_reason": "tool_calls",
        "usage": {"input_tokens": 5, "output_tokens": 3},
        "message": {"role": "model", "parts": [THOUGHT, TEXT, CALL]},
    }


@pytest.mark.parametrize(
    ("sent", "finish"),
    [
        ("STOP", "stop"),
        ("MAX_TOKENS", "length"),
        ("SAFETY", "content_filter"),
        ("MALFORMED_FUNCTION_CALL", "other"),
        (types.FinishReason.MAX_TOKENS, "length"),
        (None, "other"),
    ],
)
def test_finish_reasons_are_few(sent, finish):
    """Every finish reason becomes one of five, as text or as an enum."""
    assert read_reply(response(TEXT, finish=sent))["finish_reason"] == finish


def test_a_blocked_prompt_has_no_candidates():
    """It is a reply all the same."""
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}}
    assert recognise(blocked)
    assert read_reply(blocked)["finish_reason"] == "content_filter"
    assert write(read_reply(blocked), []) == []


def test_an_id_goes_back_only_where_one_came():
    """A minted id is ours; an id of the model is sent in the call and in its result."""
    turn, answers = write(
        read_reply(response(CALL, OWN_ID)), [result("g1"), result("call_1", "no", True)]
    )
    assert turn == {"role": "model", "parts": [CALL, OWN_ID]}
    assert answers["role"] == "user"
    assert [part["functionResponse"] for part in answers["parts"]] == [
        {"name": "look", "response": {"error": "no"}},
        {"id": "g1", "name": "look", "response": {"output": "done"}},
    ]


def test_an_id_that_was_changed_goes_back_changed_in_both():
    """A turn renames an id that it saw before."""
    reply = read_reply(response(OWN_ID))
    reply["calls"][0]["id"] = "g9"
    turn, answers = write(reply, [result("g9")])
    assert turn["parts"][0]["functionCall"]["id"] == "g9"
    assert answers["parts"][0]["functionResponse"]["id"] == "g9"


def test_signatures_of_the_client_library_survive():
    """Bytes go out as the text that both REST and the library read."""
    part = types.Part(function_call=types.FunctionCall(name="f", args={}), thought_signature=b"sig")
    turn, _ = write(read_reply({"role": "model", "parts": [part]}), [{**result("call_1")}])
    assert turn["parts"][0]["thoughtSignature"] == "c2ln"
    assert types.Content.model_validate(turn).parts[0].thought_signature == b"sig"


def test_broken_arguments_become_an_empty_object():
    """This shape takes only objects."""
    reply = read_reply(response(TEXT))
    reply["message"] = without_text(reply["message"])
    reply["calls"] = [{"id": "t", "name": "look", "arguments": '{"q": '}]
    turn, answers = write(reply, [result("t")])
    assert turn["parts"] == [{"functionCall": {"name": "look", "args": {}}}]
    assert "id" not in answers["parts"][0]["functionResponse"]


def test_a_single_call_in_each_spelling():
    """A part, a call of the client library, its dict; nothing else."""
    wanted = {"id": "g1", "name": "look", "arguments": {"q": 1}}
    inner = {"id": "g1", "name": "look", "args": {"q": 1}}
    call = types.FunctionCall(**inner)
    given = [inner, {"functionCall": inner}, {"function_call": inner}]
    given += [call, types.Part(function_call=call)]
    assert [read_call(one) for one in given] == [wanted] * 5
    assert read_reply(enclose([inner, given[1]]))["calls"][0] == wanted
    assert read_call({"name": "look", "arguments": {}}) is None
    assert read_call(TEXT) is None


def test_a_single_result_has_no_minted_id():
    """An id of the model is kept."""
    assert "id" not in write_result(result("call_1"))["functionResponse"]
    assert "id" not in write_result(result("call_0123456789abcdef_2"))["functionResponse"]
    assert write_result(result("g1"))["functionResponse"]["id"] == "g1"


def test_all_declarations_are_one_tool():
    """Several tools of functions are refused."""
    tool = {"name": "look", "description": "Looks.", "schema": {"type": "object", "x": 1}}
    definition = tool_definition(tool, True)
    assert group_tools([definition]) == [{"functionDeclarations": [definition]}]
    assert group_tools([]) == []
    snake = {"function_declarations": [{**tool, "parameters": tool["schema"]}]}
    assert read_tools({"config": {"tools": [snake]}}) == [tool]


def test_a_logged_history_is_read_in_order():
    """Results are told apart by id, or by name and order."""
    plain = {"functionResponse": {"name": "look", "response": {"rows": [1]}}}
    failed = {"function_response": {"name": "look", "id": "g1", "response": {"error": "no"}}}
    events = read_messages(
        [
            {"role": "user", "parts": [{"text": "u"}]},
            {"role": "model", "parts": [THOUGHT, TEXT, CALL, OWN_ID]},
            {"role": "user", "parts": [failed, plain]},
        ]
    )
    assert events == [
        ("user", "u"),
        ("text", "Let me look."),
        ("call", {"id": "call_1", "name": "look", "arguments": {"q": None}}),
        ("call", {"id": "g1", "name": "look", "arguments": {}}),
        ("result", result("g1", "no", True)),
        ("result", result("call_1", '{"rows": [1]}')),
    ]


@pytest.mark.parametrize(
    ("obj", "place"),
    [
        ({"x": 1}, "keys x"),
        (response({"functionCall": {}}), r"parts\[0\].functionCall.name"),
        (response(5), r"parts\[0\] must be an object"),
        ({"role": "model", "parts": [], "candidates": 5}, "candidates must be a list"),
    ],
)
def test_a_malformed_part_is_named(obj, place):
    """A malformed response raises ValueError that says where."""
    with pytest.raises(ValueError, match=place):
        read_reply(obj)


def test_the_wire_is_this_module():
    """The seam hands out the functions of this module."""
    assert (GEMINI.name, GEMINI.write, GEMINI.group_tools) == ("gemini", write, group_tools)
