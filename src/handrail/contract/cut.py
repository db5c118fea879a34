"""Where a text of JSON was cut off, and whether its length is a usual limit of size."""

import re

from pydantic_core import from_json

from handrail.contract.issue import join_pointer
from handrail.contract.payload import tidied

__all__ = ["Cut", "cut_in", "known_limit"]

from typing import NamedTuple


class Cut(NamedTuple):
    """A text of JSON that was cut off.

    Attributes:
        path: RFC 6901 pointer of the value that was cut; ``""`` is the whole.
        length: Characters that came.
        limit: The usual limit of size that the text just fills; None where it is none.
    """

    path: str
    length: int
    limit: int | None


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+("?)|[\[{\]},:]', re.DOTALL)
_BEGUN = re.compile(r'\{\s*(?:"|\Z)|\[\s*(?:[{\["]|\Z)|\[\s*-?\d[^\]]*,', re.DOTALL)
"""How JSON begins that has something in it."""

_DEPTH = 200


def cut_in(text: str, *, declared: bool) -> Cut | None:
    """Where a text was cut off; None unless everything up to its end could have become JSON.

    Args:
        text: The text.
        declared: Whether JSON is declared. Without that the text must begin as an object or an
            array with something in it, since a plain text may begin with a bracket.
    """
    clean = tidied(text)
    if not clean or (not declared and (len(clean) < 3 or not _BEGUN.match(clean))):
        return None
    if clean[0] not in "{[":
        return None
    try:
        from_json(clean)
    except ValueError as error:
        said = str(error)
        if not said.startswith(("EOF while parsing", "unexpected end of hex escape")):
            return None
        return Cut(_path(clean), len(text), known_limit(text))
    return None


def known_limit(text: str) -> int | None:
    """The usual limit that a text fills: thousands, powers of two; in characters or bytes."""
    for size in dict.fromkeys((len(text), len(text.encode("utf-8", "surrogatepass")))):
        for limit in (size, size + 1):
            usual = limit >= 500 and limit % 500 == 0
            if usual or (limit >= 256 and limit & (limit - 1) == 0):
                return limit
    return None


def _path(text: str) -> str:
    """Pointer of the value at the end of a text that was cut off."""
    stack: list[str | int] = []
    is_key = False
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token in ("{", "["):
            stack.append("" if token == "{" else 0)
            is_key = token == "{"
            if len(stack) > _DEPTH:
                break
        elif token in ("}", "]"):
            if stack:
                stack.pop()
            is_key = False
        elif token == ",":
            last = stack[-1] if stack else 0
            is_key = isinstance(last, str)
            if stack:
                stack[-1] = "" if isinstance(last, str) else last + 1
        elif token == ":":
            is_key = False
        elif is_key and stack:
            stack[-1] = token[1 : -1 if found[1] else None]
    while stack and stack[-1] == "":
        stack.pop()
    return join_pointer(stack)
