"""Values, names and author texts made safe for one line of a text that the model reads.

Always in this order: redact (`handrail.contract.redact`), escape what could forge or hide
something, shorten. `preview` writes a value like JSON, `word` a bare text.

Escapes do not follow the Unicode version of the interpreter: the same text gives the same bytes.
Emoji keep their joiners and presentation selectors; tag characters, which can carry hidden text,
are always escaped, so the flags of England, Scotland and Wales show as such.

Source: seed 004, FR-051..FR-055 and NFR-005..NFR-012; the contract `handrail/1`, section 4.
"""

import re
from collections.abc import Mapping, Sequence, Set
from enum import Enum
from functools import cache
from itertools import islice

from handrail.contract.graphemes import boundary, is_pictograph
from handrail.contract.late import late
from handrail.contract.redact import (
    REDACTED,
    UNREADABLE,
    is_harmless,
    is_secret_field,
    redact_text,
    visible_part,
)

__all__ = [
    "REDACTED",
    "UNREADABLE",
    "is_secret_field",
    "neutralise",
    "preview",
    "redact",
    "redact_text",
    "shorten",
    "word",
    "would_redact",
]

Scalar = str | int | float | bool | None
MAX_DEPTH = 3
"""Levels of arrays and objects that a preview shows (FR-054)."""

COPY_DEPTH = 100
"""Levels that `redact` copies; arguments deeper than 64 never parse."""

_SMALL, _SHORT_NUMBER = 10**9, 10
"""Integers below this, and the room that they need."""

_LONG_INTEGER = 2048
"""Bits: longer integers are not converted, since that is slow and Python limits it."""

_UNSAFE = late(
    "[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2022\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\u2022": "\u00b7"}


def neutralise(text: str) -> str:
    r"""The text on one line, with nothing hidden in it; always encodes to UTF-8.

    Control, bidirectional, zero-width and separator characters and lone surrogates become visible
    escapes (``\n``, ``\u202e``), our own bullet becomes a middle dot. Backslashes stay as they are.
    """
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_visible, text)


def _visible(match: re.Match[str]) -> str:
    char, text, at = match[0], match.string, match.start()
    if char in "\u200d\ufe0e\ufe0f" and at:
        before = text[at - 1]
        after = text[at + 1 : at + 2]
        if char != "\u200d" and (is_pictograph(before) or before in "0123456789#*\u00a9\u00ae"):
            return char
        base = text[at - 2] if before == "\ufe0f" else before
        if char == "\u200d" and is_pictograph(after) and is_pictograph(base):
            return char
    return _escape_of(char)


