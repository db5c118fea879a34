"""The laws of mending (the contract's section 5), for loose arguments and every kind of action.

A mended call validates; mending a mended call changes nothing; a valid call is not touched;
destructive calls are changed in their syntax at most; between two readings none is chosen.
"""

import json
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from handrail import Irrelevant, Judgement, Tool
from handrail.contract.judge import judge_input
from handrail.contract.policy import PRESETS, Settings
from handrail.contract.reading import Rejected

POLICIES = {name: Settings(**values) for name, values in PRESETS.items()}
LEVEL_1 = {"bom", "fence", "prose", "trailing_comma", "python_literal", "quotes"}
LEVEL_2 = {"parsed_json", "whitespace", "null_dropped", "irrelevant"}
LEVEL_3 = {"enum_case", "key_case", "number_text", "boolean_text", "wrapped", "unwrapped"}
BESIDE = {"lax", "unknown_dropped"}


class Row(BaseModel):
    """A nested object."""

    sku_code: str
    qty: int = Field(default=1, ge=0, le=50)


class Args(BaseModel):
    """One field of every kind that a mend may touch."""

    order_id: str
    unit: Literal["celsius", "degrees_fahrenheit", "A", "a"] = "celsius"
    count: int = 1
    ratio: float = 0.5
    exact: bool = False
    tags: list[str] = []
    rows: list[Row] = []
    row: Row | None = None
    either: int | list[int] = 0


RULE = Irrelevant(when={"exact": True}, fields=["count"])
PLAIN = {
    (kind, action): Tool("tool", "It.", None, params, action_type=action)
    for kind, params in {"model": Args, "schema": dict(Tool("t", "T.", None, Args).schema)}.items()
    for action in ("read", "write", "destructive")
}
RULED = {
    key: Tool("tool", "It.", None, tool.params, action_type=key[1], ids=["order_id"], rules=[RULE])
    for key, tool in PLAIN.items()
}

TEXTS = st.sampled_from(
    ["", "5", "-2", "0.50", "007", "true", "False", "yes", "CELSIUS", "Degrees Fahrenheit", " a ",
     "x, y", "x y", '["x"]', '[1, "2"]', '{"sku_code": "s"}', '{"skuCode": "s", "qty": "3"}',
     '[{"sku_code": "s", "qty": null}]', '[{"sku_code"', "[1", "{}"]
)  # fmt: skip
SCALARS = TEXTS | st.integers(-3, 60) | st.booleans() | st.none() | st.floats(-2, 2)
ROWS = st.fixed_dictionaries(
    {}, optional={"sku_code": SCALARS, "skuCode": TEXTS, "qty": SCALARS, "z": SCALARS}
)
LOOSE = SCALARS | ROWS | st.lists(SCALARS | ROWS, max_size=2)
NEAR = {
    "unit": ["CELSIUS", "Degrees Fahrenheit", "a", " A"],
    "count": ["5", ["5"], None, "-1"],
    "ratio": ["0.5", [1], 2],
    "exact": ["true", "FALSE", True, None],
    "tags": ["x", '["x", "y"]', None, 5],
    "rows": ['[{"sku_code": "s", "qty": "2"}]', [{"skuCode": ["s"], "qty": None}], []],
    "row": ['{"skuCode": "s"}', {"sku_code": "s", "z": 1}, None],
    "either": ["[1]", "5", None],
    "orderId": ["p"],
    "ORDER-ID": ["p"],
    "Count": [1, "1"],
    "zz": [1],
}
MORE = st.dictionaries(st.sampled_from(sorted(NEAR)), st.just(0), max_size=3).flatmap(
    lambda names: st.fixed_dictionaries(
        {name: st.sampled_from(NEAR[name]) | st.sampled_from(NEAR[name]) | LOOSE for name in names}
    )
)
BASES = st.sampled_from([{"order_id": "o"}, {"orderId": "o"}, {"order_id": " o"}, {"order_id": 5}])
ARGUMENTS = st.builds(lambda base, more: {**base, **more}, BASES, MORE)
CASES = st.tuples(st.sampled_from(sorted(PLAIN)), st.sampled_from(sorted(POLICIES)), st.booleans())
TRIES = settings(max_examples=80)


def judged(case: Any, arguments: object) -> tuple[Tool, Judgement]:
    """The verdict on arguments; every id counts as seen."""
    key, preset, ruled = case
    tool = (RULED if ruled else PLAIN)[key]
    sent = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return tool, judge_input(tool, sent, POLICIES[preset], lambda _: True)


