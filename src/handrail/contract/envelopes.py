"""Failures and questions that a result states by its own structure.

Known by keys and their types, and never by words in a text: a result that speaks of errors is a
result. Source: seed 003; the page of results, section 1; RFC 9457 for problem details.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from handrail.contract.failures import BUSY, code_of_status
from handrail.contract.late import late
from handrail.contract.preview import preview, word

__all__ = [
    "SAID",
    "TELLING",
    "Stated",
    "failed_by",
    "is_page",
    "page_said",
    "question_in",
    "said_in",
    "stated_failure",
]

SAID = 500
"""Characters of a tool's own words that a model reads."""

TELLING = frozenset(
    {"error", "errors", "success", "returncode", "exit_code", "isError", "is_error"}
    | {"status_code", "status", "need_user_input", "ambiguous", "type"}
)
"""Keys without which no object states a failure or a question."""

_BESIDE = frozenset(
    {"error", "errors", "success", "ok", "status", "status_code", "code", "isError", "is_error"}
    | {"message", "detail", "title", "type", "instance", "valid", "returncode", "exit_code"}
    | {"stdout", "stderr", "headers", "error_description"}
)
"""Keys that say nothing beside the message itself."""

_ANSWERED = frozenset(
    {"headers", "body", "text", "reason", "message", "detail", "error", "errors", "title"}
)
"""Fields that make an object with a ``status_code`` the answer of a server."""

_ASKS = "need_user_input"
_PAGE = re.compile(r"(?:<\?xml[^>]{0,200}\?>\s{0,20})?<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_TITLE = late(r"<(title|h1)\b[^>]{0,200}>([^<]{1,500})</\1", re.IGNORECASE)
_STATUS_LINE = late(r"\s{0,20}(?:HTTP\s+|Error\s+)?([45]\d\d)\b", re.IGNORECASE)
_SLUG = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,62}\Z")


class Stated(NamedTuple):
    """A failure that a result states itself.

    Attributes:
        code: Code of the result.
        row: Row of the table of results.
        said: The tool's own words, safe for one line; empty where it has none.
    """

    code: str
    row: str
    said: str = ""


def stated_failure(value: Mapping[str, Any]) -> Stated | None:  # Any: JSON values
    """The failure that an object states, if it states one."""
    row = code_of_status(value.get("status_code"))
    if row != "retry_after" and _ANSWERED.isdisjoint(value):
        row = None  # a look at a site is data; an answer has more in it
    if row is None and type(value.get("status")) is int and value["status"] in BUSY:
        row = "retry_after"
    problem = _problem(value)
    if problem is not None:
        return problem
    if row is not None:
        return Stated(row, row, said_in(value))
    if _is_error(value.get("error")) or value.get("success") is False:
        row = code_of_status(value.get("status")) or "internal"
        row = "reported_error" if row == "internal" else row
        return Stated(row, row, said_in(value))
    if value.get("isError") is True or value.get("is_error") is True:
        return Stated("reported_error", "reported_error", said_in(value))
    for name in ("returncode", "exit_code"):
        code = value.get(name)
        if isinstance(code, int) and not isinstance(code, bool) and code != 0:
            return Stated("reported_error", "reported_error", _of_command(value, name))
    errors = value.get("errors")
    if isinstance(errors, list) and errors and not value.get("data") and _only_errors(value):
        return Stated("reported_error", "reported_error", said_in(value))
    return None


def _is_error(stated: Any) -> bool:  # Any: JSON value
    """Whether what stands under ``error`` says that there is one: a number may be a figure."""
    if isinstance(stated, str):
        return bool(stated.strip())
    return stated is True or (isinstance(stated, Mapping | list) and bool(stated))


def _only_errors(value: Mapping[str, Any]) -> bool:  # Any: JSON values
    """Whether an object is about its errors (GraphQL), and not a report that lists some."""
    return value.keys() <= {"errors", "data", "extensions", "message", "status", "code"}


def _problem(value: Mapping[str, Any]) -> Stated | None:  # Any: JSON values
    """Problem details: a title or a type that is a URI, beside a status that is an HTTP error."""
    status, kind = value.get("status"), value.get("type")
    error = code_of_status(status)
    if error is None or not isinstance(value.get("title", value.get("detail")), str):
        return None
    if kind is not None and not isinstance(kind, str):
        return None
    said = said_in(value)
    if error == "retry_after":
        return Stated(error, error, said)
    last = re.split(r"[/:#]", str(kind or "").rstrip("/"))[-1]
    if kind in (None, "about:blank") or not _SLUG.match(last):
        return Stated(error if error != "internal" else "problem", _row(error), said)
    return Stated(last, "problem", said)


