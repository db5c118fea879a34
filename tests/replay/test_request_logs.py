"""Requests with their replies."""

import json
from typing import Any

import pytest

from handrail.replay.records import Answered, Item, Place, Recorded, Unanswered, Unreadable
from handrail.replay.request_logs import Offers, is_exchange, read_exchange
from handrail.replay.schemas import Catalogue, Unknown
from handrail.replay.threads import Threads
from handrail.wire.registry import PROVIDERS
from wire_samples import PROVIDER_NAMES, Said, chunks, whole

HERE = Place("log.jsonl", 1)
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}
OPENAI_TOOLS = [{"type": "function", "function": {"name": "find", "parameters": SCHEMA}}]
ANTHROPIC_TOOLS = [{"name": "find", "input_schema": SCHEMA}]


def completion(arguments: str, finish: str = "tool_calls") -> dict[str, Any]:  # Any: a response
    """An OpenAI response with one call."""
    called = {"id": "c", "type": "function", "function": {"name": "find", "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [called]}
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish}]}


SAID = Said((("call_a1", "find", '{"a": 1}'), ("call_b2", "keep", '{"b": "x"}')))
ASKED = {
    "openai": "messages",
    "openai-responses": "input",
    "anthropic": "messages",
    "gemini": "contents",
    "bedrock": "messages",
}


def request(provider: str, history: list[Any]) -> dict[str, Any]:  # Any: JSON values
    """A request with two tools, as the provider takes it."""
    wire = PROVIDERS[provider]
    tools = [
        wire.tool_definition({"name": name, "description": "d", "schema": SCHEMA}, False)
        for name in ("find", "keep")
    ]
    listed = wire.group_tools(tools)
    offer = {"toolConfig": {"tools": listed}} if provider == "bedrock" else {"tools": listed}
    role = {"role": "user", "parts": [{"text": "hi"}]} if provider == "gemini" else {"role": "user"}
    first = role if provider == "gemini" else {**role, "content": [{"type": "text", "text": "hi"}]}
    return {ASKED[provider]: [first, *history], "modelId": "m", **offer}


def read(row: dict[str, Any]) -> list[Item]:  # Any: a row
    """What a row holds, with no tool known apart from it."""
    return list(read_exchange(row, HERE, Offers(), {}))


def calls(row: dict[str, Any]) -> list[tuple[str, object]]:  # Any: a row
    """Names and arguments of the calls of a row."""
    return [(one.tool, one.arguments) for one in read(row) if isinstance(one, Recorded)]


def test_openai_reply_has_the_tools_of_its_request() -> None:
    """Nothing need be declared."""
    (found,) = read(
        {"request": {"tools": OPENAI_TOOLS, "model": "m"}, "response": completion("{}")}
    )
    assert isinstance(found, Recorded)
    assert found.offer is not None
    assert (found.tool, found.model, *found.offer.definitions) == ("find", "m", "find")


def test_anthropic_reply_is_read() -> None:
    """Arguments are an object there."""
    use = {"type": "tool_use", "id": "u", "name": "find", "input": {"a": 1}}
    response = {"type": "message", "role": "assistant", "content": [use], "stop_reason": "tool_use"}
    row = {"request": {"tools": ANTHROPIC_TOOLS}, "response": response}
    assert calls(row) == [("find", {"a": 1})]


def test_history_of_the_request_is_not_judged_again() -> None:
    """Each of its calls was the reply to an earlier request."""
    history = [completion('{"a": 0}')["choices"][0]["message"]]
    row = {"request": {"messages": history, "tools": OPENAI_TOOLS}, "response": completion("{}")}
    assert calls(row) == [("find", "{}")]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda value: {"body": value},
        lambda value: {"status_code": 200, "body": value},
        json.dumps,
        lambda value: {"body": json.dumps(value)},
    ],
)
def test_envelopes_are_opened(wrap: Any) -> None:  # Any: a function of JSON values
    """HTTP envelopes, and bodies that were logged as text."""
    row = {"request": wrap({"tools": OPENAI_TOOLS, "messages": []})}
    assert calls({**row, "response": wrap(completion("{}"))}) == [("find", "{}")]


def test_every_choice_is_judged() -> None:
    """A model that was asked for several answers gave several."""
    both = [*completion('{"a": 1}')["choices"], *completion('{"a": 2}')["choices"]]
    assert calls({"response": {"choices": both}}) == [("find", '{"a": 1}'), ("find", '{"a": 2}')]


def test_finish_reason_counts_for_the_last_call() -> None:
    """The limit cut off what came last."""
    response = completion('{"a"', "length")
    message = response["choices"][0]["message"]
    message["tool_calls"] = [*completion("{}")["choices"][0]["message"]["tool_calls"]] * 2
    found = [one for one in read({"response": response}) if isinstance(one, Recorded)]
    assert [one.finish_reason for one in found] == [None, "length"]


def test_call_written_as_text_is_read() -> None:
    """By the names of the tools that the request offered."""
    message = {"role": "assistant", "content": '{"name": "find", "arguments": {"a": 1}}'}
    response = {"choices": [{"message": message, "finish_reason": "stop"}]}
    (found,) = read({"request": {"tools": OPENAI_TOOLS}, "response": response})
    assert isinstance(found, Recorded)
    assert (found.tool, found.as_text) == ("find", True)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"response": None}, "no reply (null)"),
        ({"request": {}}, "no reply (null)"),
        ({"response": None, "error": "timeout"}, "an error instead of a reply"),
        ({"response": {"error": {"message": "rate limit"}}}, "an error instead of a reply"),
        ({"response": {"type": "error", "error": {}, "status": 529}}, "HTTP status 529"),
        ({"response": {"status_code": 500, "body": "oops"}}, "HTTP status 500"),
        ({"response": {"choices": []}}, "a reply without choices"),
        ({"response": {}}, "an empty reply"),
        ({"response": ""}, "an empty reply"),
    ],
)
def test_request_without_a_reply_says_why(row: dict[str, object], why: str) -> None:
    """It is no fault of the log, and nothing to judge."""
    assert is_exchange(row)
    assert read(row) == [Unanswered(HERE, why)]


