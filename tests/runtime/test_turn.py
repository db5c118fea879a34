"""The doors of a turn: whole replies, single calls, sync and async, threads."""

import asyncio
import threading

import pytest

from handrail import ProtocolError, Status, Tool, Toolbox, ToolCall
from handrail.testing import text
from parts import call, shop


def reply(*calls: tuple[str, str, str]) -> dict[str, object]:
    """An OpenAI chat response with these calls: id, name, arguments."""
    sent = [
        {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
        for id, name, arguments in calls
    ]
    message = {"role": "assistant", "content": None, "tool_calls": sent}
    return {"choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}]}


GOOD = '{"customer_id": "C-1"}'


async def test_take_answers_every_call_once_and_in_order() -> None:
    """One assistant message and one tool message for each call."""
    box, ran = shop()
    async with box.turn() as turn:
        answers = await turn.take(
            reply(
                ("a", "search_orders", GOOD),
                ("b", "set_status", "{}"),
                ("c", "search_orders", '{"customer_id": "C-2"}'),
            )
        )
    assert [one.status for one in answers.results] == [Status.OK, Status.INVALID, Status.OK]
    messages = answers.to_messages()
    assert [one["role"] for one in messages] == ["assistant", "tool", "tool", "tool"]
    assert [one["tool_call_id"] for one in messages[1:]] == ["a", "b", "c"]
    assert (answers.done, len(ran)) == (False, 2)


def test_take_sync_does_the_same_without_a_loop() -> None:
    """The sync door needs no event loop."""
    box, ran = shop()
    with box.turn() as turn:
        answers = turn.take_sync(reply(("a", "search_orders", GOOD)))
    assert answers.results[0].data == {"orders": ["O-1"], "customer_id": "C-1"}
    assert ran == [("search_orders", ("C-1", 1))]


def test_a_reply_without_calls_is_done() -> None:
    """Nothing to send: the model has answered."""
    box, _ = shop()
    answers = box.turn().take_sync({"role": "assistant", "content": "All shipped."})
    assert (answers.done, answers.text, answers.results) == (True, "All shipped.", ())


def test_a_call_written_as_text_is_a_call() -> None:
    """Salvaged, run, told as a warning, and sent back as a real call with an id."""
    box, ran = shop()
    said = 'Sure:\n```json\n{"name": "search_orders", "arguments": {"customer_id": "C-1"}}\n```'
    answers = box.turn().take_sync({"role": "assistant", "content": said})
    (result,) = answers.results
    assert (result.status, len(ran)) == (Status.OK, 1)
    assert [mend.kind for mend in result.mends] == ["salvage"]
    assert "written as text" in result.content
    assistant, answer = answers.to_messages()
    assert assistant["tool_calls"][0]["id"] == answer["tool_call_id"] != ""


def test_a_model_reply_is_taken_as_it_is() -> None:
    """What `Model.respond` gives goes straight in."""
    from handrail.models import ModelReply

    box, _ = shop()
    one = ModelReply(tool_calls=(ToolCall("a", "search_orders", GOOD),), finish_reason="tool_calls")
    assert box.turn().take_sync(one).results[0].status is Status.OK
    assert text("x")


def test_a_cut_reply_is_never_run() -> None:
    """finish_reason length: VAL-011 for the last call, advice for the operator."""
    box, ran = shop()
    cut = reply(("a", "search_orders", GOOD), ("b", "search_orders", '{"customer_id": "C-2"}'))
    answers = box.turn().take_sync(cut, finish_reason="length")
    first, last = answers.results
    assert (first.status, last.status, last.code) == (Status.OK, Status.INVALID, "VAL-011")
    assert "max_tokens" in (last.host_advice or "")
    assert "max_tokens" not in last.content
    assert len(ran) == 1


def test_what_is_no_reply_is_named() -> None:
    """The error says what was given and what is understood."""
    box, _ = shop()
    with pytest.raises(ValueError, match="cannot read"):
        box.turn().take_sync(42)


async def test_reads_of_one_message_run_side_by_side() -> None:
    """Two reads that wait for each other can only end together; a write waits for both."""
    order: list[str] = []
    both = asyncio.Barrier(2)

    async def read(n: int) -> int:
        """Read n."""
        await asyncio.wait_for(both.wait(), 5)
        order.append("read")
        return n

    async def write(n: int) -> int:
        """Write n."""
        order.append("write")
        return n

    box = Toolbox([read, Tool.from_function(write, action_type="write")])
    async with box.turn() as turn:
        answers = await turn.take(
            [call("read", '{"n": 1}'), call("read", '{"n": 2}'), call("write", '{"n": 3}')]
        )
    assert [one.data for one in answers.results] == [1, 2, 3]
    assert order == ["read", "read", "write"]


def test_two_identical_reads_run_once_and_share() -> None:
    """Both calls are answered; the second says that it is the same result."""
    box, ran = shop()
    answers = box.turn().take_sync(
        [call("search_orders", GOOD, "a"), call("search_orders", GOOD, "b")]
    )
    first, second = answers.results
    assert len(ran) == 1
    assert (first.call_id, second.call_id) == ("a", "b")
    assert (first.data, first.reused, second.reused) == (second.data, False, True)


def test_an_async_handler_works_behind_the_sync_door() -> None:
    """It runs on a private loop."""

    async def slow(x: int) -> int:
        """Wait, then answer."""
        await asyncio.sleep(0)
        return x

    assert Toolbox([slow]).turn().answer_sync(call("slow", '{"x": 4}')).data == 4


async def test_the_sync_door_inside_a_loop_names_the_async_one() -> None:
    """Waiting would block the loop: a ProtocolError, and nothing has changed."""

    async def slow(x: int) -> int:
        """Wait, then answer."""
        return x

    box = Toolbox([slow])
    with pytest.raises(ProtocolError, match=r"await turn\.answer"):
        box.turn().answer_sync(call("slow", '{"x": 4}'))
    assert len(box.journal) == 0


async def test_cancelling_passes_through_and_closes_the_call() -> None:
    """The host's cancellation is not swallowed; the call is not left open."""
    started = asyncio.Event()

    async def forever() -> None:
        """Never end."""
        started.set()
        await asyncio.Event().wait()

    box = Toolbox([forever])
    task = asyncio.create_task(box.turn().answer(call("forever")))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [entry.kind for entry in box.journal][-2:] == ["Cancelled", "Close"]


def test_ten_threads_count_exactly() -> None:
    """10 threads with 100 attempts each: no attempt is lost and none counts twice."""
    box, _ = shop()
    turn = box.turn()
    attempts: list[int] = []

    def work(name: str) -> None:
        for _ in range(100):
            bad = call("set_status", f'{{"order_id": "{name}"}}')
            attempts.append(turn.answer_sync(bad, chain=name).attempt)

    threads = [threading.Thread(target=work, args=(f"O-{n}",)) for n in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(attempts) == 1000
    blocked = [entry for entry in box.journal if entry.outcome == "redundant"]
    withdrawn = 1000 - sum(entry.kind == "AskModel" for entry in box.journal) - len(blocked)
    assert (len(blocked) >= 3, withdrawn >= 0) == (True, True)
    assert turn.withdrawn == {"set_status"}


def test_results_are_kept_in_order() -> None:
    """Every result that was given to the model."""
    box, _ = shop()
    with box.turn() as turn:
        turn.answer_sync(call("search_orders", GOOD))
        turn.answer_sync(call("nope"))
    assert [one.status for one in turn.results] == [Status.OK, Status.REFUSED]


def test_a_withdrawn_tool_leaves_the_schemas() -> None:
    """The model is not offered what it may not call."""
    box, _ = shop()
    turn = box.turn()
    for number in range(9):
        turn.answer_sync(call("set_status", f'{{"order_id": {number}}}'))
    assert [one["function"]["name"] for one in turn.schemas()] == ["search_orders", "delete_order"]
