"""What the calls of a log have in common."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.policy import Settings
from handrail.contract.tool import Tool
from handrail.replay import habits as module
from handrail.replay.check import Check
from handrail.replay.habits import Habits, LoopTotals, TokenTotals
from handrail.replay.records import Answered, Item, Place, Recorded
from handrail.replay.retrace import Habit, Loop, Reply
from handrail.replay.schemas import Catalogue

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}


def call(line: int, turn: int | None, q: object = "x", **fields: Any) -> Recorded:
    """A search in a conversation."""  # Any: of Recorded
    given: dict[str, Any] = {"tool": "find", "conversation": "c", "result": "r", "schema": SCHEMA}
    arguments = fields.pop("arguments", {"q": q})
    return Recorded(place=Place("log", line), turn=turn, arguments=arguments, **(given | fields))


def followed(*items: Item, tools: tuple[Tool, ...] = ()) -> dict[str, Any]:  # Any: JSON object
    """What the habits of these come to."""
    run = Check(Catalogue(tools), Settings())
    list(run.findings(items))
    return run.habits.totals.to_dict()


def identical(*items: Item, **fields: Any) -> dict[str, int]:  # Any: of `followed`
    """The identical calls among these."""
    counts: dict[str, int] = followed(*items, **fields)["loops"]["by_habit"]["identical"]
    return counts


def test_calls_find_their_conversation() -> None:
    """Also where conversations are mixed, and by what model."""
    items = [
        call(line, line, conversation=name, model=model)
        for line, (name, model) in enumerate([("a", "m"), ("b", "m"), ("a", "n"), ("a", "m")])
    ]
    report = followed(*items)["loops"]
    assert (report["conversations"], len(report["found"])) == (3, 1)
    assert (report["found"][0]["conversation"], report["found"][0]["line"]) == ("a", 3)


def test_list_of_messages_without_a_name_is_a_conversation() -> None:
    """Its line is its name."""
    items = [call(1, turn, conversation=None) for turn in (1, 3)]
    other = call(2, 1, conversation=None)
    assert identical(*items) == {"loops": 1, "longest": 2, "stopped": 0}
    assert identical(items[0], other)["loops"] == 0


def test_calls_that_belong_nowhere_are_counted() -> None:
    """Nothing tells what came before them."""
    report = followed(*(call(line, None, conversation=None) for line in range(3)))
    assert report["loops"]["calls_without_conversation"] == 3
    assert (report["loops"]["found"], report["tokens"]["all"]["calls"]) == ([], 3)


def test_calls_of_one_message_are_one_step() -> None:
    """Known by their turn, or where that is not known by their place."""
    assert identical(call(1, 4), call(2, 4))["loops"] == 0
    assert identical(call(1, None), call(1, None))["loops"] == 0
    assert identical(call(1, None), call(2, None))["loops"] == 1


def test_name_that_is_used_again_is_a_new_conversation() -> None:
    """Its turns begin anew."""
    report = followed(call(1, 3), call(2, 1))["loops"]
    assert (report["conversations"], report["found"]) == (2, [])


def test_every_log_is_by_itself() -> None:
    """The same names in another file are other conversations."""
    run = Check(Catalogue(), Settings())
    list(run.findings([call(1, 1)]))
    list(run.findings([call(2, 3)]))
    assert run.habits.totals.to_dict()["loops"]["found"] == []


def test_result_of_a_later_row_is_that_of_the_call() -> None:
    """Found by the call's id, before the next message of the conversation."""
    asked = [call(n, n, result=None, call_id=f"id-{n}") for n in (1, 3)]
    told = [
        Answered(place=Place("log", n), call_id=f"id-{n}", conversation="c", result=f"r-{n}")
        for n in (1, 3)
    ]
    assert identical(asked[0], told[0], asked[1], told[1])["loops"] == 0
    assert identical(asked[0], asked[1])["loops"] == 1


def test_declared_tool_is_counted_as_declared() -> None:
    """A name that looks like a read may be one that is polled."""
    polled = Tool.from_json_schema("find", "d", SCHEMA, poll=True)
    items = [call(line, line) for line in range(3)]
    assert identical(*items)["loops"] == 1
    assert identical(*items, tools=(polled,))["loops"] == 0


def test_stated_defaults_make_no_difference() -> None:
    """As in a live run."""
    schema = {"type": "object", "properties": {"q": {"type": "string", "default": "x"}}}
    items = [call(1, 1, schema=schema), call(2, 2, schema=schema, arguments={})]
    assert identical(*items)["loops"] == 1


def test_calls_without_a_schema_are_followed_too() -> None:
    """That they cannot be judged says nothing about repeats."""
    assert identical(*(call(line, line, schema="r/lost") for line in range(2)))["loops"] == 1


def test_tool_that_was_not_offered_but_answered_is_a_tool() -> None:
    """Somebody forgot to hand in its schema."""
    known = (Tool.from_json_schema("other", "d", SCHEMA),)
    good = [call(line, line, f"{line}", schema=None) for line in range(3)]
    bad = [call(line, line, f"{line}", schema=None, error=True) for line in range(3)]
    unknown = [
        followed(*one, tools=known)["loops"]["by_habit"]["unknown_tool"] for one in (good, bad)
    ]
    assert [one["loops"] for one in unknown] == [0, 1]


