"""openai-agents: `FunctionTool.on_invoke_tool`, as its runner calls it, and `Runner.run`."""

from collections.abc import AsyncIterator, Callable, Iterator
from itertools import count
from typing import Any, ClassVar

from agents import (
    Agent,
    Model,
    ModelResponse,
    RunConfig,
    Runner,
    Usage,
    function_tool,
    set_tracing_disabled,
)
from agents.tool_context import ToolContext
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from peers.tasks import Task

__all__ = ["Invoked", "Told"]

Texts = list[tuple[str, str]]

set_tracing_disabled(True)


class Invoked:
    """`on_invoke_tool` with a `ToolContext` of its own for each call, errors told by default.

    Args:
        task: The tool.
    """

    packages = ("openai-agents", "openai")
    cases = ("valid", "mended", "invalid", "two rounds", "whole turn")
    options: ClassVar[dict[str, Any]] = {}

    def __init__(self, task: Task) -> None:
        declare = function_tool(name_override="save", strict_mode=False, **self.options)
        self._tool = declare(task.coroutine())
        self._numbers = count(1)

    async def prepare(self, case: str, texts: Texts) -> Callable[[], object]:
        """Contexts are made within the work, as the runner makes them."""
        if case == "whole turn":
            return self._whole(texts)
        again = case == "two rounds"
        work = [(self._id(), self._id(), *pair) for pair in texts]

        async def run() -> object:
            said: object = ""
            for id, next_id, first, second in work:
                said = await self._invoke(id, first)
                if again:
                    said = await self._invoke(next_id, second)
            return said

        return run

    async def _invoke(self, id: str, arguments: str) -> object:
        context = ToolContext(None, tool_name="save", tool_call_id=id, tool_arguments=arguments)
        return await self._tool.on_invoke_tool(context, arguments)

    def _whole(self, texts: Texts) -> Callable[[], object]:
        agents = [
            Agent(name="one", tools=[self._tool], model=Scripted(self._script(*pair)))
            for pair in texts
        ]
        config = RunConfig(tracing_disabled=True)

        async def run() -> object:
            said: object = ""
            for agent in agents:
                said = (await Runner.run(agent, "Save it.", run_config=config)).final_output
            return said

        return run

    def _script(self, *texts: str) -> Iterator[Any]:
        for text in texts:
            id = self._id()
            yield ResponseFunctionToolCall(
                type="function_call", name="save", call_id=id, id=id, arguments=text
            )
        words = ResponseOutputText(type="output_text", text="Saved.", annotations=[])
        yield ResponseOutputMessage(
            type="message", id="m", role="assistant", status="completed", content=[words]
        )

    def _id(self) -> str:
        return f"call_{next(self._numbers)}"


class Told(Invoked):
    """The same with an error function that gives the model the error's text.

    That text says what is wrong only if OPENAI_AGENTS_DONT_LOG_TOOL_DATA is 0.
    """

    options: ClassVar[dict[str, Any]] = {
        "failure_error_function": lambda context, error: f"{error.__cause__ or error}"
    }


class Scripted(Model):
    """Says what is written down for it."""

    def __init__(self, script: Iterator[Any]) -> None:
        self._script = script

    async def get_response(self, *given: Any, **named: Any) -> ModelResponse:
        """The next item."""
        return ModelResponse(output=[next(self._script)], usage=Usage(), response_id=None)

    def stream_response(self, *given: Any, **named: Any) -> AsyncIterator[Any]:
        """Never asked for."""
        raise NotImplementedError
