"""FastMCP: `FastMCP.call_tool` on the server, and an in-memory client beside it."""

import json
from collections.abc import Callable

from fastmcp import Client, FastMCP
from fastmcp.exceptions import FastMCPError
from pydantic import ValidationError

from peers.tasks import Task

__all__ = ["Server"]

Texts = list[tuple[str, str]]


class Server:
    """`await server.call_tool(name, arguments)`, with middleware as it comes.

    Args:
        task: The tool.
    """

    packages = ("fastmcp", "mcp")
    cases = ("valid", "mended", "invalid", "two rounds", "whole turn")

    def __init__(self, task: Task) -> None:
        self._server = FastMCP("bench")
        self._server.tool(task.coroutine(), name="save")

    async def prepare(self, case: str, texts: Texts) -> Callable[[], object]:
        """A whole turn is the same two calls through a client, in memory."""
        if case == "whole turn":
            return self._through_client(texts)
        again = case == "two rounds"

        async def run() -> object:
            said: object = ""
            for first, second in texts:
                said = await self._call(first)
                if again:
                    said = await self._call(second)
            return said

        return run

    async def _call(self, text: str) -> object:
        try:
            result = await self._server.call_tool("save", json.loads(text))
        except (FastMCPError, ValidationError) as error:
            return str(error)
        return result.content[0].text

    def _through_client(self, texts: Texts) -> Callable[[], object]:
        async def run() -> object:
            said: object = ""
            async with Client(self._server) as client:
                for pair in texts:
                    for text in pair:
                        arguments = json.loads(text)
                        result = await client.call_tool("save", arguments, raise_on_error=False)
                        said = result.content[0].text
            return said

        return run
