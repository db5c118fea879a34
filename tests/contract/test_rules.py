"""Rules between fields, as data."""

import copy
import pickle
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.contract.issue import Issue
from handrail.contract.rules import AnyOf, Exclusive, Irrelevant, Ordered, Requires, Rule

CALL = Requires(when={"action": "call_tool"}, fields=["tool_name"])
CONTACT = AnyOf("contact_id", "contact_query", "group_query")
EITHER = Exclusive("contact_id", "contact_query", "group_query")
LINES = Ordered("start_line", "end_line")
BY_IDS = Irrelevant(when={"action": "by_ids"}, fields=["limit"])

NOT_GIVEN = [{}, {"tool_name": None}, {"tool_name": ""}]
GIVEN = [0, False, [], {}, " ", "x"]


def told(issues: list[Issue]) -> list[tuple[str, str, str, str | None]]:
    """What an issue says, without its previews."""
    return [(issue.code, issue.path, issue.message, issue.hint) for issue in issues]


def ordered(first: object, second: object) -> bool:
    """Whether two values pass `Ordered`."""
    return not Ordered("a", "b").check({"a": first, "b": second})


@pytest.mark.parametrize("rest", NOT_GIVEN)
def test_requires_names_the_missing_field_and_the_reason(rest: dict[str, object]) -> None:
    """Absent, null and empty text all count as missing."""
    assert told(CALL.check({"action": "call_tool", **rest})) == [
        (
            "VAL-013",
            "/tool_name",
            "Field 'tool_name' is required when 'action' is 'call_tool'",
            "add /tool_name",
        )
    ]


@pytest.mark.parametrize("value", GIVEN)
def test_requires_takes_zero_false_and_empty_lists_as_given(value: object) -> None:
    """Only null and empty text are nothing."""
    assert CALL.check({"action": "call_tool", "tool_name": value}) == []


def test_requires_is_silent_when_its_condition_does_not_hold() -> None:
    """Another action needs no tool name."""
    assert CALL.check({"action": "list"}) == []


def test_requires_reports_every_missing_field() -> None:
    """One issue a field, so that one retry can mend them all."""
    rule = Requires(when={"mode": ["a", "b"]}, fields=("x", "y", "z"))
    assert [issue.path for issue in rule.check({"mode": "b", "y": 1})] == ["/x", "/z"]


def test_any_of_is_about_the_whole_object() -> None:
    """One issue at the root names all the fields."""
    assert told(CONTACT.check({"contact_id": None, "other": 1})) == [
        (
            "VAL-013",
            "",
            "One of 'contact_id', 'contact_query', 'group_query' is required",
            "add one of /contact_id, /contact_query, /group_query",
        )
    ]


@pytest.mark.parametrize("name", CONTACT.fields)
def test_any_of_is_content_with_one(name: str) -> None:
    """Each of the fields will do."""
    assert CONTACT.check({name: "x"}) == []


def test_any_of_heeds_its_condition() -> None:
    """The fields are needed for one action only."""
    rule = AnyOf("a", "b", when={"action": "find"})
    assert [bool(rule.check({"action": name})) for name in ("find", "list")] == [True, False]


def test_exclusive_points_at_the_later_field() -> None:
    """The fields that were given are named, the others are not."""
    assert told(EITHER.check({"group_query": "g", "contact_id": 7})) == [
        (
            "VAL-014",
            "/group_query",
            "Only one of 'contact_id', 'group_query' may be given",
            "send only one of /contact_id, /group_query",
        )
    ]


def test_exclusive_points_at_the_last_of_all_that_are_given() -> None:
    """One issue, however many there are."""
    [issue] = EITHER.check({"contact_id": 1, "contact_query": 2, "group_query": 3})
    assert issue.path == "/group_query"


def test_exclusive_heeds_its_condition() -> None:
    """And names it."""
    rule = Exclusive("a", "b", when={"action": "find"})
    assert rule.check({"a": 1, "b": 2, "action": "list"}) == []
    [issue] = rule.check({"a": 1, "b": 2, "action": "find"})
    assert issue.message == "Only one of 'a', 'b' may be given when 'action' is 'find'"


def test_exclusive_ignores_what_models_fill_in_for_nothing() -> None:
    """Null and empty text beside a value are no second value."""
    assert EITHER.check({"contact_id": 7, "contact_query": None, "group_query": ""}) == []


