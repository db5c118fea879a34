"""The table of commands."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from handrail.cli.app import COMMANDS, app


def printed(code: str) -> str:
    """What a process of its own prints."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    command = [sys.executable, "-c", code]
    return subprocess.check_output(command, env=environment, text=True)


def test_help_lists_every_command() -> None:
    """With the first sentence of each."""
    shown = CliRunner().invoke(app, ["--help"])
    assert shown.exit_code == 0
    assert [name for name in COMMANDS if name not in shown.stdout] == []


@pytest.mark.parametrize("name", list(COMMANDS))
def test_help_of_a_command_has_an_example(name: str) -> None:
    """Something to copy."""
    shown = CliRunner().invoke(app, [name, "--help"])
    assert (shown.exit_code, f"Example: handrail {name}" in shown.stdout) == (0, True)


def test_commands_are_imported_when_asked_for() -> None:
    """The table alone loads none of them."""
    loaded = "import sys, handrail.cli.app; print('handrail.cli.check' in sys.modules)"
    assert printed(loaded) == "False\n"


def test_library_does_not_know_the_command_line() -> None:
    """typer and rich are for commands only."""
    loaded = "import sys, handrail; print({'typer', 'rich'} & sys.modules.keys())"
    assert printed(loaded) == "set()\n"
