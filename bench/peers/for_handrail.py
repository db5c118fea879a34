"""handrail, three ways: one long turn, a turn per call, and whole replies through `take`."""

from collections.abc import Callable
from itertools import count

from handrail import Status, Tool, Toolbox, ToolCall
from handrail.testing import ScriptedModel, call, text
from peers.tasks import Task

__all__ = ["Each", "Long", "Take"]

CALLS_OF_A_TURN = 50
"""How long a long turn is; longer ones are rare, and each call in it is still counted."""

Texts = list[tuple[str, str]]


class Way:
    """What the three ways share.

    Args:
        task: The tool.
    """

    packages = ("handrail", "jsonschema-rs")
    cases: tuple[str, ...] = ("valid", "mended", "invalid")

    def __init__(self, task: Task) -> None:
        about = {"name": "save", "description": "Save it.", "action_type": "read"}
        self.box = Toolbox([Tool.from_function(self.handler(task), **about)])
        self._numbers = count(1)

    def handler(self, task: Task) -> Callable[..., object]:
        """What the tool runs: a plain function, in place."""
        return task.function()

    def id(self) -> str:
        """An id that no call had before."""
        return f"call_{next(self._numbers)}"


class Long(Way):
    """`Turn.answer_sync` in turns of fifty calls; a wrong call is a chain of its own."""

    async def prepare(self, case: str, texts: Texts) -> Callable[[], object]:
        """Turns are opened beforehand."""
        wanted = Status.INVALID if case == "invalid" else Status.OK
        groups = [texts[at : at + CALLS_OF_A_TURN] for at in range(0, len(texts), CALLS_OF_A_TURN)]
        work = [(self.box.turn(), [(self.id(), first) for first, _ in group]) for group in groups]

        async def run() -> object:
            said = ""
            for turn, calls in work:
                for id, first in calls:
                    result = turn.answer_sync(ToolCall(id, "save", first), chain=id)
                    said = result.content
                    if result.status is not wanted:
                        raise AssertionError(f"{case}: {result.status}: {said}")
            return said

        return run


class Each(Way):
    """`Toolbox.turn` and `Turn.answer_sync` for each call."""

    cases = ("valid", "mended", "invalid", "two rounds")

    async def prepare(self, case: str, texts: Texts) -> Callable[[], object]:
        """Two rounds are two answers of one turn."""
        work = [(self.id(), self.id(), *pair) for pair in texts]
        again = case == "two rounds"

        async def run() -> object:
            said = ""
            for id, next_id, first, second in work:
                with self.box.turn() as turn:
                    said = turn.answer_sync(ToolCall(id, "save", first)).content
                    if again:
                        said = turn.answer_sync(ToolCall(next_id, "save", second)).content
            return said

        return run


class Take(Way):
    """`await turn.take(reply)` of a chat completion, and `to_messages` for the next request."""

    cases = ("valid", "mended", "invalid", "two rounds", "whole turn")

    def handler(self, task: Task) -> Callable[..., object]:
        """An async function: from a running loop, a plain one is given to a thread."""
        return task.coroutine()

    async def prepare(self, case: str, texts: Texts) -> Callable[[], object]:
        """Replies are made beforehand; a whole turn is `Toolbox.run` with a scripted model."""
        if case == "whole turn":
            return self._whole(texts)
        work = [(self._reply(first), self._reply(second)) for first, second in texts]
        again = case == "two rounds"

        async def run() -> object:
            messages: list[dict[str, object]] = []
            for first, second in work:
                async with self.box.turn() as turn:
                    messages = (await turn.take(first)).to_messages()
                    if again:
                        messages = (await turn.take(second)).to_messages()
            return messages[-1]["content"]

        return run

    def _whole(self, texts: Texts) -> Callable[[], object]:
        models = [
            ScriptedModel([call("save", first), call("save", second), text("Saved.")])
            for first, second in texts
        ]
        request = [{"role": "user", "content": "Save it."}]

        async def run() -> object:
            said = ""
            for model in models:
                said = (await self.box.run(model, request)).text
            return said

        return run

    def _reply(self, arguments: str) -> dict[str, object]:
        function = {"name": "save", "arguments": arguments}
        calls = [{"id": self.id(), "type": "function", "function": function}]
        message = {"role": "assistant", "content": None, "tool_calls": calls}
        return {"choices": [{"message": message, "finish_reason": "tool_calls"}]}
