"""What is done to a damaged history in Bedrock's shape, case by case."""

from typing import Any

import pytest

from handrail import heal
from handrail.wire.heal_turns import NO_BEGINNING
from handrail.wire.history import NO_RESULT

GO = {"text": "go"}


def call(id: str, name: str = "look", input: object = None) -> dict[str, Any]:
    """A block with a call."""
    return {"toolUse": {"toolUseId": id, "name": name, "input": {} if input is None else input}}


def answer(id: str, text: str = "ok", **more: Any) -> dict[str, Any]:
    """A block with a result."""
    return {"toolResult": {"toolUseId": id, "content": [{"text": text}], **more}}


def missing(id: str) -> dict[str, Any]:
    """The block that says that there is no result."""
    return answer(id, NO_RESULT, status="error")


def ours(*blocks: dict[str, Any]) -> dict[str, Any]:
    """A message of the assistant."""
    return {"role": "assistant", "content": list(blocks)}


def user(*blocks: dict[str, Any]) -> dict[str, Any]:
    """A message of the user."""
    return {"role": "user", "content": list(blocks)}


@pytest.mark.parametrize(
    ("given", "expected", "kinds"),
    [
        ([ours(call("a"))], [ours(call("a")), user(missing("a"))], ["result_added"]),
        ([ours(call("a")), user(GO)], [ours(call("a")), user(missing("a"), GO)], ["result_added"]),
        ([ours(GO), user(answer("a"), GO)], [ours(GO), user(GO)], ["result_dropped"]),
        ([ours(call("a")), user(answer("a"), GO)], None, []),
        ([ours(call("a"), call("b")), user(answer("b"), answer("a"))], None, []),
        ([ours(call("a")), user(GO, answer("a"))], [ours(call("a")), user(answer("a"), GO)],
         ["result_moved"]),
        (
            [ours(call("a"), call("b")), user(answer("a")), user(answer("b"))],
            [ours(call("a"), call("b")), user(answer("a"), answer("b"))],
            ["result_moved"],
        ),
        (
            [ours(call("a")), user(answer("a")), user(GO)],
            [ours(call("a")), user(answer("a"), GO)],
            ["rewritten"],
        ),
        ([ours(GO), ours(GO)], [ours(GO, GO)], ["rewritten"]),
        (
            [ours(call("a")), user(answer("a")), ours(call("a")), user(answer("a"))],
            [ours(call("a")), user(answer("a")), ours(call("call_1")), user(answer("call_1"))],
            ["id_changed"],
        ),
        ([ours(call("a.b")), user(answer("a.b"))], [ours(call("call_1")), user(answer("call_1"))],
         ["id_changed"]),
        ([ours(call("a", "my tool")), user(answer("a"))],
         [ours(call("a", "my_tool")), user(answer("a"))], ["rewritten"]),
        ([ours(call("a", input='{"n": 1}')), user(answer("a"))],
         [ours(call("a", input={"n": 1})), user(answer("a"))], ["rewritten"]),
        ([ours(call("a")), user(answer("a", " "))],
         [ours(call("a")), user(answer("a", "(no text)"))], ["rewritten"]),
        ([ours(call("a")), user({"toolResult": {"toolUseId": "a", "content": "ok"}})],
         [ours(call("a")), user(answer("a"))], ["rewritten"]),
        ([ours({"text": " "})], [], ["turn_dropped"]),
        ([ours({"text": " "}, GO)], [ours(GO)], ["rewritten"]),
        ([{"role": "assistant", "content": "go"}], [ours(GO)], ["rewritten"]),
        ([{"role": "assistant", "content": ""}], [], ["turn_dropped"]),
    ],
)  # fmt: skip
def test_a_damage_and_its_repair(
    given: list[Any], expected: list[Any] | None, kinds: list[str]
) -> None:
    """One thing is done for one damage, and it is told."""
    healed = heal([user(GO), *given], "bedrock")
    assert healed.messages == [user(GO), *(given if expected is None else expected)]
    assert [change.kind for change in healed.changes] == kinds


def test_a_user_begins() -> None:
    """A sentence stands where the beginning was, behind instructions."""
    system = {"role": "system", "content": [GO]}
    healed = heal([system, ours(GO)], "bedrock")
    assert healed.messages == [system, user({"text": NO_BEGINNING}), ours(GO)]
    assert [change.kind for change in healed.changes] == ["turn_added"]


def test_tools_of_the_provider_are_left_alone() -> None:
    """Their results stand in the assistant's own message."""
    search = {"toolUseId": "s", "name": "web", "input": {}, "type": "server_tool_use"}
    found = {"toolUseId": "s", "content": [GO], "type": "web_search_result"}
    given = [user(GO), ours({"toolUse": search}, {"toolResult": found}, GO)]
    assert heal(given, "bedrock").changes == ()
