"""Texts that others wrote come out of the sheet bounded, on one line and without secrets."""

import json

from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.issue import Issue, Severity, Suggestion
from handrail.contract.sheet import dumps, safe_line, sheet_of


def test_previews_keep_their_note_about_the_length() -> None:
    """A preview that is cut again still says how long the value was."""
    issue = Issue("VAL-009", "/a", "m", actual=f'"{"x" * 90}..." (1500000 characters)')
    assert safe_line(issue, 20).actual == '"xxxxxxxxxxxxxxx..." (1500000 characters)'


def test_edits_with_secrets_are_dropped() -> None:
    """By the field, by the value, by the key."""
    for op in (
        {"op": "add", "path": "/api_key", "value": "x"},
        {"op": "add", "path": "/a", "value": "AKIAIOSFODNN7EXAMPLE"},
        {"op": "add", "path": "/AKIAIOSFODNN7EXAMPLE", "value": 1},
    ):
        assert _ops(Issue("VAL-001", "/a", "m", suggestion=Suggestion((op,)))) == ()
    fine = {"op": "add", "path": "/a", "value": 1}
    assert _ops(Issue("VAL-001", "/a", "m", suggestion=Suggestion((fine,)))) == (fine,)


def _ops(issue: Issue) -> object:
    sheet = sheet_of(
        [issue], "t", attempt=1, max_attempts=3, max_issues=1, max_preview=100,
        repeated=False, guide=False,
    )  # fmt: skip
    return sheet.lines[0].ops


@given(st.text())
def test_json_is_exact_and_hides_nothing(text: str) -> None:
    """Invisible characters are escaped, and reading gives them back."""
    dumped = dumps({text: text})
    assert json.loads(dumped) == {text: text}
    assert dumped.encode("utf-8").decode().splitlines() == [dumped]
    assert not set(dumped) & set("\u200b\u202e\u2028\ufeff\u2022\x7f\U000e0041")


@given(st.text(st.characters(exclude_characters="\\:")), st.sampled_from([*Severity]))
def test_a_line_is_safe_to_make_safe_again(text: str, severity: Severity) -> None:
    """Previews that are safe already stay as they are.

    Escapes behind a backslash or a drive letter may look like a Windows path the second time.
    """
    once = safe_line(Issue("VAL-002", "/a", text, severity, None, text, text, text))
    again = safe_line(
        Issue(
            once.code,
            once.path,
            once.message,
            severity,
            None,
            once.expected,
            once.actual,
            once.hint,
        )
    )
    assert again == once
