"""Patterns compiled with their first use behave as compiled ones."""

import re

import pytest

from handrail.contract.late import late


def test_it_answers_as_a_compiled_pattern() -> None:
    """Methods and attributes are those of `re.compile`."""
    pattern = late("(?P<word>[a-z]+)", re.IGNORECASE)
    compiled = re.compile("(?P<word>[a-z]+)", re.IGNORECASE)

    assert pattern.findall("One 2 three") == compiled.findall("One 2 three")
    assert pattern.sub("x", "One 2 three") == "x 2 x"
    assert pattern.flags == compiled.flags
    assert pattern.pattern == compiled.pattern


def test_nothing_is_compiled_before_it_is_asked() -> None:
    """A faulty pattern is told of when it is used, not when it is stated."""
    pattern = late("(")

    with pytest.raises(re.error):
        pattern.search("x")


def test_a_method_is_looked_up_once() -> None:
    """From the second use on it is the bound method of the compiled pattern."""
    pattern = late("a")

    assert pattern.search("a") is not None
    assert pattern.search is vars(pattern)["search"]
