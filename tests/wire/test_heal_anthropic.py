"""What is done to a damaged history in Anthropic's shape, case by case."""

from typing import Any

import pytest

from handrail import heal
from handrail.wire.history import NO_RESULT

USER = {"role": "user", "content": "go"}
GO = {"type": "text", "text": "go"}


def calls(*ids: str, input: object = None) -> dict[str, Any]:
    """An assistant turn with these calls."""
    given = {} if input is None else input
    blocks = [{"type": "tool_use", "id": id, "name": "look", "input": given} for id in ids]
    return {"role": "assistant", "content": blocks}


def answer(*ids: str) -> dict[str, Any]:
    """A user message with results for these calls."""
    blocks = [{"type": "tool_result", "tool_use_id": id, "content": "ok"} for id in ids]
    return {"role": "user", "content": blocks}


def missing(id: str) -> dict[str, Any]:
    """The block that says that there is no result."""
    return {"type": "tool_result", "tool_use_id": id, "content": NO_RESULT, "is_error": True}


def also(message: dict[str, Any], *blocks: dict[str, Any]) -> dict[str, Any]:
    """The same message with more blocks at its end."""
    return {**message, "content": [*message["content"], *blocks]}


@pytest.mark.parametrize(
    ("given", "expected", "kinds"),
    [
        ([calls("a")], [calls("a"), {"role": "user", "content": [missing("a")]}], ["result_added"]),
        (
            [calls("a"), USER],
            [calls("a"), {"role": "user", "content": [missing("a"), GO]}],
            ["result_added"],
        ),
        ([answer("a"), USER], [USER], ["result_dropped"]),
        ([calls("a"), also(answer("a"), GO)], None, []),
        (
            [calls("a"), {"role": "user", "content": [GO, *answer("a")["content"]]}],
            [calls("a"), also(answer("a"), GO)],
            ["result_moved"],
        ),
        (
            [calls("a", "b"), answer("b"), answer("a")],
            [calls("a", "b"), answer("b", "a")],
            ["result_moved"],
        ),
        (
            [calls("a"), answer("a"), calls("a"), answer("a")],
            [calls("a"), answer("a"), calls("call_1"), answer("call_1")],
            ["id_changed"],
        ),
        (
            [also(calls("a"), *answer("a")["content"])],
            [calls("a"), answer("a")],
            ["result_moved"],
        ),
        ([USER, {"role": "assistant", "content": []}], [USER], ["turn_dropped"]),
        ([USER, {"role": "assistant", "content": [{"type": "text", "text": " "}, GO]}],
         [USER, {"role": "assistant", "content": [GO]}], ["rewritten"]),
        (
            [calls("a", input='{"n": 1}'), answer("a")],
            [calls("a", input={"n": 1}), answer("a")],
            ["rewritten"],
        ),
        ([calls("a.b"), answer("a.b")], [calls("call_1"), answer("call_1")], ["id_changed"]),
    ],
)  # fmt: skip
def test_a_damage_and_its_repair(
    given: list[Any], expected: list[Any] | None, kinds: list[str]
) -> None:
    """One thing is done for one damage, and it is told."""
    healed = heal(given, "anthropic")
    assert healed.messages == (given if expected is None else expected)
    assert [change.kind for change in healed.changes] == kinds


def test_thinking_stays_with_its_call() -> None:
    """The next request is refused without it."""
    thinking = {"type": "thinking", "thinking": "hm", "signature": "s"}
    turn = {"role": "assistant", "content": [thinking, *calls("a")["content"]]}
    healed = heal([turn], "anthropic")
    assert healed.messages[0] is turn
