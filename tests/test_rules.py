"""The door to rules."""

import handrail
from handrail import rules
from handrail.contract import rules as home


def test_the_door_hands_on_all_rules() -> None:
    """The very classes, also at the front."""
    names = ["AnyOf", "Exclusive", "Irrelevant", "Ordered", "Requires"]
    assert rules.__all__ == names
    assert [getattr(rules, name) for name in names] == [getattr(home, name) for name in names]
    assert [getattr(rules, name) for name in names] == [getattr(handrail, name) for name in names]
