"""Which call of a turn continues which."""

from handrail import ToolCall
from handrail.protocol.asks import (
    AskHuman,
)
from handrail.protocol.turn import Incoming
from turns import message, propose, run, turn_of

A, B = '{"name": "a"}', '{"name": "b"}'


def test_a_single_call_continues_the_likest_open_one() -> None:
    """The one whose values it kept; of one, whatever it kept."""
    turn = turn_of()
    message(turn, *[("save", f'{{"name": "{name}"}}') for name in "abc"])
    again = propose(turn, "save", '{"name": "b", "size": "x"}')
    assert again.exchange is not None
    assert again.exchange.first_call is not None
    assert (again.exchange.first_call.arguments, again.exchange.attempt) == (B, 2)
    assert propose(turn, "find", "{}").exchange.attempt == 1  # type: ignore[union-attr]  # placed


def test_a_single_call_gives_nothing_up() -> None:
    """It is not the whole of what the model said."""
    turn = turn_of()
    propose(turn, "save", "{}")
    propose(turn, "find", "{}")
    assert (turn.open_count, turn.expected) == (2, ["save", "find"])
    run(turn, propose(turn, "find", A))
    assert (turn.open_count, turn.expected) == (1, ["save"])
    turn.close(3.0)
    assert (turn.open_count, turn.expected) == (0, [])


def test_of_two_open_calls_one_may_be_corrected() -> None:
    """The likest, first or second; the other one stays open."""
    for number, name in enumerate("ab"):
        turn = turn_of()
        message(turn, ("save", A), ("save", B))
        slot = propose(turn, "save", f'{{"name": "{name}", "size": 1}}')
        assert slot.exchange is not None
        assert slot.exchange.id == f"t.{number + 1}"
        run(turn, slot)
        assert (turn.open_count, turn.expected) == (1, ["save"])


def test_sixty_four_open_calls_are_compared() -> None:
    """Alone and in a message: a later one is not found again by what it holds."""
    calls = [("save", f'{{"name": "{number}"}}') for number in range(65)]
    last = ("save", '{"name": "64", "size": "x"}')
    turn = turn_of()
    message(turn, *calls)
    assert propose(turn, *last).exchange.id == "t.1"  # type: ignore[union-attr]  # placed
    turn = turn_of()
    message(turn, *calls)
    assert message(turn, last)[0].exchange.id == "t.1"  # type: ignore[union-attr]  # placed


def test_each_tool_of_a_message_is_matched() -> None:
    """Whether or not something of another one is open."""
    turn = turn_of()
    message(turn, ("save", "{}"))
    found, saved = message(turn, ("find", A), ("save", '{"name": "a"}'))
    assert [slot.exchange.attempt for slot in (found, saved)] == [1, 2]  # type: ignore[union-attr]


def test_why_a_reply_ended_is_told_on() -> None:
    """A call that was cut at the limit of tokens has advice for the operator."""
    turn = turn_of()
    cut = ToolCall("c", "find", '{"name": 5}')
    codes = [turn.propose(cut, 1.0, reason).ask.result.code for reason in (None, "length")]  # type: ignore[union-attr]
    assert codes == ["VAL-002", "VAL-011"]


def test_a_chain_is_of_one_tool_and_ends() -> None:
    """Another tool's call under the same name is its own; so is one after the end."""
    turn = turn_of()
    first = propose(turn, "save", "{}", "one")
    other = propose(turn, "find", "{}", "one")
    assert other.exchange is not first.exchange
    done = propose(turn, "find", A, "one")
    assert done.exchange is other.exchange
    run(turn, done)
    after = propose(turn, "find", "{}", "one")
    assert after.exchange is not other.exchange


def test_nothing_is_kept_of_chains_that_ended() -> None:
    """A host may name as many as it likes."""
    turn = turn_of()
    for number in range(5):
        propose(turn, "save", "{}", f"chain {number}")
        run(turn, propose(turn, "save", f'{{"name": "a", "size": {number}}}', f"chain {number}"))
    assert (turn._chains, turn._open) == ({}, {})


def test_chains_are_followed_within_a_message() -> None:
    """Their calls are not also matched by what they hold."""
    turn = turn_of()
    bad = ToolCall("c", "save", A)
    turn.step([Incoming(bad, chain="one"), Incoming(bad, chain="two")], 1.0)
    one, two, free = turn.step(
        [
            Incoming(ToolCall("d", "save", '{"name": "z"}'), chain="two"),
            Incoming(ToolCall("e", "save", A), chain="one"),
            Incoming(ToolCall("f", "save", A)),
        ],
        2.0,
    )
    assert [slot.exchange.id for slot in (one, two, free)] == ["t.2", "t.1", "t.3"]  # type: ignore[union-attr]
    assert [slot.exchange.attempt for slot in (one, two, free)] == [2, 2, 1]  # type: ignore[union-attr]


def test_a_call_that_waits_for_a_human_is_no_open_one() -> None:
    """A new call of its chain is new, and what waits goes on waiting."""
    turn = turn_of()
    first = propose(turn, "drop", A, "one")
    assert isinstance(first.ask, AskHuman)
    second = propose(turn, "drop", B, "one")
    assert second.exchange is not first.exchange
    assert turn.open_count == 0


def test_calls_are_numbered() -> None:
    """Those of unknown tools and refused ones too; the ids begin with the turn's."""
    turn = turn_of()
    propose(turn, "find", A)
    propose(turn, "nope", "{}")
    slot = propose(turn, "find", B)
    assert slot.exchange is not None
    assert slot.exchange.id == "t.3"
    assert [entry.exchange for entry in turn.journal] == ["t.1", "t.1", "t.2", "t.2", "t.3", "t.3"]
