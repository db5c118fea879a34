"""The active shell: the same journal as the passive one, a clean transcript, every way to stop."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handrail import Status, Toolbox, ToolResult
from handrail.models import ModelReply
from handrail.models.model import Usage
from handrail.runtime.turn import Turn
from handrail.testing import AutoHuman, Item, ScriptedModel, call, text
from parts import Clock, shop
from strict_provider import Refused, refuse, strict

ASKED: list[dict[str, Any]] = [{"role": "user", "content": "Where are the orders of C-1?"}]
FIND = call("search_orders", {"customer_id": "C-1"})
FIND_2 = call("search_orders", {"customer_id": "C-2"})
SET_BAD = call("set_status", {"order_id": "O-1", "status": "lost"})
SET_WORSE = call("set_status", {"order_id": "O-1"})
SET = call("set_status", {"order_id": "O-1", "status": "shipped"})
DELETE = call("delete_order", {"order_id": "O-1"})


def calls_in(messages: Sequence[Any]) -> list[tuple[str, str]]:
    """Name and arguments of every call of a transcript."""
    return [
        (one["function"]["name"], one["function"]["arguments"])
        for message in messages
        for one in message.get("tool_calls", ())
    ]


def lines(box: Toolbox) -> list[tuple[object, ...]]:
    """The journal, with the random beginning of the ids cut off."""
    return [
        (one.number, one.exchange.rpartition(".")[2], one.kind, one.tool, one.outcome, one.attempts)
        for one in box.journal
    ]


def same_ids(box: Toolbox, *things: object) -> str:
    """As JSON, with the random beginning of the turn's ids cut off."""
    prefix = next(iter(box.journal)).exchange.rpartition(".")[0] if len(box.journal) else "-"
    return json.dumps(things, default=str, sort_keys=True).replace(prefix, "turn")


async def passive(
    turn: Turn, model: ScriptedModel, messages: list[Any]
) -> tuple[list[Any], list[ToolResult]]:
    """The loop that a host writes, and everything that it was given."""
    results: list[ToolResult] = []
    for _ in range(10):
        answers = await turn.take(await model.respond(messages, turn.schemas("openai")))
        messages = messages + answers.to_messages()
        results += answers.results
        if answers.done:
            break
    return messages, results


SCRIPTS: dict[str, list[Item]] = {
    "clean": [FIND, text("O-1.")],
    "corrected": [SET_BAD, SET_WORSE, SET, text("Shipped.")],
    "parallel, one invalid": [[FIND, SET_BAD, FIND_2], [SET, FIND_2], text("Done.")],
    "twins": [[FIND, FIND], text("O-1.")],
    "unknown tool": [call("nope"), FIND, text("O-1.")],
    "exhausted": [SET_BAD, SET_WORSE, call("set_status", "[1]"), text("I cannot.")],
    "given up": [SET_BAD, FIND, text("I left it.")],
    "given up with text": [SET_BAD, text("I cannot.")],
    "pending": [[FIND, DELETE]],
    "broken JSON": [call("set_status", '{"order_id": '), SET, text("Shipped.")],
    "written as text": [
        text('{"name": "search_orders", "arguments": {"customer_id": "C-1"}}'),
        text("O-1."),
    ],
}


@pytest.mark.parametrize("name", SCRIPTS)
async def test_both_shells_write_the_same_journal(name: str) -> None:
    """Same replies, same clock: kinds, tools, outcomes, attempts, and what the model was told."""
    active_box, active_ran = shop(clock=Clock())
    passive_box, passive_ran = shop(clock=Clock())
    talk = await active_box.run(strict(SCRIPTS[name]), ASKED)
    async with passive_box.turn(user_text=ASKED[0]["content"]) as turn:
        messages, results = await passive(turn, strict(SCRIPTS[name]), list(ASKED))
        tidy = turn.tidy(messages)
    assert lines(active_box) == lines(passive_box) != []
    assert active_ran == passive_ran
    assert same_ids(active_box, talk.messages, [one.to_dict() for one in talk.results]) == (
        same_ids(passive_box, tidy, [one.to_dict() for one in results])
    )


REPLIES: list[Item] = [
    FIND, [FIND, FIND], [FIND, SET], SET, SET_BAD, [SET_BAD, FIND_2], [SET_BAD, SET_WORSE],
    SET_WORSE, [SET, SET_BAD, FIND], call("nope"), [call("nope"), SET_BAD], DELETE,
    call("set_status", "{"),
]  # fmt: skip


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(script=st.lists(st.sampled_from(REPLIES), max_size=6))
async def test_no_provider_refuses_what_is_sent(script: list[Item]) -> None:
    """Whatever the model replies, both shells send valid requests and write the same journal."""
    human = AutoHuman(approve=True)
    clock = Clock()
    box, ran = shop(clock=clock, human=human)
    other, other_ran = shop(clock=clock, human=human)
    talk = await box.run(strict([*script, text("Done.")]), ASKED)
    async with other.turn(user_text=ASKED[0]["content"]) as turn:
        messages, _ = await passive(turn, strict([*script, text("Done.")]), list(ASKED))
    refuse(talk.messages)
    refuse(turn.tidy(messages))
    assert (talk.stop_reason, ran, lines(box)) == ("answered", other_ran, lines(other))
    assert len(talk.results) == sum(len(one) if isinstance(one, list) else 1 for one in script)


