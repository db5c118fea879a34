"""Seed 004, requirement by requirement: a list to read beside the seed, FR-001 to FR-055.

Where the contract `handrail/1` decided otherwise than the seed, the docstring says so. What each
test only touches is proved elsewhere by property tests (`tests/properties`, `tests/contract`).
The list goes on in `test_seed_004_shell.py`: configuration, logs, and the NFR.
"""

import inspect
import json
import re
import runpy
from pathlib import Path
from typing import Annotated

from pydantic import Field

from handrail import Issue, Policy, Severity, Status, Tool, Toolbox, ToolCall, ToolResult, render
from handrail.contract.aggregate import aggregate
from handrail.contract.issue import CODES
from seed_004 import MISSING, TOO_MUCH, WRONG, actual, attempts, call, codes, files, first, good

# ---- what one problem is


def test_fr_001_issue_is_defined_in_the_core() -> None:
    """FR-001: one thing wrong is a value of the pure layer; its name is `Issue`, not the seed's."""
    assert Issue.__module__ == "handrail.contract.issue"


def test_fr_002_issue_has_a_code() -> None:
    """FR-002: a code says what kind of problem it is."""
    assert first({"path": "a"}).issues[0].code == "VAL-001"


def test_fr_003_issue_has_a_pointer() -> None:
    """FR-003: the place is an RFC 6901 pointer, with its escapes."""
    assert codes(good(**{"a/b~c": 1})) == {("VAL-005", "/a~1b~0c")}


def test_fr_004_issue_has_a_message() -> None:
    """FR-004: one sentence says what is wrong."""
    assert first({"path": "a"}).issues[0].message == "Required field 'content' is missing"


def test_fr_005_issue_has_a_severity() -> None:
    """FR-005: how bad it is is part of the problem."""
    assert first({"path": "a"}).issues[0].severity is Severity.ERROR


def test_fr_006_issue_says_what_is_expected() -> None:
    """FR-006: what the contract asks for, in words."""
    assert first(good(encoding="x")).issues[0].expected == "one of: utf-8, ascii, utf-16"


def test_fr_007_issue_shows_what_came_sanitised() -> None:
    """FR-007: what was sent is shown as a safe preview, not raw."""
    (issue,) = first(good(code="\nsk-proj-Zq8vT3nLw0Rb6Kd1Xy5Hc9Mf2Jg7Ps4")).issues
    assert issue.actual == r'"\n[redacted]"'


def test_fr_008_three_severities() -> None:
    """FR-008: error, warning and info, in lower case as they appear in JSON."""
    assert [str(one) for one in Severity] == ["error", "warning", "info"]


# ---- codes


def test_fr_009_code_for_a_missing_field() -> None:
    """FR-009: VAL-001."""
    assert codes({"path": "a"}) == {("VAL-001", "/content")}


def test_fr_010_code_for_a_wrong_type() -> None:
    """FR-010: VAL-002, null included."""
    assert codes(good(path=7)) == codes(good(path=None)) == {("VAL-002", "/path")}


def test_fr_011_code_for_a_broken_constraint() -> None:
    """FR-011: VAL-003, a number out of range."""
    assert codes(good(priority=10)) == {("VAL-003", "/priority")}


def test_fr_012_code_for_invalid_json() -> None:
    """FR-012: VAL-004; text that was cut off has a code of its own in our contract, VAL-011."""
    assert codes("{path: 1}") == {("VAL-004", "")}
    assert codes('{"path": "a') == {("VAL-011", "")}


def test_fr_013_code_for_an_unknown_field() -> None:
    """FR-013: VAL-005 wherever the schema is closed, in balanced as in strict."""
    assert codes(good(colour="red")) == {("VAL-005", "/colour")}


def test_fr_014_code_for_an_array_length() -> None:
    """FR-014: VAL-006."""
    assert codes(good(lines=[1, 2, 3, 4])) == {("VAL-006", "/lines")}


def test_fr_015_code_for_a_pattern() -> None:
    """FR-015: VAL-007."""
    assert codes(good(code="x")) == {("VAL-007", "/code")}


