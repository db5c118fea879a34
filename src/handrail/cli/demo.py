"""``handrail demo``: what it does, in under three seconds, or with a real model running.

Offline, the replies of a real local model are played back from a recording; everything else runs
for real: the tools, the judging, the refusals, the approval.
"""

import asyncio
import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from handrail.cli.demo_scenes import SCENES, Scene
from handrail.cli.demo_story import Story
from handrail.cli.main import ENVIRONMENT
from handrail.errors import ConfigError, HandrailError
from handrail.models.model import Message, Model, ModelReply, ToolDict
from handrail.models.weights import Size, describe, fetch, find
from handrail.runtime.toolbox import Toolbox
from handrail.testing import AutoHuman, ScriptedModel, text

__all__ = ["demo"]

_COLOURS = {
    "title": "bold",
    "user": "cyan",
    "model": "yellow",
    "handrail": "green",
    "tool": "magenta",
    "human": "bold blue",
    "end": "dim",
}
_RECORDING = "demo_recording.json"


class _Remembered:
    """A model whose replies are written down."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.said: list[str] = []

    async def respond(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDict] = (),
        *,
        tool_choice: str | Message | None = None,
        response_format: Message | None = None,
    ) -> ModelReply:
        """One reply, remembered."""
        reply = await self._model.respond(
            messages, tools, tool_choice=tool_choice, response_format=response_format
        )
        self.said.append(reply.text)
        return reply


def demo(
    live: Annotated[bool, typer.Option("--live", help="Run a real local model.")] = False,
    live_if_cached: Annotated[
        bool, typer.Option("--live-if-cached", help="As --live, if its weights are there already.")
    ] = False,
    model: Annotated[
        str, typer.Option(help="With --live: anything that handrail.models.connect takes.")
    ] = "",
    transcript: Annotated[
        Path | None, typer.Option("-o", "--transcript", help="Also write the transcript here.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="With --live: write the model's replies here.", hidden=True)
    ] = None,
) -> None:
    """Show three calls: one corrected, one refused, one in front of a human.

    Without options it plays a recorded conversation with a real local model and needs no network.

    Exit codes: 0 ok, 2 wrong usage, 3 the model cannot be had on this machine.

    Example: handrail demo --live --model local:0.5b
    """
    teller = _Teller()
    try:
        if live or (live_if_cached and _is_cached()):
            recording = _live(teller, model)
        else:
            recording = _play(teller)
    except HandrailError as error:
        typer.echo(f"handrail demo: {error}", err=True)
        raise typer.Exit(ENVIRONMENT) from None
    if record is not None:
        record.write_text(json.dumps(recording, indent=1, ensure_ascii=False) + "\n", "utf-8")
    if transcript is not None:
        transcript.write_text(teller.as_text(), encoding="utf-8")


class _Teller:
    """Writes to the terminal and remembers what it wrote."""

    def __init__(self) -> None:
        self._console = Console(highlight=False, soft_wrap=True)
        self._lines: list[str] = []
        self.story = Story(self.say)

    def say(self, line: str, kind: str = "end") -> None:
        """One line, or one block of lines."""
        if kind == "title":
            self._console.print()
            self._lines.append("")
        self._console.print(Text(line, style=_COLOURS[kind]))
        self._lines.append(line)

    def as_text(self) -> str:
        """Everything that was said."""
        return "\n".join(self._lines).strip() + "\n"


def _play(teller: _Teller) -> dict[str, Any]:  # Any: the recording, JSON values
    stored = resources.files("handrail.cli").joinpath(_RECORDING).read_text("utf-8")
    recording: dict[str, Any] = json.loads(stored)  # Any: JSON values
    teller.say(f"Recorded replies of {recording['model']}; everything else runs now.")
    for number, (scene, said) in enumerate(zip(SCENES, recording["scenes"], strict=True), 1):
        scripted = ScriptedModel([text(one) for one in said])
        _run(number, scene, scripted, teller, rounds=len(said))
    teller.say("\nWith the model running on this machine: handrail demo --live")
    return recording


def _run(number: int, scene: Scene, model: Model, teller: _Teller, rounds: int) -> None:
    teller.story.scene(number, scene.title, scene.user)
    box = scene.box([teller.story], AutoHuman(approve=True, by="you"))
    messages = [
        {"role": "system", "content": scene.system},
        {"role": "user", "content": scene.user},
    ]
    asyncio.run(_talk(scene, box, model, messages, teller.story, rounds))


async def _talk(
    scene: Scene, box: Toolbox, model: Model, messages: list[Message], story: Story, rounds: int
) -> None:
    """The loop of somebody who has a loop of their own."""
    async with box.turn(user_text=scene.user) as turn:
        for _ in range(rounds):
            reply = await model.respond(messages, turn.schemas("openai"))
            answers = await turn.take(reply)
            messages += answers.to_messages()
            if answers.done:
                story.model_said(answers.text)
            if answers.done or scene.over(answers):
                break


def _live(teller: _Teller, name: str) -> dict[str, Any]:  # Any: the recording, JSON values
    from handrail.models import connect

    spoken: list[list[str]] = []
    used = ""
    for number, scene in enumerate(SCENES, 1):
        chosen = name or _available(teller, scene.model)
        remembered = _Remembered(connect(chosen))
        if chosen != used:
            teller.say(f"Model: {chosen}. A small machine takes about a minute for a scene.")
            used = chosen
        _run(number, scene, remembered, teller, scene.rounds)
        spoken.append(remembered.said)
    return {"model": name or "Qwen2.5-Coder-Instruct (0.5B and 1.5B), Q4_K_M", "scenes": spoken}


def _is_cached() -> bool:
    try:
        return find() is not None
    except ConfigError:
        return False


def _available(teller: _Teller, wanted: str) -> str:
    """The model that plays the scene best, if it is there; any that is there; or the small one."""
    size: Size = "1.5b" if wanted.endswith("1.5b") else "0.5b"
    if find(size) is not None:
        return wanted
    if find() is not None:
        return "local"
    plan = describe("0.5b")
    teller.say(plan.text)
    teller.say("To use a model of your own instead, set HANDRAIL_MODEL to a .gguf file.")
    with Console(stderr=True).status("downloading ...") as status:
        fetch("0.5b", progress=lambda done, total: status.update(_share(done, total)))
    return "local:0.5b"


def _share(done: int, total: int) -> str:
    return f"downloading {done / 1e6:,.0f} of {total / 1e6:,.0f} MB"
