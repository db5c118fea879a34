"""Feedback under a policy: form, bounds and counter are the policy's."""

import json

import pytest

from handrail import Tool, ToolResult
from handrail.contract.issue import Issue
from handrail.contract.judge import Judgement, judge_input
from handrail.contract.policy import Settings
from handrail.contract.texts import feedback_text, in_form

SCHEMA = {
    "type": "object",
    "properties": {f"field_{n}": {"type": "string"} for n in range(15)},
    "required": [f"field_{n}" for n in range(15)],
}
TOOL = Tool.from_json_schema("fill", "Fill a form.", SCHEMA)


def told(attempt: int = 1, **settings: object) -> str:
    """What a model is told about an empty form."""
    policy = Settings(**settings)  # type: ignore[arg-type]  # settings of each test
    judgement = judge_input(TOOL, "{}", policy)
    return feedback_text(judgement, TOOL, policy, attempt=attempt, max_attempts=3)


def test_the_summary_names_tool_and_attempt() -> None:
    """The first line, in the words of the contract."""
    assert told(2).splitlines()[0] == "Validation failed for tool 'fill' (attempt 2/3):"


@pytest.mark.parametrize("limit", [500, 800, 4000])
def test_the_length_is_the_policys(limit: int) -> None:
    """Never a character more."""
    assert len(told(max_message_length=limit)) <= limit


@pytest.mark.parametrize(("most", "shown"), [(1, 1), (4, 4), (15, 15)])
def test_as_many_errors_as_the_policy_shows(most: int, shown: int) -> None:
    """The rest is counted."""
    text = told(max_errors_shown=most, max_message_length=4000)
    assert text.count("(VAL-001): ") == shown


def test_the_form_is_the_policys() -> None:
    """JSON where a host parses the feedback."""
    assert json.loads(told(form="json"))["format"] == "handrail/1"


def test_the_policys_token_counter_is_asked() -> None:
    """A budget of tokens shortens the text where the characters would have fitted."""
    text = told(token_budget=60, token_counter=lambda text: len(text.split()))
    assert len(text.split()) <= 60


def test_an_unknown_tool_is_refused_in_the_same_form() -> None:
    """Its name is the model's own text and cannot forge a line."""
    issue = Issue.of("VAL-019", tool="x", nearest="")
    named = "a\n• /b (VAL-001): c"
    text = feedback_text(Judgement.unknown_tool(issue), named, Settings())
    assert "\n• /b" not in text
    assert "(VAL-019): There is no tool 'x'" in text


def test_a_spent_budget_is_a_document_where_documents_are_asked_for() -> None:
    """The json form spells a spent repeat budget as the article does; plain words stay plain."""
    issue = Issue.of("BUD-002", spent=3)
    result = ToolResult(
        call_id="c", tool="fill", error_class="budget_spent", issues=(issue,), _text="No."
    )
    told_as = {form: in_form(result, Settings(form=form)).content for form in ("text", "json")}
    assert told_as["text"] == "No."
    document = json.loads(told_as["json"])
    assert (document["error_class"], document["code"]) == (
        "schema_mismatch",
        "retry_budget_exceeded",
    )
