"""The laws of one call, over random conversations."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail import ProtocolError, Status, Tool, ToolCall
from handrail.contract.policy import Settings
from handrail.protocol.asks import (
    AWAITED,
    TURNS,
    Approved,
    Ask,
    AskHuman,
    AskModel,
    AskTool,
    Cancelled,
    Close,
    Denied,
    Edited,
    Expired,
    Fault,
    GaveUp,
    Looked,
    Lost,
    Party,
    Proposed,
    Raised,
    Returned,
    Started,
)
from handrail.protocol.exchange import Exchange
from handrail.protocol.journal import Journal
from handrail.protocol.seen import Seen
from handrail.protocol.turn import TurnState

ARGUMENTS = [
    '{"order_id": "O-1"}',
    '{"order_id": 7}',
    "{}",
    '{"order_id": "<ORDER_ID>"}',
    '{"order_id": "O-1", "message_id": "quick-fox-123"}',
    '{"order_id": "O-',
    "[1]",
    '{"order_id": "O-1", "extra": true}',
]
FAULTS = [Fault("internal", "r1", "KeyError"), Fault("transient", "r2", "TimeoutError")]


def order(order_id: str) -> str:
    """Do something with an order."""
    return order_id


PROPOSALS = [
    Proposed(ToolCall("c", "order", text), 1.0, ended)
    for text in ARGUMENTS
    for ended in (None, "stop", "length")
]
REST = [
    GaveUp(2.0),
    Looked((), 2.0),
    Looked((None,), 2.0),
    Looked(("no",), 2.0),
    Approved("ann", "right", 2.0),
    Approved("ann", "wrong", 2.0),
    Edited({"order_id": "O-2"}, "ann", 2.0),
    Edited({}, "ann", 2.0),
    Denied("ann", "no", 2.0),
    Expired(2.0),
    Started(2.0),
    Returned("done", 3.0),
    Returned(None, 3.0),
    *(Raised(fault, 3.0) for fault in FAULTS),
    Lost(3.0),
    Cancelled(3.0),
]
ANSWERS = st.sampled_from(PROPOSALS) | st.sampled_from(REST)


def exchange_of(action_type: str = "write", attempts: int = 3) -> Exchange:
    """A new exchange in a turn of its own."""
    tool = Tool.from_function(order, action_type=action_type)
    turn = TurnState("t", {"order": tool}, Settings(), Journal(), Seen())
    return Exchange("t.1", tool, turn, max_attempts=attempts)


def said(answer: object, ask: Ask | None) -> object:
    """The answer with the hash of the card in place of «right»."""
    if isinstance(answer, Approved) and answer.hash == "right" and isinstance(ask, AskHuman):
        return answer._replace(hash=ask.card.items[0].hash)
    return answer


def talk(exchange: Exchange, answers: list[object]) -> list[Ask]:
    """Say everything, in turn or not; only ProtocolError may escape."""
    asks: list[Ask] = []
    for answer in answers:
        before = (exchange.waiting, exchange.attempt, exchange.history)
        try:
            asks.append(exchange.receive(said(answer, asks[-1] if asks else None)))
        except ProtocolError:
            assert before == (exchange.waiting, exchange.attempt, exchange.history)
    return asks


@given(
    st.lists(ANSWERS, max_size=20),
    st.sampled_from(["read", "write", "destructive"]),
    st.integers(1, 5),
)
def test_laws_of_a_conversation(answers: list[object], action: str, attempts: int) -> None:
    """One close at most, one run and its re-runs, bounded retries, nothing invalid ever runs."""
    exchange = exchange_of(action, attempts)
    asks = talk(exchange, answers)
    kinds = Counter(type(ask) for ask in asks)
    assert kinds[Close] <= 1
    assert kinds[AskModel] <= attempts - 1
    started = sum(type(answer) is Started for answer in answers)
    reruns = 2 if action == "read" else 0
    assert kinds[AskTool] <= 1 + started + reruns
    assert (exchange.waiting is Party.NOBODY) == (kinds[Close] == 1)
    for ask in asks:
        if type(ask) is AskTool:
            assert isinstance(ask.arguments["order_id"], str)
            assert ask.arguments["order_id"].startswith("O-")
    if action == "destructive" and kinds[AskTool]:
        assert any(type(answer) is Approved for answer in answers)


@given(st.lists(ANSWERS, max_size=20))
def test_every_ask_is_in_the_table(answers: list[object]) -> None:
    """Who is awaited after each answer is what the table allows."""
    exchange = exchange_of("destructive")
    ask: Ask | None = None
    for answer in answers:
        before = exchange.waiting
        try:
            ask = exchange.receive(said(answer, ask))
        except ProtocolError:
            assert type(answer) not in TURNS[before]
            continue
        assert AWAITED[type(ask)] in TURNS[before][type(answer)]
        assert exchange.waiting is AWAITED[type(ask)]


def test_an_answer_out_of_turn_names_who_is_awaited() -> None:
    """The programmer is told who was awaited and what may be said."""
    with pytest.raises(ProtocolError, match="awaited is model, which may say Proposed"):
        exchange_of().receive(Returned("x", 1.0))


def test_a_call_is_judged_corrected_and_run() -> None:
    """Wrong, told what to change, right, run once, closed."""
    exchange = exchange_of()
    first = exchange.receive(Proposed(ToolCall("a", "order", "{}"), 1.0))
    assert isinstance(first, AskModel)
    assert (first.attempt, first.max_attempts) == (1, 3)
    second = exchange.receive(Proposed(ToolCall("b", "order", ARGUMENTS[0]), 2.0))
    assert isinstance(second, AskTool)
    closed = exchange.receive(Returned("fine", 3.0))
    assert isinstance(closed, Close)
    assert closed.result.outcome == "success"
    assert [one.call_id for one in closed.result.history] == ["a"]
    assert closed.result.duration_ms == 1000.0


def test_spent_attempts_end_in_front_of_a_human() -> None:
    """After three different wrong attempts the call is blocked, with its history."""
    exchange = exchange_of()
    for text in ("{}", '{"order_id": 1}', '{"order_id": 2}'):
        ask = exchange.receive(Proposed(ToolCall("a", "order", text), 1.0))
    assert isinstance(ask, Close)
    assert ask.result.status is Status.BLOCKED
    assert ask.result.code == "BUD-001"
    assert ask.result.outcome == "exhausted"
    assert ask.result.escalation is not None
    assert len(ask.result.escalation.attempts) == 3


def test_the_second_repetition_of_bad_arguments_closes_early() -> None:
    """Two repetitions are enough to know that words do not help."""
    exchange = exchange_of(attempts=5)
    asks = [exchange.receive(Proposed(ToolCall("a", "order", "{}"), 1.0)) for _ in range(3)]
    assert "came back unchanged" in asks[1].result.content  # type: ignore[union-attr]  # AskModel
    closed = asks[2]
    assert isinstance(closed, Close)
    assert (closed.result.outcome, closed.result.code) == ("redundant", "BUD-003")


def test_an_invented_id_on_a_retry_closes_the_call() -> None:
    """A retry that invents an id is not retried again."""

    def read(message_id: str) -> str:
        """Read a message."""
        return message_id

    tool = Tool.from_function(read)
    turn = TurnState("t", {"read": tool}, Settings(), Journal(), Seen())
    exchange = Exchange("t.1", tool, turn)
    exchange.receive(Proposed(ToolCall("a", "read", "{}"), 1.0))
    text = '{"message_id": "quick-fox-123"}'
    ask = exchange.receive(Proposed(ToolCall("b", "read", text), 1.0))
    assert isinstance(ask, Close)
    assert (ask.result.status, ask.result.outcome) == (Status.REFUSED, "fabricated_id_on_retry")


def test_approval_binds_what_runs() -> None:
    """Another hash than the card's does not run; the card's own does, byte for byte."""
    wrong, right = exchange_of("destructive"), exchange_of("destructive")
    proposed = Proposed(ToolCall("a", "order", ARGUMENTS[0]), 1.0)
    card = right.receive(proposed).card  # type: ignore[union-attr]  # AskHuman
    wrong.receive(proposed)
    refused = wrong.receive(Approved("ann", "0" * 64, 2.0))
    assert isinstance(refused, Close)
    assert refused.result.status is Status.DENIED
    run = right.receive(Approved("ann", card.items[0].hash, 2.0))
    assert isinstance(run, AskTool)
    assert run.arguments == {"order_id": "O-1"}


def test_an_edit_is_judged_again_and_asked_again() -> None:
    """An invalid edit leaves the card as it was; a valid one makes a new hash."""
    exchange = exchange_of("destructive")
    first = exchange.receive(Proposed(ToolCall("a", "order", ARGUMENTS[0]), 1.0))
    same = exchange.receive(Edited({"order_id": 5}, "ann", 2.0))
    other = exchange.receive(Edited({"order_id": "O-2"}, "ann", 2.0))
    hashes = [ask.card.items[0].hash for ask in (first, same, other)]  # type: ignore[union-attr]
    assert hashes[0] == hashes[1]
    assert hashes[0] != hashes[2]


def test_the_text_of_an_exception_never_reaches_the_model() -> None:
    """The model gets a class and a reference; the operator gets the rest."""
    exchange = exchange_of()
    exchange.receive(Proposed(ToolCall("a", "order", ARGUMENTS[0]), 1.0))
    fault = Fault("internal", "ab12", "KeyError: 'secret-host'")
    closed = exchange.receive(Raised(fault, 2.0))
    assert isinstance(closed, Close)
    assert "secret-host" not in closed.result.content
    assert "ab12" in closed.result.content
    assert "secret-host" in (closed.result.host_advice or "")
