"""What commands over logs share: the contract, the rules, the stream, how errors are told."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from handrail.cli.explained import MissingError
from handrail.cli.load import load_app
from handrail.contract.policy import PRESETS, Settings
from handrail.errors import ConfigError
from handrail.replay.check import Check, Finding, Totals
from handrail.replay.files import Log
from handrail.replay.readers import Reader, read_log, read_schemas
from handrail.runtime.config import Policy, policy_of, states_rules
from handrail.runtime.toolbox import Toolbox

__all__ = ["box_of", "findings_of", "log_files", "rules_of", "why_nothing"]

CONFIG = Path(".agent/config.yml")
_EVERY = 500
_ENDINGS = (".jsonl", ".json", ".ndjson", ".jsonl.gz", ".json.gz")


def box_of(contract: str | None) -> Toolbox | None:
    """The toolbox that ``-c`` names.

    Raises:
        ConfigError: There is none.
    """
    if contract is not None and not contract.strip():
        raise ConfigError("-c is empty: name your toolbox, such as app.py:box, or leave it out")
    return load_app(contract, Toolbox) if contract is not None else None


def log_files(named: list[str]) -> list[str]:
    """The files that are meant: of a folder, the logs in it by name.

    Raises:
        ConfigError: A folder holds none.
    """
    files: list[str] = []
    for name in named:
        if name == "-" or not name.strip() or not Path(name).is_dir():
            files.append(name)
            continue
        inside = [
            str(path) for path in sorted(Path(name).iterdir()) if path.name.endswith(_ENDINGS)
        ]
        if not inside:
            raise ConfigError(f"{name} holds no log: their names end in {', '.join(_ENDINGS)}")
        files += inside
    return files


def why_nothing(totals: Totals) -> str:
    """Why nothing could be judged, and the way out."""
    if not totals.calls:
        return (
            "no calls were found in what was given; calls that were written as text are found "
            "only where the tools are known (--schemas FILE, or -c app.py:box)"
        )
    calls = "the one call has" if totals.calls == 1 else f"none of {totals.calls:,} calls has"
    schema = "no schema" if totals.calls == 1 else "a schema"
    return f"{calls} {schema}; give them with --schemas FILE, or your tools with -c app.py:box"


def rules_of(given: str | None, box: Toolbox | None) -> tuple[Settings, str]:
    """The rules, and where they come from.

    Raises:
        ConfigError: There are no such rules.
    """
    if given is not None and given in PRESETS:
        return policy_of(given), given
    path = Path(given) if given is not None else CONFIG
    if path.is_file():
        if find_spec("yaml") is None:
            raise MissingError(f"{path} needs PyYAML to be read: pip install 'handrail[cli]'")
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


def findings_of(
    run: Check, files: list[str], schemas: list[str], *, candidate: bool = False
) -> Iterator[Finding]:
    """Findings of the schema files, then of the logs; a missing file is told before the first.

    Args:
        run: Judges them.
        files: Logs.
        schemas: Definitions of tools.
        candidate: Whether these come before what the logs say.

    Raises:
        ConfigError: A name is empty.
        OSError: A file cannot be read.
    """
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
        if candidate:
            run.catalogue.prefer()
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
