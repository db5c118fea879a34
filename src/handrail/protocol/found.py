"""One call of a turn that ended: the piece of which its evidence is made."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from handrail.contract.call import Status, ToolResult
from handrail.contract.emptiness import is_empty
from handrail.contract.tool import Tool

__all__ = ["Found"]

_UNSAID = frozenset({"[]", "{}", "null", '""'})


class Found(NamedTuple):
    """One call that ended, and what came of it.

    Attributes:
        tool: Its contract.
        arguments: The judged arguments; empty where there were none.
        result: What the model was given.
        step: Number of the model message.
    """

    tool: Tool
    arguments: Mapping[str, Any]  # Any: JSON values
    result: ToolResult
    step: int

    @property
    def good(self) -> bool:
        """Whether the tool did what was asked."""
        return self.result.status is Status.OK and not self.result.is_error

    @property
    def empty(self) -> bool:
        """Whether there is nothing in the result."""
        data = self.result.data
        return is_empty(data) or (isinstance(data, str) and data.strip() in _UNSAID)

    @property
    def changed(self) -> bool:
        """Whether it changed something."""
        return self.good and self.tool.action_type != "read"

    def names(self, id: str | int | float) -> bool:
        """Whether this id is one of the arguments."""
        wanted = str(id)
        return any(_holds(value, wanted) for value in self.arguments.values())


def _holds(value: object, wanted: str) -> bool:
    if isinstance(value, list):
        return any(_holds(one, wanted) for one in value)
    return isinstance(value, str | int | float) and str(value) == wanted
