"""What the human and the model read when a call stops, and how much of it is kept."""

import json
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.contract.call import Attempt, ToolCall
from handrail.contract.escalation import HISTORY_BYTES, blocked_text, bounded_history, escalate
from handrail.contract.issue import Issue, Severity
from snapshots import matches_snapshot

MISSING = Issue("VAL-001", "/path", "Required field 'path' is missing", expected="string")
MISMATCH = Issue("VAL-002", "/path", "Type mismatch: expected string, got integer", actual="5")
TOO_LONG = Issue("VAL-009", "/path", "String length 9000 exceeds maximum 4096")
CALL = ToolCall("call_1", "read_file", "{}")


def attempts(*found: list[Issue]) -> list[Attempt]:
    return [Attempt(at, tuple(issues), 0.0) for at, issues in enumerate(found, start=1)]


def test_the_text_of_the_contract() -> None:
    """Section 8, byte for byte."""
    stopped = escalate("read_file", CALL, attempts([MISSING], [MISMATCH], [TOO_LONG]), 3)
    assert stopped.for_human() == (
        "Tool 'read_file' validation failed after 3 attempts.\n"
        "\n"
        "Attempt 1: Missing required field 'path'\n"
        "Attempt 2: Type mismatch on 'path' (got: integer)\n"
        "Attempt 3: String too long for 'path' (max: 4096)\n"
        "\n"
        "The model was unable to provide valid arguments. Please intervene or provide guidance."
    )
    assert stopped.by_code == {"VAL-001": 1, "VAL-002": 1, "VAL-009": 1}
    assert stopped.by_field == {"/path": 3}


def test_words_of_every_code() -> None:
    """Each code has a short form; several problems share a line."""
    said = [
        Issue("VAL-003", "/n", "Value out of range: >= 1", expected="integer >= 1"),
        Issue("VAL-005", "/x", "Unknown field 'x'"),
        Issue("VAL-006", "/list", "Array length 9 exceeds maximum 5"),
        Issue("VAL-006", "/few", "Array length 0 is below minimum 1"),
        Issue("VAL-007", "/p", "m", expected="string with pattern ^a$"),
        Issue("VAL-008", "/e", "m", expected="one of: a, b"),
        Issue("VAL-010", "/d", "m", expected="ISO 8601 date-time"),
        Issue("VAL-004", "", "Invalid JSON: line 1:2"),
        Issue("VAL-015", "/s", "end is before start"),
        Issue("VAL-016", "/id", "m"),
        Issue("VAL-017", "/a/0/id", "m"),
    ]
    stopped = escalate("t", CALL, attempts(*[[each] for each in said], said), 12)
    assert matches_snapshot(stopped.text, "escalation_codes")


CAUSES: list[tuple[list[list[Issue]], str]] = [
    ([], "No attempt was judged"),
    ([[Issue("VAL-011", "", "m")]] * 2, "raise max_tokens"),
    ([[Issue("VAL-004", "", "m")]] * 2, "does not send valid JSON"),
    ([[Issue("VAL-017", "/id", "m")]] * 2, "no real id"),
    ([[MISSING], [MISSING]], "Field 'path' failed in the same way in every attempt"),
    ([[MISSING], [MISMATCH]], "Field 'path' failed in every attempt: its description"),
    ([[Issue("VAL-005", "/a", "m")], [Issue("VAL-005", "/b", "m")]], "its schema may have changed"),
    ([[MISSING], [Issue("VAL-002", "/b", "m")]], "Other fields failed each time"),
    ([[MISSING]], "stopped after 1 attempt of 3"),
]


@pytest.mark.parametrize(("found", "cause"), CAUSES)
def test_likely_cause(found: list[list[Issue]], cause: str) -> None:
    """One sentence from what the attempts have in common."""
    said = escalate("t", CALL, attempts(*found), 3).likely_cause
    assert cause in said
    assert said.endswith(".")


