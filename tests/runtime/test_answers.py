"""What one message came to: groups, messages, and the fields of every kind of ending."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail import Status, Tool, Toolbox, ToolCall, ToolResult
from handrail.contract.verdict import VERDICTS
from parts import Clock, call, shop
from strict_provider import refuse

FIND = call("search_orders", '{"customer_id": "C-1"}', "find")
WRONG = call("set_status", '{"order_id": "O-1", "status": "lost"}', "wrong")
SET = call("set_status", '{"order_id": "O-1", "status": "placed"}', "set")
DELETE = call("delete_order", '{"order_id": "O-1"}', "delete")


# ---- groups


def test_results_stand_in_the_order_of_the_calls() -> None:
    """Whatever their endings."""
    box, _ = shop()
    answers = box.turn().take_sync([WRONG, FIND, call("nope", "{}", "nope"), SET])
    assert [one.call_id for one in answers.results] == ["wrong", "find", "nope", "set"]
    assert (answers.done, answers.pending, answers.text) == (False, (), "")


def test_nothing_is_sent_while_a_call_waits() -> None:
    """The whole group is held back, and the turn is done for now."""
    box, _ = shop()
    answers = box.turn().take_sync([FIND, DELETE])
    assert (answers.done, answers.to_messages()) == (True, [])
    assert [one.call_id for one in answers.pending] == ["delete"]


def test_what_was_handed_out_does_not_change_later() -> None:
    """`refreshed` gives new answers; the old ones are as they were."""
    box, _ = shop()
    answers = box.turn().take_sync([DELETE])
    box.approve_sync(box.approvals()[0].id, by="ann")
    assert answers.results[0].status is Status.PENDING
    assert answers.refreshed().results[0].status is Status.OK


def test_words_beside_calls_are_kept() -> None:
    """The assistant message is sent back with its text and its calls."""
    box, _ = shop()
    sent = {"id": "a", "type": "function", "function": {"name": "nope", "arguments": "{}"}}
    message = {"role": "assistant", "content": "Let me look.", "tool_calls": [sent]}
    answers = box.turn().take_sync(message)
    assert answers.text == "Let me look."
    assert answers.to_messages()[0] == message


def test_a_final_answer_goes_into_the_history_too() -> None:
    """One assistant message, no results."""
    box, _ = shop()
    answers = box.turn().take_sync({"role": "assistant", "content": "Done."})
    assert answers.to_messages() == [{"role": "assistant", "content": "Done."}]


def test_a_message_of_anthropic_is_answered_as_anthropic_wants_it() -> None:
    """One user message with all results, errors marked; ids that come again are made new."""
    box, _ = shop()
    blocks = [
        {"type": "tool_use", "id": "t", "name": "search_orders", "input": {"customer_id": "C-1"}},
        {"type": "tool_use", "id": "t", "name": "nope", "input": {}},
    ]
    reply = {"type": "message", "role": "assistant", "content": blocks, "stop_reason": "tool_use"}
    turn = box.turn()
    ids = []
    for _ in range(2):
        assistant, user = turn.take_sync(reply).to_messages()
        used = [one["id"] for one in assistant["content"]]
        assert [one["tool_use_id"] for one in user["content"]] == used
        assert [bool(one.get("is_error")) for one in user["content"]] == [False, True]
        ids += used
    assert len(set(ids)) == 4


CALLS = [FIND, WRONG, SET, DELETE, call("nope"), call("set_status", "{"), ToolCall("", "nope")]


@given(st.lists(st.sampled_from(CALLS), max_size=6))
def test_every_call_is_answered_exactly_once(calls: list[ToolCall]) -> None:
    """Also with repeated and missing ids; a provider takes the messages as they are."""
    box, _ = shop(human=lambda card: True)
    answers = box.turn().take_sync(calls)
    assert [one.tool for one in answers.results] == [one.name for one in calls]
    if calls:
        messages = answers.to_messages()
        refuse(messages)
        assert len(messages) == len(calls) + 1


# ---- every kind of ending


class Ending(NamedTuple):
    """How a call is made to end so, and the row of the verdict table that it must show."""

    row: str
    make: Callable[[], ToolResult]
    code: str | None
    changes: dict[str, Any] = {}  # noqa: RUF012  # Any: fields of ToolResult; never written to


def ended(*calls: ToolCall, **options: object) -> ToolResult:
    """The result of the last of these calls, each a message of its own."""
    box, _ = shop(clock=Clock(), **options)
    turn = box.turn()
    return [turn.take_sync([one]).results[0] for one in calls][-1]


def raised(error: Exception) -> ToolResult:
    """The result of a handler that raises."""

    def act() -> None:
        """Act."""
        raise error

    return Toolbox([act]).turn().answer_sync(call("act"))


def expired() -> ToolResult:
    """A card that nobody decided."""
    clock = Clock()
    box, _ = shop(clock=clock)
    turn = box.turn()
    turn.take_sync([DELETE])
    clock.now += 901
    return turn.resume_sync().results[0]


def fabricated() -> ToolResult:
    """An id that the model made up."""

    def open_mail(message_id: str) -> str:
        """Open a mail."""
        return message_id

    invented = call("open_mail", '{"message_id": "john-doe-123"}')
    return Toolbox([open_mail]).turn().answer_sync(invented)


def withdrawn() -> ToolResult:
    """A tool that was called wrongly three times three."""
    box, _ = shop()
    turn = box.turn()
    results = [turn.answer_sync(call("set_status", f'{{"order_id": {n}}}')) for n in range(10)]
    return results[-1]


BAD = [call("set_status", text) for text in ("{}", '{"order_id": 1}', '{"status": 2}')]
IDENTICAL = {"status": Status.REFUSED}

ENDINGS = {
    "clean": Ending("clean", lambda: ended(FIND), None),
    "invalid": Ending("invalid_arguments", lambda: ended(WRONG), "VAL-008"),
    "not JSON": Ending("invalid_arguments", lambda: ended(call("set_status", "]")), "VAL-004"),
    "cut off": Ending("invalid_arguments", lambda: ended(call("set_status", '{"a')), "VAL-011"),
    "unknown tool": Ending("refused", lambda: ended(call("nope")), "VAL-019"),
    "fabricated": Ending("refused", fabricated, "VAL-017"),
    "out of scope": Ending("refused", lambda: ended(FIND, scope=lambda *_: False), "out_of_scope"),
    "pending": Ending("pending", lambda: ended(DELETE), None),
    "denied": Ending("denied", lambda: ended(DELETE, human=lambda card: False), "denied"),
    "expired": Ending("denied", expired, "expired"),
    "transient": Ending("transient", lambda: raised(TimeoutError("db-7")), "retry_after"),
    "internal": Ending("tool_failed", lambda: raised(KeyError("db-7")), "internal"),
    "exhausted": Ending("budget_spent", lambda: ended(*BAD), "BUD-001"),
    "redundant": Ending("budget_spent", lambda: ended(WRONG, WRONG, WRONG), "BUD-001"),
    "identical write": Ending("budget_spent", lambda: ended(SET, SET), "BUD-002", IDENTICAL),
    "identical read": Ending("budget_spent", lambda: ended(*[FIND] * 4), "BUD-002", IDENTICAL),
    "withdrawn": Ending("budget_spent", withdrawn, "BUD-003"),
    "unknown again": Ending("budget_spent", lambda: ended(*[call("nope")] * 3), "BUD-003"),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_an_ending_has_the_fields_of_its_row(name: str) -> None:
    """Status, error flag, class, coverage, advice and code, as the table of verdicts says."""
    ending = ENDINGS[name]
    result = ending.make()
    row = VERDICTS[ending.row]
    expected = {
        "status": row.status,
        "is_error": row.is_error,
        "error_class": row.error_class or None,
        "coverage": row.coverage,
        "next": row.next,
        "code": ending.code,
        **ending.changes,
    }
    shown = {key: getattr(result, key, None) for key in expected} | {"next": result.advice.next}
    assert shown == expected
    assert result.complete is True
    assert (result.data is None) is (name != "clean")


@pytest.mark.parametrize("name", ENDINGS)
def test_no_ending_tells_the_model_what_is_for_the_operator(name: str) -> None:
    """Text of exceptions, advice to the host, the id of an approval: all out of band."""
    result = ENDINGS[name].make()
    assert result.content != ""
    for secret in ("db-7", "Traceback", result.host_advice, result.approval_id):
        assert not secret or secret not in result.content


def test_only_a_call_that_stopped_before_a_human_escalates() -> None:
    """Spent attempts carry the escalation with every attempt; a pending call its approval."""
    escalated = {name for name, one in ENDINGS.items() if one.make().escalation}
    waiting = {name for name, one in ENDINGS.items() if one.make().approval_id}
    assert (escalated, waiting) == ({"exhausted", "redundant"}, {"pending"})
    result = ENDINGS["exhausted"].make()
    assert (result.attempt, result.max_attempts, len(result.history)) == (3, 3, 3)
    assert result.escalation is not None
    assert result.escalation.for_human().count("\nAttempt ") == 3


def test_outcomes_follow_the_law() -> None:
    """Exactly one for a call that reached validation; none for those refused before."""
    outcomes = {name: ending.make().outcome for name, ending in ENDINGS.items()}
    assert {name: outcome for name, outcome in outcomes.items() if outcome} == {
        "clean": "no_retry",
        "transient": "no_retry",
        "internal": "no_retry",
        "exhausted": "exhausted",
        "redundant": "redundant",
    }


def test_the_code_is_that_of_the_issue_shown_first() -> None:
    """Issues are shown by path, whatever the order in which they were found."""

    def act(a: str, z: int) -> None:
        """Act."""

    result = (
        Toolbox([Tool.from_function(act)])
        .turn()
        .answer_sync(call("act", '{"a": "<YOUR_NAME>", "z": "many"}'))
    )
    assert (result.code, "/a (VAL-016)" in result.content) == ("VAL-016", True)
    assert result.content.index("/a (") < result.content.index("/z (")


def test_a_scope_that_refuses_a_correction_is_not_called_a_made_up_id() -> None:
    """The arguments were corrected: outcome success, though the call is refused."""
    asked: list[object] = []

    def scope(user: object, tool: str, args: object) -> bool:
        asked.append(args)
        return False

    result = ended(WRONG, SET, scope=scope)
    assert (result.status, result.outcome, len(asked)) == (Status.REFUSED, "success", 1)
