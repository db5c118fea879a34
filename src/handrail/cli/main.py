"""The launcher: starts the command line, or says in a sentence what is missing for it.

This module imports neither typer nor rich, so that it can speak where they are not installed.
"""

import importlib
import sys
from collections.abc import Sequence

from handrail.cli.version import version_line

__all__ = ["ENVIRONMENT", "FINDINGS", "USAGE", "main"]

FINDINGS = 1
"""Exit code: the command ran and found something."""

USAGE = 2
"""Exit code: the command was called wrongly, or a file that it was given is not usable."""

ENVIRONMENT = 3
"""Exit code: something is missing on this machine."""

_NEEDED = ("typer", "rich")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; `arguments` stands in for those of the process."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given == ["--version"]:
        print(version_line())
        sys.exit(0)
    missing = _missing()
    if missing:
        print(
            f"handrail: the command line needs {' and '.join(missing)}. "
            "Install it with: pip install 'handrail[cli]'",
            file=sys.stderr,
        )
        sys.exit(ENVIRONMENT)
    from handrail.cli.app import app

    app(args=given, prog_name="handrail")


def _missing() -> list[str]:
    missing = []
    for name in _NEEDED:
        try:
            importlib.import_module(name)
        except ImportError:
            missing.append(name)
    return missing
