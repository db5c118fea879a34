"""Where real ids come from."""

import pytest

from handrail import ToolResult
from handrail.protocol.seen import Seen


def test_given_ids_count_as_text_and_as_numbers() -> None:
    """An id that the host vouches for is known, whatever its type."""
    seen = Seen(ids=["O-1", 17])
    assert (seen("O-1"), seen("17"), seen("O-2")) == (True, True, False)


def test_an_id_must_stand_whole_in_a_text() -> None:
    """A part of a longer id is not that id."""
    seen = Seen(["order O-12, please"])
    assert (seen("O-12"), seen("O-1"), seen("2")) == (True, False, False)


def test_results_count_once_they_are_added() -> None:
    """What a tool returned was seen."""
    seen = Seen()
    assert not seen("O-9")
    seen.add_result(ToolResult(call_id="c", tool="t", data={"id": "O-9"}))
    seen.add_text("and C-4")
    assert seen("O-9")
    assert seen("C-4")


def test_the_empty_id_is_never_seen() -> None:
    """An empty string occurs in every text and means nothing."""
    assert not Seen(["text"])("")


def test_one_id_given_as_text_is_one_id() -> None:
    """It is not taken apart into letters."""
    assert Seen(ids="C-17")("C-17")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("O-1", True),
        ("O-1 is done", True),
        ("it is O-1", True),
        ("O-12, O-1", True),
        ("O-1, O-12", True),
        ("O-12, O-1, O-13", True),
        ("see O-1.", True),
        ("O-1x", False),
        ("O-12, xO-1, O-1_a, a_O-1", False),
    ],
)
def test_every_place_of_a_text_is_looked_at(text: str, known: bool) -> None:
    """The first, the last and the one between count, if letters, digits and _ end there."""
    assert Seen([text])("O-1") is known


def test_an_id_may_overlap_itself() -> None:
    """The next place is looked for one character on."""
    assert Seen(["a---"])("--")
