"""The private loop: one for the process, and never a way to block a running one."""

import asyncio
import threading

import pytest

from handrail.errors import ProtocolError
from handrail.runtime.loop import refuse_running_loop, run_private


async def here() -> tuple[int, str]:
    """Which loop runs this, in which thread."""
    return id(asyncio.get_running_loop()), threading.current_thread().name


def test_every_call_runs_on_the_same_loop() -> None:
    """So that a handler may keep a connection pool."""
    first, second = run_private(here(), "here"), run_private(here(), "here")
    assert first == second
    assert first[1] == "handrail-loop"


def test_threads_share_it() -> None:
    """One loop for the process, started once."""
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.append(run_private(here(), "here")[0]))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(found), len(set(found))) == (8, 1)


def test_what_it_raises_comes_back() -> None:
    """Unchanged."""

    async def fail() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError, match="x"):
        run_private(fail(), "fail")


async def test_inside_a_running_loop_it_names_the_async_door() -> None:
    """Waiting would block that loop; the work is closed and never starts."""
    work = here()
    with pytest.raises(ProtocolError, match=r"'search' is async .*await turn\.take"):
        run_private(work, "search")
    assert work.cr_frame is None


def test_without_a_loop_nothing_is_refused() -> None:
    """A synchronous program has all doors."""
    assert refuse_running_loop("search") is None  # type: ignore[func-returns-value]  # no raise
