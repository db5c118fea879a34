"""Tokens are counted by the caller's counter, or by the stated rule of thumb."""

import pytest

from handrail.contract.tokens import count_tokens


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2)])
def test_four_characters_are_a_token(text: str, tokens: int) -> None:
    """Rounded up."""
    assert count_tokens(text) == tokens


def test_the_callers_counter_counts() -> None:
    """Whatever it counts in."""
    assert count_tokens("a b c", lambda text: len(text.split())) == 3


def test_a_counter_that_fails_is_replaced() -> None:
    """The default counts instead of an exception."""
    assert count_tokens("abcdefgh", lambda text: int(text)) == 2
