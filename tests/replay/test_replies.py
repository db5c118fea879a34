"""The reply in a logged exchange."""

import json

import pytest

from handrail.replay.replies import failure, opened, replies, reply_id
from wire_samples import PROVIDER_NAMES, Said, chunks, whole

SAID = Said((("call_a1", "find", '{"a": 1}'),))


def names(response: object) -> list[list[str]]:
    """Names of the calls of each alternative."""
    return [
        [] if isinstance(one, ValueError) else [call["name"] for call in one["calls"]]
        for one in replies(response)
    ]


@pytest.mark.parametrize("provider", PROVIDER_NAMES)
def test_every_shape_is_read(provider: str) -> None:
    """Whole, and as a stream."""
    assert names(whole(provider, SAID)) == [["find"]]
    assert names(chunks(provider, SAID)) == [["find"]]


def test_gemini_candidates_are_alternatives() -> None:
    """The tokens are counted once."""
    one = whole("gemini", SAID)
    both = {**one, "candidates": one["candidates"] * 2}
    found = [reply for reply in replies(both) if not isinstance(reply, ValueError)]
    assert [reply["calls"][0]["name"] for reply in found] == ["find", "find"]
    assert [reply["usage"]["input_tokens"] > 0 for reply in found] == [True, False]


def test_list_of_whole_replies_is_read() -> None:
    """Each is an alternative."""
    assert names([whole("openai", SAID)] * 2) == [["find"], ["find"]]


def test_one_that_cannot_be_read_costs_itself() -> None:
    """The other alternatives are read."""
    good = whole("openai", SAID)["choices"][0]
    assert names({"choices": [{"index": 0}, good]}) == [[], ["find"]]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"body": {"a": 1}, "status_code": 200}, {"a": 1}),
        ({"body": '{"a": 1}'}, {"a": 1}),
        ('{"body": {"a": 1}}', {"a": 1}),
        ({"body": "data: {}\n\n"}, "data: {}\n\n"),
        ({"contents": [], "body": 1}, {"contents": [], "body": 1}),
        ({"status": 500, "body": "x"}, {"status": 500, "body": "x"}),
    ],
)
def test_envelopes_are_opened(value: object, expected: object) -> None:
    """A stream stays the text that it is."""
    assert opened(value) == expected


@pytest.mark.parametrize(
    ("response", "why"),
    [
        ([], "an empty reply"),
        ('data: {"error": {"message": "x"}}\n\n', "an error instead of a reply"),
        (json.dumps([{"error": {"code": 429}}]), "an error instead of a reply"),
        ("data: [DONE]\n\n", "an empty reply"),
        ({"error": {"code": 429}}, "an error instead of a reply"),
        (whole("openai-responses", SAID), ""),
        (chunks("bedrock", SAID), ""),
    ],
)
def test_why_there_is_no_reply(response: object, why: str) -> None:
    """Streams can fail as well."""
    assert failure({}, response) == why


def test_reply_has_the_id_of_its_provider() -> None:
    """Later requests may name it."""
    assert [reply_id(one) for one in ({"id": "r"}, [], None)] == ["r", None, None]
