"""From what a host has in its hands to calls with ids."""

from itertools import count
from typing import Any

import pytest

from handrail import Mend, Tool, ToolCall
from handrail.runtime.replies import read

SEARCH = Tool.from_json_schema(
    "search", "Search.", {"type": "object", "properties": {"q": {"type": "string"}}}
)
TEXT = '{"name": "search", "arguments": {"q": "x"}}'
SALVAGE = (Mend("salvage", "", "text", "tool call"),)


def reading(reply: object) -> tuple[dict[str, Any], tuple[Mend, ...]]:
    """The message and the mends, with ids minted as m1, m2."""
    ids = count(1)
    message, mends = read(reply, {"search": SEARCH}, lambda: f"m{next(ids)}")
    return dict(message), mends


def ids(reply: object) -> list[str]:
    """Ids of the calls that were read."""
    return [call["id"] for call in reading(reply)[0]["calls"]]


def anthropic(*blocks: dict[str, Any]) -> dict[str, Any]:
    """An Anthropic message."""
    head = {"id": "m", "type": "message", "role": "assistant", "model": "x"}
    usage = {"input_tokens": 1, "output_tokens": 1}
    return {**head, "content": list(blocks), "stop_reason": "end_turn", "usage": usage}


def test_calls_of_the_host_are_taken_as_they_are() -> None:
    """`ToolCall` values and plain dicts."""
    given = [ToolCall("a", "search", '{"q": "x"}'), {"id": "b", "name": "search", "arguments": {}}]
    message, mends = reading(given)
    assert [(one["id"], one["arguments"]) for one in message["calls"]] == [
        ("a", '{"q": "x"}'),
        ("b", {}),
    ]
    assert mends == ()


def test_every_call_gets_an_id_of_its_own() -> None:
    """Missing and repeated ones are minted; the first keeps its id."""
    calls = [ToolCall(id, "search") for id in ("a", "", "a", "b")]
    assert ids(calls) == ["a", "m1", "m2", "b"]


def test_text_that_is_a_call_is_read_as_one() -> None:
    """The assistant turn is rewritten, since providers answer calls and not text."""
    message, mends = reading({"role": "assistant", "content": TEXT})
    (call,) = message["calls"]
    assert (call["id"], call["name"]) == ("m1", "search")
    assert message["message"] == {"role": "assistant", "content": None}
    assert mends == SALVAGE


def test_a_call_written_to_another_provider_stays_with_it() -> None:
    """An Anthropic host must get Anthropic messages back."""
    message, mends = reading(anthropic({"type": "text", "text": TEXT}))
    assert (message["provider"], mends) == ("anthropic", SALVAGE)
    assert len(message["calls"]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Hello.",
        '{"name": "other", "arguments": {}}',
        f"For example: {TEXT}",
        f"{TEXT} or {TEXT[:-1]}",
    ],
)
def test_other_text_is_an_answer(text: str) -> None:
    """Unknown tools, examples, and what has no single reading."""
    message, mends = reading(text)
    assert (message["calls"], mends, message["text"]) == ([], (), text)


def test_text_beside_real_calls_is_not_searched() -> None:
    """The model sent what it meant."""
    call = {"id": "a", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    message, mends = reading({"role": "assistant", "content": TEXT, "tool_calls": [call]})
    assert ([one["id"] for one in message["calls"]], mends) == (["a"], ())


def test_no_calls_is_a_reading_too() -> None:
    """An empty list, an empty text."""
    assert [ids([]), ids("")] == [[], []]


@pytest.mark.parametrize("reply", [None, 5, b"x", [1], ["x"], [None], {"a": 1}])
def test_what_is_no_reply_is_a_value_error(reply: object) -> None:
    """Told in words about shapes."""
    with pytest.raises(ValueError, match=r"cannot read|must be"):
        reading(reply)


def test_a_text_that_repeats_a_call_says_it_once() -> None:
    """Small models write one call again and again in a single reply."""
    other = TEXT.replace('"x"', '"y"')
    said = f"```json\n{TEXT}\n```\nand\n```json\n{TEXT}\n```\nthen\n```json\n{other}\n```"
    message, _ = reading({"role": "assistant", "content": said})
    assert [call["arguments"] for call in message["calls"]] == ['{"q": "x"}', '{"q": "y"}']
