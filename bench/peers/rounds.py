"""Takes the figures: contestants by turns, bare work beside each of them in every round."""

import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from peers.contestants import Contestant
from peers.processes import Process, Unavailable, interpreter
from peers.tasks import CASES, TASKS

__all__ = ["Found", "Spread", "measure"]

BARE = ("bare valid", "bare invalid")
LEAST, MOST = 3, 1_000
"""Calls of a batch."""


@dataclass(frozen=True)
class Spread:
    """Median, tenth and ninetieth percentile of some rounds."""

    median: float
    p10: float
    p90: float
    rounds: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """Of at least one value."""
        if len(values) == 1:
            return cls(values[0], values[0], values[0], 1)
        tenths = statistics.quantiles(values, n=10, method="inclusive")
        return cls(statistics.median(values), tenths[0], tenths[-1], len(values))


@dataclass
class Found:
    """All that is known of one contestant.

    Attributes:
        contestant: Who it is.
        versions: Of its packages.
        shown: By task and case: how often the function ran, and what the model reads.
        taken: Nanoseconds of a call by task, case and round; bare work among the cases.
    """

    contestant: Contestant
    versions: dict[str, str]
    shown: dict[str, dict[str, dict[str, Any]]]
    taken: dict[str, dict[str, list[float]]] = field(default_factory=dict)

    @property
    def rounds(self) -> int:
        """How many rounds were taken."""
        return len(next(iter(self.taken.values()))[BARE[0]])

    @property
    def cases(self) -> list[str]:
        """The cases that it has."""
        return list(next(iter(self.shown.values())))

    def micros(self, task: str, case: str) -> Spread:
        """Microseconds of a call."""
        return Spread.of([one / 1e3 for one in self.taken[task][case]])

    def ratio(self, task: str, case: str) -> Spread:
        """Multiples of the bare work that answers the case, round by round.

        A wrong call is held against bare refusal, two rounds against bare refusal and bare call.
        """
        bare_valid, bare_invalid = (self.taken[task][name] for name in BARE)
        beside = {
            "invalid": bare_invalid,
            "two rounds": [one + two for one, two in zip(bare_valid, bare_invalid, strict=True)],
        }
        beside["whole turn"] = beside["two rounds"]
        pairs = zip(self.taken[task][case], beside.get(case, bare_valid), strict=True)
        return Spread.of([one / bare for one, bare in pairs])

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        figures = [
            {
                "task": task,
                "case": case,
                "micros": asdict(self.micros(task, case)),
                **({} if case in BARE else {"ratio": asdict(self.ratio(task, case))}),
            }
            for task in self.taken
            for case in self.taken[task]
        ]
        about = {"contestant": self.contestant.key, "versions": self.versions}
        return {**about, "shown": self.shown, "figures": figures}


def measure(
    contestants: Sequence[Contestant],
    *,
    rounds: int,
    minutes: float,
    batch_ms: float,
    environments: Path,
    install: bool,
) -> tuple[list[Found], dict[str, str]]:
    """The figures of all who can be measured, and a sentence for each who cannot.

    Args:
        contestants: Who is wanted.
        rounds: How often each takes its turn.
        minutes: After these no further round begins; the first always does.
        batch_ms: About how long a batch of calls should take.
        environments: The folder of the others' environments.
        install: Whether missing ones are made.
    """
    absent: dict[str, str] = {}
    running: list[tuple[Process, Found]] = []
    try:
        for contestant in contestants:
            try:
                python = interpreter(contestant, environments, install=install)
                running.append(_entered(contestant, python))
            except Unavailable as why:
                absent[contestant.title] = str(why)
                print(f"bench: {contestant.title} is left out. {why}", file=sys.stderr)
        if running:
            until = time.monotonic() + minutes * 60
            _take(running, rounds=rounds, until=until, batch_ns=batch_ms * 1e6)
    finally:
        for process, _ in running:
            process.close()
    return [found for _, found in running], absent


def _entered(contestant: Contestant, python: Path) -> tuple[Process, Found]:
    """A contestant that does what it is measured for.

    Raises:
        Unavailable: It cannot be run, or does something else.
    """
    process = Process(contestant, python)
    try:
        versions = process.ask(versions=True)["versions"]
        shown = {task: process.ask(show=task)["shown"] for task in TASKS}
        _check(shown)
    except Unavailable:
        process.close()
        raise
    return process, Found(contestant, versions, shown)


def _check(shown: dict[str, dict[str, dict[str, Any]]]) -> None:
    expected = {"valid": 1, "invalid": 0, "two rounds": 1, "whole turn": 1}
    for task, cases in shown.items():
        for case, found in cases.items():
            if found["ran"] != expected.get(case, found["ran"]):
                raise Unavailable(
                    f"It ran the function {found['ran']} times in {task}, {case}, "
                    f"and said: {found['text'][:200]}"
                )


def _take(
    running: list[tuple[Process, Found]], *, rounds: int, until: float, batch_ns: float
) -> None:
    loops = {found.contestant.key: _loops(process, found, batch_ns) for process, found in running}
    for number in range(rounds):
        if number and time.monotonic() > until:
            break
        _progress(number, rounds)
        for task in TASKS:
            shift = number % len(running)
            for process, found in running[shift:] + running[:shift]:
                taken = found.taken.setdefault(task, {})
                for case in (*BARE, *found.cases):
                    many = loops[found.contestant.key][task, case]
                    nanos = process.ask(task=task, case=case, loops=many)["ns"]
                    taken.setdefault(case, []).append(nanos)
    if sys.stderr.isatty():
        print(file=sys.stderr)


def _loops(process: Process, found: Found, batch_ns: float) -> dict[tuple[str, str], int]:
    """Calls of each batch, so that it takes about the wanted time; warms the caches too."""
    sized: dict[tuple[str, str], int] = {}
    for task, case in _every(found):
        for trial in (5, 20):
            nanos = process.ask(task=task, case=case, loops=trial)["ns"]
        sized[task, case] = min(MOST, max(LEAST, int(batch_ns / max(nanos, 1))))
    return sized


def _every(found: Found) -> Iterator[tuple[str, str]]:
    for task in TASKS:
        for case in (*BARE, *CASES):
            if case in BARE or case in found.cases:
                yield task, case


def _progress(done: int, rounds: int) -> None:
    if sys.stderr.isatty():
        print(f"\rbench: round {done + 1} of {rounds}", end="", file=sys.stderr, flush=True)
    elif done % 10 == 0:
        print(f"bench: round {done + 1} of {rounds}", file=sys.stderr, flush=True)
