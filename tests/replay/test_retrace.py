"""One conversation, made again."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.call import Status
from handrail.contract.judge import judge_input
from handrail.contract.policy import Settings
from handrail.contract.tool import Tool
from handrail.replay.records import Place, Recorded
from handrail.replay.retrace import Habit, Loop, Play, Retrace, outcome, play_of

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}, "n": {"type": "integer"}}}
READ = Tool.from_json_schema("find", "d", SCHEMA)
OTHER = Tool.from_json_schema("look", "d", SCHEMA)
WRITE = Tool.from_json_schema("book", "d", SCHEMA, action_type="write")
AGAIN = Tool.from_json_schema("toggle", "d", SCHEMA, action_type="write", repeatable=True)
POLL = Tool.from_json_schema("status", "d", SCHEMA, poll=True)


class Told:
    """A conversation, call by call: every call is a message of its own."""

    def __init__(self) -> None:
        self.ended: list[Loop] = []
        self.trace = Retrace("c-1", Settings(), self.ended.append)
        self.line = 0

    def call(
        self, tool: Tool | None, result: object = "r", *, name: str = "", **fields: Any
    ) -> bool:  # Any: of Recorded
        """One call; whether it only repeats."""
        return self.message((tool, result, name, fields)).repeats == 1

    def message(self, *calls: Any) -> Any:  # Any: calls and a reply
        """Calls of one message."""
        plays = []
        for tool, result, name, fields in calls:
            self.line += 1
            arguments = fields.pop("arguments", {"q": "x"})
            call = Recorded(
                place=Place("log", self.line),
                tool=name or (tool.name if tool else "ghost"),
                arguments=arguments,
                result=result,
                **fields,
            )
            plays.append(played(call, tool))
        return self.trace.step(plays)

    def loops(self) -> list[tuple[str, int, int, int, int]]:
        """Habit, times, first and last line, stopped, once it is over."""
        self.trace.end()
        return [
            (str(one.habit), one.times, one.first.line, one.last.line, one.stopped)
            for one in self.ended
        ]


def played(call: Recorded, tool: Tool | None) -> Play:
    """As it is made again."""
    judgement = judge_input(tool, call.arguments, Settings()) if tool is not None else None
    return play_of(call, call.tool, tool, judgement, tool)


def test_same_call_with_the_same_result_is_a_loop() -> None:
    """Whatever the order of its keys; the fourth read would have been refused."""
    told = Told()
    spelt: list[object] = [
        {"q": "x", "n": 1},
        '{"n": 1.0, "q": "x"}',
        '{"q":"x","n":1}',
        {"n": 1, "q": "x"},
    ]
    repeats = [told.call(READ, "[1]", arguments=one) for one in spelt]
    assert repeats == [False, True, True, True]
    assert told.loops() == [("identical", 4, 2, 4, 1)]


@pytest.mark.parametrize(
    "between",
    [(READ, "another", "", {}), (WRITE, "done", "", {}), (AGAIN, "on", "", {})],
    ids=["another result", "a write", "a toggle"],
)
def test_what_changes_something_ends_a_loop(between: tuple[Any, ...]) -> None:  # Any: a call
    """The next call may bring something new."""
    told = Told()
    told.call(READ)
    told.message(between)
    assert (told.call(READ), told.loops()) == (False, [])


def test_failed_write_changes_nothing() -> None:
    """And sent again it is a loop of its own."""
    told = Told()
    repeats = [told.call(READ), told.call(WRITE, "no", error=True), told.call(READ)]
    assert [*repeats, told.call(WRITE, "never", error=True)] == [False, False, True, True]
    assert told.loops() == [("identical", 2, 3, 3, 0), ("identical", 2, 4, 4, 1)]


@pytest.mark.parametrize("tool", [AGAIN, POLL])
def test_what_is_meant_to_be_repeated_is_no_loop(tool: Tool) -> None:
    """Toggles and polled reads."""
    told = Told()
    assert [told.call(tool) for _ in range(9)] == [False] * 9
    assert told.loops() == []


def test_invalid_call_without_a_result_repeats_its_refusal() -> None:
    """The model was told, and sent the same again."""
    told = Told()
    bad = {"q": 7}
    assert [told.call(READ, None, arguments=bad) for _ in range(3)] == [False, True, True]
    assert told.loops() == [("identical", 3, 2, 3, 0)]


def test_unreadable_arguments_are_known_by_their_text() -> None:
    """They have no value to compare."""
    told = Told()
    sent = ["{", "{", "{]"]
    assert [told.call(READ, None, arguments=one) for one in sent] == [False, True, False]


def test_ping_pong_same_result_and_empty_are_seen() -> None:
    """By the counters of a live run."""
    told = Told()
    for _ in range(4):
        told.call(READ, "a")
        told.call(OTHER, "b")
    assert [loop[:2] for loop in told.loops()] == [
        ("identical", 4),
        ("identical", 4),
        ("ping_pong", 4),
    ]
    told = Told()
    for n in range(6):
        told.call(READ, '["same"]', arguments={"n": n})
    assert told.loops() == [("same_result", 5, 5, 5, 0)]
    told = Told()
    for n in range(10):
        told.call(READ, "[]", arguments={"n": n})
    assert ("empty", 10, 3, 10, 1) in told.loops()


def test_unknown_tool_is_told_of_twice() -> None:
    """The third call of the name would have been stopped."""
    told = Told()
    assert [told.call(None, "no such tool", error=True) for _ in range(3)] == [False, True, True]
    assert told.loops() == [("unknown_tool", 3, 2, 3, 1)]


def test_calls_of_one_message_do_not_count_against_each_other() -> None:
    """The model saw nothing between them; the second one of two is still for nothing."""
    told = Told()
    same = (READ, "r", "", {})
    assert told.message(same, same).repeats == 1
    assert told.loops() == []


def test_words_of_the_user_excuse_one_call() -> None:
    """More messages lie between than the results: the same booking is no repeat then."""
    told = Told()
    told.trace.user_spoke(1, 1)
    told.call(WRITE)
    told.trace.user_spoke(5, 1)
    assert (told.call(WRITE), told.loops()) == (False, [])


def test_results_alone_are_no_words_of_the_user() -> None:
    """A message, its result, and the next message."""
    told = Told()
    told.trace.user_spoke(1, 1)
    told.call(WRITE)
    told.trace.user_spoke(3, 1)
    assert told.call(WRITE)


def test_result_that_is_not_recorded_contradicts_nothing() -> None:
    """Then the arguments count alone."""
    told = Told()
    assert [told.call(READ, one) for one in (None, "r", None)] == [False, True, True]


def test_call_that_was_only_written_was_not_made() -> None:
    """A model that says what it will call, and then calls it, repeats nothing."""
    told = Told()
    told.call(WRITE, None, as_text=True)
    assert (told.call(WRITE, "done"), told.trace.arguable) == (False, 0)


def test_refusal_of_what_brought_something_new_is_arguable() -> None:
    """A fourth identical read, whose result differs."""
    told = Told()
    for result in ("a", "a", "a", "b"):
        told.call(READ, result)
    assert (told.trace.arguable, told.loops()) == (1, [("identical", 3, 2, 3, 0)])


@pytest.mark.parametrize(("after", "arguable"), [("[]", 0), ('["at last"]', 1)])
def test_search_that_was_stopped_may_have_found_something(after: str, arguable: int) -> None:
    """The tenth in a row: whether it was for nothing is known here."""
    told = Told()
    for n in range(9):
        told.call(READ, "[]", arguments={"n": n})
    told.call(READ, after, arguments={"n": 9})
    assert told.trace.arguable == arguable
    assert ("empty", 10 - arguable, 3, 10 - arguable, 1 - arguable) in told.loops()


def test_reply_says_what_it_cost() -> None:
    """The usage stands at its first call; characters of calls and results are counted anyway."""
    told = Told()
    usage = {"input_tokens": 100, "output_tokens": 7}
    reply = told.message(
        (READ, "1234", "", {"usage": usage}), (OTHER, None, "", {"arguments": "{}"})
    )
    assert (reply.calls, reply.tokens) == (2, (100, 7))
    assert reply.size == len('find{"q":"x"}1234look{}')


@pytest.mark.parametrize(
    ("result", "failed", "expected"),
    [
        (None, None, None),
        (None, False, None),
        (None, True, (Status.FAILED, "tool_failed")),
        ("oops", True, (Status.FAILED, "tool_failed")),
        ('{"status": 503}', None, (Status.FAILED, "transient")),
        ("[]", None, (Status.OK, None)),
        ("plain", False, (Status.OK, None)),
    ],
)
def test_outcome_of_a_recorded_result(
    result: object, failed: bool | None, expected: tuple[Status, str | None] | None
) -> None:
    """What is not known is nothing; a text that says «error» is a text."""
    known = outcome("t", result, failed)
    assert (None if known is None else (known.status, known.error_class)) == expected


@given(st.recursive(st.integers() | st.text(), st.lists, max_leaves=50), st.integers(0, 600))
def test_long_results_are_kept_as_hashes(value: object, padding: int) -> None:
    """Equal ones stay equal, others differ, and none is large."""
    text = json.dumps([value, "x" * padding])
    one, same, other = (outcome("t", given, None) for given in (text, text, f"{text[:-1]}, 0]"))
    assert one is not None
    assert same is not None
    assert other is not None
    assert one.data == same.data != other.data
    assert len(json.dumps(one.data)) <= 3_100


def test_loop_as_json() -> None:
    """With the places of its first and latest call."""
    loop = Loop(
        habit=Habit.EMPTY,
        tool="find",
        conversation="c-1",
        first=Place("log", 3),
        last=Place("log", 9),
        turn=4,
        last_turn=12,
        times=5,
    )
    assert loop.to_dict() == {
        "habit": "empty",
        "tool": "find",
        "conversation": "c-1",
        "file": "log",
        "line": 3,
        "last_line": 9,
        "turn": 4,
        "last_turn": 12,
        "times": 5,
        "stopped": 0,
    }
