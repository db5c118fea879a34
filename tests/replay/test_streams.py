"""Logged streams: lists of chunks, and the text of a stream."""

import json
from typing import Any

import pytest

from handrail.replay.streams import chunks_in, collected, is_stream, stream_error
from handrail.wire.registry import read_reply
from wire_samples import PROVIDER_NAMES, Said, chunks, whole

SAID = Said((("call_a1", "find", '{"a": 1}'), ("call_b2", "keep", '{"b": "x y"}')))
STREAMED = [name for name in PROVIDER_NAMES if name != "mcp"]


def asked(reply: Any) -> list[tuple[str, object]]:  # Any: a reply
    """Names and arguments of calls."""
    return [
        (call["name"], json.loads(given) if isinstance(given := call["arguments"], str) else given)
        for call in reply["calls"]
    ]


def as_events(listed: list[Any]) -> str:  # Any: chunks
    """Chunks as server-sent events, as the servers send them."""
    sent = "".join(f"event: x\ndata: {json.dumps(one)}\n\n" for one in listed)
    return f": a comment\n\n{sent}data: [DONE]\n\n"


WRITTEN = [
    lambda listed: listed,
    lambda listed: [json.dumps(one) for one in listed],
    lambda listed: "\n".join(map(json.dumps, listed)),
    as_events,
    lambda listed: as_events(listed).replace("\n\n", "\n"),
    lambda listed: as_events(listed).splitlines(),
    lambda listed: [as_events(listed)[at : at + 11] for at in range(0, len(as_events(listed)), 11)],
    json.dumps,
]


@pytest.mark.parametrize("provider", STREAMED)
@pytest.mark.parametrize("write", WRITTEN)
def test_stream_is_read_like_the_whole_reply(provider: str, write: Any) -> None:
    """However its chunks were written down."""  # Any: a function of chunks
    found = chunks_in(write(chunks(provider, SAID)))
    assert found is not None
    reply = collected(found)
    expected = read_reply(whole(provider, SAID))
    assert asked(reply) == asked(expected)
    assert (reply["provider"], reply["finish_reason"], reply["usage"]) == (
        provider,
        expected["finish_reason"],
        expected["usage"],
    )


@pytest.mark.parametrize("provider", STREAMED)
@pytest.mark.parametrize("write", [lambda listed: listed, as_events])
def test_stream_that_broke_off_is_interrupted(provider: str, write: Any) -> None:
    """Its calls were never whole."""  # Any: a function of chunks
    listed = chunks(provider, SAID)
    found = chunks_in(write(listed[: (len(listed) + 1) // 2]))
    assert found is not None
    assert collected(found)["finish_reason"] == "interrupted"


def test_last_event_may_be_cut() -> None:
    """That is how a connection ends that breaks."""
    text = as_events(chunks("anthropic", SAID)[:5]).removesuffix("data: [DONE]\n\n")
    found = chunks_in(text + 'data: {"type": "content_bl')
    assert found is not None
    assert (len(found), collected(found)["finish_reason"]) == (5, "interrupted")


def test_data_of_one_event_may_be_several_lines() -> None:
    """They are joined by line breaks."""
    chunk = {"choices": [{"index": 0, "delta": {"content": "x"}, "finish_reason": "stop"}]}
    lines = json.dumps(chunk, indent=1).splitlines()
    found = chunks_in("".join(f"data: {line}\n" for line in lines) + "\n")
    assert found == [chunk]


@pytest.mark.parametrize(
    "value",
    [None, 3, {}, [], "", "<html>", "[1", "{", "data: nope\n\ndata: {}\n\n", [1, 2], ["x"], "1\n2"],
)
def test_other_values_are_no_stream(value: object) -> None:
    """Then the whole value is the reply, or none."""
    assert not chunks_in(value)


@pytest.mark.parametrize("provider", PROVIDER_NAMES)
def test_whole_replies_are_no_stream(provider: str) -> None:
    """Nor is a list of whole completions, of output items or of requests."""
    assert chunks_in(whole(provider, SAID)) is None
    assert chunks_in([whole("openai", SAID)] * 2) is None


def test_fault_names_its_chunk() -> None:
    """So that it can be found in the log."""
    listed = [*chunks("anthropic", SAID)[:1], {"type": "content_block_delta", "index": "x"}]
    with pytest.raises(ValueError, match=r"chunk 1: content_block_delta\.index"):
        collected(listed)
    with pytest.raises(ValueError, match="2 chunks, none of them"):
        collected([{"a": 1}, {"b": 2}])


def test_stream_of_an_error_only() -> None:
    """There is no reply in it."""
    error = {"error": {"message": "overloaded"}}
    assert stream_error([error])
    assert stream_error([{"type": "error", "error": {}}])
    assert not stream_error([*chunks("openai", SAID)[:2], error])


@pytest.mark.parametrize(
    ("provider", "expected"),
    [
        ("openai", True),
        ("openai-responses", True),
        ("anthropic", True),
        ("bedrock", True),
        ("gemini", False),
        ("mcp", False),
    ],
)
def test_list_that_can_only_be_a_stream(provider: str, expected: bool) -> None:
    """Gemini's chunks are replies too, each a row of its own."""
    assert is_stream(chunks(provider, SAID)) is expected
    assert not is_stream([whole(provider, SAID)])
