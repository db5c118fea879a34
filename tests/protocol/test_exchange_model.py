"""What the model is asked of a call, field by field, and where it ends."""

import json

import pytest

from exchanges import BAD, closed, exchange_after, exchange_of, propose
from handrail import ProtocolError, Status, Tool
from handrail.contract.escalation import bounded_history
from handrail.contract.policy import PRESETS, Limits, Settings
from handrail.protocol.asks import (
    AskModel,
    AskTool,
    Cancelled,
    GaveUp,
    Returned,
)
from handrail.protocol.exchange import Exchange
from handrail.protocol.journal import Journal
from handrail.protocol.seen import Seen
from handrail.protocol.turn import TurnState


def test_the_history_holds_every_attempt_that_was_wrong() -> None:
    """Its number, its issues, its time and its id; at most eight issues as they are."""
    exchange = exchange_of()
    propose(exchange, BAD, "a", 10.0)
    second = propose(exchange, '{"order_id": 5, "page": "x"}', "b", 11.0)
    assert isinstance(second, AskModel)
    assert second.result.history == exchange.history
    assert [(one.number, one.at, one.call_id) for one in exchange.history] == [
        (1, 10.0, "a"),
        (2, 11.0, "b"),
    ]
    assert [[issue.path for issue in one.issues] for one in exchange.history] == [
        ["/order_id"],
        ["/order_id", "/page"],
    ]
    assert [issue.path for issue in second.result.issues] == ["/order_id", "/page"]
    assert (second.attempt, second.result.attempt, second.result.call_id) == (2, 2, "b")
    assert exchange.first_call is not None
    assert exchange.first_call.id == "a"


def test_the_journal_has_both_sides_of_every_step() -> None:
    """Attempts as they were judged, and the outcome where it was decided."""
    exchange = exchange_of()
    propose(exchange, BAD)
    propose(exchange)
    exchange.receive(Returned("fine", 12.0))
    entries = list(exchange._turn.journal)
    assert [(one.kind, one.outcome, one.attempts) for one in entries] == [
        ("Proposed", None, 1),
        ("AskModel", None, 1),
        ("Proposed", None, 2),
        ("AskTool", None, 2),
        ("Returned", None, 2),
        ("Close", "success", 2),
    ]
    assert {(one.exchange, one.tool) for one in entries} == {("t.1", "order")}


def test_a_refused_call_has_an_outcome_only_on_a_retry() -> None:
    """A placeholder is refused at once; whoever was asked before has had a retry."""
    text = '{"order_id": "quick-fox-123", "message_id": "x"}'
    tool = Tool("order", "Order.", None, {"properties": {"message_id": {"type": "string"}}})
    policy = Settings(seen_ids=True)
    outcomes = []
    for first in (False, True):
        turn = TurnState("t", {"order": tool}, policy, Journal(), Seen())
        exchange = Exchange("t.1", tool, turn)
        if first:
            propose(exchange, '{"message_id": 5}')
        ask = closed(propose(exchange, text.replace('"x"', '"quick-fox-123"'), "b"))
        assert ask.result.status is Status.REFUSED
        assert "came back" not in ask.result.content
        outcomes.append((ask.result.outcome, ask.result.call_id, ask.result.issues[0].code))
    assert outcomes == [(None, "b", "VAL-017"), ("fabricated_id_on_retry", "b", "VAL-017")]


def test_a_third_repetition_that_also_spends_the_attempts_is_redundant() -> None:
    """The model is told of the attempts, the outcome says why words did not help."""
    exchange = exchange_of()
    for _ in range(3):
        ask = propose(exchange, BAD)
    result = closed(ask).result
    assert (result.code, result.outcome, result.issues[0].path) == ("BUD-001", "redundant", "")
    assert result.issues[0].message == "No attempts left: 3 of 3 used"
    assert result.escalation is not None
    assert result.escalation.call.id == "a"


def test_what_is_left_as_it_was_is_not_asked_about_for_ever() -> None:
    """Told that it came back from the second call on, and stopped at the fifth."""
    first = exchange_of()
    turn = first._turn
    texts, exchange = [], first
    for number in range(2, 6):
        ask = propose(exchange, BAD)
        assert isinstance(ask, AskModel)
        texts.append("came back unchanged" in ask.result.content)
        exchange.receive(GaveUp(11.0))
        exchange = Exchange(f"t.{number}", first.tool, turn)
    assert texts == [False, True, True, True]
    result = closed(propose(exchange, BAD)).result
    assert (result.code, result.outcome) == ("BUD-003", "redundant")


