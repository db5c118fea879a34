"""``handrail manifest``: write ``handrail.json`` beside an extension, or compare it."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from handrail.cli.explained import explained
from handrail.cli.load import load_extension
from handrail.cli.main import FINDINGS
from handrail.cli.output import writing_to
from handrail.sdk.manifest import MANIFEST_NAME, manifest_text

__all__ = ["manifest"]


def manifest(
    app: Annotated[
        str, typer.Argument(metavar="APP", help="Your extension: app.py or app.py:ext.")
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; say whether it is current.")
    ] = False,
    stdout: Annotated[bool, typer.Option("--stdout", help="Print it instead.")] = False,
) -> None:
    """Write handrail.json: what the extension is, its functions with their schemas, its events.

    The bytes depend on the declarations alone, so that it can be kept under version control.

    Exit codes: 0 ok, 1 --check found it absent or out of date, 2 APP cannot be read.

    Example: handrail manifest app.py --check
    """
    with explained("manifest"):
        ext = load_extension(app)
        text = manifest_text(ext)
        path = Path(ext.place.file).resolve().parent / MANIFEST_NAME
        if stdout:
            sys.stdout.buffer.write(text.encode("utf-8"))
            sys.stdout.flush()
            return
        current = path.is_file() and path.read_bytes() == text.encode("utf-8")
        if not check and not current:
            with writing_to(path) as out:
                out.write(text)
    if check and not current:
        what = "is out of date" if path.is_file() else "is not there"
        typer.echo(f"{path.name} {what}; run: handrail manifest {app}", err=True)
        raise typer.Exit(FINDINGS)
    typer.echo(f"{path.name} {'is current' if current else 'written'}", err=True)
