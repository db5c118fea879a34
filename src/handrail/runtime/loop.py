"""One event loop in a thread of its own, for async handlers behind a synchronous door.

Synchronous code that is not inside a loop could call `asyncio.run`, but a new loop for each call
breaks handlers that keep a connection pool. So there is one loop for the process, started when
it is first needed. asyncio itself is imported as late: a program without it does not pay for it.
"""

import sys
import threading
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from handrail.errors import ProtocolError

if TYPE_CHECKING:
    import asyncio

__all__ = ["refuse_running_loop", "run_private"]

T = TypeVar("T")

_lock = threading.Lock()
_loop: "asyncio.AbstractEventLoop | None" = None


def run_private(work: Coroutine[Any, Any, T], what: str) -> T:  # Any: of Coroutine
    """Run a coroutine on the private loop and wait for it.

    Raises:
        ProtocolError: Called from inside a running loop, which waiting would block.
    """
    try:
        refuse_running_loop(what)
    except ProtocolError:
        work.close()
        raise
    import asyncio

    future = asyncio.run_coroutine_threadsafe(work, _started())
    try:
        return future.result()
    except BaseException:
        future.cancel()  # Ctrl-C while waiting; without effect on work that is done
        raise


def refuse_running_loop(what: str) -> None:
    """Raise ProtocolError inside a running loop, which waiting for `what` would block."""
    asyncio = sys.modules.get("asyncio")
    if asyncio is None:
        return
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise ProtocolError(
        f"{what!r} is async and an event loop is running: use the async door "
        "(await turn.take(...), await turn.answer(...), await box.approve(...)), not the sync one"
    )


def _started() -> "asyncio.AbstractEventLoop":
    import asyncio

    global _loop
    with _lock:
        if _loop is None or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            name = "handrail-loop"
            threading.Thread(target=_loop.run_forever, name=name, daemon=True).start()
        return _loop
