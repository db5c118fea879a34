"""strands-agents: `AgentTool.stream`, as its executor calls it, and `Agent.invoke_async`."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import count
from typing import Any

from strands import Agent, tool
from strands.models import Model

from peers.tasks import Task

__all__ = ["Streamed"]

Texts = list[tuple[str, str]]


class Streamed:
    """`stream` of a decorated tool, to its last event.

    Args:
        task: The tool.
    """

    packages = ("strands-agents",)
    cases = ("valid", "mended", "invalid", "two rounds", "whole turn")

    def __init__(self, task: Task) -> None:
        self._tool = tool(name="save", description="Save it.")(task.coroutine(bare=True))
        self._numbers = count(1)

    async def prepare(self, case: str, texts: Texts) -> Callable[[], object]:
        """Reading the text of the arguments is part of the work."""
        if case == "whole turn":
            return self._whole(texts)
        again = case == "two rounds"
        work = [(self._id(), self._id(), *pair) for pair in texts]

        async def run() -> object:
            said: object = ""
            for id, next_id, first, second in work:
                said = await self._call(id, first)
                if again:
                    said = await self._call(next_id, second)
            return said

        return run

    async def _call(self, id: str, text: str) -> object:
        use = {"toolUseId": id, "name": "save", "input": json.loads(text)}
        last: Any = None
        async for event in self._tool.stream(use, {}):
            last = event
        return last.tool_result["content"][0]["text"]

    def _whole(self, texts: Texts) -> Callable[[], object]:
        agents = [
            Agent(
                model=Scripted(iter([(self._id(), one), (self._id(), two), (None, "Saved.")])),
                tools=[self._tool],
                callback_handler=None,
                load_tools_from_directory=False,
            )
            for one, two in texts
        ]

        async def run() -> object:
            said: object = ""
            for agent in agents:
                said = str(await agent.invoke_async("Save it.")).strip()
            return said

        return run

    def _id(self) -> str:
        return f"call_{next(self._numbers)}"


class Scripted(Model):
    """Says what is written down for it, as a stream of few events."""

    def __init__(self, script: Iterator[tuple[str | None, str]]) -> None:
        self._script = script

    def update_config(self, **config: Any) -> None:
        """There is none."""

    def get_config(self) -> dict[str, Any]:
        """There is none."""
        return {}

    def structured_output(self, *given: Any, **named: Any) -> AsyncIterator[Any]:
        """Never asked for."""
        raise NotImplementedError

    async def stream(self, *given: Any, **named: Any) -> AsyncIterator[Any]:
        """The next item: a tool call where it has an id."""
        id, said = next(self._script)
        start = {"toolUse": {"toolUseId": id, "name": "save"}} if id else {}
        delta = {"toolUse": {"input": said}} if id else {"text": said}
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockStart": {"start": start}}
        yield {"contentBlockDelta": {"delta": delta}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if id else "end_turn"}}
