"""Recorded traffic against what really came of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.policy import Settings
from handrail.contract.tool import Tool
from handrail.replay import calibrate as module
from handrail.replay.calibrate import Calibration
from handrail.replay.check import Check
from handrail.replay.records import Answered, Item, Place, Recorded
from handrail.replay.schemas import Catalogue

SCHEMA = {
    "type": "object",
    "properties": {"status": {"enum": ["placed", "shipped"]}, "page": {"type": "integer"}},
    "required": ["status"],
}
FOUND = {
    "type": "object",
    "properties": {"orders": {"type": "array", "minItems": 1}, "page": {"type": "integer"}},
    "required": ["orders"],
}
FIND = Tool.from_json_schema("find", "Find.", SCHEMA, output_schema=FOUND)
ROWS = {"orders": [1], "page": 1}


def call(status: object = "placed", line: int = 1, **fields: Any) -> Recorded:
    """A search for orders that worked."""  # Any: of Recorded
    given: dict[str, Any] = {"tool": "find", "result": ROWS, "error": False}
    arguments = fields.pop("arguments", {"status": status})
    return Recorded(place=Place("log", line), arguments=arguments, **(given | fields))


def calibrated(*items: Item, tools: tuple[Tool, ...] = (FIND,), **fields: Any) -> Calibration:
    """What a contract makes of these."""  # Any: of Calibration
    policy = fields.pop("policy", Settings())
    calibration = Calibration(policy, **fields)
    list(Check(Catalogue(tools), policy, followers=[calibration]).findings(items))
    return calibration


def kinds(calibration: Calibration) -> dict[tuple[str, str, str], int]:
    """Calls by kind, code and field."""
    names = ("false_alarm", "false_alarm_output", "caught", "unsure", "mended", "asked")
    outputs = ("output_schema_mismatch", "output_partial_data", "output_tool_failed")
    return {
        (key.kind, key.code, key.field): one.calls
        for key, one in calibration.groups.ranked(*names, *outputs)
    }


def test_what_is_rejected_is_held_against_what_came_of_it() -> None:
    """Accepted: a suspected false alarm. Failed: caught. Not known: neither."""
    found = calibrated(
        call(),
        call("returned"),
        call("returned", error=True, result="no"),
        call("returned", error=None, result=None),
        call("returned", error=None),
    )
    seen = found.totals
    assert (seen.calls, seen.accepted, seen.assumed, seen.failed) == (5, 3, 1, 1)
    assert (seen.invalid, seen.input_alarms, seen.caught, found.unknown) == (4, 2, 1, 1)
    assert kinds(found) == {
        ("false_alarm", "VAL-008", "/status"): 2,
        ("caught", "VAL-008", "/status"): 1,
        ("unsure", "VAL-008", "/status"): 1,
        ("output_tool_failed", "reported_error", ""): 1,
    }


def test_results_are_judged_too() -> None:
    """By the declared form; broken although the call succeeded is a suspected false alarm."""
    found = calibrated(
        call(),
        call(result='{"orders": []}'),
        call(result='{"orders": [1], "has_more": true}'),
        call(result="gone", error=True),
    )
    assert dict(found.totals.outputs) == {
        "ok": 1, "schema_mismatch": 1, "partial_data": 1, "tool_failed": 1,
    }  # fmt: skip
    assert (found.totals.output_alarms, found.totals.alarmed) == (1, 1)
    assert kinds(found)["false_alarm_output", "schema_violation", "/orders"] == 1


def test_one_call_is_one_false_alarm() -> None:
    """Also if both its arguments and its result are called wrong."""
    found = calibrated(call("returned", result='{"orders": []}'))
    assert (found.totals.input_alarms, found.totals.output_alarms) == (1, 1)
    assert found.totals.alarmed == 1


def test_mended_and_asked() -> None:
    """Both would run."""
    delete = Tool.from_json_schema("drop", "Drop.", SCHEMA, action_type="destructive")
    found = calibrated(
        call(arguments='{"status": "placed",}'), call(tool="drop"), tools=(FIND, delete)
    )
    assert (found.totals.mended, found.totals.asked, found.totals.blocked) == (1, 1, 0)
    assert kinds(found) == {("mended", "trailing_comma", ""): 1, ("asked", "approval", ""): 1}


def test_results_may_stand_apart() -> None:
    """In a later row, by the id of the call."""
    asked = call("returned", result=None, error=None, call_id="c1", conversation="v")
    place = Place("log", 2)
    answer = Answered(place=place, call_id="c1", conversation="v", result="rows", failed=None)
    assert calibrated(asked, answer).totals.input_alarms == 1
    assert calibrated(asked).unknown == 1
    other = Answered(place=place, call_id="c2", conversation="v", result="rows")
    assert calibrated(asked, other).unknown == 1


def test_calls_that_wait_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that waits longest has no result then."""
    monkeypatch.setattr(module, "MOST_WAITING", 2)
    calls = [call("returned", result=None, error=None, call_id=f"c{one}") for one in range(5)]
    answers = [Answered(place=Place("log", 9), call_id=f"c{one}", result="x") for one in range(5)]
    found = calibrated(*calls, *answers)
    assert (found.unknown, found.totals.input_alarms) == (3, 2)


