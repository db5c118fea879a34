"""Level 3: the right value in another spelling."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail import Issue
from handrail.contract.mend_value import bare, key_steps, spells_absent, value_steps
from handrail.contract.nodes import Nodes
from handrail.contract.steps import Place, place_of

UNIT = {"enum": ["celsius", "degrees_fahrenheit", "a", "A", "1-0"]}
ROOT = {
    "type": "object",
    "properties": {
        "unit": UNIT,
        "count": {"type": "integer"},
        "ratio": {"type": "number"},
        "exact": {"type": "boolean"},
        "tags": {"type": "array"},
        "listed": {"type": "array", "items": {"enum": ["New York", "York"]}},
        "first": {"type": "array", "prefixItems": [{"enum": ["New York"]}]},
        "box": {"type": "object"},
        "text": {"type": ["string", "integer", "boolean"]},
        "name": {"type": "string"},
        "either": {"type": ["integer", "array"]},
    },
    "additionalProperties": False,
}


def place(name: str, value: Any, code: str) -> Place:
    """The place of an issue at a field."""
    found = place_of(Issue(code, f"/{name}", ""), [name], {name: value}, Nodes(ROOT))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("unit", "CELSIUS", ["celsius"]),
        ("unit", "Degrees Fahrenheit", ["degrees_fahrenheit"]),
        ("unit", "degreesFahrenheit ", ["degrees_fahrenheit"]),
        ("unit", " a", ["a", "A"]),
        ("unit", "10", []),
        ("unit", "celsus", []),
        ("unit", "", []),
    ],
)
def test_enum_members_by_case_and_separators(name: str, value: str, expected: list[str]) -> None:
    """Everything that it may be is listed; the caller takes it only if it is one."""
    found = value_steps(place(name, value, "VAL-008"))
    assert [step.after for step in found] == expected


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("count", "30", [("number_text", 30)]),
        ("count", "-3", [("number_text", -3)]),
        ("ratio", "0.10", [("number_text", 0.1)]),
        ("count", "007", []),
        ("count", "1,000", []),
        ("count", "3 km", []),
        ("count", "1e3", []),
        ("count", "+3", []),
        ("count", "", []),
        ("ratio", "0.1234567890123456", []),
        ("exact", "True", [("boolean_text", True)]),
        ("exact", "false", [("boolean_text", False)]),
        ("exact", "yes", []),
        ("exact", 1, []),
        ("exact", "5", []),
        ("text", "5", []),
        ("text", "true", []),
        ("tags", "5", [("wrapped", ["5"])]),
        ("tags", "York", [("wrapped", ["York"])]),
        ("listed", "New York", [("wrapped", ["New York"])]),
        ("listed", "York New", []),
        ("first", "New York", [("wrapped", ["New York"])]),
        ("ratio", "123456789.123456789012", []),
        ("tags", "New York", []),
        ("tags", 5, [("wrapped", [5])]),
        ("tags", "a, b", []),
        ("tags", "a and b", []),
        ("tags", "[a]", []),
        ("tags", " ", []),
        ("tags", None, []),
        ("tags", {"a": 1}, []),
        ("name", ["x"], [("unwrapped", "x")]),
        ("name", ["x", "y"], []),
        ("name", [["x"]], []),
        ("name", [], []),
        ("name", 5, []),
        ("box", ["x"], []),
        ("either", ["x"], []),
        ("either", "5", [("number_text", 5), ("wrapped", ["5"])]),
    ],
)
def test_other_types(name: str, value: Any, expected: list[tuple[str, Any]]) -> None:
    """Lossless, and never a guess."""
    found = value_steps(place(name, value, "VAL-002"))
    assert [(step.kind, step.after) for step in found] == expected


KEYS = {"properties": {"customer_id": {}, "user_id": {}, "userId": {}, "x1": {}}}


@pytest.mark.parametrize(
    ("given_fields", "name", "expected"),
    [
        (["customerId"], "customerId", [("customerId", "customer_id")]),
        (["Customer-ID"], "customer_id", [("Customer-ID", "customer_id")]),
        (["customerId", "customer_id"], "customerId", []),
        (["customerId", "CUSTOMER_ID"], "customerId", []),
        (["customerId", "CUSTOMER_ID"], "customer_id", []),
        (["USERID"], "USERID", []),
        (["custmer_id"], "custmer_id", []),
        (["x_1"], "x_1", [("x_1", "x1")]),
        (["_x1"], "_x1", []),
        (["customerId"], "customer-id", []),
        (["customerId", *map(str, range(199))], "customerId", [("customerId", "customer_id")]),
        (["customerId", *map(str, range(200))], "customerId", []),
        ([], "customer_id", []),
        ([], "nothing", []),
    ],
)
def test_keys_by_case_and_separators(
    given_fields: list[str], name: str, expected: list[tuple[str, str]]
) -> None:
    """From the unknown field or from the missing one; two candidates are none."""
    value = dict.fromkeys(given_fields, 1)
    found = place_of(Issue("VAL-005", "", ""), [name], value, Nodes(KEYS))
    assert found is not None
    assert [(step.path[-1], step.after) for step in key_steps(found)] == expected


def test_an_open_object_keeps_its_keys() -> None:
    """Where further fields are stated, a strange key may be meant."""
    root = {**KEYS, "additionalProperties": {"type": "integer"}}
    found = place_of(Issue("VAL-001", "", ""), ["customer_id"], {"customerId": 1}, Nodes(root))
    assert found is not None
    assert key_steps(found) == []


def test_what_spells_an_absent_field_is_not_surplus() -> None:
    """Though it may be the spelling of two."""
    for name, expected in [("USERID", True), ("zz", False)]:
        found = place_of(Issue("VAL-005", "", ""), [name], {name: 1}, Nodes(KEYS))
        assert found is not None
        assert spells_absent(found) is expected
    root = {"properties": {"n": KEYS, "zz": {}}}
    for name, expected in [("USERID", True), ("z-z", False)]:
        found = place_of(Issue("VAL-005", "", ""), ["n", name], {"n": {name: 1}}, Nodes(root))
        assert found is not None
        assert spells_absent(found) is expected


@given(st.text("aB1_- .", max_size=8))
def test_bare_names_do_not_change_again(text: str) -> None:
    """And digits never run together."""
    assert bare(bare(text)) == bare(text)
    assert bare("1-0") != bare("10")
