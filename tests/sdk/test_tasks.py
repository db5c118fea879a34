"""Background work: capped, cancellable, and honest at its end."""

import asyncio
from typing import Any

import pytest

from handrail.chat import ActionResult
from handrail.sdk.tasks import LONG_CAP_S, SHORT_CAP_S, Task, TaskId, Tasks


async def quick(result: Any = None) -> Any:
    """Work that is done at once."""
    return ActionResult.success({"a": 1}, "Ready.") if result is None else result


async def for_ever() -> None:
    """Work that never ends."""
    await asyncio.Event().wait()


async def broken() -> None:
    """Work that raises."""
    raise RuntimeError("secret path /etc/x")


async def ended(tasks: Tasks, work: Any, **keywords: Any) -> Task:
    """How a piece of work ended."""
    task_id = tasks.start(work, user_id="u1", function="refine", **keywords)
    await tasks.settled()
    task = tasks.get(task_id)
    assert task is not None
    return task


def test_caps_are_those_of_the_seed() -> None:
    """Seconds."""
    assert (SHORT_CAP_S, LONG_CAP_S) == (180.0, 1800.0)


async def test_work_goes_on_and_ends_with_its_result() -> None:
    """Which belongs to its user."""
    heard: list[Task] = []
    tasks = Tasks(heard.append)
    task = await ended(tasks, quick())
    assert (task.status, task.percent, task.function) == ("done", 100, "refine")
    assert task.result == ActionResult.success({"a": 1}, "Ready.")
    assert (tasks.of("u1"), tasks.of("u2"), heard) == ([task], [], [task])


async def test_error_of_its_author_fails_it() -> None:
    """In its own words."""
    task = await ended(Tasks(), quick(ActionResult.error("No.", code="NO")))
    assert task.result is not None
    assert (task.status, task.result.error) == ("failed", "No.")


@pytest.mark.parametrize(
    ("work", "code", "told"),
    [
        (broken, "INTERNAL", "refine failed: an unexpected error occurred."),
        (for_ever, "BACKEND_TIMEOUT", "refine failed: it did not finish within 0.01 s."),
        (lambda: quick({"a": 1}), "EXT_UNSTRUCTURED_ERROR",
         "refine failed: it gave no readable result."),
    ],
)  # fmt: skip
async def test_other_ends_are_recorded_failures(work: Any, code: str, told: str) -> None:
    """A sentence for the user, never the text of an exception."""
    task = await ended(Tasks(short_cap_s=0.01), work())
    assert task.result is not None
    assert (task.status, task.result.code, task.result.error) == ("failed", code, told)


async def test_long_running_has_the_longer_cap() -> None:
    """The short one would have ended it."""

    async def longer() -> ActionResult[Any]:
        await asyncio.sleep(0.05)
        return ActionResult.success()

    tasks = Tasks(short_cap_s=0.001)
    assert (await ended(tasks, longer(), long_running=True)).status == "done"
    assert (await ended(tasks, longer())).status == "failed"


async def test_cancel_ends_it() -> None:
    """While it runs, and before its first step; once."""
    tasks = Tasks()
    running = tasks.start(for_ever(), user_id="u1", function="a")
    await asyncio.sleep(0)
    waiting = tasks.start(for_ever(), user_id="u1", function="b")
    assert [tasks.cancel(running), tasks.cancel(waiting), tasks.cancel("none")] == [
        True, True, False,
    ]  # fmt: skip
    await tasks.settled()
    assert [task.status for task in tasks.of("u1")] == ["cancelled", "cancelled"]
    assert tasks.cancel(running) is False


async def test_progress_is_told_while_it_runs() -> None:
    """Within 0 and 100; afterwards it changes nothing."""
    heard: list[Task] = []
    tasks = Tasks(heard.append)
    task_id = tasks.start(for_ever(), user_id="u1", function="a")
    for percent in (-3, 50.7, 400):
        tasks.report(task_id, percent, "so far")
    tasks.cancel(task_id)
    await tasks.settled()
    tasks.report(task_id, 3, "late")
    tasks.report("none", 3, "nobody")
    assert [(one.percent, one.status) for one in heard] == [
        (0, "running"), (50, "running"), (100, "running"), (100, "cancelled"),
    ]  # fmt: skip


async def test_task_id_is_a_text_and_may_be_awaited() -> None:
    """As the seeds do both."""
    tasks = Tasks()
    task_id = tasks.start(quick(), user_id="u1", function="a")
    assert await task_id == task_id
    assert (type(await task_id), task_id.startswith("task_")) == (TaskId, True)
    await tasks.settled()


async def test_work_must_be_a_coroutine() -> None:
    """A function that was not called is a slip."""
    with pytest.raises(TypeError, match="must be a coroutine, got function"):
        Tasks().start(quick, user_id="u1", function="a")  # type: ignore[arg-type]  # the point


async def test_ended_tasks_are_forgotten_at_last() -> None:
    """A thousand are remembered."""
    tasks = Tasks()
    for _ in range(1_003):
        await ended(tasks, quick())
    assert len(tasks.of("u1")) <= 1_001
