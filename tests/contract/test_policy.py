"""Policies as values: presets, ranges, and what a policy refuses to be."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.policy import CEILINGS, PRESETS, Range, Settings, check_range
from handrail.errors import ConfigError


def test_the_default_is_balanced() -> None:
    """Numbers of the contract, sections 5 and 6, and of seed 004."""
    policy = Settings()
    assert (policy.name, policy.attempts, policy.enforce) == ("balanced", 3, True)
    assert dict(policy.mend_level) == {"read": 3, "write": 2, "destructive": 1}
    assert dict(policy.identical) == {"read": 3, "write": 1, "destructive": 1}
    assert dict(policy.transient_reruns) == {"read": 2, "write": 1, "destructive": 0}
    shown = policy.max_message_length, policy.max_errors_shown, policy.max_value_preview
    assert shown == (2000, 10, 100)


def test_strict_mends_nothing() -> None:
    """Beside reading a call that was written as text."""
    policy = Settings(**PRESETS["strict"])
    assert set(policy.mend_level.values()) == {0}
    assert policy.lax == frozenset()


def test_lenient_limits_the_run() -> None:
    """Fifteen steps and twenty calls, as in seed 003; destructive tools stay exact."""
    policy = Settings(**PRESETS["lenient"])
    assert (policy.limits.rounds, policy.limits.calls) == (15, 20)
    assert dict(policy.mend_level) == {"read": 3, "write": 3, "destructive": 1}
    assert policy.drop_unknown is True


def test_a_policy_is_frozen() -> None:
    """Neither a field nor a mapping in it can be changed."""
    policy = Settings()
    with pytest.raises(FrozenInstanceError):
        policy.attempts = 5  # type: ignore[misc]  # what the test is about
    with pytest.raises(TypeError):
        policy.mend_level["read"] = 0  # type: ignore[index]  # what the test is about


def test_a_mapping_is_copied() -> None:
    """Its owner cannot change a policy afterwards."""
    levels = {"read": 0, "write": 0, "destructive": 0}
    policy = Settings(mend_level=levels)
    levels["destructive"] = 3
    assert policy.mend_level["destructive"] == 0


def test_a_policy_is_printable() -> None:
    """What holds can be read off its repr."""
    assert "attempts=3" in repr(Settings())
    assert repr(Settings()).startswith("Settings(name='balanced', enforce=True")


def test_replace_makes_another() -> None:
    """The first one stays as it was, and an unknown name is told with the known ones."""
    first = Settings()
    assert (first.replace(attempts=5).attempts, first.attempts) == (5, 3)
    with pytest.raises(
        ConfigError, match=r"'atempts' is no setting of a policy: .*attempts, backoff, "
    ):
        first.replace(atempts=5)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("attempts", 0, "attempts=0 is out of range: allowed is 1 to 10"),
        ("attempts", 11, "attempts=11 is out of range: allowed is 1 to 10"),
        ("attempts", "3", "attempts='3' must be a whole number: allowed is 1 to 10"),
        ("attempts", True, "attempts=True must be a whole number"),
        ("attempts", 2.5, "attempts=2.5 must be a whole number"),
        ("max_message_length", 499, "allowed is 500 to 4000"),
        ("max_errors_shown", 21, "allowed is 1 to 20"),
        ("approval_ttl_s", float("nan"), "approval_ttl_s=nan is out of range"),
        ("token_budget", 0, "token_budget=0 is out of range: allowed is at least 1"),
        ("compact_tokens", 99, "compact_tokens=99 is out of range: allowed is at least 100"),
        ("artifact_tokens", 1.5, "artifact_tokens=1.5 must be a whole number"),
        ("withdraw_after", 0, "withdraw_after=0 is out of range"),
        ("mend_level", {"read": 3}, "must map each of read, write, destructive"),
        ("mend_level", {"read": 4, "write": 2, "destructive": 1}, r"mend_level\['read'\]=4"),
        ("identical", 3, "identical=3 must map each of"),
        ("form", "yaml", "form='yaml' is unknown: choose one of text, compact, prose"),
        ("form", ["text"], "is unknown: choose one of text"),
        ("enforce", "no", "enforce='no' must be True or False"),
        ("lax", {"destructive"}, "destructive calls need exact types"),
        ("lax", "read", "must be a set"),
        ("lax", [[1]], "must be a set"),
        ("confirm", "all", "confirm='all' must be 'destructive', 'write', or a mapping"),
        ("confirm", {"create": "yes"}, "must be 'destructive', 'write', or a mapping"),
    ],
)
def test_bad_values_are_named(key: str, value: object, message: str) -> None:
    """The key, the value and what is allowed."""
    with pytest.raises(ConfigError, match=message):
        Settings().replace(**{key: value})


@given(st.sampled_from(sorted(CEILINGS)), st.integers(-10, 3_000_000))
def test_a_ceiling_is_the_whole_law(key: str, value: int) -> None:
    """What is in the range is taken, anything else is refused."""
    low, high = CEILINGS[key]
    if low <= value <= high:
        assert getattr(Settings().replace(**{key: value}), key) == value
    else:
        with pytest.raises(ConfigError, match=f"{key}={value}"):
            Settings().replace(**{key: value})


@pytest.mark.parametrize(
    ("confirm", "tool", "action", "asked"),
    [
        ("destructive", "t", "destructive", True),
        ("destructive", "t", "write", False),
        ("write", "t", "write", True),
        ("write", "t", "read", False),
        ({"t": True}, "t", "read", True),
        ({"t": True}, "other", "write", False),
        ({"t": False}, "t", "destructive", True),
    ],
)
def test_whom_a_human_confirms(confirm: object, tool: str, action: str, asked: bool) -> None:
    """Destructive calls always; others as the policy says."""
    policy = Settings(confirm=confirm)  # type: ignore[arg-type]  # three shapes
    assert policy.needs_approval(tool, action) is asked


def test_ceilings_are_the_hard_ranges() -> None:
    """A policy shows what it was checked against."""
    assert Settings().ceilings["attempts"] == Range(1, 10)


def test_a_fraction_is_allowed_where_seconds_are_meant() -> None:
    """Nowhere else."""
    check_range("approval_ttl_s", 1.5, Range(1, 2), whole=False)
    with pytest.raises(ConfigError, match=r"x=1.5 must be a whole number"):
        check_range("x", 1.5, Range(1, 2))
    with pytest.raises(ConfigError, match=r"x='1' must be a number: allowed is 1 to 2"):
        check_range("x", "1", Range(1, 2), whole=False)


def test_what_a_host_gave_is_kept_in_a_frozen_form() -> None:
    """A list of action types is a set, and a mapping is a copy."""
    named = {"create": True}
    policy = Settings(lax=["read", "read"], confirm=named)  # type: ignore[arg-type]  # as configured
    named["save"] = True
    assert (policy.lax, policy.confirm) == (frozenset({"read"}), {"create": True})
    assert policy.needs_approval("save", "write") is False


def test_sizes_of_outputs_may_be_switched_off() -> None:
    """Each by itself."""
    off = Settings().replace(compact_tokens=None, artifact_tokens=None)
    assert (off.compact_tokens, off.artifact_tokens) == (None, None)
