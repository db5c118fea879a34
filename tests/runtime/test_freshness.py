"""Results that are too old."""

from datetime import UTC, datetime

import pytest

from handrail.runtime.freshness import fresh
from parts import Clock

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "made_at",
    [
        "2026-11-22T11:59:30Z",
        "2026-11-22T12:59:30+01:00",
        " 2026-11-22 11:59:30 ",
        NOW - 30,
        int((NOW - 30) * 1000),
        datetime(2026, 11, 22, 11, 59, 30, tzinfo=UTC),
        datetime(2026, 11, 22, 11, 59, 30),  # noqa: DTZ001  # read as UTC
        "2026-11-22T12:00:30Z",
    ],
)
def test_what_is_new_enough_passes(made_at: object) -> None:
    """In every form of a time; a clock that is ahead is no fault of the result."""
    check = fresh("meta.made_at", 60, clock=Clock(NOW))
    assert check({"meta": {"made_at": made_at}}, {}) is None


@pytest.mark.parametrize(
    ("age_s", "said"),
    [(61, "1 minute"), (7200, "2 hours"), (86_400, "1 day"), (90.4, "2 minutes")],
)
def test_what_is_too_old_does_not(age_s: float, said: str) -> None:
    """And it says how old it is."""
    found = fresh("at", 60, clock=Clock(NOW))({"at": NOW - age_s}, {})
    assert found is not None
    assert (found.error_class, found.code) == ("semantic_garbage", "stale_result")
    assert found.detail == f"The result is {said} old; at most 1 minute is allowed"


@pytest.mark.parametrize("value", [{}, {"at": "yesterday"}, {"at": None}, {"at": True}, "text"])
def test_what_does_not_say_when_it_was_made_is_not_trusted(value: object) -> None:
    """The author asked for it."""
    found = fresh("at", 60)(value, {})
    assert found is not None
    assert found.code == "unknown_age"


def test_the_edge_is_inside() -> None:
    """Exactly as old as allowed is allowed."""
    check = fresh("/at", 0.5, clock=Clock(NOW))
    assert check({"at": NOW - 0.5}, {}) is None
    found = check({"at": NOW - 0.75}, {})
    assert found is not None
    assert "is 1 second old; at most 0 seconds" in found.detail
