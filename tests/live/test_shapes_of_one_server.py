"""One local server, three shapes, whole and streamed, through `take`: bookkeeping only."""

import json
from collections.abc import Iterator
from typing import Any, Literal

import httpx
import pytest

from handrail import Status, Toolbox, Turn
from handrail.errors import ConfigError
from handrail.models import connect
from handrail.models.local import LocalModel, local_address

pytestmark = pytest.mark.live

ASK = "Weather forecast for Paris for the next 14 days, in celsius. Answer with one tool call."
PATHS = {
    "openai": "/v1/chat/completions",
    "anthropic": "/v1/messages",
    "openai-responses": "/v1/responses",
}


@pytest.fixture(scope="module")
def address() -> str:
    """Where the server of the small model listens."""
    try:
        model = connect("local:0.5b")
    except ConfigError as error:
        pytest.skip(f"no local model: {error}")
    assert isinstance(model, LocalModel)
    return local_address(model.path)


def toolbox() -> Toolbox:
    """One tool whose limit the question breaks."""
    box = Toolbox(name="live")

    @box.tool(action_type="read")
    def get_weather(city: str, unit: Literal["celsius", "fahrenheit"], days: int = 1) -> str:
        """Weather forecast for a city."""
        return f"{city}: {days} days of sun"

    return box


def request(turn: Turn, provider: str, *, stream: bool) -> dict[str, Any]:  # Any: JSON object
    """The question in the provider's request shape."""
    asked = [{"role": "user", "content": ASK}]
    body = {"model": "local", "tools": turn.schemas(provider), "temperature": 0, "stream": stream}
    if provider == "openai-responses":
        return {**body, "input": asked, "max_output_tokens": 120}
    return {**body, "messages": asked, "max_tokens": 120}


def chunks(address: str, provider: str, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The server-sent events of one streamed reply."""  # Any: JSON objects
    with httpx.stream("POST", address + PATHS[provider], json=body, timeout=300) as response:
        response.read() if response.is_error else None
        assert response.status_code == 200, response.text
        for line in response.iter_lines():
            if line.startswith("data: ") and line != "data: [DONE]":
                yield json.loads(line.removeprefix("data: "))


@pytest.mark.parametrize("provider", list(PATHS))
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_a_reply_of_each_shape_is_taken(address: str, provider: str, stream: bool) -> None:
    """A call, sent as one or written as text, is judged, and its result is in the shape."""
    with toolbox().turn(user_text=ASK) as turn:
        body = request(turn, provider, stream=stream)
        reply: object
        if stream:
            collector = turn.stream(provider)
            for chunk in chunks(address, provider, body):
                collector.feed(chunk)
            assert collector.finished
            reply = collector
        else:
            response = httpx.post(address + PATHS[provider], json=body, timeout=300)
            assert response.status_code == 200, response.text
            reply = response.json()
        answers = turn.take_sync(reply)
    assert answers.results or answers.text
    assert {one.status for one in answers.results} <= {*Status}
    assert bool(answers.to_messages()) or answers.done
