"""The commands by name; a command's file is imported when the command is asked for."""

import inspect
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from handrail.cli.version import version_line

__all__ = ["COMMANDS", "LazyGroup", "app"]

COMMANDS: dict[str, str] = {
    "demo": "handrail.cli.demo:demo",
    "check": "handrail.cli.check:check",
    "replay": "handrail.cli.replay:replay",
    "validate": "handrail.cli.validate:validate",
    "manifest": "handrail.cli.manifest:manifest",
}
"""Command -> ``module:function``; a further command is a further line."""


class LazyGroup(TyperGroup):
    """Commands of the table, imported one by one."""

    def list_commands(self, ctx: Any) -> list[str]:  # Any: typer's own context class
        """Names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:  # Any: as above
        """The command of that name; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, _, function = COMMANDS[cmd_name].partition(":")
        single = typer.Typer(add_completion=False)
        body = getattr(import_module(module), function)
        single.command(cmd_name, help=_flowing(body.__doc__ or ""))(body)
        command = typer.main.get_command(single)
        return command if isinstance(command, TyperCommand) else None


def _flowing(text: str) -> str:
    """Paragraphs without the line breaks of the source."""
    parts = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(" ".join(part.split("\n")) for part in parts)


app = typer.Typer(
    name="handrail",
    cls=LazyGroup,
    help="The contract between a validator and a model. "
    "Exit codes: 0 ok, 1 findings, 2 wrong usage, 3 something is missing on this machine.",
    epilog="Example: handrail check requests.jsonl",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version_line())
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Options before the command."""
