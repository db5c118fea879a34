"""One thing wrong with a call, and the table of everything that can be wrong.

`CODES` is the law of `docs/codes.md`, which is generated from it. Codes are never renumbered.
Source: seed 004, FR-001..FR-017, and the contract `handrail/1`, section 1.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

__all__ = [
    "CODES",
    "CONTRACT",
    "Code",
    "Issue",
    "Severity",
    "Suggestion",
    "join_pointer",
    "split_pointer",
]

CONTRACT = "handrail/1"
"""Version of the contract: printed in every machine-readable form."""


class Severity(StrEnum):
    """How bad an issue is: an error blocks, a warning lets the call run, an info is recorded."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Code(NamedTuple):
    """One row of the code table.

    Attributes:
        code: Stable identifier, ``VAL-001``.
        slug: The same in words, ``missing_field``.
        when: When it is raised.
        message: Template of the message; every ``{name}`` is filled by `Issue.of`.
    """

    code: str
    slug: str
    when: str
    message: str


_ROWS = (
    Code(
        "VAL-001",
        "missing_field",
        "a required field is missing",
        "Required field '{field}' is missing",
    ),
    Code(
        "VAL-002",
        "type_mismatch",
        "the JSON type is wrong (null included)",
        "Type mismatch: expected {expected}, got {actual}",
    ),
    Code(
        "VAL-003",
        "constraint",
        "a number is out of range, or no multiple of the step",
        "Value out of range: {constraint}",
    ),
    Code(
        "VAL-004",
        "invalid_json",
        "not JSON, not an object, duplicate keys, NaN or Infinity, deeper than 64, over 1 MiB",
        "Invalid JSON: {problem}",
    ),
    Code(
        "VAL-005",
        "unknown_field",
        "a field that a closed schema does not have",
        "Unknown field '{field}' (allowed: {allowed})",
    ),
    Code("VAL-006", "array_length", "too many or too few items", "Array length {length} {bound}"),
    Code(
        "VAL-007", "pattern", "a pattern is not matched", "Value doesn't match pattern: {pattern}"
    ),
    Code(
        "VAL-008",
        "enum",
        "a value is not among the allowed ones, or not the constant",
        "Invalid enum value '{value}' (allowed: {allowed})",
    ),
    Code(
        "VAL-009",
        "string_length",
        "a string is too long or too short",
        "String length {length} {bound}",
    ),
    Code(
        "VAL-010",
        "format",
        "date-time, date, uuid, email, uri and the like",
        "Invalid format: {format}, e.g. {example}",
    ),
    Code(
        "VAL-011",
        "truncated_json",
        "the JSON was cut off, or the provider says that the length limit ended the reply",
        "Arguments were cut off after {length} characters",
    ),
    Code(
        "VAL-012", "not_unique", "items of a set are equal", "Items {first} and {second} are equal"
    ),
    Code(
        "VAL-013",
        "dependency",
        "a field, or one of several, is required because of another",
        "{problem}",
    ),
    Code("VAL-014", "exclusive", "mutually exclusive fields are both given", "{problem}"),
    Code(
        "VAL-015", "semantic", "a declared rule or a check of the tool's author fails", "{problem}"
    ),
    Code(
        "VAL-016",
        "placeholder",
        "a string is nothing but a placeholder such as <ORDER_ID>",
        "Value is the placeholder {value}, not a real value",
    ),
    Code(
        "VAL-017",
        "fabricated_id",
        "an id has the shape of an invented one",
        "'{value}' looks like an invented id",
    ),
    Code(
        "VAL-018",
        "unseen_id",
        "an id was never seen in what the user wrote or a tool returned",
        "'{value}' was not given by the user or returned by any tool",
    ),
    Code("VAL-019", "unknown_tool", "there is no such tool", "There is no tool '{tool}'{nearest}"),
    Code(
        "VAL-020",
        "error_echo",
        "an argument of a write is, or contains, one of our error texts",
        "The value repeats an error message instead of real content",
    ),
    Code(
        "BUD-001",
        "attempts_spent",
        "the attempts of one call are spent",
        "No attempts left: {spent} of {limit} used",
    ),
    Code(
        "BUD-002",
        "identical_call",
        "the same call was made too often with nothing changed in between",
        "The same call was already made {spent} times and nothing has changed",
    ),
    Code("BUD-003", "no_progress", "calls go round without getting further", "{problem}"),
    Code(
        "BUD-004", "run_limit", "a limit of the whole run is reached", "Run limit reached: {limit}"
    ),
    Code("MEND", "mended", "a value was read as what it provably means", "{problem}"),
)

