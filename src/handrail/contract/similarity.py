"""How alike two names are: the ratio of Ratcliff and Obershelp, for short texts.

The figure is that of `difflib.SequenceMatcher` without its junk rules, to the last bit: the
longest common block, the leftmost of equals, then the same to its left and to its right. For
names of a few characters the search below takes a fraction of the time that the general one
needs to index the second text, and every failing call compares names.
"""

from collections.abc import Iterable
from functools import lru_cache

__all__ = ["MAX_COMPARED_LENGTH", "bare", "similar", "similarities"]

MAX_COMPARED_LENGTH = 80
"""Characters of a name that are compared."""


def similar(one: str, other: str) -> float:
    """Likeness from 0 to 1; 1 when they differ only in case and separators."""
    return _likeness(bare(one), bare(other))


def similarities(one: str, others: Iterable[str]) -> list[float]:
    """Likeness of one text to each of several, which are an author's and come back."""
    plain = bare(one)
    return [_likeness(plain, _known(other)) for other in others]


def bare(text: str) -> str:
    """The beginning of a text without case and separators."""
    text = text[:MAX_COMPARED_LENGTH].casefold()
    return text if text.isalnum() else "".join([char for char in text if char.isalnum()])


@lru_cache(maxsize=2048)
def _known(text: str) -> str:
    return bare(text)


@lru_cache(maxsize=4096)
def _likeness(one: str, other: str) -> float:
    if one == other:
        return 1.0
    return min(0.99, 2.0 * _matching(one, other) / (len(one) + len(other)))


def _matching(one: str, other: str) -> int:
    """Characters in common blocks, found longest first, then on both sides of each."""
    total = 0
    waiting = [(one, other)]
    while waiting:
        one, other = waiting.pop()
        if not one or not other or {*one}.isdisjoint(other):
            continue
        at, size = _longest_block(one, other)
        there = other.find(one[at : at + size])
        total += size
        waiting.append((one[:at], other[:there]))
        waiting.append((one[at + size :], other[there + size :]))
    return total


def _longest_block(one: str, other: str) -> tuple[int, int]:
    """Place in the first text and length of the longest block that is in both; the leftmost."""
    best = size = at = 0
    end = len(one)
    while at + size < end:
        if one[at : at + size + 1] in other:
            size += 1
            best = at
        else:
            at += 1
    return best, size
