"""Where identical calls of guarded functions are counted: an explicit window, a task, a thread."""

import sys
import threading
from contextvars import ContextVar, Token
from types import TracebackType
from weakref import WeakKeyDictionary

from handrail.protocol.repeats import Repeats

__all__ = ["GuardTurn", "Window", "current_window"]


class Window:
    """One window of identical calls.

    Attributes:
        repeats: The counts.
        lock: Held around them, and never while a function runs.
    """

    __slots__ = ("__weakref__", "lock", "repeats")

    def __init__(self) -> None:
        self.repeats = Repeats()
        self.lock = threading.Lock()


_stated: ContextVar[Window | None] = ContextVar("handrail_guard_turn", default=None)
_running: "WeakKeyDictionary[object, Window]" = WeakKeyDictionary()
_lock = threading.Lock()


def current_window() -> Window:
    """The window of `GuardTurn` that is open here, else that of the running task or thread."""
    stated = _stated.get()
    if stated is not None:
        return stated
    runner = _task() or threading.current_thread()
    with _lock:
        window = _running.get(runner)
        if window is None:
            window = _running[runner] = Window()
        return window


def _task() -> object | None:
    asyncio = sys.modules.get("asyncio")
    if asyncio is None:
        return None
    try:
        return asyncio.current_task()  # type: ignore[no-any-return]  # a module by its name
    except RuntimeError:  # no loop is running here
        return None


class GuardTurn:
    """One window for the guarded calls inside it: in this task or thread, and what they start.

    A context manager, for ``with`` and for ``async with``. Windows may be nested; the inner one
    counts by itself.
    """

    def __init__(self) -> None:
        self._tokens: list[Token[Window | None]] = []

    def __enter__(self) -> "GuardTurn":
        self._tokens.append(_stated.set(Window()))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _stated.reset(self._tokens.pop())

    async def __aenter__(self) -> "GuardTurn":
        return self.__enter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.__exit__(kind, error, trace)
