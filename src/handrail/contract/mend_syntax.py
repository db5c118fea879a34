"""Level 1: text that is not JSON, and whose only reading as JSON is beyond doubt.

A byte order mark, a code fence, prose around exactly one object, trailing commas, the words of
Python, single quotes. Each is undone by itself, in that order; the outcome has to pass the same
strict parser as everything else, so duplicate keys, NaN and deep nesting stay what they are.

What makes this safe enough for destructive tools is what it refuses. The object runs from the
first brace of the text to the last, so neither an inner object of a broken one nor one of two
can be taken out. Prose that could itself be part of the arguments, correct them or call them an
example (quotes, brackets, digits, «not», «or») is not prose. Strings are never re-cut: the text
is read once from the left, and a string that JSON and Python read differently is left alone.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

from handrail.contract.call import Mend
from handrail.contract.parse import MAX_BYTES, Parsed, parse

__all__ = ["mend_syntax"]

_BOM = "\ufeff"
_MAX_PROSE = 1000
_OPENED = re.compile(
    r"(`{3,}+)(?:json|jsonc|json5|text|python|tool_code)?[ \t]*+\n?", re.IGNORECASE
)
_OPENED_LAST = re.compile(r"(?<!`)(`{3,}+)[a-z0-9_]*+\Z", re.IGNORECASE)
_NO_PROSE = re.compile(r"""[{}\[\]()<>"`=\\\d\u201c-\u201f\u00ab\u00bb]|(?<!\w)'|'(?!\w)""")
_DOUBT = re.compile(
    r"(?<!\w)(?:not|never|no|nor|or|either|unless|if|but|examples?|instance|e\.g\.|i\.e\."
    r"|instead|rather|wrong|avoid|without|except|like|such|previous(?:ly)?|earlier|called|sent"
    r"|tried|failed|invalid|would|could|should|might|may|sorry|actually|wait|correction|old"
    r"|schema|format)(?!\w)|n['\u2019]t(?!\w)",
    re.IGNORECASE,
)
_NAME_BEFORE = re.compile(r"([\w.-]+)\s*+:?\s*+\Z")
_TOKEN = re.compile(
    r"""(?P<double>"[^"\\]*+(?:\\.[^"\\]*+)*+")|(?P<single>'[^'\\]*+(?:\\.[^'\\]*+)*+')"""
    r"""|(?P<word>[A-Za-z_]\w*+)|(?P<number>[-+.\w]++)|(?P<last>,(?=\s*+[}\]]))|(?P<mark>[{}\[\]:,])|(?P<gap>\s++)""",
    re.DOTALL,
)
_WORDS = {"None": "null", "True": "true", "False": "false"}
_NO_VALUE = ("", ",", ":", "{", "[")
_ESCAPES = re.compile(r"\\(.)", re.DOTALL)
_SHARED = frozenset("\\nrtbfu")
"""Escapes that JSON and Python read alike; a quote is handled by itself."""


class _Undone(NamedTuple):
    """A text after one kind of fault was undone."""

    kinds: tuple[str, ...]
    text: str


def mend_syntax(
    arguments: object, names: Collection[str] = ()
) -> tuple[Parsed, tuple[Mend, ...]] | None:
    """Broken arguments as they are provably meant; None if there is no such reading.

    Args:
        arguments: As sent: text, or bytes that are UTF-8; anything else is not mended.
        names: Fields of the tool. Words before an object that end in such a name could be the
            key of a larger object that lost its brace.
    """
    text = _decoded(arguments)
    if text is None or len(text) > MAX_BYTES:
        return None
    mends: list[Mend] = []
    for undo in (_without_bom, _without_fence, _without_prose, _as_json):
        undone = undo(text, names)
        if undone is None:
            continue
        mends += [Mend(kind, "", text, undone.text) for kind in undone.kinds]
        text = undone.text
        parsed = parse(text)
        if parsed.value is not None:
            return (parsed, tuple(mends)) if parsed.kind == "object" else None
        if parsed.kind == "truncated":
            return None
    return None


