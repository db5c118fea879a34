"""Mending: what is provably meant is read, recorded and told, and nothing else is."""

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from handrail import Irrelevant, Mend, Tool
from handrail.contract.mend import Reading, mend_issues, read_input
from handrail.contract.parse import parse
from handrail.contract.policy import PRESETS, Settings

STRICT, BALANCED, LENIENT = (Settings(**PRESETS[name]) for name in PRESETS)
RULE = Irrelevant(when={"action": "by_ids"}, fields=["limit"])


class Inner(BaseModel):
    """A nested object."""

    qty: int


class Args(BaseModel):
    """Arguments with several coercible fields."""

    action: Literal["by_ids", "all"] = "all"
    limit: int = 10
    ratio: float = 0.5
    exact: bool = False
    items: list[Inner] = []


def tool(**terms: object) -> Tool:
    """A tool of these arguments."""
    return Tool("list_items", "List them.", None, Args, **terms)


def reading(text: str, policy: Settings = BALANCED, **terms: object) -> Reading:
    """How the arguments are read."""
    return read_input(tool(**terms), parse(text), policy)


def test_valid_arguments_are_left_alone() -> None:
    """No mend, no issue."""
    read = reading('{"limit": 3}')
    assert (read.value, read.issues, read.mends) == ({"limit": 3}, [], [])
    assert read.prepared == Args(limit=3)


def test_coercions_are_recorded_path_by_path() -> None:
    """Before and after, nested ones too."""
    read = reading('{"limit": "30", "items": [{"qty": 1}, {"qty": "2"}]}')
    assert read.mends == [Mend("lax", "/limit", "30", 30), Mend("lax", "/items/1/qty", "2", 2)]
    assert read.value == {"limit": 30, "items": [{"qty": 1}, {"qty": 2}]}
    assert read.issues == []


@pytest.mark.parametrize(
    ("policy", "action", "taken"),
    [
        (STRICT, "read", False),
        (STRICT, "write", False),
        (BALANCED, "read", True),
        (BALANCED, "write", True),
        (BALANCED, "destructive", False),
        (LENIENT, "write", True),
        (LENIENT, "destructive", False),
    ],
)
def test_who_reads_laxly(policy: Settings, action: str, taken: bool) -> None:
    """Never strict, never a destructive tool."""
    read = reading('{"limit": "30"}', policy, action_type=action)
    assert (read.prepared is not None) is taken
    assert [issue.code for issue in read.issues] == ([] if taken else ["VAL-002"])


@pytest.mark.parametrize(
    ("level", "taken"), [("off", False), (0, False), (1, False), (2, True), (3, True)]
)
def test_a_tool_may_be_mended_less(level: object, taken: bool) -> None:
    """Coercions are no matter of syntax: levels below 2 go without."""
    assert (reading('{"limit": "30"}', mend=level).prepared is not None) is taken


def lax_accepts(value: dict[str, Any]) -> bool:
    """Whether the author's own model takes it, known fields only."""
    try:
        Args.model_validate(value)
    except ValidationError:
        return False
    return True


LOOSE = st.one_of(
    st.integers(-5, 50), st.booleans(), st.none(), st.floats(-9, 9), st.text("01.ex ", max_size=4),
    st.integers(0, 99).map(str), st.sampled_from(["true", "no", "by_ids", "ALL", "1e3", "7.0"]),
)  # fmt: skip
ITEMS = st.lists(st.fixed_dictionaries({"qty": LOOSE}), max_size=2)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "action": LOOSE, "limit": LOOSE, "ratio": LOOSE, "exact": LOOSE, "items": ITEMS
        },
    ),
    st.sampled_from(["read", "write"]),
)  # fmt: skip
def test_balanced_takes_what_the_author_takes(value: dict[str, Any], action: str) -> None:
    """The lax law: a superset of the author's own model, and every mended value is valid."""
    read = read_input(tool(action_type=action), parse(value), BALANCED)
    if lax_accepts(value):
        assert read.issues == []
        assert read.prepared is not None
    if read.prepared is not None:
        assert reading_again(read) == read.prepared