def test_the_model_reads_which_attempt_this_was() -> None:
    """And how many there are."""
    exchange = exchange_of(attempts=5)
    texts = [propose(exchange, text).result.content for text in (BAD, '{"order_id": 5}')]  # type: ignore[attr-defined]  # AskModel
    assert ["attempt 1/5" in texts[0], "attempt 2/5" in texts[1]] == [True, True]


def test_a_history_shows_ten_issues_of_an_attempt_and_is_bounded() -> None:
    """However much was wrong, and however often."""
    names = {f"field_{n}_{'x' * 300}": {"type": "integer"} for n in range(30)}
    tool = Tool("order", "Order.", None, {"properties": names, "type": "object"})
    turn = TurnState("t", {"order": tool}, Settings(attempts=10), Journal(), Seen())
    exchange = Exchange("t.1", tool, turn, max_attempts=10)
    for number in range(1, 10):
        propose(exchange, json.dumps(dict.fromkeys(names, f"no {number}")))
        if number == 1:
            assert len(exchange.history[0].issues) == 10
    assert exchange.history
    assert exchange.history == bounded_history(exchange.history)


def test_an_answer_out_of_turn_is_told_in_full() -> None:
    """What may be said instead; after the end nothing."""
    exchange = exchange_of()
    with pytest.raises(ProtocolError) as told:
        exchange.receive(Returned("x", 1.0))
    assert str(told.value) == (
        "Returned is out of turn for 'order': awaited is model, "
        "which may say Proposed, GaveUp, Cancelled"
    )
    exchange.receive(Cancelled(1.0))
    with pytest.raises(ProtocolError, match=r"awaited is nobody, which may say nothing$"):
        exchange.receive(Cancelled(1.0))


def test_a_third_repetition_alone_is_no_progress() -> None:
    """Words do not help, and the attempts that are left would not."""
    exchange = exchange_of(attempts=5)
    for _ in range(3):
        ask = propose(exchange, BAD)
    result = closed(ask).result
    (issue,) = result.issues
    assert (result.code, result.outcome, issue.path) == ("BUD-003", "redundant", "")
    assert issue.message == "The same invalid arguments came back again and again"


def test_arguments_that_come_back_once_are_told_so() -> None:
    """Not at the first attempt, and not for other arguments."""
    exchange = exchange_of(policy=Settings(attempts=5))
    texts = [
        propose(exchange, text).result.content  # type: ignore[attr-defined]  # AskModel
        for text in (BAD, '{"order_id": 5}')
    ]
    assert not any("came back unchanged" in text for text in texts)
    assert "came back unchanged" in propose(exchange_after(BAD), BAD).result.content  # type: ignore[attr-defined]  # AskModel


def test_the_run_may_keep_the_model_from_being_asked_again() -> None:
    """The call ends, with its history, in front of a human."""
    exchange = exchange_of(policy=Settings(limits=Limits(retries=0)))
    result = closed(propose(exchange, BAD)).result
    assert (result.code, result.outcome, result.call_id) == ("BUD-004", "exhausted", "a")
    assert result.escalation is not None
    assert [one.call_id for one in result.escalation.attempts] == ["a"]
    assert "0 retries" in result.content


def test_giving_up_says_what_was_wrong() -> None:
    """The issues of the last attempt; without any attempt there is no outcome."""
    exchange = exchange_after(BAD)
    result = closed(exchange.receive(GaveUp(11.0))).result
    assert (result.outcome, result.status) == ("llm_gave_up", Status.INVALID)
    assert [issue.path for issue in result.issues] == ["/order_id"]
    result = closed(exchange_of().receive(GaveUp(11.0))).result
    assert (result.outcome, result.issues, result.call_id) == ("", (), "")
    assert result.attempt == 1


def test_nulls_that_a_strict_form_forces_are_no_values() -> None:
    """Only for the tools that were published so."""
    text = '{"order_id": "O-1", "page": null}'
    exact = Settings(**PRESETS["strict"])
    assert isinstance(propose(exchange_of(policy=exact), text), AskModel)
    exchange = exchange_of(policy=exact)
    exchange._turn.strict.add("order")
    run = propose(exchange, text)
    assert isinstance(run, AskTool)
    assert run.arguments == {"order_id": "O-1"}
