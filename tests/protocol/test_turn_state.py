"""The books of a turn: what runs, what is seen, what is withdrawn, and what is written down."""

import json

import pytest

from handrail import Mend, Status, Tool, ToolCall
from handrail.contract.policy import Limits, Settings
from handrail.protocol.asks import (
    Approved,
    AskHuman,
    AskModel,
    AskTool,
    Close,
    Fault,
    Looked,
    Proposed,
    Raised,
    Returned,
)
from handrail.protocol.journal import Journal
from handrail.protocol.run_ledger import RunLedger
from handrail.protocol.seen import Seen
from handrail.protocol.turn import Incoming, TurnState
from turns import find, message, propose, run, save, turn_of

A, B = '{"name": "a"}', '{"name": "b"}'


# attempts


def test_whose_attempts_count() -> None:
    """The policy's for this tool, then the tool's own, then the policy's for all."""
    tools = {"find": Tool.from_function(find, attempts=2)}
    policy = Settings(attempts=5)
    named = TurnState("t", tools, policy, Journal(), Seen(), attempts={"find": 4})
    own = TurnState("t", tools, policy, Journal(), Seen())
    bare = TurnState("t", {"find": Tool.from_function(find)}, policy, Journal(), Seen())
    most = [propose(turn, "find", "{}").ask.max_attempts for turn in (named, own, bare)]  # type: ignore[union-attr]
    assert most == [4, 2, 5]


# what runs


def test_identical_reads_of_a_message_reserve_one_run() -> None:
    """The second holds none; another read and a write stand alone."""
    turn = turn_of()
    saved = ("save", '{"name": "a", "size": 1}')
    one, two, three, four = message(turn, ("find", A), ("find", A), ("find", B), saved)
    assert [slot.twin for slot in (one, two, three, four)] == [None, one, None, None]
    assert one.exchange is not None
    assert two.exchange is not None
    assert one.exchange.made is not None
    assert (one.exchange.made.running, two.exchange.made) == (1, None)


def test_identical_reads_are_found_behind_other_calls() -> None:
    """An unknown tool, a wrong call and a write before them."""
    turn = turn_of()
    saved = ("save", '{"name": "a", "size": 1}')
    slots = message(turn, ("nope", "{}"), ("find", "{}"), saved, ("find", A), ("find", A))
    assert [slot.twin for slot in slots] == [None, None, None, None, slots[3]]


def test_identical_reads_are_found_behind_one_that_waits_for_a_human() -> None:
    """A host may have some reads confirmed."""

    def look(name: str) -> str:
        """Look by name."""
        return name

    tools = {"find": Tool.from_function(find), "look": Tool.from_function(look)}
    turn = TurnState("t", tools, Settings(confirm={"find": True}), Journal(), Seen())
    one, two, three = message(turn, ("find", A), ("look", A), ("look", A))
    assert isinstance(one.ask, AskHuman)
    assert (two.twin, three.twin) == (None, two)


def test_a_read_that_was_held_back_gets_the_result_of_its_twin() -> None:
    """The look-ups of the first were done, and it ran, before those of the second."""
    turn = turn_of()
    turn.scope = lambda tool, value: None
    one, two = message(turn, ("find", A), ("find", A))
    for slot in (one, two):
        assert slot.exchange is not None
        slot.ask = slot.exchange.receive(Looked((None,), 1.0))
        assert isinstance(slot.ask, AskTool)
        if slot is one:
            slot.said = Returned("x", 2.0)
            slot.ask = slot.exchange.receive(slot.said)
    turn.share([one, two])
    assert (one.twin, two.twin) == (None, one)


def test_a_read_that_was_held_back_may_be_answered_at_once() -> None:
    """Where its author lets results be given again."""
    turn = turn_of({"reuse": True})
    turn.scope = lambda tool, value: None
    one, two = message(turn, ("find", A), ("find", A))
    assert one.exchange is not None
    assert two.exchange is not None
    one.exchange.receive(Looked((None,), 1.0))
    run(turn, one, "x")
    again = two.exchange.receive(Looked((None,), 1.0))
    assert isinstance(again, Close)
    assert (again.result.reused, again.result.data) == (True, "x")
    assert again.result.outcome == "no_retry"


