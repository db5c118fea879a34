"""A transcript tells each corrected call once."""

import copy
from typing import Any

import pytest

from handrail import ToolCall
from handrail.runtime.transcript import tidied
from handrail.wire.registry import PROVIDERS
from history_shapes import SHAPES, History
from parts import Clock, shop
from wire_samples import Said, whole

BAD, GOOD = '{"customer_id": 5}', '{"customer_id": "C-1"}'
PAGE = '{"customer_id": "C-2", "page": 2}'


def assistant(*calls: tuple[str, str], content: str | None = None) -> dict[str, Any]:
    """An assistant message that calls search_orders."""
    made = [
        {"id": id, "type": "function", "function": {"name": "search_orders", "arguments": text}}
        for id, text in calls
    ]
    return {"role": "assistant", "content": content, "tool_calls": made}


def conversation(*messages: dict[str, Any], close: bool = True) -> tuple[list[Any], list[Any]]:
    """The transcript of a turn that took these messages, before and after tidying."""
    box, _ = shop(policy="strict", clock=Clock())
    turn = box.turn()
    history: list[Any] = [{"role": "user", "content": "orders?"}]
    for message in messages:
        history += turn.take_sync(message).to_messages() if message.get("tool_calls") else [message]
    if close:
        turn.close()
    return history, tidied(history, turn.results)


def shape(messages: list[Any]) -> list[tuple[str, ...]]:
    """Roles, with the ids that each message names."""
    return [
        (one["role"], *[call["id"] for call in one.get("tool_calls") or ()], *[
            one["tool_call_id"] for _ in [0] if "tool_call_id" in one
        ])
        for one in messages
    ]  # fmt: skip


def test_a_corrected_call_stands_once_in_its_first_place() -> None:
    """With the corrected arguments and the final result, under the first id."""
    _, tidy = conversation(assistant(("a", BAD)), assistant(("b", GOOD)))
    assert shape(tidy) == [("user",), ("assistant", "a"), ("tool", "a")]
    assert tidy[1]["tool_calls"][0]["function"]["arguments"] == GOOD
    assert tidy[2]["content"] == '{"orders":["O-1"],"customer_id":"C-1"}'


def test_three_attempts_are_one() -> None:
    """Every attempt between is gone."""
    _, tidy = conversation(
        assistant(("a", BAD)), assistant(("b", '{"customer_id": 6}')), assistant(("c", GOOD))
    )
    assert shape(tidy) == [("user",), ("assistant", "a"), ("tool", "a")]


def test_parallel_corrections_keep_their_places() -> None:
    """Each under the id of its own first attempt, whatever the order of the retries."""
    first = assistant(("a", BAD), ("b", '{"customer_id": "C-2", "page": "two"}'))
    _, tidy = conversation(first, assistant(("c", PAGE), ("d", GOOD)))
    assert shape(tidy) == [("user",), ("assistant", "a", "b"), ("tool", "a"), ("tool", "b")]
    sent = [call["function"]["arguments"] for call in tidy[1]["tool_calls"]]
    assert sent == [GOOD, PAGE]
    assert [one["content"] for one in tidy[2:]] == [
        '{"orders":["O-1"],"customer_id":"C-1"}',
        '{"orders":["O-2"],"customer_id":"C-2"}',
    ]


def test_what_a_model_said_beside_a_retry_stays() -> None:
    """Words are not part of the call."""
    _, tidy = conversation(assistant(("a", BAD)), assistant(("b", GOOD), content="Sorry."))
    assert shape(tidy) == [("user",), ("assistant", "a"), ("tool", "a"), ("assistant",)]
    assert tidy[-1] == {"role": "assistant", "content": "Sorry."}


def test_a_new_call_beside_a_retry_stays() -> None:
    """Only the attempt goes."""
    _, tidy = conversation(assistant(("a", BAD)), assistant(("b", GOOD), ("n", PAGE)))
    assert shape(tidy) == [
        ("user",), ("assistant", "a"), ("tool", "a"), ("assistant", "n"), ("tool", "n"),
    ]  # fmt: skip


