"""What one tool call costs, beside bare pydantic-core and beside other libraries.

    python bench/hot_path.py --output docs/speed.md

Each contestant runs in a process and an environment of its own under .cache/bench, which is made
on first use. Contestants take turns in every round, each with bare pydantic-core beside it in the
same process, and a ratio is taken within a round. Figures are no tests: the exit code is 0 unless
nobody can be measured.
"""

import argparse
import asyncio
import cProfile
import json
import os
import platform
import pstats
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cases.machine import load_average, processor
from peers.contestants import CONTESTANTS
from peers.page import page
from peers.rounds import measure
from peers.tasks import CASES, TASKS

__all__ = ["main"]

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: list[str] | None = None) -> int:
    """Measure, and write the page."""
    options = _options(arguments)
    if options.profile:
        _profile(options.profile)
        return 0
    chosen = [one for one in CONTESTANTS if not options.only or one.key in options.only]
    began, before = datetime.now(UTC), load_average()
    found, absent = measure(
        chosen,
        rounds=options.rounds or (5 if options.quick else 61),
        minutes=options.minutes,
        batch_ms=1.0 if options.quick else 4.0,
        environments=options.environments,
        install=not options.no_install,
    )
    if not found:
        print("bench: nobody could be measured", file=sys.stderr)
        return 1
    machine = _machine(began, [before, load_average()], found[0].rounds, quick=options.quick)
    if options.json:
        figures = {"machine": machine, "absent": absent, "found": [one.to_dict() for one in found]}
        _write(options.json, json.dumps(figures, indent=2))
    text = page(found, absent, machine)
    if options.output:
        _write(options.output, text)
    elif options.json != "-":
        print(text)
    return 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    keys = [one.key for one in CONTESTANTS]
    parser = argparse.ArgumentParser(
        prog="bench/hot_path.py",
        description=(__doc__ or "").splitlines()[0],
        epilog="Example: python bench/hot_path.py --only handrail pydantic-ai --rounds 21",
    )
    parser.add_argument("--quick", action="store_true", help="few short rounds: half a minute")
    parser.add_argument(
        "--rounds", type=_positive, metavar="N", help="at most so many rounds; 61, or 5 if quick"
    )
    parser.add_argument(
        "--minutes",
        type=float,
        metavar="M",
        default=4.0,
        help="no further round begins after these, installing not counted; 4",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=keys,
        metavar="NAME",
        help=f"these contestants only: {', '.join(keys)}",
    )
    parser.add_argument("--json", metavar="FILE", help="write every figure as JSON; - prints it")
    parser.add_argument("--output", metavar="FILE", help="write the page to FILE")
    parser.add_argument(
        "--environments",
        metavar="FOLDER",
        type=Path,
        default=ROOT / ".cache" / "bench",
        help="where the environments of the others are, or will be; .cache/bench",
    )
    parser.add_argument(
        "--no-install", action="store_true", help="leave out whoever is not installed yet"
    )
    parser.add_argument(
        "--profile",
        nargs="?",
        const="invalid",
        choices=CASES,
        help="measure nobody; profile one case of handrail, invalid by default",
    )
    return parser.parse_args(arguments)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not at least 1")
    return number


def _write(name: str, text: str) -> None:
    """All of it or nothing: an interrupted run leaves the old file."""
    if name == "-":
        print(text)
        return
    new = Path(f"{name}.part")
    new.write_text(text + "\n", encoding="utf-8")
    new.replace(name)


def _machine(began: datetime, loads: list[float], rounds: int, *, quick: bool) -> dict[str, Any]:
    return {
        "date": began.strftime("%Y-%m-%d %H:%M UTC"),
        "minutes": round((datetime.now(UTC) - began).total_seconds() / 60, 1),
        "processor": processor(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "load_average": loads,
        "rounds": rounds,
        "quick": quick,
    }


def _profile(case: str, calls: int = 2_000) -> None:
    """Print where a case of handrail spends its time, over all tasks."""
    sys.path.insert(0, str(ROOT / "src"))
    import logging

    logging.basicConfig(handlers=[logging.NullHandler()])
    from peers.for_handrail import Each, Take

    profile = cProfile.Profile()
    for task in TASKS.values():
        way = (Take if case == "whole turn" else Each)(task)
        first = case if case in ("valid", "mended") else "invalid"
        texts = [(task.text(first, one), task.text("valid", one)) for one in range(calls)]
        asyncio.run(_profiled(profile, way, case, texts))
    pstats.Stats(profile).strip_dirs().sort_stats("tottime").print_stats(40)


async def _profiled(
    profile: cProfile.Profile, way: Any, case: str, texts: list[tuple[str, str]]
) -> None:
    await (await way.prepare(case, texts[:50]))()  # warm caches; not counted
    work = await way.prepare(case, texts)
    profile.enable()
    await work()
    profile.disable()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\nbench: interrupted; nothing was written", file=sys.stderr)
        sys.exit(130)
