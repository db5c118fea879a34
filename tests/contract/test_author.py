"""The door to an author's code: whatever it raises becomes words for the operator."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.author import Broken, ask_author, broken, described


class Mute(Exception):
    """An exception that cannot even be printed."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


def fails(*_: object) -> None:
    """What an author wrote, on a bad day."""
    raise KeyError("customer")


def test_what_the_author_returns_is_handed_on() -> None:
    """No wrapper around a good answer."""
    assert ask_author(max, 3, 5) == 5


def test_an_exception_becomes_a_value() -> None:
    """It names the code and what it raised, and keeps the exception."""
    said = ask_author(fails, {"a": 1})
    assert isinstance(said, Broken)
    assert said.detail == "fails raised KeyError: 'customer'"
    assert type(said.error) is KeyError


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_the_interpreters_own_exits_pass(stop: type[BaseException]) -> None:
    """Ctrl-C in an author's code is still Ctrl-C."""

    def leave() -> None:
        raise stop

    with pytest.raises(stop):
        ask_author(leave)


def test_a_partial_is_named_by_what_it_calls() -> None:
    """An operator looks for the function, not for functools."""
    assert broken(partial(fails, 1), ValueError("x")).detail == "fails raised ValueError: x"


def test_an_exception_that_cannot_be_printed_is_named() -> None:
    """Its class is all there is to say."""
    assert described(Mute()) == "Mute"


@given(st.text(max_size=2_000))
def test_descriptions_are_bounded(text: str) -> None:
    """A huge exception text does not flood a log."""
    assert described(ValueError(text)) == f"ValueError: {text[:500]}"