@pytest.mark.parametrize(
    "texts",
    [
        ['{"name": "caf\u00e9"}', '{"name": "cafe\u0301"}'],
        [r'{"name": "caf\u00e9"}', r'{"name": "cafe\u0301"}'],
        ['{"name": "a"}', '{"limit": 5, "name": "a"}'],
    ],
)
def test_two_spellings_are_one_call(texts: list[str]) -> None:
    """Of a letter, raw or escaped, and of a default."""
    turn = turn_of()
    for number in range(3):
        run(turn, propose(turn, "find", texts[number % 2]), "same")
    assert isinstance(propose(turn, "find", texts[1]).ask, Close)


@pytest.mark.parametrize("terms", [{"poll": True}, {"repeatable": True}])
def test_what_may_be_repeated_may_stand_beside_another(terms: dict[str, object]) -> None:
    """It is never refused, in whatever company."""
    turn = turn_of(terms)
    for _ in range(6):
        for slot in message(turn, ("find", A), ("find", B)):
            assert isinstance(slot.ask, AskTool)
            run(turn, slot, [])


def test_an_identical_call_is_told_so_before_any_other_loop() -> None:
    """It names the more exact reason, and counts once towards withdrawal."""
    turn = turn_of()
    for name in "aaabcdefg":
        run(turn, propose(turn, "find", f'{{"name": "{name}"}}'), [])
    told = propose(turn, "find", A).ask.result  # type: ignore[union-attr]  # Close
    assert told.code == "BUD-002"
    assert "already called 3 times" in told.content


def test_a_read_that_ran_already_is_no_twin() -> None:
    """Asked again after the look-ups, what has its own result keeps it."""
    turn = turn_of()
    one, two = message(turn, ("find", A), ("find", B))
    for slot in (one, two):
        assert slot.exchange is not None
        slot.said = Returned("x", 2.0)
        slot.ask = slot.exchange.receive(slot.said)
    turn.share([one, two])
    assert (one.twin, two.twin) == (None, None)


def test_a_call_that_is_given_back_does_not_count() -> None:
    """Its run is free again."""
    turn = turn_of()
    for _ in range(5):
        slot = propose(turn, "find", A)
        assert isinstance(slot.ask, AskTool)
        assert slot.exchange is not None
        turn.release(slot.exchange)
        turn.release(slot.exchange)
    assert slot.exchange is not None
    assert slot.exchange.made is None


@pytest.mark.parametrize("terms", [{"poll": True}, {"repeatable": True}])
def test_what_may_be_repeated_is_not_counted(terms: dict[str, object]) -> None:
    """Alone; in one message two equal reads still share one run."""
    turn = turn_of(terms)
    slot = propose(turn, "find", A)
    assert slot.exchange is not None
    assert slot.exchange.made is None
    one, two = message(turn, ("find", A), ("find", A))
    assert two.twin is one


def test_a_destructive_call_twice_in_one_message_is_sent_once() -> None:
    """And shown twice in two messages: a human decides."""
    turn = turn_of()
    one, two = message(turn, ("drop", A), ("drop", A))
    assert isinstance(one.ask, AskHuman)
    assert isinstance(two.ask, Close)
    assert "sent twice" in two.ask.result.content
    assert isinstance(propose(turn, "drop", A).ask, AskHuman)


def test_in_shadow_mode_nothing_is_sent_once() -> None:
    """It blocks nothing, loops and identical calls neither."""
    turn = turn_of(enforce=False)
    one, two = message(turn, ("drop", A), ("drop", A))
    assert isinstance(one.ask, AskTool)
    assert isinstance(two.ask, AskTool)
    for _ in range(6):
        run(turn, propose(turn, "find", A))


def test_a_read_that_is_under_way_is_refused_and_withdraws_nothing() -> None:
    """The fourth at once: wait for the result."""
    turn = turn_of()
    slots = [propose(turn, "find", A) for _ in range(9)]
    assert [type(slot.ask).__name__ for slot in slots] == ["AskTool"] * 3 + ["Close"] * 6
    assert all("is not finished" in slot.ask.result.content for slot in slots[3:])  # type: ignore[union-attr]
    assert turn.withdrawn == set()


