"""Cuts never fall inside what a reader sees as one character."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.graphemes import boundary, is_pictograph, next_boundary

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
FLAGS = "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7"


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("abc", 2, 2),
        ("a\r\nb", 2, 1),
        ("e\u0301x", 1, 0),
        (f"x{FAMILY}", 3, 1),
        (FLAGS, 2, 2),
        (FLAGS, 3, 2),
        (f"xy{FLAGS}", 3, 2),
        (f"xy{FLAGS}", 4, 4),
        (f"xy{FLAGS}", 5, 4),
        ("é\r\n", 2, 1),
        ("é\ry", 2, 2),
        ("éx\n", 2, 2),
        ("\u0301\u0301", 1, 0),
        ("\u1112\u1161\u11ab", 2, 0),
    ],
)
def test_the_last_boundary_at_or_before(text: str, at: int, expected: int) -> None:
    """ASCII, line ends, accents, families, flags and Hangul."""
    assert boundary(text, at) == expected


JOINED = [
    "a\u0300",
    "\u0915\u093e",  # a vowel sign
    "a\u20dd",  # an enclosing circle
    "a\u200d",
    "\u200d\u4e2d",
    *["\U0001f44d\U0001f3fb", "\U0001f44d\U0001f3ff"],  # skin
    *["\U0001f3f4\U000e0020", "\U0001f3f4\U000e007f"],  # tags
    *["\u1100\u1100", "\u115f\u1100", "\ua960\u1100", "\ua97c\u1100"],  # leading jamo before
    *["\u1100\u11ff", "\u1100\ua960", "\u1100\ua97f", "\u1100\uac00", "\u1100\ud7a3"],
    *["\uac00\u1160", "\uac00\u11ff", "\uac00\ud7b0", "\uac00\ud7ff"],  # vowels and finals behind
    "\u094d\u0915",  # a virama joins the next letter
    "\U0001f1e6\U0001f1ff",  # the first and the last half of a flag
]
APART = [
    "a\u4e2d",
    "\u4e2d\u4e2d",
    "a\u0434",
    "\u0915\u0915",
    "\u094d\uff21",
    "\U0001f1e9\u4e2d",
    "\u4e2d\u1100",
    "\u1160\u1100",
    "\u1100\u4e2d",
    "\u4e2d\U0001f400",
]


def test_which_pairs_belong_together() -> None:
    """The first and the last of every range of characters."""
    assert [pair for pair in JOINED if boundary(pair, 1)] == []
    assert [pair for pair in APART if not boundary(pair, 1)] == []


@given(st.text(min_size=1), st.data())
def test_a_boundary_never_splits_an_accent_from_its_letter(text: str, data: st.DataObject) -> None:
    """What stands behind a cut is no combining mark, unless the cut is at the beginning."""
    at = data.draw(st.integers(1, len(text)))
    cut = boundary(text, at)
    assert 0 <= cut <= at
    assert cut in (0, len(text)) or unicodedata.category(text[cut]) not in {"Mn", "Me"}


@given(st.text("ae\u0301\u200d\U0001f468\u1100\U0001f1e6\r\n", min_size=1), st.data())
def test_the_next_boundary_is_the_first_that_is_one(text: str, data: st.DataObject) -> None:
    """By the other direction: no place before it is a boundary, and it is one itself."""
    at = data.draw(st.integers(0, len(text)))
    found = next_boundary(text, at)
    places = [place for place in range(at, len(text) + 1) if boundary(text, place) == place]
    assert found == places[0]


def test_pictographs_are_told_from_letters() -> None:
    """Emoji keep their joiners; letters have none."""
    symbols = "\u203c\u2764\u2bff\u3030\u3299\U0001f000\U0001f600\U0001fbff"
    assert [char for char in symbols if not is_pictograph(char)] == []
    others = "a\u203b\u2c00\u302f\u329a\U0001efff\U0001fc00"
    assert [char for char in others if is_pictograph(char)] == []
