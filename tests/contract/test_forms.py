"""The line forms, block by block."""

from collections.abc import Callable

import pytest

from feedback_cases import PATH, WriteFile, many, priority
from handrail.contract.feedback import render
from handrail.contract.forms import compact, text
from handrail.contract.issue import Issue, Severity
from handrail.contract.layout import Draft, Level
from handrail.contract.sheet import sheet_of
from snapshots import matches_snapshot


def test_compact_says_what_is_expected_once() -> None:
    """The line of the contract: the allowed values are not listed twice."""
    issue = Issue(
        "VAL-008",
        "/encoding",
        "Invalid enum value 'uft8' (allowed: utf-8, ascii, utf-16)",
        expected="one of: utf-8, ascii, utf-16",
    )
    text = render([issue], tool="read_file", form="compact")
    assert "\n- /encoding: Invalid enum value 'uft8' (expected: utf-8, ascii, utf-16)\n" in text
    mismatch = Issue("VAL-002", "/a", "Type mismatch: expected string, got null", expected="string")
    assert render([mismatch], tool="t", form="compact").splitlines()[2] == (
        "- /a: Type mismatch: expected string, got null"
    )


def test_the_root_is_named() -> None:
    """The empty pointer is shown as such."""
    text = render([Issue("VAL-004", "", "Invalid JSON: cut")], tool="t")
    assert "• (root) (VAL-004): Invalid JSON: cut\n" in text


def test_one_line_an_issue_in_the_second_layout() -> None:
    """Expectation and preview move up into the line."""
    issues = [priority(path=f"/field_{at}") for at in range(10)]
    whole = render(issues, tool="t", limit=4000)
    lines = render(issues, tool="t", limit=len(whole) - 1).splitlines()
    assert lines[2] == (
        "• /field_0 (VAL-008): Invalid enum value 'hgih' (allowed: high, low); "
        'expected: one of: high, low; actual: "hgih"'
    )
    assert "" not in lines


@pytest.mark.parametrize("form", ["text", "compact", "prose"])
def test_no_hint_asks_for_the_path(form: str) -> None:
    """The call to action names every error, hinted at or not."""
    text = render([PATH.replace(hint=None)], tool="t", form=form)
    assert text.splitlines()[-1] == "Please correct and call again: correct /path."


@pytest.mark.parametrize("form", [text, compact])
def test_every_level(form: Callable[[Draft], str]) -> None:
    """Errors of several kinds, a group and a warning; then the first three of them alone."""
    sheet = sheet_of(
        many(),
        WriteFile(),
        attempt=2,
        max_attempts=3,
        max_issues=10,
        max_preview=100,
        repeated=True,
        guide=True,
    )
    told = [form(Draft(sheet, level, shown)) for shown in (5, 3) for level in Level]
    assert matches_snapshot("\n\n-----\n\n".join(told), f"levels_{form.__name__}")


def test_what_a_warning_expects_is_told_in_the_long_form_alone() -> None:
    """Nothing has to be corrected; the root has a name in both."""
    warning = Issue("MEND", "", "read", Severity.WARNING, expected="integer", actual='"3"')
    assert render([warning], tool="t", form="compact").splitlines()[2:4] == [
        "Warnings:",
        "- (root): read",
    ]
    assert render([warning], tool="t").splitlines()[2:6] == [
        "Warnings:",
        "• (root) (MEND): read",
        "  Expected: integer",
        '  Actual: "3"',
    ]
