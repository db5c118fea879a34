"""Langfuse observations.

The samples have the fields of `langfuse.api` ``ObservationV2`` (camel case) and of the blob
storage export (snake case); ``input`` and ``output`` are what the package's OpenAI wrapper and
LangChain handler send.
"""

import json
from typing import Any

import pytest

from handrail.replay.langfuse import is_observation, is_trace
from handrail.replay.readers import Reader
from handrail.replay.records import Answered, Item, Place, Recorded, Unreadable

HERE = Place("observations.jsonl", 1)
TOOL = {"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}
CALL = {"id": "call_Xy7", "type": "function", "function": {"name": "find", "arguments": "{}"}}
LANGCHAIN = {"name": "find", "args": {}, "id": "call_Xy7", "type": "tool_call"}
USER = {"role": "user", "content": "hi"}
SAID = {"role": "assistant", "content": None, "tool_calls": [CALL]}


def observation(kind: str = "GENERATION", **fields: Any) -> dict[str, Any]:  # Any: JSON values
    """An observation as the API gives it."""
    head = {"id": "o1", "traceId": "t1", "startTime": "2026-01-02T03:04:05Z", "type": kind}
    return {**head, "name": "n", "level": "DEFAULT", "input": None, "output": None, **fields}


def read(*rows: dict[str, Any]) -> list[Item]:  # Any: JSON values
    """What a log of these rows holds."""
    reader = Reader(dict)
    return [item for row in rows for item in reader.read(row, HERE)] + list(reader.rest())


@pytest.mark.parametrize(
    "given", [{"messages": [USER], "tools": [TOOL]}, [USER, {"role": "tool", "content": TOOL}]]
)
@pytest.mark.parametrize(
    "output",
    [
        SAID,
        {"role": "assistant", "content": "", "tool_calls": [LANGCHAIN]},
        {"tool_calls": [CALL], "content": ""},
        [USER, SAID],
        {"choices": [{"message": SAID}]},
        {"role": "assistant", "stop_reason": "tool_use"}
        | {"content": [{"type": "tool_use", "id": "call_Xy7", "name": "find", "input": {}}]},
        [{"type": "function_call", "call_id": "call_Xy7", "name": "find", "arguments": "{}"}],
    ],
)
@pytest.mark.parametrize("write", [lambda value: value, json.dumps])
def test_formats_of_generations_mean_the_same(given: Any, output: Any, write: Any) -> None:
    """Of the OpenAI wrapper, of the LangChain handler, by hand; as values or as text."""
    (found,) = read(observation(model="m", input=write(given), output=write(output)))
    assert isinstance(found, Recorded)
    assert found.offer is not None
    assert (found.tool, *found.offer.definitions) == ("find", "find")
    assert (found.call_id, found.conversation, found.model) == ("call_Xy7", "t1", "m")


def test_snake_case_of_the_blob_export_is_read() -> None:
    """Tokens, model and session too."""
    row = {"id": "o", "trace_id": "t1", "start_time": "2026-01-02 03:04:05.0", "type": "GENERATION"}
    row |= {"session_id": "s1", "provided_model_name": "m", "output": json.dumps(SAID)}
    (found,) = read({**row, "usage_details": {"input": 5, "output": 7, "total": 12}})
    assert isinstance(found, Recorded)
    assert (found.conversation, found.model) == ("s1", "m")
    assert found.usage == {"input_tokens": 5, "output_tokens": 7}


def test_text_may_hold_a_call() -> None:
    """It is read where the tools are known."""
    said = '{"name": "find", "arguments": {}}'
    (found,) = read(
        observation(input={"messages": [USER], "tools": [TOOL]}, output=f"Well: {said}")
    )
    assert isinstance(found, Recorded)
    assert found.as_text


def test_tool_observation_is_the_result_of_its_call() -> None:
    """By name and arguments, since it knows no id; the level says that it failed."""
    tool = observation("TOOL", name="find", input={}, output="no", level="ERROR")
    _, found = read(observation(output=SAID), {**tool, "statusMessage": "boom"})
    assert found == Answered(
        place=HERE, call_id="call_Xy7", conversation="t1", result="no", failed=True
    )


def test_trace_is_read_by_time() -> None:
    """Its session is the conversation."""
    tool = observation("TOOL", name="find", input={}, output="r", startTime="2026-01-02T03:04:09Z")
    trace = {"id": "t1", "sessionId": "s1", "observations": [tool, observation(output=SAID)]}
    called, answered = read(trace)
    assert isinstance(called, Recorded)
    assert isinstance(answered, Answered)
    assert (called.conversation, answered.result) == ("s1", "r")
    inside = {"trace": {"id": "t1", "sessionId": "s1"}, "observations": [observation(output=SAID)]}
    assert [type(one) for one in read(inside)] == [Recorded]


def test_trace_with_ids_only_says_what_to_export() -> None:
    """The list of traces in the API has no more."""
    (found,) = read({"id": "t1", "observations": ["o1", "o2"]})
    assert isinstance(found, Unreadable)
    assert "only the ids" in found.problem


def test_other_observations_hold_no_calls() -> None:
    """Spans and events are passed over."""
    assert read(observation("SPAN", output=SAID), observation("EVENT")) == []


def test_generation_without_output_has_no_reply() -> None:
    """The status tells why."""
    (found,) = read(observation(level="ERROR", statusMessage="timeout"))
    assert getattr(found, "why", None) == "an error instead of a reply"


def test_other_rows_are_none() -> None:
    """A type in capitals is not enough."""
    assert not is_observation({"type": "TOOL"})
    assert not is_observation({"type": "tool", "traceId": "t"})
    assert not is_trace({"observations": [1]})
    assert is_trace({"observations": [observation()]})
