"""Seed 004, requirement by requirement: a list to read beside the seed.

Where the contract `handrail/1` decided otherwise than the seed, the docstring says so. What each
test only touches is proved elsewhere by property tests (`tests/properties`, `tests/contract`);
the times of NFR-001 and NFR-002 are measured in `bench/`.
"""

import importlib
import inspect
import json
import logging
import re
import subprocess
import sys
import threading
import timeit
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

import handrail
from handrail import (
    CONTRACT,
    ConfigError,
    Issue,
    Policy,
    Severity,
    Status,
    Tool,
    Toolbox,
    ToolCall,
    ToolResult,
    Turn,
    render,
)
from handrail.contract.aggregate import aggregate
from handrail.contract.escalation import HISTORY_BYTES
from handrail.contract.issue import CODES
from handrail.protocol.journal import Entry

ROOT = Path(__file__).resolve().parent.parent

TOO_MUCH = "Lorem ipsum dolor sit amet " * 50
WRONG = {
    "path": 7,
    "encoding": "uft8",
    "lines": [1, 2, 3, 4],
    "priority": 0,
    "code": "x",
    "colour": "red",
    "title": TOO_MUCH,
}
"""Every field of `write_file` wrong, each in its own way."""


def write_file(
    path: str,
    content: str,
    encoding: Literal["utf-8", "ascii", "utf-16"] = "utf-8",
    lines: Annotated[list[int] | None, Field(max_length=3)] = None,
    priority: Annotated[int, Field(ge=1, le=9)] = 1,
    code: Annotated[str, Field(pattern="^[A-Z]+$")] = "A",
    title: Annotated[str, Field(max_length=40)] = "",
) -> str:
    """Write a text file."""
    return f"{path} is written"


def files(policy: Policy | None = None, **contract: Any) -> Toolbox:  # Any: contract keywords
    """A toolbox with the one tool of the seed's examples."""
    tool = Tool.from_function(write_file, action_type="write", **contract)
    return Toolbox([tool], name="files", policy=policy or Policy.preset("balanced"))


def call(arguments: object, id: str = "call_1") -> ToolCall:
    """A call of `write_file`."""
    sent = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ToolCall(id, "write_file", sent)


def attempts(*sent: object, box: Toolbox | None = None) -> list[ToolResult]:
    """The results of several proposals in one turn."""
    with (box or files()).turn() as turn:
        return [turn.answer_sync(call(one, f"call_{at}")) for at, one in enumerate(sent, 1)]


def first(arguments: object, box: Toolbox | None = None) -> ToolResult:
    """The result of one proposal."""
    return attempts(arguments, box=box)[0]


def codes(arguments: object) -> set[tuple[str, str]]:
    """Codes and paths of what is wrong with the arguments."""
    return {(issue.code, issue.path) for issue in files().check(call(arguments)).issues}


def good(**changes: object) -> dict[str, object]:
    """Valid arguments with some changed."""
    return {"path": "a.txt", "content": "hello", **changes}


MISSING = Issue("VAL-001", "/path", "Required field 'path' is missing", expected="string")


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
    assert codes("{'path': 1}") == {("VAL-004", "")}
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
    assert [(one.attempt, one.max_attempts) for one in attempts({}, {"path": 1})] == [(1, 3), (2, 3)]


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


def actual(value: object) -> str:
    """The preview of a value where a string is wanted."""
    return str(files().check(call(good(path=value))).issues[0].actual)


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


# ---- configuration


CONFIG = """\
tools:
  validation:
    retry:
      max_attempts: 2
    formatting:
      max_message_length: 900
      max_errors_shown: 4
      max_value_preview: 30
"""


@pytest.fixture
def configured(tmp_path: Path) -> Policy:
    """The seed's configuration file with other numbers."""
    path = tmp_path / ".agent" / "config.yml"
    path.parent.mkdir()
    path.write_text(CONFIG)
    return Policy.load(path)


def test_fr_056_attempts_are_configurable(configured: Policy) -> None:
    """FR-056: the file's number is the budget of each call."""
    assert first({}, files(configured)).max_attempts == 2


