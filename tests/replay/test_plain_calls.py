"""One call in a row of its own."""

import pytest

from handrail.replay.plain_calls import conversation_of, is_call, labels_of, read_call
from handrail.replay.records import Place

HERE = Place("log.jsonl", 3)


@pytest.mark.parametrize(
    "row",
    [
        {"tool": "t", "arguments": '{"a": 1}'},
        {"tool": "t", "args_raw": '{"a": 1}'},
        {"tool": "t", "args_raw": None, "args_raw_rebuilt": '{"a": 1}'},
        {"tool_name": "t", "args": '{"a": 1}'},
        {"name": "t", "arguments": '{"a": 1}'},
        {"id": "c", "type": "function", "function": {"name": "t", "arguments": '{"a": 1}'}},
        {"function": "t", "input": '{"a": 1}'},
    ],
)
def test_spellings_mean_the_same(row: dict[str, object]) -> None:
    """Name and argument text, as sent."""
    assert is_call(row)
    found = read_call(row, HERE)
    assert (found.tool, found.arguments) == ("t", '{"a": 1}')


def test_flag_is_no_argument() -> None:
    """Where the rebuilt form is a flag, the raw text is meant."""
    row = {"tool": "t", "args_raw": "{}", "args_raw_rebuilt": True}
    assert read_call(row, HERE).arguments == "{}"


@pytest.mark.parametrize(("sent", "expected"), [({"a": 1}, {"a": 1}), ([1], "[1]"), (None, None)])
def test_arguments_of_every_type_are_kept(sent: object, expected: object) -> None:
    """What is no object and no text becomes text, for the judge to refuse."""
    assert read_call({"tool": "t", "arguments": sent}, HERE).arguments == expected


def test_what_the_log_says_is_kept() -> None:
    """Result, error, conversation, turn, model and finish reason."""
    row = {"tool": "t", "conv": "c1", "turn": 4, "model": "m", "result": "r", "error": True}
    found = read_call({**row, "finish_reason": "length"}, HERE)
    kept = (found.conversation, found.turn, found.model, found.result, found.error)
    assert (*kept, found.finish_reason) == ("c1", 4, "m", "r", True, "length")


def test_schema_is_a_ref_a_schema_or_stated_to_be_none() -> None:
    """null means that the tool was not offered; an absent key means nothing."""
    rows = [{"schema": "r/t"}, {"schema": {"type": "object"}}, {"schema": None}, {}]
    found = [read_call({"tool": "t", **row}, HERE) for row in rows]
    assert [one.schema for one in found] == ["r/t", {"type": "object"}, None, None]
    assert [one.unoffered for one in found] == [False, False, True, False]


def test_other_rows_are_no_calls() -> None:
    """A name alone is not enough, and neither are arguments alone."""
    assert [is_call(row) for row in ({"name": "t"}, {"arguments": {}}, {"tool": 3})] == [False] * 3


def test_labels_are_short_texts() -> None:
    """Long texts are content, and other values say nothing."""
    assert labels_of({"a": "shop", "b": "x" * 99, "c": 3, "d": ""}) == {"shop"}


def test_tokens_and_id_are_kept() -> None:
    """In either spelling; none are nothing."""
    row = {"tool": "t", "call_id": "c", "usage": {"prompt_tokens": 3, "output_tokens": 4}}
    found = read_call(row, HERE)
    assert (found.call_id, found.usage) == ("c", {"input_tokens": 3, "output_tokens": 4})
    assert read_call({"tool": "t", "usage": {}}, HERE).usage is None


def test_conversation_has_many_names() -> None:
    """OpenAI wraps it in an object."""
    rows = [{"session_id": "c"}, {"thread_id": "c"}, {"conversation": {"id": "c"}}]
    assert [conversation_of(row) for row in rows] == ["c"] * 3
    assert [conversation_of(row) for row in ({}, {"conversation": {}}, {"conv": 3})] == [None] * 3
