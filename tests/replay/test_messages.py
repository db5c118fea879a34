"""Messages of tracing exports."""

import pytest

from handrail.replay.messages import as_json, finish_of, message_of, messages_of, usage_of

FUNCTION = {"name": "find", "arguments": {"a": 1}}
CALL = {"id": "call_x", "type": "function", "function": FUNCTION}
LANGCHAIN = {"name": "find", "args": {"a": 1}, "id": "call_x", "type": "tool_call"}
SAID = {"role": "assistant", "content": "", "tool_calls": [CALL]}


@pytest.mark.parametrize(
    "message",
    [
        SAID,
        {"role": "assistant", "content": "", "tool_calls": [LANGCHAIN]},
        {"type": "ai", "content": "", "tool_calls": [LANGCHAIN]},
        {"type": "ai", "data": {"content": "", "tool_calls": [LANGCHAIN]}},
        {"role": "assistant", "content": [LANGCHAIN]},
        {"role": "assistant", "content": [{"type": "tool_use", **LANGCHAIN, "input": {"a": 1}}]}
        | {"content": [{"type": "tool_use", "id": "call_x", "name": "find", "input": {"a": 1}}]},
        {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"]}
        | {"kwargs": {"content": "", "type": "ai", "tool_calls": [LANGCHAIN]}},
        {"role": "assistant", "content": "", "additional_kwargs": {"tool_calls": [CALL]}}
        | {"tool_calls": [{**LANGCHAIN, "args": {"a": "as read"}}]},
        {"role": "assistant", "finish_reason": "tool_call", "parts": [
            {"type": "reasoning", "content": "hm"},
            {"type": "tool_call", "id": "call_x", "name": "find", "arguments": {"a": 1}},
        ]},
    ],
)  # fmt: skip
def test_spellings_mean_the_same(message: dict[str, object]) -> None:
    """LangChain's four, OpenTelemetry's, and a provider's."""
    assert message_of(message) == SAID


def test_call_that_could_not_be_read_keeps_its_text() -> None:
    """LangChain puts it beside the others."""
    bad = {"type": "invalid_tool_call", "name": "find", "args": '{"a": ', "id": "call_y"}
    found = message_of({"type": "ai", "tool_calls": [LANGCHAIN], "invalid_tool_calls": [bad]})
    assert found is not None
    assert [one["function"]["arguments"] for one in found["tool_calls"]] == [{"a": 1}, '{"a": ']


def test_old_function_call_is_read() -> None:
    """It has no id."""
    found = message_of({"role": "assistant", "content": None, "function_call": FUNCTION})
    assert found is not None
    assert found["tool_calls"] == [{"id": "", "type": "function", "function": FUNCTION}]


def test_results_are_read() -> None:
    """Several may stand in one message of OpenTelemetry's, in both of its spellings."""
    parts = [
        {"type": "tool_call_response", "id": "call_x", "response": {"b": 2}},
        {"type": "tool_call_response", "id": "call_y", "result": "r"},
    ]
    listed = [
        {"role": "tool", "parts": parts},
        {"type": "tool", "content": "t", "tool_call_id": "call_z"},
    ]
    found = messages_of(listed)
    assert [(one["tool_call_id"], one["content"]) for one in found] == [
        ("call_x", '{"b": 2}'),
        ("call_y", "r"),
        ("call_z", "t"),
    ]


def test_lists_are_found_where_they_are() -> None:
    """As JSON text, in a list of prompts, or under ``messages``."""
    said = {"role": "user", "content": "hi"}
    for value in ([said], [[said]], {"messages": [said]}, '[{"role": "user", "content": "hi"}]'):
        assert messages_of(value) == [said]
    assert messages_of({"messages": "hi"}) == messages_of(3) == messages_of([3]) == []


@pytest.mark.parametrize("value", [None, "text", {"role": "user", "content": ""}, {"a": 1}, []])
def test_other_values_are_no_message_of_a_model(value: object) -> None:
    """Nothing is guessed."""
    assert message_of(value) is None


def test_reasons_and_tokens_are_spelt_as_openai_spells_them() -> None:
    """Unknown ones are kept, and zero means that nothing is known."""
    reasons = ("tool_call", "MAX_TOKENS", "end_turn", "x", "", None)
    expected = ["tool_calls", "max_tokens", "stop", "x", None, None]
    assert [finish_of(one) for one in reasons] == expected
    assert usage_of({}, None, {"input": 3, "output": "4"}) == {
        "prompt_tokens": 3,
        "completion_tokens": 4,
    }
    assert usage_of({"input_tokens": 0, "output_tokens": True}) is None


def test_json_text_is_parsed_if_it_is_some() -> None:
    """A number or a word stays text."""
    assert [as_json(one) for one in ('{"a": 1}', "[1]", "3", "{nope", 5)] == [
        {"a": 1},
        [1],
        "3",
        "{nope",
        5,
    ]