def _escape_of(char: str) -> str:
    known = _SHORT_ESCAPES.get(char)
    if known is not None:
        return known
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, cut between grapheme clusters, with ``...`` where it was cut."""
    if len(text) <= limit:
        return text
    room = limit - 3
    if room <= 0:
        return "..."[: max(limit, 0)]
    return text[: boundary(text, room)] + "..."


def word(text: object, limit: int = 100) -> str:
    """A name, enum member, pattern or author text made safe for one line; never raises.

    Other scalars are written as in JSON (``null``, ``true``), containers as a `preview`, objects
    by their own ``str()``. At most `limit` characters.
    """
    try:
        if type(text) is not str:
            if isinstance(text, (Mapping, list, tuple, Set)):
                return shorten(_render(text, max(limit, 0), 0)[0], limit)
            text = _own_text(text)
        if len(text) <= limit and is_harmless(text):
            return text
        clean, cut = visible_part(text, limit)
        if not cut:
            safe = neutralise(clean)
            if len(safe) <= limit:
                return safe
        if limit <= 3:
            return "..."[: max(limit, 0)]
        return neutralise(_fitting(clean, limit - 3, quoted=False)) + "..."
    except Exception:
        return shorten(UNREADABLE, limit)


def _own_text(value: object) -> str:
    simple = _plain(value)
    if simple is None or isinstance(simple, (bool, int, float)):
        return _number(simple)
    kind = type(value)
    silent = kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__
    if simple != f"<{kind.__name__}>" or silent:
        return simple
    return str.__str__(str(value))


_WHOLE, _CUT_INSIDE, _CUT = 0, 1, 2
"""How complete a rendered value is: all of it, a part inside shortened, itself shortened."""


def preview(value: object, *, limit: int = 100, field: str | None = None) -> str:
    """A JSON value as the model may see it, on one line; never raises.

    Args:
        value: Anything. What is not JSON appears as its type, ``"<Order>"``.
        limit: Characters of content; the note behind a shortened value comes on top:
            ``"Lorem ipsum..." (1500000 characters)``, ``[1, ..., 9] (47 items)``.
        field: The name that the value stands under; a secret one hides the value.

    Returns:
        The preview, or ``[unreadable]`` if the value cannot be read.
    """
    try:
        if value is not None and field is not None and is_secret_field(field):
            return shorten(f'"{REDACTED}"', limit)
        if type(value) is str and len(value) + 2 <= limit and is_harmless(value):
            return f'"{value}"'
        if type(value) is int and limit >= _SHORT_NUMBER and -_SMALL < value < _SMALL:
            return str(value)
        text, state = _render(value, max(limit, 0), 0)
        return shorten(text, limit) + (_note(value) if state == _CUT else "")
    except Exception:
        return shorten(UNREADABLE, limit)


def _note(value: object) -> str:
    """How much there was."""
    if isinstance(value, Mapping):
        return f" ({len(value)} field{'s' if len(value) > 1 else ''})"
    if isinstance(value, (list, tuple, Set)):
        return f" ({len(value)} items)"
    simple = _plain(value)
    if isinstance(simple, str):
        return f" ({len(simple)} characters)"
    if isinstance(simple, bool) or not isinstance(simple, int):
        return ""
    if simple.bit_length() < _LONG_INTEGER:
        return f" ({len(str(abs(simple)))} digits)"
    return f" (about {int(simple.bit_length() * 0.30103) + 1} digits)"


def _render(value: object, room: int, depth: int) -> tuple[str, int]:
    """The value in at most `room` characters (5 at least), and how complete that is."""
    simple: Scalar
    if type(value) is str or type(value) is int or value is None:
        simple = value
    elif isinstance(value, Mapping):
        return _object(value, room, depth)
    elif isinstance(value, (list, tuple)):
        return _array(value, room, depth)
    elif isinstance(value, Set):
        return _set(value, room, depth)
    else:
        simple = _plain(value)
    if isinstance(simple, str):
        return _string(simple, room)
    text = _number(simple)
    return (shorten(text, room), _CUT) if len(text) > room or text[-1] == "." else (text, _WHOLE)


def _number(value: float | bool | None) -> str:
    """A JSON scalar; integers of more digits than Python converts are only named."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else "true" if value else "false"
    if isinstance(value, int):
        return repr(value) if value.bit_length() < _LONG_INTEGER else "integer..."
    if value != value:
        return "NaN"
    if value in {float("inf"), float("-inf")}:
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)


def _string(text: str, room: int) -> tuple[str, int]:
    if len(text) + 2 <= room and is_harmless(text):
        return f'"{text}"', _WHOLE
    clean, cut = visible_part(text, room)
    if not cut and len(clean) + 2 <= room:
        safe = _quotable(clean)
        if len(safe) + 2 <= room:
            return f'"{safe}"', _WHOLE
    if room < 5:
        return "..."[:room], _CUT
    return f'"{_quotable(_fitting(clean, room - 5, quoted=True))}..."', _CUT


def _quotable(text: str) -> str:
    r"""Text inside quotes: ``"`` and ``\`` are escaped too, so that no value ends its quote."""
    if '"' in text or "\\" in text:
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    return neutralise(text)


