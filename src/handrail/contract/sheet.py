"""Everything that a feedback message may say, made safe once, before any form lays it out.

Here is the one door for texts that others wrote: tool names, paths, messages, expectations,
previews, hints, `format_issue` results. Behind it every text is a bounded single line without
secrets, so the forms only arrange. A value under a secret field name is hidden even where the
issue's maker forgot to, and an issue whose fields have wrong types is tamed first.
Source: seed 004, FR-018..FR-024, FR-051, NFR-005, NFR-006, NFR-010..NFR-012.
"""

import json
import re
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from handrail.contract.aggregate import Aggregate, Item, aggregate, tame
from handrail.contract.issue import CODES, Issue, Severity
from handrail.contract.late import late
from handrail.contract.parameters import Parameter, failing_fields
from handrail.contract.patch import apply, in_order
from handrail.contract.pointer import MAX_POINTER, safe_pointer, safe_word, word_around
from handrail.contract.preview import REDACTED, is_secret_field, redact_text, shorten, would_redact

__all__ = ["Line", "Named", "Sheet", "dumps", "safe_line", "sheet_of", "tightened"]

_MAX_NAME = 64
_MAX_MESSAGE = 400
_MAX_EXPECTED = 300
_MAX_ACTUAL = 1_100
_MAX_HINT = 240
_MAX_INTENT = 160
_MAX_CALL = 400
_MAX_OPS = 40
_REMEMBERED = 500
"""Characters of message and hint up to which a line is remembered."""

_TIGHT_NAME = 16
_TIGHT_PATH = 32
_TEXT_OR_NONE: frozenset[type] = frozenset({str, type(None)})
_LENGTH_NOTE = re.compile(r" \([0-9]+ (?:characters|items|fields)\)\Z")
_INVISIBLE = late(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2022\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)

Op = Mapping[str, Any]  # Any: a JSON Patch operation carries JSON values


class Named(Protocol):
    """A tool as the renderer sees it; the other attributes are read where they exist.

    ``when_to_use: str`` gives the intent, ``schema: Mapping`` the valid fields, and
    ``format_issue(issue) -> str | None`` the author's own words for an issue.
    """

    @property
    def name(self) -> str:
        """Name of the tool."""


class Line(NamedTuple):
    """One shown item; every text is safe for one line.

    Attributes:
        code: Code of the issue.
        slug: The code in words.
        path: RFC 6901 pointer, at most 256 characters; ``*`` for positions of a group.
        message: What is wrong, or the author's own words for it.
        severity: An error blocks the call.
        expected: What the contract asks for.
        actual: Preview of what was sent.
        hint: What to change.
        times: How many places this stands for; 1 for a single issue.
        places: The first places of a group.
        ops: The exact edit, where it is known and holds no secret.
        own: Whether the message is the tool author's.
    """

    code: str
    slug: str
    path: str
    message: str
    severity: Severity
    expected: str | None
    actual: str | None
    hint: str | None
    times: int = 1
    places: tuple[str, ...] = ()
    ops: tuple[Op, ...] = ()
    own: bool = False

    @property
    def shown(self) -> str:
        """The path for people and models: the empty pointer is ``(root)``."""
        return self.path or "(root)"


class Sheet(NamedTuple):
    """What a message is made of.

    Attributes:
        tool: Name of the tool.
        attempt: Number of the attempt that failed, from 1.
        max_attempts: The attempts budget of the call.
        failed: False when there are warnings only and the call was accepted.
        spent: Whether a budget, not the arguments, is what is wrong.
        repeated: Whether the same arguments came back unchanged.
        error_class: The verdict's word; None when accepted.
        lines: Shown items, errors first.
        hidden: How many more unique items there are.
        intent: When to use the tool; ``""`` if unknown.
        fields: Fields of the failing objects.
        ready: JSON of the corrected arguments, where they are fully determined.
    """

    tool: str
    attempt: int
    max_attempts: int
    failed: bool
    spent: bool
    repeated: bool
    error_class: str | None
    lines: tuple[Line, ...]
    hidden: int
    intent: str
    fields: tuple[Parameter, ...]
    ready: str | None

    @property
    def refused(self) -> bool:
        """Whether this call may not come back at all; a new one may be made."""
        return self.error_class == "refused"

    @property
    def final(self) -> bool:
        """Whether no attempt is left."""
        return self.attempt >= self.max_attempts and self.failed and not self.refused