async def test_a_corrected_call_stands_once() -> None:
    """Two attempts on a side branch; then one call and its one result, siblings in place."""
    box, ran = shop()
    model = strict([[FIND, SET_BAD, FIND_2], SET_WORSE, SET, text("Shipped.")])
    talk = await box.run(model, ASKED)
    assert calls_in(talk.messages) == [
        ("search_orders", FIND.arguments),
        ("set_status", SET.arguments),
        ("search_orders", FIND_2.arguments),
    ]
    assert [one["role"] for one in talk.messages] == [
        "user", "assistant", "tool", "tool", "tool", "assistant",
    ]  # fmt: skip
    assert talk.messages[3]["content"] == "O-1 is shipped"
    assert len(ran) == 3
    refuse(talk.messages)


async def test_the_model_sees_its_attempts_while_it_corrects() -> None:
    """The side branch is what the model is sent; it is gone once the call is corrected."""
    box, _ = shop()
    model = strict([SET_BAD, SET_WORSE, SET, FIND, text("Done.")])
    await box.run(model, ASKED)
    seen = [[arguments for _, arguments in calls_in(one.messages)] for one in model.requests]
    assert seen == [
        [],
        [SET_BAD.arguments],
        [SET_BAD.arguments, SET_WORSE.arguments],
        [SET.arguments],
        [SET.arguments, FIND.arguments],
    ]


async def test_two_corrections_at_once_stay_apart() -> None:
    """Two calls of one tool, corrected in the other order: each result stands at its own call."""
    box, _ = shop()
    one, two = ({"order_id": name} for name in ("O-1", "O-2"))
    model = strict(
        [
            [call("set_status", one), call("set_status", two)],
            [
                call("set_status", {**two, "status": "placed"}),
                call("set_status", {**one, "status": "shipped"}),
            ],
            text("Done."),
        ]
    )
    talk = await box.run(model, ASKED)
    assert [message["content"] for message in talk.messages if message["role"] == "tool"] == [
        "O-1 is shipped",
        "O-2 is placed",
    ]
    refuse(talk.messages)


async def test_ids_that_a_model_uses_again_are_made_unique() -> None:
    """Some servers call every call `call_0`; the history that the host gave may have it too."""
    box, _ = shop()
    again = [call(one.name, str(one.arguments), "call_0") for one in (SET_BAD, SET, FIND)]
    first = await box.run(strict([*again, text("Done.")]), ASKED)
    asked = [*first.messages, {"role": "user", "content": "And now?"}]
    second = await box.run(strict([*again, text("Done.")]), asked)
    refuse(second.messages)
    assert [arguments for _, arguments in calls_in(second.messages)] == [
        SET.arguments, FIND.arguments, SET.arguments, FIND.arguments,
    ]  # fmt: skip


async def test_a_model_that_gives_up_ends_with_its_text() -> None:
    """The wrong call stays with its error; the outcome says that it was given up."""
    box, ran = shop()
    talk = await box.run(strict([SET_BAD, text("I cannot.")]), ASKED)
    assert (talk.text, talk.stop_reason, ran) == ("I cannot.", "answered", [])
    assert calls_in(talk.messages) == [("set_status", SET_BAD.arguments)]
    assert [one.outcome for one in box.journal if one.outcome] == ["llm_gave_up"]


async def test_rounds_are_counted() -> None:
    """After max_rounds requests nobody is asked any more, and the operator is told what to do."""
    box, ran = shop()
    pages = [call("search_orders", {"customer_id": "C-1", "page": n}) for n in range(9)]
    model = strict(pages)
    talk = await box.run(model, ASKED, max_rounds=4)
    assert (talk.stop_reason, len(model.requests), len(ran)) == ("max_rounds", 4, 4)
    assert "raise max_rounds" in (talk.host_advice or "")
    refuse(talk.messages)


async def test_the_last_round_leaves_nothing_open() -> None:
    """A call that waits for its correction when the rounds end is given up."""
    box, _ = shop()
    talk = await box.run(strict([SET_BAD]), ASKED, max_rounds=1)
    assert (talk.stop_reason, talk.turn.correcting) == ("max_rounds", False)
    assert [one.outcome for one in box.journal if one.outcome] == ["llm_gave_up"]
    refuse(talk.messages)


async def test_an_empty_reply_stops() -> None:
    """Neither words nor calls: nothing is added to the transcript."""
    box, _ = shop()
    talk = await box.run(strict([FIND, text("")]), ASKED)
    assert (talk.text, talk.stop_reason, len(talk.messages)) == ("", "empty_reply", 3)
    assert "finish reason stop" in (talk.host_advice or "")


class Cut:
    """A model whose replies are given whole."""

    def __init__(self, *replies: ModelReply) -> None:
        self.replies = iter(replies)

    async def respond(self, messages: Any, tools: Any, **_: Any) -> ModelReply:
        """The next one, if a provider would take the request."""
        refuse(messages, tools)
        return next(self.replies)


