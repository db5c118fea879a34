"""``handrail replay``: recorded traffic through a candidate contract, before it is enforced."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple, TextIO

import typer

from handrail.cli.explained import explained, say
from handrail.cli.main import FINDINGS, USAGE
from handrail.cli.output import write_json, writing_to
from handrail.cli.replay_report import ReplayReport
from handrail.cli.traffic import (
    box_of,
    findings_of,
    log_files,
    rules_of,
    why_nothing,
)
from handrail.errors import ConfigError
from handrail.replay.calibrate import Calibration
from handrail.replay.check import Check, Finding
from handrail.replay.schemas import Catalogue
from handrail.replay.verdict_report import Limit, limits_of, report_of
from handrail.runtime.config import tool_overrides

__all__ = ["replay"]

_SHARE = re.compile(r"(\d+(?:\.\d+)?) ?%\Z")
_LIMITS = ("max_false_alarms", "max_blocked", "max_broken")
_MOST_TOLD = 20


_Files = Annotated[
    list[str], typer.Argument(metavar="FILE...", help="Logs, or folders that hold them.")
]
_Contract = Annotated[
    str | None,
    typer.Option("-c", "--contract", metavar="APP", help="Candidate toolbox: app.py:box."),
]
_Schemas = Annotated[
    list[str] | None,
    typer.Option(metavar="FILE", help="Candidate definitions, JSON or JSONL; may be repeated."),
]
_PolicyOption = Annotated[
    str | None,
    typer.Option(help="strict, balanced, lenient, or a YAML file. Default: .agent/config.yml."),
]
_FalseAlarms = Annotated[
    str, typer.Option(metavar="N%", help="Suspected false alarms that are fine, of accepted calls.")
]
_Blocked = Annotated[
    str | None, typer.Option(metavar="N%", help="Calls that may be blocked, of all calls.")
]
_Broken = Annotated[
    str | None,
    typer.Option(metavar="N%", help="Results that may be judged broken, of all results."),
]
_Raw = Annotated[
    bool, typer.Option("--raw", help="Show values in examples, and not only their shapes.")
]
_Examples = Annotated[int, typer.Option(min=0, help="Examples of each finding, and loops.")]
_Every = Annotated[bool, typer.Option("--all", help="Show every finding, tool and loop.")]
_Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
_Output = Annotated[
    Path | None, typer.Option("-o", "--output", help="Write to a file, whole or not at all.")
]


def replay(
    files: _Files,
    contract: _Contract = None,
    schemas: _Schemas = None,
    policy: _PolicyOption = None,
    max_false_alarms: _FalseAlarms = "0%",
    max_blocked: _Blocked = None,
    max_broken: _Broken = None,
    raw: _Raw = False,
    examples: _Examples = 3,
    every: _Every = False,
    as_json: _Json = False,
    output: _Output = None,
) -> None:
    """Judge recorded calls and results by a candidate contract. No tool runs.

    FILE is a log as for "handrail check"; what came of a call is read with it. The candidate is
    your toolbox (-c) or the definitions of --schemas; both come before what the log says. Without
    them the contracts of the log itself are taken.

    First come suspected false alarms: calls that would be rejected though the real tool accepted
    them, and results judged broken though the call succeeded. Where at least 30 accepted calls
    and 1 % of them ask for it, a widening is suggested as a diff, with its effect.

    Exit codes: 0 all limits are kept, 1 one is exceeded or a row is unreadable, 2 wrong usage, or
    nothing could be judged, 3 something is missing on this machine.

    Example: handrail replay logs/ -c app.py:box --max-false-alarms 0.1%
    """
    with explained("replay"):
        given = (max_false_alarms, max_blocked, max_broken)
        most = _shares(dict(zip(_LIMITS, given, strict=True)))
        box = box_of(contract)
        rules, origin = rules_of(policy, box)
        calibration = Calibration(rules, raw=raw, examples=examples)
        catalogue = Catalogue(box.tools if box else ())
        run = Check(catalogue, rules, tool_overrides(rules), followers=[calibration])
        named = log_files(files)
        with writing_to(output) as out:
            faults = _unreadable(findings_of(run, named, schemas or [], candidate=True))
            done = _Done(run, calibration, limits_of(calibration.totals, most), faults, origin)
            if as_json:
                _write_json(done, out)
            else:
                _write_report(done, out, None if every else examples)
    raise typer.Exit(_exit_code(run, done.limits))


class _Done(NamedTuple):
    """A replay that is over."""

    run: Check
    calibration: Calibration
    limits: list[Limit]
    faults: list[str]
    origin: str


def _write_json(done: _Done, out: TextIO) -> None:
    suggestions = done.calibration.suggestions()
    totals, habits = done.run.totals, done.run.habits.totals
    found = report_of(done.calibration, suggestions, totals, habits, done.limits)
    write_json(found | {"unreadable_parts": done.faults}, out)


def _write_report(done: _Done, out: TextIO, wanted: int | None) -> None:
    report = ReplayReport(out, whole=wanted is None)
    report.alarms(done.calibration, done.calibration.suggestions())
    report.verdicts(done.calibration)
    report.habits(done.run.habits.totals, wanted)
    report.summary(done.calibration, done.run.totals, done.limits, done.origin, done.faults)


def _exit_code(run: Check, limits: list[Limit]) -> int:
    totals = run.totals
    if not totals.judged:
        say("replay", f"nothing was judged: {why_nothing(totals)}")
        return FINDINGS if totals.unreadable else USAGE
    return FINDINGS if totals.unreadable or not all(one.kept for one in limits) else 0


def _unreadable(found: Iterator[Finding]) -> list[str]:
    """Run through a log; its parts that could not be read, the first ones told."""
    told: list[str] = []
    for finding in found:
        if finding.status == "unreadable" and len(told) < _MOST_TOLD:
            told.append(f"{finding.place}: {finding.message}")
    return told


def _shares(given: dict[str, str | None]) -> dict[str, float]:
    """The limits as shares from 0 to 1."""
    found = {}
    for name, text in given.items():
        if text is None:
            continue
        match = _SHARE.match(text.strip())
        if match is None or float(match[1]) > 100:
            option = f"--{name.replace('_', '-')}"
            raise ConfigError(f"{option} {text!r} is no share: write one from 0% to 100%, as 0.1%")
        found[name] = float(match[1]) / 100
    return found