@pytest.mark.parametrize("response", [[{"foo": 1}], "<html>", {"foo": 1}, 3, [[]]])
def test_reply_of_no_known_shape_is_told(response: object) -> None:
    """With the way out."""
    (found,) = read({"response": response})
    assert isinstance(found, Unreadable)
    assert found.problem.startswith("response: ")


def test_faulty_tools_are_told_once() -> None:
    """The same list comes with every request, and the replies are read all the same."""
    offers = Offers()
    row = {"request": {"tools": [{"parameters": {}}, *OPENAI_TOOLS]}, "response": completion("{}")}
    found = [one for _ in range(3) for one in read_exchange(row, HERE, offers, {})]
    assert [type(one) for one in found] == [Unreadable, Recorded, Recorded, Recorded]


def test_tools_that_are_no_list_are_told() -> None:
    """The reply is read, and its tools are unknown."""
    found = read({"request": {"tools": {"find": SCHEMA}}, "response": completion("{}")})
    assert [type(one) for one in found] == [Unreadable, Recorded]


@pytest.mark.parametrize("provider", ASKED)
@pytest.mark.parametrize("logged", [whole, chunks])
def test_every_provider_is_read(provider: str, logged: Any) -> None:  # Any: of wire_samples
    """Its tools, its calls, its tokens; whole and streamed."""
    found = read({"request": request(provider, []), "response": logged(provider, SAID)})
    calls = [one for one in found if isinstance(one, Recorded)]
    assert len(found) == 2
    assert [one.tool for one in calls] == ["find", "keep"]
    assert [one.usage is None for one in calls] == [False, True]
    assert [one.finish_reason for one in calls] == [None, "tool_calls"]
    for one in calls:
        assert one.offer is not None
        assert (list(one.offer.definitions), one.model) == (["find", "keep"], "m")
        assert one.offer.definitions["keep"].schema == SCHEMA


@pytest.mark.parametrize("provider", [name for name in PROVIDER_NAMES if name != "mcp"])
def test_stream_that_broke_off_marks_every_call(provider: str) -> None:
    """None of them would have been run."""
    listed = chunks(provider, SAID)
    found = read({"response": listed[: max(2, len(listed) - 4)]})
    reasons = {one.finish_reason for one in found if isinstance(one, Recorded)}
    assert reasons == {"interrupted"}


@pytest.mark.parametrize("provider", ASKED)
def test_next_request_brings_the_results(provider: str) -> None:
    """It belongs to the same conversation, and its own calls come later in it."""
    wire, threads = PROVIDERS[provider], Threads()
    reply = whole(provider, SAID)
    read_reply = wire.read_reply(reply)
    results = [
        {"call_id": call["id"], "name": call["name"], "content": call["name"], "is_error": False}
        for call in read_reply["calls"]
    ]
    rows = [
        {"request": request(provider, []), "response": reply},
        {"request": request(provider, wire.write(read_reply, results)), "response": reply},  # type: ignore[arg-type]  # plain dicts
    ]
    found = [
        one
        for number, row in enumerate(rows, start=1)
        for one in read_exchange(row, Place("log.jsonl", number), Offers(), {}, threads)
    ]
    answers = [one for one in found if isinstance(one, Answered)]
    calls = [one for one in found if isinstance(one, Recorded)]
    assert [one.result for one in answers] == ["find", "keep"]
    assert [one.call_id for one in answers] == [one.call_id for one in calls[:2]]
    knows = None if provider.startswith("openai") else False
    assert [one.failed for one in answers] == [knows, knows]
    assert {one.conversation for one in found if not isinstance(one, Unanswered)} == {"log.jsonl:1"}  # type: ignore[union-attr]  # calls and answers
    turns = [one.turn for one in calls]
    assert turns[0] == turns[1] == 1
    assert turns[2] is not None
    assert turns[2] > 1


def test_conversation_may_be_named() -> None:
    """In the row, or in the request."""
    for row in ({"conversation": "c"}, {"request": {"conversation": {"id": "c"}}}):
        (found,) = read({**row, "response": completion("{}")})
        assert isinstance(found, Recorded)
        assert found.conversation == "c"


def test_reply_names_its_model_where_the_request_does_not() -> None:
    """A reply alone does too."""
    (found,) = read({"response": {**completion("{}"), "model": "m"}})
    assert isinstance(found, Recorded)
    assert found.model == "m"


@pytest.mark.parametrize(
    "tool", [{"type": "custom", "name": "t"}, {"type": "custom", "custom": {"name": "t"}}]
)
def test_tool_that_takes_text_is_not_judged(tool: dict[str, object]) -> None:
    """It was offered, and has no schema."""
    item = {"type": "custom_tool_call", "call_id": "c", "name": "t", "input": "free text"}
    response = {"object": "response", "status": "completed", "output": [item]}
    (found,) = read({"request": {"tools": [tool]}, "response": response})
    assert isinstance(found, Recorded)
    assert isinstance(Catalogue().match(found), Unknown)
