"""Work that goes on after the answer: live coroutines, capped, on the loop that started them.

A task belongs to one user. It ends with an `ActionResult`, also where its coroutine raised, took
too long or returned something else: what the user reads then is a sentence, never the text of an
exception. Source: seed 002, "background and long_running".
"""

import asyncio
import logging
import os
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass, replace
from typing import Any, Literal

from handrail.contract.author import described
from handrail.sdk.action_result import ActionResult

__all__ = ["LONG_CAP_S", "SHORT_CAP_S", "Task", "TaskId", "Tasks"]

SHORT_CAP_S = 180.0
"""Longest that background work may take (seed 002)."""

LONG_CAP_S = 1_800.0
"""The same for ``long_running=True`` (seed 002)."""

_REMEMBERED = 1_000
"""Ended tasks that can still be asked for; the one that began longest ago goes first."""

logger = logging.getLogger("handrail.sdk")

Work = Coroutine[Any, Any, Any]  # Any: an author's coroutine
Listener = Callable[["Task"], None]


class TaskId(str):
    """The id of a task: a text, which may be awaited too, as the seeds do."""

    __slots__ = ()

    def __await__(self) -> Generator[None, None, "TaskId"]:
        yield from ()  # nothing to wait for
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Background work as it stands.

    Attributes:
        id: Given to the user with the acknowledgement.
        function: Name of the function that started it, or the name that its author gave.
        user_id: Whom it belongs to.
        status: ``running``, ``done``, ``failed`` or ``cancelled``.
        percent: 0 to 100, as far as it told.
        message: What it told last.
        result: Once it ended.
    """

    id: str
    function: str
    user_id: str
    status: Literal["running", "done", "failed", "cancelled"] = "running"
    percent: int = 0
    message: str = ""
    result: ActionResult[Any] | None = None  # Any: data of any function


class Tasks:
    """Background work of one extension.

    Args:
        on_change: Told of every change of a task.
        short_cap_s: Cap in seconds.
        long_cap_s: Cap of long work in seconds.
    """

    def __init__(
        self,
        on_change: Listener | None = None,
        *,
        short_cap_s: float = SHORT_CAP_S,
        long_cap_s: float = LONG_CAP_S,
    ) -> None:
        self._on_change = on_change
        self._caps_s = {False: short_cap_s, True: long_cap_s}
        self._tasks: OrderedDict[str, Task] = OrderedDict()
        self._running: dict[str, asyncio.Task[None]] = {}

    def start(
        self, work: Work, *, user_id: str, function: str, long_running: bool = False
    ) -> TaskId:
        """Start a coroutine on the running loop and give the id of its task.

        Raises:
            TypeError: `work` is no coroutine.
        """
        if not asyncio.iscoroutine(work):
            raise TypeError(f"background work must be a coroutine, got {type(work).__name__}")
        task_id = TaskId(f"task_{os.urandom(8).hex()}")
        self._tasks[task_id] = Task(id=task_id, function=function, user_id=user_id)
        self._forget()
        running = asyncio.get_running_loop().create_task(
            self._run(task_id, work, self._caps_s[long_running])
        )
        self._running[task_id] = running
        running.add_done_callback(lambda _: self._close(task_id, work))
        return task_id

    def of(self, user_id: str) -> list[Task]:
        """Tasks of a user, in the order in which they began."""
        return [task for task in self._tasks.values() if task.user_id == user_id]

    def get(self, task_id: str) -> Task | None:
        """A task; None if there is none of this id."""
        return self._tasks.get(task_id)

    def report(self, task_id: str, percent: float, message: str) -> None:
        """Note how far a task is."""
        task = self._tasks.get(task_id)
        if task is not None and task.status == "running":
            self._set(replace(task, percent=min(max(int(percent), 0), 100), message=message))

    def cancel(self, task_id: str) -> bool:
        """Ask a task to stop; whether it was running."""
        running = self._running.get(task_id)
        return running is not None and running.cancel()

    async def settled(self) -> None:
        """Wait until nothing runs any more."""
        while self._running:
            await asyncio.wait([*self._running.values()])
            await asyncio.sleep(0)

    async def _run(self, task_id: str, work: Work, cap_s: float) -> None:
        try:
            async with asyncio.timeout(cap_s):
                returned = await work
        except TimeoutError as error:
            logger.error("Background work timed out", exc_info=error, extra={"task_id": task_id})
            self._fail(task_id, "BACKEND_TIMEOUT", f"it did not finish within {cap_s:g} s")
        except Exception as error:
            logger.error("Background work raised: %s", described(error), exc_info=error)
            self._fail(task_id, "INTERNAL", "an unexpected error occurred")
        else:
            if isinstance(returned, ActionResult):
                status: Literal["done", "failed"]
                status = "done" if returned.status == "success" else "failed"
                done = replace(self._tasks[task_id], status=status, result=returned)
                self._set(replace(done, percent=100) if status == "done" else done)
            else:
                kind = type(returned).__name__
                logger.error("Background work returned %s, not an ActionResult", kind)
                self._fail(task_id, "EXT_UNSTRUCTURED_ERROR", "it gave no readable result")

    def _fail(self, task_id: str, code: str, why: str) -> None:
        task = self._tasks[task_id]
        told: ActionResult[Any] = ActionResult.error(f"{task.function} failed: {why}.", code=code)
        self._set(replace(task, status="failed", result=told))

    def _close(self, task_id: str, work: Work) -> None:
        self._running.pop(task_id, None)
        work.close()  # it may have been cancelled before its first step
        task = self._tasks.get(task_id)
        if task is not None and task.status == "running":
            told: ActionResult[Any] = ActionResult.error(
                f"{task.function} was cancelled.", code="CANCELLED"
            )
            self._set(replace(task, status="cancelled", result=told))

    def _set(self, task: Task) -> None:
        self._tasks[task.id] = task
        if self._on_change is not None:
            self._on_change(task)

    def _forget(self) -> None:
        ended = [key for key, task in self._tasks.items() if task.status != "running"]
        for key in ended[: max(len(ended) - _REMEMBERED, 0)]:
            del self._tasks[key]
