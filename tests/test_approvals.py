"""The door to what a human sees and says."""

from handrail import approvals
from handrail.protocol import asks


def test_the_door_hands_on_cards_and_decisions() -> None:
    """The very classes, under the names that users type."""
    names = ["Approved", "Card", "CardItem", "Denied", "Edited"]
    assert approvals.__all__ == names
    assert [getattr(approvals, name) for name in names] == [getattr(asks, name) for name in names]


def test_a_decision_can_be_written_from_the_door_alone() -> None:
    """As a human's code does."""
    assert approvals.Denied("ann", "too late").reason == "too late"
    assert approvals.Approved("ann", "abc").hash == "abc"
