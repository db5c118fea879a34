"""Whole message lists."""

from typing import Any

from handrail.replay.conversations import is_message, read_conversation, text_calls
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
