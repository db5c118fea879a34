"""Texts with their middle left out: cut between grapheme clusters, the gap marked and counted.

Both ends are kept, since a heading stands first and a verdict often last. Source: seed 003,
«field-aware budget compaction rather than blind string truncation».
"""

from json.encoder import encode_basestring

from handrail.contract.graphemes import boundary, next_boundary

__all__ = ["LEFT_OUT", "elide", "elide_quoted", "gap", "quoted_length"]

LEFT_OUT = "..."
"""Stands where something is that has no room at all."""

_WINDOW = 256
"""Characters around a cut that are looked at: no cluster of a human script is longer."""

_LEAST_WITH_COUNT = 64
"""Below so many characters the gap is marked and not counted."""

_FIRST_SHARE = 0.6
"""What the beginning gets of the room: it says what the text is about."""


def gap(count: int, what: str) -> str:
    """The mark of a gap, with what is missing."""
    return f"[... {count:,} {what} left out ...]"


def quoted_length(text: str) -> int:
    """Characters of a text as a JSON string, quotes and escapes included."""
    return len(encode_basestring(text))


def elide(text: str, most: int, *, lines: bool = False) -> str:
    """The text in at most `most` characters, with its middle left out if need be.

    Args:
        text: Any text.
        most: Characters of what is given back, the mark included; at least 3.
        lines: Whether the mark stands on a line of its own.
    """
    if len(text) <= most:
        return text
    if most < _LEAST_WITH_COUNT:
        return text[: _before(text, max(0, most - len(LEFT_OUT)))] + LEFT_OUT
    around = "\n" if lines else " "
    room = most - len(gap(len(text), "characters")) - 2
    head = _before(text, int(room * _FIRST_SHARE))
    tail = _after(text, len(text) - (room - int(room * _FIRST_SHARE)))
    mark = gap(tail - head, "characters")
    return f"{text[:head]}{around}{mark}{around}{text[tail:]}"


def elide_quoted(text: str, most: int) -> str:
    """The text so that it is at most `most` characters long as a JSON string."""
    if len(text) <= most and quoted_length(text) <= most:
        return text
    room = most - 2
    while room > len(LEFT_OUT):
        short = elide(text, room)
        over = quoted_length(short) - most
        if over <= 0:
            return short
        room -= max(1, min(over, room // 2))
    return LEFT_OUT


def _before(text: str, at: int) -> int:
    """A place to cut at or a little before `at`."""
    start = _start(text, at)
    return start + boundary(text[start : at + _WINDOW], at - start)


def _after(text: str, at: int) -> int:
    """A place to cut at or a little after `at`."""
    start = _start(text, at)
    return start + next_boundary(text[start : at + _WINDOW], at - start)


def _start(text: str, at: int) -> int:
    """Where to begin to look: flags are pairs, so never inside a row of them."""
    start = max(0, at - _WINDOW)
    while start > 0 and "\U0001f1e6" <= text[start] <= "\U0001f1ff":
        start -= 1
    return start