def _fitting(text: str, room: int, *, quoted: bool) -> str:
    """The longest beginning, of whole clusters, that takes at most `room` characters escaped."""
    used = at = 0
    for char in islice(text, room):
        if quoted and char in '"\\':
            used += 2
        elif _UNSAFE.match(char):
            used += len(_escape_of(char))
        else:
            used += 1
        if used > room:
            break
        at += 1
    return text[: boundary(text, at)]


def _array(items: Sequence[object], room: int, depth: int) -> tuple[str, int]:
    """All items if they fit, else the first and the last (FR-053)."""
    count = len(items)
    if not count:
        return "[]", _WHOLE
    if depth >= MAX_DEPTH:
        return "[...]", _WHOLE
    whole = _all_items(items, room, depth) if count * 3 <= room else None
    if whole is not None:
        return whole, _WHOLE
    if count == 1 and room >= 7:
        return f"[{_render(items[0], room - 2, depth + 1)[0]}]", _CUT_INSIDE
    middle = ", ..., " if count > 2 else ", "
    left = room - 2 - len(middle)
    if left < 10:
        return "[...]", _CUT
    last = _render(items[-1], left // 2, depth + 1)[0]
    first = _render(items[0], left - len(last), depth + 1)[0]
    return f"[{first}{middle}{last}]", _CUT if count > 2 else _CUT_INSIDE


def _all_items(items: Sequence[object], room: int, depth: int) -> str | None:
    parts: list[str] = []
    left = room - 2
    for item in items:
        text, state = _render(item, left, depth + 1)
        if state != _WHOLE or len(text) > left:
            return None
        parts.append(text)
        left -= len(text) + 2
    return f"[{', '.join(parts)}]"


def _set(items: Set[object], room: int, depth: int) -> tuple[str, int]:
    """A set has no order: members are sorted by their text, and a large set is only counted."""
    if len(items) > 100:
        return "[...]", _CUT
    return _array(sorted(items, key=lambda item: _render(item, room, depth + 1)), room, depth)


def _object(fields: Mapping[object, object], room: int, depth: int) -> tuple[str, int]:
    """Fields in their order, as many as fit; a long value leaves half of the room to the rest."""
    if not fields:
        return "{}", _WHOLE
    if depth >= MAX_DEPTH:
        return "{...}", _WHOLE
    parts: list[str] = []
    left, state, pair = room - 2, _WHOLE, _labels_secret(fields)
    for place, (key, item) in enumerate(fields.items(), 1):
        name = _plain(key)
        name = name if isinstance(name, str) else _number(name)
        lead = f"{_string(name, 40)[0]}: "
        if item is not None and (is_secret_field(name) or (pair and name == "value")):
            item = REDACTED
        reserved = 0 if place == len(fields) else 5
        space = left - len(lead) - reserved
        text, part = _render(item, space, depth + 1)
        if part != _WHOLE and reserved and space // 2 >= 5:
            text, part = _render(item, space // 2, depth + 1)
        if len(text) > space or (part != _WHOLE and space < 5):
            return f"{{{', '.join([*parts, '...'])}}}", _CUT
        parts.append(lead + text)
        left -= len(lead) + len(text) + 2
        state = _CUT_INSIDE if part != _WHOLE else state
    return f"{{{', '.join(parts)}}}", state


def _plain(value: object) -> Scalar:
    """A scalar as JSON has it; anything unknown is its type's name, never its own text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Enum):
        inner = value.value
        return f"<{type(value).__name__}>" if isinstance(inner, Enum) else _plain(inner)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__add__(value, 0)
    if isinstance(value, float):
        return float.__mul__(value, 1.0)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode("utf-8", "backslashreplace")
    if isinstance(value, _told_by_text()):
        return str(value)
    return f"<{type(value).__name__}>"


@cache
def _told_by_text() -> tuple[type, ...]:
    """Types whose values are their text; loaded when a value is none of JSON's types."""
    from datetime import date, time, timedelta
    from decimal import Decimal
    from pathlib import PurePath
    from uuid import UUID

    return (date, time, timedelta, UUID, Decimal, PurePath)


def _labels_secret(value: Mapping[object, object]) -> bool:
    """Whether this is a pair like ``{"name": "password", "value": ...}``, or such a JSON Patch."""
    if "value" not in value:
        return False
    labels = (value.get(label) for label in ("name", "key", "field", "header", "path"))
    return any(isinstance(label, str) and is_secret_field(label) for label in labels)


class _Copy:
    """One deep copy: notes whether anything was touched, and survives cycles and sharing."""

    __slots__ = ("_seen", "touched")

    def __init__(self) -> None:
        self.touched = False
        self._seen: dict[int, tuple[object, object]] = {}

    def of(self, value: object, field: str | None = None, depth: int = 0) -> object:
        """The copy of a value under a field; None stays None, whatever the field."""
        if value is None:
            return None
        if field is not None and is_secret_field(field):
            return self._hidden(value)
        if isinstance(value, str):
            return self._text(str.__str__(value))
        if type(value) in {bool, int, float}:
            return value
        if not isinstance(value, (Mapping, list, tuple, Set)):
            self.touched = True
            simple = _plain(value)
            return redact_text(simple) if isinstance(simple, str) else simple
        return self._container(value, depth)

    def _container(
        self, value: Mapping[object, object] | Sequence[object] | Set[object], depth: int
    ) -> object:
        """Each container is copied once; one that is met inside itself is only marked."""
        mark = "{...}" if isinstance(value, Mapping) else "[...]"
        if id(value) in self._seen:
            copy = self._seen[id(value)][1]
            self.touched = self.touched or copy is None
            return mark if copy is None else copy
        if depth >= COPY_DEPTH:
            self.touched = True
            return mark
        self._seen[id(value)] = (value, None)
        if isinstance(value, Mapping):
            copy = self._object(value, depth)
        else:
            copy = self._array(value, depth)
        self._seen[id(value)] = (value, copy)
        return copy

    def _hidden(self, value: object) -> str | None:
        if value is None:
            return None
        self.touched = self.touched or type(value) is not str or value != REDACTED
        return REDACTED

    def _text(self, text: str) -> str:
        clean = redact_text(text)
        self.touched = self.touched or clean != text
        return clean

    def _array(self, value: Sequence[object] | Set[object], depth: int) -> list[object]:
        if isinstance(value, Set):
            self.touched = True
            return sorted((self.of(item, None, depth + 1) for item in value), key=repr)
        return [self.of(item, None, depth + 1) for item in value]

    def _object(self, value: Mapping[object, object], depth: int) -> dict[str, object]:
        copy: dict[str, object] = {}
        pair = _labels_secret(value)
        for key, item in islice(value.items(), 1_000_000):
            name = _plain(key)
            field = name if isinstance(name, str) else repr(name)
            shown = self._text(field)
            while shown in copy:
                shown += "'"
            if pair and field == "value":
                copy[shown] = self._hidden(item)
            else:
                copy[shown] = self.of(item, field, depth + 1)
        return copy


def redact(value: object, field: str | None = None) -> object:
    """A deep copy of a JSON value without secrets; ``[unreadable]`` if it cannot be made.

    Args:
        value: A JSON value. Other objects become JSON: bytes text, sets arrays, the rest
            ``<TypeName>``; a container inside itself becomes ``[...]``.
        field: The name that the value stands under.
    """
    try:
        return _Copy().of(value, field)
    except Exception:
        return UNREADABLE


def would_redact(value: object, field: str | None = None) -> bool:
    """Whether `redact` changes the value, or cannot read it."""
    copy = _Copy()
    try:
        copy.of(value, field)
    except Exception:
        return True
    return copy.touched