def fits(tool: Tool, value: Any) -> bool:
    """Whether the engine takes a value strictly."""
    try:
        tool.engine.accept(json.dumps(value), exact=True)
    except Rejected:
        return False
    return True


@TRIES
@given(CASES, ARGUMENTS)
def test_a_mended_call_validates(case: Any, value: dict[str, Any]) -> None:
    """By itself, as if it had been sent like that."""
    tool, found = judged(case, value)
    if found.ok:
        assert fits(tool, found.value)


@TRIES
@given(CASES, ARGUMENTS)
def test_a_mended_call_is_not_mended_again(case: Any, value: dict[str, Any]) -> None:
    """Mending is done once."""
    _, found = judged(case, value)
    if found.ok:
        _, again = judged(case, found.value)
        assert (again.ok, again.value, again.mends) == (True, found.value, ())


@TRIES
@given(CASES, ARGUMENTS)
def test_a_valid_call_is_not_touched(case: Any, value: dict[str, Any]) -> None:
    """Where the schema alone judges, nothing is read that need not be."""
    tool, found = judged((*case[:2], False), value)
    if fits(tool, value):
        assert (found.ok, found.value, found.mends) == (True, value, ())


@TRIES
@given(CASES, ARGUMENTS)
def test_no_kind_above_its_level(case: Any, value: dict[str, Any]) -> None:
    """By action type and preset; destructive calls keep every value."""
    (_, action), preset, _ = case
    _, found = judged(case, value)
    level = POLICIES[preset].mend_level[action]
    allowed = [set(), LEVEL_1, LEVEL_1 | LEVEL_2, LEVEL_1 | LEVEL_2 | LEVEL_3][level]
    if action == "destructive":
        assert (found.value, found.mends) == (value, ())
    elif preset != "strict":
        allowed |= {"lax"} if preset == "balanced" else BESIDE
    assert {mend.kind for mend in found.mends} <= allowed


@TRIES
@given(CASES, ARGUMENTS)
def test_what_remains_wrong_lies_beside_what_was_mended(case: Any, value: dict[str, Any]) -> None:
    """A mend is taken back if its own place still has an issue."""
    _, found = judged((*case[:2], False), value)
    if not found.ok:
        wrong = [issue.path for issue in found.issues if issue.severity == "error"]
        for mend in found.mends:
            assert not any(at == mend.path or at.startswith(f"{mend.path}/") for at in wrong)


@TRIES
@given(CASES, ARGUMENTS, st.data())
def test_a_cut_text_is_never_closed(case: Any, value: dict[str, Any], data: st.DataObject) -> None:
    """Not the arguments in JSON or in Python, and not a container inside a string."""
    text = data.draw(st.sampled_from([json.dumps(value), repr(value)]))
    dress = data.draw(st.sampled_from(["", "```json\n", "Here you are:\n"]))
    _, found = judged(case, dress + text[: data.draw(st.integers(1, len(text) - 1))])
    assert (found.ok, found.value, found.mends) == (False, None, ())
    inside = json.dumps(data.draw(st.lists(ROWS, min_size=1)))
    cut = inside[: data.draw(st.integers(1, len(inside) - 1))]
    _, found = judged(case, {"order_id": "o", "rows": cut})
    assert not found.ok
    assert found.value["rows"] == cut


@pytest.mark.parametrize("case", [(key, "lenient", False) for key in sorted(PLAIN)])
@pytest.mark.parametrize(
    "fields",
    [
        {"order_id": "o", "unit": " a"},
        {"orderId": "o", "ORDER-ID": "p"},
        {"order_id": "o", "tags": "x, y"},
        {"order_id": "o", "tags": "x y"},
        {"order_id": "o", "tags": "[x]"},
        {"order_id": ["o", "p"]},
    ],
)
def test_between_two_readings_none_is_chosen(case: Any, fields: dict[str, Any]) -> None:
    """However much may be mended."""
    _, found = judged(case, fields)
    assert (found.ok, found.value, found.mends) == (False, fields, ())


def test_what_the_authors_own_model_reads_is_one_reading() -> None:
    """An integer or a list of them: the author's model decides, a bare schema cannot."""
    for kind, expected in [("model", 5), ("schema", "5")]:
        _, found = judged(((kind, "read"), "balanced", False), {"order_id": "o", "either": "5"})
        assert found.value["either"] == expected
