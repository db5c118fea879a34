"""What goes wrong around a command is a sentence and an exit code."""

import pytest
import typer

from handrail.cli.explained import explained, stop
from handrail.errors import ConfigError, ContractError, StoreError


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (ConfigError("no such thing"), 2, "no such thing"),
        (ContractError("f", ["one"]), 2, "tool 'f' cannot be declared:\n  - one"),
        (StoreError("full"), 1, "full"),
        (FileNotFoundError(2, "No such file or directory", "a.py"), 2,
         "a.py: No such file or directory"),
        (PermissionError(13, "Permission denied", "a.py"), 3, "a.py: Permission denied"),
        (OSError("odd"), 3, "output: odd"),
    ],
)  # fmt: skip
def test_error_is_explained(
    error: Exception, code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """On standard error, with the command's name."""
    with pytest.raises(typer.Exit) as raised, explained("look"):
        raise error
    assert (raised.value.exit_code, capsys.readouterr().err) == (code, f"handrail look: {told}\n")


def test_broken_pipe_and_own_slips_are_let_through() -> None:
    """The one ends quietly, the other must be seen."""
    for error in (BrokenPipeError(), KeyError("x")):
        with pytest.raises(type(error)), explained("look"):
            raise error


def test_stop_ends_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """With the code that is asked for."""
    with pytest.raises(typer.Exit) as raised:
        stop("look", "no", 3)
    assert (raised.value.exit_code, capsys.readouterr().err) == (3, "handrail look: no\n")
