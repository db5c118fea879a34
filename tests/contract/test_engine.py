"""Two engines, one verdict: the laws of the contract's section 2 over a rich model."""

import json
from copy import deepcopy
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from handrail.contract.engine import Engine, Rejected, engine_for_model, engine_for_schema
from handrail.contract.parse import parse
from handrail.errors import ContractError


class Priority(Enum):
    LOW = "low"
    HIGH = "high"


class Line(BaseModel):
    qty: int = Field(ge=1, le=99)
    sku: str = Field(pattern=r"^[A-Z]{2}-[0-9]+$")
    note: str | None = None


class Card(BaseModel):
    kind: Literal["card"]
    number: str = Field(min_length=4, max_length=6)


class Cash(BaseModel):
    kind: Literal["cash"]
    amount: float = Field(gt=0, multiple_of=0.5)


class Order(BaseModel):
    name: str = Field(min_length=1, max_length=8)
    count: int = 1
    ratio: float = 0.5
    urgent: bool = False
    priority: Priority = Priority.LOW
    mode: Literal["fast", "slow", 3] = "fast"
    day: date | None = None
    at: datetime | None = None
    ref: UUID | None = None
    lines: list[Line] = Field(default=[], max_length=3)
    tags: set[str] = set()
    prices: dict[str, float] = {}
    either: int | str | list[int] = 0
    pay: Annotated[Card | Cash, Field(discriminator="kind")] | None = None
    pair: tuple[int, str] = (1, "a")
    even: int = Field(default=2, multiple_of=2)


GOOD: dict[str, Any] = {
    "name": "pen",
    "count": 2,
    "ratio": 1.5,
    "urgent": True,
    "priority": "high",
    "mode": 3,
    "day": "2026-05-03",
    "at": "2026-05-03T00:00:00",
    "ref": "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
    "lines": [{"qty": 1, "sku": "AB-1"}, {"qty": 2, "sku": "CD-2", "note": None}],
    "tags": ["a", "b"],
    "prices": {"x": 1, "y": 2.5},
    "either": [1],
    "pay": {"kind": "cash", "amount": 2.5},
    "pair": [1, "b"],
    "even": 4,
}