def _row(error: str) -> str:
    return "problem" if error == "internal" else error


def failed_by(value: Any, stated: Mapping[str, Any]) -> str | None:  # Any: JSON values
    """Name of the top-level field whose value the contract calls a failure."""
    if not isinstance(value, Mapping):
        return None
    for name, wanted in stated.items():
        if name in value:
            given = value[name]
            options = wanted if isinstance(wanted, list | tuple | set | frozenset) else (wanted,)
            if any(type(given) is type(one) and given == one for one in options):
                return name
    return None


def said_in(value: Any) -> str:  # Any: JSON value
    """The words of an error payload, safe for one line, with what it says beside them."""
    if isinstance(value, str):
        return word(value.strip(), SAID)
    if not isinstance(value, Mapping):
        return preview(value, limit=SAID) if value not in (None, [], {}) else ""
    parts = list(dict.fromkeys(filter(None, _words(value, 3))))
    rest = {name: item for name, item in value.items() if name not in _BESIDE and item is not None}
    text = word(": ".join(parts), SAID) if parts else ""
    if rest and len(text) < SAID - 40:
        beside = preview(rest, limit=SAID - len(text) - 2)
        text = f"{text} {beside}" if text else beside
    return text


def _words(value: Any, depth: int) -> list[str]:  # Any: JSON value
    if isinstance(value, str):
        return [value.strip()]
    if isinstance(value, list) and depth:
        return [part for item in value[:5] for part in _words(item, depth - 1)]
    if not isinstance(value, Mapping) or not depth:
        return []
    found: list[str] = []
    for name in ("title", "error", "errors", "code", "message", "detail", "error_description"):
        item = value.get(name)
        if name == "code" and not (isinstance(item, str) and depth < 3):
            continue
        found += _words(item, depth - 1)
    return found


def _of_command(value: Mapping[str, Any], name: str) -> str:  # Any: JSON values
    """How a command ended: its number, and the end of what it wrote to stderr."""
    text = f"{name} {value[name]}"
    for stream in ("stderr", "stdout"):
        written = value.get(stream)
        if isinstance(written, str) and written.strip():
            return f"{text}: {word(written.strip()[-SAID:], SAID)}"
    return text


# ---- pages


def is_page(text: str) -> bool:
    """Whether a text is an HTML document."""
    return _PAGE.match(text.lstrip("\ufeff \t\r\n")[:400]) is not None


def page_said(text: str, *, failing: bool = False) -> str | None:
    """Title or first heading of an HTML page, safe for one line; empty where it has none.

    Args:
        text: The page.
        failing: None unless it begins with an HTTP error, as those of servers and proxies do.
    """
    found = [match[2] for match in _TITLE.finditer(text[:20_000])]
    if failing and not any(_STATUS_LINE.match(one) for one in found):
        return None
    return word(" ".join(found[0].split()), SAID) if found else ""


# ---- questions


def question_in(value: Mapping[str, Any]) -> str | None:  # Any: JSON values
    """The question of a ``need_user_input`` envelope or an ambiguity; empty where it asks none."""
    asked = value.get(_ASKS)
    inner: Any = asked if isinstance(asked, Mapping) else value  # Any: JSON values
    asks = isinstance(asked, bool | str | Mapping | list) and bool(asked)
    marked = asks or _says(value, _ASKS, "status", "type", "error")
    if not marked:
        candidates = value.get("candidates", value.get("options"))
        several = isinstance(candidates, Sequence) and len(candidates) > 1
        doubt = value.get("ambiguous") is True or _says(value, "ambiguous", "status", "type")
        if not (doubt and several):
            return None
    for name in ("question", "prompt", "message"):
        text = inner.get(name)
        if isinstance(text, str) and text.strip():
            return word(text.strip(), SAID)
    return word(asked.strip(), SAID) if isinstance(asked, str) else ""


def _says(value: Mapping[str, Any], said: str, *names: str) -> bool:  # Any: JSON values
    """Whether one of these fields is exactly this text."""
    return any(isinstance(item := value.get(name), str) and item == said for name in names)
