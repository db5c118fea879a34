"""What a person reads while a conversation goes on."""

from handrail.cli.demo_story import Story
from handrail.testing import AutoHuman
from parts import call, shop


def told(*calls: object, approve: bool = True) -> list[str]:
    """The lines of a turn with these calls."""
    lines: list[str] = []
    story = Story(lambda line, _: lines.append(line))
    box, _ = shop(subscribers=[story], human=AutoHuman(approve=approve, by="ann"))
    with box.turn() as turn:
        for one in calls:
            turn.answer_sync(one)  # type: ignore[arg-type]  # a ToolCall
    return lines


def test_a_call_and_its_result() -> None:
    """Who speaks stands in front."""
    lines = told(call("search_orders", '{"customer_id": "C-1"}'))
    assert lines[0] == 'model     search_orders {"customer_id": "C-1"}'
    assert lines[1].startswith("tool      ")


def test_the_person_and_the_decision() -> None:
    """The card, then what the person said."""
    lines = told(call("delete_order", '{"order_id": "O-1"}'), approve=False)
    assert "waits for a person" in lines[1]
    assert lines[2] == "person    ann: no"


def test_an_escalation_is_told_to_the_person() -> None:
    """After the last attempt the person gets the history."""
    bad = [call("set_status", f'{{"order_id": {n}}}') for n in range(3)]
    lines = told(*bad)
    assert lines[-1].startswith("to you    Tool 'set_status' validation failed after 3 attempts.")


def test_cut_arguments_are_shown_safely() -> None:
    """What is no JSON is shown on one line."""
    assert told(call("search_orders", '{"cust\nomer'))[0].count("\n") == 0