CODES: Mapping[str, Code] = MappingProxyType({row.code: row for row in _ROWS})


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An exact edit that makes the value valid.

    Attributes:
        ops: JSON Patch operations (RFC 6902) on the arguments as sent; removals last index first.
    """

    ops: tuple[Mapping[str, Any], ...]  # Any: a patch carries JSON values


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing wrong (seed 004, FR-001..FR-008).

    Attributes:
        code: A key of `CODES`.
        path: RFC 6901 pointer into the arguments as sent; ``""`` is the whole object.
        message: One sentence; holds sanitised previews only, never raw values.
        severity: An error blocks the call.
        slug: The code in words; derived from `code`.
        expected: What the contract asks for, in words.
        actual: A sanitised preview of what was sent.
        hint: What to change. An exact edit is a sentence (``Remove /limit.``), anything else a
            clause (``add /path (string)``).
        suggestion: The exact edit, where the contract alone determines it.
    """

    code: str
    path: str
    message: str
    severity: Severity = Severity.ERROR
    slug: str | None = None
    expected: str | None = None
    actual: str | None = None
    hint: str | None = None
    suggestion: Suggestion | None = None

    def __post_init__(self) -> None:
        if self.slug is None:
            row = CODES.get(self.code)
            object.__setattr__(self, "slug", row.slug if row else self.code.lower())

    @classmethod
    def of(
        cls,
        code: str,
        path: str = "",
        *,
        severity: Severity = Severity.ERROR,
        expected: str | None = None,
        actual: str | None = None,
        hint: str | None = None,
        suggestion: Suggestion | None = None,
        **words: object,
    ) -> "Issue":
        """An issue whose message is the table's template filled with `words`.

        Words must be sanitised by the caller (`preview.word`, `preview.preview`).
        """
        names = {"expected": expected, "actual": actual, **words}
        message = CODES[code].message.format(**names)
        return cls(code, path, message, severity, None, expected, actual, hint, suggestion)

    def to_dict(self) -> dict[str, Any]:  # Any: JSON object
        """The issue as a JSON object; absent parts are left out."""
        plain: dict[str, Any] = {  # Any: JSON object
            "code": self.code,
            "slug": self.slug,
            "path": self.path,
            "message": self.message,
            "severity": self.severity.value,
        }
        words = {"expected": self.expected, "actual": self.actual, "hint": self.hint}
        plain |= {key: item for key, item in words.items() if item is not None}
        if self.suggestion is not None:
            plain["suggestion"] = [dict(op) for op in self.suggestion.ops]
        return plain

    def replace(self, **changes: Any) -> "Issue":  # Any: any field
        """The same issue with some fields changed."""
        fields = {name: getattr(self, name) for name in _FIELDS}
        return Issue(**{**fields, **changes})

    def with_actual(self, actual: str | None) -> "Issue":
        """The same issue with another preview of what was sent; the quick form of `replace`."""
        return Issue(
            self.code,
            self.path,
            self.message,
            self.severity,
            self.slug,
            self.expected,
            actual,
            self.hint,
            self.suggestion,
        )


_FIELDS = tuple(Issue.__slots__)


def join_pointer(parts: Iterable[str | int]) -> str:
    """RFC 6901 pointer of unescaped parts: ``join_pointer(["a/b", 0]) == "/a~1b/0"``."""
    pointer = ""
    for part in parts:
        if isinstance(part, str) and ("/" in part or "~" in part):
            part = part.replace("~", "~0").replace("/", "~1")
        pointer += f"/{part}"
    return pointer


def split_pointer(pointer: str) -> list[str]:
    """Unescaped parts of an RFC 6901 pointer: ``split_pointer("/a~1b/0") == ["a/b", "0"]``."""
    parts = pointer.split("/")[1:]
    if "~" not in pointer:
        return parts
    return [part.replace("~1", "/").replace("~0", "~") for part in parts]
