"""JSON Pointers in texts: safe for one line, and not taken for file paths.

A pointer such as ``/customer/address/city`` looks like an absolute path, which the redactor
would cut to its last name. So a pointer is made safe segment by segment, and a text that holds
known pointers is made safe around them.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from handrail.contract.preview import shorten, word

__all__ = ["MAX_POINTER", "safe_pointer", "safe_word", "word_around"]

MAX_POINTER = 256
"""Characters of a shown path."""

_READ_AHEAD = 8_000
_CACHED = 300
_PLAIN = re.compile(r"(?:/[A-Za-z0-9_*]{1,19}){0,12}\Z")


def safe_pointer(path: str, limit: int = MAX_POINTER) -> str:
    """A pointer for one line: hostile names escaped, secrets hidden, at most `limit` characters.

    What is too long loses its middle: the last name is what the model looks for.
    """
    if len(path) <= limit and _PLAIN.match(path):
        return path
    parts = [_safe_part(part) for part in path[:_READ_AHEAD].split("/")]
    text = "/".join(parts)
    if len(text) <= limit:
        return text
    if len(parts) < 3:
        return shorten(text, limit)
    last = shorten(parts[-1], limit // 3)
    return f"{shorten('/'.join(parts[:-1]), limit - len(last) - 1)}/{last}"


def _safe_part(part: str) -> str:
    name = word(part.replace("~1", "/").replace("~0", "~"), MAX_POINTER)
    return name.replace("~", "~0").replace("/", "~1")


def safe_word(text: object, limit: int) -> str:
    """`word` with a memory: the texts of a contract come back with every failing call."""
    if type(text) is str and len(text) <= _CACHED:
        return _known_word(text, limit)
    return word(text, limit)


@lru_cache(maxsize=2048)
def _known_word(text: str, limit: int) -> str:
    return word(text, limit)


def word_around(text: object, limit: int, pointers: Iterable[str]) -> str:
    """`safe_word`, but known pointers in the text stay what they are."""
    clean = safe_word(text, limit)
    if "…/" not in clean or not isinstance(text, str):
        return clean
    known = sorted({pointer for pointer in pointers if pointer}, reverse=True)  # longer ones first
    if not known:
        return clean
    pattern = re.compile(f"({'|'.join(map(re.escape, known))})(?![\\w/~-])")
    pieces = [
        safe_pointer(piece) if at % 2 else word(piece, _READ_AHEAD)
        for at, piece in enumerate(pattern.split(text[:_READ_AHEAD]))
    ]
    return shorten("".join(pieces), limit)
