"""A pattern that texts have in common, told by classes of characters and not by the texts.

``C-9921`` and ``C-10442`` give ``[A-Z]-[0-9]{4,5}``. Letters and digits become classes, so that a
proposed pattern does not hold what was seen.
"""

import re
from collections.abc import Iterable

__all__ = ["pattern_of"]

_RUN = re.compile(r"[A-Z]+|[a-z]+|[0-9]+|.", re.DOTALL)
_MOST_RUNS = 24
_MOST_KINDS = 3

_Run = tuple[str, int]


def pattern_of(texts: Iterable[str]) -> str | None:
    """One pattern for the whole of each text; None where they have too little in common."""
    kinds: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for text in texts:
        runs = _runs(text)
        if runs is None:
            return None
        lengths = [length for _, length in runs]
        known = kinds.setdefault(tuple(kind for kind, _ in runs), [(n, n) for n in lengths])
        known[:] = [
            (min(low, n), max(high, n)) for (low, high), n in zip(known, lengths, strict=True)
        ]
        if len(kinds) > _MOST_KINDS:
            return None
    parts = ["".join(map(_part, kind, lengths)) for kind, lengths in kinds.items()]
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"


def _runs(text: str) -> list[_Run] | None:
    found: list[_Run] = []
    for match in _RUN.finditer(text):
        run = match[0]
        first = run[0]
        if first.isascii() and first.isalnum():
            kind = "[A-Z]" if first.isupper() else "[a-z]" if first.isalpha() else "[0-9]"
        elif first.isalnum() or ord(first) < 32:
            return None
        else:
            kind = re.escape(first)
        found.append((kind, len(run)))
        if len(found) > _MOST_RUNS:
            return None
    return found


def _part(kind: str, lengths: tuple[int, int]) -> str:
    low, high = lengths
    if low == high:
        return kind if low == 1 else f"{kind}{{{low}}}"
    return f"{kind}{{{low},{high}}}"
