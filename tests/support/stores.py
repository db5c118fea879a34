"""Every store that an extension may have, for tests that each of them must pass."""

from collections.abc import Callable

from handrail.sdk.ctx import Data
from handrail.sdk.memory import MemoryData

Clock = Callable[[], float]

STORES: dict[str, Callable[[Clock], Data]] = {"memory": MemoryData}
"""Name -> how to make one, empty, with a clock; a further store is a further line."""


class Hands:
    """A clock that stands until it is moved."""

    def __init__(self, at: float = 1_000_000.0) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at
