"""Who is waited for, and how: order, threads, time, humans, cancellation."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from handrail import ProtocolError, Status, Tool, Toolbox, ToolResult
from handrail.policy import Policy
from handrail.protocol.asks import Approved, Card, Denied, Edited
from handrail.testing import AutoHuman
from parts import Clock, call, shop

DELETE = call("delete_order", '{"order_id": "O-1"}')


async def through(door: str, box: Toolbox, *calls: Any) -> tuple[ToolResult, ...]:
    """The results of one message, through the async or the sync door."""
    turn = box.turn(user="ann")
    if door == "async":
        return (await turn.take(list(calls))).results
    return (await asyncio.to_thread(turn.take_sync, list(calls))).results


both_doors = pytest.mark.parametrize("door", ["async", "sync"])


# ---- order


@both_doors
async def test_a_write_is_a_barrier(door: str) -> None:
    """Read, read, write, read: the write sees both reads ended, the last read sees the write."""
    events: list[str] = []

    def step(n: str) -> str:
        """Read n."""
        events.append(f"{n} begins")
        time.sleep(0.01)
        events.append(f"{n} ends")
        return n

    tools = [Tool.from_function(step, name="look")]
    tools.append(Tool.from_function(step, name="save", action_type="write"))
    names = [("look", "a"), ("look", "b"), ("save", "c"), ("look", "d")]
    calls = [call(name, f'{{"n": "{n}"}}') for name, n in names]
    results = await through(door, Toolbox(tools), *calls)
    assert sorted(events[:4]) == ["a begins", "a ends", "b begins", "b ends"]
    assert events[4:] == ["c begins", "c ends", "d begins", "d ends"]
    assert [one.data for one in results] == ["a", "b", "c", "d"]


async def test_synchronous_reads_run_side_by_side_behind_the_async_door() -> None:
    """Each in a thread, where it waits for the other; the event loop goes on meanwhile."""
    met, seen = threading.Barrier(2, timeout=30), asyncio.Event()
    loop = asyncio.get_running_loop()

    def look(n: str) -> bool:
        """Look."""
        met.wait()
        asyncio.run_coroutine_threadsafe(told(), loop).result(30)
        return threading.current_thread() is not threading.main_thread()

    async def told() -> None:
        seen.set()

    turn = Toolbox([look]).turn()
    calls = [call("look", f'{{"n": "{n}"}}') for n in "ab"]
    assert [one.data for one in (await turn.take(calls)).results] == [True, True]
    assert seen.is_set()


async def test_an_invalid_write_holds_no_reads_up() -> None:
    """What does not run is no barrier: the reads around it wait for each other."""
    box, _ = shop()
    met = asyncio.Barrier(2)

    async def meet(n: int) -> int:
        """Wait for the other."""
        await asyncio.wait_for(met.wait(), 5)
        return n

    box.add(Tool.from_function(meet))
    calls = (call("meet", '{"n": 1}'), call("set_status", "{}"), call("meet", '{"n": 2}'))
    results = await through("async", box, *calls)
    assert [one.status for one in results] == [Status.OK, Status.INVALID, Status.OK]


async def test_a_sync_handler_does_not_block_the_loop() -> None:
    """It runs in a thread: the loop sets it free, which would be a deadlock otherwise."""
    free = threading.Event()

    def wait() -> bool:
        """Wait until set free."""
        return free.wait(5)

    async def later() -> None:
        free.set()

    result, _ = await asyncio.gather(Toolbox([wait]).turn().answer(call("wait")), later())
    assert result.data is True


@both_doors
async def test_one_failing_read_leaves_the_other_intact(door: str) -> None:
    """An exception is the result of its own call only."""

    def read(n: int) -> int:
        """Read n."""
        return 10 // n

    calls = [call("read", f'{{"n": {n}}}') for n in (0, 5)]
    failed, fine = await through(door, Toolbox([read]), *calls)
    assert (failed.status, failed.code) == (Status.FAILED, "internal")
    assert (fine.status, fine.data) == (Status.OK, 2)


# ---- identical reads


@both_doors
@pytest.mark.parametrize("scoped", [False, True])
async def test_identical_reads_of_one_message_run_once(door: str, scoped: bool) -> None:
    """Both are answered, the second with the first one's result; a scope changes nothing."""
    box, ran = shop(scope=(lambda *_: True) if scoped else None)
    same = [call("search_orders", '{"customer_id": "C-1"}', id) for id in "ab"]
    first, second = await through(door, box, *same)
    assert (first.data, first.reused, second.reused) == (second.data, False, True)
    assert ([first.call_id, second.call_id], len(ran)) == (["a", "b"], 1)


@both_doors
async def test_twins_share_a_failure(door: str) -> None:
    """The first one fails, so both do; only the first is made again."""
    ran: list[int] = []

    def read(n: int) -> int:
        """Read n."""
        ran.append(n)
        raise ConnectionError("gone")

    same = [call("read", '{"n": 1}', id) for id in "ab"]
    results = await through(door, Toolbox([read], clock=Clock()), *same)
    assert [(one.call_id, one.error_class) for one in results] == [
        ("a", "transient"),
        ("b", "transient"),
    ]
    assert len(ran) == 3


