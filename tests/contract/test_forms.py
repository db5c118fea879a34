"""The line forms, block by block."""

import pytest

from feedback_cases import PATH, priority
from handrail.contract.feedback import render
from handrail.contract.issue import Issue


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