def test_irrelevant_gives_the_exact_edit() -> None:
    """The hint is a sentence and the suggestion a patch."""
    args = {"action": "by_ids", "limit": 5}
    [issue] = BY_IDS.check(args)
    assert told([issue]) == [
        (
            "VAL-014",
            "/limit",
            "Field 'limit' does not apply when 'action' is 'by_ids'",
            "Remove /limit.",
        )
    ]
    assert issue.suggestion is not None
    assert issue.suggestion.ops == ({"op": "remove", "path": "/limit"},)


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"action": "by_ids", "limit": 0}, ("limit",)),
        ({"action": "by_ids", "limit": None}, ()),
        ({"action": "by_ids"}, ()),
        ({"action": "by_time_span", "limit": 5}, ()),
        ({"limit": 5}, ()),
    ],
)
def test_irrelevant_lists_what_may_be_dropped(
    args: dict[str, object], expected: tuple[str, ...]
) -> None:
    """Only what is given, and only when the condition holds."""
    assert BY_IDS.irrelevant(args) == expected


def test_ordered_shows_both_values() -> None:
    """The later field carries the issue, the earlier one the bound."""
    [issue] = LINES.check({"start_line": 9, "end_line": 5})
    assert told([issue]) == [
        (
            "VAL-015",
            "/end_line",
            "'start_line' must not be greater than 'end_line'",
            "make /start_line at most /end_line",
        )
    ]
    assert (issue.expected, issue.actual) == ("not below 'start_line': 9", "5")


def test_ordered_shows_little_of_a_value_and_nothing_of_a_secret() -> None:
    """Forty characters of the bound, and no password."""
    [issue] = Ordered("a", "b").check({"a": "z" * 60, "b": "a" * 60})
    assert issue.expected == f"not below 'a': \"{'z' * 35}...\" (60 characters)"
    [issue] = Ordered("password", "api_key").check({"password": "zzz", "api_key": "aaa"})
    assert "zzz" not in str(issue.expected)
    assert "aaa" not in str(issue.actual)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (2, 1),
        (1.5, 1),
        ("9", "8"),
        ("10", "9"),
        (10, "9"),
        ("2026-05-04", "2026-05-03"),
        ("2026-05-04T00:00:00", "2026-05-03T23:59:59"),
        ("2026-05-03T12:00:00Z", "2026-05-03T13:00:00+02:00"),
        ("2026-05-03t12:00:00z", "2026-05-03T11:00:00Z"),
        ("2026-05-04T00:00:00", "2026-05-03"),
        ("b", "a"),
    ],
)
def test_ordered_refuses_what_descends(first: object, second: object) -> None:
    """Numbers, numbers as text, dates, date-times with zones, and text."""
    assert (ordered(first, second), ordered(second, first)) == (False, True)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (2, "b"),
        (True, False),
        (2, None),
        ([2], [1]),
        ({}, []),
        ("2026-05-04", "tomorrow"),
        ("tomorrow", "2026-05-04"),
        ("2026-05-04T00:00:00Z", "2026-05-03T00:00:00"),
        ("2026-99-99", "2026-01-01"),
        ("2026-05-03T10:00:00", "2026-05-03"),
        (float("nan"), 1),
        (float("nan"), "1"),
    ],
)
def test_ordered_leaves_alone_what_does_not_compare(first: object, second: object) -> None:
    """No verdict where there is no common scale, in either direction."""
    assert (ordered(first, second), ordered(second, first)) == (True, True)


def test_ordered_compares_across_a_gap() -> None:
    """With the middle one absent or of another kind, the outer two still have to be in order."""
    rule = Ordered("low", "middle", "high")
    for rest in ({}, {"middle": "x"}, {"middle": None}):
        assert [issue.path for issue in rule.check({"low": 3, "high": 1, **rest})] == ["/high"]


