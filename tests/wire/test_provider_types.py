"""Every wire against the providers' own classes: what they give is read, what we write is taken."""

from typing import Any

import pytest

from handrail.wire.registry import PROVIDERS, recognise
from handrail.wire.shapes import ReplyDict, ResultDict
from handrail.wire.stream import Collector
from provider_types import own_chunk, own_reply, refusals, tool_refusals
from wire_samples import PROVIDER_NAMES, Said, chunks, whole

TWO = (("call_a", "look", '{"q": "é", "n": null}'), ("call_b", "find", "{}"))
SAID = [
    Said(TWO, "Let me look."),
    Said(TWO),
    Said(TWO[:1], length=True),
]
ANSWER = Said(text="Done.")
SCHEMA = {
    "type": "object",
    "$defs": {"P": {"type": "object", "properties": {"x": {"type": "integer"}}}},
    "properties": {"p": {"$ref": "#/$defs/P"}, "k": {"enum": ["a", "b"]}},
    "required": ["k"],
}


def results_of(reply: ReplyDict) -> list[ResultDict]:
    """One result per call, in reverse; the first call's is an error."""
    listed: list[ResultDict] = [
        {"call_id": call["id"], "name": call["name"], "content": "said", "is_error": not number}
        for number, call in enumerate(reply["calls"])
    ]
    return listed[::-1]


def collected(provider: str, parts: list[Any]) -> ReplyDict:  # Any: chunks
    """The reply that a stream comes to."""
    collector = Collector(PROVIDERS[provider])
    for part in parts:
        collector.feed(part)
    return collector.reply()


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("provider", PROVIDER_NAMES)
def test_their_own_objects_read_like_their_json(provider: str, said: Said) -> None:
    """An object of the client library and the JSON behind it are one reply."""
    reply = whole(provider, said)
    own = own_reply(provider, reply)
    wire = PROVIDERS[provider]
    assert recognise(own) is recognise(reply) is wire
    assert wire.read_reply(own) == wire.read_reply(reply)
    assert [call["name"] for call in wire.read_reply(own)["calls"]] == [c[1] for c in said.calls]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("provider", PROVIDER_NAMES)
def test_a_stream_writes_what_the_whole_reply_writes(provider: str, said: Said) -> None:
    """Whole or in chunks, as objects or JSON: the same messages go back."""
    wire = PROVIDERS[provider]
    reply = wire.read_reply(whole(provider, said))
    parts = chunks(provider, said)
    own = [own_chunk(provider, part) for part in parts]
    for streamed in (collected(provider, parts), collected(provider, own)):
        assert wire.write(streamed, results_of(streamed)) == wire.write(reply, results_of(reply))
        assert {**streamed, "calls": [], "message": {}} == {**reply, "calls": [], "message": {}}


@pytest.mark.parametrize("said", [*SAID, ANSWER])
@pytest.mark.parametrize("provider", PROVIDER_NAMES)
def test_what_is_written_is_taken_by_their_request_types(provider: str, said: Said) -> None:
    """The assistant turn and the results pass the provider's own request types, keys included."""
    wire = PROVIDERS[provider]
    reply = wire.read_reply(own_reply(provider, whole(provider, said)))
    assert refusals(provider, wire.write(reply, results_of(reply))) == []


@pytest.mark.parametrize("provider", PROVIDER_NAMES)
def test_what_a_broken_stream_writes_is_taken_too(provider: str) -> None:
    """After every chunk: a reply that breaks off there can be answered."""
    parts = chunks(provider, SAID[0], 5)
    wire = PROVIDERS[provider]
    for end in range(len(parts)):
        reply = collected(provider, parts[:end])
        assert refusals(provider, wire.write(reply, results_of(reply))) == []


@pytest.mark.parametrize("provider", PROVIDER_NAMES)
def test_tools_are_taken_and_read_back(provider: str) -> None:
    """Definitions pass the request types, and are read back as the tools that they were."""
    wire = PROVIDERS[provider]
    tools: list[Any] = [  # Any: ToolDict
        {"name": "look", "description": "Looks.", "schema": SCHEMA},
        {"name": "find", "description": "Finds.", "schema": {"type": "object", "properties": {}}},
    ]
    written = wire.group_tools([wire.tool_definition(tool, False) for tool in tools])
    assert tool_refusals(provider, written) == []
    assert wire.read_tools(written) == wire.read_tools({"tools": written}) == tools


@pytest.mark.parametrize("provider", PROVIDER_NAMES)
def test_a_history_is_read_back(provider: str) -> None:
    """What was written is read as the calls and results that it was made of."""
    wire = PROVIDERS[provider]
    reply = wire.read_reply(whole(provider, Said(TWO)))
    history = wire.write(reply, results_of(reply))
    if provider == "mcp":
        history = [*whole(provider, Said(TWO)), *history]
    events = wire.read_messages(history)
    assert [event[0] for event in events] == ["call", "call", "result", "result"]
    assert [one["id"] for kind, one in events if kind == "call"] == ["call_a", "call_b"]
    assert [(one["call_id"], one["name"]) for kind, one in events if kind == "result"] == [
        ("call_a", "look"),
        ("call_b", "find"),
    ]


@pytest.mark.parametrize("provider", PROVIDER_NAMES)
def test_one_result_is_one_block_of_what_is_written(provider: str) -> None:
    """A single block is what stands among all of them."""
    wire = PROVIDERS[provider]
    reply = wire.read_reply(whole(provider, Said((("toolu_1", "look", "{}"),))))
    (result,) = results_of(reply)
    block = wire.write_result(result)
    last = wire.write(reply, [result])[-1]
    held = [last, last.get("result"), *(last.get("content") or ()), *(last.get("parts") or ())]
    assert block in held
