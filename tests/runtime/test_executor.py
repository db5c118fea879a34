"""Running a handler once: results, faults, time, and what is let through."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

import pytest

from handrail import Context, Tool, ToolCall
from handrail.errors import ProtocolError
from handrail.protocol.asks import AskTool, Raised, Returned
from handrail.runtime.executor import run_async, run_sync
from parts import Clock

WHO: ContextVar[str] = ContextVar("WHO", default="nobody")


class ConnectTimeout(Exception):
    """As a client library names it, without a common base."""


class Slow(ConnectTimeout):
    """A child of it."""


def ask(arguments: Any = None, prepared: Any = None) -> AskTool:
    """A run of call c7, second attempt."""
    given = {} if arguments is None else arguments
    return AskTool(ToolCall("c7", "work"), given, prepared, 2, "key-1")


def tool(fn: Callable[..., Any], **terms: object) -> Tool:
    """A tool named work."""
    return Tool.from_function(fn, name="work", description="Work.", **terms)


def sync(fn: Callable[..., Any], run: AskTool | None = None, **terms: object) -> Returned | Raised:
    """Run it from synchronous code."""
    return run_sync(tool(fn, **terms), run or ask(), "u1", Clock(5.0))


async def later(
    fn: Callable[..., Any], run: AskTool | None = None, **terms: object
) -> Returned | Raised:
    """Run it on the loop; never longer than a few seconds."""
    done = run_async(tool(fn, **terms), run or ask(), "u1", Clock(5.0))
    return await asyncio.wait_for(done, 5)


def raising(error: BaseException) -> Callable[[], None]:
    """A handler that raises it."""

    def work() -> None:
        raise error

    return work


def raising_async(error: BaseException) -> Callable[[], Any]:
    """The same, async."""

    async def work() -> None:
        raise error

    return work


def kind(said: Returned | Raised) -> str:
    """The kind of a fault."""
    assert isinstance(said, Raised), said
    return said.fault.kind


# ---- results


async def test_all_four_ways_return_the_value() -> None:
    """Sync and async handlers behind the async door, with and without a time limit."""

    async def work(n: int) -> int:
        await asyncio.sleep(0)
        return n + 1

    def work_sync(n: int) -> int:
        return n + 1

    said = [
        await later(fn, ask({"n": 1}), timeout_s=limit)
        for fn in (work, work_sync)
        for limit in (None, 5)
    ]
    assert said == [Returned(2, 5.0)] * 4


def test_the_sync_door_runs_both_kinds() -> None:
    """An async handler on the private loop."""

    async def work(n: int) -> int:
        await asyncio.sleep(0)
        return n + 1

    def work_sync(n: int) -> int:
        return n + 1

    said = [sync(fn, ask({"n": 1}), timeout_s=s) for fn in (work, work_sync) for s in (None, 5)]
    assert said == [Returned(2, 5.0)] * 4


def test_the_prepared_arguments_are_used() -> None:
    """What was judged is what runs; nothing is judged again."""

    def work(n: int) -> int:
        return n

    made = tool(work)
    prepared = made.engine.accept('{"n": 3}')
    assert run_sync(made, ask({"n": 9}, prepared), None, Clock()) == Returned(3, 1000.0)


def test_the_context_says_who_and_which_attempt() -> None:
    """The key is stable over re-runs."""

    def work(ctx: Context) -> Context:
        return ctx

    assert sync(work) == Returned(Context("work", "c7", "u1", 2, "key-1"), 5.0)


async def test_context_variables_reach_the_handler() -> None:
    """In whatever thread it runs."""
    WHO.set("ann")

    def work() -> str:
        return WHO.get()

    async def work_async() -> str:
        return WHO.get()

    assert await later(work) == await later(work_async) == Returned("ann", 5.0)


def test_context_variables_reach_a_handler_with_a_time_limit() -> None:
    """And one on the private loop."""
    WHO.set("bob")

    def work() -> str:
        return WHO.get()

    async def work_async() -> str:
        return WHO.get()

    assert [sync(work, timeout_s=5), sync(work_async)] == [Returned("bob", 5.0)] * 2


async def test_rows_are_read_where_the_handler_ran() -> None:
    """Within its time, in its thread; those before a fault are kept."""

    def work() -> Iterator[object]:
        yield threading.get_ident()
        raise KeyError("db.internal")

    own = threading.get_ident()
    here, there = sync(work), await later(work)
    assert isinstance(here, Returned)
    assert isinstance(there, Returned)
    assert (here.value.rows, type(here.value.error)) == ([own], KeyError)
    assert there.value.rows != [own]

    def slow() -> Iterator[int]:
        time.sleep(0.3)
        yield 1

    assert kind(await later(slow, timeout_s=0.02)) == "transient"


# ---- faults


@pytest.mark.parametrize("timeout_s", [None, 5])
async def test_stop_iteration_is_a_fault_and_no_silence(timeout_s: float | None) -> None:
    """A future cannot carry it: a careless ``next`` must not hang the turn."""

    def work() -> object:
        return next(iter([]))

    assert kind(await later(work, timeout_s=timeout_s)) == "internal"
    assert kind(await asyncio.to_thread(sync, work, timeout_s=timeout_s)) == "internal"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (TimeoutError("t"), "transient"),
        (ConnectionResetError("r"), "transient"),
        (BrokenPipeError("p"), "transient"),
        (ConnectTimeout("c"), "transient"),
        (Slow("s"), "transient"),
        (KeyError("k"), "internal"),
        (FileNotFoundError("f"), "internal"),
        (ValueError("Timeout"), "internal"),
    ],
)
async def test_what_is_transient(error: Exception, expected: str) -> None:
    """By type and by the names of types, never by the text; in every door."""
    assert kind(sync_elsewhere := await asyncio.to_thread(sync, raising(error))) == expected
    assert kind(await later(raising(error))) == expected
    assert kind(await later(raising_async(error))) == expected
    assert isinstance(sync_elsewhere, Raised)


def test_the_text_of_an_exception_goes_to_log_and_operator(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Under one reference, which is all that the model may be told."""
    error = KeyError("db.internal")
    said = sync(raising(error))
    assert isinstance(said, Raised)
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("handrail.runtime", logging.ERROR)
    assert (record.getMessage(), vars(record)["tool_name"]) == ("Tool handler raised", "work")
    assert record.exc_info is not None
    assert record.exc_info[1] is error
    assert vars(record)["reference"] == said.fault.reference
    expected = f"work raised KeyError: 'db.internal' ({said.fault.reference})"
    assert said.fault.detail == expected


