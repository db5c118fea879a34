"""``handrail validate``: every rule of an extension's author, at once."""

import sys
import warnings
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from handrail.cli.explained import explained
from handrail.cli.load import load_extension
from handrail.cli.main import FINDINGS
from handrail.cli.output import write_json
from handrail.contract.preview import neutralise
from handrail.sdk.collecting import collecting
from handrail.sdk.rules.app import App, Level
from handrail.sdk.rules.table import AuthorIssue
from handrail.sdk.rules.table import validate as find_all

__all__ = ["validate"]

_STYLES = {Level.ERROR: "bold red", Level.WARN: "yellow", Level.INFO: "dim"}


def validate(
    app: Annotated[
        str, typer.Argument(metavar="APP", help="Your extension: app.py or app.py:ext.")
    ],
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Levels announced for later versions; warnings exit 1 too."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    system_author: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Who may declare system=True; may be repeated."),
    ] = None,
) -> None:
    """Check an extension against every author rule. Its handlers are not run.

    APP is the file or module that makes the extension and imports the files with its functions.
    Declarations that would stop the import are reported like everything else.

    Exit codes: 0 no errors (with --strict: nothing at all), 1 findings, 2 APP cannot be read.

    Example: handrail validate app.py --strict
    """
    with explained("validate"):
        with collecting() as refusals, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what they say is found below, with its line
            ext = load_extension(app)
        found = find_all(App(ext, tuple(refusals), system_author or ()), strict=strict)
        errors = sum(one.level is Level.ERROR for one in found)
        told = sum(one.level is Level.WARN for one in found)
        if as_json:
            issues = [{**one._asdict(), "file": _shown(one.file)} for one in found]
            report = {"app_id": ext.app_id, "errors": errors, "warnings": told, "issues": issues}
            write_json(report, sys.stdout)
        else:
            _print(ext.app_id, found, errors, told)
    raise typer.Exit(FINDINGS if errors or (strict and told) else 0)


def _print(app_id: str, found: list[AuthorIssue], errors: int, told: int) -> None:
    out = sys.stdout
    console = Console(file=out, highlight=False, soft_wrap=True)
    for one in found:
        place = f"{_shown(one.file)}:{one.line}" if one.file else ""
        line = Text(f"{one.rule:<4}", style="bold")
        line.append(f"{one.level:<6}", style=_STYLES[one.level])
        line.append(f"{neutralise(one.message)}")
        console.print(line)
        console.print(Text(f"          {place}", style="dim"))
        console.print(Text(f"          fix: {one.fix}"))
    if found:
        console.print()
    counts = f"{errors} error{'' if errors == 1 else 's'}, {told} warning{'' if told == 1 else 's'}"
    console.print(Text(f"{neutralise(app_id)}: {counts if found else 'no findings'}."))


def _shown(file: str) -> str:
    """A path as short as it can be said from here."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file
