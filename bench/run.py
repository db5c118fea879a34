"""The benchmark: figures with their spread, and the machine they were taken on.

    python bench/run.py [--quick] [--only CASE ...] [--json] [--markdown FILE]

Figures are no tests: nothing fails because a machine is slow. The exit code is 0 unless a case
cannot be run.
"""

import argparse
import json
import os
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cases import calls, chains, imports, journal, messages
from cases.machine import load_average, processor
from cases.measure import Figure, Section

__all__ = ["main"]

CASES = {
    "calls": calls.run,
    "messages": messages.run,
    "imports": imports.run,
    "chains": chains.run,
    "journal": journal.run,
}
PACKAGES = ("handrail", "pydantic", "pydantic-core", "jsonschema-rs")


def main(arguments: list[str] | None = None) -> int:
    """Run the cases and print what they found."""
    options = _options(arguments)
    began = datetime.now(UTC)
    busy = [load_average()]
    sections: list[tuple[str, Section]] = []
    for name in options.only or CASES:
        print(f"bench: {name}", file=sys.stderr, flush=True)
        sections.append((name, CASES[name](quick=options.quick)))
        busy.append(load_average())
    where = _machine(began, busy, quick=options.quick)
    if options.json:
        found = {name: section.to_dict() for name, section in sections}
        print(json.dumps({"machine": where, "cases": found}, indent=2))
    else:
        print(_page(options.title, where, [section for _, section in sections]))
    if options.markdown:
        page = _page(options.title, where, [section for _, section in sections])
        Path(options.markdown).write_text(page + "\n", encoding="utf-8")
    return 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench/run.py", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few rounds: under a minute")
    parser.add_argument("--only", nargs="+", choices=list(CASES), help="these cases only")
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    parser.add_argument("--markdown", metavar="FILE", help="also write the page to FILE")
    parser.add_argument("--title", default="Benchmark", help="first line of the page")
    return parser.parse_args(arguments)


# the machine


def _machine(began: datetime, busy: list[float], *, quick: bool) -> dict[str, Any]:
    return {
        "date": began.strftime("%Y-%m-%d %H:%M UTC"),
        "minutes": round((datetime.now(UTC) - began).total_seconds() / 60, 1),
        "processor": processor(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": {name: _version(name) for name in PACKAGES},
        "load_average": busy,
        "quick": quick,
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except Exception:  # run from a source folder that is not installed
        return "from source"


# the page


def _page(title: str, where: dict[str, Any], sections: list[Section]) -> str:
    parts = [f"# {title}", "", *_where_lines(where), ""]
    parts += [
        "Each figure is the median of its rounds, with the first and third quartile and the least; "
        "contestants of a case run in turns, and a ratio is taken within each round. Times are "
        "processor time.",
        "",
        *_goal_lines(sections),
    ]
    for section in sections:
        parts += ["", f"## {section.title}", "", section.what, ""]
        parts += [*_table(section.figures), *(["", *section.notes] if section.notes else [])]
    return "\n".join(parts)


def _where_lines(where: dict[str, Any]) -> list[str]:
    packages = ", ".join(f"{name} {number}" for name, number in where["packages"].items())
    loads = ", ".join(f"{load:g}" for load in where["load_average"])
    lines = [
        f"- {where['date']}, {where['minutes']:g} minutes" + (", quick" if where["quick"] else ""),
        f"- {where['processor']}, {where['cores']} cores, {where['system']}",
        f"- {where['python']}; {packages}",
        f"- load average before the first case and after each: {loads}",
    ]
    if max(where["load_average"]) > 1.5:
        lines.append(
            "- the machine was busy with other work: trust ratios more than times, and for times "
            "look at the least one too"
        )
    return lines


def _goal_lines(sections: list[Section]) -> list[str]:
    with_goal = [one for section in sections for one in section.figures if one.goal is not None]
    missed = [one for one in with_goal if not one.met]
    lines = [f"Goals met: {len(with_goal) - len(missed)} of {len(with_goal)}."]
    if missed:
        lines += ["", "Missed:", "", *[f"- {_missed(one)}" for one in missed]]
    return lines


def _missed(figure: Figure) -> str:
    goal = figure.goal
    assert goal is not None  # only figures with a goal can miss it
    now = _number(figure.spread.median)
    return f"{figure.name}: {now} {figure.unit}, at most {_number(goal.at_most)} ({goal.source})"


def _table(figures: list[Figure]) -> list[str]:
    lines = [
        "| | median | quartiles | least | unit | rounds | goal |",
        "|---|---:|---:|---:|---|---:|---|",
    ]
    for one in figures:
        spread = one.spread
        name = f"{one.name} / {one.beside}" if one.beside else one.name
        quartiles = f"{_number(spread.low)} .. {_number(spread.high)}" if spread.rounds > 1 else ""
        least = _number(spread.least) if spread.rounds > 1 else ""
        cells = [name, _number(spread.median), quartiles, least, one.unit, str(spread.rounds)]
        cells.append(_goal(one))
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _goal(figure: Figure) -> str:
    if figure.goal is None:
        return ""
    return f"≤ {_number(figure.goal.at_most)}: {'met' if figure.met else 'missed'}"


def _number(value: float) -> str:
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


if __name__ == "__main__":
    sys.exit(main())
