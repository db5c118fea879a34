"""What a narrowing would catch."""

from typing import Any

from handrail.replay.narrowing import Narrowing, Profile


def profile(accepted: list[dict[str, Any]], failed: list[dict[str, Any]]) -> Profile:
    """The calls of one tool."""  # Any: arguments
    made = Profile()
    for arguments in accepted:
        made.accept(arguments)
    for arguments in failed:
        made.fail(arguments)
    return made


ACCEPTED = [{"cabin": cabin, "seats": 1 + number % 3} for number in range(20) for cabin in "ab"]


def test_what_held_for_every_accepted_call() -> None:
    """A field that was always given, bounds, a closed set; what catches most comes first."""
    failed = [{"cabin": "z", "seats": 9}, {"cabin": "y", "seats": 0}, {"cabin": "a"}]
    made = profile(ACCEPTED, [*failed, {"cabin": "z", "seats": 9}])
    assert made.narrowings(["cabin"]) == [
        Narrowing("/cabin", "one of the 2 values that were accepted", 3),
        Narrowing("/seats", "maximum 3", 2),
        Narrowing("/seats", "required", 1),
        Narrowing("/seats", "minimum 1", 1),
    ]


def test_nothing_is_told_that_would_catch_nothing() -> None:
    """Nor of a few calls."""
    assert profile(ACCEPTED, []).narrowings([]) == []
    assert profile(ACCEPTED, [{"cabin": "a", "seats": 2}]).narrowings([]) == []
    assert profile(ACCEPTED[:29], [{"cabin": "z", "seats": 2}]).narrowings([]) == []


def test_open_sets_are_left_alone() -> None:
    """Texts that differ from call to call are no set."""
    accepted = [{"name": f"n{number}"} for number in range(60)]
    assert profile(accepted, [{"name": "other"}]).narrowings(["name"]) == []


def test_memory_is_bounded() -> None:
    """Fields and failed calls beyond the first are not kept."""
    made = profile(
        [{f"f{number}": 1 for number in range(500)}] * 40,
        [{"f0": number} for number in range(-1, -1_000, -1)],
    )
    assert made.narrowings([])[0].catches == 200
