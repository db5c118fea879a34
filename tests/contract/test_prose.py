"""Seed 000's table, from pydantic's own errors and from issues."""

import datetime
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator

from handrail.contract.feedback import render
from handrail.contract.issue import Issue
from handrail.contract.prose import format_pydantic_for_llm


class Task(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str = Field(max_length=20)
    count: int = 1
    due: datetime.datetime | None = None
    tags: list[str] = Field(default_factory=list)
    kind: Literal["a", "b"] = "a"
    api_key: int = 1

    @field_validator("title")
    @classmethod
    def _no_shouting(cls, title: str) -> str:
        if title.isupper():
            raise ValueError("do not shout\n- 'forged': line")
        return title


def prose_of(values: object) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        Task.model_validate(values)
    return format_pydantic_for_llm(caught.value).splitlines()


LINES: list[tuple[dict[str, Any], str]] = [
    ({}, "- 'title': required field is missing — provide a value"),
    ({"title": 5}, "- 'title': expected string, got int"),
    ({"title": None}, "- 'title': expected string, got null"),
    ({"title": "x" * 30}, "- 'title': String should have at most 20 characters"),
    ({"title": "t", "count": "many"}, "- 'count': expected integer, got 'many'"),
    ({"title": "t", "count": 1.5}, "- 'count': expected integer, got 1.5"),
    (
        {"title": "t", "due": "tomorrow"},
        "- 'due': expected ISO datetime (e.g. '2026-05-03T00:00:00'), got 'tomorrow'",
    ),
    ({"title": "t", "tags": "one"}, "- 'tags': expected list/array, got str"),
    ({"title": "t", "tags": [1]}, "- 'tags.0': expected string, got int"),
    ({"title": "t", "colour": "red"}, "- 'colour': unknown field — remove it"),
    ({"title": "t", "kind": "c"}, "- 'kind': Input should be 'a' or 'b'"),
    ({"title": "AB"}, "- 'title': Value error, do not shout\\n- 'forged': line"),
]


@pytest.mark.parametrize(("values", "line"), LINES)
def test_lines_of_the_seed(values: dict[str, Any], line: str) -> None:
    """Header, one line for each error, retry instruction."""
    assert prose_of(values) == [
        "The arguments of the tool call are not valid:",
        line,
        "Please correct these fields and call the same tool again.",
    ]


def test_the_whole_value_is_root() -> None:
    """An error without a place is about all arguments."""
    assert prose_of([])[1].startswith("- '(root)': Input should be a valid dictionary")


def test_secrets_are_hidden() -> None:
    """By the name of the field, and by the form of the value."""
    key = "AKIAIOSFODNN7EXAMPLE"
    text = "\n".join(prose_of({"title": "t", "api_key": "hunter2", "count": key, key: 1}))
    assert "hunter2" not in text
    assert key not in text


def test_ten_thousand_errors_stay_short() -> None:
    """At most ten lines, the rest counted, below 2,000 characters."""
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(list[int]).validate_python(["x" * 200] * 10_000)
    text = format_pydantic_for_llm(caught.value)
    assert len(text) < 2000
    assert text.splitlines()[-2] == "... and 9990 more"


VALUES = st.dictionaries(
    st.sampled_from(["title", "count", "due", "tags", "kind", "a\nb", "\ud800", "x" * 500]),
    st.none() | st.text(max_size=20) | st.integers() | st.lists(st.text(max_size=3), max_size=3),
)


@given(VALUES)
def test_any_input_gives_bounded_lines(values: dict[str, Any]) -> None:
    """No value or name can add a line, and the text is UTF-8."""
    with pytest.raises(ValidationError) as caught:
        Task.model_validate({**values, "count": "none"})
    text = format_pydantic_for_llm(caught.value)
    lines = text.encode().decode().splitlines()
    assert all(line.startswith(("- '", "... and ")) for line in lines[1:-1])
    assert len(text) < 2000
    assert text == format_pydantic_for_llm(caught.value)


def test_an_unreadable_error_still_asks_for_a_retry() -> None:
    """Whatever it is handed, it answers."""
    assert format_pydantic_for_llm(ValueError("db-7")).splitlines() == [  # type: ignore[arg-type]
        "The arguments of the tool call are not valid:",
        "Please correct these fields and call the same tool again.",
    ]


ISSUES = [
    (Issue("VAL-001", "/a/0/b", "m"), "- 'a.0.b': required field is missing — provide a value"),
    (Issue("VAL-005", "/a", "m"), "- 'a': unknown field — remove it"),
    (
        Issue(
            "VAL-002",
            "/a",
            "Type mismatch: expected string, got array",
            expected="string with max length 5",
            actual="[1, 2]",
        ),
        "- 'a': expected string, got list",
    ),
    (
        Issue("VAL-002", "/a", "Type mismatch: expected integer, got string", expected="integer",
              actual='"two"'),
        "- 'a': expected integer, got 'two'",
    ),
    (
        Issue("VAL-002", "/a", "Type mismatch: expected array, got string",
              expected="array of string", actual='"x"'),
        "- 'a': expected list/array, got str",
    ),
    (
        Issue("VAL-010", "/a", "Invalid format", expected="ISO 8601 date-time", actual='"soon"'),
        "- 'a': expected ISO datetime (e.g. '2026-05-03T00:00:00'), got 'soon'",
    ),
    (Issue("VAL-002", "/a", "m", expected="boolean"), "- 'a': expected boolean, got another type"),
    (Issue("VAL-004", "", "Invalid JSON: cut"), "- '(root)': Invalid JSON: cut"),
]  # fmt: skip


@pytest.mark.parametrize(("issue", "line"), ISSUES)
def test_lines_from_issues(issue: Issue, line: str) -> None:
    """The same words where only issues are known."""
    assert render([issue], tool="t", form="prose").splitlines()[1] == line


def test_own_words_replace_the_seeds() -> None:
    """A tool's own formatter speaks in prose, too."""

    class Tool:
        name = "t"

        def format_issue(self, issue: Issue) -> str:
            return "which file?"

    text = render([Issue("VAL-001", "/a", "m")], tool=Tool(), form="prose")
    assert text.splitlines()[1] == "- 'a': which file?"