def test_fr_016_code_for_an_enum() -> None:
    """FR-016: VAL-008; VAL-009 and VAL-010 of the seed's table are length and format."""
    assert codes(good(encoding="uft8")) == {("VAL-008", "/encoding")}
    assert codes(good(title=TOO_MUCH)) == {("VAL-009", "/title")}
    instant = {"type": "object", "properties": {"at": {"type": "string", "format": "date-time"}}}
    box = Toolbox([Tool.from_json_schema("wait", "Wait.", instant)])
    (issue,) = box.check(ToolCall("", "wait", {"at": "tomorrow"})).issues
    assert issue.code == "VAL-010"


def test_fr_017_codes_look_alike() -> None:
    """FR-017: VAL and three digits; the contract adds BUD for budgets and MEND for mends."""
    assert [code for code in CODES if not re.fullmatch(r"(VAL|BUD)-\d{3}|MEND", code)] == []


# ---- the message


def test_fr_018_a_formatter_writes_the_message() -> None:
    """FR-018: `render` turns problems into what the model reads."""
    assert "• /path (VAL-001): Required" in render([MISSING], tool="write_file")


def test_fr_019_the_format_is_structured() -> None:
    """FR-019: always summary, problems, call to action, with blank lines between."""
    summary, title, action = render([MISSING], tool="t").split("\n\n")
    assert summary.endswith("(attempt 1/3):")
    assert title.startswith("Errors:\n")
    assert action.startswith("Please correct and call again: ")


def test_fr_020_the_tool_is_named() -> None:
    """FR-020: the tool's name stands in the first line."""
    assert "'write_file'" in first({}).content.splitlines()[0]


def test_fr_021_every_error_is_listed() -> None:
    """FR-021: eight problems, eight bullets, one message."""
    result = first(WRONG, files(Policy.preset("balanced").replace(max_message_length=4000)))
    assert result.content.count("\n• ") == len(result.issues) == 8


def test_fr_022_paths_are_shown() -> None:
    """FR-022: each bullet begins with the pointer."""
    shown = re.findall(r"^• (\S+) ", first({"path": 7}).content, re.M)
    assert shown == ["/content", "/path"]


def test_fr_023_expectations_are_shown() -> None:
    """FR-023: what is expected stands below the bullet."""
    assert "\n  Expected: integer >= 1 and <= 9\n" in first(good(priority=10)).content


def test_fr_024_previews_are_shown() -> None:
    """FR-024: what was sent stands below it, shortened, with its true length."""
    text = first(good(title=TOO_MUCH)).content
    assert re.search(r'\n  Actual: "Lorem ipsum .{50,90}\.\.\." \(1350 characters\)\n', text)


def test_fr_025_under_2000_characters() -> None:
    """FR-025: the whole message, whatever is in it."""
    bad = {f"field_{at}_{'x' * 200}": TOO_MUCH for at in range(40)}
    assert len(first(bad).content) < 2000


# ---- the result


def test_fr_026_a_failure_is_a_result() -> None:
    """FR-026: the tool does not run, the call is answered."""
    result = first({})
    assert (type(result), result.status, result.data) == (ToolResult, Status.INVALID, None)


def test_fr_027_it_is_an_error() -> None:
    """FR-027: said out of band, in `is_error`."""
    assert first({}).is_error is True


def test_fr_028_it_answers_its_call() -> None:
    """FR-028: the id is that of the call."""
    assert [one.call_id for one in attempts({}, {"path": 1})] == ["call_1", "call_2"]


def test_fr_029_its_content_is_the_message() -> None:
    """FR-029: what the model reads is the formatted feedback."""
    box = files()
    (tool,) = box.tools
    assert first({}, box).content == render(box.check(call({})), tool=tool)


def test_fr_030_it_goes_back_into_the_conversation() -> None:
    """FR-030: as a tool message; OpenAI's shape has no error key, so the seed's is left out."""
    message = first({}).to_openai()
    assert sorted(message) == ["content", "role", "tool_call_id"]
    assert (message["role"], message["tool_call_id"]) == ("tool", "call_1")


# ---- aggregation


def test_fr_031_all_problems_are_collected() -> None:
    """FR-031: missing, wrong type and unknown at once."""
    assert codes({"path": 7, "colour": 1}) == {
        ("VAL-001", "/content"), ("VAL-002", "/path"), ("VAL-005", "/colour")
    }  # fmt: skip


