"""What goes wrong around a command, as a sentence and an exit code."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from handrail.cli.main import ENVIRONMENT, FINDINGS, USAGE
from handrail.errors import ConfigError, ContractError, HandrailError

__all__ = ["MissingError", "explained", "say", "stop"]


class MissingError(ConfigError):
    """Something that the command needs is not installed here."""


@contextmanager
def explained(command: str) -> Iterator[None]:
    """Turn what goes wrong within it into a sentence and an exit code.

    Args:
        command: Name of the command, for the sentence.
    """
    try:
        yield
    except MissingError as error:
        stop(command, str(error), ENVIRONMENT)
    except (ConfigError, ContractError) as error:
        stop(command, str(error), USAGE)
    except HandrailError as error:
        stop(command, str(error), FINDINGS)
    except BrokenPipeError:
        raise  # typer ends quietly
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        stop(command, f"{error.filename}: {error.strerror}", USAGE)
    except OSError as error:
        stop(command, f"{error.filename or 'output'}: {error.strerror or error}", ENVIRONMENT)


def say(command: str, sentence: str) -> None:
    """A sentence on standard error."""
    typer.echo(f"handrail {command}: {sentence}", err=True)


def stop(command: str, sentence: str, code: int) -> NoReturn:
    """Say why a command cannot go on, and end it.

    Raises:
        typer.Exit: Always.
    """
    say(command, sentence)
    raise typer.Exit(code)