def reading_again(read: Reading) -> Any:
    """What the mended value means by itself."""
    return tool().engine.prepare(read.value)


def test_destructive_calls_are_never_changed() -> None:
    """Beyond levels 0 and 1, whatever the policy says."""
    loose = LENIENT.replace(mend_level={"read": 3, "write": 3, "destructive": 3})
    text = '{"action": "by_ids", "limit": 5, "zz": 1}'
    read = reading(text, loose, action_type="destructive", rules=[RULE])
    assert (read.mends, read.prepared) == ([], None)


# ---- irrelevant fields


def test_irrelevant_fields_are_left_out() -> None:
    """Recorded with what was sent."""
    read = reading('{"action": "by_ids", "limit": 5}', rules=[RULE])
    assert read.mends == [Mend("irrelevant", "/limit", 5, None)]
    assert read.value == {"action": "by_ids"}


def test_irrelevant_fields_stay_under_strict() -> None:
    """There the rule itself refuses them."""
    read = reading('{"action": "by_ids", "limit": 5}', STRICT, rules=[RULE])
    assert (read.mends, read.value) == ([], {"action": "by_ids", "limit": 5})


def test_what_remains_wrong_is_reported_with_what_was_mended() -> None:
    """One mend does not hide another fault."""
    read = reading('{"action": "by_ids", "limit": "x", "ratio": "y"}', rules=[RULE])
    assert [mend.kind for mend in read.mends] == ["irrelevant"]
    assert [issue.path for issue in read.issues] == ["/ratio"]


# ---- unknown fields


@pytest.mark.parametrize(("policy", "taken"), [(STRICT, 0), (BALANCED, 0), (LENIENT, 1)])
def test_unknown_fields_are_dropped_by_lenient_alone(policy: Settings, taken: int) -> None:
    """Elsewhere they are VAL-005."""
    read = reading('{"limit": 1, "zz": [1]}', policy)
    assert len(read.mends) == taken
    assert [issue.code for issue in read.issues] == ["VAL-005"][taken:]


def test_lenient_drops_nested_unknown_fields() -> None:
    """Where they stand, and nothing beside them."""
    read = reading('{"items": [{"qty": 1}, {"qty": 2, "x": 3}], "zz": 1}', LENIENT)
    assert sorted(read.mends) == [
        Mend("unknown_dropped", "/items/1/x", 3, None),
        Mend("unknown_dropped", "/zz", 1, None),
    ]
    assert read.value == {"items": [{"qty": 1}, {"qty": 2}]}


def test_lenient_drops_and_coerces_in_one_go() -> None:
    """Two kinds of mend in one call are still mends."""
    read = reading('{"limit": "5", "zz": 1}', LENIENT)
    assert {mend.kind for mend in read.mends} == {"unknown_dropped", "lax"}
    assert read.value == {"limit": 5}


def test_a_drop_that_does_not_help_changes_nothing() -> None:
    """All faults are told, and the value is as it was sent."""
    read = reading('{"limit": "x", "zz": 1}', LENIENT)
    assert (read.mends, read.value) == ([], {"limit": "x", "zz": 1})
    assert {issue.code for issue in read.issues} == {"VAL-002", "VAL-005"}


# ---- what is told


@pytest.mark.parametrize(
    ("mend", "expected"),
    [
        (Mend("lax", "/limit", "30", 30), '"30" was read as 30'),
        (Mend("lax", "/api_key", "12", 12), '"[redacted]" was read as "[redacted]"'),
        (Mend("irrelevant", "/limit", 5, None), "The field does not apply here and was left out"),
        (Mend("unknown_dropped", "/zz", 1, None), "The field is unknown and was left out"),
        (
            Mend("salvage", "", "text", "tool call"),
            "The call was written as text and was read as a call; send it as a tool call",
        ),
    ],
)
def test_each_mend_is_told_as_a_warning(mend: Mend, expected: str) -> None:
    """In plain words, secrets left out."""
    (issue,) = mend_issues([mend])
    assert (issue.code, issue.severity, issue.path) == ("MEND", "warning", mend.path)
    assert issue.message == expected