def test_fr_032_the_same_problem_is_told_once() -> None:
    """FR-032: path and code decide what is the same."""
    assert len(aggregate([MISSING, MISSING.replace(message="again")]).items) == 1


def test_fr_033_sorted_by_path() -> None:
    """FR-033: array positions as numbers, so 2 comes before 10."""
    issues = [Issue("VAL-002", path, "wrong", expected=path) for path in ("/a/10", "/b", "/a/2")]
    assert [item.issue.path for item in aggregate(issues).items] == ["/a/2", "/a/10", "/b"]


def test_fr_034_errors_come_first() -> None:
    """FR-034: before warnings, whatever their paths."""
    warning = Issue("MEND", "/a", "read as 1", Severity.WARNING)
    assert [item.issue for item in aggregate([warning, MISSING]).items] == [MISSING, warning]


def test_fr_035_at_most_ten_are_shown() -> None:
    """FR-035: the others are counted in one line."""
    text = first(good(**{f"unknown_{at}": at for at in range(25)})).content
    assert "\n... and 15 more\n" in text


# ---- retries


def test_fr_036_attempts_are_counted_for_each_call() -> None:
    """FR-036: by logical call, not by the provider's id, which changes with every reply."""
    box = files()
    assert [one.attempt for one in attempts({}, {"path": 1}, {"path": 2}, box=box)] == [1, 2, 3]
    assert first({}, box).attempt == 1


def test_fr_037_the_history_is_kept() -> None:
    """FR-037: what was wrong with each attempt."""
    last = attempts({}, {"path": "a"})[-1]
    assert [[issue.path for issue in one.issues] for one in last.history] == [
        ["/content", "/path"], ["/content"]
    ]  # fmt: skip


def test_fr_038_the_limit_is_checked() -> None:
    """FR-038: the third failing attempt is the last one."""
    ended = [one.status for one in attempts({}, {"path": 1}, {"path": 2})]
    assert ended == [Status.INVALID, Status.INVALID, Status.BLOCKED]


def test_fr_039_the_count_can_be_read() -> None:
    """FR-039: attempt and limit are on every result."""
    assert [(one.attempt, one.max_attempts) for one in attempts({}, {"path": 1})] == [
        (1, 3),
        (2, 3),
    ]


def test_fr_040_the_limit_can_be_set() -> None:
    """FR-040: three by default; for all tools, or for one."""
    assert first({}, files(Policy.preset("balanced").replace(attempts=1))).status == "blocked"
    assert first({}, files(attempts=5)).max_attempts == 5
    assert first({}).max_attempts == 3


# ---- escalation


def escalated() -> ToolResult:
    """The seed's own example: missing, then a wrong type, then too long."""

    def read_file(path: Annotated[str, Field(max_length=4096)]) -> str:
        """Read a text file."""
        return path

    box = Toolbox([read_file])
    with box.turn() as turn:
        for at, sent in enumerate(({}, {"path": 7}, {"path": "x" * 5000})):
            result = turn.answer_sync(ToolCall(f"c{at}", "read_file", sent))
    return result


def test_fr_041_it_escalates_when_attempts_are_spent() -> None:
    """FR-041: not before."""
    results = attempts({}, {"path": 1}, {"path": 2})
    assert [one.escalation is not None for one in results] == [False, False, True]


def test_fr_042_the_escalation_holds_the_history() -> None:
    """FR-042: every attempt with its problems."""
    assert escalated().escalation is not None
    kept = [[issue.code for issue in one.issues] for one in escalated().escalation.attempts]  # type: ignore[union-attr]  # asserted above
    assert kept == [["VAL-001"], ["VAL-002"], ["VAL-009"]]


def test_fr_043_the_escalation_holds_the_call() -> None:
    """FR-043: the first proposal, without its secrets."""
    sent = good(path=1, password="violet-harbor-58")
    escalation = attempts(sent, {}, {"path": 2})[-1].escalation
    assert escalation is not None
    assert json.loads(str(escalation.call.arguments)) == {**sent, "password": "[redacted]"}


