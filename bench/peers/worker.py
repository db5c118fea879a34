"""Measures one contestant, as it is told on standard input, and answers on standard output.

    python bench/peers/worker.py MODULE:CLASS

Each line is a JSON object: ``{"task": "six", "case": "valid", "loops": 50}`` is answered by the
nanoseconds of one call, ``{"show": "six"}`` by what became of each case and what the model reads.
``case`` may also be ``bare valid`` or ``bare invalid``. Times are processor time of this process,
its threads included.
"""

import asyncio
import gc
import json
import logging
import sys
import time
import warnings
from collections.abc import Awaitable, Callable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from pathlib import Path
from typing import Any, Protocol, TextIO

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from peers.tasks import CASES, TASKS, Task

__all__ = ["Contestant", "main"]

Prepared = Callable[[], Awaitable[object]]
"""Does the work of a batch; the last thing that the model would read."""


class Contestant(Protocol):
    """One way to a tool.

    Attributes:
        cases: Those of `CASES` that it has.
        packages: Distributions whose versions matter.
    """

    cases: tuple[str, ...]
    packages: tuple[str, ...]

    async def prepare(self, case: str, texts: list[tuple[str, str]]) -> Prepared:
        """What takes the same steps for each pair of a first and a second text.

        The second text is the corrected call of ``two rounds`` and ``whole turn``.
        """


class Worker:
    """Carries out what it is told.

    Args:
        enter: Makes the contestant of a task.
    """

    def __init__(self, enter: Callable[[Task], Contestant]) -> None:
        self._numbers: Iterator[int] = count(1)
        self._contestants = {name: enter(task) for name, task in TASKS.items()}

    async def answer(self, order: dict[str, Any]) -> dict[str, Any]:
        """What one line asks for."""
        if "show" in order:
            return {"shown": await self._show(order["show"])}
        if "versions" in order:
            one = next(iter(self._contestants.values()))
            return {"versions": {name: _version(name) for name in (*one.packages, *PYDANTIC)}}
        return {"ns": await self._measure(order["task"], order["case"], order["loops"])}

    async def _measure(self, name: str, case: str, loops: int) -> float:
        if case.startswith("bare "):
            kind = case.removeprefix("bare ")
            task = TASKS[name]
            run = task.bare_valid() if kind == "valid" else task.bare_invalid()
            bare = [task.text(kind, next(self._numbers)) for _ in range(loops)]
            began = time.process_time_ns()
            for text in bare:
                run(text)
            return (time.process_time_ns() - began) / loops
        prepared = await self._contestants[name].prepare(case, self._texts(name, case, loops))
        began = time.process_time_ns()
        await prepared()
        return (time.process_time_ns() - began) / loops

    def _texts(self, name: str, case: str, loops: int) -> list[tuple[str, str]]:
        first = case if case in ("valid", "mended") else "invalid"
        numbers = [next(self._numbers) for _ in range(loops)]
        task = TASKS[name]
        return [(task.text(first, number), task.text("valid", number)) for number in numbers]

    async def _show(self, name: str) -> dict[str, Any]:
        """By case: how often the function ran, and what the model reads last."""
        shown: dict[str, Any] = {}
        for case in CASES:
            if case not in self._contestants[name].cases:
                continue
            before = TASKS[name].ran
            prepared = await self._contestants[name].prepare(case, self._texts(name, case, 1))
            said = await prepared()
            shown[case] = {"ran": TASKS[name].ran - before, "text": str(said)}
        return shown


PYDANTIC = ("pydantic", "pydantic-core")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # run from a source folder that is not installed
        return "from source"


async def _serve(worker: Worker, answers: TextIO) -> None:
    for line in sys.stdin:  # nothing else runs between two orders, so blocking is no harm
        order = json.loads(line)
        gc.collect()
        print(json.dumps(await worker.answer(order)), file=answers, flush=True)


def main(contestant: str) -> None:
    """Serve until standard input ends."""
    answers, sys.stdout = sys.stdout, sys.stderr  # whatever a library prints is no answer
    warnings.simplefilter("ignore")
    # Records are made where the library's own level says so, and dropped: no terminal is measured.
    logging.basicConfig(handlers=[logging.NullHandler()])
    module, _, name = contestant.partition(":")
    worker = Worker(getattr(import_module(f"peers.{module}"), name))
    gc.collect()
    gc.freeze()
    asyncio.run(_serve(worker, answers))


if __name__ == "__main__":
    main(*sys.argv[1:2])
