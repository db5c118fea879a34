"""Cards: who may decide, how often, until when, and that what runs is what was shown."""

import threading
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest

from handrail import ApprovalError, ProtocolError, Status, Tool, Toolbox
from handrail.policy import Policy
from handrail.protocol.asks import Card
from handrail.runtime.approvals import Approvals
from handrail.runtime.turn import Turn
from parts import Clock, call, shop


def waiting(box: Toolbox, order: str = "O-1", user: object = "ann") -> tuple[Turn, Card]:
    """A turn in which the deletion of an order waits, and its card."""
    turn = box.turn(user=user)
    answers = turn.take_sync([call("delete_order", f'{{"order_id": "{order}"}}')])
    id = answers.results[0].approval_id
    (card,) = [one for one in box.approvals() if one.id == id]
    return turn, card


def reason_of(box: Toolbox, id: str, by: object = "ann") -> str:
    """Why an approval is refused."""
    with pytest.raises(ApprovalError) as caught:
        box.approve_sync(id, by=by)
    return caught.value.reason


def test_a_card_shows_what_would_run() -> None:
    """Tool, words of its author, exact arguments, the user, and when it ends."""
    box, ran = shop(clock=Clock(5_000.0))
    _, card = waiting(box)
    (item,) = card.items
    assert (item.tool, item.description, item.action_type) == (
        "delete_order", "Delete an order for ever.", "destructive",
    )  # fmt: skip
    assert (item.arguments, item.already_done) == ({"order_id": "O-1"}, 0)
    assert (card.user, card.expires_at, ran) == ("ann", 5_900.0, [])


async def test_approving_runs_exactly_what_was_shown_once() -> None:
    """The handler gets the arguments of the card; the result is that of the call."""
    box, ran = shop()
    _, card = waiting(box)
    result = await box.approve(card.id, by="ann")
    assert (result.status, result.data, result.outcome) == (Status.OK, "O-1 deleted", "no_retry")
    assert ran == [("delete_order", card.items[0].arguments["order_id"])]


def test_an_approval_is_used_once() -> None:
    """Approve, deny and edit of a decided card are refused; nothing runs again."""
    box, ran = shop()
    _, card = waiting(box)
    box.approve_sync(card.id, by="ann")
    assert reason_of(box, card.id) == "used"
    for again in (
        lambda: box.deny_sync(card.id, by="ann"),
        lambda: box.edit_sync(card.id, {"order_id": "O-2"}, by="ann"),
    ):
        with pytest.raises(ApprovalError, match="decided already"):
            again()
    assert len(ran) == 1


def test_an_unknown_id_is_told_apart() -> None:
    """It was never there."""
    box, _ = shop()
    assert reason_of(box, "nothing") == "unknown"


def test_another_user_may_not_decide_and_does_not_use_it_up() -> None:
    """The card stays for its owner, given as text or as an object with an id."""
    box, ran = shop()
    _, card = waiting(box, user=SimpleNamespace(id="ann"))
    assert (reason_of(box, card.id, by="bob"), ran) == ("wrong_user", [])
    assert box.approve_sync(card.id, by="ann").status is Status.OK


def test_a_card_of_nobody_may_be_decided_by_anybody() -> None:
    """A turn without a user: the host vouches for whoever decides."""
    box, _ = shop()
    _, card = waiting(box, user=None)
    assert box.approve_sync(card.id, by="bob").status is Status.OK


def test_cards_are_listed_by_user_oldest_first() -> None:
    """Own ones, or all; decided ones are gone."""
    box, _ = shop()
    cards = [waiting(box, f"O-{n}", user)[1] for n, user in enumerate(["ann", "bob", "ann"])]
    assert [one.id for one in box.approvals("ann")] == [cards[0].id, cards[2].id]
    box.deny_sync(cards[0].id, by="ann")
    assert [one.id for one in box.approvals()] == [cards[1].id, cards[2].id]
    assert box.approvals("eve") == []


def test_a_denial_tells_the_model_why() -> None:
    """The reason goes to the model, nothing runs, and the call is closed."""
    box, ran = shop()
    turn, card = waiting(box)
    result = box.deny_sync(card.id, by="ann", reason="the order is still open")
    assert (result.status, result.error_class, result.code) == (Status.DENIED, "denied", "denied")
    assert "the order is still open" in result.content
    (message,) = turn.resume_sync().to_messages()[1:]
    assert (message["content"], ran) == (result.content, [])