def _decoded(arguments: object) -> str | None:
    if isinstance(arguments, str):
        return arguments
    if isinstance(arguments, bytes | bytearray | memoryview):
        try:
            return bytes(arguments).decode("utf-8")
        except UnicodeDecodeError:
            return None
    return None


def _without_bom(text: str, names: Collection[str]) -> _Undone | None:
    return _Undone(("bom",), text[1:]) if text.startswith(_BOM) else None


def _without_fence(text: str, names: Collection[str]) -> _Undone | None:
    text = text.strip()
    opened = _OPENED.match(text)
    if opened is None or len(text) < opened.end() + len(opened[1]):
        return None
    body = text[opened.end() : -len(opened[1])]
    fenced = text.endswith(opened[1]) and not body.endswith("`")
    return _Undone(("fence",), body.strip()) if fenced else None


def _without_prose(text: str, names: Collection[str]) -> _Undone | None:
    """Words before and after what starts with the first brace and ends with the last."""
    start, end = text.find("{"), text.rfind("}") + 1
    before, after = text[: max(0, start)].strip(), text[end:].strip()
    if not 0 <= start < end or max(len(before), len(after)) > _MAX_PROSE:
        return None
    kinds: tuple[str, ...] = ("prose",)
    if opened := _OPENED_LAST.search(before):
        if not after.startswith(opened[1]):
            return None
        before, after = before[: opened.start()].strip(), after[len(opened[1]) :].strip()
        kinds = ("prose", "fence")
    if not (before or after) or not _is_prose(before, names) or not _follows(after):
        return None
    return _Undone(kinds, text[start:end])


def _is_prose(text: str, names: Collection[str]) -> bool:
    """Whether words before an object only announce it."""
    if _NO_PROSE.search(text) or _DOUBT.search(text):
        return False
    if ":" in text[:-1] or text[-1:] in (",", ";"):
        return False
    last = _NAME_BEFORE.search(text)
    return last is None or last[1] not in names


def _follows(text: str) -> bool:
    """Whether words after an object are only said after it."""
    if _NO_PROSE.search(text) or _DOUBT.search(text):
        return False
    return ":" not in text and text[:1] not in (",", ";")


def _as_json(text: str, names: Collection[str]) -> _Undone | None:
    """Python's words and quotes and trailing commas as JSON has them, token by token."""
    kinds: dict[str, None] = {}
    parts: list[str] = []
    at, before, slashed = 0, "", False
    while found := _TOKEN.match(text, at):
        at, kind, token = found.end(), found.lastgroup, found.group()
        slashed |= kind == "double" and "\\/" in token
        if kind == "word" and token in _WORDS:
            kinds["python_literal"] = None
            parts.append(_WORDS[token])
        elif kind == "single":
            read = _double_quoted(token)
            if read is None:
                return None
            kinds["quotes"] = None
            parts.append(read)
        elif kind == "last" and before not in _NO_VALUE:
            kinds["trailing_comma"] = None
        else:
            parts.append(token)
        before = before if kind == "gap" else token
    python = "quotes" in kinds or "python_literal" in kinds
    if at < len(text) or not kinds or (python and slashed):
        return None
    return _Undone(tuple(kinds), "".join(parts))


def _double_quoted(token: str) -> str | None:
    """A string in single quotes as JSON has it; None where Python and JSON would not agree."""
    body = token[1:-1]
    for escape in _ESCAPES.finditer(body):
        if escape[1] not in _SHARED and escape[1] not in "'\"":
            return None
    inner = re.sub(r"""\\(.)|(")""", _requoted, body, flags=re.DOTALL)
    return f'"{inner}"'


def _requoted(found: re.Match[str]) -> str:
    if found[2]:
        return '\\"'
    return "'" if found[1] == "'" else found.group()