@pytest.mark.parametrize(
    "arguments",
    [
        {"token": "hunter2", "key": "AKIAIOSFODNN7EXAMPLE", "n": 1},
        '{"token": "hunter2", "key": "AKIAIOSFODNN7EXAMPLE", "n": 1}',
        '{"token": "hunter2", "key": "AKIAIOSFODNN7EXAMPLE", "n": ',
    ],
)
def test_the_call_is_kept_without_secrets(arguments: Any) -> None:
    """NFR-009: whether it parses or not."""
    kept = repr(escalate("t", ToolCall("1", "t", arguments), attempts([MISSING]), 3).call)
    assert "hunter2" not in kept
    assert "AKIA" not in kept
    assert "n" in kept


def test_long_arguments_are_bounded() -> None:
    """A megabyte is not carried around."""
    for arguments in ({"a": "x" * 1_000_000}, json.dumps({"a": "x" * 1_000_000})):
        call = escalate("t", ToolCall("1", "t", arguments), attempts([MISSING]), 3).call
        assert len(str(call.arguments)) < 2_100


def test_a_short_history_is_kept_as_it_is() -> None:
    """FR-042: nothing is lost without need."""
    history = attempts([MISSING], [MISMATCH])
    assert list(bounded_history(history)) == history


NAMES = ("path", "message", "expected", "actual", "hint")


@settings(max_examples=30)
@given(
    st.lists(st.lists(st.integers(0, 500), max_size=30), max_size=10),
    st.sampled_from(["m", "é" * 400, "x" * 10_000, "\n\ud800"]),
)
def test_a_history_is_bounded(found: list[list[int]], text: str) -> None:
    """NFR-004: below 10 KB, every attempt of a call still there."""
    issues = [
        [Issue("VAL-002", f"/f{n}", text, expected=text, actual=text) for n in numbers]
        for numbers in found
    ]
    history = bounded_history(attempts(*issues))
    assert [attempt.number for attempt in history] == list(range(1, len(found) + 1))
    size = sum(
        sys.getsizeof(issue) + sum(sys.getsizeof(getattr(issue, name)) for name in NAMES)
        for attempt in history
        for issue in attempt.issues
    )
    assert size <= HISTORY_BYTES


@settings(max_examples=30)
@given(st.text(), st.text(), st.none() | st.text())
def test_hostile_content_forges_no_line(name: str, said: str, expected: str | None) -> None:
    """Every line of the text for the human is one of ours."""
    issue = Issue("VAL-015", "/" + name, said, expected=expected, actual=expected)
    stopped = escalate(name, ToolCall(name, name, said), attempts([issue], [issue]), 2)
    assert len(stopped.text.splitlines()) == 6
    assert stopped.text.encode().decode() == stopped.text
    assert len(blocked_text(name, 3).splitlines()) == 2


def test_warnings_are_no_failures() -> None:
    """An attempt without errors never became a call."""
    warning = MISSING.replace(severity=Severity.WARNING)
    assert "Attempt 1: No valid call\n" in escalate("t", CALL, attempts([warning]), 3).text


def test_the_model_is_told_to_stop() -> None:
    """Short, and without the history."""
    assert matches_snapshot(blocked_text("read_file", 3), "blocked")


def test_a_secret_in_a_long_pointer_is_found_before_the_pointer_is_cut() -> None:
    """A path of hundreds of characters loses its middle only after its names were read."""
    key = "AKIAIOSFODNN7QXRZTLP"
    issue = Issue.of("VAL-005", f"/{'é' * 300}/{key}/0", field="x", allowed="none")
    told = escalate("t", ToolCall("c", "t", "{}"), [Attempt(1, (issue,), 1.0)], 3)
    assert key not in str(told)


def test_what_a_cut_text_ends_in_is_left_out() -> None:
    """Half a secret looks like no secret."""
    told = escalate("t", ToolCall("c", "t", '{"note": "see sk-pro'), [], 3)
    assert "sk-pro" not in str(told)
