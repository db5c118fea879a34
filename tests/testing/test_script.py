"""The scripted model and the human that always answers the same."""

import asyncio
from typing import Any

import pytest

from handrail.contract.call import ToolCall
from handrail.models import Model, ModelReply
from handrail.protocol import asks
from handrail.testing import AutoHuman, ScriptedModel, call, text

ASK = [{"role": "user", "content": "hi"}]
TOOLS = [{"type": "function", "function": {"name": "f"}}]


def replies(model: ScriptedModel, count: int) -> list[ModelReply]:
    async def ask() -> list[ModelReply]:
        return [await model.respond(ASK, TOOLS) for _ in range(count)]

    return asyncio.run(ask())


def test_every_kind_of_item_is_a_reply() -> None:
    """A call, several calls, words, and a callable that sees the request."""
    model = ScriptedModel(
        [
            call("f", {"x": "ä"}),
            [call("f", {}), call("g", '{"x":', id="own")],
            text("done"),
            lambda messages, tools: text(messages[0]["content"] + tools[0]["function"]["name"]),
        ]
    )
    one, two, words, seen = replies(model, 4)
    assert one.tool_calls == (ToolCall("call_1", "f", '{"x": "\\u00e4"}'),)
    assert two.tool_calls == (ToolCall("call_2", "f", "{}"), ToolCall("own", "g", '{"x":'))
    assert (one.finish_reason, words.finish_reason) == ("tool_calls", "stop")
    assert (words.text, seen.text) == ("done", "hif")


def test_an_exception_is_raised() -> None:
    """Providers fail; the script goes on after it."""
    model = ScriptedModel([TimeoutError("slow"), text("back")])
    with pytest.raises(TimeoutError, match="slow"):
        replies(model, 1)
    assert replies(model, 1)[0].text == "back"


def test_a_script_ends() -> None:
    """One request too many is a failed test, and is recorded."""
    model = ScriptedModel([])
    with pytest.raises(AssertionError, match=r"^script ended$"):
        replies(model, 1)
    assert len(model.requests) == 1


def test_requests_are_kept_as_they_were() -> None:
    """What the host changes afterwards does not change the record."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": ["a"]}]
    model = ScriptedModel([text("ok")])
    asyncio.run(model.respond(messages, TOOLS, tool_choice="required"))
    messages[0]["content"].append("b")
    [(sent, tools, choice)] = model.requests
    assert sent == [{"role": "user", "content": ["a"]}]
    assert (tools, choice) == (TOOLS, "required")


def test_a_wrong_item_is_told() -> None:
    """An empty list is no reply either."""
    for item in ("words", []):
        with pytest.raises(TypeError, match="is no item of a script"):
            replies(ScriptedModel([item]), 1)  # type: ignore[list-item]  # that is the point


def test_it_is_a_model() -> None:
    """It stands at the same seam as the real ones."""
    assert isinstance(ScriptedModel([]), Model)


def test_a_human_says_yes_to_what_the_card_shows() -> None:
    """The approval names exactly the arguments shown."""
    item = asks.CardItem("f", "d", "destructive", {"x": 1}, (), "abc", 0)
    card = asks.Card(id="k", items=(item,), fingerprint="p")
    human = AutoHuman(by="ann")
    answer = asyncio.run(human.decide(card))
    assert (type(answer), answer.by, answer.hash) == (asks.Approved, "ann", "abc")
    assert human.asked == [card]


def test_a_human_says_no_with_a_reason() -> None:
    """The reason is passed on."""
    card = asks.Card(id="k", items=())
    answer = asyncio.run(AutoHuman(approve=False, reason="too many").decide(card))
    assert (type(answer), answer.by, answer.reason) == (asks.Denied, "human", "too many")
