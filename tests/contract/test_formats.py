"""Formats are pydantic's own reading."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.formats import CHECKS, describe_format


@pytest.mark.parametrize(
    ("name", "text", "fits"),
    [
        ("date-time", "2026-05-03T00:00:00", True),
        ("date-time", "2026-05-03T00:00:00Z", True),
        ("date-time", "tomorrow", False),
        ("date", "2026-05-03", True),
        ("date", "2026-02-30", False),
        ("duration", "P1D", True),
        ("uuid", "not-a-uuid", False),
        ("ipv4", "192.0.2.256", False),
        ("uri", "https://example.com/a%20b", True),
        ("uri", "no uri", False),
        ("email", "name@example.com", True),
        ("email", "name", False),
        ("date", "\ud800", False),
    ],
)
def test_rows(name: str, text: str, fits: bool) -> None:
    """What pydantic takes fits, and nothing else."""
    assert CHECKS[name](text) is fits


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_the_example_of_each_format_fits(name: str) -> None:
    """No model is shown an example that would be refused."""
    known = describe_format(name)
    assert known is not None
    assert CHECKS[name](known.example)


@pytest.mark.parametrize("name", sorted(CHECKS))
@given(text=st.text(max_size=20))
def test_a_check_never_raises(name: str, text: str) -> None:
    """Any text is a verdict."""
    assert CHECKS[name](text) in (True, False)


def test_an_unknown_format_has_no_words() -> None:
    """Nobody made up a format for it."""
    assert describe_format("colour") is None