@pytest.mark.parametrize(
    ("when", "args", "expected"),
    [
        ({"n": 1}, {"n": 1.0}, True),
        ({"n": 1}, {"n": True}, False),
        ({"n": "1"}, {"n": 1}, False),
        ({"n": True}, {"n": "anything"}, True),
        ({"n": True}, {"n": True}, True),
        ({"n": True}, {"n": False}, False),
        ({"n": True}, {"n": 0}, True),
        ({"n": True}, {"n": None}, False),
        ({"n": [True]}, {"n": "anything"}, False),
        ({"n": False}, {"n": False}, True),
        ({"n": False}, {}, False),
        ({"n": None}, {}, True),
        ({"n": None}, {"n": ""}, True),
        ({"n": None}, {"n": 0}, False),
        ({"n": ["a", 2]}, {"n": 2}, True),
        ({"n": ["a", 2]}, {"n": ["a", 2]}, False),
        ({"n": "a", "m": "b"}, {"n": "a"}, False),
        ({"n": "a", "m": "b"}, {"n": "a", "m": "b"}, True),
    ],
)
def test_conditions(when: dict[str, object], args: dict[str, object], expected: bool) -> None:
    """A value, a list of values, given and not given; all fields must match."""
    rule = Requires(when=when, fields="needed")  # type: ignore[arg-type]  # as authors write it
    assert bool(rule.check(args)) == expected


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ({"a": ["x", 2, None, True]}, "'a' is one of 'x', 2, null, true"),
        ({"a": True, "b": None}, "'a' is given and 'b' is not given"),
        ({"a": list(range(7))}, "'a' is one of 0, 1, 2, 3, 4 or 2 more"),
        ({"a": list(range(5))}, "'a' is one of 0, 1, 2, 3, 4"),
        ({"a": ["x", "y"]}, "'a' is one of 'x', 'y'"),
        ({"a": ["x"]}, "'a' is 'x'"),
        ({"api_key": "hunter2"}, "'api_key' has a certain value"),
    ],
)
def test_conditions_in_words(when: dict[str, object], words: str) -> None:
    """Each kind of condition reads as English, and keeps a secret."""
    args = {"a": True, "api_key": "hunter2"} | {n: v for n, v in when.items() if isinstance(v, str)}
    args |= {name: value[0] for name, value in when.items() if isinstance(value, list)}
    rule = Requires(when=when, fields="z")  # type: ignore[arg-type]  # as authors write it
    assert [issue.message for issue in rule.check(args)] == [f"Field 'z' is required when {words}"]


def test_a_set_of_values_has_an_order_and_a_list_keeps_its_own() -> None:
    """Two programs that declare the same rule tell the model the same; kinds may be mixed."""
    named = [
        Requires(when={"a": values}, fields="z").when  # type: ignore[dict-item]  # sets are taken
        for values in ({"c", "b", 2, None}, frozenset({2, None, "b", "c"}), ["c", "a", "b"])
    ]
    mixed = (("a", ("b", "c", 2, None)),)
    assert named == [mixed, mixed, (("a", ("c", "a", "b")),)]


def test_named_fields_hold_conditions_too() -> None:
    """What a declaration has to check against the schema."""
    rules: list[Rule] = [CALL, AnyOf("a", "b", when={"c": True, "a": 1}), EITHER, LINES, BY_IDS]
    assert [rule.named_fields() for rule in rules] == [
        ("tool_name", "action"),
        ("a", "b", "c"),
        ("contact_id", "contact_query", "group_query"),
        ("start_line", "end_line"),
        ("limit", "action"),
    ]


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (lambda: Requires(when={"a": 1}, fields=[]), "Requires needs at least one field"),
        (lambda: Requires(when={}, fields=["b"]), "Requires needs a `when`"),
        (lambda: Requires(None, fields=["b"]), "Requires needs a `when`"),  # type: ignore[arg-type]  # a slip
        (lambda: Requires(when={"a": []}, fields=["b"]), "Requires compares 'a' with"),
        (lambda: Requires(when={"a": {"b": 1}}, fields=["b"]), "Requires compares 'a' with"),
        (
            lambda: Requires(when={"a": 1}, fields=["a"]),
            "Requires names 'a' both in `when` and in `fields`",
        ),
        (
            lambda: Irrelevant(when={"a": 1}, fields=["b", "b"]),
            "Irrelevant names the field 'b' twice",
        ),
        (
            lambda: Irrelevant(when={"": 1}, fields=["b"]),
            "Irrelevant takes names of fields, got ''",
        ),
        (lambda: Irrelevant(when={"a": 1}, fields=[]), "Irrelevant needs at least one field"),
        (lambda: Irrelevant(when={}, fields=["b"]), "Irrelevant needs a `when`"),
        (lambda: Irrelevant(when={"a": 1}, fields=["a"]), "Irrelevant names 'a' both in `when`"),
        (lambda: Exclusive("a", "b", when={}), "Exclusive needs a `when`"),
        (lambda: AnyOf("a"), "AnyOf needs at least two fields"),
        (lambda: AnyOf("a", "b", when={}), "AnyOf needs a `when`"),
        (lambda: Exclusive("a"), "Exclusive needs at least two fields"),
        (lambda: Exclusive("a", ""), "Exclusive takes names of fields, got ''"),
        (lambda: Exclusive("a", [3]), "Exclusive takes names of fields, got 3"),  # type: ignore[list-item]  # a slip
        (lambda: Ordered("a"), "Ordered needs at least two fields"),
    ],
)
def test_nonsense_is_refused_in_plain_words(build: Callable[[], object], says: str) -> None:
    """A rule that can never mean anything is a fault of its author."""
    with pytest.raises(ValueError) as caught:
        build()
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize("rule", [CALL, CONTACT, EITHER, LINES, BY_IDS], ids=repr)
def test_rules_are_values(rule: Rule) -> None:
    """Equal, hashable, copied and sent like any value, and frozen."""
    twins = [copy.deepcopy(rule), pickle.loads(pickle.dumps(rule))]
    assert ([twin == rule for twin in twins], len({rule, *twins})) == ([True, True], 1)
    with pytest.raises(AttributeError):
        rule.fields = ()  # type: ignore[misc]  # frozen, which is the point


