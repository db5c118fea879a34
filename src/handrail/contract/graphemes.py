"""Where a text may be cut: between grapheme clusters.

After UAX #29 as far as `unicodedata` carries it. Where the full rules need tables that Python
lacks, `_joined` prefers not to cut: after any zero-width joiner, after a virama, between all
Hangul jamo that could compose. Prepended marks are not known.
"""

import unicodedata

__all__ = ["boundary", "is_pictograph", "next_boundary"]


def boundary(text: str, at: int) -> int:
    """The last cluster boundary at or before `at`; 0 if one cluster fills all of it."""
    if text[: at + 1].isascii():
        return at - 1 if text[at - 1 : at + 1] == "\r\n" else at
    while at > 0 and at < len(text) and _joined(text, at):
        at -= 1
    return at


def next_boundary(text: str, at: int) -> int:
    """The first cluster boundary at or after `at`; the end of the text if there is none before."""
    while 0 < at < len(text) and _joined(text, at):
        at += 1
    return at


def _joined(text: str, at: int) -> bool:
    """Whether the characters around a position belong to one cluster (UAX #29, GB3..GB13)."""
    before, after = text[at - 1], text[at]
    if after < "\u0300":
        return before == "\r" and after == "\n"
    if _is_flag_half(before) and _is_flag_half(after):
        run = at
        while run > 0 and _is_flag_half(text[run - 1]):
            run -= 1
        return (at - run) % 2 == 1
    if before == "\u200d" or after in "\u200c\u200d\u0e33\u0eb3\uff9e\uff9f":
        return True
    if unicodedata.category(after) in {"Mn", "Me", "Mc"}:
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return True
    if _is_leading_jamo(before):
        return any(low <= after <= high for low, high in _AFTER_LEADING_JAMO)
    if "\u1160" <= after <= "\u11ff" or "\ud7b0" <= after <= "\ud7ff":
        return True
    return unicodedata.combining(before) == 9 and unicodedata.category(after) == "Lo"


_AFTER_LEADING_JAMO = (("\u1100", "\u11ff"), ("\ua960", "\ua97f"), ("\uac00", "\ud7a3"))


def _is_flag_half(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _is_leading_jamo(char: str) -> bool:
    return "\u1100" <= char <= "\u115f" or "\ua960" <= char <= "\ua97c"


def is_pictograph(char: str) -> bool:
    """Roughly Extended_Pictographic: arrows, symbols and dingbats, and the emoji planes."""
    return any(low <= char <= high for low, high in _PICTOGRAPHS)


_PICTOGRAPHS = (("\u203c", "\u2bff"), ("\u3030", "\u3299"), ("\U0001f000", "\U0001fbff"))