@both_doors
@pytest.mark.parametrize("scoped", [False, True])
async def test_of_identical_writes_of_one_message_the_second_is_refused(
    door: str, scoped: bool
) -> None:
    """However many are allowed one after the other."""
    policy = Policy.preset("balanced").replace(identical={"read": 3, "write": 3, "destructive": 1})
    box, ran = shop(scope=(lambda *_: True) if scoped else None, policy=policy)
    same = [call("set_status", '{"order_id": "O-1", "status": "placed"}') for _ in "ab"]
    first, second = await through(door, box, *same)
    assert (first.status, second.status, len(ran)) == (Status.OK, Status.REFUSED, 1)
    assert "sent twice in one message" in second.content


# ---- time


@both_doors
@pytest.mark.parametrize("kind", ["sync handler", "async handler"])
async def test_a_timeout_is_transient(door: str, kind: str) -> None:
    """`timeout_s` in every door: the model may call again, the operator is told."""
    stop = threading.Event()

    def slow() -> bool:
        """Wait."""
        return stop.wait(5)

    async def slow_async() -> None:
        """Wait."""
        await asyncio.sleep(5)

    handler: Callable[..., object] = slow if kind == "sync handler" else slow_async
    box = Toolbox([Tool.from_function(handler, name="slow", timeout_s=0.05)])
    (result,) = await through(door, box, call("slow"))
    stop.set()
    assert (result.status, result.error_class) == (Status.FAILED, "transient")
    assert result.advice.next == "retry_same"
    assert "TimeoutError" in (result.host_advice or "")
    assert "TimeoutError" not in result.content


# ---- humans


def says_yes(card: Card) -> bool:
    """A synchronous human."""
    return True


async def says_yes_later(card: Card) -> bool:
    """An asynchronous one."""
    await asyncio.sleep(0)
    return True


class Person:
    """Somebody with a method."""

    def decide(self, card: Card) -> Approved:
        """Yes, to exactly this."""
        return Approved("person", card.items[0].hash)


HUMANS = [says_yes, says_yes_later, Person(), AutoHuman(), lambda card: says_yes_later(card)]


@both_doors
@pytest.mark.parametrize("number", range(len(HUMANS)))
async def test_every_kind_of_human_is_asked_at_once(door: str, number: int) -> None:
    """Callable or object, sync or async, a bool or a decision: the call runs, nothing waits."""
    box, ran = shop(human=HUMANS[number], clock=Clock())
    (result,) = await through(door, box, DELETE)
    assert (result.status, ran) == (Status.OK, [("delete_order", "O-1")])
    assert box.approvals() == []


@both_doors
async def test_a_human_who_says_no_is_heard(door: str) -> None:
    """False, or Denied with a reason that the model reads."""
    for human, words in ((lambda card: False, "denied"), (AutoHuman(False, reason="no"), "no")):
        box, ran = shop(human=human, clock=Clock())
        (result,) = await through(door, box, DELETE)
        assert (result.status, ran) == (Status.DENIED, [])
        assert words in result.content


@both_doors
async def test_a_human_who_edits_is_shown_the_new_card(door: str) -> None:
    """Asked again with the new arguments; what runs is what the last card showed."""
    shown: list[object] = []

    def human(card: Card) -> Edited | bool:
        shown.append(card.items[0].arguments)
        return Edited({"order_id": "O-2"}, "ann") if len(shown) == 1 else True

    box, ran = shop(human=human)
    await through(door, box, DELETE)
    assert shown == [{"order_id": "O-1"}, {"order_id": "O-2"}]
    assert ran == [("delete_order", "O-2")]


@both_doors
async def test_putting_in_place_what_stands_there_is_an_approval(door: str) -> None:
    """A human who always says the same edit is not asked for ever."""
    box, ran = shop(human=lambda card: Edited({"order_id": "O-2"}, "ann"))
    (result,) = await through(door, box, DELETE)
    assert (result.status, ran) == (Status.OK, [("delete_order", "O-2")])


@both_doors
@pytest.mark.parametrize(
    "human",
    [
        lambda card: Edited({"wrong": 1}, "ann"),
        lambda card: Edited({"order_id": f"{card.items[0].arguments['order_id']}x"}, "ann"),
        lambda card: None,
        lambda card: "yes",
        lambda card: 1 / 0,
    ],
)
async def test_a_human_who_does_not_decide_leaves_the_call_waiting(
    door: str, human: Callable[[Card], object]
) -> None:
    """Nothing runs and nothing escapes; the call can be decided later, the operator is told."""
    box, ran = shop(human=human)
    fine = call("search_orders", '{"customer_id": "C-1"}')
    waits, other = await through(door, box, DELETE, fine)
    assert (waits.status, other.status, len(ran)) == (Status.PENDING, Status.OK, 1)
    assert "no decision of the human could be taken" in (waits.host_advice or "")
    assert "ZeroDivision" not in waits.content
    assert (await box.approve(str(waits.approval_id), by="ann")).status is Status.OK