def test_a_card_says_how_often_the_call_ran() -> None:
    """In the run, whoever approved it."""
    turn = turn_of()
    counts = []
    for _ in range(3):
        slot = propose(turn, "drop", A)
        assert isinstance(slot.ask, AskHuman)
        assert slot.exchange is not None
        counts.append(slot.ask.card.items[0].already_done)
        slot.exchange.receive(Approved("ann", slot.ask.card.items[0].hash, 1.0))
        run(turn, slot)
    assert counts == [0, 1, 2]


def test_two_calls_of_every_message_are_no_ping_pong() -> None:
    """The model saw nothing between them."""
    turn = turn_of({"max_identical": 99})
    for _ in range(6):
        for slot in message(turn, ("find", A), ("find", B)):
            assert "Note:" not in run(turn, slot, slot.call.arguments).result.content


def test_how_a_call_was_read_is_told_on() -> None:
    """What was mended before the arguments were looked at."""
    turn = turn_of()
    read = Mend("call_text", "", "[find]", "find")
    (slot,) = turn.step([Incoming(ToolCall("c", "find", A), mends=(read,))], 1.0)
    assert run(turn, slot).result.mends == (read,)


# what was seen


def test_only_good_results_are_seen() -> None:
    """Ids of failures are no ids."""
    turn = turn_of()
    run(turn, propose(turn, "find", A), "O-1")
    slot = propose(turn, "find", B)
    assert slot.exchange is not None
    slot.exchange.receive(Raised(Fault("internal", "O-2", "boom"), 2.0))
    propose(turn, "save", '{"name": "O-3"}')
    run(turn, propose(turn, "save", '{"name": "O-3", "size": 1}'), "O-4")
    ids = ("O-1", "O-2", "O-3", "O-4")
    assert [turn.seen(id) for id in ids] == [True, False, False, True]


def test_a_write_outside_the_counts_changes_the_world_too() -> None:
    """A repeatable write is not counted, and reads begin again after it."""
    tools = {
        "find": Tool.from_function(find),
        "save": Tool.from_function(save, action_type="write", repeatable=True),
    }
    turn = TurnState("t", tools, Settings(), Journal(), Seen())
    for _ in range(3):
        run(turn, propose(turn, "find", A))
    run(turn, propose(turn, "save", '{"name": "a", "size": 1}'))
    assert isinstance(propose(turn, "find", A).ask, AskTool)


# what is refused


def test_an_unknown_tool_is_answered_with_the_known_ones() -> None:
    """Those that are not withdrawn; proposal and refusal are written down."""
    turn = turn_of()
    turn.withdrawn.add("save")
    slot = propose(turn, "fnd", "{}", id="x9")
    assert isinstance(slot.ask, Close)
    result = slot.ask.result
    assert (result.call_id, result.tool, result.status) == ("x9", "fnd", Status.REFUSED)
    assert "find" in result.content
    assert "save" not in result.content
    assert (slot.exchange, slot.call.id) == (None, "x9")
    written = [(one.kind, one.tool, one.outcome, one.attempts) for one in turn.journal]
    assert written == [("Proposed", "fnd", None, 1), ("Close", "fnd", None, 1)]
    assert next(iter(turn.journal)).message == Proposed(ToolCall("x9", "fnd", "{}"), 1.0)


def test_a_withdrawn_tool_is_gone_for_new_calls_alone() -> None:
    """What the model was asked to correct may still be corrected."""
    turn = turn_of()
    opened = propose(turn, "save", "{}")
    turn.withdrawn.add("save")
    again = propose(turn, "save", '{"name": "a", "size": 1}')
    assert again.exchange is opened.exchange
    assert isinstance(again.ask, AskTool)
    gone = propose(turn, "save", "{}")
    assert isinstance(gone.ask, Close)
    assert (gone.ask.result.code, gone.ask.result.escalation) == ("BUD-003", None)
    assert "with invalid arguments too often" in gone.ask.result.content


def test_the_ladder_of_refusals() -> None:
    """Refused, refused with a warning, withdrawn for the loop, and in front of a human."""
    turn = turn_of()
    for _ in range(3):
        run(turn, propose(turn, "find", A), "same")
    told = [propose(turn, "find", A).ask.result for _ in range(4)]  # type: ignore[union-attr]
    assert "3 times with exactly these arguments, each time with the same result" in told[0].content
    assert ["will be withdrawn" in one.content for one in told] == [False, True, False, False]
    looping = "it was called again and again without anything new"
    assert [looping in one.content for one in told] == [False, False, True, True]
    assert [one.escalation is not None for one in told] == [False, False, False, True]


