"""Which calls belong together, and what may still be made in a turn."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail import Status, Tool, ToolCall
from handrail.contract.policy import Settings
from handrail.protocol.asks import AskModel, AskTool, Close, Returned
from handrail.protocol.journal import Journal
from handrail.protocol.seen import Seen
from handrail.protocol.slots import Incoming, Slot
from handrail.protocol.turn import TurnState


def state(**changes: object) -> TurnState:
    """A turn with a read and a write tool."""

    def find(name: str, limit: int = 5) -> str:
        """Find by name."""
        return name

    def save(name: str, size: int) -> str:
        """Save a thing."""
        return name

    tools = {
        "find": Tool.from_function(find),
        "save": Tool.from_function(save, action_type="write"),
    }
    return TurnState("t", tools, Settings().replace(**changes), Journal(), Seen())


def message(turn: TurnState, *calls: tuple[str, str]) -> list[Slot]:
    """One model message with these calls."""
    return turn.step([Incoming(ToolCall(f"c{n}", *call)) for n, call in enumerate(calls)], 1.0)


def attempts(slots: Sequence[Slot]) -> list[int]:
    """The attempt numbers of the calls of a message."""
    return [slot.exchange.attempt if slot.exchange else 0 for slot in slots]


def run(turn: TurnState, slot: Slot, value: object = "done") -> None:
    """The handler returns."""
    assert slot.exchange is not None
    slot.ask = slot.exchange.receive(Returned(value, 2.0))
    turn.answered(slot.exchange)


def test_a_retry_is_known_by_its_tool_not_by_its_id() -> None:
    """Provider ids change with every reply."""
    turn = state()
    message(turn, ("save", '{"name": "a"}'))
    assert attempts(message(turn, ("save", '{"name": "a", "size": "big"}'))) == [2]


def test_parallel_failures_find_their_own_in_another_order() -> None:
    """Three wrong calls, answered in another order, one dropped, one added."""
    turn = state()
    message(turn, *[("save", f'{{"name": "{name}"}}') for name in "abc"])
    again = message(
        turn,
        ("save", '{"name": "c", "size": "x"}'),
        ("save", '{"name": "new", "size": "x"}'),
        ("save", '{"name": "a", "size": "x"}'),
    )
    assert again[0].exchange is not None
    assert again[2].exchange is not None
    assert [one.exchange.first_call.arguments for one in (again[0], again[2])] == [  # type: ignore[union-attr]
        '{"name": "c"}',
        '{"name": "a"}',
    ]
    assert sorted(attempts(again)) == [2, 2, 2]


def test_surplus_calls_open_new_chains() -> None:
    """One failed call, two calls in the next message: one is a retry, one is new."""
    turn = state()
    message(turn, ("save", '{"name": "a"}'))
    slots = message(turn, ("save", '{"name": "b"}'), ("save", '{"name": "a", "size": "x"}'))
    assert attempts(slots) == [1, 2]


def test_the_next_message_without_the_call_gives_it_up() -> None:
    """The model went on: outcome llm_gave_up, written once."""
    turn = state()
    message(turn, ("save", "{}"))
    message(turn, ("find", '{"name": "a"}'))
    outcomes = [entry.outcome for entry in turn.journal if entry.outcome]
    assert outcomes == ["llm_gave_up"]
    assert turn.open_count == 0


def test_closing_the_turn_gives_up_what_is_open() -> None:
    """Nothing stays open behind a closed turn."""
    turn = state()
    message(turn, ("save", "{}"), ("save", '{"name": "b"}'))
    turn.close(9.0)
    assert [entry.outcome for entry in turn.journal if entry.outcome] == ["llm_gave_up"] * 2


def test_a_valid_call_is_never_refused_because_earlier_ones_were_invalid() -> None:
    """Success closes the chain; the next call begins at one."""
    turn = state()
    message(turn, ("save", "{}"))
    (slot,) = message(turn, ("save", '{"name": "a", "size": 1}'))
    assert isinstance(slot.ask, AskTool)
    run(turn, slot)
    assert attempts(message(turn, ("save", '{"name": "b"}'))) == [1]


def test_three_exhausted_chains_withdraw_the_tool() -> None:
    """The tool is gone for this turn, and a call of it is blocked."""
    turn = state(attempts=1)
    for size in range(3):
        message(turn, ("save", f'{{"size": {size}}}'))
    assert turn.withdrawn == {"save"}
    assert [tool.name for tool in turn.visible] == ["find"]
    (slot,) = message(turn, ("save", '{"name": "a", "size": 1}'))
    assert isinstance(slot.ask, Close)
    assert slot.ask.result.code == "BUD-003"


def test_identical_reads_are_refused_after_three() -> None:
    """The same call with the same result: the fourth does not run."""
    turn = state()
    for _ in range(3):
        (slot,) = message(turn, ("find", '{"name": "a"}'))
        run(turn, slot)
    (slot,) = message(turn, ("find", '{"name": "a"}'))
    assert isinstance(slot.ask, Close)
    assert (slot.ask.result.status, slot.ask.result.code) == (Status.REFUSED, "BUD-002")


def test_a_read_whose_result_changes_is_never_refused() -> None:
    """Asking again makes sense while the answer changes."""
    turn = state()
    for number in range(6):
        (slot,) = message(turn, ("find", '{"name": "a"}'))
        assert isinstance(slot.ask, AskTool)
        run(turn, slot, number)


def test_a_write_runs_once_until_something_changes() -> None:
    """The second identical write is refused; after another write it may run."""
    turn = state()
    same, other = '{"name": "a", "size": 1}', '{"name": "b", "size": 1}'
    (slot,) = message(turn, ("save", same))
    run(turn, slot)
    (refused,) = message(turn, ("save", same))
    assert isinstance(refused.ask, Close)
    (between,) = message(turn, ("save", other))
    run(turn, between)
    (again,) = message(turn, ("save", same))
    assert isinstance(again.ask, AskTool)


def test_two_identical_reads_of_one_message_share_one_run() -> None:
    """The second is the twin of the first and never counts."""
    turn = state()
    first, second = message(turn, ("find", '{"name": "a"}'), ("find", '{"name":"a"}'))
    assert second.twin is first
    assert first.twin is None


def test_two_identical_writes_of_one_message_run_once() -> None:
    """The second is refused: sent twice."""
    turn = state()
    call = ("save", '{"name": "a", "size": 1}')
    first, second = message(turn, call, call)
    assert isinstance(first.ask, AskTool)
    assert isinstance(second.ask, Close)
    assert "sent twice" in second.ask.result.content


@pytest.mark.parametrize("times", [1, 2, 3, 4])
def test_an_unknown_tool_is_explained_twice(times: int) -> None:
    """Told at most twice; then blocked."""
    turn = state()
    for _ in range(times):
        (slot,) = message(turn, ("fnd", "{}"))
    assert isinstance(slot.ask, Close)
    expected = Status.REFUSED if times <= 2 else Status.BLOCKED
    assert slot.ask.result.status is expected


def test_an_explicit_chain_is_followed() -> None:
    """The host's own name of a logical call wins over guessing."""
    turn = state()
    bad = ToolCall("c", "save", "{}")
    turn.propose(bad, 1.0, chain="one")
    turn.propose(bad, 1.0, chain="two")
    slot = turn.propose(ToolCall("c", "save", '{"size": "x"}'), 1.0, chain="one")
    assert isinstance(slot.ask, AskModel)
    assert slot.ask.attempt == 2


@given(
    st.lists(
        st.lists(
            st.tuples(
                st.sampled_from(["find", "save", "nope"]),
                st.sampled_from(['{"name": "a"}', "{}", '{"name": "a", "size": 1}', '{"name']),
            ),
            max_size=4,
        ),
        max_size=8,
    )
)
def test_every_call_of_every_message_stands_somewhere(
    messages: list[list[tuple[str, str]]],
) -> None:
    """Each is closed, waits for the model, or runs; closed exchanges have at most one outcome."""
    turn = state()
    for calls in messages:
        for slot in message(turn, *calls):
            assert isinstance(slot.ask, Close | AskModel | AskTool)
            if isinstance(slot.ask, AskTool) and slot.twin is None:
                run(turn, slot)
    turn.close(9.0)
    closed = [entry.exchange for entry in turn.journal if entry.outcome]
    assert len(closed) == len(set(closed))