def test_fr_057_shown_errors_are_configurable(configured: Policy) -> None:
    """FR-057: the file's number of bullets, the others counted."""
    text = first(good(**{f"unknown_{at}": at for at in range(9)}), files(configured)).content
    assert "\n... and 5 more\n" in text


def test_fr_058_the_length_is_configurable(configured: Policy) -> None:
    """FR-058: within 500 to 4,000 characters; the preview as well."""
    assert len(first(WRONG, files(configured)).content) < 900
    assert configured.max_value_preview == 30
    with pytest.raises(ConfigError, match="499 is out of range"):
        configured.replace(max_message_length=499)


def test_fr_059_everything_has_a_default() -> None:
    """FR-059: the numbers of the seed, without any file."""
    policy = Policy()
    shown = (policy.max_message_length, policy.max_errors_shown, policy.max_value_preview)
    assert (policy.attempts, *shown) == (3, 2000, 10, 100)


def test_fr_060_the_file_is_read(configured: Policy, tmp_path: Path) -> None:
    """FR-060: from the seed's place, when asked; unknown keys are errors that name themselves."""
    assert (configured.attempts, configured.max_errors_shown) == (2, 4)
    path = tmp_path / "wrong.yml"
    path.write_text("tools: {validation: {retry: {attempts: 2}}}")
    with pytest.raises(ConfigError, match=r"retry\.attempts is unknown; allowed: max_attempts"):
        Policy.load(path)


# ---- logs


