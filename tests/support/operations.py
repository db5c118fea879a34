"""Work counted, not timed: it is the same on every machine, however busy."""

import sys
from collections.abc import Callable
from types import FrameType

__all__ = ["operations"]


def operations(work: Callable[[], object]) -> int:
    """Calls of functions, Python's own included, while `work` runs once more.

    It runs once before, so that what is made on first use is not counted.
    """
    work()
    count = 0

    def counting(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
