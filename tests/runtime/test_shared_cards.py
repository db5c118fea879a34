"""Identical reads of one message that a human decides about: one card, one decision."""

from typing import Any

import pytest

from handrail import Status, Tool, Toolbox
from handrail.policy import Policy
from handrail.protocol.asks import Card
from parts import Clock, call


def reading(**settings: Any) -> tuple[Toolbox, list[str]]:
    """A read that needs approval, and what ran."""
    ran: list[str] = []

    def look(q: str) -> str:
        """Look."""
        ran.append(q)
        return f"found {q}"

    policy = Policy(confirm={"look": True})
    return Toolbox([Tool.from_function(look)], policy=policy, **settings), ran


TWICE = [call("look", '{"q": "a"}'), call("look", '{"q":"a"}')]


def test_two_identical_reads_have_one_card() -> None:
    """Its decision answers both; one runs, and both get what came of it."""
    box, ran = reading()
    turn = box.turn()
    answers = turn.take_sync(TWICE)
    (card,) = box.approvals()
    assert [one.approval_id for one in answers.results] == [card.id, card.id]
    assert [one.approval_id for one in answers.pending] == [card.id]
    assert turn.resume_sync().pending
    box.approve_sync(card.id, by="ann")
    answers = turn.resume_sync()
    assert [(one.data, one.reused) for one in answers.results] == [
        ("found a", False), ("found a", True),
    ]  # fmt: skip
    assert (ran, box.approvals(), len(answers.to_messages())) == (["a"], [], 3)


def test_denying_a_shared_card_denies_both() -> None:
    """Nothing runs, and both say why."""
    box, ran = reading()
    turn = box.turn()
    (pending,) = turn.take_sync(TWICE).pending
    box.deny_sync(str(pending.approval_id), by="ann", reason="not now")
    results = turn.resume_sync().results
    assert [one.status for one in results] == [Status.DENIED] * 2
    assert ["not now" in one.content for one in results] == [True, True]
    assert ran == []


async def test_editing_a_shared_card_changes_both() -> None:
    """What was put in place is what both get; a third call of it counts one run."""
    box, ran = reading()
    turn = box.turn()
    (pending,) = (await turn.take(TWICE)).pending
    assert (await box.edit(str(pending.approval_id), {"q": "b"}, by="ann")).ok
    await box.approve(str(pending.approval_id), by="ann")
    assert [one.data for one in (await turn.resume()).results] == ["found b"] * 2
    (third,) = (await turn.take([call("look", '{"q": "b"}')])).pending
    (card,) = box.approvals()
    assert (third.approval_id, card.items[0].already_done, ran) == (card.id, 1, ["b"])


def test_a_shared_card_that_expires_answers_both() -> None:
    """No call of the group is left behind."""
    clock = Clock(0.0)
    box, ran = reading(clock=clock)
    turn = box.turn()
    turn.take_sync(TWICE)
    clock.now = 1e6
    results = turn.resume_sync().results
    assert [(one.status, one.code) for one in results] == [(Status.DENIED, "expired")] * 2
    assert ran == []


@pytest.mark.parametrize("said", [True, False])
def test_a_human_who_is_asked_at_once_is_asked_once(said: bool) -> None:
    """Also where a look-up of the host comes before and after."""
    for scope in (None, lambda user, tool, arguments: True):
        cards: list[Card] = []

        def decide(card: Card, cards: list[Card] = cards) -> bool:
            cards.append(card)
            return said

        box, ran = reading(human=decide, scope=scope)
        results = box.turn().take_sync(TWICE).results
        assert (len(cards), ran) == (1, ["a"] if said else [])
        assert [one.status for one in results] == [Status.OK if said else Status.DENIED] * 2


async def test_a_shared_card_is_withdrawn_with_its_turn_only_before_it_waits() -> None:
    """A failing neighbour of the group leaves a parked card for both."""
    box, _ = reading()
    turn = box.turn()
    answers = await turn.take([*TWICE, call("look", '{"q": "b"}')])
    assert len(answers.pending) == len(box.approvals()) == 2
    turn.driver.withdraw(answers.slots)
    assert len(answers.refreshed().pending) == 2
