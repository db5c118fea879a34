"""Mending: what is provably meant is read, recorded and told, and nothing else is."""

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from handrail import Irrelevant, Mend, Tool
from handrail.contract.mend import Reading, mend_issues, read_broken, read_input
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


def test_a_drop_is_told_beside_what_remains_wrong() -> None:
    """The model is asked for the remaining fault alone."""
    read = reading('{"limit": "x", "zz": 1}', LENIENT)
    assert (read.mends, read.value) == ([Mend("unknown_dropped", "/zz", 1, None)], {"limit": "x"})
    assert [issue.code for issue in read.issues] == ["VAL-002"]


class Closed(BaseModel, extra="forbid"):
    """Its author says that there is nothing else."""

    qty: int


class Around(BaseModel):
    """Its author says nothing."""

    inner: Closed


def test_lenient_drops_nothing_where_the_author_forbids_it() -> None:
    """An explicit word of the author wins."""
    one = Tool("one", "One.", None, Around)
    read = read_input(one, parse('{"inner": {"qty": 1, "x": 2}, "y": 3}'), LENIENT)
    assert [(mend.kind, mend.path) for mend in read.mends] == [("unknown_dropped", "/y")]
    assert [(issue.code, issue.path) for issue in read.issues] == [("VAL-005", "/inner/x")]


def test_off_is_off() -> None:
    """No coercion, no drop, no syntax."""
    read = reading('{"limit": "5", "zz": 1}', LENIENT, mend="off")
    assert (read.mends, {issue.code for issue in read.issues}) == ([], {"VAL-002", "VAL-005"})
    assert read_broken(tool(mend="off"), '{"limit": 1,}', parse('{"limit": 1,}'), LENIENT) is None


# ---- one on top of another


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ('{"items": "[{\\"qty\\": 1}]"}', ["parsed_json"]),
        ('{"items": "[{\\"QTY\\": [\\"1\\"]}]"}', ["parsed_json", "key_case", "unwrapped", "lax"]),
        ('{"limit": null, "action": "BY_IDS"}', ["enum_case", "null_dropped"]),
        ('{"Limit": "3"}', ["key_case", "lax"]),
    ],
)
def test_one_reading_uncovers_the_next(text: str, kinds: list[str]) -> None:
    """Until the whole validates; each is recorded."""
    read = reading(text)
    assert read.issues == []
    assert sorted(mend.kind for mend in read.mends) == sorted(kinds)


def test_paths_are_those_of_the_arguments_as_sent() -> None:
    """Below a field that was renamed, too."""
    schema = dict(tool().schema)
    one = Tool("one", "One.", None, schema)
    read = read_input(one, parse('{"Limit": "3"}'), BALANCED)
    assert read.mends == [
        Mend("key_case", "/Limit", "Limit", "limit"),
        Mend("number_text", "/Limit", "3", 3),
    ]


def test_a_mend_that_does_not_help_at_its_place_is_taken_back() -> None:
    """The list inside the string is wrong itself, so the string is what is told."""
    read = reading('{"items": "[{\\"qty\\": {}}]", "action": "ALL"}')
    assert [mend.kind for mend in read.mends] == ["enum_case"]
    assert [(issue.code, issue.path) for issue in read.issues] == [("VAL-002", "/items")]


def test_what_a_mend_uncovers_may_not_apply() -> None:
    """A rule is asked again after a value was read."""
    read = reading('{"action": "BY_IDS", "limit": 5}', rules=[RULE])
    assert [mend.kind for mend in read.mends] == ["enum_case", "irrelevant"]
    assert read.value == {"action": "by_ids"}


def test_ids_are_cleaned_of_whitespace() -> None:
    """Declared ones, for tools that may be mended in shape."""
    schema = {"properties": {"key": {"type": "string"}}, "type": "object"}
    for action, expected in [("read", "a"), ("write", "a"), ("destructive", " a\n")]:
        one = Tool.from_json_schema("one", "One.", schema, ids=["key"], action_type=action)
        assert read_input(one, parse({"key": " a\n"}), BALANCED).value == {"key": expected}


# ---- broken text


@pytest.mark.parametrize(
    ("policy", "terms", "kinds"),
    [
        (BALANCED, {"action_type": "destructive"}, ["quotes", "trailing_comma"]),
        (LENIENT, {"action_type": "destructive"}, ["quotes", "trailing_comma"]),
        (STRICT, {"action_type": "read"}, None),
        (BALANCED, {"mend": 1}, ["quotes", "trailing_comma"]),
        (BALANCED, {"mend": 0}, None),
    ],
)
def test_who_reads_broken_text(policy: Settings, terms: Any, kinds: list[str] | None) -> None:
    """Every kind of action from level 1 on."""
    text = "{'limit': 1,}"
    read = read_broken(tool(**terms), text, parse(text), policy)
    assert (None if read is None else sorted(mend.kind for mend in read[1])) == kinds


@pytest.mark.parametrize(
    ("action", "taken"), [("read", True), ("write", True), ("destructive", False)]
)
def test_arguments_sent_as_one_string(action: str, taken: bool) -> None:
    """An object in a string is a matter of shape."""
    text = '"{\\"limit\\": 1}"'
    read = read_broken(tool(action_type=action), text, parse(text), BALANCED)
    assert (read is not None) is taken


def test_cut_text_is_not_looked_at() -> None:
    """Whatever stands around it."""
    assert read_broken(tool(), '{"limit": 1', parse('{"limit": 1'), LENIENT) is None


# ---- what is told


@pytest.mark.parametrize(
    ("mend", "expected"),
    [
        (Mend("lax", "/limit", "30", 30), '"30" was read as 30'),
        (Mend("lax", "/api_key", "12", 12), '"[redacted]" was read as "[redacted]"'),
        (Mend("irrelevant", "/limit", 5, None), "The field does not apply here and was left out"),
        (Mend("unknown_dropped", "/zz", 1, None), "The field is unknown and was left out"),
        (Mend("key_case", "/Limit", "Limit", "limit"), 'The field was read as "limit"'),
        (Mend("null_dropped", "/x", None, None), "The field must not be null and was left out"),
        (Mend("quotes", "", "{}", "{}"), "Single quotes were read as double quotes"),
        (
            Mend("parsed_json", "", "{}", "{}"),
            "The arguments were sent as a string and were read as an object",
        ),
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


def test_very_many_faults_are_not_mended() -> None:
    """Work is bounded: beyond some hundred issues the model is asked."""
    for count, mended in [(300, 300), (600, 0)]:
        read = read_input(
            Tool("one", "One.", None, dict(tool().schema)),
            parse({"items": [{"qty": "1"}] * count}),
            BALANCED,
        )
        assert len(read.mends) == mended