def sheet_of(
    source: object,
    tool: object,
    *,
    attempt: int,
    max_attempts: int,
    max_issues: int,
    max_preview: int,
    repeated: bool,
    guide: bool,
) -> Sheet:
    """Collects and sanitises; `guide` asks for intent and fields."""
    given = getattr(source, "given", None)
    found = getattr(source, "aggregated", None)
    if type(found) is not Aggregate:
        found = aggregate(_issues(source), max_issues, given=given)
    found = found.first(max_issues)
    formatter = getattr(tool, "format_issue", None)
    lines = tuple(_line(item, formatter, max_preview) for item in found.items)
    errors = [line for line in lines if line.severity is Severity.ERROR]
    said = getattr(source, "error_class", None)
    failed = bool(errors) or bool(said)
    error_class = (safe_word(said, _MAX_NAME) if said else "invalid_arguments") if failed else None
    name = tool if isinstance(tool, str) else getattr(tool, "name", "")
    schema = getattr(tool, "schema", None) if guide else None
    paths = [item.issue.path for item in found.items if item.issue.severity is Severity.ERROR]
    return Sheet(
        safe_word(name, _MAX_NAME),
        attempt,
        max_attempts,
        failed,
        error_class == "budget_spent" or bool(lines and lines[0].code.startswith("BUD-")),
        repeated,
        error_class,
        lines,
        found.hidden,
        safe_word(getattr(tool, "when_to_use", None) or "", _MAX_INTENT) if guide else "",
        tuple(failing_fields(schema, paths)) if schema is not None else (),
        None if found.hidden else _corrected(given, errors),
    )


def tightened(sheet: Sheet) -> Sheet:
    """The sheet with names and paths cut to what fits into the smallest message."""
    lines = [
        line._replace(path=safe_pointer(line.path, _TIGHT_PATH), places=(), ops=())
        for line in sheet.lines
    ]
    return sheet._replace(tool=shorten(sheet.tool, _TIGHT_NAME), lines=tuple(lines))


def _issues(source: object) -> Iterable[Issue]:
    issues = getattr(source, "issues", source)
    return issues if isinstance(issues, Iterable) else ()


def safe_line(issue: Issue, max_preview: int = 100) -> Line:
    """An issue with every text bounded, single-line and free of secrets."""
    if not _is_whole(issue):
        issue = tame(issue)
    path = issue.path
    message, actual, hint = issue.message, issue.actual, issue.hint
    secret = "/" in path and _has_secret_name(path)
    if not secret and issue.suggestion is None and len(message) + len(hint or "") < _REMEMBERED:
        known = _known_line(
            issue.code, issue.slug, path, message, issue.severity, issue.expected, hint
        )
        if not actual:
            return known
        shown = _shortened_preview(safe_word(actual, _MAX_ACTUAL), max_preview)
        return Line(*known[:6], shown, known[7])
    if secret:
        bare = actual.strip('"') if actual else ""
        message = message.replace(bare, REDACTED) if len(bare) > 2 else message
        actual = REDACTED if actual else None
        hint = None if hint and hint.startswith("Set ") else hint
    line = _safe(issue.replace(message=message, hint=hint), (path, *_edited_paths(issue)))
    return line._replace(actual=_shortened_preview(_optional(actual, _MAX_ACTUAL), max_preview))


def _safe(issue: Issue, known: Sequence[str]) -> Line:
    """The line of an issue, without what was sent; `known` pointers stay what they are."""
    code, hint = issue.code, issue.hint
    return Line(
        code if code in CODES else safe_word(code, 20),
        issue.slug or "" if code in CODES else safe_word(issue.slug, 40),
        safe_pointer(issue.path),
        word_around(issue.message, _MAX_MESSAGE, known),
        issue.severity,
        _optional(issue.expected, _MAX_EXPECTED),
        None,
        word_around(hint, _MAX_HINT, known) if hint else None,
    )


@lru_cache(maxsize=1024)
def _known_line(
    code: str,
    slug: str | None,
    path: str,
    message: str,
    severity: Severity,
    expected: str | None,
    hint: str | None,
) -> Line:
    """The line of an issue without what was sent: a contract's words come back again and again."""
    return _safe(Issue(code, path, message, severity, slug, expected, None, hint), (path,))


