"""Widenings: from 30 accepted calls and 1 % up, as far as accepted calls went and no farther."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.schema_engine import compile_schema
from handrail.replay.violations import violations
from handrail.replay.widening import ABSENT, Broken, Change, Evidence, widened, widenings

Object = dict[str, Any]  # Any: JSON values

WIDER_PATTERN = "(?:^C-\\d{4}$)|^(?:[A-Z]\\-[0-9]{5})$"


def schema(field: Object, **more: Any) -> Object:  # Any: JSON Schema
    """An object with one field."""
    return {"type": "object", "properties": {"f": field}, **more}


def suggested(given: Object, values: list[Object], accepted: int = 100) -> list[Change]:
    """What these values, which were accepted, ask for."""
    broken = Broken()
    for value in values:
        broken.add(violations(given, value))
    return widenings(given, broken, accepted)


@pytest.mark.parametrize(
    ("field", "values", "keyword", "after"),
    [
        ({"type": "string"}, [None], "type", ["string", "null"]),
        ({"type": ["string", "null"]}, [3], "type", ["string", "null", "integer"]),
        ({"type": "integer"}, [2.5], "type", "number"),
        ({"enum": ["a"]}, ["b", "c", "c"], "enum", ["a", "c", "b"]),
        ({"type": "array", "minItems": 1}, [[]], "minItems", 0),
        ({"type": "array", "maxItems": 1}, [[1, 2], [1, 2, 3]], "maxItems", 3),
        ({"type": "number", "minimum": 1}, [0, -2.5], "minimum", -2.5),
        ({"type": "number", "maximum": 1}, [2, 9], "maximum", 9),
        ({"type": "string", "minLength": 3}, ["ab"], "minLength", 2),
        ({"type": "string", "maxLength": 1}, ["ab"], "maxLength", 2),
        ({"type": "string", "format": "date"}, ["soon"], "format", ABSENT),
        ({"type": "number", "multipleOf": 2}, [3], "multipleOf", ABSENT),
        ({"type": "array", "uniqueItems": True}, [[1, 1]], "uniqueItems", ABSENT),
        ({"type": "string", "pattern": "^C-\\d{4}$"}, ["C-99210"], "pattern", WIDER_PATTERN),
        ({"type": "string", "pattern": "^C"}, ["größe"], "pattern", ABSENT),
        ({"anyOf": [{"type": "string"}]}, [None], "anyOf", [{"type": "string"}, {"type": "null"}]),
    ],
)  # fmt: skip
def test_one_keyword(field: Object, values: list[object], keyword: str, after: object) -> None:
    """The edit, and that the widened schema takes what was seen."""
    given = schema(field)
    (change,) = suggested(given, [{"f": value} for value in values])
    assert (change.pointer, change.after) == (f"/properties/f/{keyword}", after)
    wider = compile_schema(widened(given, [change]))
    assert all(wider.is_valid({"f": value}) for value in values)
    assert given == schema(field)


def test_bounds_that_exclude_become_bounds_that_include() -> None:
    """Two edits in one place."""
    changes = suggested(schema({"exclusiveMinimum": 0}), [{"f": 0}])
    assert [(one.path[-1], one.after) for one in changes] == [
        ("exclusiveMinimum", ABSENT),
        ("minimum", 0),
    ]
    changes = suggested(schema({"const": "a"}), [{"f": "b"}])
    assert [(one.path[-1], one.after) for one in changes] == [
        ("const", ABSENT),
        ("enum", ["a", "b"]),
    ]


def test_fields() -> None:
    """One that is missing becomes optional; one that is not named is named, with its type."""
    given = schema({"type": "string"}, required=["f", "g"], additionalProperties=False)
    changes = suggested(given, [{"f": "x", "n": 1}, {"f": "x", "n": "1"}])
    assert [(one.pointer, one.before, one.after) for one in changes] == [
        ("/properties/n", ABSENT, {"type": ["integer", "string"]}),
        ("/required", ["f", "g"], ["f"]),
    ]
    assert changes[1].seen == 'no "g" ×2'


def test_too_many_fields_open_the_object() -> None:
    """Names that are data cannot be listed."""
    given = schema({}, additionalProperties=False)
    (change,) = suggested(given, [{f"n{number}": 1} for number in range(200)])
    assert (change.pointer, change.after) == ("/additionalProperties", True)


@pytest.mark.parametrize(
    ("times", "accepted", "count"), [(1, 29, 0), (1, 30, 1), (1, 100, 1), (1, 101, 0), (2, 200, 1)]
)
def test_a_widening_takes_thirty_calls_and_one_percent(
    times: int, accepted: int, count: int
) -> None:
    """Less is an accident."""
    found = suggested(schema({"type": "string"}), [{"f": None}] * times, accepted)
    assert len(found) == count


def test_each_value_must_be_common_by_itself() -> None:
    """Ten odd values do not carry each other into an enum."""
    odd = [{"f": f"odd{number}"} for number in range(10)]
    (change,) = suggested(schema({"enum": ["a"]}), [*odd, *[{"f": "b"}] * 5], 500)
    assert change.after == ["a", "b"]
    assert suggested(schema({"enum": ["a"]}), odd, 500) == []


def test_secrets_do_not_become_members() -> None:
    """What the redactor would hide is not proposed."""
    key = "sk-" + "a1B2" * 12
    assert suggested(schema({"enum": ["a"]}), [{"f": key}] * 5) == []


def test_types_are_told_as_python_writes_them() -> None:
    """For an author whose contract is an annotation."""
    (change,) = suggested(schema({"type": "string"}), [{"f": None}])
    assert (change.annotation, change.seen) == ("str | None", "null ×1")


def test_evidence_is_bounded() -> None:
    """Long and many different things are only known to have been there."""
    evidence = Evidence()
    evidence.add(["x" * 1_000])
    for number in range(1_000):
        evidence.add([number])
    assert (len(evidence.seen), evidence.overflow, evidence.calls) == (64, True, 1_001)
    assert (evidence.low, evidence.high) == (0, 999)


VALUES = st.none() | st.integers(-9, 9) | st.sampled_from(["a", "b", "abc", "1"]) | st.just([])
FIELDS = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer", "minimum": 0, "maximum": 3},
        {"enum": ["a", 1]},
        {"type": ["string", "null"], "maxLength": 1},
        {"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "array", "minItems": 1}]},
    ]
)


@given(FIELDS, st.lists(VALUES, min_size=1, max_size=8))
def test_a_widening_is_wider(field: Object, values: list[object]) -> None:
    """Whatever fitted fits after all; and what asked for it breaks that keyword no more."""
    given_schema = schema(field)
    changes = suggested(given_schema, [{"f": value} for value in values])
    before = compile_schema(given_schema)
    after = compile_schema(widened(given_schema, changes))
    probes = [*values, None, 0, 9, "a", "zz", [], [1]]
    assert all(after.is_valid({"f": value}) for value in probes if before.is_valid({"f": value}))
