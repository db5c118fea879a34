"""Which call is a retry of which."""

from hypothesis import given
from hypothesis import strategies as st

from handrail.protocol.matching import likeness, match


def test_likeness_counts_kept_values_outside_the_fault() -> None:
    """Fields at fault and fields that changed do not count."""
    failed = {"a": 1, "b": 2, "c": 3, "d": 4, "e": None}
    assert likeness(failed, frozenset({"c"}), {"a": 1, "b": 2, "c": 3, "d": 9}) == 2


def test_unreadable_arguments_are_like_nothing() -> None:
    """Text that was no JSON has no fields to compare."""
    assert likeness(None, frozenset(), {"a": 1}) == 0
    assert likeness({"a": 1}, frozenset(), None) == 0


def test_the_likest_pairs_are_joined_first() -> None:
    """Answered in another order, each finds its own."""
    assert match([[0, 2], [2, 0]]) == [1, 0]
    assert match([]) == []


def test_ties_go_by_position_and_surplus_calls_stay_alone() -> None:
    """Three calls, two failed ones, nothing alike: first to first, second to second."""
    assert match([[0, 0, 0], [0, 0, 0]]) == [0, 1, None]


@given(
    st.integers(0, 5).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n), max_size=5)
    )
)
def test_each_is_joined_at_most_once_and_as_many_as_can_be(scores: list[list[int]]) -> None:
    """No failed call is retried twice in one message, and none is left while a call is free."""
    matched = match(scores)
    rows = [row for row in matched if row is not None]
    assert len(rows) == len(set(rows))
    columns = len(scores[0]) if scores else 0
    assert len(rows) == min(len(scores), columns)
