"""What each party of a call is asked and what its answer does, field by field."""

import pytest

from handrail import Status, Tool, ToolCall
from handrail.contract.policy import Limits, Settings
from handrail.protocol.asks import (
    Approved,
    AskHost,
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
    Proposed,
    Raised,
    Returned,
    Started,
)
from handrail.protocol.exchange import Exchange
from handrail.protocol.journal import Journal
from handrail.protocol.seen import Seen
from handrail.protocol.turn import TurnState

GOOD, BAD = '{"order_id": "O-1"}', "{}"
INTERNAL = Fault("internal", "r1", "KeyError: 'x'")
TRANSIENT = Fault("transient", "r2", "TimeoutError")


def order(order_id: str, page: int = 1) -> str:
    """Do something with an order."""
    return order_id


def exchange_of(
    action_type: str = "write",
    *,
    policy: Settings | None = None,
    terms: dict[str, object] | None = None,
    user: object = None,
    scope: object = None,
) -> Exchange:
    """A new exchange in a turn of its own."""
    tool = Tool.from_function(order, action_type=action_type, **(terms or {}))
    turn = TurnState(
        "t",
        {"order": tool},
        policy or Settings(),
        Journal(),
        Seen(),
        user=user,
        scope=scope,  # type: ignore[arg-type]  # a function of two
    )
    return Exchange("t.1", tool, turn)


def propose(exchange: Exchange, text: str = GOOD, id: str = "a", at: float = 10.0) -> object:
    """The model proposes this."""
    return exchange.receive(Proposed(ToolCall(id, "order", text), at))


def closed(ask: object) -> Close:
    """The end of it."""
    assert isinstance(ask, Close)
    return ask


# the model


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
        outcomes.append((ask.result.outcome, ask.result.call_id, ask.result.issues[0].code))
    assert outcomes == [(None, "b", "VAL-017"), ("fabricated_id_on_retry", "b", "VAL-017")]


def test_a_third_repetition_that_also_spends_the_attempts_is_redundant() -> None:
    """The model is told of the attempts, the outcome says why words did not help."""
    exchange = exchange_of()
    for _ in range(3):
        ask = propose(exchange, BAD)
    result = closed(ask).result
    assert (result.code, result.outcome, result.issues[0].path) == ("BUD-001", "redundant", "")
    assert "3" in result.issues[0].message
    assert result.escalation is not None
    assert result.escalation.call.id == "a"


def test_arguments_that_come_back_once_are_told_so() -> None:
    """Not at the first attempt, and not for other arguments."""
    exchange = exchange_of(policy=Settings(attempts=5))
    texts = [
        propose(exchange, text).result.content  # type: ignore[attr-defined]  # AskModel
        for text in (BAD, '{"order_id": 5}')
    ]
    assert not any("came back unchanged" in text for text in texts)
    assert "came back unchanged" in propose(exchange_after(BAD), BAD).result.content  # type: ignore[attr-defined]  # AskModel


def exchange_after(*texts: str) -> Exchange:
    """With these attempts behind it."""
    exchange = exchange_of()
    for text in texts:
        propose(exchange, text)
    return exchange


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


# the host


def test_the_host_is_asked_about_the_scope_of_a_clean_call_alone() -> None:
    """With the name of the tool and the arguments; its finding refuses."""
    asked: list[object] = []
    exchange = exchange_of(scope=lambda tool, value: asked.append((tool, value)))
    assert isinstance(propose(exchange, BAD), AskModel)
    ask = propose(exchange)
    assert isinstance(ask, AskHost)
    assert ask.arguments == {"order_id": "O-1"}
    for lookup in ask.lookups:
        lookup(ask.arguments)
    assert asked == [("order", {"order_id": "O-1"})]
    assert isinstance(exchange.receive(Looked((None,), 12.0)), AskTool)


