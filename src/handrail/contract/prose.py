"""Feedback as prose lines with dotted paths, as seed 000 words them.

Two sources, one vocabulary: `format_pydantic_for_llm` reads a pydantic error itself, `prose`
writes the lines from issues. A full pydantic type wins over a prefix of it: `string_too_short`
is a message about length, never «expected string, got str».
Source: seed 000, «How feedback is formatted»; the contract `handrail/1`, section 4.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import ValidationError

from handrail.contract.forms import listing
from handrail.contract.issue import split_pointer
from handrail.contract.layout import (
    Draft,
    Level,
    call_to_action,
    guidance,
    message,
    more,
    opening,
    places,
)
from handrail.contract.preview import is_secret_field, preview, shorten, word
from handrail.contract.sheet import Line

__all__ = ["format_pydantic_for_llm", "prose"]

_HEADER = "The arguments of the tool call are not valid:"
_CLOSING = "Please correct these fields and call the same tool again."
_LIMIT = 2000
_MAX_LINES = 10
_MAX_PATH = 256
_MAX_MESSAGE = 300

_DATETIME = "expected ISO datetime (e.g. '2026-05-03T00:00:00')"
_MISSING = "required field is missing — provide a value"
_UNKNOWN = "unknown field — remove it"

_LINES = {
    "missing": _MISSING,
    "missing_argument": _MISSING,
    "missing_keyword_only_argument": _MISSING,
    "missing_positional_only_argument": _MISSING,
    "extra_forbidden": _UNKNOWN,
    "unexpected_keyword_argument": _UNKNOWN,
    "string_type": "expected string, got {type}",
    "string_sub_type": "expected string, got {type}",
    "int_type": "expected integer, got {input}",
    "int_parsing": "expected integer, got {input}",
    "int_parsing_size": "expected integer, got {input}",
    "int_from_float": "expected integer, got {input}",
    "datetime_type": f"{_DATETIME}, got {{input}}",
    "datetime_parsing": f"{_DATETIME}, got {{input}}",
    "datetime_from_date_parsing": f"{_DATETIME}, got {{input}}",
    "datetime_object_invalid": f"{_DATETIME}, got {{input}}",
    "list_type": "expected list/array, got {type}",
}
_OWN_MESSAGE = frozenset(
    {
        "string_too_short",
        "string_too_long",
        "string_pattern_mismatch",
        "string_unicode",
        "string_not_ascii",
        "datetime_past",
        "datetime_future",
    }
)
_PREFIXES = {
    "string_": _LINES["string_type"],
    "int_": _LINES["int_type"],
    "datetime_": _LINES["datetime_type"],
}
_PYTHON_NAMES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list",
    "object": "dict",
}
_GOT = re.compile(r", got (string|integer|number|boolean|array|object|null)\Z")


def format_pydantic_for_llm(error: ValidationError) -> str:
    """A pydantic error as prose for a model: header, one line an error, retry instruction.

    At most ten lines and under 2,000 characters, the rest is counted; input values are
    previews without secrets. Never raises.
    """
    try:
        found = error.errors(include_url=False)
    except Exception:
        return f"{_HEADER}\n{_CLOSING}"
    lines = list(dict.fromkeys(_error_line(each) for each in found[: 5 * _MAX_LINES]))
    unread = max(len(found) - 5 * _MAX_LINES, 0)
    shown = lines[:_MAX_LINES]
    while True:
        hidden = more(len(lines) - len(shown) + unread)
        text = "\n".join([_HEADER, *shown, *hidden, _CLOSING])
        if len(text) < _LIMIT or not shown:
            return text
        shown.pop()


def _error_line(error: Mapping[str, Any]) -> str:  # Any: pydantic's ErrorDetails
    try:
        names = error["loc"]
        return f"- '{_dotted(names)}': {_error_words(error, _secret_or_last(names))}"
    except Exception:
        return "- (root): invalid value"


def _error_words(error: Mapping[str, Any], field: str | None) -> str:
    # Any: pydantic's ErrorDetails
    kind = str(error["type"])
    template = _LINES.get(kind)
    if template is None and kind not in _OWN_MESSAGE:
        template = next((line for at, line in _PREFIXES.items() if kind.startswith(at)), None)
    if template is None:
        return word(error["msg"], _MAX_MESSAGE)
    value = error.get("input")
    got = _quoted(preview(value, field=field)) if "{input}" in template else ""
    return template.format(type=_type_name(value), input=got)


def _type_name(value: object) -> str:
    return "null" if value is None else word(type(value).__name__, 40)


def _quoted(text: str) -> str:
    """A preview of a string in single quotes, as the seed's lines have it."""
    end = text.rfind('"')
    if text.startswith('"') and end > 0:
        return f"'{text[1:end]}'{text[end + 1 :]}"
    return text


def _secret_or_last(names: Iterable[object]) -> str | None:
    """The name that decides whether a value is hidden: a secret one on the way, or the last."""
    known = [name for name in names if isinstance(name, str)]
    return next((name for name in known if is_secret_field(name)), known[-1] if known else None)


def _dotted(names: Iterable[object]) -> str:
    parts = [name if isinstance(name, str) else str(name) for name in names]
    return shorten(".".join([word(part, _MAX_PATH) for part in parts]), _MAX_PATH) or "(root)"


def prose(draft: Draft) -> str:
    """The form `prose`: seed 000's lines, between the summary and a retry instruction."""
    if draft.level == Level.PATHS:
        return listing(draft, "- ", _place)
    parts = [
        *opening(draft),
        *[f"- {_place(line)}: {_issue_words(line, draft.level)}" for line in draft.errors],
        *(["Warnings:"] if draft.warnings else []),
        *[f"- {_place(line)}: {message(line, draft.level)}" for line in draft.warnings],
        *more(draft.hidden),
        *guidance(draft),
        call_to_action(draft),
    ]
    return "\n".join(parts)


def _place(line: Line) -> str:
    """The dotted path in quotes; a name with dots in it is not told apart."""
    return f"'{'.'.join(split_pointer(line.path)) or '(root)'}'"


def _issue_words(line: Line, level: Level) -> str:
    return (_by_code(line) or message(line, level)) + places(line, level)


def _by_code(line: Line) -> str | None:
    """The seed's words for the codes that it has words for."""
    if line.own:
        return None
    expected = line.expected or ""
    match line.code:
        case "VAL-001":
            return _MISSING
        case "VAL-005":
            return _UNKNOWN
        case "VAL-010" if expected.startswith("ISO 8601 date-time"):
            return f"{_DATETIME}, got {_quoted(line.actual or 'another value')}"
        case "VAL-002" if expected:
            return _type_words(line, expected)
    return None


def _type_words(line: Line, expected: str) -> str:
    said = _GOT.search(line.message)
    got = _PYTHON_NAMES.get(said[1], said[1]) if said else line.actual or "another type"
    if expected.startswith("ISO 8601 date-time"):
        return f"{_DATETIME}, got {_quoted(line.actual) if line.actual else got}"
    if expected.startswith("string"):
        return f"expected string, got {got}"
    if expected.startswith("integer"):
        return f"expected integer, got {_quoted(line.actual) if line.actual else got}"
    if expected.startswith("array"):
        return f"expected list/array, got {got}"
    return f"expected {expected}, got {got}"