def test_tokens_of_replies_that_only_repeat() -> None:
    """As stated; where nothing is, a token for 4 characters of calls and results."""
    usage = {"input_tokens": 90, "output_tokens": 10}
    items = [
        call(1, 1, usage=usage),
        call(2, 2, usage=usage),
        call(3, 3),
        call(4, 4),
        call(5, 4, "new"),
    ]
    tokens = followed(*items)["tokens"]
    size = len('find{"q":"x"}r')
    assert tokens["repeats"] == {
        "replies": 2,
        "calls": 2,
        "input_tokens": 90,
        "output_tokens": 10,
        "replies_without_usage": 1,
        "estimated_tokens": -(-size // 4),
        "repeated_calls": 3,
    }
    assert (tokens["all"]["replies"], tokens["all"]["input_tokens"]) == (4, 180)


def test_cut_replies_are_counted_by_how_it_is_known() -> None:
    """A finish reason says it, or arguments that end in the middle."""
    report = followed(
        call(1, 1, finish_reason="length"),
        call(2, 2, finish_reason="interrupted"),
        call(3, 3, arguments='{"q": "x'),
        call(4, 4, finish_reason="stop"),
    )
    assert report["truncations"] == {"length": 1, "interrupted": 1, "by_content": 1}


def test_calls_as_text_and_mends_are_counted() -> None:
    """With how many would run thanks to it."""
    report = followed(
        call(1, 1, as_text=True),
        call(2, 2, as_text=True, arguments={}),
        call(3, 3, arguments='{"q": "x",}'),
    )
    assert report["as_text"] == {"calls": 2, "ok": 1}
    assert report["mends"]["salvage"] == {"calls": 2, "ran": 1}
    assert sum(one["ran"] for one in report["mends"].values()) == 2


def test_conversations_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that was silent for longest is put aside; if it goes on, that is told."""
    monkeypatch.setattr(module, "MOST_CONVERSATIONS", 2)
    names = ["a", "b", "a", "c", "b", "a"]
    report = followed(*(call(n, n, conversation=name) for n, name in enumerate(names)))["loops"]
    assert (report["conversations_forgotten"], report["conversations"]) == (2, 3)
    assert [loop["conversation"] for loop in report["found"]] == ["a"]
    assert (
        followed(*(call(n, n, conversation=f"{n}") for n in range(9)))["loops"][
            "conversations_forgotten"
        ]
        == 0
    )


def test_remembered_calls_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """One endless conversation does not fill the memory either."""
    monkeypatch.setattr(module, "MOST_CALLS", 3)
    habits = Habits(Settings())
    for line in range(20):
        habits.call(call(line, line, str(line), schema=None), None, None)
        assert habits._calls <= 3
    habits.end()
    assert (habits._calls, habits.totals.forgotten, habits.totals.conversations) == (0, 3, 1)


def test_kept_loops_are_the_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    """All are counted."""
    monkeypatch.setattr(module, "MOST_LOOPS", 2)
    totals = Habits(Settings()).totals
    for times in (3, 9, 2, 5):
        place = Place("log", times)
        totals.loop(
            Loop(
                habit=Habit.IDENTICAL,
                tool="t",
                conversation=None,
                first=place,
                last=place,
                turn=None,
                last_turn=None,
                times=times,
                stopped=1,
            )
        )
    report = totals.to_dict()["loops"]
    assert [loop["times"] for loop in report["found"]] == [9, 5]
    assert report["found_omitted"] == 2
    assert report["by_habit"]["identical"] == {"loops": 4, "longest": 9, "stopped": 4}


def test_totals_start_at_nothing() -> None:
    """And every habit is listed."""
    report = Habits(Settings()).totals.to_dict()
    assert list(report["loops"]["by_habit"]) == [str(habit) for habit in Habit]
    assert LoopTotals().to_dict() == {"loops": 0, "longest": 0, "stopped": 0}
    tokens = TokenTotals()
    tokens.add(Reply(2, 1, None, 9))
    assert (tokens.all, tokens.unstated, tokens.calls) == (3, 1, 2)


@given(
    st.lists(
        st.builds(
            call,
            st.integers(1, 3),
            st.none() | st.integers(0, 4),
            st.sampled_from(["x", "y", 7]),
            result=st.sampled_from([None, "r", "s", "[]", 7, {"status": 503}]),
            error=st.sampled_from([None, True, False, "late"]),
            conversation=st.sampled_from([None, "c", "d"]),
            tool=st.sampled_from(["find", "book_table", "toggle", "job_status"]),
            schema=st.sampled_from([SCHEMA, None]),
            as_text=st.booleans(),
        ),
        max_size=25,
    )
)
def test_sums_agree(items: list[Recorded]) -> None:
    """Every call is in one reply, repeats are some of them, and nothing stays open."""
    run = Check(Catalogue(), Settings())
    list(run.findings(items))
    totals = run.habits.totals
    assert totals.all.calls == len(items)
    assert totals.repeats.calls <= totals.repeated <= len(items) - totals.conversations
    assert totals.repeats.all <= totals.all.all
    assert run.habits._calls == 0
    assert all(loop.times >= 2 and loop.stopped <= loop.times for loop in totals.loops)