def test_the_host_is_asked_again_after_an_approval() -> None:
    """Days may have passed; what it finds then closes the call."""
    exchange = exchange_of("destructive", scope=lambda tool, value: None)
    propose(exchange)
    card = exchange.receive(Looked((None,), 11.0))
    assert isinstance(card, AskHuman)
    approved = Approved("ann", card.card.items[0].hash, 12.0)
    assert isinstance(exchange.receive(approved), AskHost)
    run = exchange.receive(Looked((None,), 13.0))
    assert isinstance(run, AskTool)
    assert closed(exchange.receive(Returned("x", 15.0))).result.duration_ms == 2_000.0


# the human


def test_a_card_says_all_that_is_decided_about() -> None:
    """The completed arguments, their hash, who may decide, and until when."""
    terms: dict[str, object] = {"effects": ["orders"]}
    exchange = exchange_of("destructive", terms=terms, user="ann")
    ask = propose(exchange)
    assert isinstance(ask, AskHuman)
    (item,) = ask.card.items
    assert (item.tool, item.action_type, item.effects) == ("order", "destructive", ("orders",))
    assert item.description == "Do something with an order."
    assert (item.arguments, item.already_done) == ({"order_id": "O-1", "page": 1}, 0)
    assert (ask.card.id, ask.card.user, ask.card.expires_at) == ("t.1", "ann", 910.0)
    assert ask.card.fingerprint == exchange.tool.fingerprint
    assert (ask.result.status, ask.result.approval_id) == (Status.PENDING, "t.1")


@pytest.mark.parametrize(
    ("at", "fingerprint", "end"),
    [
        (910.0, None, "run"),
        (910.5, None, "expired"),
        (20.0, "same", "run"),
        (20.0, "other", "denied"),
    ],
)
def test_an_approval_counts_in_time_and_for_one_contract(
    at: float, fingerprint: str | None, end: str
) -> None:
    """The last moment counts; a tool that has changed is not run."""
    exchange = exchange_of("destructive")
    card = propose(exchange).card  # type: ignore[attr-defined]  # AskHuman
    stated = card.fingerprint if fingerprint == "same" else fingerprint
    ask = exchange.receive(Approved("ann", card.items[0].hash, at, stated))
    if end == "run":
        assert isinstance(ask, AskTool)
    else:
        result = closed(ask).result
        assert (result.code, result.outcome) == (end, None)
        assert ("what was approved is not what would run" in result.content) == (end == "denied")


@pytest.mark.parametrize(
    ("answer", "code", "text"),
    [
        (Denied("ann", "too late", 11.0), "denied", "Reason: too late."),
        (Expired(11.0), "expired", "Nobody approved"),
    ],
)
@pytest.mark.parametrize("retried", [False, True])
def test_a_no_ends_the_call(answer: Denied, code: str, text: str, retried: bool) -> None:
    """With an outcome only where the model was asked before."""
    exchange = exchange_of("destructive")
    if retried:
        propose(exchange, BAD)
    propose(exchange)
    result = closed(exchange.receive(answer)).result
    assert (result.code, result.outcome) == (code, "success" if retried else None)
    assert text in result.content


def test_an_edit_is_what_runs() -> None:
    """With its own card, time and count of equal calls."""
    exchange = exchange_of("destructive")
    propose(exchange)
    bad = exchange.receive(Edited({"order_id": 5}, "ann", 15.0))
    good = exchange.receive(Edited({"order_id": "O-2"}, "ann", 20.0))
    assert isinstance(bad, AskHuman)
    assert isinstance(good, AskHuman)
    assert (bad.card.expires_at, good.card.expires_at) == (910.0, 920.0)
    assert (bad.result.approval_id, good.result.call_id) == ("t.1", "a")
    run = exchange.receive(Approved("ann", good.card.items[0].hash, 21.0))
    assert isinstance(run, AskTool)
    assert run.arguments == {"order_id": "O-2"}
    assert exchange.made is not None
    assert exchange.made.running == 1


# the tool


def test_a_run_carries_the_call() -> None:
    """The accepted proposal, its number, and a key that is the exchange's."""
    exchange = exchange_after(BAD)
    ask = propose(exchange, GOOD, "b")
    assert isinstance(ask, AskTool)
    assert (ask.call.id, ask.attempt, ask.key, ask.delay_s) == ("b", 2, "t.1", 0.0)


