"""The door to policies."""

import handrail
from handrail import policy
from handrail.runtime import config


def test_the_door_hands_on_policies_and_ceilings() -> None:
    """What a program needs to configure, and nothing else."""
    expected = ["CEILINGS", "PRESETS", "Backoff", "Limits", "Policy", "set_ceilings"]
    assert policy.__all__ == expected
    assert policy.Policy is handrail.Policy
    assert policy.set_ceilings is config.set_ceilings


def test_the_presets_are_named_here() -> None:
    """In the order from strict to lenient."""
    assert list(policy.PRESETS) == ["strict", "balanced", "lenient"]


def test_limits_and_waits_are_values() -> None:
    """Off, and half a second doubling to eight."""
    assert set(policy.Limits()) == {None}
    assert tuple(policy.Backoff()) == (0.5, 2.0, 8.0)
