"""Patterns that texts have in common."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.replay.patterns import pattern_of


@pytest.mark.parametrize(
    ("texts", "pattern"),
    [
        (["C-9921", "C-10442"], "[A-Z]\\-[0-9]{4,5}"),
        (["a", "A"], "(?:[a-z]|[A-Z])"),
        (["2024-05-20"], "[0-9]{4}\\-[0-9]{2}\\-[0-9]{2}"),
        (["x", "1", "X", "-"], None),
        (["größe"], None),
        ([], None),
        (["a b " * 20], None),
    ],
)
def test_pattern_of(texts: list[str], pattern: str | None) -> None:
    """Classes of characters and their lengths; None where there is too little in common."""
    assert pattern_of(texts) == pattern


@given(st.lists(st.text("abcXYZ019-_ .", max_size=12), min_size=1, max_size=6))
def test_every_text_fits_its_pattern(texts: list[str]) -> None:
    """As a whole."""
    pattern = pattern_of(texts)
    assert pattern is None or all(re.fullmatch(pattern, text) for text in texts)
