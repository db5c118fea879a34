"""One thread that writes for all: many appends, one commit.

A commit that reaches the platter costs a millisecond or more, whatever is in it. So appends wait
in a queue, and whatever is there when the writer comes round is written together: threads that
need durability share one commit, the others do not wait at all.

What must be durable and cannot be written is refused to whoever asked for it. What need not be
stays in the queue and is tried again, up to a bound; nothing is dropped in silence.
"""

import atexit
import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from handrail.errors import StoreError

__all__ = ["GroupWriter"]

R = TypeVar("R")

_LARGEST = 5_000
"""Rows in one commit."""


class _Append(Generic[R]):
    """Rows of one caller. `done` is set for those who wait."""

    __slots__ = ("done", "fault", "rows")

    def __init__(self, rows: list[R], *, durable: bool) -> None:
        self.rows = rows
        self.done = threading.Event() if durable else None
        self.fault: Exception | None = None


class GroupWriter(Generic[R]):
    """Writes rows in the order in which they were put, in groups. Thread-safe.

    Args:
        commit: Writes rows in one transaction, durably or not; raises `StoreError` where it
            cannot, and has written nothing then.
        place: Where to, for messages.
        most_waiting: Rows that wait at most; beyond it `put` waits, or raises while the store
            cannot write.
        linger_s: How long rows that nobody waits for are collected.
        retry_s: Pause after a failure.
    """

    def __init__(
        self,
        commit: Callable[[list[R], bool], None],
        place: str,
        *,
        most_waiting: int = 10_000,
        linger_s: float = 0.01,
        retry_s: float = 1.0,
    ) -> None:
        self._commit = commit
        self._place = place
        self._most = most_waiting
        self._linger_s = linger_s
        self._retry_s = retry_s
        self._changed = threading.Condition()
        self._queue: deque[_Append[R]] = deque()
        self._waiting = 0
        self._urgent = 0
        self._fault: Exception | None = None
        self._closing = False
        self._thread: threading.Thread | None = None
        self._process = os.getpid()

    def put(self, rows: list[R], *, durable: bool) -> None:
        """Append rows; return at once, or once they are durable.

        Raises:
            StoreError: They could not be written, or too many rows wait already.
        """
        append = _Append(rows, durable=durable)
        with self._changed:
            self._room(len(rows), durable=durable)
            self._start()
            self._queue.append(append)
            self._waiting += len(rows)
            self._urgent += durable
            self._changed.notify_all()
        if append.done is not None:
            append.done.wait()
            if append.fault is not None:
                raise StoreError(str(append.fault)) from append.fault

    def _room(self, count: int, *, durable: bool) -> None:
        while not durable and self._waiting and self._waiting + count > self._most:
            if self._fault is not None:
                raise StoreError(
                    f"{self._waiting} entries wait already, and no more are taken until they can "
                    f"be written: {self._fault}"
                ) from self._fault
            if self._closing:
                break
            self._changed.wait()
        if self._closing:
            raise StoreError(f"{self._place}: the store is closed; open it again")

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="handrail-store", daemon=True)
            self._thread.start()
            atexit.register(self.close)

    def flush(self) -> None:
        """Return once everything put so far is durable.

        Raises:
            StoreError: It could not be written; it still waits.
        """
        with self._changed:
            if self._thread is None or self._closing:
                return
        self.put([], durable=True)

    def close(self) -> None:
        """Write what waits, and end the thread.

        Raises:
            StoreError: Some entries could not be written; they are lost now.
        """
        if self._process != os.getpid():  # a forked child: what waits is its parent's to write
            return
        with self._changed:
            if self._closing:
                return
            self._closing = True
            self._changed.notify_all()
        if self._thread is None:
            return
        self._thread.join()
        atexit.unregister(self.close)
        if self._waiting:
            raise StoreError(
                f"the store was closed with {self._waiting} entries that could not be written: "
                f"{self._fault}"
            ) from self._fault

    # in the thread

    def _run(self) -> None:
        while True:
            taken = self._next()
            if not taken:
                return
            rows = [row for append in taken for row in append.rows]
            try:
                self._commit(rows, any(append.done is not None for append in taken))
            except Exception as error:
                if self._failed(taken, error):
                    return
            else:
                self._written(taken, len(rows))

    def _next(self) -> list[_Append[R]]:
        with self._changed:
            while not self._queue and not self._closing:
                self._changed.wait()
            if not (self._urgent or self._closing or self._waiting >= _LARGEST):
                self._changed.wait_for(self._is_pressed, self._linger_s)
            taken: list[_Append[R]] = []
            size = 0
            while self._queue and (not taken or size + len(self._queue[0].rows) <= _LARGEST):
                taken.append(self._queue.popleft())
                size += len(taken[-1].rows)
            return taken

    def _is_pressed(self) -> bool:
        return bool(self._urgent) or self._closing or self._waiting >= _LARGEST

    def _written(self, taken: list[_Append[R]], count: int) -> None:
        with self._changed:
            self._fault = None
            self._waiting -= count
            self._answer(taken, None)
            self._changed.notify_all()

    def _failed(self, taken: list[_Append[R]], error: Exception) -> bool:
        """Answer who waits, keep the rest for later; whether to give up, since it is closing."""
        with self._changed:
            self._fault = error
            self._answer(taken, error)
            self._waiting -= sum(len(one.rows) for one in taken if one.done is not None)
            self._queue.extendleft(one for one in reversed(taken) if one.done is None)
            self._changed.notify_all()
            if self._closing:
                self._answer(list(self._queue), error)
                return True
            self._changed.wait_for(lambda: self._urgent or self._closing, self._retry_s)
        return False

    def _answer(self, taken: list[_Append[R]], fault: Exception | None) -> None:
        for append in taken:
            if append.done is not None:
                self._urgent -= 1
                append.fault = fault
                append.done.set()