def test_the_time_of_a_decision_is_ours() -> None:
    """A decision that says when it was made is stamped anew: nobody decides in the past."""
    clock = Clock()

    def slowly(card: Card) -> Approved:
        clock.now += 901.0
        return Approved("ann", card.items[0].hash, at=1_000.0)

    box, ran = shop(human=slowly, clock=clock)
    result = box.turn().answer_sync(DELETE)
    assert (result.status, result.code, ran) == (Status.DENIED, "expired", [])


async def test_a_thinking_human_does_not_block_the_loop() -> None:
    """A synchronous human waits in a thread."""
    free = threading.Event()
    box, _ = shop(human=lambda card: free.wait(5))

    async def later() -> None:
        free.set()

    result, _ = await asyncio.gather(box.turn().answer(DELETE), later())
    assert result.status is Status.OK


def test_an_approval_of_other_arguments_runs_nothing() -> None:
    """The hash must be that of the card."""
    box, ran = shop(human=lambda card: Approved("ann", "0" * 64))
    assert (box.turn().answer_sync(DELETE).status, ran) == (Status.DENIED, [])


async def test_an_async_human_behind_a_sync_door_in_a_loop_is_named() -> None:
    """ProtocolError; the call is closed, not left half asked."""
    box, ran = shop(human=says_yes_later)
    with pytest.raises(ProtocolError, match="async"):
        box.turn().answer_sync(DELETE)
    assert ([entry.kind for entry in box.journal][-2:], ran) == (["Cancelled", "Close"], [])


# ---- checks


@both_doors
async def test_async_checks_and_scopes_are_waited_for(door: str) -> None:
    """Both doors run them before the handler; one that raises is a safe no."""

    async def scope(user: object, tool: str, args: dict[str, Any]) -> bool:
        await asyncio.sleep(0)
        return {"C-1": True, "C-2": False}[args["customer_id"]]

    box, ran = shop(scope=scope)
    calls = [call("search_orders", f'{{"customer_id": "C-{n}"}}') for n in (1, 2, 3)]
    results = await through(door, box, *calls)
    assert [one.status for one in results] == [Status.OK, Status.REFUSED, Status.REFUSED]
    assert len(ran) == 1
    assert "KeyError" in (results[2].host_advice or "")


async def test_an_async_check_behind_a_sync_door_in_a_loop_changes_nothing() -> None:
    """Named before anything is written down."""

    async def check(args: object) -> None:
        """Nothing to say."""

    def act(x: int) -> int:
        """Act."""
        return x

    box = Toolbox([Tool.from_function(act, check_input=check)])
    with pytest.raises(ProtocolError, match="'act' is async"):
        box.turn().take_sync([call("act", '{"x": 1}')])
    assert len(box.journal) == 0


# ---- cancellation


async def test_cancelling_a_message_closes_all_its_calls() -> None:
    """The reads under way and the write that never began: none is left open, none runs later."""
    box, ran = shop()
    started = asyncio.Event()

    async def forever(n: int) -> None:
        """Never end."""
        started.set()
        await asyncio.Event().wait()

    box.add(Tool.from_function(forever))
    calls = [call("forever", '{"n": 1}'), call("forever", '{"n": 2}')]
    calls.append(call("set_status", '{"order_id": "O-1", "status": "placed"}'))
    turn = box.turn()
    task = asyncio.create_task(turn.take(calls))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [entry.kind for entry in box.journal].count("Cancelled") == 3
    assert (ran, turn.correcting) == ([], False)
    assert (await turn.answer(calls[2])).status is Status.OK


async def test_cancelling_while_a_human_thinks_closes_the_call() -> None:
    """The question is withdrawn with the call."""
    asked = asyncio.Event()

    async def human(card: Card) -> bool:
        asked.set()
        await asyncio.Event().wait()
        return True

    box, ran = shop(human=human)
    task = asyncio.create_task(box.turn().answer(DELETE))
    await asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [entry.kind for entry in box.journal][-2:] == ["Cancelled", "Close"]
    assert (box.approvals(), ran) == ([], [])


def test_ctrl_c_in_a_handler_passes_through() -> None:
    """The interpreter's own exits are not results; the call is closed."""

    def stop() -> None:
        """Stop."""
        raise KeyboardInterrupt

    box = Toolbox([stop])
    with pytest.raises(KeyboardInterrupt):
        box.turn().take_sync([call("stop")])
    assert [entry.kind for entry in box.journal][-2:] == ["Cancelled", "Close"]


def test_denied_by_a_decision_with_a_time_of_its_own() -> None:
    """Only the words and the name of a denial count."""
    box, _ = shop(human=lambda card: Denied("ann", "not now", at=5.0), clock=Clock(77.0))
    box.turn().answer_sync(DELETE)
    (entry,) = [one for one in box.journal if one.kind == "Denied"]
    assert entry.message == Denied("ann", "not now", 77.0)
