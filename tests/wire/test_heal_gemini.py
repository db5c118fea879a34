"""What is done to a damaged history in Gemini's shape, case by case."""

from typing import Any

import pytest
from google.genai import types

from handrail import heal
from handrail.wire.heal_turns import NO_BEGINNING
from handrail.wire.history import NO_RESULT

GO = {"text": "go"}
USER = {"role": "user", "parts": [GO]}


def call(id: str = "", name: str = "look", args: object = None, **more: Any) -> dict[str, Any]:
    """A part with a call."""
    own = {"id": id} if id else {}
    return {"functionCall": {**own, "name": name, "args": {} if args is None else args}, **more}


def answer(id: str = "", name: str = "look", response: object = None) -> dict[str, Any]:
    """A part with a result."""
    own = {"id": id} if id else {}
    said = {"output": "ok"} if response is None else response
    return {"functionResponse": {**own, "name": name, "response": said}}


def missing(id: str = "", name: str = "look") -> dict[str, Any]:
    """The part that says that there is no result."""
    return answer(id, name, {"error": NO_RESULT})


def model(*parts: dict[str, Any]) -> dict[str, Any]:
    """A content of the model."""
    return {"role": "model", "parts": list(parts)}


def user(*parts: dict[str, Any]) -> dict[str, Any]:
    """A content of the user."""
    return {"role": "user", "parts": list(parts)}


@pytest.mark.parametrize(
    ("given", "expected", "kinds"),
    [
        ([model(call())], [model(call()), user(missing())], ["result_added"]),
        ([model(call("a")), USER], [model(call("a")), user(missing("a")), USER], ["result_added"]),
        ([user(answer("a")), USER], [USER], ["result_dropped"]),
        ([user(answer()), USER], [USER], ["result_dropped"]),
        ([model(call()), user(answer(), GO)], [model(call()), user(answer()), USER],
         ["rewritten"]),
        ([model(call("a"), call("b")), user(answer("a"), answer("b"))], None, []),
        ([model(call("a")), user(answer())], None, []),
        (
            [model(call("a"), call("b")), user(answer("b"), answer("a"))],
            [model(call("a"), call("b")), user(answer("a"), answer("b"))],
            ["result_moved"],
        ),
        (
            [model(call(), call(name="find")), user(answer(name="find"))],
            [model(call(), call(name="find")), user(missing(), answer(name="find"))],
            ["result_added"],
        ),
        (
            [model(call()), USER, user(answer())],
            [model(call()), user(answer()), USER],
            ["result_moved"],
        ),
        (
            [model(call("a"), call("b")), user(answer("a")), user(answer("b"))],
            [model(call("a"), call("b")), user(answer("a"), answer("b"))],
            ["result_moved"],
        ),
        (
            [model(call("a")), user(answer("a")), model(call("a")), user(answer("a"))],
            [model(call("a")), user(answer("a")), model(call("call_1")), user(answer("call_1"))],
            ["id_changed"],
        ),
        ([model(call("a")), user(answer("a", "find"))], [model(call("a")), user(answer("a"))],
         ["rewritten"]),
        ([model(GO), model(call()), user(answer())], [model(GO, call()), user(answer())],
         ["rewritten"]),
        ([model(call(args='{"n": 1}')), user(answer())],
         [model(call(args={"n": 1})), user(answer())], ["rewritten"]),
        ([model(call()), user(answer(response=["ok"]))],
         [model(call()), user(answer(response={"output": ["ok"]}))], ["rewritten"]),
        ([model(call(name="my tool")), user(answer(name="my_tool"))],
         [model(call(name="my_tool")), user(answer(name="my_tool"))], ["rewritten"]),
        ([USER, model({"text": ""})], [USER], ["turn_dropped"]),
        ([USER, model({"text": ""}, GO)], [USER, model(GO)], ["rewritten"]),
        ([USER, model({"text": "", "thoughtSignature": "cw=="})], None, []),
        ([USER, model(GO), USER, USER], None, []),
    ],
)  # fmt: skip
def test_a_damage_and_its_repair(
    given: list[Any], expected: list[Any] | None, kinds: list[str]
) -> None:
    """One thing is done for one damage, and it is told."""
    healed = heal([USER, *given], "gemini")
    assert healed.messages == [USER, *(given if expected is None else expected)]
    assert [change.kind for change in healed.changes] == kinds


def test_a_history_does_not_begin_with_a_call() -> None:
    """A sentence stands where the beginning was; words of the model may begin."""
    healed = heal([model(call()), user(answer())], "gemini")
    assert healed.messages[0] == user({"text": NO_BEGINNING})
    assert [change.kind for change in healed.changes] == ["turn_added"]
    assert heal([model(GO), USER], "gemini").changes == ()


def test_a_signature_stays_with_its_call() -> None:
    """Also where the call changes."""
    given = [USER, model(call("a", thoughtSignature="cw==")), user(answer("a"))]
    healed = heal([*given, *given], "gemini")
    assert healed.messages[4] == model(call("call_1", thoughtSignature="cw=="))
    assert healed.messages[1] is given[1]


def test_objects_of_the_client_library_are_read() -> None:
    """And its dicts; what changes is a copy that its own classes take."""
    part = types.Part(function_call=types.FunctionCall(name="look", args={"n_x": 1}, id="a"))
    asked = types.Content(role="model", parts=[part])
    said = {"id": "a", "name": "look", "response": {"order_id": 1}}
    answered = {"role": "user", "parts": [{"function_response": said}]}
    healed = heal([USER, asked, answered, asked, answered], "gemini")  # type: ignore[list-item]  # an object, as users put it there
    assert healed.messages[1:3] == [asked, answered]
    assert healed.messages[1] is asked
    again = [types.Content.model_validate(one) for one in healed.messages[3:]]
    assert again[0].parts[0].function_call == types.FunctionCall(  # type: ignore[index]  # has parts
        name="look", args={"n_x": 1}, id="call_1"
    )
    assert again[1].parts[0].function_response.response == {"order_id": 1}  # type: ignore[index, union-attr]  # has parts
