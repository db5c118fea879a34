"""``handrail check``: judge logged calls, and show what the models would have been told."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from handrail.cli.explained import explained, stop
from handrail.cli.load import load_app
from handrail.cli.main import ENVIRONMENT, FINDINGS, USAGE
from handrail.cli.output import write_json, writing_to
from handrail.cli.report import Examples, Report
from handrail.contract.policy import PRESETS, Settings
from handrail.errors import ConfigError
from handrail.replay.check import Check, Finding, Totals
from handrail.replay.files import Log
from handrail.replay.readers import Reader, read_log, read_schemas
from handrail.replay.schemas import Catalogue
from handrail.runtime.config import Policy, policy_of, states_rules, tool_overrides
from handrail.runtime.toolbox import Toolbox

__all__ = ["check"]

CONFIG = Path(".agent/config.yml")
_EVERY = 500


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
        found = _findings(run, files, schemas or [])
        with writing_to(output) as out:
            if as_json:
                _write_json(run, found, out, max_findings)
            else:
                _write_report(run, found, out, None if every else examples, origin)
    raise typer.Exit(_exit_code(run.totals))


def _run(contract: str | None, policy: str | None) -> tuple[Check, str]:
    """A run with the tools and rules that are meant, and where the rules come from."""
    if contract is not None and not contract.strip():
        raise ConfigError("-c is empty: name your toolbox, such as app.py:box, or leave it out")
    box = load_app(contract, Toolbox) if contract is not None else None
    rules, origin = _policy(policy, box)
    return Check(Catalogue(box.tools if box else ()), rules, tool_overrides(rules)), origin


def _exit_code(totals: Totals) -> int:
    if not totals.clean:
        return FINDINGS
    if totals.judged:
        return 0
    _say(f"nothing was judged: {_why_nothing(totals)}")
    return USAGE


def _why_nothing(totals: Totals) -> str:
    if not totals.calls:
        return (
            "no calls were found in what was given; calls that were written as text are found "
            "only where the tools are known (--schemas FILE, or -c app.py:box)"
        )
    calls = "the one call has" if totals.calls == 1 else f"none of {totals.calls:,} calls has"
    schema = "no schema" if totals.calls == 1 else "a schema"
    return f"{calls} {schema}; give them with --schemas FILE, or your tools with -c app.py:box"


def _policy(given: str | None, box: Toolbox | None) -> tuple[Settings, str]:
    """The rules, and where they come from."""
    if given is not None and given in PRESETS:
        return policy_of(given), given
    path = Path(given) if given is not None else CONFIG
    if path.is_file():
        if find_spec("yaml") is None:
            stop(
                "check", f"{path} needs PyYAML to be read: pip install 'handrail[cli]'", ENVIRONMENT
            )
        if states_rules(path):
            loaded = policy_of(Policy.load(path))
            typer.echo(f"policy: {loaded.name}, from {path}", err=True)
            return loaded, f"{loaded.name}, from {path}"
        if given is not None:
            raise ConfigError(f"--policy {path}: the file has no rules under tools.validation")
        typer.echo(f"policy: {path} has no rules under tools.validation: not used", err=True)
    elif given is not None:
        presets = ", ".join(PRESETS)
        missing = f"--policy {given or repr(given)}: there is no such file"
        raise ConfigError(f"{missing}; presets are {presets}")
    if box is not None:
        return box.policy, f"{box.policy.name}, of the toolbox {box.name}"
    return policy_of("balanced"), "balanced"


def _findings(run: Check, files: list[str], schemas: list[str]) -> Iterator[Finding]:
    """Findings of the schema files, then of the logs; a missing file is told before the first."""
    for option, paths in (("--schemas", schemas), ("FILE", files)):
        if not all(path.strip() for path in paths):
            raise ConfigError(f"{option} is empty: name a file")
    for path in dict.fromkeys([*schemas, *files]):
        if path != "-" and not Path(path).is_fifo():  # what is read from a pipe is gone
            Log(path).close()

    def stream() -> Iterator[Finding]:
        for path in schemas:
            with Log(path) as log:
                yield from run.findings(read_schemas(log))
        reader = Reader(lambda: run.catalogue.schemas)
        for path in files:
            with Log(path) as log, _progress(log) as advance:
                yield from run.findings(advance(read_log(log, reader)))
        yield from run.findings(reader.rest())

    return stream()


@contextmanager
def _progress(log: Log) -> Iterator[Any]:  # Any: a pass-through for an iterator
    """A bar on standard error while a log is read, if that is a terminal."""
    console = Console(stderr=True)
    if not (console.is_terminal and log.size):
        yield iter
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(Path(log.name).name, total=log.size)

        def advance(items: Iterator[Any]) -> Iterator[Any]:  # Any: whatever passes through
            for number, item in enumerate(items):
                if number % _EVERY == 0:
                    bar.update(task, completed=log.position())
                yield item

        yield advance


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


def _say(sentence: str) -> None:
    typer.echo(f"handrail check: {sentence}", err=True)