def test_a_call_that_was_given_up_stays_as_it_was() -> None:
    """Nothing in it was corrected, so nothing is hidden."""
    history, tidy = conversation(
        assistant(("a", BAD)), assistant(("b", '{"customer_id": 6}')),
        {"role": "assistant", "content": "I could not find them."},
    )  # fmt: skip
    assert tidy == history


def test_a_blocked_call_stays_as_it_was() -> None:
    """The history that a human is shown is in it."""
    many = [assistant((f"a{n}", f'{{"customer_id": {n}}}')) for n in range(3)]
    history, tidy = conversation(*many)
    assert tidy == history


def test_the_messages_given_are_not_changed() -> None:
    """A host keeps its own history."""
    history, _ = conversation(assistant(("a", BAD)), assistant(("b", GOOD)))
    before = copy.deepcopy(history)
    box, _ = shop(policy="strict")
    turn = box.turn()
    for id, text in (("a", BAD), ("b", GOOD)):
        turn.answer_sync(ToolCall(id, "search_orders", text))
    tidy = tidied(history, turn.results)
    assert history == before
    assert len(tidy) == 3


def test_tidying_twice_is_tidying_once() -> None:
    """The second time there is nothing to do."""
    box, _ = shop(policy="strict")
    turn = box.turn()
    history = [
        message
        for one in (assistant(("a", BAD)), assistant(("b", GOOD)))
        for message in turn.take_sync(one).to_messages()
    ]
    once = tidied(history, turn.results)
    assert tidied(once, turn.results) == once


def test_blocks_are_tidied_like_messages() -> None:
    """In Anthropic's shape; a turn of which only thoughts would stay goes with its call."""
    box, _ = shop(policy="strict")
    turn = box.turn()
    thinking = {"type": "thinking", "thinking": "hm", "signature": "s"}
    history: list[Any] = []
    for id, given in (("a", {"customer_id": 5}), ("b", {"customer_id": "C-1"})):
        use = {"type": "tool_use", "id": id, "name": "search_orders", "input": given}
        reply = {"role": "assistant", "content": [thinking, use]}
        history += turn.take_sync(reply).to_messages()
    asked, answered = turn.tidy(history)
    assert asked["content"] == [thinking, {**use, "id": "a"}]
    (block,) = answered["content"]
    assert (block["tool_use_id"], block["is_error"]) == ("a", False)
    assert block["content"] == '{"orders":["O-1"],"customer_id":"C-1"}'
    assert turn.tidy([asked, answered]) == [asked, answered]


@pytest.mark.parametrize("shape", [one for one in SHAPES if one.shaped.__name__ != "<lambda>"])
def test_every_shape_is_tidied(shape: History) -> None:
    """Three attempts are one call and its result, and the provider takes what is left."""
    box, _ = shop(policy="strict")
    turn = box.turn()
    wire = PROVIDERS[shape.provider]
    history = shape.shaped([{"role": "user", "content": "orders?"}], True)
    for id, given in (("a", BAD), ("b", '{"customer_id": 6}'), ("c", GOOD)):
        said = Said(((id, "search_orders", given),), text="Sorry." if id == "b" else "")
        history += turn.take_sync(whole(shape.provider, said)).to_messages()
    tidy = turn.tidy(history)
    events = wire.read_messages(tidy)
    assert [kind for kind, _ in events] == ["user", "call", "result", "text"]
    (call,) = [one for kind, one in events if kind == "call"]
    (result,) = [one for kind, one in events if kind == "result"]
    assert (call["id"], result["call_id"]) == ("a", "a")
    assert "C-1" in str(call["arguments"])
    assert '"O-1"' in result["content"]
    assert tidy[0] is history[0]
    shape.refuse(tidy)
    assert turn.tidy(tidy) == tidy
