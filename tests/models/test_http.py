"""Models behind an OpenAI-compatible server, over loopback."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import pytest

from handrail.contract.call import ToolCall
from handrail.errors import ConfigError
from handrail.models.http import HttpModel, read_completion
from handrail.models.model import ModelError, Usage

ASK = [{"role": "user", "content": "hi"}]
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]
Serve = Callable[..., Any]


def call_of(arguments: Any) -> dict[str, Any]:
    return {"id": "a", "type": "function", "function": {"name": "f", "arguments": arguments}}


def test_a_reply_is_read(serve: Serve, completion: Serve) -> None:
    """Words, calls, usage and finish reason arrive, arguments untouched."""
    message = {"role": "assistant", "content": "so", "tool_calls": [call_of('{ "x":1,')]}
    server = serve(completion(message, "tool_calls"))
    reply = asyncio.run(HttpModel(server.url, model="m").respond(ASK, TOOLS))
    assert reply.tool_calls == (ToolCall("a", "f", '{ "x":1,'),)
    assert (reply.text, reply.finish_reason, reply.model) == ("so", "tool_calls", "tiny")
    assert reply.usage == Usage(input_tokens=7, output_tokens=3)


def test_the_request_holds_what_was_given(serve: Serve, completion: Serve) -> None:
    """Messages, tools, choice, format, further fields and key are sent as they are."""
    server = serve(completion({"content": "ok"}))
    model = HttpModel(server.url, model="m", api_key="k1", body={"temperature": 0})
    shape = {"type": "json_object"}
    asyncio.run(model.respond(ASK, TOOLS, tool_choice="required", response_format=shape))
    [(path, headers, body)] = server.requests
    assert (path, headers["Authorization"]) == ("/v1/chat/completions", "Bearer k1")
    assert body == {
        "temperature": 0,
        "model": "m",
        "messages": ASK,
        "tools": TOOLS,
        "tool_choice": "required",
        "response_format": shape,
    }


def test_no_tools_means_no_choice(serve: Serve, completion: Serve) -> None:
    """Servers refuse a tool choice without tools."""
    server = serve(completion({"content": "ok"}))
    asyncio.run(HttpModel(server.url, model="m").respond(ASK, (), tool_choice="auto"))
    assert set(server.requests[0][2]) == {"model", "messages"}


def test_the_server_names_its_model_once(serve: Serve, completion: Serve) -> None:
    """Without a name the first listed model is taken, for all requests."""
    answer = completion({"content": "ok"})
    server = serve({"data": [{"id": "first"}, {"id": "second"}]}, answer, answer)
    model = HttpModel(server.url)
    asyncio.run(model.respond(ASK))
    asyncio.run(model.respond(ASK))
    paths = [path for path, _, _ in server.requests]
    assert paths == ["/v1/models", "/v1/chat/completions", "/v1/chat/completions"]
    assert [body["model"] for _, _, body in server.requests[1:]] == ["first", "first"]


def test_the_key_comes_from_its_own_variable(
    serve: Serve, completion: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key for another provider is not shown to this server."""
    server = serve(completion({"content": "ok"}))
    monkeypatch.setenv("OPENAI_API_KEY", "other")
    monkeypatch.delenv("HANDRAIL_API_KEY", raising=False)
    asyncio.run(HttpModel(server.url, model="m").respond(ASK))
    monkeypatch.setenv("HANDRAIL_API_KEY", "ours")
    asyncio.run(HttpModel(server.url, model="m").respond(ASK))
    sent = [headers.get("Authorization") for _, headers, _ in server.requests]
    assert sent == [None, "Bearer ours"]


def test_a_refusal_is_told_with_its_status(serve: Serve) -> None:
    """Status, wait and a bounded body, without the key."""
    server = serve((429, "slow down, sk-secret! " * 500, {"retry-after": "7"}))
    with pytest.raises(ModelError, match="answered 429") as caught:
        asyncio.run(HttpModel(server.url, model="m", api_key="sk-secret").respond(ASK))
    error = caught.value
    assert (error.status, error.retry_after, len(error.body)) == (429, 7.0, 2_000)
    assert "sk-secret" not in str(error)


@pytest.mark.parametrize(
    "answer",
    ["<html>", "[]", {}, {"choices": []}, {"choices": [{}]}, {"choices": [{"message": 1}]}],
)
def test_an_answer_that_is_no_completion_is_told(serve: Serve, answer: Any) -> None:
    """A wrong address is an error, not an empty reply."""
    server = serve(answer)
    with pytest.raises(ModelError):
        asyncio.run(HttpModel(server.url, model="m").respond(ASK))


def test_a_server_that_is_not_there_is_told() -> None:
    """The address is in the message."""
    with pytest.raises(ModelError, match=r"127\.0\.0\.1:1/v1/chat/completions cannot be reached"):
        asyncio.run(HttpModel("http://127.0.0.1:1/v1", model="m").respond(ASK))


def test_a_proxy_is_not_asked_for_loopback(
    serve: Serve, completion: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A company's proxy cannot reach this machine."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    server = serve(completion({"content": "ok"}))
    assert asyncio.run(HttpModel(server.url, model="m").respond(ASK)).text == "ok"


def test_many_requests_at_once(serve: Serve, completion: Serve) -> None:
    """One model serves several conversations of a loop."""
    server = serve(completion({"content": "ok"}))
    model = HttpModel(server.url, model="m")

    async def ask_all() -> list[str]:
        replies = await asyncio.gather(*(model.respond(ASK) for _ in range(5)))
        return [reply.text for reply in replies]

    assert asyncio.run(ask_all()) == ["ok"] * 5


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, ""),
        ("a", "a"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
    ],
)
def test_content_has_three_shapes(completion: Serve, content: Any, expected: str) -> None:
    """Null, a string, or a list of parts."""
    assert read_completion(completion({"content": content})).text == expected


def test_arguments_may_be_an_object(completion: Serve) -> None:
    """Some servers send an object where OpenAI sends text."""
    reply = read_completion(completion({"content": None, "tool_calls": [call_of({"x": 1})]}))
    assert reply.tool_calls == (ToolCall("a", "f", {"x": 1}),)


@pytest.mark.parametrize("address", ["127.0.0.1:80/v1", "ftp://host/v1", "http:///v1", ""])
def test_an_address_is_checked(address: str) -> None:
    """A typing error is found before the first request."""
    with pytest.raises(ConfigError, match="is no address"):
        HttpModel(address)


def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without httpx the message says what to install."""
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(ConfigError, match=r"pip install 'handrail\[models\]'"):
        HttpModel("http://127.0.0.1:1/v1")
