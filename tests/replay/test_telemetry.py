"""OpenTelemetry's GenAI conventions.

The values are those of the conventions' own examples («LLM call examples», and the events of
version 1.36), with other names.
"""

import json
from typing import Any

import pytest

from handrail.replay.readers import Reader
from handrail.replay.records import Answered, Item, Place, Recorded, Unanswered

HERE = Place("spans.jsonl", 1)
TOOLS = [{"type": "function", "name": "find", "description": "d", "parameters": {"type": "object"}}]
ASKED = [{"role": "user", "parts": [{"type": "text", "content": "hi"}]}]
PART = {"type": "tool_call", "id": "call_Xy7", "name": "find", "arguments": {"a": 1}}
SAID = [{"role": "assistant", "parts": [PART], "finish_reason": "tool_call"}]
CALL = {"id": "call_Xy7", "type": "function", "function": {"name": "find", "arguments": {"a": 1}}}
CHAT = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m",
    "gen_ai.response.model": "m-1",
    "gen_ai.usage.input_tokens": 47,
    "gen_ai.usage.output_tokens": 17,
    "gen_ai.response.finish_reasons": ["tool_calls"],
}


def span(attributes: dict[str, Any], **fields: Any) -> dict[str, Any]:  # Any: JSON values
    """A span as the Python SDK prints it."""
    context = {"trace_id": "t", "span_id": "s"}
    return {"name": "chat m", "context": context, "attributes": {**attributes}, **fields}


def record(name: str, body: object, **attributes: object) -> dict[str, object]:
    """A log record of the event API."""
    return {"eventName": name, "traceId": "t", "spanId": "s", "body": body, "attributes": []} | {
        "attributes": [{"key": key, "value": value} for key, value in attributes.items()]
    }


def logs(*records: dict[str, object]) -> dict[str, object]:
    """Records as an exporter sends them."""
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": [*records]}]}]}


def read(*rows: dict[str, Any]) -> list[Item]:  # Any: JSON values
    """What a log of these rows holds."""
    reader = Reader(dict)
    return [item for row in rows for item in reader.read(row, HERE)] + list(reader.rest())


def only(found: list[Item]) -> Recorded:
    """The one call that was found."""
    (call,) = [one for one in found if isinstance(one, Recorded)]
    return call


@pytest.mark.parametrize("write", [lambda value: value, json.dumps])
def test_attributes_of_a_span_hold_everything(write: Any) -> None:
    """As values, or as JSON text where an SDK knows no others."""  # Any: a function of values
    messages = {"gen_ai.input.messages": write(ASKED), "gen_ai.output.messages": write(SAID)}
    found = only(read(span({**CHAT, **messages, "gen_ai.tool.definitions": write(TOOLS)})))
    assert (found.tool, found.arguments, found.call_id) == ("find", {"a": 1}, "call_Xy7")
    assert found.usage == {"input_tokens": 47, "output_tokens": 17}
    assert (found.model, found.conversation, found.turn) == ("m-1", "t", 1)
    assert found.finish_reason == "tool_calls"
    assert found.offer is not None
    assert list(found.offer.definitions) == ["find"]


def test_details_may_be_an_event() -> None:
    """Of its own, or of the span."""
    name = "gen_ai.client.inference.operation.details"
    own = {"gen_ai.output.messages": SAID, "gen_ai.conversation.id": "c"}
    assert only(read(span(CHAT, events=[{"name": name, "attributes": own}]))).conversation == "c"
    text = {"stringValue": json.dumps(SAID)}
    found = only(read(logs(record(name, None, **{"gen_ai.output.messages": text}))))
    assert (found.tool, found.conversation) == ("find", "t")


@pytest.mark.parametrize(
    "body",
    [
        {"index": 0, "finish_reason": "tool_calls", "message": {"tool_calls": [CALL]}},
        {"index": 0, "finish_reason": "tool_calls", "message": {}, "tool_calls": [CALL]},
    ],
)
def test_events_of_messages_end_in_a_choice(body: dict[str, object]) -> None:
    """The calls stand in its message, or beside it."""
    user = record("gen_ai.user.message", {"content": "hi"})
    found = only(read(logs(user, record("gen_ai.choice", body))))
    assert (found.tool, found.turn, found.finish_reason) == ("find", 1, "tool_calls")


