"""What is done to a damaged list of Responses items, case by case."""

from typing import Any

import pytest
from openai.types.responses import ResponseFunctionToolCall

from handrail import heal
from handrail.wire.history import NO_RESULT

USER = {"role": "user", "content": "go"}
WORDS = {"role": "assistant", "content": "words"}


def call(call_id: str, **more: Any) -> dict[str, Any]:
    """A call of a function."""
    return {"type": "function_call", "call_id": call_id, "name": "look", "arguments": "{}", **more}


def output(id: str, text: object = "ok", kind: str = "function_call") -> dict[str, Any]:
    """What a call is answered with."""
    return {"type": f"{kind}_output", "call_id": id, "output": text}


def thought(id: str) -> dict[str, Any]:
    """A reasoning item."""
    return {"type": "reasoning", "id": id, "summary": []}


def custom(id: str) -> dict[str, Any]:
    """A call of a custom tool."""
    return {"type": "custom_tool_call", "call_id": id, "name": "look", "input": "x"}


def message(id: str, *texts: str) -> dict[str, Any]:
    """A message of the model, as a response holds it."""
    content = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    return {"type": "message", "id": id, "role": "assistant", "status": "completed",
            "content": content}  # fmt: skip


@pytest.mark.parametrize(
    ("given", "expected", "kinds"),
    [
        ([call("a"), USER], [call("a"), output("a", NO_RESULT), USER], ["result_added"]),
        ([output("a"), USER], [USER], ["result_dropped"]),
        ([call("a"), output("a"), output("a")], [call("a"), output("a")], ["result_dropped"]),
        ([call("a"), USER, output("a")], [call("a"), output("a"), USER], ["result_moved"]),
        ([output("a"), call("a")], [call("a"), output("a")], ["result_moved"]),
        ([call("a"), call("b"), output("b"), output("a")], None, []),
        ([call("a"), output("a"), call("b"), output("b")], None, []),
        ([thought("r"), call("a"), thought("s"), call("b"), output("a"), output("b")], None, []),
        ([call("a"), WORDS, output("a")], None, []),
        (
            [call("a"), WORDS, USER],
            [call("a"), output("a", NO_RESULT), WORDS, USER],
            ["result_added"],
        ),
        (
            [call("a"), thought("r"), call("b"), output("b")],
            [call("a"), output("a", NO_RESULT), thought("r"), call("b"), output("b")],
            ["result_added"],
        ),
        (
            [call("a"), output("a"), call("a"), output("a")],
            [call("a"), output("a"), call("call_1"), output("call_1")],
            ["id_changed"],
        ),
        ([thought("r"), USER], [USER], ["turn_dropped"]),
        ([USER, thought("r"), thought("s")], [USER], ["turn_dropped", "turn_dropped"]),
        ([thought("r"), WORDS, thought("r"), WORDS], [thought("r"), WORDS, WORDS],
         ["turn_dropped"]),
        (
            [message("m", "one ", "two"), message("m", "one ", "two")],
            [message("m", "one ", "two"),
             {"type": "message", "role": "assistant", "content": "one two"}],
            ["rewritten"],
        ),
        (
            [call("a", id="fc"), output("a"), call("b", id="fc"), output("b")],
            [call("a", id="fc"), output("a"), call("b"), output("b")],
            ["rewritten"],
        ),
        ([custom("a")], [custom("a"), output("a", NO_RESULT, "custom_tool_call")],
         ["result_added"]),
        ([custom("a"), output("a")], [custom("a"), output("a", kind="custom_tool_call")],
         ["rewritten"]),
        ([call("a"), output("a", None)], [call("a"), output("a", "")], ["rewritten"]),
        ([call("a"), output("a", {"n": 1})], [call("a"), output("a", '{"n": 1}')], ["rewritten"]),
        ([call("a", arguments={"n": 1}), output("a")],
         [call("a", arguments='{"n": 1}'), output("a")], ["rewritten"]),
        ([call("a", name="my tool"), output("a")], [call("a", name="my_tool"), output("a")],
         ["rewritten"]),
        ([call("x" * 65), output("x" * 65)], [call("call_1"), output("call_1")], ["id_changed"]),
        ([{"role": "user", "content": None}], [{"role": "user", "content": ""}], ["rewritten"]),
    ],
)  # fmt: skip
def test_a_damage_and_its_repair(
    given: list[Any], expected: list[Any] | None, kinds: list[str]
) -> None:
    """One thing is done for one damage, and it is told."""
    healed = heal(given, "openai-responses")
    assert healed.messages == (given if expected is None else expected)
    assert [change.kind for change in healed.changes] == kinds


def test_what_other_tools_said_is_left_alone() -> None:
    """Their calls and outputs are the host's own matter."""
    screen = {"type": "computer_call_output", "call_id": "c", "output": {"type": "image"}}
    given = [call("a"), {"type": "computer_call", "call_id": "c"}, screen, output("a")]
    assert heal(given, "openai-responses").messages == given


def test_a_call_may_be_known_by_reference() -> None:
    """Then an output of a call that stands nowhere is kept; one of a known call is matched."""
    given = [{"type": "item_reference", "id": "fc_1"}, output("x"), call("a"), output("a")]
    assert heal(given, "openai-responses").changes == ()


def test_objects_of_the_client_library_are_read() -> None:
    """They stay what they are unless something in them changes."""
    one = ResponseFunctionToolCall.model_validate(call("a"))
    healed = heal([one, output("a"), one, output("a")], "openai-responses")  # type: ignore[list-item]  # an object, as users put it there
    assert healed.messages[0] is one
    assert healed.messages[2] == call("call_1")
