"""The tool of seed 004's examples, calls of it, and what is wrong with them."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field

from handrail import Issue, Policy, Tool, Toolbox, ToolCall, ToolResult

__all__ = [
    "MISSING",
    "TOO_MUCH",
    "WRONG",
    "actual",
    "attempts",
    "call",
    "codes",
    "files",
    "first",
    "good",
    "write_file",
]

TOO_MUCH = "Lorem ipsum dolor sit amet " * 50
WRONG = {
    "path": 7,
    "encoding": "uft8",
    "lines": [1, 2, 3, 4],
    "priority": 0,
    "code": "x",
    "colour": "red",
    "title": TOO_MUCH,
}
"""Every field of `write_file` wrong, each in its own way."""


def write_file(
    path: str,
    content: str,
    encoding: Literal["utf-8", "ascii", "utf-16"] = "utf-8",
    lines: Annotated[list[int] | None, Field(max_length=3)] = None,
    priority: Annotated[int, Field(ge=1, le=9)] = 1,
    code: Annotated[str, Field(pattern="^[A-Z]+$")] = "A",
    title: Annotated[str, Field(max_length=40)] = "",
) -> str:
    """Write a text file."""
    return f"{path} is written"


def files(policy: Policy | None = None, **contract: Any) -> Toolbox:  # Any: contract keywords
    """A toolbox with the one tool of the seed's examples."""
    tool = Tool.from_function(write_file, action_type="write", **contract)
    return Toolbox([tool], name="files", policy=policy or Policy.preset("balanced"))


def call(arguments: object, id: str = "call_1") -> ToolCall:
    """A call of `write_file`."""
    sent = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ToolCall(id, "write_file", sent)


def attempts(*sent: object, box: Toolbox | None = None) -> list[ToolResult]:
    """The results of several proposals in one turn."""
    with (box or files()).turn() as turn:
        return [turn.answer_sync(call(one, f"call_{at}")) for at, one in enumerate(sent, 1)]


def first(arguments: object, box: Toolbox | None = None) -> ToolResult:
    """The result of one proposal."""
    return attempts(arguments, box=box)[0]


def codes(arguments: object) -> set[tuple[str, str]]:
    """Codes and paths of what is wrong with the arguments."""
    return {(issue.code, issue.path) for issue in files().check(call(arguments)).issues}


def good(**changes: object) -> dict[str, object]:
    """Valid arguments with some changed."""
    return {"path": "a.txt", "content": "hello", **changes}


MISSING = Issue("VAL-001", "/path", "Required field 'path' is missing", expected="string")


def actual(value: object) -> str:
    """The preview of a value where a string is wanted."""
    return str(files().check(call(good(path=value))).issues[0].actual)
