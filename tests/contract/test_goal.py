"""What a turn is for, and what the user's own words ask of its evidence."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail import ConfigError, Goal
from handrail.contract.goal import asks_for_all, asks_for_status, content_words


def test_a_goal_is_a_query_unless_it_says_otherwise() -> None:
    """A list of needs becomes a tuple; one name stands for a list of it."""
    assert Goal("x") == Goal("x", "query", ())
    assert Goal("x", needs=["a", "b"]).needs == ("a", "b")
    one: Any = "a"
    assert Goal("x", needs=one).needs == ("a",)


@pytest.mark.parametrize(
    ("fields", "named"),
    [({"text": 7}, "text=7"), ({"kind": "wish"}, "kind='wish'"), ({"needs": [1]}, "needs=")],
)
def test_what_makes_no_sense_is_named(fields: dict[str, Any], named: str) -> None:
    """The field and the value."""
    with pytest.raises(ConfigError, match=named):
        Goal(**{"text": "x", **fields})


@pytest.mark.parametrize(
    "words",
    [
        "List all contacts", "Who is everyone at work?", "every invoice of May", "EVERYTHING",
        "the entire log", "Read the whole thread", "not now, but all of them", "all my \"at all\"",
    ],
)  # fmt: skip
def test_words_that_ask_for_all(words: str) -> None:
    """All, everyone, every, entire, whole."""
    assert asks_for_all("Hello", words)


@pytest.mark.parametrize(
    "words",
    [
        "Find Anna", "overall cost", "Is there any at all?", "After all, find one", "All right, go",
        "not all of them", "I don't need every one", 'Find "All Star Cafe"', "first of all, hello",
        "every now and then", "on the whole", "wholesale prices", "",
    ],
)  # fmt: skip
def test_words_that_only_look_so(words: str) -> None:
    """Phrases, names in quotation marks, and what is negated."""
    assert not asks_for_all(words)


def test_words_that_ask_for_a_status() -> None:
    """How something stands that goes on changing."""
    assert asks_for_status("What is the status?")
    assert asks_for_status("Any news?")
    assert not asks_for_status("Who wrote the manual?")


def test_content_words_have_no_endings() -> None:
    """What every question holds is left out; the first letters tell."""
    assert content_words("What is the status of the boiler repairs?") == {"boile", "repai"}


@given(st.text(max_size=200))
def test_any_text_can_be_asked(words: str) -> None:
    """No text raises, and what is quoted whole asks for nothing."""
    asks_for_status(words)
    content_words(words)
    assert not asks_for_all('"' + words.replace('"', "") + '"')
