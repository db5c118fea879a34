"""The books of a turn: what is open, what runs, what is withdrawn, and what is written down."""

import pytest

from handrail import Status, Tool, ToolCall
from handrail.contract.policy import Limits, Settings
from handrail.protocol.asks import (
    Approved,
    AskHuman,
    AskModel,
    AskTool,
    Close,
    Fault,
    Proposed,
    Raised,
    Returned,
)
from handrail.protocol.journal import Journal
from handrail.protocol.run_ledger import RunLedger
from handrail.protocol.seen import Seen
from handrail.protocol.turn import Incoming, Slot, TurnState


def find(name: str, limit: int = 5) -> str:
    """Find by name."""
    return name


def save(name: str, size: int) -> str:
    """Save a thing."""
    return name


def drop(name: str) -> str:
    """Drop a thing."""
    return name


def turn_of(terms: dict[str, object] | None = None, **changes: object) -> TurnState:
    """A turn with a read, a write and a destructive tool."""
    tools = [
        Tool.from_function(find, **(terms or {})),
        Tool.from_function(save, action_type="write"),
        Tool.from_function(drop, action_type="destructive"),
    ]
    named = {tool.name: tool for tool in tools}
    return TurnState("t", named, Settings().replace(**changes), Journal(), Seen())


def propose(turn: TurnState, name: str, text: str, chain: str | None = None, id: str = "c") -> Slot:
    """One call, a message of its own."""
    return turn.propose(ToolCall(id, name, text), 1.0, None, chain)


def message(turn: TurnState, *calls: tuple[str, str]) -> list[Slot]:
    """One model message with these calls."""
    return turn.step([Incoming(ToolCall(f"c{n}", *call)) for n, call in enumerate(calls)], 1.0)


def run(turn: TurnState, slot: Slot, value: object = "done") -> Close:
    """The handler returns."""
    assert slot.exchange is not None
    ask = slot.exchange.receive(Returned(value, 2.0))
    turn.answered(slot.exchange)
    assert isinstance(ask, Close)
    return ask


A, B = '{"name": "a"}', '{"name": "b"}'


# what belongs together


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


# what was seen


def test_only_good_results_are_seen() -> None:
    """Ids of failures are no ids."""
    turn = turn_of()
    run(turn, propose(turn, "find", A), "O-1")
    slot = propose(turn, "find", B)
    assert slot.exchange is not None
    slot.exchange.receive(Raised(Fault("internal", "O-2", "boom"), 2.0))
    propose(turn, "save", '{"name": "O-3"}')
    assert [turn.seen(id) for id in ("O-1", "O-2", "O-3")] == [True, False, False]


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
