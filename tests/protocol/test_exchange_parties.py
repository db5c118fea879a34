"""What the host, the human and the tool of a call are asked, and what their answers do."""

import pytest

from exchanges import BAD, GOOD, closed, exchange_after, exchange_of, propose
from handrail import Status, ToolCall
from handrail.contract.policy import Settings
from handrail.protocol.asks import (
    Approved,
    AskHost,
    AskHuman,
    AskModel,
    AskTool,
    Cancelled,
    Denied,
    Edited,
    Expired,
    Fault,
    Looked,
    Lost,
    Proposed,
    Raised,
    Returned,
    Started,
)

INTERNAL = Fault("internal", "r1", "KeyError: 'x'")
TRANSIENT = Fault("transient", "r2", "TimeoutError")


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
        reason = "Reason: what was approved is not what would run."
        assert (reason in result.content) == (end == "denied")


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


def test_ids_that_a_human_puts_in_place_need_not_have_been_seen() -> None:
    """Those of the model must."""
    exchange = exchange_of("destructive", terms={"seen_ids": ["order_id"]})
    invented = exchange_of("destructive", terms={"seen_ids": ["order_id"]})
    assert closed(propose(invented)).result.status is Status.REFUSED
    exchange._turn.seen._ids.add("O-1")  # type: ignore[attr-defined]  # given by the host
    assert isinstance(propose(exchange), AskHuman)
    edited = exchange.receive(Edited({"order_id": "O-9"}, "ann", 11.0))
    assert isinstance(edited, AskHuman)
    assert edited.card.items[0].arguments == {"order_id": "O-9", "page": 1}


def test_what_a_human_puts_in_place_is_checked_before_it_runs() -> None:
    """By the tool's own checks, which may have to be waited for."""

    async def check(args: object) -> None:
        """Refuses some orders."""

    exchange = exchange_of("destructive", terms={"check_input": check})
    propose(exchange)
    exchange.receive(Looked((None,), 11.0))
    edited = exchange.receive(Edited({"order_id": "O-2"}, "ann", 11.0))
    assert isinstance(edited, AskHuman)
    asked = exchange.receive(Approved("ann", edited.card.items[0].hash, 12.0))
    assert isinstance(asked, AskHost)
    assert asked.arguments == {"order_id": "O-2"}
    result = closed(exchange.receive(Looked(("Order O-1 is locked",), 13.0))).result
    assert (result.status, result.code) == (Status.DENIED, "denied")
    assert "Reason: what was put in place does not pass a check of the tool." in result.content


def test_what_is_not_counted_was_done_no_time_before() -> None:
    """A write that may be repeated, where every write is confirmed."""
    exchange = exchange_of(policy=Settings(confirm="write"), terms={"repeatable": True})
    ask = propose(exchange)
    assert isinstance(ask, AskHuman)
    assert ask.card.items[0].already_done == 0


# the tool


def test_a_run_carries_the_call() -> None:
    """The accepted proposal, its number, and a key that is the exchange's."""
    exchange = exchange_after(BAD)
    ask = propose(exchange, GOOD, "b")
    assert isinstance(ask, AskTool)
    assert (ask.call.id, ask.attempt, ask.key, ask.delay_s) == ("b", 2, "t.1", 0.0)
    assert exchange.judgement is not None
    assert ask.prepared == exchange.judgement.prepared


@pytest.mark.parametrize("retried", [False, True])
def test_every_end_of_a_run_has_its_outcome_and_its_time(retried: bool) -> None:
    """Returned, raised and lost; milliseconds since it began."""
    for answer, status, took in (
        (Returned("fine", 12.5), Status.OK, 2_500.0),
        (Raised(INTERNAL, 12.5), Status.FAILED, 2_500.0),
        (Lost(12.5), Status.UNKNOWN, 0.0),
    ):
        exchange = exchange_of(attempts=4)
        if retried:
            propose(exchange, BAD)
        propose(exchange)
        result = closed(exchange.receive(answer)).result
        assert (result.status, result.duration_ms) == (status, took)
        assert result.outcome == ("success" if retried else "no_retry")
        assert (result.attempt, len(result.history)) == ((2, 1) if retried else (1, 0))
        assert (result.call_id, result.tool, result.max_attempts) == ("a", "order", 4)


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
    assert (again.arguments, again.prepared) == ({"order_id": "O-1"}, None)
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
    assert "came back" not in result.content
    assert result.host_advice == "KeyError: 'x'"


def test_shadow_mode_cannot_run_what_cannot_be_read() -> None:
    """There are no arguments."""
    exchange = exchange_of(policy=Settings(enforce=False))
    ask = propose(exchange, '{"order_id": "O-')
    assert isinstance(ask, AskModel)
    assert "came back" not in ask.result.content


def test_shadow_mode_asks_no_human() -> None:
    """It changes nothing."""
    exchange = exchange_of("destructive", policy=Settings(enforce=False))
    assert isinstance(propose(exchange), AskTool)


def test_a_call_that_was_cut_has_advice_for_the_operator() -> None:
    """On the result of this attempt."""
    exchange = exchange_of()
    ask = exchange.receive(Proposed(ToolCall("a", "order", BAD), 1.0, "length"))
    assert isinstance(ask, AskModel)
    assert ask.result.code == "VAL-011"
    assert ask.result.host_advice
    assert ask.result.host_advice == exchange.judgement.host_advice  # type: ignore[union-attr]