def _is_whole(issue: object) -> bool:
    """Whether every field has its type: an author's check may return anything."""
    return (
        isinstance(issue, Issue)
        and type(issue.severity) is Severity
        and type(issue.path) is type(issue.code) is type(issue.message) is str
        and type(issue.expected) in _TEXT_OR_NONE
        and type(issue.actual) in _TEXT_OR_NONE
        and type(issue.hint) in _TEXT_OR_NONE
        and type(issue.slug) in _TEXT_OR_NONE
    )


def _edited_paths(issue: Issue) -> list[str]:
    """The pointers that a suggestion names: a hint may name them too."""
    if issue.suggestion is None:
        return []
    try:
        ops = issue.suggestion.ops
        return [str(op[key]) for op in ops for key in ("path", "from") if key in op]
    except Exception:
        return []


def _line(item: Item, formatter: object, max_preview: int) -> Line:
    line = safe_line(item.issue, max_preview)
    if formatter is None and item.issue.suggestion is None and not item.places:
        return line
    if callable(formatter):
        own = _own_words(formatter, item.issue)
        line = line._replace(message=own, own=True) if own else line
    members = item.members or (item.issue,)
    ops = [_safe_ops(member) for member in members if member.suggestion is not None]
    if len(ops) == len(members) and all(ops):
        line = line._replace(ops=tuple(op for each in ops for op in each)[:_MAX_OPS])
    if item.places:
        places = tuple(safe_pointer(place) for place in item.places[:2])
        line = line._replace(times=len(item.places), places=places)
    return line


def _own_words(formatter: Callable[[Issue], object], issue: Issue) -> str | None:
    """What the tool's author says about an issue; None if that cannot be had."""
    try:
        said = formatter(issue)
        if isinstance(said, Coroutine):
            said.close()
        return safe_word(said, _MAX_MESSAGE) if isinstance(said, str) and said.strip() else None
    except Exception:
        return None


@lru_cache(maxsize=2048)
def _has_secret_name(path: str) -> bool:
    return any(is_secret_field(part) for part in path.split("/")[1:] if part)


def _optional(text: object, limit: int) -> str | None:
    return None if text is None or text == "" else safe_word(text, limit)


def _shortened_preview(text: str | None, limit: int) -> str | None:
    """A preview cut to `limit` characters, its note about the original length kept."""
    if text is None or len(text) <= limit:
        return text
    note = _LENGTH_NOTE.search(text)
    body = text[: note.start()] if note else text
    if len(body) > limit + 2:
        body = shorten(body, limit - 1) + '"' if body.startswith('"') else shorten(body, limit)
    return body + (note[0] if note else "")


def _safe_ops(issue: Issue) -> tuple[Op, ...]:
    """The operations of a suggestion, or none at all if one of them must not be shown."""
    try:
        ops = tuple(dict(op) for op in issue.suggestion.ops) if issue.suggestion else ()
        for op in ops:
            path = str(op["path"])
            field = path.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
            hidden = _has_secret_name(path) or would_redact(op.get("value"), field)
            if hidden or len(dumps(op)) > _MAX_CALL + MAX_POINTER or redact_text(field) != field:
                return ()
        return ops
    except Exception:
        return ()


def _corrected(given: object, errors: Sequence[Line]) -> str | None:
    """The arguments with every edit done, as JSON; None unless all is known, short and public."""
    if not errors or not errors[0].ops or not isinstance(given, Mapping):
        return None
    if not all(line.ops for line in errors):
        return None
    try:
        ops = in_order(op for line in errors for op in line.ops)
        value = apply(ops, dict(given))
        text = dumps(value)
        usable = isinstance(value, dict) and len(text) <= _MAX_CALL and not would_redact(value)
        return text if usable else None
    except Exception:
        return None


def dumps(value: object, separators: tuple[str, str] = (", ", ": ")) -> str:
    """JSON on one line in which no character is invisible, and none is lost.

    Raises:
        ValueError: The value is not JSON.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=separators)
    if text.isascii() and "\x7f" not in text:
        return text
    return _INVISIBLE.sub(lambda match: json.dumps(match[0])[1:-1], text)
