"""The JSON forms have the keys of the contract, at every size."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from feedback_cases import CONTENT, PATH, Judged, WriteFile, many, priority
from handrail.contract.documents import as_json, as_problem
from handrail.contract.feedback import render
from handrail.contract.issue import Issue, Severity
from handrail.contract.layout import Draft, Level
from handrail.contract.patch import apply
from handrail.contract.sheet import Sheet, sheet_of
from snapshots import matches_snapshot

KEYS = [
    "valid", "format", "tool", "error", "error_class", "code", "detail", "hint", "attempt",
    "max_attempts", "final_attempt", "issues", "suggestions", "valid_parameters", "intent",
]  # fmt: skip
PROBLEM_KEYS = [
    "type", "title", "status", "detail", "instance", "format", "tool", "attempt", "max_attempts",
    "issues", "suggestions",
]  # fmt: skip


@pytest.mark.parametrize("limit", [500, 900, 1500, 4000])
def test_keys_do_not_depend_on_the_size(limit: int) -> None:
    """Members lose their contents, never their names."""
    issues = many()
    as_json = json.loads(render(issues, tool=WriteFile(), form="json", limit=limit))
    problem = json.loads(render(issues, tool=WriteFile(), form="problem", limit=limit))
    assert list(as_json) == KEYS
    assert list(problem) == PROBLEM_KEYS
    assert as_json["issues"][0]["path"] == problem["issues"][0]["path"] == "/content"


def test_values_of_the_json_form() -> None:
    """What a program reads without parsing prose."""
    found = json.loads(render([PATH], tool=WriteFile(), form="json", attempt=3))
    assert (found["valid"], found["format"], found["final_attempt"]) == (False, "handrail/1", True)
    assert (found["error_class"], found["code"]) == ("invalid_arguments", "VAL-001")
    assert found["valid_parameters"] == ["path", "content", "priority", "items"]
    assert found["intent"] == WriteFile.when_to_use
    assert found["issues"][0]["hint"] == "add /path (string)"


def test_suggestions_apply() -> None:
    """The operations of all shown issues, removals last, lead to the corrected arguments."""
    remove = {"op": "remove", "path": "/extra"}
    edit = priority()
    assert edit.suggestion is not None
    unknown = Issue(
        "VAL-005", "/extra", "m", suggestion=type(edit.suggestion)((remove,)), hint="Remove /extra."
    )
    given = {"extra": 1, "priority": "hgih"}
    found = json.loads(render(Judged([unknown, edit], given), tool="t", form="json"))
    assert [op["op"] for op in found["suggestions"]] == ["replace", "remove"]
    assert apply(found["suggestions"], given) == {"priority": "high"}


def test_accepted_calls_are_valid() -> None:
    """With warnings only, nothing is an error."""
    warning = Issue("MEND", "/a", "m", Severity.WARNING)
    found = json.loads(render([warning], tool="t", form="json"))
    assert (found["valid"], found["error"], found["error_class"]) == (True, None, None)


def test_a_spent_repeat_budget_is_spelled_as_in_the_seed() -> None:
    """Only this form prints seed 001's class and code."""
    judged = Judged([Issue("BUD-002", "", "again")], error_class="budget_spent")
    found = json.loads(render(judged, tool="t", form="json"))
    assert (found["error_class"], found["code"]) == ("schema_mismatch", "retry_budget_exceeded")
    assert (
        json.loads(render(judged, tool="t", form="problem"))["type"] == "urn:handrail:budget_spent"
    )


def test_a_problem_document() -> None:
    """The members of RFC 9457."""
    found = json.loads(render([PATH, CONTENT], tool="write file ü", form="problem"))
    assert found["type"] == "urn:handrail:invalid_arguments"
    assert found["status"] == 422
    assert found["instance"] == "urn:handrail:call:write_file__:1"
    assert found["title"] == "Validation failed for tool 'write file ü' (attempt 1/3)"


def sheet(issues: list[Issue], **changes: Any) -> Sheet:
    """What is said of issues of the second attempt."""
    said = sheet_of(
        issues,
        WriteFile(),
        attempt=2,
        max_attempts=3,
        max_issues=10,
        max_preview=100,
        repeated=True,
        guide=True,
    )
    return said._replace(**changes)


@pytest.mark.parametrize("form", [as_json, as_problem])
def test_every_level(form: Callable[[Draft], str]) -> None:
    """Errors of several kinds, a group and a warning; then the first three of them alone."""
    said = sheet(many())
    told = [form(Draft(said, level, shown)) for shown in (5, 3) for level in Level]
    assert matches_snapshot("\n".join(told), f"levels_{form.__name__}")


WARNING = Issue("MEND", "/a", "m", Severity.WARNING)


@pytest.mark.parametrize(
    ("issues", "shown", "level", "expected"),
    [
        ([PATH], 1, Level.NORMAL, "1 error."),
        ([PATH, CONTENT], 2, Level.NO_HINTS, "2 errors."),
        ([PATH, WARNING], 2, Level.NORMAL, "1 error, 1 warning."),
        ([WARNING], 1, Level.NORMAL, "1 warning."),
        ([WARNING], 0, Level.NORMAL, "0 errors, 1 more not shown."),
        ([WARNING], 0, Level.PATHS, "1 more."),
        ([PATH], 1, Level.PATHS, ""),
        ([], 0, Level.NORMAL, "0 errors."),
    ],
)
def test_problems_are_counted(issues: list[Issue], shown: int, level: Level, expected: str) -> None:
    """What is not shown too; with few words where there is no room."""
    found = json.loads(as_json(Draft(sheet(issues, repeated=False), level, shown)))
    assert found["detail"] == expected
    again = json.loads(as_json(Draft(sheet(issues), level, shown)))
    same = "The same arguments came back unchanged."
    assert again["detail"] == f"{expected} {same}".strip()


def test_what_is_unknown_is_null() -> None:
    """A class, a code, an intent; a problem document has a type all the same."""
    said = sheet([], error_class=None, failed=False, intent="", repeated=False)
    found = json.loads(as_json(Draft(said, Level.NORMAL, 0)))
    assert (found["error_class"], found["code"], found["intent"]) == (None, None, None)
    problem = json.loads(as_problem(Draft(said, Level.NORMAL, 0)))
    assert problem["type"] == "urn:handrail:accepted"
    spent = sheet([PATH], error_class="budget_spent")
    found = json.loads(as_json(Draft(spent, Level.NORMAL, 1)))
    assert (found["error_class"], found["code"]) == ("budget_spent", "VAL-001")