@pytest.mark.parametrize("retried", [False, True])
def test_every_end_of_a_run_has_its_outcome_and_its_time(retried: bool) -> None:
    """Returned, raised and lost; milliseconds since it began."""
    for answer, status, took in (
        (Returned("fine", 12.5), Status.OK, 2_500.0),
        (Raised(INTERNAL, 12.5), Status.FAILED, 2_500.0),
        (Lost(12.5), Status.UNKNOWN, 0.0),
    ):
        exchange = exchange_after(BAD) if retried else exchange_of()
        propose(exchange)
        result = closed(exchange.receive(answer)).result
        assert (result.status, result.duration_ms) == (status, took)
        assert result.outcome == ("success" if retried else "no_retry")
        assert (result.attempt, len(result.history)) == ((2, 1) if retried else (1, 0))
        assert (result.call_id, result.tool, result.max_attempts) == ("a", "order", 3)


def test_what_the_host_withdraws_has_no_outcome() -> None:
    """Nobody knows how it would have ended."""
    exchange = exchange_of()
    propose(exchange)
    result = closed(exchange.receive(Cancelled(11.0))).result
    assert (result.code, result.outcome, result.call_id) == ("cancelled", None, "a")


def test_a_rerun_is_timed_from_its_own_beginning() -> None:
    """The wait is not the handler's."""
    exchange = exchange_of("read")
    propose(exchange)
    again = exchange.receive(Raised(TRANSIENT, 20.0))
    assert isinstance(again, AskTool)
    assert (again.delay_s, again.attempt, again.key, again.call.id) == (0.5, 1, "t.1", "a")
    assert again.arguments == {"order_id": "O-1"}
    assert closed(exchange.receive(Returned("fine", 21.0))).result.duration_ms == 500.0


def test_a_status_that_stays_busy_keeps_its_data() -> None:
    """The operator reads which status it was."""
    exchange = exchange_of()
    propose(exchange)
    result = closed(exchange.receive(Returned({"status": 503}, 11.0))).result
    assert (result.data, result.error_class, result.duration_ms) == (
        {"status": 503},
        "transient",
        1_000.0,
    )
    assert result.host_advice == "order returned status 503"


def test_a_tool_that_began_is_waited_for() -> None:
    """The same run, timed from its beginning."""
    exchange = exchange_of()
    first = propose(exchange)
    assert exchange.receive(Started(11.0)) == first
    assert closed(exchange.receive(Returned("fine", 12.0))).result.duration_ms == 2_000.0


def test_shadow_mode_runs_what_is_wrong_and_says_so_when_it_fails() -> None:
    """The handler's failure may well come from the arguments."""
    exchange = exchange_of(policy=Settings(enforce=False))
    assert isinstance(propose(exchange, '{"order_id": 5}'), AskTool)
    result = closed(exchange.receive(Raised(INTERNAL, 11.0))).result
    assert [issue.path for issue in result.issues] == ["/order_id"]
    assert "order_id" in result.content
    assert result.host_advice == "KeyError: 'x'"


def test_shadow_mode_cannot_run_what_cannot_be_read() -> None:
    """There are no arguments."""
    exchange = exchange_of(policy=Settings(enforce=False))
    assert isinstance(propose(exchange, '{"order_id": "O-'), AskModel)


def test_shadow_mode_asks_no_human() -> None:
    """It changes nothing."""
    exchange = exchange_of("destructive", policy=Settings(enforce=False))
    assert isinstance(propose(exchange), AskTool)


def test_a_call_that_was_cut_has_advice_for_the_operator() -> None:
    """On the result of this attempt."""
    exchange = exchange_of()
    ask = exchange.receive(Proposed(ToolCall("a", "order", '{"order_id": "O-'), 1.0, "length"))
    assert isinstance(ask, AskModel)
    assert ask.result.host_advice
    assert ask.result.host_advice == exchange.judgement.host_advice  # type: ignore[union-attr]