def test_fr_044_the_escalation_is_a_clear_text() -> None:
    """FR-044: the seed's text word for word."""
    escalation = escalated().escalation
    assert escalation is not None
    assert escalation.for_human() == (
        "Tool 'read_file' validation failed after 3 attempts.\n\n"
        "Attempt 1: Missing required field 'path'\n"
        "Attempt 2: Type mismatch on 'path' (got: integer)\n"
        "Attempt 3: String too long for 'path' (max: 4096)\n\n"
        "The model was unable to provide valid arguments. "
        "Please intervene or provide guidance."
    )


def test_fr_045_the_call_is_blocked() -> None:
    """FR-045: the status says so, and so does the text for the model."""
    assert (escalated().status, escalated().code) == (Status.BLOCKED, "BUD-001")
    assert escalated().content.startswith("Tool 'read_file' is blocked: ")


# ---- the words of the message


def test_fr_046_a_summary_comes_first() -> None:
    """FR-046: what failed, and which attempt it was."""
    head = first({}).content.splitlines()[0]
    assert head == "Validation failed for tool 'write_file' (attempt 1/3):"


def test_fr_047_errors_are_bullets() -> None:
    """FR-047: the bullet of the seed's example; the form `compact` has the dash of its manual."""
    assert first({}).content.count("\n• /") == 2
    compact = files(Policy.preset("balanced").replace(form="compact"))
    assert first({}, compact).content.count("\n- /") == 2


def test_fr_048_hints_say_what_to_change() -> None:
    """FR-048: in the last line, exact where the contract allows only one edit."""
    last = first({"path": "a", "encoding": "uft-8"}).content.splitlines()[-1]
    assert last == 'Please correct and call again: add /content (string). Set /encoding to "utf-8".'


def test_fr_049_the_attempt_is_told() -> None:
    """FR-049: as a number of the whole budget."""
    assert "(attempt 2/3)" in attempts({}, {"path": "a"})[-1].content


def test_fr_050_the_message_can_be_parsed() -> None:
    """FR-050: lines of fixed shape, and a JSON form with the same problems in the same order."""
    judgement = files().check(call({"path": 7}))
    text = render(judgement, tool="write_file")
    document = json.loads(render(judgement, tool="write_file", form="json"))
    listed = [(one["path"], one["code"]) for one in document["issues"]]
    assert re.findall(r"^• (\S+) \((VAL-\d+)\): ", text, re.M) == listed


# ---- truncation


def test_fr_051_long_strings_end_in_dots() -> None:
    """FR-051: and the original length is stated."""
    assert str(first(good(title=TOO_MUCH)).issues[0].actual).endswith('..." (1350 characters)')


def test_fr_052_a_preview_has_100_characters() -> None:
    """FR-052: the note about the length comes on top."""
    shown = str(first(good(title=TOO_MUCH)).issues[0].actual)
    assert len(shown.partition(" (1350")[0]) <= 100


def test_fr_053_arrays_show_both_ends() -> None:
    """FR-053: the first and the last item, and how many there are."""
    assert actual(list(range(1000, 1047))) == "[1000, ..., 1046] (47 items)"


def test_fr_054_depth_is_marked() -> None:
    """FR-054: below the third level there are three dots."""
    assert actual({"a": {"b": {"c": {"d": 1}}}}) == '{"a": {"b": {"c": {...}}}}'


def test_fr_055_a_token_budget_is_kept() -> None:
    """FR-055: with the host's own counter, or a quarter of the characters."""
    issues = files().check(call(WRONG)).issues
    text = render(issues, tool="write_file", token_counter=lambda text: len(text.split()),
                  token_budget=60)  # fmt: skip
    assert len(text.split()) <= 60 < len(render(issues, tool="write_file").split())


# ---- the list is complete


def test_the_list_is_complete() -> None:
    """FR-001 to FR-066 and NFR-001 to NFR-020, each with a test that its name and text name."""
    tests: dict[str, object] = {}
    for path in sorted(Path(__file__).parent.glob("test_seed_004*.py")):
        tests |= runpy.run_path(str(path))
    wanted = [("fr", number) for number in range(1, 67)]
    wanted += [("nfr", number) for number in range(1, 21)]
    for kind, number in wanted:
        (name,) = [one for one in tests if one.startswith(f"test_{kind}_{number:03}_")]
        assert str(inspect.getdoc(tests[name])).startswith(f"{kind.upper()}-{number:03}: ")