def test_an_expired_card_cannot_be_used() -> None:
    """On the last second it can; after it nothing runs, and it says so every time."""
    clock = Clock()
    box, ran = shop(clock=clock)
    _, in_time = waiting(box)
    turn, late = waiting(box, "O-2")
    clock.now += 900.0
    assert box.approve_sync(in_time.id, by="ann").status is Status.OK
    clock.now += 0.5
    assert box.approvals() == []
    assert [reason_of(box, late.id), reason_of(box, late.id)] == ["expired", "expired"]
    (result,) = turn.resume_sync().results
    assert (result.status, result.code, len(ran)) == (Status.DENIED, "expired", 1)


def test_resuming_after_the_time_closes_what_nobody_decided() -> None:
    """The conversation does not hang on a card that can no longer be used."""
    clock = Clock()
    box, ran = shop(clock=clock)
    turn, card = waiting(box)
    assert turn.resume_sync().pending != ()
    clock.now += 901.0
    answers = turn.resume_sync()
    assert (answers.pending, answers.results[0].code) == ((), "expired")
    assert (reason_of(box, card.id), ran) == ("expired", [])


def test_expired_cards_are_not_kept_for_ever() -> None:
    """The next card that comes sweeps them out, and their calls are closed."""
    clock = Clock()
    box, _ = shop(clock=clock)
    turn, card = waiting(box)
    clock.now += 901.0
    waiting(box, "O-2")
    assert [entry.kind for entry in box.journal.of(card.id)][-2:] == ["Expired", "Close"]
    assert turn.resume_sync().results[0].code == "expired"


def test_the_time_to_decide_is_the_policys() -> None:
    """`approval_ttl_s` seconds."""
    policy = Policy.preset("balanced").replace(approval_ttl_s=60.0)
    box, _ = shop(clock=Clock(100.0), policy=policy)
    assert waiting(box)[1].expires_at == 160.0


def test_a_changed_contract_voids_the_approval() -> None:
    """The tool is not the one that the card shows: nothing runs, the model is told."""
    box, ran = shop()
    turn, card = waiting(box)

    def delete_order(order_id: str, and_its_customer: bool = True) -> str:
        """Delete an order for ever."""
        return order_id

    newer = Tool.from_function(delete_order, action_type="destructive")
    box._tools["delete_order"] = newer  # as another process would register it
    assert (reason_of(box, card.id), ran) == ("changed", [])
    assert turn.resume_sync().results[0].status is Status.DENIED
    assert reason_of(box, card.id) == "used"


def test_a_valid_edit_makes_a_new_card() -> None:
    """New arguments, new hash, the same id; it still waits, and runs what it shows then."""
    box, ran = shop()
    _, card = waiting(box)
    judgement = box.edit_sync(card.id, {"order_id": "O-9"}, by="ann")
    (edited,) = box.approvals()
    assert (judgement.ok, ran, edited.id) == (True, [], card.id)
    assert edited.items[0].arguments == {"order_id": "O-9"}
    assert edited.items[0].hash != card.items[0].hash
    assert box.approve_sync(card.id, by="ann").data == "O-9 deleted"
    assert ran == [("delete_order", "O-9")]


def test_an_invalid_edit_changes_nothing() -> None:
    """The judgement says what is wrong; the card is as it was and can be used."""
    box, ran = shop()
    _, card = waiting(box)
    judgement = box.edit_sync(card.id, {"order": "O-9"}, by="ann")
    assert {one.code for one in judgement.issues} == {"VAL-001", "VAL-005"}
    assert judgement.ok is False
    assert box.approvals() == [card]
    assert box.approve_sync(card.id, by="ann").data == "O-1 deleted"
    assert len(ran) == 1


