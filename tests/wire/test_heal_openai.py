"""What is done to a damaged history of OpenAI chat messages, case by case."""

from typing import Any

import pytest
from openai.types.chat import ChatCompletionMessage

from handrail import heal
from handrail.wire.history import NO_RESULT

USER = {"role": "user", "content": "go"}


def calls(*ids: str, content: str | None = None) -> dict[str, Any]:
    """An assistant turn with these calls."""
    function = {"name": "look", "arguments": "{}"}
    made = [{"id": id, "type": "function", "function": dict(function)} for id in ids]
    return {"role": "assistant", "content": content, "tool_calls": made}


def result(id: str, content: object = "ok") -> dict[str, Any]:
    """A tool message."""
    return {"role": "tool", "tool_call_id": id, "content": content}


@pytest.mark.parametrize(
    ("given", "expected", "kinds"),
    [
        ([calls("a"), USER], [calls("a"), result("a", NO_RESULT), USER], ["result_added"]),
        ([result("a"), USER], [USER], ["result_dropped"]),
        ([calls("a"), result("a"), result("a")], [calls("a"), result("a")], ["result_dropped"]),
        ([calls("a"), USER, result("a")], [calls("a"), result("a"), USER], ["result_moved"]),
        ([result("a"), calls("a")], [calls("a"), result("a")], ["result_moved"]),
        ([calls("a", "b"), result("b"), result("a")], None, []),
        (
            [calls("a"), result("a"), calls("a"), result("a")],
            [calls("a"), result("a"), calls("call_1"), result("call_1")],
            ["id_changed"],
        ),
        (
            [calls("a"), calls("b"), result("a"), result("b")],
            [calls("a"), result("a"), calls("b"), result("b")],
            ["result_moved"],
        ),
        ([USER, {"role": "assistant", "content": None}], [USER], ["turn_dropped"]),
        ([{"role": "assistant", "content": "x", "tool_calls": []}],
         [{"role": "assistant", "content": "x"}], ["rewritten"]),
        ([{"role": "user", "content": None}], [{"role": "user", "content": ""}], ["rewritten"]),
        ([calls("a"), result("a", {"n": 1})], [calls("a"), result("a", '{"n": 1}')], ["rewritten"]),
        ([{"role": "assistant", "content": None, "refusal": "no"}], None, []),
    ],
)  # fmt: skip
def test_a_damage_and_its_repair(
    given: list[Any], expected: list[Any] | None, kinds: list[str]
) -> None:
    """One thing is done for one damage, and it is told."""
    healed = heal(given)
    assert healed.messages == (given if expected is None else expected)
    assert [change.kind for change in healed.changes] == kinds


def test_arguments_become_text_and_names_fit() -> None:
    """As the shape wants them; what the model meant stays readable."""
    turn = calls("a")
    turn["tool_calls"][0]["function"] = {"name": "my tool", "arguments": {"n": 1}}
    healed = heal([turn, result("a")])
    function = {"name": "my_tool", "arguments": '{"n": 1}'}
    assert healed.messages[0]["tool_calls"][0]["function"] == function
    assert [change.kind for change in healed.changes] == ["rewritten", "rewritten"]


def test_objects_of_the_client_library_are_read() -> None:
    """They stay what they are unless something in them changes."""
    message = ChatCompletionMessage.model_validate(calls("a"))
    healed = heal([message, result("a"), message, result("a")])  # type: ignore[list-item]  # an object, as users put it there
    assert healed.messages[0] is message
    assert healed.messages[2]["tool_calls"] == calls("call_1")["tool_calls"]
