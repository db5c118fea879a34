"""Issues and tools that several tests of the feedback share."""

from typing import Any

from handrail.contract.issue import Issue, Severity, Suggestion

__all__ = ["CONTENT", "PATH", "Judged", "WriteFile", "many", "priority"]

PATH = Issue(
    "VAL-001",
    "/path",
    "Required field 'path' is missing",
    expected="string",
    hint="add /path (string)",
)
CONTENT = Issue(
    "VAL-009",
    "/content",
    "String length 1500000 exceeds maximum 1048576",
    expected="string with max length 1048576",
    actual='"Lorem ipsum dolor sit amet..." (1500000 characters)',
    hint="shorten /content to at most 1048576 characters",
)
"""The issues of the contract's example."""


def priority(value: str = "hgih", path: str = "/priority") -> Issue:
    """A wrong enum value with an exact edit."""
    return Issue(
        "VAL-008",
        path,
        f"Invalid enum value '{value}' (allowed: high, low)",
        expected="one of: high, low",
        actual=f'"{value}"',
        hint=f'Set {path} to "high".',
        suggestion=Suggestion(({"op": "replace", "path": path, "value": "high"},)),
    )


def many() -> list[Issue]:
    """A group, errors of several kinds, and a warning."""
    group = [
        Issue(
            "VAL-002",
            f"/items/{at}/qty",
            "Type mismatch: expected integer, got string",
            expected="integer",
            actual='"two"',
            hint=f"send /items/{at}/qty as an integer",
        )
        for at in range(30)
    ]
    warning = Issue("MEND", "/limit", 'read "30" as 30', Severity.WARNING)
    return [PATH, CONTENT, *group, warning, priority()]


class WriteFile:
    """A tool as the renderer sees it."""

    name = "write_file"
    when_to_use = "Create a file in the workspace, or replace one."
    schema: dict[str, Any] = {  # noqa: RUF012
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "content": {"type": "string", "maxLength": 1048576},
            "priority": {"enum": ["high", "low"]},
            "items": {
                "type": "array",
                "items": {"type": "object", "properties": {"qty": {"type": "integer"}}},
            },
        },
        "required": ["path", "content"],
    }


class Judged:
    """A judgement as the renderer sees it."""

    def __init__(self, issues: list[Issue], given: object = None, error_class: str | None = None):
        self.issues = issues
        self.given = given
        self.error_class = error_class
