"""Waiting: by the clock where it can, else really."""

import asyncio
import time

import pytest

from handrail.runtime.pause import pause, pause_sync
from parts import Clock


class Lazy(Clock):
    """A clock whose sleep must be awaited."""

    async def sleep(self, seconds: float) -> None:  # type: ignore[override]  # the async kind
        """Time passes when awaited."""
        self.now += seconds


@pytest.mark.parametrize("clock", [Clock(0.0), Lazy(0.0)])
def test_a_clock_that_can_sleep_is_asked(clock: Clock) -> None:
    """An hour passes at once, behind the asynchronous door."""
    asyncio.run(pause(3600.0, clock))
    assert clock.now == 3600.0


def test_the_synchronous_door_asks_the_clock_too() -> None:
    """The same seam."""
    clock = Clock(0.0)
    pause_sync(3600.0, clock)
    assert clock.now == 3600.0


def test_any_other_clock_waits_really() -> None:
    """At least as long as asked for, behind both doors."""
    before = time.monotonic()
    pause_sync(0.01, time.time)
    asyncio.run(pause(0.01, time.time))
    assert time.monotonic() - before >= 0.02
