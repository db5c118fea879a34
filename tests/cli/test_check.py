"""``handrail check`` from the command line."""

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from handrail.cli.app import app
from handrail.replay import check as replay_check

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [{"type": "function", "function": {"name": "weather", "parameters": SCHEMA}}]
APP = """
from handrail import Toolbox
box = Toolbox(name="shop", policy="strict")
@box.tool(action_type="write")
def order(qty: int) -> None:
    '''Order.'''
"""


def exchange(arguments: str) -> dict[str, Any]:  # Any: a row
    """A request with one call in its reply."""
    function = {"name": "weather", "arguments": arguments}
    message = {"role": "assistant", "tool_calls": [{"id": "c", "function": function}]}
    return {"request": {"tools": TOOLS}, "response": {"choices": [{"message": message}]}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with an app."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(APP)
    return tmp_path


def check(rows: list[Any], *options: str) -> Result:  # Any: rows
    """The command on a log with these rows; text is written as it is."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    Path("log.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return CliRunner().invoke(app, ["check", "log.jsonl", *options])


def test_valid_calls_exit_0(folder: Path) -> None:
    """Nothing declared, nothing found."""
    done = check([exchange('{"city": "Oslo"}')])
    assert (done.exit_code, done.stderr) == (0, "")
    assert "1 call: 1 ok, 0 invalid, 0 refused. Policy: balanced." in done.stdout


def test_invalid_call_exits_1_and_is_told(folder: Path) -> None:
    """With what the model would have read."""
    done = check([exchange("{}")])
    assert done.exit_code == 1
    assert "log.jsonl:1  weather  invalid" in done.stdout
    assert "Please correct and call again: add /city (string)." in done.stdout


def test_json_has_the_pinned_shape(folder: Path) -> None:
    """Counts, and findings with line, tool, status, issues and message."""
    done = check([exchange('{"city": "Oslo"}'), exchange("{}"), "nope"], "--json")
    report = json.loads(done.stdout)
    counts = [report[key] for key in ("calls", "ok", "invalid", "mended", "refused", "unreadable")]
    assert (done.exit_code, counts) == (1, [2, 1, 1, 0, 0, 1])
    assert report["by_tool"]["weather"]["by_code"] == report["by_code"] == {"VAL-001": 1}
    finding, unreadable = report["findings"]
    assert (finding["line"], finding["tool"], finding["status"]) == (2, "weather", "invalid")
    assert finding["issues"][0]["path"] == "/city"
    assert (unreadable["line"], unreadable["tool"], unreadable["status"]) == (3, None, "unreadable")


def test_unreadable_row_alone_exits_1(folder: Path) -> None:
    """A log that is not understood is not a good log."""
    done = check(["nope", exchange('{"city": "Oslo"}')])
    assert done.exit_code == 1
    assert "log.jsonl:1  unreadable" in done.stdout


def test_findings_of_json_are_bounded_and_it_says_so(folder: Path) -> None:
    """The counts are whole."""
    done = check([exchange("{}")] * 5, "--json", "--max-findings", "2")
    report = json.loads(done.stdout)
    assert (report["invalid"], len(report["findings"]), report["findings_omitted"]) == (5, 2, 3)
    assert done.stderr == "3 findings left out of the list: raise --max-findings\n"


@pytest.mark.parametrize(
    ("options", "expected"), [((), 3), (("--examples", "1"), 1), (("--all",), 5)]
)
def test_examples_are_as_many_as_asked_for(
    folder: Path, options: tuple[str, ...], expected: int
) -> None:
    """Three by default."""
    assert check([exchange("{}")] * 5, *options).stdout.count("weather  invalid") == expected


def test_toolbox_judges_its_own_tools(folder: Path) -> None:
    """Under its own policy, which says so; --policy overrides."""
    row = {"tool": "order", "arguments": {"qty": "3"}}
    own, balanced = (
        check([row], "-c", "app.py:box"),
        check([row], "-c", "app", "--policy", "balanced"),
    )
    assert (own.exit_code, balanced.exit_code) == (1, 0)
    assert "Policy: strict, of the toolbox shop." in own.stdout
    assert "1 ok (1 of them mended)" in balanced.stdout


def test_schema_files_are_read_first(folder: Path) -> None:
    """By name or ref, and what is no schema is told with its line."""
    rows = [{"ref": "r/weather", "parameters": SCHEMA}, {"name": "x", "parameters": {"type": "no"}}]
    Path("s.jsonl").write_text("\n".join(map(json.dumps, rows)))
    done = check(
        [{"tool": "weather", "arguments": {}, "schema": "r/weather"}], "--schemas", "s.jsonl"
    )
    assert done.exit_code == 1
    assert "s.jsonl:2  unreadable" in done.stdout
    assert "log.jsonl:1  weather  invalid" in done.stdout


def test_configuration_of_the_folder_is_loaded_and_told(folder: Path) -> None:
    """On standard error, so that it is seen with --json too."""
    Path(".agent").mkdir()
    Path(".agent/config.yml").write_text(
        "tools:\n  validation:\n    policy: lenient\n    retry: {max_attempts: 5}\n"
    )
    done = check([exchange("{}")])
    assert done.stderr == "policy: lenient, from .agent/config.yml\n"
    assert "(attempt 1/5)" in done.stdout
    assert check([exchange("{}")], "--policy", "balanced").stderr == ""


def test_output_file_is_written_whole(folder: Path) -> None:
    """And standard output stays empty."""
    done = check([exchange("{}")], "--json", "-o", "report.json")
    assert (done.exit_code, done.stdout) == (1, "")
    assert json.loads(Path("report.json").read_text())["invalid"] == 1


def test_interrupt_leaves_nothing_half_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in the middle of a log."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(replay_check, "judge_input", interrupted)
    done = check([exchange("{}")], "--all", "-o", "report.txt")
    assert done.exit_code == 130
    assert sorted(one.name for one in folder.iterdir() if one.is_file()) == ["app.py", "log.jsonl"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("missing.jsonl",), "missing.jsonl: No such file or directory"),
        (("-c", "app.py:bix"), "app.py has nothing named 'bix'; there is box"),
        (("--policy", "bold"), "--policy bold: there is no such file; presets are strict,"),
        (("--schemas", "no.json"), "no.json: No such file or directory"),
        (("-o", "no/report"), "no/report cannot be written"),
        (("--bold",), "No such option: --bold"),
        (("-c", ""), "-c is empty: name your toolbox, such as app.py:box, or leave it out"),
        (("--schemas", " "), "--schemas is empty: name a file"),
        (("",), "FILE is empty: name a file"),
        (("--policy", ""), "--policy '': there is no such file"),
    ],
)
def test_wrong_usage_exits_2(folder: Path, options: tuple[str, ...], told: str) -> None:
    """With a sentence, before anything is judged."""
    done = check([exchange("{}")], *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr


def test_standard_input_is_a_log(folder: Path) -> None:
    """So that it can stand behind a pipe."""
    done = CliRunner().invoke(app, ["check", "-"], input=json.dumps(exchange("{}"), indent=1))
    assert done.exit_code == 1
    assert "-:1  weather  invalid" in done.stdout


def test_pipe_is_a_log(folder: Path) -> None:
    """As a shell gives one for ``<(command)``; it can be read only once."""
    os.mkfifo("pipe")
    writer = threading.Thread(target=Path("pipe").write_text, args=[json.dumps(exchange("{}"))])
    writer.start()
    done = CliRunner().invoke(app, ["check", "pipe"])
    writer.join()
    assert done.exit_code == 1
    assert "pipe:1  weather  invalid" in done.stdout


def test_hostile_texts_are_shown_harmless(folder: Path) -> None:
    """Markup, escape sequences and surrogates of a log do nothing to a terminal."""
    rows = [{"tool": "[red]\x1b[31m\ud800", "arguments": "{", "schema": {"type": "object"}}]
    done = check(rows)
    assert done.exit_code == 1
    assert "\x1b" not in done.stdout
    assert "[red]" in done.stdout


@pytest.mark.parametrize(
    "content", ["", "tools:", "tools: {validation: {}}", "tools: {timeouts: {read: 5}}"]
)
def test_policy_file_without_rules_is_told(folder: Path, content: str) -> None:
    """Named, it is wrong usage; found in the working directory, it is not used."""
    Path(".agent").mkdir()
    Path(".agent/config.yml").write_text(content)
    named = check([exchange("{}")], "--policy", ".agent/config.yml")
    told = "the file has no rules under tools.validation"
    assert (named.exit_code, named.stdout) == (2, "")
    assert named.stderr == f"handrail check: --policy .agent/config.yml: {told}\n"
    row = {"tool": "order", "arguments": {"qty": "3"}}
    found = check([row], "-c", "app.py:box")
    told = "policy: .agent/config.yml has no rules under tools.validation: not used\n"
    assert found.stderr == told
    assert "Policy: strict, of the toolbox shop." in found.stdout


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([], "no calls were found in what was given"),
        ([{"tool": "t", "arguments": {}}], "the one call has no schema; give"),
        ([{"tool": "t", "arguments": {}}] * 2, "none of 2 calls has a schema; give"),
    ],
)
def test_log_of_which_nothing_was_judged_exits_2(
    folder: Path, rows: list[dict[str, Any]], told: str
) -> None:
    """A check that checked nothing must not look like a good one; the report is still written."""
    done = check(rows, "--json", "-o", "report.json")
    assert done.exit_code == 2
    assert done.stderr.startswith(f"handrail check: nothing was judged: {told}")
    assert json.loads(Path("report.json").read_text())["calls"] == len(rows)


def test_loops_are_reported_and_do_not_fail(folder: Path) -> None:
    """In both forms; every call is ok."""
    rows = [
        {"tool": "find", "arguments": "{}", "result": "[]", "conversation": "c", "turn": turn}
        | {"schema": {"type": "object"}, "model": "m"}
        for turn in range(1, 13, 2)
    ]
    done, report = check(rows), json.loads(check(rows, "--json").stdout)
    assert done.exit_code == 0
    assert "  log.jsonl:2-6 (c): 6 identical calls of find" in done.stdout.splitlines()
    assert "5 of 6 replies with calls only repeated earlier ones: about 10 of 12" in done.stdout
    assert report["loops"]["by_habit"]["identical"] == {"loops": 1, "longest": 6, "stopped": 3}
    assert (report["calls"], report["ok"], report["findings"]) == (6, 6, [])
    assert report["tokens"]["repeats"]["estimated_tokens"] == 10


def test_number_of_examples_is_that_of_loops_too(folder: Path) -> None:
    """None are shown where none are wanted."""
    row = {"tool": "find", "arguments": "{}", "conversation": "c", "schema": {"type": "object"}}
    rows = [row] * 3
    shown = [check(rows, *options).stdout for options in ((), ("--examples", "0"), ("--all",))]
    assert ["3 identical calls of find" in one for one in shown] == [True, False, True]
