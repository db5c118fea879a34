"""The table of who may say what."""

from typing import get_args

from handrail.protocol.asks import AWAITED, TURNS, Answer, Ask, Party


def test_every_answer_stands_in_the_table() -> None:
    """No answer exists that nobody may give."""
    said = {answer for answers in TURNS.values() for answer in answers}
    assert said == set(get_args(Answer))


def test_every_ask_awaits_somebody() -> None:
    """Each ask names the party that must answer it."""
    assert set(AWAITED) == set(get_args(Ask))


def test_nobody_says_nothing_and_everybody_can_end() -> None:
    """A closed call stays closed, and from every other party the end can be reached."""
    assert not TURNS[Party.NOBODY]
    for party, answers in TURNS.items():
        if party is not Party.NOBODY:
            assert any(Party.NOBODY in nexts for nexts in answers.values())


def test_the_tool_never_gets_back_to_the_model() -> None:
    """Once a handler has started, the arguments are not asked for again."""
    assert all(Party.MODEL not in nexts for nexts in TURNS[Party.TOOL].values())
