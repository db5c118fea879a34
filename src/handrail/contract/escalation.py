"""A call that stopped: what the human reads, what the model reads, and the history between.

The text for the human has one short line for each attempt, worded from the issues. The history
is a compact record of at most 10 KB: every attempt stays, its issues lose suggestions and hints
first, then messages are shortened, then the last issues of an attempt go.
Source: seed 004, FR-041..FR-045, NFR-004; the contract `handrail/1`, section 8.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pydantic_core import from_json

from handrail.contract.aggregate import aggregate, tame
from handrail.contract.call import Attempt, Escalation, ToolCall
from handrail.contract.issue import Issue, Severity, split_pointer
from handrail.contract.pointer import safe_pointer
from handrail.contract.preview import (
    REDACTED,
    preview,
    redact,
    redact_text,
    shorten,
    word,
    would_redact,
)
from handrail.contract.sheet import Line, safe_line

__all__ = ["HISTORY_BYTES", "blocked_text", "bounded_history", "escalate"]

HISTORY_BYTES = 10_000
"""Memory that the attempts of one call may take (seed 004, NFR-004)."""

_ATTEMPTS_SHOWN = 10
_ISSUES_IN_LINE = 3
_MAX_LINE = 200
_MAX_FIELD = 80
_MAX_ARGUMENTS = 2_000
_READ_AHEAD = 20_000

_LAST_TOKEN = re.compile(r"[^\s\"',:{}\[\]()]{1,500}\Z")
"""What a text ends in. Where the text was cut it may be half a secret, which nothing recognises."""
_MAX_FIELDS = 20
_GOT = re.compile(r", got ([a-z]+)\Z")
_BOUND = re.compile(r"(exceeds|below)\D{0,20}([0-9]+)")


def blocked_text(tool_name: str, attempts_count: int) -> str:
    """What the model reads when the attempts of a call are spent."""
    name = word(tool_name, 64)
    times = "1 attempt" if attempts_count == 1 else f"{attempts_count} attempts"
    return (
        f"Tool '{name}' is blocked: its arguments were not valid after {times}.\n"
        "Stop calling this tool with these arguments. Tell the user what you tried to do and "
        "what is missing, and ask for guidance."
    )


def escalate(
    tool_name: str, call: ToolCall, attempts: Sequence[Attempt], max_attempts: int
) -> Escalation:
    """The record of a call that stopped in front of a human; never raises for any content.

    Args:
        tool_name: Name of the tool.
        call: The first proposal, raw; the record holds it without secrets and bounded.
        attempts: Every judged proposal, in order.
        max_attempts: The attempts budget, for a call that stopped before it was spent.
    """
    read = [(attempt, _lines(attempt)) for attempt in attempts]
    codes = Counter(line.code for _, lines in read for line in lines)
    paths = Counter(line.path for _, lines in read for line in lines)
    return Escalation(
        call=ToolCall(word(call.id, 200), word(call.name, 64), _public(call.arguments)),
        attempts=bounded_history([_told(attempt) for attempt in attempts]),
        by_code=dict(codes.most_common(_MAX_FIELDS)),
        by_field=dict(paths.most_common(_MAX_FIELDS)),
        likely_cause=_likely_cause([lines for _, lines in read], max_attempts),
        text=_human_text(word(tool_name, 64), read),
    )


def _lines(attempt: Attempt) -> list[Line]:
    """The errors of an attempt, safe and in the order in which the model saw them."""
    items = aggregate(attempt.issues, 20).items
    lines = [safe_line(item.issue) for item in items]
    return [line for line in lines if line.severity is Severity.ERROR]


def _human_text(name: str, read: Sequence[tuple[Attempt, list[Line]]]) -> str:
    count = len(read)
    times = "1 attempt" if count == 1 else f"{count} attempts"
    said = [f"Attempt {attempt.number}: {_attempt_words(lines)}" for attempt, lines in read]
    if count > _ATTEMPTS_SHOWN:
        half = _ATTEMPTS_SHOWN // 2
        said = [*said[:half], f"... {count - 2 * half} more attempts", *said[-half:]]
    closing = (
        "The model was unable to provide valid arguments. Please intervene or provide guidance."
    )
    return "\n\n".join(
        [
            f"Tool '{name}' validation failed after {times}.",
            *(["\n".join(said)] if said else []),
            closing,
        ]
    )


def _attempt_words(lines: Sequence[Line]) -> str:
    if not lines:
        return "No valid call"
    said = "; ".join([_words(line) for line in lines[:_ISSUES_IN_LINE]])
    rest = len(lines) - _ISSUES_IN_LINE
    return shorten(said, _MAX_LINE) + (f"; and {rest} more" if rest > 0 else "")


def _words(line: Line) -> str:
    """One issue in a few words: ``Type mismatch on 'path' (got: integer)``."""
    describe = _BY_CODE.get(line.code)
    field = shorten(".".join(split_pointer(line.path)), _MAX_FIELD)
    if describe is None or not field:
        where = f" on '{field}'" if field else ""
        return shorten(line.message or line.code, 120) + where
    return describe(line, field)


def _mismatch(line: Line, field: str) -> str:
    said = _GOT.search(line.message)
    got = said[1] if said else line.actual
    return f"Type mismatch on '{field}'" + (f" (got: {shorten(got, 60)})" if got else "")


def _length(noun: str) -> Callable[[Line, str], str]:
    def words(line: Line, field: str) -> str:
        bound = _BOUND.search(line.message)
        if bound is None:
            return f"{noun} length not allowed for '{field}'"
        how, name = ("long", "max") if bound[1] == "exceeds" else ("short", "min")
        return f"{noun} too {how} for '{field}' ({name}: {bound[2]})"

    return words


def _expecting(text: str) -> Callable[[Line, str], str]:
    def words(line: Line, field: str) -> str:
        expected = f" (expected: {shorten(line.expected, 60)})" if line.expected else ""
        return f"{text} '{field}'{expected}"

    return words


_BY_CODE: Mapping[str, Callable[[Line, str], str]] = {
    "VAL-001": lambda _, field: f"Missing required field '{field}'",
    "VAL-002": _mismatch,
    "VAL-003": _expecting("Value out of range for"),
    "VAL-005": lambda _, field: f"Unknown field '{field}'",
    "VAL-006": _length("Array"),
    "VAL-007": _expecting("Pattern not matched by"),
    "VAL-008": _expecting("Value not allowed for"),
    "VAL-009": _length("String"),
    "VAL-010": _expecting("Invalid format for"),
    "VAL-016": lambda _, field: f"Placeholder instead of a value for '{field}'",
    "VAL-017": lambda _, field: f"Invented id in '{field}'",
    "VAL-018": lambda _, field: f"Unknown id in '{field}'",
}


def _likely_cause(attempts: Sequence[Sequence[Line]], max_attempts: int) -> str:
    """One sentence from what the attempts have in common; the first rule that fits."""
    codes = [{line.code for line in lines} for lines in attempts]
    fields = [{line.path for line in lines if line.path} for lines in attempts]
    if not any(codes):
        return "No attempt was judged, so the cause is not known."
    if _mostly(codes, {"VAL-011"}):
        return "The arguments were cut off: raise max_tokens, or let the tool take less at once."
    if _mostly(codes, {"VAL-004"}):
        return "The model does not send valid JSON: check the provider's tool-call format."
    if _mostly(codes, {"VAL-016", "VAL-017", "VAL-018"}):
        return "The model has no real id or value: let the user or another tool give it first."
    steady = set.intersection(*fields)
    if len(attempts) > 1 and steady:
        worst = shorten(".".join(split_pointer(min(steady))), _MAX_FIELD)
        kinds = {line.code for lines in attempts for line in lines if line.path == min(steady)}
        how = "in the same way " if len(kinds) == 1 else ""
        return (
            f"Field '{worst}' failed {how}in every attempt: its description may be unclear to "
            "the model."
        )
    if _mostly(codes, {"VAL-005"}):
        return "The model sends fields that the tool does not have: its schema may have changed."
    if len(attempts) > 1:
        return "Other fields failed each time: the schema may be too complex for the model."
    budget = f" of {max_attempts}" if max_attempts > 1 else ""
    return f"The call stopped after 1 attempt{budget}: there is too little to tell a cause."


def _mostly(codes: Sequence[set[str]], wanted: set[str]) -> bool:
    return sum(bool(found & wanted) for found in codes) * 2 > len(codes)


def _public(arguments: object) -> str | dict[str, Any] | None:  # Any: JSON values
    """Arguments without secrets; of long ones a preview."""
    if arguments is None:
        return None
    if isinstance(arguments, str):
        return _public_text(arguments)
    clean = redact(arguments)
    try:
        short = len(json.dumps(clean)) <= _MAX_ARGUMENTS
    except Exception:
        short = False
    return clean if short and isinstance(clean, dict) else preview(arguments, limit=_MAX_ARGUMENTS)


def _public_text(text: str) -> str:
    if len(text) <= _READ_AHEAD:
        try:
            text = json.dumps(redact(_read(text)), ensure_ascii=True)
        except Exception:
            text = redact_text(_LAST_TOKEN.sub("", text))
    else:
        text = redact_text(_LAST_TOKEN.sub("", text[:_READ_AHEAD]))
    return shorten(text.encode("utf-8", "backslashreplace").decode(), _MAX_ARGUMENTS)


def _read(text: str) -> Any:  # Any: JSON value
    """The JSON value that a text is or begins with, without the token in which it ends."""
    try:
        return json.JSONDecoder().raw_decode(text.lstrip())[0]
    except ValueError:
        return from_json(text, allow_partial=True)


def _told(attempt: Attempt) -> Attempt:
    """The attempt without the secrets that a field name or an exact edit may hold."""
    return attempt._replace(issues=tuple([_without_secrets(issue) for issue in attempt.issues]))


def _without_secrets(issue: Issue) -> Issue:
    try:
        whole = safe_pointer(issue.path, _READ_AHEAD)
        if whole.count(REDACTED) > issue.path.count(REDACTED):
            return issue.replace(path=safe_pointer(issue.path), suggestion=None)
        edits = issue.suggestion.ops if issue.suggestion else ()
        held = any(would_redact(op.get("value"), issue.path.rpartition("/")[2]) for op in edits)
        return issue.replace(suggestion=None) if held else issue
    except Exception:  # an author's issue may hold anything
        return _slim(tame(issue), _MAX_LINE)


def bounded_history(attempts: Sequence[Attempt], limit: int = HISTORY_BYTES) -> tuple[Attempt, ...]:
    """The attempts in at most `limit` bytes of memory: the same ones, ever more compact."""
    history = tuple(attempts)
    for shrink in _SHRINKS:
        if _size(history) <= limit:
            return history
        history = tuple(at._replace(issues=shrink(at.issues)) for at in history)
    while len(history) > 2 and _size(history) > limit:
        history = (*history[: len(history) // 4 + 1], *history[len(history) // 2 :])
    return history if _size(history) <= limit else history[-1:]


def _size(history: Iterable[Attempt]) -> int:
    """Bytes of memory, texts that issues share counted each time."""
    return sum(
        sys.getsizeof(attempt)
        + sys.getsizeof(attempt.issues)
        + sum(map(_issue_size, attempt.issues))
        for attempt in history
    )


def _issue_size(issue: Issue) -> int:
    texts = (issue.path, issue.message, issue.expected, issue.actual, issue.hint)
    edit = 2 * len(repr(issue.suggestion.ops)) if issue.suggestion else 0
    return (
        sys.getsizeof(issue) + edit + sum(sys.getsizeof(text) for text in texts if text is not None)
    )


def _shrunk(count: int, length: int) -> Callable[[Sequence[Issue]], tuple[Issue, ...]]:
    def shrink(issues: Sequence[Issue]) -> tuple[Issue, ...]:
        return tuple([_slim(item.issue, length) for item in aggregate(issues, count).items])

    return shrink


def _slim(issue: Issue, length: int) -> Issue:
    line = safe_line(issue)
    return Issue(
        line.code,
        line.path,
        shorten(line.message, length),
        line.severity,
        line.slug,
        None if line.expected is None else shorten(line.expected, length),
        None if line.actual is None else shorten(line.actual, length),
    )


_SHRINKS = (_shrunk(20, 400), _shrunk(10, 120), _shrunk(5, 80), _shrunk(2, 60), _shrunk(1, 40))
