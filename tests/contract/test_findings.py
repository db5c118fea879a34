"""What checks of a result said."""

import pytest

from handrail import Issue, Severity, Tool, ToolError
from handrail.contract.author import Broken
from handrail.contract.findings import with_output_findings
from handrail.contract.output import Output


def search(query: str) -> object:
    """Search."""
    return query


TOOL = Tool.from_function(search)
BEFORE = Output(value={"a": 1}, facts={"n": 1}, lookups=(len,))
GARBAGE = ToolError("semantic_garbage", "no_rows", "no rows")
PARTIAL = ToolError("partial_data", "more", "more rows")


def found(*findings: object) -> Output:
    """The judgement with them."""
    return with_output_findings(TOOL, BEFORE, findings, {"query": "a"})


@pytest.mark.parametrize("finding", [None, True, [], [None], ()])
def test_nothing_said_changes_nothing(finding: object) -> None:
    """But that nothing is left to be looked up."""
    assert found(finding) == BEFORE.replace(lookups=())


@pytest.mark.parametrize(
    ("finding", "error_class", "code"),
    [
        ("too hot", "semantic_garbage", "semantic"),
        (GARBAGE, "semantic_garbage", "no_rows"),
        ([GARBAGE, "too hot"], "semantic_garbage", "no_rows"),
        ([PARTIAL, GARBAGE], "semantic_garbage", "no_rows"),
        (Broken("check raised", GARBAGE), "semantic_garbage", "no_rows"),
        (ToolError("transient", "warming_up"), "transient", "warming_up"),
    ],
)
def test_an_error_decides(finding: object, error_class: str, code: str) -> None:
    """The first; partial data only where nothing is worse."""
    result = found(finding)
    assert (result.error_class, result.code, result.is_error) == (error_class, code, True)
    assert result.facts == {}


def test_words_are_an_issue_of_the_check() -> None:
    """With the code of checks, redacted."""
    (issue,) = found("too hot").issues
    assert (issue.code, issue.severity, issue.message) == ("VAL-015", Severity.ERROR, "too hot")


def test_partial_data_keeps_rows_and_facts() -> None:
    """It is no error."""
    result = found(PARTIAL)
    assert (result.value, result.facts, result.is_error) == ({"a": 1}, {"n": 1}, False)
    assert [issue.severity for issue in result.issues] == [Severity.INFO]


@pytest.mark.parametrize(
    ("finding", "detail"),
    [
        (Broken("check raised KeyError: db", KeyError("db")), "check raised KeyError: db"),
        (5, "a check returned int, expected None, str, ToolError or a list"),
        (Issue("x", "", "m"), "a check returned Issue, expected None, str, ToolError or a list"),
    ],
)
def test_a_fault_of_a_check_delivers_with_a_warning(finding: object, detail: str) -> None:
    """The operator reads which."""
    result = found(finding)
    assert (result.is_error, result.value, result.host_advice) == (False, {"a": 1}, detail)
    assert [(issue.code, issue.severity) for issue in result.issues] == [
        ("unchecked", Severity.WARNING)
    ]
