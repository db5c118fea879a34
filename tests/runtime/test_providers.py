"""A turn with the replies of every provider: whole, streamed, cut, and in lists."""

import json
from typing import Any

import pytest

from handrail import ConfigError, Policy, Status, Toolbox, Turn
from handrail.wire.stream import Collector
from parts import shop
from provider_types import own_chunk, own_reply, refusals, tool_refusals
from wire_samples import PROVIDER_NAMES, Said, chunks, whole

GOOD = ("id_a", "search_orders", '{"customer_id": "C-1"}')
BAD = ("id_b", "set_status", '{"order_id": "O-1", "status": "lost"}')
NOPE = ("id_c", "nope", "{}")
every_provider = pytest.mark.parametrize("provider", PROVIDER_NAMES)


def stream(turn: Turn, provider: str, parts: list[Any]) -> Collector:  # Any: chunks
    """A stream of these chunks, collected."""
    collector = turn.stream(provider)
    for part in parts:
        collector.feed(own_chunk(provider, part))
    return collector


def statuses(results: Any) -> list[Status]:  # Any: results
    """How each call ended."""
    return [one.status for one in results]


@every_provider
@pytest.mark.parametrize("streamed", [False, True])
def test_each_call_is_answered_once_and_in_order(provider: str, streamed: bool) -> None:
    """One valid, one invalid, one unknown: what goes back is taken by the provider's types."""
    box, ran = shop()
    said = Said((GOOD, BAD, NOPE), "" if provider == "mcp" else "Let me look.")
    with box.turn() as turn:
        if streamed:
            answers = turn.take_sync(stream(turn, provider, chunks(provider, said)))
        else:
            answers = turn.take_sync(own_reply(provider, whole(provider, said)))
    assert statuses(answers.results) == [Status.OK, Status.INVALID, Status.REFUSED]
    assert [one.call_id for one in answers.results] == ["id_a", "id_b", "id_c"]
    assert len(ran) == 1
    assert refusals(provider, answers.to_messages()) == []
    sent = json.dumps(answers.to_messages())
    assert [sent.count(json.dumps(one.content)) for one in answers.results] == [1, 1, 1]


@every_provider
async def test_a_broken_stream_runs_nothing(provider: str) -> None:
    """Whatever came: every call of it is VAL-011, the operator is told, the retry goes on."""
    box, ran = shop()
    said = Said((GOOD, ("id_d", "search_orders", '{"customer_id": "C-2"}')))
    parts = chunks(provider, said, 9)
    cut = len(parts) - 3 if provider not in ("gemini", "openai-responses") else len(parts) - 1
    async with box.turn() as turn:
        answers = await turn.take(stream(turn, provider, parts[:cut]), finish_reason="stop")
        assert answers.reply["finish_reason"] == "interrupted"
        assert {one.code for one in answers.results} == {"VAL-011"}
        assert all("stream broke off" in str(one.host_advice) for one in answers.results)
        assert not any("stream broke off" in one.content for one in answers.results)
        assert ran == []
        assert refusals(provider, answers.to_messages()) == []
        again = await turn.take(stream(turn, provider, chunks(provider, said)))
    assert statuses(again.results) == [Status.OK, Status.OK]
    assert again.results[0].attempt == 2


@every_provider
def test_a_reply_at_the_length_limit_is_cut_at_its_last_call(provider: str) -> None:
    """VAL-011 with advice for the operator; MCP knows no limit."""
    box, ran = shop()
    reply = own_reply(provider, whole(provider, Said((GOOD,), length=True)))
    (result,) = box.turn().take_sync(reply).results
    if provider == "mcp":
        assert result.status is Status.OK
        return
    assert (result.code, ran) == ("VAL-011", [])
    assert "max_tokens" in str(result.host_advice)


@every_provider
def test_ids_that_come_again_are_told_apart(provider: str) -> None:
    """The same id in the next reply is another call, in both of its messages."""
    box, _ = shop()
    with box.turn() as turn:
        first, second = (
            turn.take_sync(whole(provider, Said((("id_a", "search_orders", given),))))
            for given in ('{"customer_id": "C-1"}', '{"customer_id": "C-2"}')
        )
    assert statuses(first.results + second.results) == [Status.OK, Status.OK]
    assert first.results[0].call_id != second.results[0].call_id
    assert refusals(provider, second.to_messages()) == []


def test_gemini_calls_without_ids_are_answered_without_ids() -> None:
    """Ids are minted for us and not sent back."""
    box, _ = shop()
    calls = tuple(("", name, given) for _, name, given in (GOOD, BAD))
    answers = box.turn().take_sync(own_reply("gemini", whole("gemini", Said(calls))))
    assert len({one.call_id for one in answers.results}) == 2
    turn, results = answers.to_messages()
    assert all("id" not in part["functionCall"] for part in turn["parts"])
    assert all("id" not in part["functionResponse"] for part in results["parts"])
    assert [one.to_gemini() for one in answers.results] == results["parts"]


@every_provider
def test_a_list_of_a_providers_calls_is_answered_in_its_shape(provider: str) -> None:
    """The blocks of a reply, picked out by the host."""
    reply = whole(provider, Said((GOOD, BAD)))
    calls = {
        "openai": lambda: reply["choices"][0]["message"]["tool_calls"],
        "openai-responses": lambda: reply["output"],
        "anthropic": lambda: reply["content"],
        "gemini": lambda: reply["candidates"][0]["content"]["parts"],
        "bedrock": lambda: reply["output"]["message"]["content"],
        "mcp": lambda: reply,
    }[provider]()
    box, _ = shop()
    messages = box.turn().take_sync(calls).to_messages()
    assert messages == box.turn().take_sync(reply).to_messages()


@every_provider
def test_a_call_written_as_text_goes_back_as_a_call(provider: str) -> None:
    """Without the text that it was, in the shape of the provider."""
    if provider == "mcp":
        return
    text = '{"name": "search_orders", "arguments": {"customer_id": "C-1"}}'
    box, ran = shop()
    answers = box.turn().take_sync(own_reply(provider, whole(provider, Said(text=text))))
    assert (statuses(answers.results), len(ran)) == ([Status.OK], 1)
    assert refusals(provider, answers.to_messages()) == []
    assert '"arguments": {"customer_id"' not in str(answers.to_messages()[0])


@every_provider
def test_definitions_are_taken_by_the_provider(provider: str) -> None:
    """Those of a toolbox and of a turn."""
    box, _ = shop()
    assert tool_refusals(provider, box.schemas(provider)) == []
    assert box.turn().schemas(provider) == box.schemas(provider)


def test_an_unknown_provider_is_named() -> None:
    """With those that there are."""
    with pytest.raises(ConfigError, match="'nope' is unknown: choose one of openai, openai-resp"):
        Toolbox().turn().stream("nope")


def test_a_stream_without_calls_is_an_answer() -> None:
    """Interrupted or not, there is nothing to send; the finish reason tells them apart."""
    box, _ = shop(policy=Policy.preset("strict"))
    parts = chunks("anthropic", Said(text="All is well."))
    with box.turn() as turn:
        answers = turn.take_sync(stream(turn, "anthropic", parts))
        cut = turn.take_sync(stream(turn, "anthropic", parts[:3]))
    assert (answers.done, answers.text, answers.reply["finish_reason"]) == (
        True,
        "All is well.",
        "stop",
    )
    assert (cut.done, cut.text, cut.reply["finish_reason"]) == (True, "All is ", "interrupted")
