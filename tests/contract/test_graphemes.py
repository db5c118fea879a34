"""Cuts never fall inside what a reader sees as one character."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.graphemes import boundary, is_pictograph

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
        ("\u1112\u1161\u11ab", 2, 0),
    ],
)
def test_the_last_boundary_at_or_before(text: str, at: int, expected: int) -> None:
    """ASCII, line ends, accents, families, flags and Hangul."""
    assert boundary(text, at) == expected


@given(st.text(min_size=1), st.data())
def test_a_boundary_never_splits_an_accent_from_its_letter(text: str, data: st.DataObject) -> None:
    """What stands behind a cut is no combining mark, unless the cut is at the beginning."""
    at = data.draw(st.integers(1, len(text)))
    cut = boundary(text, at)
    assert 0 <= cut <= at
    assert cut in (0, len(text)) or unicodedata.category(text[cut]) not in {"Mn", "Me"}


def test_pictographs_are_told_from_letters() -> None:
    """Emoji keep their joiners; letters have none."""
    assert [is_pictograph(char) for char in "\u2764\U0001f600a"] == [True, True, False]
