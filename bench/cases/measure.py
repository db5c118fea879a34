"""How figures are taken: contestants run in turns, and a figure is never without its spread.

A ratio is taken within each round, between batches that ran milliseconds apart, and the median
of these ratios is reported. So a neighbour that takes half of the machine for a second slows
both sides of the same rounds and hardly moves the ratio. The garbage collector stays on, as in a
real program; each round begins with a full collection, and what lives before the first round is
frozen so that its size does not count.

Times are processor time, not wall time: all of this computes and waits for nothing, and while
a neighbour has the processor, wall time would punish long batches and spare short ones.
"""

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["Figure", "Goal", "Section", "Spread", "duel", "ratio", "rounds_of"]

Batch = Callable[[], float]
"""Runs a batch and gives the seconds of one unit in it."""


@dataclass(frozen=True)
class Spread:
    """Median, quartiles and least value of some rounds."""

    median: float
    low: float
    high: float
    least: float
    rounds: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """The spread of at least one value."""
        if len(values) == 1:
            return cls(values[0], values[0], values[0], values[0], 1)
        low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(middle, low, high, min(values), len(values))


@dataclass(frozen=True)
class Goal:
    """What a figure should be at most, and where that is said."""

    at_most: float
    source: str


@dataclass(frozen=True)
class Figure:
    """One measured number.

    Attributes:
        name: What was measured.
        unit: ``us``, ``ms``, ``times``, ``bytes``, ``calls`` ...
        spread: Median and quartiles.
        goal: What it should be at most.
        beside: What a ratio is taken against.
    """

    name: str
    unit: str
    spread: Spread
    goal: Goal | None = None
    beside: str | None = None

    @property
    def met(self) -> bool | None:
        """Whether the median meets the goal; None without one."""
        return None if self.goal is None else self.spread.median <= self.goal.at_most

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {**asdict(self), "met": self.met}


@dataclass(frozen=True)
class Section:
    """One case: what was done, and its figures."""

    title: str
    what: str
    figures: list[Figure]
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "title": self.title,
            "what": self.what,
            "figures": [figure.to_dict() for figure in self.figures],
            "notes": self.notes,
        }


def rounds_of(contestants: Mapping[str, Batch], rounds: int) -> dict[str, list[float]]:
    """Seconds of a unit, per contestant and round; who begins changes with every round."""
    names = list(contestants)
    for name in names:  # warm caches; not counted
        contestants[name]()
    taken: dict[str, list[float]] = {name: [] for name in names}
    gc.collect()
    gc.freeze()
    for number in range(rounds):
        gc.collect()
        shift = number % len(names)
        for name in names[shift:] + names[:shift]:
            taken[name].append(contestants[name]())
    gc.unfreeze()
    return taken


def ratio(taken: Mapping[str, Sequence[float]], ours: str, bare: str) -> Spread:
    """How many times as long `ours` took, round by round."""
    return Spread.of([one / other for one, other in zip(taken[ours], taken[bare], strict=True)])


def duel(prepare: Callable[[], Callable[[], object]], calls: int) -> Batch:
    """A batch whose preparation is not timed.

    Args:
        prepare: Gives the function that does all `calls` units of one batch.
        calls: Units in it.
    """

    def batch() -> float:
        run = prepare()
        began = time.thread_time_ns()
        run()
        return (time.thread_time_ns() - began) / calls / 1e9

    return batch
