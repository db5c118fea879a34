"""The shape of a row is told by what it holds."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.replay.files import Log
from handrail.replay.readers import Reader, read_log, read_schemas
from handrail.replay.records import (
    Answered,
    Definition,
    Item,
    Place,
    Recorded,
    Unanswered,
    Unreadable,
)

HERE = Place("log.jsonl", 1)
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}
CALLED = {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"}}
TURN = {"role": "assistant", "content": None, "tool_calls": [CALLED]}

KEYS = st.sampled_from([
    "tool", "name", "arguments", "args_raw", "schema", "request", "response", "messages",
    "tools", "choices", "message", "role", "content", "tool_calls", "function", "turns",
    "parameters", "type", "input", "id", "calls", "finish_reason", "error", "stop_reason",
    "ref", "body", "run_type", "inputs", "outputs", "generations", "kwargs", "extra", "data",
    "observations", "traceId", "output", "attributes", "resourceSpans", "scopeSpans", "spans",
    "logRecords", "resourceLogs", "spanId", "events", "gen_ai.output.messages", "parts",
    "gen_ai.completion.0.role", "gen_ai.tool.name", "name", "value", "key", "kvlistValue", "values",
    "jsonrpc", "method", "params", "result", "contents", "functionDeclarations", "toolSpec",
    "toolConfig", "delta", "candidates", "invocation_params", "metadata", "config",
    "usage", "usage_metadata", "functionCall", "toolUse", "child_runs", "message", "index",
])  # fmt: skip
WORDS = st.sampled_from([
    "assistant", "find", "tool_use", "message", "function", "{}", "", "llm", "tool", "GENERATION",
    "TOOL", "2.0", "tools/call", "function_call", "tool_call", "gen_ai.choice",
    "content_block_start", "response.output_item.added", "constructor", "data: {}", "chat",
    "OBJECT", "model", "user",
])  # fmt: skip
hostile = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=15,
)


def read(value: object, schemas: dict[str, Any] | None = None) -> list[Item]:  # Any: JSON Schema
    """What one row holds."""
    return list(Reader(lambda: schemas or {}).read(value, HERE))


@pytest.mark.parametrize(
    "row",
    [
        {"tool": "find", "arguments": "{}"},
        {"request": {}, "response": {"choices": [{"message": TURN}]}},
        {"choices": [{"message": TURN}]},
        {"messages": [TURN]},
        {"messages": [TURN], "model": "m", "tools": []},
        TURN,
        [TURN],
        [[TURN]],
        CALLED,
        {"calls": [{"tool": "find"}]},
        {"type": "message", "role": "assistant", "stop_reason": "tool_use"}
        | {"content": [{"type": "tool_use", "id": "c", "name": "find", "input": {}}]},
        {"candidates": [{"content": {"parts": [{"functionCall": {"name": "find"}}]}}]},
        {"contents": [{"role": "model", "parts": [{"functionCall": {"name": "find"}}]}]},
        {
            "output": {
                "message": {
                    "role": "assistant",
                    "content": [
                        {"toolUse": {"toolUseId": "c", "name": "find", "input": {}}},
                    ],
                }
            },
            "stopReason": "tool_use",
        },
        {
            "messages": [
                {
                    "role": "assistant",
                    "content": [
                        {"toolUse": {"toolUseId": "c", "name": "find", "input": {}}},
                    ],
                }
            ]
        },
        {"object": "response", "output": [{"type": "function_call", "name": "find"}]},
        {"input": [{"role": "user", "content": "x"}, {"type": "function_call", "name": "find"}]},
        [{"type": "function_call", "name": "find", "arguments": "{}"}],
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find"}},
        {"runs": [{"run_type": "tool", "name": "find", "inputs": {}}]},
        {"data": [{"type": "TOOL", "traceId": "t", "name": "find", "input": {}}]},
        {
            "spanId": "s",
            "attributes": {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find"},
        },
        [
            [
                {
                    "type": "content_block_start",
                    "index": 0,
                    "content_block": {"type": "tool_use", "id": "c", "name": "find", "input": {}},
                }
            ]
        ],
    ],
)
def test_every_shape_holds_its_call(row: object) -> None:
    """One call each, of the same tool."""
    reader = Reader(dict)
    (found,) = [*reader.read(row, HERE), *reader.rest()]
    assert isinstance(found, Recorded)
    assert (found.place, found.tool) == (HERE, "find")


def test_schemas_may_stand_in_the_log() -> None:
    """As rows of their own, or around the calls."""
    own = {"name": "find", "parameters": SCHEMA}
    assert [type(one) for one in read(own)] == [Definition]
    around = {"tools": [own], "calls": [{"tool": "find", "arguments": {}}]}
    assert [type(one) for one in read(around)] == [Definition, Recorded]


def test_turns_of_a_model_are_messages() -> None:
    """Local models send calls as text."""
    said = [{"content": '{"name": "find", "arguments": {"a": 1}}'}]
    (found,) = read({"turns": said}, {"find": SCHEMA})
    assert isinstance(found, Recorded)
    assert found.as_text


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"foo": 1, "bar": 2}, "the row has the keys foo, bar, and is no recorded call"),
        ({}, "the row has the keys (none), and is no recorded call"),
        ({"tool": 3, "arguments": "{}"}, '"tool" must be text, got a number'),
        ({"tool": None}, '"tool" must be text, got null'),
        ({"tool": "", "x": 1}, '"tool" must be text, got an empty text'),
        ({"tool": {"name": "t"}}, '"tool" must be text, got an object'),
        ({"tool": ["t"]}, '"tool" must be text, got a list'),
        ({"tool": True}, '"tool" must be text, got true'),
        (3, "the row is a number, not a recorded call"),
        ("x", "the row is text, not a recorded call"),
        (None, "the row is null, not a recorded call"),
    ],
)
def test_row_of_no_known_shape_is_told(row: object, problem: str) -> None:
    """By its keys, never by its values."""
    (found,) = read(row)
    assert isinstance(found, Unreadable)
    assert found.problem == problem


@given(hostile)
def test_reading_never_raises(value: object) -> None:
    """Whatever a log holds, each item is one of the five kinds, and every name is text."""
    reader = Reader(lambda: {"find": SCHEMA})
    found = [*reader.read(value, HERE), *reader.read(value, HERE), *reader.rest()]
    kinds = (Recorded, Answered, Definition, Unanswered, Unreadable)
    assert [one for one in found if not isinstance(one, kinds)] == []
    calls = [one for one in found if isinstance(one, Recorded)]
    assert [one for one in calls if not isinstance(one.tool, str)] == []
    assert [one for one in calls if not isinstance(one.conversation, str | None)] == []
    assert [one for one in calls if not isinstance(one.arguments, str | dict | None)] == []


SAMPLES = [
    {"request": {"tools": [{"type": "function", "function": {"name": "find"}}]},
     "response": {"choices": [{"message": TURN}], "usage": {"prompt_tokens": 1}}},
    {"response": [{"choices": [{"index": 0, "delta": {"tool_calls": [{**CALLED, "index": 0}]}}]}]},
    {"run_type": "llm", "inputs": {"messages": [[{"type": "human", "data": {"content": "x"}}]]},
     "outputs": {"generations": [
         [{"message": {"kwargs": {"type": "ai", "tool_calls": [CALLED]}}}]]},
     "extra": {"invocation_params": {"tools": [CALLED]}, "metadata": {"thread_id": "t"}}},
    {"run_type": "tool", "name": "find", "trace_id": "t", "inputs": {"input": "{}"},
     "outputs": {"output": {"tool_call_id": "c", "content": "x", "status": "error"}}},
    {"id": "t", "observations": [
        {"type": "GENERATION", "traceId": "t", "input": {"messages": [TURN]}, "output": TURN},
        {"type": "TOOL", "traceId": "t", "name": "find", "input": {}, "level": "ERROR"}]},
    {"resourceSpans": [{"scopeSpans": [{"spans": [{"spanId": "s", "traceId": "t", "attributes": [
        {"key": "gen_ai.output.messages", "value": {"arrayValue": {"values": [
            {"kvlistValue": {"values": [{"key": "role", "value": {"stringValue": "x"}}]}}]}}}],
        "events": [{"name": "gen_ai.choice", "attributes": {"message": {"tool_calls": [CALLED]}}}],
    }]}]}]},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find"}},
]  # fmt: skip


def places(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """Every place in a JSON value."""
    entries: list[tuple[object, object]] = []
    if isinstance(value, dict):
        entries = list(value.items())
    elif isinstance(value, list):
        entries = list(enumerate(value))
    return [path, *(found for key, one in entries for found in places(one, (*path, key)))]


def replaced(value: Any, path: tuple[Any, ...], other: object) -> Any:  # Any: JSON values
    """The same value with another one at a place."""
    if not path:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(copy[path[0]], path[1:], other)
    return copy


@given(st.data(), st.sampled_from(SAMPLES))
def test_anything_may_stand_anywhere(data: st.DataObject, sample: dict[str, Any]) -> None:
    """A real row with one value replaced is read, or told; it never raises."""  # Any: JSON values
    place = data.draw(st.sampled_from(places(sample)))
    row = replaced(sample, place, data.draw(hostile))
    reader = Reader(lambda: {"find": SCHEMA})
    found = [*reader.read(row, HERE), *reader.read(sample, HERE), *reader.rest()]
    calls = [one for one in found if isinstance(one, Recorded)]
    assert [one for one in calls if not isinstance(one.tool, str)] == []
    assert [one for one in calls if not isinstance(one.model, str | None)] == []


def test_files_give_places(tmp_path: Path) -> None:
    """Every item knows its file and line."""
    path = tmp_path / "log.jsonl"
    path.write_text('{"tool": "a"}\nnope\n{"tool": "b"}\n')
    with Log(str(path)) as log:
        found = list(read_log(log, Reader(dict)))
    places = [one.place.line for one in found if not isinstance(one, Definition)]
    assert (places, type(found[1])) == ([1, 2, 3], Unreadable)


def test_tool_runs_wait_for_the_last_file(tmp_path: Path) -> None:
    """Spans and log records of one trace may be in files of their own."""
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find"}
    ids = {"traceId": "t", "spanId": "s"}
    span = {**ids, "attributes": {**tool, "gen_ai.tool.call.id": "c"}}
    choice = {"index": 0, "message": {"tool_calls": [CALLED]}}
    record = {**ids, "eventName": "gen_ai.choice", "attributes": {}, "body": choice}
    reader = Reader(dict)
    found: list[Item] = []
    for name, row in (("spans", span), ("records", record)):
        path = tmp_path / name
        path.write_text(json.dumps(row))
        with Log(str(path)) as log:
            found += read_log(log, reader)
    (call,) = [*found, *reader.rest()]
    assert isinstance(call, Recorded)
    assert (call.call_id, call.failed) == ("c", False)


def test_schema_file_holds_definitions(tmp_path: Path) -> None:
    """A list of a provider's tools is as good as JSONL."""
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([{"type": "function", "function": {"name": "a"}}, {"ref": "x/b"}]))
    with Log(str(path)) as log:
        found = list(read_schemas(log))
    assert [one.name for one in found if isinstance(one, Definition)] == ["a", "b"]
