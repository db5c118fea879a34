"""``handrail check``: judge logged calls, and show what the models would have been told."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from handrail.cli.explained import explained, say
from handrail.cli.main import FINDINGS, USAGE
from handrail.cli.output import write_json, writing_to
from handrail.cli.report import Examples, Report
from handrail.cli.traffic import box_of, findings_of, rules_of, why_nothing
from handrail.replay.check import Check, Finding, Totals
from handrail.replay.schemas import Catalogue
from handrail.runtime.config import tool_overrides

__all__ = ["check"]


def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Logs to judge.")],
    contract: Annotated[
        str | None,
        typer.Option("-c", "--contract", metavar="APP", help="Your toolbox: app.py:box."),
    ] = None,
    schemas: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Tool definitions, JSON or JSONL; may be repeated."),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(help="strict, balanced, lenient, or a YAML file. Default: .agent/config.yml."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    examples: Annotated[int, typer.Option(min=0, help="Findings shown in full.")] = 3,
    every: Annotated[bool, typer.Option("--all", help="Show every finding in full.")] = False,
    max_findings: Annotated[
        int, typer.Option(min=0, help="Findings listed by --json; the others are counted.")
    ] = 10_000,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to a file, whole or not at all.")
    ] = None,
) -> None:
    """Judge logged tool calls. Nothing is run.

    FILE is a log: JSONL, a JSON array or one JSON object, also .gz; "-" is standard input. Its
    rows are {"request", "response"} of any provider, whole or streamed (the request has the tools;
    only the reply is judged), {"tool", "arguments"} (with --schemas), conversations
    {"messages": [...]}, and exports of OpenTelemetry, LangSmith and Langfuse, also mixed.

    Tools of -c come before what the log says. "ok" includes mended calls. Rows that cannot be
    read are reported with file and line, and the rest goes on. Loops are found where rows name
    their conversation.

    Exit codes: 0 all calls are ok, 1 an invalid or refused call or an unreadable row, 2 wrong
    usage, or nothing could be judged, 3 something is missing on this machine.

    Example: handrail check requests.jsonl -c app.py:box --policy strict
    """
    with explained("check"):
        run, origin = _run(contract, policy)
        found = findings_of(run, files, schemas or [])
        with writing_to(output) as out:
            if as_json:
                _write_json(run, found, out, max_findings)
            else:
                _write_report(run, found, out, None if every else examples, origin)
    raise typer.Exit(_exit_code(run.totals))


def _run(contract: str | None, policy: str | None) -> tuple[Check, str]:
    """A run with the tools and rules that are meant, and where the rules come from."""
    box = box_of(contract)
    rules, origin = rules_of(policy, box)
    return Check(Catalogue(box.tools if box else ()), rules, tool_overrides(rules)), origin


def _exit_code(totals: Totals) -> int:
    if not totals.clean:
        return FINDINGS
    if totals.judged:
        return 0
    say("check", f"nothing was judged: {why_nothing(totals)}")
    return USAGE


def _write_json(run: Check, found: Iterator[Finding], out: TextIO, limit: int) -> None:
    listed: list[dict[str, Any]] = []  # Any: JSON values
    omitted = 0
    for finding in found:
        if len(listed) < limit:
            listed.append(finding.to_dict())
        else:
            omitted += 1
    report = {**run.totals.to_dict(), **run.habits.totals.to_dict()}
    report |= {"findings": listed, "findings_omitted": omitted}
    write_json(report, out)
    if omitted:
        typer.echo(f"{omitted} findings left out of the list: raise --max-findings", err=True)


def _write_report(
    run: Check, found: Iterator[Finding], out: TextIO, wanted: int | None, origin: str
) -> None:
    report = Report(out)
    chosen = Examples(wanted or 0)
    shown = 0
    for finding in found:
        if wanted is None:
            report.example(finding)
            shown += 1
        else:
            chosen.add(finding)
    for finding in chosen.chosen():
        report.example(finding)
        shown += 1
    report.tables(run.totals)
    report.habits(run.habits.totals, wanted)
    report.summary(run.totals, shown, origin)