async def test_an_edit_passes_the_async_checks_too() -> None:
    """What a human puts in place is judged like a proposal, before it runs."""
    ran: list[str] = []

    async def known(args: dict[str, str]) -> str | None:
        return None if args["order_id"].startswith("O-") else "no such order"

    def delete_order(order_id: str) -> str:
        """Delete an order."""
        ran.append(order_id)
        return order_id

    box = Toolbox([Tool.from_function(delete_order, action_type="destructive", check_input=known)])
    turn = box.turn()
    first = await turn.answer(call("delete_order", '{"order_id": "O-1"}'))
    await box.edit(str(first.approval_id), {"order_id": "X"}, by="ann")
    result = await box.approve(str(first.approval_id), by="ann")
    assert (result.status, ran) == (Status.DENIED, [])


def test_an_edit_counts_as_the_call_that_it_became() -> None:
    """`already_done` is that of the edited arguments."""
    box, _ = shop()
    turn, first = waiting(box)
    box.approve_sync(first.id, by="ann")
    turn.take_sync([call("delete_order", '{"order_id": "O-2"}')])
    (card,) = box.approvals()
    box.edit_sync(card.id, {"order_id": "O-1"}, by="ann")
    assert [one.items[0].already_done for one in (first, card, *box.approvals())] == [0, 0, 1]


def test_a_repeated_deletion_says_that_it_was_done() -> None:
    """A destructive call is asked about again, and the card tells how often it ran."""
    box, ran = shop()
    turn, _ = waiting(box)
    done = []
    for _ in range(3):
        done.append(box.approvals()[0].items[0].already_done)
        box.approve_sync(box.approvals()[0].id, by="ann")
        turn.take_sync([call("delete_order", '{"order_id": "O-1"}')])
    assert (done, len(ran)) == ([0, 1, 2], 3)


def test_scope_is_asked_again_at_the_approval() -> None:
    """What was allowed when it was proposed may not be allowed when it is approved."""
    allowed = [True]
    box, ran = shop(scope=lambda user, tool, args: allowed[0] or "the order was closed")
    turn, card = waiting(box)
    allowed[0] = False
    result = box.approve_sync(card.id, by="ann")
    assert (result.status, result.code, ran) == (Status.REFUSED, "out_of_scope", [])
    assert "the order was closed" in result.content
    assert turn.resume_sync().results == (result,)


def test_two_waiting_calls_of_one_message_come_back_together() -> None:
    """The group is held back until both are decided, in any order; results stand in place."""
    box, ran = shop()
    turn = box.turn(user="ann")
    held = turn.take_sync(
        [
            call("delete_order", '{"order_id": "O-1"}', "a"),
            call("search_orders", '{"customer_id": "C-1"}', "b"),
            call("delete_order", '{"order_id": "O-2"}', "c"),
        ]
    )
    first, second = box.approvals()
    box.deny_sync(second.id, by="ann")
    half = turn.resume_sync()
    assert (len(held.pending), len(half.pending), half.to_messages()) == (2, 1, [])
    box.approve_sync(first.id, by="ann")
    whole = turn.resume_sync()
    assert [one["tool_call_id"] for one in whole.to_messages()[1:]] == ["a", "b", "c"]
    assert [one.status for one in whole.results] == [Status.OK, Status.OK, Status.DENIED]
    assert [name for name, _ in ran] == ["search_orders", "delete_order"]
    with pytest.raises(ProtocolError, match="nothing is held back"):
        turn.resume_sync()


def test_messages_are_resumed_oldest_first() -> None:
    """Two messages that wait: the older one comes back first, though decided last."""
    box, _ = shop()
    turn = box.turn()
    for order in ("O-1", "O-2"):
        turn.take_sync([call("delete_order", f'{{"order_id": "{order}"}}')])
    older, newer = box.approvals()
    box.approve_sync(newer.id, by="ann")
    assert turn.resume_sync().pending != ()
    box.approve_sync(older.id, by="ann")
    assert [turn.resume_sync().results[0].data for _ in "ab"] == ["O-1 deleted", "O-2 deleted"]


