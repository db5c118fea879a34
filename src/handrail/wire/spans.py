"""Finds where a JSON or Python literal in a text ends, without parsing or changing it.

The text that a model wrote has to reach the parser as it is: duplicate keys, NaN and a missing
bracket are told to the model, not repaired on the way. So this only counts brackets outside
strings, in both quote styles, in one pass and without recursion.
"""

import re
from dataclasses import dataclass, field

__all__ = ["BROKEN", "CUT", "STRING", "Members", "closing", "members"]

CUT = -1
"""The text ended inside."""
BROKEN = -2
"""Brackets do not match, or this is no object."""

# Possessive quantifiers: a string of a megabyte is matched without a backtracking stack.
_QUOTED = r""""[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]*+(?:\\.[^'\\]*+)*+'"""
STRING = re.compile(_QUOTED, re.DOTALL)
_TOKEN = re.compile(_QUOTED + r"""|[{}\[\]()"']""", re.DOTALL)
_GAP = re.compile(r"[\s,]*+")
_COLON = re.compile(r"\s*+:\s*+")
_SCALAR = re.compile(r"""[^\s,:{}\[\]()"']++""")
_CLOSER = {"{": "}", "[": "]", "(": ")"}


@dataclass(slots=True)
class Members:
    """The members of one object, as places in the text.

    Attributes:
        entries: Each key as written, with its quotes, and where its value starts and ends.
        end: The place after the closing brace, or `CUT`, or `BROKEN`.
        open_key: The key whose value the text ends in; None if it ends elsewhere.
        open_at: Where that value starts.
    """

    entries: list[tuple[str, int, int]] = field(default_factory=list)
    end: int = BROKEN
    open_key: str | None = None
    open_at: int = CUT


def closing(text: str, start: int) -> int:
    """The place after the bracket that closes the one at ``start``, or `CUT`, or `BROKEN`."""
    awaited: list[str] = []
    for token in _TOKEN.finditer(text, start):
        found = token.group()
        if len(found) > 1:
            continue
        if found in _CLOSER:
            awaited.append(_CLOSER[found])
        elif found in "\"'":
            return CUT
        elif found != awaited.pop():
            return BROKEN
        elif not awaited:
            return token.end()
    return CUT


def members(text: str, start: int) -> Members:
    """The members of the object whose brace is at ``start``."""
    found = Members()
    place = start + 1
    while True:
        place = _end(_GAP, text, place)
        if place == len(text):
            found.end = CUT
        elif text[place] == "}":
            found.end = place + 1
        else:
            place = _member(text, place, found)
            if place >= 0:
                continue
            found.end = place
        return found


def _member(text: str, place: int, found: Members) -> int:
    """Adds the member at ``place``; the place after it, or `CUT`, or `BROKEN`."""
    key = STRING.match(text, place)
    if key is None:
        return CUT if text[place] in "\"'" else BROKEN
    colon = _COLON.match(text, key.end())
    if colon is None:
        return BROKEN if text[key.end() :].strip() else CUT
    begin = colon.end()
    end = _value_end(text, begin)
    if end == CUT:
        found.open_key, found.open_at = key.group(), begin
    elif end != BROKEN:
        found.entries.append((key.group(), begin, end))
    return end


def _value_end(text: str, begin: int) -> int:
    if begin == len(text):
        return CUT
    if text[begin] in "{[":
        return closing(text, begin)
    if text[begin] in "\"'":
        string = STRING.match(text, begin)
        return string.end() if string else CUT
    end = _end(_SCALAR, text, begin)
    if end == len(text):
        return CUT
    return BROKEN if end == begin else end


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place
