"""The effect of a widening: false alarms judged again."""

from typing import Any

from pydantic import BaseModel

from handrail.contract.issue import Issue, Severity
from handrail.contract.judge import judge_input
from handrail.contract.policy import Settings
from handrail.contract.tool import Tool
from handrail.replay.effect import PARAMETERS, RETURNS, Alarm, cleared, error_paths, returns_schema
from handrail.replay.outcomes import judged_result
from handrail.replay.records import Place, Recorded
from handrail.replay.schemas import Contract
from handrail.replay.widening import Change

POLICY = Settings()
SCHEMA = {"type": "object", "properties": {"cabin": {"enum": ["economy"]}, "seats": {"maximum": 2}}}
WIDER = Change(("properties", "cabin", "enum"), ["economy"], ["economy", "business"], 5, "")


class Order(BaseModel):
    """A row."""

    surname: str


def order(surname: str) -> Order:
    """Order."""
    raise AssertionError(surname)


def rejected(tool: Tool, arguments: dict[str, Any]) -> Alarm:
    """A call that the tool's contract rejects."""  # Any: JSON values
    call = Recorded(place=Place("log", 1), tool=tool.name, arguments=arguments, result="ok")
    judgement = judge_input(tool, arguments, POLICY)
    assert not judgement.ok
    return Alarm(call, "ok", judgement.value, PARAMETERS, judgement.issues)


def test_calls_are_judged_again_by_the_wider_schema() -> None:
    """One is let pass; one that breaks something else is not."""
    tool = Tool.from_json_schema("book", "Book.", SCHEMA)
    alarms = [
        (rejected(tool, {"cabin": "business"}), 4),
        (rejected(tool, {"cabin": "business", "seats": 3}), 2),
        (rejected(tool, {"cabin": "first"}), 1),
    ]
    assert cleared(Contract(tool, "book"), {PARAMETERS: [WIDER]}, alarms, POLICY) == 4
    assert cleared(Contract(tool, "book"), {}, alarms, POLICY) == 0


def test_the_authors_own_check_still_counts() -> None:
    """A wider schema does not silence it."""
    tool = Tool.from_json_schema("book", "Book.", SCHEMA, check_input=lambda args: "not on Sundays")
    alarm = rejected(tool, {"cabin": "business"})
    assert cleared(Contract(tool, "book"), {PARAMETERS: [WIDER]}, [(alarm, 1)], POLICY) == 0


def test_models_are_judged_again_by_what_was_found() -> None:
    """Arguments and results of a tool whose types are Python's."""
    tool = Tool.from_function(order)
    nullable = Change(("properties", "surname", "type"), "string", ["string", "null"], 5, "")
    result = {"surname": None}
    output = judged_result(tool, result, False, {"surname": "x"})
    assert output is not None
    returned = Alarm(rejected(tool, {"surname": None}).call, result, result, RETURNS, output.issues)
    contract = Contract(tool, "order", declared=True)
    assert returns_schema(tool)["required"] == ["surname"]
    assert cleared(contract, {RETURNS: [nullable]}, [(returned, 1)], POLICY) == 1
    assert cleared(
        contract, {PARAMETERS: [nullable]}, [(rejected(tool, {"surname": None}), 1)], POLICY
    )
    assert cleared(contract, {PARAMETERS: [nullable]}, [(returned, 1)], POLICY) == 0


def test_a_schema_of_results_is_widened_too() -> None:
    """That of a tool known by JSON Schemas alone."""
    returns = {"type": "object", "properties": {"orders": {"type": "array", "minItems": 1}}}
    tool = Tool.from_json_schema("find", "Find.", {"type": "object"}, output_schema=returns)
    call = Recorded(place=Place("log", 1), tool="find", arguments="{}")
    output = judged_result(tool, '{"orders": []}', False, {})
    assert output is not None
    alarm = Alarm(call, '{"orders": []}', {"orders": []}, RETURNS, output.issues)
    change = Change(("properties", "orders", "minItems"), 1, 0, 9, "")
    assert cleared(Contract(tool, "find"), {RETURNS: [change]}, [(alarm, 1)], POLICY) == 1


def test_no_form_has_no_schema() -> None:
    """Nothing declared, or only warned of."""

    def count(q: str) -> int:
        """Count."""
        raise AssertionError(q)

    assert returns_schema(Tool.from_function(count)) == {}
    assert returns_schema(Tool.from_json_schema("t", "T.", SCHEMA)) == {}


def test_only_errors_are_found() -> None:
    """Warnings let a call run."""
    issues = [Issue("VAL-005", "/a", "x", Severity.WARNING), Issue("VAL-001", "/b", "x")]
    assert error_paths(issues) == {"/b"}