def test_two_replies_of_one_batch_are_two() -> None:
    """The messages after a choice belong to the next request."""
    choice = record("gen_ai.choice", {"message": {"tool_calls": [CALL]}})
    again = [
        record("gen_ai.assistant.message", {"tool_calls": [CALL]}),
        record("gen_ai.tool.message", {"id": "call_Xy7", "content": "rainy"}),
    ]
    done = record("gen_ai.choice", {"finish_reason": "stop", "message": {"content": "done"}})
    called, answered = read(logs(choice, *again, done))
    assert isinstance(called, Recorded)
    assert isinstance(answered, Answered)
    assert answered.result == "rainy"


def test_events_may_be_kept_in_an_attribute() -> None:
    """As JSON text, each with its name."""
    listed = [
        {"event.name": "gen_ai.user.message", "content": "hi"},
        {"event.name": "gen_ai.choice", "index": 0, "message": {"tool_calls": [CALL]}},
    ]
    found = only(read(span({**CHAT, "events": json.dumps(listed)})))
    assert (found.tool, found.model, found.turn) == ("find", "m-1", 1)


def test_events_of_a_span_hold_text() -> None:
    """The oldest convention has prompt and completion there."""
    said = json.dumps([{"role": "assistant", "tool_calls": [CALL]}])
    event = {"name": "gen_ai.content.completion", "attributes": {"gen_ai.completion": said}}
    assert only(read(span(CHAT, events=[event]))).tool == "find"


def test_one_attribute_for_each_field() -> None:
    """As OpenLLMetry writes them."""
    own = {
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "hi",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.finish_reason": "tool_calls",
        "gen_ai.completion.0.tool_calls.0.id": "call_Xy7",
        "gen_ai.completion.0.tool_calls.0.name": "find",
        "gen_ai.completion.0.tool_calls.0.arguments": '{"a": ',
        "llm.request.functions.0.name": "find",
        "llm.request.functions.0.parameters": '{"type": "object"}',
        "gen_ai.usage.prompt_tokens": 5,
    }
    found = only(read(span(own)))
    assert (found.tool, found.arguments, found.call_id) == ("find", '{"a": ', "call_Xy7")
    assert found.offer is not None
    assert found.offer.definitions["find"].schema == {"type": "object"}
    assert found.usage == {"input_tokens": 5, "output_tokens": 0}


def test_tool_span_is_the_result_of_its_call() -> None:
    """By the id of the call."""
    tool = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "find",
        "gen_ai.tool.call.id": "call_Xy7",
        "gen_ai.tool.call.arguments": '{"a": 1}',
        "gen_ai.tool.call.result": "no",
        "error.type": "timeout",
    }
    called, answered = read(span({**CHAT, "gen_ai.output.messages": SAID}), span(tool))
    assert answered == Answered(
        place=HERE, call_id="call_Xy7", conversation="t", result="no", failed=True
    )
    assert isinstance(called, Recorded)
    alone = only(read(span(tool)))
    assert (alone.tool, alone.arguments, alone.error) == ("find", '{"a": 1}', "timeout")


def test_name_of_a_tool_may_stand_in_the_span() -> None:
    """Where the attribute is missing."""
    row = span({"gen_ai.operation.name": "execute_tool"}, name="execute_tool find")
    assert only(read(row)).tool == "find"


def test_agents_only_repeat_what_is_inside() -> None:
    """Their calls would be counted twice; other spans hold none."""
    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.output.messages": SAID}
    assert read(span(agent), span({"http.method": "GET"}), span(CHAT)) == []


def test_alternatives_have_reasons_of_their_own() -> None:
    """By their position."""
    said = [{"role": "assistant", "parts": [PART]}] * 2
    own = {**CHAT, "gen_ai.output.messages": said}
    own["gen_ai.response.finish_reasons"] = ["tool_calls", "length"]
    found = [one for one in read(span(own)) if isinstance(one, Recorded)]
    assert [one.finish_reason for one in found] == ["tool_calls", "length"]


def test_reply_without_messages_is_none() -> None:
    """The span says why."""
    own = {**CHAT, "gen_ai.output.messages": [], "error.type": "500"}
    assert read(span(own)) == [Unanswered(HERE, "an error instead of a reply")]