def test_references_differ() -> None:
    """Two failures are two."""
    one, two = sync(raising(KeyError())), sync(raising(KeyError()))
    assert isinstance(one, Raised)
    assert isinstance(two, Raised)
    assert one.fault.reference != two.fault.reference


def test_a_tool_without_a_handler_is_a_fault() -> None:
    """It is judged and never run."""
    bare = Tool("work", "Work.", None, {"type": "object"})
    said = run_sync(bare, ask(), None, Clock())
    assert isinstance(said, Raised)
    assert "was declared without a handler" in said.fault.detail


def test_unreadable_arguments_never_run() -> None:
    """Shadow mode lets an invalid call through, but here is nothing to run with."""
    ran: list[object] = []
    open_tool = Tool("work", "Work.", lambda **given: ran.append(given), {"type": "object"})
    said = run_sync(open_tool, ask()._replace(arguments=None), None, Clock())
    assert (kind(said), ran) == ("internal", [])


# ---- time


async def test_a_handler_that_takes_too_long_is_transient() -> None:
    """Sync and async, in both doors."""

    def slow() -> None:
        time.sleep(0.3)

    async def slow_async() -> None:
        await asyncio.sleep(30)

    for fn in (slow, slow_async):
        assert kind(await later(fn, timeout_s=0.02)) == "transient"
        assert kind(await asyncio.to_thread(sync, fn, timeout_s=0.02)) == "transient"


def test_a_time_limit_is_named_for_the_operator() -> None:
    """A handler's own TimeoutError keeps its own words."""

    def slow() -> None:
        time.sleep(0.3)

    late, own = sync(slow, timeout_s=0.02), sync(raising(TimeoutError("dns")), timeout_s=5)
    assert isinstance(late, Raised)
    assert isinstance(own, Raised)
    assert "no result within 0.02 s" in late.fault.detail
    assert "TimeoutError: dns" in own.fault.detail


# ---- what is let through


async def test_cancellation_passes() -> None:
    """It is the host's word, and no fault of the tool."""
    started = asyncio.Event()

    async def work() -> None:
        started.set()
        await asyncio.sleep(30)

    task = asyncio.create_task(later(work))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("timeout_s", [None, 5])
def test_ctrl_c_passes(timeout_s: float | None) -> None:
    """Through the sync door, whatever thread the handler runs in."""
    with pytest.raises(KeyboardInterrupt):
        sync(raising(KeyboardInterrupt()), timeout_s=timeout_s)


async def test_an_async_handler_behind_the_sync_door_in_a_loop_is_refused() -> None:
    """A mistake of the program, so an exception; it must not look like a failed tool."""

    async def work() -> None: ...

    with pytest.raises(ProtocolError, match="use the async door"):
        sync(work)
