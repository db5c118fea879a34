"""A real local model: bookkeeping only, never a share of successes (small models vary)."""

import asyncio
import subprocess
import sys
from typing import Any

import pytest

from handrail.errors import ConfigError
from handrail.models import Model, ModelReply, connect
from handrail.models.model import ModelError

pytestmark = pytest.mark.live

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "Current weather of a city",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}},
                "required": ["city"],
            },
        },
    }
]
ASK = [{"role": "user", "content": "What is the weather in Paris?"}]


@pytest.fixture(scope="module")
def model() -> Model:
    try:
        return connect("local:0.5b", body={"max_tokens": 60})
    except ConfigError as error:
        pytest.skip(f"no local model: {error}")


def ask(model: Model, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> ModelReply:
    return asyncio.run(model.respond(messages, tools))


def test_a_reply_counts_and_repeats(model: Model) -> None:
    """Usage and finish reason are there, and the same question has the same answer."""
    first, second = ask(model, ASK, TOOLS), ask(model, ASK, TOOLS)
    assert first == second
    assert first.text or first.tool_calls
    assert first.finish_reason in ("stop", "length", "tool_calls")
    assert first.usage.input_tokens > 50
    assert 0 < first.usage.output_tokens <= 60
    assert first.model == "qwen2.5-coder-0.5b-instruct-q4_k_m"


@pytest.mark.parametrize("arguments", ['{"city": "Paris"}', '{"city": "Par', "", "null"])
def test_a_conversation_goes_on_after_a_call(model: Model, arguments: str) -> None:
    """Sound and broken calls with their results are accepted by the server."""
    function = {"name": "get_weather", "arguments": arguments}
    call = {"id": "c1", "type": "function", "function": function}
    history = [
        *ASK,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": '{"temperature": 21}'},
    ]
    assert ask(model, history, TOOLS).usage.output_tokens > 0


def test_a_conversation_that_is_too_long_is_told(model: Model) -> None:
    """The server's refusal, with its status."""
    with pytest.raises(ModelError) as caught:
        ask(model, [{"role": "user", "content": "word " * 5_000}], [])
    assert caught.value.status == 400


def test_the_server_ends_with_the_process(model: Model) -> None:
    """No hang and no crash at exit."""
    script = (
        "import asyncio\nfrom handrail.models import connect\n"
        "model = connect('local:0.5b', body={'max_tokens': 4})\n"
        "print(asyncio.run(model.respond([{'role': 'user', 'content': 'hi'}], [])).finish_reason)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "length\n", "")
