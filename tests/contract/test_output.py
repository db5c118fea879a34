"""How a finding is made from the tables."""

import pytest

from handrail import Coverage, Issue, Severity, Status, Tool, ToolError
from handrail.contract.judge import Judgement
from handrail.contract.output import Case, Output, failed, made, result_of, stated
from handrail.contract.verdict import VERDICTS


def search(query: str) -> object:
    """Search."""
    return query


CASE = Case(Tool.from_function(search), {"query": "a"}, 0.0, None)


def test_a_clean_judgement_has_nothing_in_it() -> None:
    """It is of the output, and the data is its value."""
    found = Output(value=[1])
    assert (found.stage, found.ok, found.value, found.code) == ("output", True, [1], None)


@pytest.mark.parametrize(
    "row", ["schema_mismatch", "partial_data", "need_user_input", "tool_failed"]
)
def test_the_verdict_table_decides(row: str) -> None:
    """Failures are told in place of the data, anything else behind it."""
    found = made(CASE, row, "x", "A text. And more.")
    verdict = VERDICTS[row]
    assert (found.status, found.coverage) == (verdict.status, verdict.coverage)
    assert (found.told, found.behind)[not verdict.is_error] == "A text. And more."
    assert (found.told, found.behind)[verdict.is_error] is None
    assert (found.advice.next, found.advice.reason) == (verdict.next, "A text.")


def test_a_cut_result_is_asked_for_again_with_less() -> None:
    """The one broken form about which the model can do something."""
    assert failed(CASE, "truncated_response").advice.next == "retry_changed"
    assert failed(CASE, "invalid_json").advice.next == "other_tool"


def test_a_foreign_class_is_a_failure_of_the_tool() -> None:
    """And a hostile code is one word on one line."""
    found = stated(CASE, ToolError("odd", "a\nb" * 99, "x"))
    assert found.error_class == "tool_failed"
    assert found.code is not None
    assert "\n" not in found.code
    assert len(found.code) <= 64


@pytest.mark.parametrize("row", ["transient", "budget_spent", "need_user_input", "schema_mismatch"])
def test_an_authors_class_is_honoured(row: str) -> None:
    """With its own code."""
    found = stated(CASE, ToolError(row, "mine", "why", "do this"))
    assert (found.error_class, found.code, found.status) == (row, "mine", VERDICTS[row].status)
    assert "why. do this." in (found.told or found.behind or "")
    assert [issue.code for issue in found.issues] == ["mine"]


def test_several_findings_are_all_told() -> None:
    """The first decides."""
    errors = [ToolError("semantic_garbage", "a", "one"), ToolError("semantic_garbage", "b", "two")]
    found = stated(CASE, errors[0], beside=errors)
    assert (found.code, [issue.code for issue in found.issues]) == ("a", ["a", "b"])
    assert str(found.told).endswith("\nAlso: two")


def test_a_result_carries_both_judgements() -> None:
    """Issues of the arguments first; advice of both for the operator."""
    warned = Issue("MEND", "/query", "was read as a", Severity.WARNING)
    judgement = Judgement(issues=(warned,), host_advice="a check raised")
    own = Issue("unchecked", "", "This result could not be checked", Severity.WARNING)
    output = Output(value="x", issues=(own,), host_advice="another raised")
    result = result_of(CASE.tool, output, judgement, call_id="c")
    assert result.issues == (warned, own)
    assert result.host_advice == "a check raised; another raised"
    assert result.content.endswith("- /query: was read as a\n- This result could not be checked")
    assert (result.status, result.coverage) == (Status.OK, Coverage.SATISFIED)


def test_what_stands_behind_data_stands_before_notes() -> None:
    """Data, then what it means, then warnings."""
    note = Issue("MEND", "/query", "was read as a", Severity.WARNING)
    output = made(CASE, "partial_data", "more_pages", "More exists.").replace(value=[1])
    result = result_of(CASE.tool, output, Judgement(issues=(note,)), call_id="c")
    assert result.content == "[1]\n\nMore exists.\n\nNote:\n- /query: was read as a"
    assert (result.complete, result.code) == (False, "more_pages")
