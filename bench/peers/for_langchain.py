"""LangChain: `BaseTool.ainvoke` of a tool call, a `ToolNode` in a graph, and `create_agent`."""

import json
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from peers.tasks import Task

__all__ = ["Invoked", "Node"]

Texts = list[tuple[str, str]]


class Way:
    """What both ways share.

    Args:
        task: The tool.
    """

    packages = ("langchain", "langchain-core", "langgraph", "langgraph-prebuilt")

    def __init__(self, task: Task) -> None:
        self._tool = StructuredTool.from_function(
            coroutine=task.coroutine(),
            name="save",
            description="Save it.",
            handle_validation_error=str,
        )
        self._numbers = count(1)

    def _id(self) -> str:
        return f"call_{next(self._numbers)}"

    def _message(self, id: str, arguments: str) -> AIMessage:
        """Where a provider's package has parsed the text of the arguments."""
        call = {"name": "save", "args": json.loads(arguments), "id": id, "type": "tool_call"}
        return AIMessage("", tool_calls=[call])


class Invoked(Way):
    """The tool's own `ainvoke`, with `handle_validation_error=str`: the error as text."""

    cases = ("valid", "mended", "invalid", "two rounds")

    async def prepare(self, case: str, texts: Texts) -> Callable[[], object]:
        """Reading the text of the arguments is part of the work."""
        tool, again = self._tool, case == "two rounds"
        work = [(self._id(), self._id(), *pair) for pair in texts]

        async def run() -> object:
            said: object = ""
            for id, next_id, first, second in work:
                said = (await tool.ainvoke(_call(id, first))).content
                if again:
                    said = (await tool.ainvoke(_call(next_id, second))).content
            return said

        return run


class Node(Way):
    """`ToolNode` as the one node of a compiled graph, its errors told as it tells them."""

    cases = ("valid", "mended", "invalid", "two rounds", "whole turn")

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._tool.handle_validation_error = False
        graph = StateGraph(MessagesState)
        graph.add_node("tools", ToolNode([self._tool]))
        graph.add_edge(START, "tools")
        self._graph = graph.compile()

    async def prepare(self, case: str, texts: Texts) -> Callable[[], object]:
        """A round is one `ainvoke` of the graph."""
        if case == "whole turn":
            return self._whole(texts)
        graph, again = self._graph, case == "two rounds"
        work = [(self._id(), self._id(), *pair) for pair in texts]

        async def run() -> object:
            said: object = ""
            for id, next_id, first, second in work:
                message = self._message(id, first)
                said = (await graph.ainvoke({"messages": [message]}))["messages"][-1].content
                if again:
                    message = self._message(next_id, second)
                    said = (await graph.ainvoke({"messages": [message]}))["messages"][-1].content
            return said

        return run

    def _whole(self, texts: Texts) -> Callable[[], object]:
        replies: list[BaseMessage] = []
        for first, second in texts:
            replies += [self._message(self._id(), first), self._message(self._id(), second)]
            replies.append(AIMessage("Saved."))
        agent = create_agent(Scripted(responses=replies), [self._tool])
        request = {"messages": [{"role": "user", "content": "Save it."}]}

        async def run() -> object:
            said: object = ""
            for _ in texts:
                said = (await agent.ainvoke(request))["messages"][-1].content
            return said

        return run


class Scripted(FakeMessagesListChatModel):
    """Says what is written down for it, and takes tools."""

    def bind_tools(self, tools: Sequence[BaseTool], **options: Any) -> "Scripted":
        """The same model."""
        return self


def _call(id: str, arguments: str) -> dict[str, Any]:
    return {"name": "save", "args": json.loads(arguments), "id": id, "type": "tool_call"}