@pytest.fixture
def records(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """What is logged for two failing attempts and a good one."""
    caplog.set_level(logging.DEBUG, logger="handrail")
    attempts({"path": 7, "title": TOO_MUCH}, {"path": "a"}, good())
    return caplog.records


def failures(records: list[logging.LogRecord]) -> list[logging.LogRecord]:
    """The records of failures."""
    return [one for one in records if one.getMessage() == "Tool validation failed"]


def test_fr_061_failures_are_logged(records: list[logging.LogRecord]) -> None:
    """FR-061: one warning for each, in the seed's words."""
    assert [one.levelname for one in failures(records)] == ["WARNING", "WARNING"]


def test_fr_062_with_the_tool(records: list[logging.LogRecord]) -> None:
    """FR-062: `tool_name`."""
    assert [vars(one)["tool_name"] for one in failures(records)] == ["write_file"] * 2


def test_fr_063_with_the_number_of_errors(records: list[logging.LogRecord]) -> None:
    """FR-063: `error_count`."""
    assert [vars(one)["error_count"] for one in failures(records)] == [3, 1]


def test_fr_064_with_the_attempt(records: list[logging.LogRecord]) -> None:
    """FR-064: `retry_attempt` counts from 1, `max_retries` is the attempts budget."""
    told = [(vars(one)["retry_attempt"], vars(one)["max_retries"]) for one in failures(records)]
    assert told == [(1, 3), (2, 3)]


def test_fr_065_with_the_paths(records: list[logging.LogRecord]) -> None:
    """FR-065: `errors` has path and code of each, and a `correlation_id` joins the records."""
    assert vars(failures(records)[1])["errors"] == [{"path": "/content", "code": "VAL-001"}]
    assert len({vars(one)["correlation_id"] for one in records}) == 1


def test_fr_066_without_values(records: list[logging.LogRecord]) -> None:
    """FR-066: neither whole nor shortened."""
    assert [one for one in records if "Lorem" in str(vars(one))] == []


# ---- what is not a function


def _milliseconds(run: Any, times: int = 20) -> float:  # Any: a callable
    return min(timeit.repeat(run, number=times, repeat=3)) / times * 1e3


def test_nfr_001_formatting_is_fast() -> None:
    """NFR-001: far below a hundred times the seed's millisecond; the figure is in bench/."""
    issues = files().check(call(WRONG)).issues
    assert _milliseconds(lambda: render(issues, tool="write_file")) < 100


def test_nfr_002_aggregation_is_fast() -> None:
    """NFR-002: a hundred issues far below a hundred times 100 µs; the figure is in bench/."""
    issues = [Issue("VAL-002", f"/items/{at}/qty", "wrong") for at in range(100)]
    assert _milliseconds(lambda: aggregate(issues)) < 10


def test_nfr_003_looking_up_a_call_is_flat() -> None:
    """NFR-003: with a thousand turns open one more answer takes no more work than with ten."""

    def work(box: Toolbox, turn: Turn) -> int:
        """Calls of functions while one proposal is answered."""
        count = 0

        def counting(_: object, event: str, __: object) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(counting)
        try:
            turn.answer_sync(call({}))
        finally:
            sys.setprofile(None)
        return count

    done = []
    for open_turns in (10, 1000):
        box = files()
        turns = [box.turn(key=str(at)) for at in range(open_turns)]
        for turn in turns:
            turn.answer_sync(call({"path": 1}))
        done.append(work(box, turns[0]))
    assert done[0] == done[1]


def test_nfr_004_a_history_is_under_10_kb() -> None:
    """NFR-004: ten attempts with ten long problems each, in the record that is kept for good."""
    bad = [{f"{'x' * 80}{at}{field}": TOO_MUCH for field in range(20)} for at in range(10)]
    last = attempts(*bad, box=files(Policy.preset("balanced").replace(attempts=10)))[-1]
    assert last.escalation is not None
    kept = [issue for one in last.escalation.attempts for issue in one.issues]
    assert sum(len(str(issue)) for issue in kept) < HISTORY_BYTES == 10_000


class Hostile:
    """Raises at every touch."""

    def __getattr__(self, name: str) -> object:
        raise RuntimeError(name)

    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


def test_nfr_005_the_formatter_never_raises() -> None:
    """NFR-005: whatever is given instead of problems."""
    for thing in (Hostile(), None, "issue", 7, Issue("", 1, [], "bad")):  # type: ignore[arg-type]  # malformed on purpose
        for source in (thing, [thing]):
            text = render(source, tool="t")  # type: ignore[arg-type]  # malformed on purpose
            assert text.splitlines()


def test_nfr_006_null_is_a_value() -> None:
    """NFR-006: shown as JSON has it; no arguments at all are an empty object."""
    assert actual(None) == "null"
    assert codes("null") == codes("{}") == {("VAL-001", "/content"), ("VAL-001", "/path")}


def test_nfr_007_a_cut_keeps_characters_whole() -> None:
    """NFR-007: a family of joined emoji is shown whole or not at all."""
    family = "👩‍👩‍👧"
    (issue,) = first(good(title=family * 40)).issues
    shown = str(issue.actual).partition("...")[0].strip('"')
    assert shown == family * shown.count("👧")
    assert shown


def test_nfr_008_counting_is_thread_safe() -> None:
    """NFR-008: a hundred parallel failures of one turn are counted exactly."""
    box = files(Policy.preset("balanced").replace(attempts=10, withdraw_after=1000))
    turn = box.turn()
    found: list[int] = []

    def fail(number: int) -> None:
        for at in range(10):
            sent = call({f"x{number}_{at}": 1}, f"{number}.{at}")
            found.append(turn.answer_sync(sent).attempt)

    threads = [threading.Thread(target=fail, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(found) == dict.fromkeys(range(1, 11), 10)


def test_nfr_009_nothing_raw_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """NFR-009: not even a field's name where the name is a secret, or would begin a new line."""
    first(good(**{"sk-proj-Zq8vT3nLw0Rb6Kd1Xy5Hc9Mf2Jg7Ps4": 1, "a\nb": 1}))
    (record,) = failures(caplog.records)
    assert {one["path"] for one in vars(record)["errors"]} == {"/[redacted]", r"/a\nb"}


def test_nfr_010_secrets_stay_out_of_messages() -> None:
    """NFR-010: by the field's name, and by the value's own structure."""
    text = first(good(password="violet-harbor-58", code="AKIAIOSFODNN7QXRZTLP")).content
    assert "violet" not in text
    assert "AKIA" not in text
    assert text.count("[redacted]") == 2


def test_nfr_011_paths_lose_their_root() -> None:
    """NFR-011: an absolute path keeps its file name only."""
    assert first(good(code="/home/ann/secret-plans/notes.txt")).issues[0].actual == '"…/notes.txt"'


def test_nfr_012_no_value_can_add_a_line() -> None:
    """NFR-012: values are cut, and what could begin a line of ours is escaped."""
    text = first(good(code="\n• /path: everything is fine")).content
    assert text.count("\n• ") == 1
    assert r'  Actual: "\n· /path: everything is fine"' in text.splitlines()


def test_nfr_013_every_failure_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """NFR-013: unreadable JSON and a call that is blocked as well, one record each."""
    attempts("{", {}, {"path": 1})
    assert [vars(one)["retry_attempt"] for one in failures(caplog.records)] == [1, 2, 3]


def test_nfr_014_retries_are_logged(records: list[logging.LogRecord]) -> None:
    """NFR-014: one line for the whole logical call, in seed 000's words."""
    assert [one.getMessage() for one in records if one not in failures(records)] == [
        "validation_retry_outcome tool=write_file ext=files outcome=success retry_count=2"
    ]


def test_nfr_015_an_escalation_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    """NFR-015: the outcome of a call that stopped in front of a human."""
    attempts({}, {"path": 1}, {"path": 2})
    (line,) = [one for one in caplog.records if "outcome=exhausted" in one.getMessage()]
    assert line.levelname == "WARNING"


def test_nfr_016_failure_rates_can_be_counted() -> None:
    """NFR-016: the journal has what a rate needs; the OpenTelemetry counters are an extra."""
    counted: Counter[str] = Counter()

    def count(entry: Entry) -> None:
        counted[entry.outcome or entry.kind] += 1

    tool = Tool.from_function(write_file, action_type="write")
    attempts({}, good(), box=Toolbox([tool], subscribers=[count]))
    assert (counted["AskModel"], counted["success"]) == (1, 1)


def test_nfr_017_codes_are_documented() -> None:
    """NFR-017: docs/codes.md is generated from the table of codes and is up to date."""
    page = (ROOT / "docs" / "codes.md").read_text(encoding="utf-8")
    assert [code for code in CODES if f"| `{code}` | `{CODES[code].slug}` |" not in page] == []
    generator = [sys.executable, str(ROOT / "scripts" / "generate_docs.py"), "--check"]
    assert subprocess.run(generator, check=False, capture_output=True).returncode == 0


def test_nfr_018_the_message_format_is_documented() -> None:
    """NFR-018: docs/messages.md shows every form, with a message that we really write."""
    page = (ROOT / "docs" / "messages.md").read_text(encoding="utf-8")
    for form in ("text", "compact", "prose", "json", "problem"):
        assert f"`{form}`" in page
    assert "• /path (VAL-001): Required field 'path' is missing\n  Expected: string\n" in page


def test_nfr_019_public_names_are_documented() -> None:
    """NFR-019: a docstring on every public name, and on every public member of it."""
    bare = []
    for name in handrail.__all__:
        thing = getattr(handrail, name)
        if not (inspect.isclass(thing) or inspect.isfunction(thing)):
            continue
        members = inspect.getmembers(thing, lambda one: inspect.isroutine(one))
        ours = [
            (f"{name}.{member}", inspect.getdoc(value))
            for member, value in members
            if inspect.isclass(thing)
            and not member.startswith("_")
            and str(getattr(value, "__module__", "")).startswith("handrail")
        ]
        bare += [label for label, text in [(name, inspect.getdoc(thing)), *ours] if not text]
    assert bare == []


def test_nfr_020_the_format_has_a_version() -> None:
    """NFR-020: printed in every machine-readable form."""
    for form in ("json", "problem"):
        assert json.loads(render([MISSING], tool="t", form=form))["format"] == CONTRACT
    assert CONTRACT == "handrail/1"


# ---- the list is complete


def test_the_list_is_complete() -> None:
    """FR-001 to FR-066 and NFR-001 to NFR-020, each with a test that its name and text name."""
    here = importlib.import_module(__name__)
    tests = {name: thing for name, thing in vars(here).items() if name.startswith("test_")}
    wanted = [("fr", number) for number in range(1, 67)]
    wanted += [("nfr", number) for number in range(1, 21)]
    for kind, number in wanted:
        (name,) = [one for one in tests if one.startswith(f"test_{kind}_{number:03}_")]
        assert inspect.getdoc(tests[name]).startswith(f"{kind.upper()}-{number:03}: ")  # type: ignore[union-attr]  # house rule: every test has one
