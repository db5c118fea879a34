"""Translation to and from the messages of pydantic-ai."""

from typing import Any

import pytest

pytest.importorskip("pydantic_ai")

from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.messages import (
    BinaryContent,
    FinishReason,
    ImageUrl,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.usage import RequestUsage

from handrail.contract.call import ToolCall
from handrail.errors import ConfigError
from handrail.models.model import Usage
from handrail.models.provider_messages import (
    own_words,
    read_response,
    request_parameters,
    response_key,
    to_provider_messages,
)


def called(call_id: str, arguments: Any, content: str | None = None) -> dict[str, Any]:
    function = {"name": "f", "arguments": arguments}
    return {
        "role": "assistant",
        "content": content,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def test_a_conversation_is_translated() -> None:
    """What the host says between two replies is one request."""
    history = to_provider_messages(
        [
            {"role": "system", "content": "s"},
            {"role": "user", "content": "u"},
            called("1", "{}", content="t"),
            {"role": "tool", "tool_call_id": "1", "content": "r"},
            {"role": "user", "content": [{"type": "text", "text": "v"}]},
        ]
    )
    kinds = [[type(part) for part in message.parts] for message in history]
    assert kinds == [
        [SystemPromptPart, UserPromptPart],
        [TextPart, type(own_words(ToolCallPart("f", "{}")))],
        [ToolReturnPart, UserPromptPart],
    ]


@given(st.text())
def test_feedback_stays_a_plain_success(content: str) -> None:
    """Law: every tool text is what the provider's layer would send, unwrapped."""
    history = to_provider_messages(
        [called("1", "{}"), {"role": "tool", "tool_call_id": "1", "content": content}]
    )
    part = history[1].parts[0]
    assert isinstance(part, ToolReturnPart)
    assert (part.outcome, part.tool_name) == ("success", "f")
    assert part.model_response_str() == content


@given(st.text())
def test_arguments_stay_the_models_own_words(arguments: str) -> None:
    """Law: argument text is sent back as it came, JSON or not."""
    part = to_provider_messages([called("1", arguments)])[0].parts[0]
    assert isinstance(part, ToolCallPart)
    assert part.args_as_json_str() == arguments


def test_a_known_response_goes_back_whole() -> None:
    """Reasoning and signatures survive; a changed call is translated plainly."""
    kept = ModelResponse(parts=[ThinkingPart("because"), ToolCallPart("f", {"x": 1}, "1")])
    seen = {response_key("", [("1", "f", {"x": 1})]): kept}
    same = to_provider_messages([called("1", '{ "x": 1 }')], seen)
    changed = to_provider_messages([called("1", '{"x": 2}')], seen)
    assert same == [kept]
    assert [type(part).__mro__[1] for part in changed[0].parts] == [ToolCallPart]


def test_pictures_are_translated() -> None:
    """By address, or inline."""
    inline = "data:image/png;base64,AAAA"
    parts = [
        {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
        {"type": "image_url", "image_url": {"url": inline}},
    ]
    [request] = to_provider_messages([{"role": "user", "content": parts}])
    part = request.parts[0]
    assert isinstance(part, UserPromptPart)
    address, picture = part.content
    assert address == ImageUrl(url="https://example.com/a.png")
    assert isinstance(picture, BinaryContent)
    assert (picture.media_type, picture.data) == ("image/png", b"\0\0\0")


@pytest.mark.parametrize(
    "message",
    [{"role": "robot", "content": ""}, {"role": "user", "content": [{"type": "smell"}]}],
)
def test_what_is_not_understood_is_told(message: dict[str, Any]) -> None:
    """Nothing is dropped silently."""
    with pytest.raises(ConfigError, match="not understood"):
        to_provider_messages([message])


def test_tools_keep_their_schema() -> None:
    """Strict only where the definition says so."""
    schema = {"type": "object", "properties": {"x": {"type": "integer"}}}
    tools = [
        {"type": "function", "function": {"name": "f", "description": "d", "parameters": schema}},
        {"type": "function", "function": {"name": "g", "strict": True}},
    ]
    first, second = request_parameters(tools, None).function_tools
    assert (first.name, first.description, first.strict) == ("f", "d", False)
    assert first.parameters_json_schema == schema
    assert (second.strict, second.parameters_json_schema["type"]) == (True, "object")


def test_formats_are_translated() -> None:
    """Text, any object, an object of a schema; anything else is told."""
    shape = {"name": "n", "schema": {"type": "object"}, "strict": True}
    assert request_parameters([], {"type": "text"}).output_mode == "text"
    assert request_parameters([], {"type": "json_object"}).output_mode == "prompted"
    wanted = request_parameters([], {"type": "json_schema", "json_schema": shape}).output_object
    assert wanted is not None
    assert (wanted.name, wanted.json_schema, wanted.strict) == ("n", {"type": "object"}, True)
    with pytest.raises(ConfigError, match="response_format"):
        request_parameters([], {"type": "xml"})


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("content_filter", "content_filter"),
        ("tool_call", "tool_calls"),
        (None, None),
    ],
)
def test_finish_reasons_are_those_of_chat_completions(
    reason: FinishReason | None, expected: str | None
) -> None:
    """One vocabulary, whoever answers."""
    response = ModelResponse(parts=[TextPart("a")], finish_reason=reason)
    assert read_response(response).finish_reason == expected


def test_a_response_is_read() -> None:
    """Words, calls and usage; reasoning is not text; a stop with calls is tool_calls."""
    response = ModelResponse(
        parts=[ThinkingPart("hm"), TextPart("a"), ToolCallPart("f", '{"x":', "1")],
        usage=RequestUsage(input_tokens=5, output_tokens=2),
        model_name="m",
        finish_reason="stop",
    )
    reply = read_response(response)
    assert (reply.text, reply.model, reply.finish_reason) == ("a", "m", "tool_calls")
    assert reply.tool_calls == (ToolCall("1", "f", '{"x":'),)
    assert reply.usage == Usage(input_tokens=5, output_tokens=2)