def test_of_twenty_threads_exactly_one_approves() -> None:
    """The others are told that it is used; the handler runs once."""
    box, ran = shop()
    _, card = waiting(box)
    ready = threading.Barrier(20)
    outcomes: list[str] = []

    def decide() -> None:
        ready.wait()
        try:
            outcomes.append(box.approve_sync(card.id, by="ann").status)
        except ApprovalError as error:
            outcomes.append(error.reason)

    threads = [threading.Thread(target=decide) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["ok", *["used"] * 19]
    assert len(ran) == 1


def test_an_edit_and_an_approval_at_once_never_run_what_was_not_shown() -> None:
    """Whoever comes first wins; what runs is what the card showed, and only once."""
    for _ in range(30):
        box, ran = shop()
        _, card = waiting(box)
        ready = threading.Barrier(2)
        said: list[str] = []

        def meet(
            act: Callable[[], object],
            said: list[str] = said,
            ready: threading.Barrier = ready,
        ) -> None:
            ready.wait()
            try:
                said.append(str(getattr(act(), "data", "edited")))
            except ApprovalError as error:
                said.append(error.reason)

        edit = partial(box.edit_sync, card.id, {"order_id": "O-2"}, by="ann")
        thread = threading.Thread(target=meet, args=(edit,))
        thread.start()
        meet(partial(box.approve_sync, card.id, by="ann"))
        thread.join()
        expected = {
            ("O-1 deleted", "used"): ["O-1"],
            ("O-2 deleted", "edited"): ["O-2"],
            ("changed", "edited"): [],
        }
        first, second = sorted(said, key=lambda one: (one in ("used", "edited"), one))
        assert [order for _, order in ran] == expected[first, second]


async def test_a_turn_with_a_key_is_resumed_by_its_key() -> None:
    """Another request of the same conversation: the same turn, with what it holds back."""
    box, _ = shop()
    async with box.turn("conv:1", user="ann") as turn:
        await turn.take([call("delete_order", '{"order_id": "O-1"}', "a")])
    await box.approve(box.approvals("ann")[0].id, by="ann")
    async with box.turn("conv:1") as again:
        (result,) = (await again.resume()).results
    assert (result.call_id, result.data, again.results) == ("a", "O-1 deleted", (result,))


def test_a_turn_with_a_key_is_not_handed_to_another_user() -> None:
    """Its handlers and cards act for the first one."""
    box, _ = shop()
    box.turn("conv:1", user="ann")
    with pytest.raises(ProtocolError, match="'conv:1' belongs to another user"):
        box.turn("conv:1", user="bob")
    assert box.turn("conv:1", user=SimpleNamespace(id="ann")) is box.turn("conv:1")


async def test_the_sync_door_inside_a_loop_does_not_use_the_card_up() -> None:
    """An async handler cannot be waited for there; the async door still works afterwards."""

    async def wipe(disk: str) -> str:
        """Wipe a disk."""
        return f"{disk} wiped"

    box = Toolbox([Tool.from_function(wipe, action_type="destructive")])
    pending = await box.turn().answer(call("wipe", '{"disk": "a"}'))
    with pytest.raises(ProtocolError, match=r"await box\.approve"):
        box.approve_sync(str(pending.approval_id), by="ann")
    assert (await box.approve(str(pending.approval_id), by="ann")).data == "a wiped"


async def test_a_handler_that_fails_after_the_approval_has_used_it() -> None:
    """One approval, one run: a failure does not open the card again."""

    def wipe(disk: str) -> str:
        """Wipe a disk."""
        raise OSError("read-only")

    box = Toolbox([Tool.from_function(wipe, action_type="destructive")])
    pending = await box.turn().answer(call("wipe", '{"disk": "a"}'))
    result = await box.approve(str(pending.approval_id), by="ann")
    assert (result.status, result.error_class) == (Status.FAILED, "tool_failed")
    assert reason_of_unused(box, str(pending.approval_id)) == "used"


def reason_of_unused(box: Toolbox, id: str) -> str:
    """Why a denial is refused."""
    with pytest.raises(ApprovalError) as caught:
        box.deny_sync(id, by="ann")
    return caught.value.reason


def test_without_enforcement_nobody_is_asked() -> None:
    """Shadow mode blocks nothing."""
    box, ran = shop(enforce=False)
    box.turn().take_sync([call("delete_order", '{"order_id": "O-1"}')])
    assert (len(ran), box.approvals()) == (1, [])


def test_an_empty_book_of_approvals_lists_nothing() -> None:
    """It can be used alone."""
    assert Approvals(Clock(), {}).cards() == []
