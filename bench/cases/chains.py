"""What 100,000 open chains cost in memory, and whether finding one of them stays as quick.

A chain is opened by a wrong call under the host's own name (``chain=``), all for one tool in one
turn: the worst case for a look-up. A probe then sends the corrected call of one chain picked by
chance, which closes it, and opens it anew, untimed. Memory is taken in a fresh interpreter.
"""

import gc
import json
import random
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

from pydantic_core import to_json

from cases.measure import Batch, Figure, Goal, Section, Spread, ratio, rounds_of
from cases.shapes import SHAPES
from handrail import Policy, Toolbox, ToolCall, ToolResult, Turn

__all__ = ["run"]

SHAPE = SHAPES[0]
OPEN = 100_000
TRACED = 10_000
MOST_SECONDS = 150.0
"""Opening chains stops here; the figures then say how many there were."""

HISTORY_GOAL = Goal(10_240, "contract handrail/1, section 11: a chain's history < 10 KB")
FLAT_GOAL = Goal(1.5, "contract handrail/1, section 11: flat from 10 to 100,000 open chains")


def opened(turn: Turn, wanted: int, seconds: float = MOST_SECONDS) -> int:
    """Open chains until there are enough, or the time is up; how many there are."""
    stop = time.monotonic() + seconds
    for number in range(wanted):
        _open(turn, number)
        if number % 100 == 0 and time.monotonic() > stop:
            return number + 1
    return wanted


def _open(turn: Turn, number: int) -> ToolResult:
    call = ToolCall(f"call_{number}", "save", SHAPE.invalid(number))
    return turn.answer_sync(call, chain=f"chain_{number}")


def traced(wanted: int) -> dict[str, Any]:
    """Bytes of Python objects per open chain; for a process of its own."""
    turn = _warm()
    tracemalloc.start()
    count = opened(turn, wanted)
    gc.collect()
    return {"open": count, "bytes": tracemalloc.get_traced_memory()[0] / count}


def survey(sizes: list[int], probes: int, rounds: int) -> dict[str, Any]:
    """Resident bytes per chain of the largest turn, and look-up times; for a process of its own."""
    _warm()
    gc.collect()
    resident = _resident()
    largest = Probe(sizes[-1], probes)
    gc.collect()
    resident = _resident() - resident
    turns = [*(Probe(size, probes) for size in sizes[:-1]), largest]
    batches: dict[str, Batch] = {_named(probe): probe.batch for probe in turns}
    taken = rounds_of(batches, rounds)
    return {"open": largest.open, "bytes": resident / largest.open, "taken": taken}


def _warm() -> Turn:
    """A new turn, after everything that is built once was built."""
    for number in range(20):
        _open(Toolbox([SHAPE.tool]).turn(), -number - 1)
    return Toolbox([SHAPE.tool]).turn()


def _resident() -> int:
    """Resident bytes of this process; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    line = next(one for one in status.read_text().splitlines() if one.startswith("VmRSS"))
    return int(line.split()[1]) * 1024


def _in_new_process(function: str, *arguments: object) -> dict[str, Any]:
    program = (
        "import json, sys; sys.path.insert(0, sys.argv[1]); from cases import chains; "
        "print(json.dumps(getattr(chains, sys.argv[2])(*json.loads(sys.argv[3]))))"
    )
    bench = str(Path(__file__).resolve().parent.parent)
    command = [sys.executable, "-c", program, bench, function, json.dumps(arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


class Probe:
    """A turn with many open chains, and the time of finding one of them."""

    def __init__(self, wanted: int, probes: int) -> None:
        self.turn = Toolbox([SHAPE.tool]).turn()
        self.open = opened(self.turn, wanted)
        self.probes = probes
        self.chance = random.Random(wanted)

    def batch(self) -> float:
        """Seconds of one corrected call, the median of some."""
        times = []
        for _ in range(self.probes):
            number = self.chance.randrange(self.open)
            call = ToolCall("again", "save", SHAPE.valid(number))
            began = time.thread_time_ns()
            result = self.turn.answer_sync(call, chain=f"chain_{number}")
            times.append(time.thread_time_ns() - began)
            if result.attempt != 2:
                raise AssertionError("the probe did not find its chain")
            _open(self.turn, number)
        return sorted(times)[len(times) // 2] / 1e9


def _named(probe: Probe) -> str:
    return f"corrected call among {probe.open:,} open chains"


def _look_up(taken: dict[str, list[float]], most: int) -> list[Figure]:
    names = list(taken)
    figures = [Figure(name, "µs", Spread.of([one * 1e6 for one in taken[name]])) for name in names]
    flat = ratio(taken, names[-1], names[0])
    return [*figures, Figure(f"{most:,} open chains", "times", flat, FLAT_GOAL, names[0])]


def _worst_history() -> list[Figure]:
    """JSON bytes of the history of one chain, after three and after ten wrong attempts."""
    figures = []
    for attempts in (3, 10):
        box = Toolbox([SHAPE.tool], policy=Policy.preset("balanced").replace(attempts=attempts))
        turn = box.turn()
        for number in range(attempts):
            result = turn.answer_sync(ToolCall("x", "save", json.dumps(_all_wrong(number))))
        if len(result.history) != attempts:
            raise AssertionError(f"expected {attempts} attempts, got {len(result.history)}")
        size = float(len(to_json(result.to_dict()["history"])))
        name = f"history of {attempts} attempts as JSON, all fields wrong"
        figures.append(Figure(name, "bytes", Spread.of([size]), HISTORY_GOAL))
    return figures


def _all_wrong(number: int) -> dict[str, Any]:
    wrong: dict[str, Any] = {
        "title": "x" * (1000 + number),
        "body": 1,
        "level": f"urgent {number} " + "y" * 500,
        "count": -number,
        "tags": "z" * 500,
        "notify": [number],
    }
    return wrong | {f"unknown_{'n' * 60}_{index}": index for index in range(20)}


def run(*, quick: bool) -> Section:
    """Memory, look-up, history."""
    sizes = [10, 100] if quick else [10, 1_000, 10_000, OPEN]
    seen = _in_new_process("survey", sizes, *((5, 3) if quick else (15, 15)))
    objects = _in_new_process("traced", 100 if quick else TRACED)
    figures = [
        Figure("open chains", "chains", _one(seen["open"])),
        Figure("memory of a chain, resident", "bytes", _one(seen["bytes"]), HISTORY_GOAL),
        Figure(
            f"memory of a chain, objects (tracemalloc, {objects['open']:,} chains)",
            "bytes",
            _one(objects["bytes"]),
            HISTORY_GOAL,
        ),
        *_worst_history(),
        *_look_up(seen["taken"], seen["open"]),
    ]
    return Section(
        "Open chains",
        f"{sizes[-1]:,} wrong calls with two errors, each a chain of its own (`chain=`), one tool, "
        f"one turn; opening stops after {MOST_SECONDS:g} s. Memory is all that a chain adds: its "
        "exchange, judgement, arguments, message, and the journal's part.",
        figures,
    )


def _one(value: float) -> Spread:
    return Spread.of([float(value)])
