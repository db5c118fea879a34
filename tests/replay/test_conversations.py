"""Whole message lists."""

from typing import Any

import pytest

from handrail.replay.conversations import (
    history_of,
    is_message,
    message_list,
    read_conversation,
    text_calls,
)
from handrail.replay.records import Place, Recorded, Unreadable

HERE = Place("talk.jsonl", 1)
KNOWN = {"find": {"type": "object", "properties": {"a": {"type": "integer"}}}}


def read(messages: list[Any], **row: object) -> list[Recorded | Unreadable]:  # Any: messages
    """What a conversation holds, with the tool ``find`` known."""
    return list(read_conversation(messages, HERE, row, None, KNOWN))


def openai_call(call_id: str, arguments: str = "{}") -> dict[str, Any]:  # Any: a message
    """An assistant message with one call."""
    function = {"name": "find", "arguments": arguments}
    called = {"id": call_id, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [called]}


def test_calls_have_their_results_and_turns() -> None:
    """A result belongs to the call with its id, also where ids repeat."""
    first, second = openai_call("c", '{"a": 1}'), openai_call("c", '{"a": 2}')
    tool = {"role": "tool", "tool_call_id": "c"}
    messages = [first, {**tool, "content": "one"}, second, {**tool, "content": "two"}]
    found = [one for one in read(messages, conv="k", model="m") if isinstance(one, Recorded)]
    assert [(one.arguments, one.result, one.turn) for one in found] == [
        ('{"a": 1}', "one", 0),
        ('{"a": 2}', "two", 2),
    ]
    assert {(one.conversation, one.model) for one in found} == {("k", "m")}


def test_anthropic_blocks_are_read() -> None:
    """With the error flag of the result."""
    use = {"type": "tool_use", "id": "u", "name": "find", "input": {"a": 1}}
    result = {"type": "tool_result", "tool_use_id": "u", "content": "no", "is_error": True}
    messages = [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    (found,) = read(messages)
    assert isinstance(found, Recorded)
    assert (found.arguments, found.result, found.error) == ({"a": 1}, "no", True)


def test_call_written_as_text_is_a_call_of_a_known_tool_only() -> None:
    """An object of another name is just text."""
    said = '{"name": "find", "arguments": {"a": 1}}'
    other = said.replace("find", "lost")
    messages = [{"role": "assistant", "content": text} for text in (said, other)]
    found = [one for one in read(messages) if isinstance(one, Recorded)]
    assert [(one.tool, one.turn, one.as_text) for one in found] == [("find", 0, True)]


def test_malformed_message_costs_itself_only() -> None:
    """Its place in the list is told."""
    broken = {"role": "assistant", "tool_calls": [{"function": {"arguments": "{}"}}]}
    found = read([openai_call("a"), broken, openai_call("b")])
    assert [type(one) for one in found] == [Recorded, Unreadable, Recorded]
    assert "messages[1]" in str(found[1])


def test_result_that_answers_nothing_is_left_out() -> None:
    """It harms no other call."""
    (found,) = read([openai_call("a"), {"role": "tool", "tool_call_id": "z", "content": "x"}])
    assert isinstance(found, Recorded)
    assert found.result is None


def test_text_holds_no_calls_where_no_tools_are_known() -> None:
    """A call in text is told by the name of a tool."""
    assert text_calls('{"name": "find", "arguments": {}}', {}) == []


def test_message_is_told_by_its_role() -> None:
    """Everything else is another row."""
    assert [is_message(one) for one in ({"role": "user"}, {"role": 1}, [], None)] == [
        True,
        False,
        False,
        False,
    ]


CALLED = {"name": "find", "args": {"a": 1}}
CONVERSATIONS: list[tuple[list[Any], bool | None]] = [  # Any: messages
    (
        [
            {"role": "model", "parts": [{"functionCall": CALLED}]},
            {"role": "user", "parts": [
                {"functionResponse": {"name": "find", "response": {"error": "no"}}},
            ]},
        ],
        True,
    ),
    (
        [
            {"role": "assistant", "content": [
                {"toolUse": {"toolUseId": "u", "name": "find", "input": {"a": 1}}},
            ]},
            {"role": "user", "content": [
                {"toolResult": {"toolUseId": "u", "content": [{"text": "no"}]}},
            ]},
        ],
        False,
    ),
    (
        [
            {"type": "function_call", "call_id": "u", "name": "find", "arguments": '{"a": 1}'},
            {"type": "function_call_output", "call_id": "u", "output": "no"},
        ],
        None,
    ),
    (
        [
            openai_call("u", '{"a": 1}'),
            {"role": "tool", "tool_call_id": "u", "content": "no", "status": "error"},
        ],
        True,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "failed"), CONVERSATIONS)
def test_every_shape_is_read(messages: list[Any], failed: bool | None) -> None:  # Any: messages
    """With the result, and whether it is an error where that can be known."""
    (found,) = read(messages)
    assert isinstance(found, Recorded)
    assert (found.tool, found.result, found.failed, found.turn) == ("find", "no", failed, 0)
    history = history_of({"messages": messages})
    assert [event[0] for event in history.events] == ["call", "result"]
    assert history.length == 2


def test_conversation_without_a_name_gets_one() -> None:
    """Its calls belong together."""
    found = list(read_conversation([openai_call("a")], HERE, {}, None, {}, "here"))
    assert [one.conversation for one in found if isinstance(one, Recorded)] == ["here"]


def test_messages_have_the_names_of_their_provider() -> None:
    """A list of other things is none."""
    said = [{"role": "user"}]
    assert [message_list({key: said}) for key in ("messages", "contents", "input")] == [said] * 3
    assert message_list({"input": ["text"], "contents": "x"}) is None


def test_history_that_is_malformed_says_nothing() -> None:
    """But how long it is."""
    history = history_of({"messages": [{"role": "assistant", "tool_calls": [{}]}]})
    assert (list(history.events), history.length) == ([], 1)
    assert history_of({}).length == 0


def test_message_may_say_why_it_ended() -> None:
    """That is said of its last call."""
    several = openai_call("a")
    several["tool_calls"] *= 2
    found = read([{**several, "finish_reason": "length"}, openai_call("b")])
    reasons = [one.finish_reason for one in found if isinstance(one, Recorded)]
    assert reasons == [None, "length", None]


def test_end_of_a_long_history_is_read() -> None:
    """With the last call, however much was said since, and however many results it has."""
    results = [{"role": "tool", "tool_call_id": f"b{n}", "content": "r"} for n in range(9)]
    several = openai_call("b0")
    several["tool_calls"] = [{**several["tool_calls"][0], "id": f"b{n}"} for n in range(9)]
    said = [{"role": "assistant", "content": "x"}, {"role": "user", "content": "y"}] * 5
    history = history_of({"messages": [openai_call("a")] * 9 + [several, *results, *said]})
    calls = [event[1]["id"] for event in history.events if event[0] == "call"]
    assert calls == ["a", *(f"b{n}" for n in range(9))]
    assert (len(history.events), history.length) == (19, 29)
