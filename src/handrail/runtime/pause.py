"""Waiting before a re-run: really, or as the clock of a test says.

A toolbox has one seam for time, its clock. A clock that can also ``sleep(seconds)`` is asked to
wait too, so that a test's time passes at once; any other clock means real waiting.
"""

import inspect
import time
from collections.abc import Callable

__all__ = ["pause", "pause_sync"]


def pause_sync(seconds: float, clock: Callable[[], float]) -> None:
    """Wait, from synchronous code."""
    getattr(clock, "sleep", time.sleep)(seconds)


async def pause(seconds: float, clock: Callable[[], float]) -> None:
    """Wait without holding up the event loop."""
    sleep = getattr(clock, "sleep", None)
    if sleep is None:
        import asyncio

        sleep = asyncio.sleep
    slept = sleep(seconds)
    if inspect.isawaitable(slept):
        await slept