def test_a_refused_retry_has_an_outcome() -> None:
    """The model had been asked, and corrected the call."""
    turn = turn_of()
    for _ in range(3):
        run(turn, propose(turn, "find", A), "same")
    assert propose(turn, "find", A).ask.result.outcome is None  # type: ignore[union-attr]  # Close
    propose(turn, "find", "{}")
    assert propose(turn, "find", A).ask.result.outcome == "success"  # type: ignore[union-attr]


@pytest.mark.parametrize("enforce", [False, True])
def test_what_is_left_as_it_was_is_stopped_unless_only_watched(enforce: bool) -> None:
    """At the fifth time; the first is told nothing of it."""
    turn = turn_of(enforce=enforce)
    told = []
    for _ in range(5):
        told.append(message(turn, ("save", '{"na'))[0].ask)
        message(turn)
    texts = ["came back unchanged" in ask.result.content for ask in told[:4]]  # type: ignore[union-attr]
    assert texts == [False, enforce, enforce, enforce]
    assert isinstance(told[4], Close) == enforce


def test_a_blocked_call_is_told_in_the_form_of_the_policy() -> None:
    """One that is refused already was."""
    turn = turn_of(form="json")
    turn.withdrawn.add("save")
    blocked, unknown = message(turn, ("save", "{}"), ("nope", "{}"))
    for slot in (blocked, unknown):
        assert isinstance(slot.ask, Close)
        told = json.loads(slot.ask.result.content)
        assert (told["tool"], told["code"]) == (slot.call.name, slot.ask.result.code)


def test_limits_hold_within_a_message() -> None:
    """Each call is answered; what would correct one is no new call."""
    turn = turn_of(limits=Limits(calls=2))
    one, two, three, unknown = message(
        turn, ("save", "{}"), ("find", A), ("find", B), ("nope", "{}")
    )
    assert [type(slot.ask).__name__ for slot in (one, two, three)] == [
        "AskModel",
        "AskTool",
        "Close",
    ]
    assert three.ask.result.code == "BUD-004"  # type: ignore[union-attr]  # Close
    assert unknown.ask.result.code == "BUD-004"  # type: ignore[union-attr]  # Close
    (again,) = message(turn, ("save", '{"name": "a", "size": 1}'))
    assert isinstance(again.ask, AskTool)


def test_without_limits_nothing_is_counted() -> None:
    """In shadow mode neither."""
    assert turn_of().limits is None
    assert turn_of(enforce=False, limits=Limits(calls=2)).limits is None


def test_attempts_spent_by_repetition_count_towards_withdrawal() -> None:
    """As much as those that were simply spent; other ends do not."""
    turn = turn_of(attempts=5, withdraw_after=2)
    for _ in range(2):
        for _ in range(3):
            slot = propose(turn, "save", "{}")
        assert slot.exchange is not None
        assert slot.exchange.result is not None
        assert slot.exchange.result.outcome == "redundant"
    assert turn.withdrawn == {"save"}


def test_the_turns_of_a_run_share_their_counts() -> None:
    """And a turn of its own has its own."""
    ledger = RunLedger()
    tools = {"find": Tool.from_function(find)}
    for _ in range(3):
        turn = TurnState("t", tools, Settings(), Journal(), Seen(), ledger=ledger)
        run(turn, propose(turn, "find", A))
    assert ledger.steps == 3
    assert isinstance(propose(turn, "find", A).ask, Close)
    assert isinstance(propose(turn_of(), "find", A).ask, AskTool)
    assert not turn_of().strict


def test_a_message_is_one_step() -> None:
    """However many calls it has; two calls of one are not alone in it."""
    ledger = RunLedger()
    turn = TurnState(
        "t", {"find": Tool.from_function(find)}, Settings(), Journal(), Seen(), ledger=ledger
    )
    slots = message(turn, ("find", A), ("find", B))
    assert (ledger.steps, [slot.exchange.step for slot in slots]) == (1, [1, 1])  # type: ignore[union-attr]
    assert message(turn, ("find", "{}"))[0].exchange.step == 2  # type: ignore[union-attr]
    assert isinstance(propose(turn, "find", "{}").ask, AskModel)
    assert ledger.steps == 3
