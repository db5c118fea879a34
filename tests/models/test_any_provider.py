"""Providers through pydantic-ai, with the real openai client against a server on loopback."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("pydantic_ai")
pytest.importorskip("openai")

from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from handrail.contract.call import ToolCall
from handrail.errors import ConfigError
from handrail.models.any_provider import AnyProvider
from handrail.models.model import ModelError, Usage

Serve = Callable[..., Any]
ASK = [{"role": "user", "content": "do it"}]
SCHEMA = {
    "type": "object",
    "properties": {"x": {"type": "integer", "minimum": 1, "default": 3}},
    "required": ["x"],
    "additionalProperties": False,
}
TOOLS = [{"type": "function", "function": {"name": "f", "description": "d", "parameters": SCHEMA}}]
FEEDBACK = (
    "Validation failed for tool 'f' (attempt 1/3):\n\nErrors:\n"
    '• /x (VAL-002): "q" \\ \\u202e ünïcode 漢字 \U0001f600\n  Expected: integer >= 1\n\n'
    "Please correct and call again: Set /x to 1.  "
)


def model_at(server: Any, **options: Any) -> AnyProvider:
    return AnyProvider("openai-chat:gpt-4o", base_url=server.url, api_key="k", **options)


def made(arguments: str) -> dict[str, Any]:
    function = {"name": "f", "arguments": arguments}
    call = {"id": "c1", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def test_the_feedback_reaches_the_wire_unchanged(serve: Serve, completion: Serve) -> None:
    """Bytes of the tool message equal the feedback, and broken arguments stay as they were."""
    server = serve(completion({"role": "assistant", "content": "ok"}))
    tool = {"role": "tool", "tool_call_id": "c1", "content": FEEDBACK}
    asyncio.run(model_at(server).respond([*ASK, made('{ "x":  0,'), tool], TOOLS))
    [(path, _, body)] = server.requests
    assert path == "/v1/chat/completions"
    assert body["messages"][2]["content"].encode() == FEEDBACK.encode()
    assert body["messages"][1]["tool_calls"] == made('{ "x":  0,')["tool_calls"]
    assert body["tools"] == TOOLS


def test_a_model_of_pydantic_ai_is_taken_as_it_is(serve: Serve, completion: Serve) -> None:
    """A host that built its own model hands it over."""
    server = serve(completion({"role": "assistant", "content": "ok"}))
    own = OpenAIChatModel("m", provider=OpenAIProvider(base_url=server.url, api_key="k"))
    assert asyncio.run(AnyProvider(own).respond(ASK, [])).text == "ok"


def test_a_reply_is_read(serve: Serve, completion: Serve) -> None:
    """Calls with broken arguments arrive untouched; usage and reason too."""
    server = serve(completion(made('{"x":'), "tool_calls"))
    reply = asyncio.run(model_at(server).respond(ASK, TOOLS))
    assert reply.tool_calls == (ToolCall("c1", "f", '{"x":'),)
    assert (reply.finish_reason, reply.model) == ("tool_calls", "tiny")
    assert reply.usage == Usage(input_tokens=7, output_tokens=3)


def test_settings_and_choice_are_sent(serve: Serve, completion: Serve) -> None:
    """A named tool is required, and the settings of connect hold for each request."""
    server = serve(completion({"role": "assistant", "content": "ok"}))
    model = model_at(server, temperature=0, max_tokens=9)
    choice = {"type": "function", "function": {"name": "f"}}
    asyncio.run(model.respond(ASK, TOOLS, tool_choice=choice))
    asyncio.run(model.respond(ASK, TOOLS))
    first, second = (body for _, _, body in server.requests)
    assert first["tool_choice"] in ("required", choice)
    assert (first["temperature"], first["max_completion_tokens"]) == (0, 9)
    assert second.get("tool_choice", "auto") == "auto"


def test_an_answer_form_is_sent(serve: Serve, completion: Serve) -> None:
    """As the provider's own response format."""
    server = serve(completion({"role": "assistant", "content": "{}"}))
    shape = {"type": "json_schema", "json_schema": {"name": "n", "schema": SCHEMA}}
    asyncio.run(model_at(server).respond(ASK, [], response_format=shape))
    sent = server.requests[0][2]["response_format"]
    assert (sent["type"], sent["json_schema"]["name"]) == ("json_schema", "n")


def test_what_was_said_goes_back(serve: Serve, completion: Serve) -> None:
    """A remembered response is sent with the very text of its arguments."""
    said = {**made('{"x":0}'), "content": "Well."}
    server = serve(completion(said, "tool_calls"))
    model = model_at(server)
    asyncio.run(model.respond(ASK, TOOLS))
    spaced = {**made('{ "x": 0 }'), "content": "Well."}
    asyncio.run(model.respond([*ASK, spaced], TOOLS))
    back = server.requests[1][2]["messages"][1]
    assert back == said


def test_memory_is_bounded(serve: Serve, completion: Serve, monkeypatch: Any) -> None:
    """Only the latest responses are kept."""
    monkeypatch.setattr("handrail.models.any_provider._REMEMBERED", 2)
    answers = [completion(made(f'{{"x": {n}}}'), "tool_calls") for n in range(4)]
    model = model_at(serve(*answers))
    for _ in answers:
        asyncio.run(model.respond(ASK, TOOLS))
    assert len(model._seen) == 2


def test_a_refusal_is_told_with_its_status(serve: Serve) -> None:
    """The body is the server's, bounded."""
    server = serve((400, {"error": {"message": "no such tool " * 500}}))
    with pytest.raises(ModelError, match="answered 400") as caught:
        asyncio.run(model_at(server).respond(ASK, TOOLS))
    assert (caught.value.status, len(caught.value.body)) == (400, 2_000)


def test_an_answer_that_is_no_completion_is_told(serve: Serve) -> None:
    """A wrong address is an error, not an empty reply."""
    with pytest.raises(ModelError):
        asyncio.run(model_at(serve({"hello": 1})).respond(ASK, TOOLS))


def test_many_requests_at_once(serve: Serve, completion: Serve) -> None:
    """One model serves several conversations of a loop, and then of another loop."""
    model = model_at(serve(completion({"role": "assistant", "content": "ok"})))

    async def ask_all() -> list[str]:
        replies = await asyncio.gather(*(model.respond(ASK, []) for _ in range(4)))
        return [reply.text for reply in replies]

    assert asyncio.run(ask_all()) + asyncio.run(ask_all()) == ["ok"] * 8


def test_an_unknown_setting_is_told() -> None:
    """A typing error is not ignored; the provider's own settings are let through."""
    with pytest.raises(ConfigError, match="does not take temprature"):
        AnyProvider("openai-chat:gpt-4o", api_key="k", temprature=0)
    AnyProvider("openai-chat:gpt-4o", api_key="k", openai_user="u")


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra for pydantic-ai itself, the provider's package for the rest."""
    monkeypatch.setitem(sys.modules, "groq", None)
    with pytest.raises(ConfigError, match="groq"):
        AnyProvider("groq:llama", api_key="k")
    monkeypatch.setitem(sys.modules, "pydantic_ai.direct", None)
    with pytest.raises(ConfigError, match=r"pip install 'handrail\[models\]'"):
        AnyProvider("openai:gpt-5", api_key="k")
