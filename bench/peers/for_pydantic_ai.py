"""pydantic-ai: `ToolManager.handle_call`, without capabilities, and `Agent.run`."""

from collections.abc import Callable
from itertools import count

from pydantic_ai import Agent, RunContext
from pydantic_ai.exceptions import ToolRetryError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.toolsets import FunctionToolset
from pydantic_ai.usage import RunUsage

from peers.tasks import Task

__all__ = ["Managed"]

Texts = list[tuple[str, str]]


class Managed:
    """`ToolManager.handle_call`; the toolset is resolved anew for the second round, as in a run.

    Args:
        task: The tool.
    """

    packages = ("pydantic-ai-slim",)
    cases = ("valid", "mended", "invalid", "two rounds", "whole turn")

    def __init__(self, task: Task) -> None:
        self._toolset: FunctionToolset[None] = FunctionToolset(max_retries=1)  # as an agent
        self._toolset.add_function(task.coroutine(), name="save")
        self._numbers = count(1)
        self._agent = Agent(toolsets=[self._toolset])

    async def prepare(self, case: str, texts: Texts) -> Callable[[], object]:
        """A call that cannot run is told by the message of its retry prompt."""
        if case == "whole turn":
            return self._whole(texts)
        manager = await self._manager()
        work = [(self._call(first), self._call(second)) for first, second in texts]
        if case == "two rounds":
            return self._two_rounds(manager, work)

        async def run() -> object:
            said: object = ""
            for one, _ in work:
                said = await _told(manager, one)
            return said

        return run

    def _two_rounds(
        self, manager: ToolManager[None], work: list[tuple[ToolCallPart, ToolCallPart]]
    ) -> Callable[[], object]:
        async def run() -> object:
            said: object = ""
            for first, second in work:
                before = await self._manager()
                await _told(before, first)
                after = await before.for_run_step(self._context(1))
                said = await _told(after, second)
            return said

        return run

    def _whole(self, texts: Texts) -> Callable[[], object]:
        models = [_scripted(self._call(first), self._call(second)) for first, second in texts]

        async def run() -> object:
            said = ""
            for model in models:
                said = (await self._agent.run("Save it.", model=model)).output
            return said

        return run

    async def _manager(self) -> ToolManager[None]:
        """As an agent of default settings makes it."""
        fresh = ToolManager(self._toolset, default_max_retries=1)
        return await fresh.for_run_step(self._context(0))

    def _context(self, step: int) -> RunContext[None]:
        return RunContext(deps=None, model=MODEL, usage=RunUsage(), run_step=step)

    def _call(self, arguments: str) -> ToolCallPart:
        return ToolCallPart("save", arguments, f"call_{next(self._numbers)}")


MODEL = TestModel()


async def _told(manager: ToolManager[None], call: ToolCallPart) -> object:
    try:
        return await manager.handle_call(call)
    except ToolRetryError as error:
        return error.tool_retry.model_response_str()


def _scripted(*calls: ToolCallPart) -> FunctionModel:
    replies = iter([*([call] for call in calls), [TextPart("Saved.")]])

    def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=next(replies))

    return FunctionModel(reply)