def test_tools_that_do_not_exist_can_be_false_alarms() -> None:
    """If the real tool accepted the call."""
    found = calibrated(call(tool="search"))
    assert (found.totals.refused, found.totals.input_alarms) == (1, 1)
    assert kinds(found) == {("false_alarm", "VAL-019", ""): 1}


def test_widenings_and_their_effect() -> None:
    """Of arguments and of results; judged again together."""
    calls = [call(line=line) for line in range(1, 91)]
    calls += [call("returned", 91 + line) for line in range(6)]
    calls += [call(line=97 + line, result='{"orders": []}') for line in range(3)]
    calls += [call("lost", 100)]
    found = calibrated(*calls)
    told = [(one.side, one.change.pointer, one.change.after) for one in found.suggestions()]
    assert told == [
        ("parameters", "/properties/status/enum", ["placed", "shipped", "returned", "lost"]),
        ("returns", "/properties/orders/minItems", 0),
    ]
    effects = {(one.before, one.after, one.accepted, one.unproved) for one in found.suggestions()}
    assert effects == {(10, 0, 100, 0)}


def test_false_alarms_beyond_those_kept_count_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded, and the effect is not made up."""
    monkeypatch.setattr(module, "MOST_KEPT_OF_TOOL", 10)
    calls = [call(f"returned{number % 20}") for number in range(40)]
    (suggestion,) = calibrated(*calls).suggestions()
    assert (suggestion.before, suggestion.after, suggestion.unproved) == (40, 20, 20)


def test_one_false_alarm_stands_for_those_that_are_alike() -> None:
    """So a week of them is judged again."""
    calls = [call("returned" if number % 2 else "lost") for number in range(3_000)]
    (suggestion,) = calibrated(*calls).suggestions()
    assert (suggestion.before, suggestion.after, suggestion.unproved) == (3_000, 0, 0)


def test_narrowings_are_of_calls_that_the_contract_lets_pass() -> None:
    """And that the real tool failed."""
    failed = [call("shipped", error=True, result="no")] * 3
    ((tool, accepted, one),) = calibrated(*[call()] * 40, *failed).narrowings()
    assert (tool, accepted, one.catches) == ("find", 40, 3)


def test_raw_values_only_where_asked_for() -> None:
    """Everywhere in the examples."""
    for raw in (False, True):
        ((_, group),) = calibrated(call("returned"), raw=raw).groups.ranked("false_alarm")
        assert ("returned" in str(group.examples)) is raw


def test_async_checks_are_counted() -> None:
    """They are not run."""

    async def judge(value: object, args: object) -> None:
        raise AssertionError

    tool = Tool.from_json_schema("find", "Find.", SCHEMA, check_output=judge)
    assert calibrated(call(), tools=(tool,)).unchecked == 1


ANYTHING = st.none() | st.booleans() | st.text(max_size=20) | st.dictionaries(st.text(), st.text())


@given(st.lists(st.tuples(ANYTHING, ANYTHING, ANYTHING), max_size=6))
def test_the_counts_add_up(rows: list[tuple[Any, Any, Any]]) -> None:
    """Whatever a log holds."""  # Any: JSON values
    items = [
        call(arguments=given if isinstance(given, dict) else str(given), result=result, error=error)
        for given, result, error in rows
    ]
    found = calibrated(*items)
    seen = found.totals
    assert seen.calls == len(rows) == seen.accepted + seen.failed + found.unknown
    assert seen.results == sum(seen.outputs.values())
    assert seen.input_alarms + seen.caught <= seen.blocked
    assert max(seen.input_alarms, seen.output_alarms) <= seen.alarmed <= seen.accepted
