"""Which tools the model sees in a turn."""

import pytest

from evidence import GET, SEARCH
from handrail import ConfigError
from handrail.protocol.visibility import Level, Move, Visibility

EVERY = {tool.name: tool for tool in (SEARCH, GET)}


def test_levels() -> None:
    """All, a few, or none."""
    assert Visibility(EVERY).level is Level.FULL
    few = Visibility(EVERY, ["get_contact", "get_contact"])
    assert (few.level, list(few.tools)) == (Level.RESTRICTED, ["get_contact"])
    assert (Visibility(EVERY, []).level, dict(Visibility(EVERY, []).tools)) == (Level.NONE, {})
    assert list(Visibility(EVERY, "get_contact").tools) == ["get_contact"]


def test_a_name_that_is_no_tool() -> None:
    """The nearest names are told."""
    with pytest.raises(ConfigError, match="Nearest: get_contact"):
        Visibility(EVERY, ["get_contacts"])


def test_a_full_turn_sees_tools_that_are_added_later() -> None:
    """A restricted one does not, until it is widened."""
    every = dict(EVERY)
    full, few = Visibility(every), Visibility(every, ["get_contact"])
    every["late"] = SEARCH
    assert "late" in full.tools
    assert "late" not in few.tools
    seen = few.tools
    assert few.widen() == ("search_contacts", "late")
    assert few.tools is seen
    assert "late" in seen


def test_it_widens_once_and_then_stops() -> None:
    """One message moves it once."""
    few = Visibility(EVERY, ["get_contact"])
    assert few.stuck(1) is Move.WIDEN
    few.widen()
    assert [few.stuck(step) for step in (1, 2, 3)] == [Move.STAY, Move.STOP, Move.STAY]
    assert few.stopped


@pytest.mark.parametrize("names", [None, []])
def test_what_is_full_or_none_stays(names: list[str] | None) -> None:
    """There is nothing to widen that the host has not decided."""
    seen = Visibility(EVERY, names)
    assert seen.stuck(1) is Move.STAY
    assert not seen.stopped


def test_a_host_that_widened_has_widened() -> None:
    """Then getting no further is the end."""
    few = Visibility(EVERY, ["get_contact"])
    few.widen()
    assert few.stuck(1) is Move.STOP