def test_list_and_positional_names_mean_the_same() -> None:
    """Both spellings that authors use are one rule."""
    assert Ordered(["a", "b"]) == Ordered("a", "b")
    assert AnyOf(["a", "b"]) == AnyOf("a", "b")
    assert Requires({"c": 1}, "a") == Requires(when={"c": 1}, fields=["a"])


def test_no_name_or_value_forges_a_line() -> None:
    """Line breaks in an author's names and values are escaped."""
    rule = Requires(when={"a\nb": "c\nd"}, fields=["e\nErrors:"])
    [issue] = rule.check({"a\nb": "c\nd"})
    assert "\n" not in issue.message + str(issue.hint)


NAMES = st.sampled_from(["a", "b", "c"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
MOMENTS = ["2026-05-03", "2026-05-03T00:00:00Z", "0001-01-01T00:00+14:00", "12", "a", ""]
WORDS = st.sampled_from(MOMENTS)
VALUES = SCALARS | WORDS | st.lists(SCALARS, max_size=2) | st.dictionaries(NAMES, SCALARS)
WHEN = st.dictionaries(st.sampled_from(["a", "d"]), SCALARS | WORDS, min_size=1, max_size=2)


@settings(max_examples=200)
@given(WHEN, st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), VALUES))
def test_no_rule_ever_raises(when: dict[str, object], args: dict[str, object]) -> None:
    """Whatever the arguments are, a rule has an answer that names its own fields."""
    rules: list[Rule] = [
        Requires(when=when, fields=["b", "c"]),  # type: ignore[arg-type]  # any scalar
        AnyOf("a", "b", when=when),  # type: ignore[arg-type]  # any scalar
        Exclusive("a", "b", "c", when=when),  # type: ignore[arg-type]  # any scalar
        Ordered("a", "b", "c", "d"),
        Irrelevant(when=when, fields=["b", "c"]),  # type: ignore[arg-type]  # any scalar
    ]
    for rule in rules:
        for issue in rule.check(args):
            assert issue.path == "" or issue.path[1:] in rule.named_fields()


@given(st.dictionaries(st.sampled_from(["a", "b", "c", "action"]), VALUES))
def test_dropping_what_is_irrelevant_settles_the_rule(args: dict[str, object]) -> None:
    """After the mend there is nothing left to report, and nothing else was touched."""
    rule = Irrelevant(when={"action": True}, fields=["a", "b"])
    dropped = rule.irrelevant(args)
    kept = {name: value for name, value in args.items() if name not in dropped}
    assert rule.check(kept) == []
    assert [f"/{name}" for name in dropped] == [issue.path for issue in rule.check(args)]


@given(st.dates(date(1, 1, 4), date(9999, 12, 28)), st.integers(-3, 3))
def test_dates_are_ordered_as_days(day: date, shift: int) -> None:
    """Text dates are refused exactly when the calendar says so."""
    other = day + timedelta(days=shift)
    assert ordered(day.isoformat(), other.isoformat()) == (shift >= 0)


@given(st.integers() | st.floats(allow_nan=False), st.integers() | st.floats(allow_nan=False))
def test_numbers_are_ordered_as_numbers(first: float, second: float) -> None:
    """Of two different numbers one order passes, of equal ones both."""
    assert ordered(first, second) == (first <= second)