MODEL = engine_for_model(Order, tool="order")
SCHEMA = engine_for_schema(MODEL.schema, tool="order")

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 120)
    | st.sampled_from([1.0, 2.0, 0.25, 1e3, -0.0, 10**30, 3.0])
    | st.sampled_from(["", "low", "hgih", "card", "3", "true", "AB-1", "tomorrow", "2026-05-03"])
    | st.sampled_from(["2026-05-03T00:00:00Z", "2026-05-03 10:00", "too long a text", "x\ny"])
    | st.text(max_size=4)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["kind", "qty", "sku", "x", "amount"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    """Good arguments with one to three places changed, removed or added."""
    value = deepcopy(GOOD)
    for _ in range(draw(st.integers(0, 3))):
        at: Any = value
        while True:
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(at[key], dict | list) and draw(st.booleans()):
                at = at[key]
                continue
            action = draw(st.integers(0, 3))
            if action == 0 and isinstance(at, dict):
                del at[key]
            elif action == 1 and isinstance(at, dict):
                at[draw(st.sampled_from(["extra", "Name", "line", "q"]))] = draw(SCALARS)
            else:
                at[key] = draw(VALUES)
            break
    return value


def verdict(engine: Engine, value: dict[str, Any]) -> list[tuple[str, str]]:
    """Codes and paths; empty when the arguments are accepted."""
    text = json.dumps(value)
    try:
        engine.accept(text)
    except Rejected as rejected:
        issues = engine.explain(text, value, rejected)
        assert issues
        return sorted((issue.code, issue.path) for issue in issues)
    return []


@given(mutated() | st.dictionaries(st.sampled_from(list(GOOD)), VALUES, max_size=6))
@settings(max_examples=300)
def test_both_engines_agree(value: dict[str, Any]) -> None:
    """The same schema gives the same verdict, codes and paths, whichever engine judges."""
    assert verdict(MODEL, value) == verdict(SCHEMA, value)


@pytest.mark.fuzz
@given(mutated() | st.dictionaries(st.sampled_from(list(GOOD)), VALUES, max_size=6))
@settings(max_examples=5_000)
def test_both_engines_agree_over_thousands(value: dict[str, Any]) -> None:
    """The same law, for longer."""
    assert verdict(MODEL, value) == verdict(SCHEMA, value)


@given(mutated())
def test_lax_is_a_superset_of_the_authors_model(value: dict[str, Any]) -> None:
    """What the author's own model takes is accepted strictly or laxly."""
    text = json.dumps(value)
    try:
        Order.model_validate_json(text, extra="forbid")
    except ValidationError:
        return
    tags = value.get("tags", [])
    if len(set(tags)) < len(tags):
        return
    assert verdict(MODEL, value) == [] or MODEL.lax(value) is not None


@given(mutated())
def test_a_lax_reading_with_known_values_is_strictly_valid(value: dict[str, Any]) -> None:
    """A patched reading re-validates strictly and means what the author's model understood."""
    reading = MODEL.lax(value)
    if reading is None or any(before is after for _, before, after in reading.changes):
        return
    assert verdict(SCHEMA, reading.value) == []
    assert MODEL.prepare(reading.value) == reading.prepared


@given(mutated())
def test_paths_point_into_the_arguments(value: dict[str, Any]) -> None:
    """Every path is a place in the arguments as sent, or the place of a missing field."""
    text = json.dumps(value)
    try:
        MODEL.accept(text)
    except Rejected as rejected:
        for issue in MODEL.explain(text, value, rejected):
            at: Any = value
            parts = issue.path.split("/")[1:]
            for part in parts[:-1] if issue.code == "VAL-001" else parts:
                at = at[int(part)] if isinstance(at, list) else at[part]


def test_the_good_arguments_are_good() -> None:
    """The base of the property tests is accepted by both engines."""
    assert verdict(MODEL, GOOD) == verdict(SCHEMA, GOOD) == []


@pytest.mark.parametrize(
    ("field", "value", "code", "path"),
    [
        ("count", 1.5, "VAL-002", "/count"),
        ("count", True, "VAL-002", "/count"),
        ("name", None, "VAL-002", "/name"),
        ("at", "tomorrow", "VAL-010", "/at"),
        ("mode", True, "VAL-002", "/mode"),
        ("mode", "fsat", "VAL-008", "/mode"),
        ("tags", ["a", "b", "a"], "VAL-012", "/tags"),
        ("lines", [{"qty": 1, "sku": "a"}], "VAL-007", "/lines/0/sku"),
        ("lines", [{"qty": 0, "sku": "AB-1"}], "VAL-003", "/lines/0/qty"),
        ("lines", [{"qty": 1, "sku": "AB-1"}] * 4, "VAL-006", "/lines"),
        ("pay", {"kind": "gold"}, "VAL-008", "/pay/kind"),
        ("pay", {"amount": 2}, "VAL-001", "/pay/kind"),
        ("pay", {"kind": "card", "number": "1"}, "VAL-009", "/pay/number"),
        ("pair", [1], "VAL-006", "/pair"),
        ("even", 3, "VAL-003", "/even"),
        ("either", 1.5, "VAL-002", "/either"),
        ("extra", 1, "VAL-005", "/extra"),
    ],
)
def test_codes(field: str, value: object, code: str, path: str) -> None:
    """One mistake is one issue, with the same code and path from both engines."""
    arguments = {**GOOD, field: value}
    assert verdict(MODEL, arguments) == [(code, path)]
    assert verdict(SCHEMA, arguments) == [(code, path)]


def test_integral_floats_are_integers() -> None:
    """``1.0`` is an integer for both engines, also deep inside."""
    arguments = {**GOOD, "count": 2.0, "lines": [{"qty": 3.0, "sku": "AB-1"}]}
    prepared = MODEL.accept(json.dumps(arguments))
    assert (prepared.count, prepared.lines[0].qty) == (2, 3)
    assert SCHEMA.accept(json.dumps(arguments))["count"] == 2


def test_coercions_are_listed_path_by_path() -> None:
    """What only the author's lax model takes comes with the value before and after."""
    reading = MODEL.lax({"name": "pen", "count": "3", "at": "2026-05-03", "urgent": "yes"})
    assert reading is not None
    assert reading.changes == (
        ("/count", "3", 3),
        ("/urgent", "yes", True),
        ("/at", "2026-05-03", "2026-05-03T00:00:00"),
    )
    assert reading.value == {"name": "pen", "count": 3, "at": "2026-05-03T00:00:00", "urgent": True}


class Easy(BaseModel):
    model_config = ConfigDict(strict=False)
    count: int


def test_an_author_who_states_lax_gets_lax() -> None:
    """``strict=False`` reads laxly without mends, except where exact types are demanded."""
    engine = engine_for_model(Easy)
    assert engine.states_lax is True
    assert engine.accept('{"count": "3"}').count == 3
    with pytest.raises(Rejected):
        engine.accept('{"count": "3"}', exact=True)


def test_a_parsed_mapping_is_judged_like_text() -> None:
    """A mapping and its text give the same prepared model."""
    parsed = parse(GOOD)
    assert MODEL.accept(parsed.text) == MODEL.accept(json.dumps(GOOD))


def test_a_root_that_is_no_object_is_refused() -> None:
    """A contract that no arguments object can fulfil is a ContractError that names the tool."""
    with pytest.raises(ContractError, match="tool 'names' cannot be declared"):
        engine_for_schema({"type": "array"}, tool="names")