async def test_a_cut_answer_is_no_answer() -> None:
    """Words that end at the output limit: kept, and the operator told."""
    box, _ = shop()
    talk = await box.run(Cut(ModelReply(text="The orders are", finish_reason="length")), ASKED)
    assert (talk.text, talk.stop_reason) == ("The orders are", "cut_reply")
    assert talk.messages[-1] == {"role": "assistant", "content": "The orders are"}
    assert "max_tokens" in (talk.host_advice or "")


async def test_a_cut_call_is_proposed_again() -> None:
    """A call that ended at the output limit does not run, and counts as an attempt."""
    box, ran = shop()
    cut = ModelReply(tool_calls=(call("delete_order", "{}", "a"),), finish_reason="length")
    whole = ModelReply(
        tool_calls=(call("search_orders", {"customer_id": "C-1"}, "b"),), finish_reason="tool_calls"
    )
    talk = await box.run(Cut(cut, whole, ModelReply(text="Done.")), ASKED)
    assert [one.status for one in talk.results] == [Status.INVALID, Status.OK]
    assert (talk.results[0].code, len(ran)) == ("VAL-011", 1)


async def test_a_model_that_raises_is_not_hidden() -> None:
    """The exception passes through; the journal keeps what ran, and the turn is closed."""
    box, ran = shop()
    with pytest.raises(ConnectionError, match="gone"):
        await box.run(strict([FIND, SET_BAD, ConnectionError("gone")]), ASKED)
    assert len(ran) == 1
    assert [one.outcome for one in box.journal if one.outcome] == ["no_retry", "llm_gave_up"]


async def test_a_run_stops_where_a_human_is_awaited() -> None:
    """Nothing of that message is in the transcript until every call of it has an answer."""
    box, ran = shop()
    model = strict([SET, [FIND, DELETE], text("never asked")])
    talk = await box.run(model, ASKED, user="ann")
    assert (talk.stop_reason, len(model.requests), len(talk.messages)) == ("pending", 2, 3)
    assert [one.status for one in talk.results] == [Status.OK, Status.OK, Status.PENDING]
    (card,) = box.approvals("ann")
    await box.approve(card.id, by="ann")
    group = await talk.turn.resume()
    history = [*talk.messages, *group.to_messages()]
    refuse(history)
    assert calls_in(history)[1:] == [(one.name, one.arguments) for one in (FIND, DELETE)]
    assert ran[-1] == ("delete_order", "O-1")
    assert (await box.run(strict([text("Gone.")]), history)).text == "Gone."


async def test_a_correction_that_must_be_approved_stands_once_after_tidy() -> None:
    """First wrong, then right but destructive: after the approval `tidy` joins both."""
    box, _ = shop()
    talk = await box.run(strict([call("delete_order", {}), DELETE]), ASKED)
    await box.approve(box.approvals()[0].id, by="ann")
    history = [*talk.messages, *(await talk.turn.resume()).to_messages()]
    refuse(history)
    tidy = talk.turn.tidy(history)
    refuse(tidy)
    assert calls_in(tidy) == [("delete_order", DELETE.arguments)]
    assert tidy[-1]["content"] == "O-1 deleted"


async def test_usage_is_added_up() -> None:
    """Tokens of all requests."""
    box, _ = shop()
    replies = [
        ModelReply(tool_calls=(FIND,), usage=Usage(input_tokens=10, output_tokens=2)),
        ModelReply(text="Done.", usage=Usage(input_tokens=20, output_tokens=3)),
    ]
    usage = (await box.run(Cut(*replies), ASKED)).usage
    assert (usage.input_tokens, usage.output_tokens, usage.requests) == (30, 5, 2)


async def test_what_the_host_gave_is_not_changed() -> None:
    """The transcript is a new list."""
    box, _ = shop()
    mine = [dict(ASKED[0])]
    await box.run(strict([FIND, text("Done.")]), mine)
    assert mine == ASKED


GOOD_HISTORY: list[dict[str, Any]] = [
    {"role": "user", "content": "hi"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}}
            for id in ("a", "b")
        ],
    },
    {"role": "tool", "tool_call_id": "a", "content": "1"},
    {"role": "tool", "tool_call_id": "b", "content": "2"},
]
BAD_HISTORIES = [
    [],
    GOOD_HISTORY[:3],
    GOOD_HISTORY[2:],
    [*GOOD_HISTORY, GOOD_HISTORY[3]],
    [*GOOD_HISTORY, *GOOD_HISTORY[1:]],
    [*GOOD_HISTORY[:2], {"role": "user", "content": "x"}, *GOOD_HISTORY[2:]],
    [{"role": "assistant", "content": None}],
    [{"role": "assistant", "content": None, "tool_calls": []}],
]


@pytest.mark.parametrize("number", range(len(BAD_HISTORIES)))
def test_the_strict_provider_refuses(number: int) -> None:
    """The check that the tests above rely on can fail."""
    refuse(GOOD_HISTORY)
    with pytest.raises(Refused):
        refuse(BAD_HISTORIES[number])
