"""The report for people."""

import io
from typing import Any

from handrail.cli.report import Examples, Report
from handrail.contract.issue import Issue
from handrail.replay.check import Finding, Totals
from handrail.replay.records import Place


def finding(line: int, *codes: str, tool: str = "t") -> Finding:
    """An invalid call with these codes."""
    issues = tuple(Issue(code, "", "wrong") for code in codes)
    return Finding(Place("log.jsonl", line), tool, "invalid", issues, problem="Do better.")


def written(method: str, *arguments: Any) -> str:  # Any: arguments of a method of Report
    """What a report writes where there is no terminal."""
    out = io.StringIO()
    getattr(Report(out), method)(*arguments)
    return out.getvalue()


def test_examples_differ_where_they_can() -> None:
    """Three findings of one kind tell less than one of each of three kinds."""
    chosen = Examples(3)
    codes = ["VAL-001"] * 5 + ["VAL-002", "VAL-001", "VAL-003", "VAL-004"]
    for line, code in enumerate(codes, start=1):
        chosen.add(finding(line, code))
    assert [one.place.line for one in chosen.chosen()] == [1, 6, 8]


def test_examples_are_as_many_as_wanted() -> None:
    """Also where all are of one kind, and where none is wanted."""
    for wanted, expected in ((0, 0), (2, 2), (9, 4)):
        chosen = Examples(wanted)
        for line in range(4):
            chosen.add(finding(line, "VAL-001"))
        assert len(chosen.chosen()) == expected


def test_example_shows_place_tool_and_message() -> None:
    """Texts of the log are shown as they are, and are no markup."""
    shown = written("example", finding(7, "VAL-001", tool="[bold]t"))
    assert shown == "log.jsonl:7  [bold]t  invalid\n  Do better.\n\n"


def test_table_shows_tools_and_codes() -> None:
    """The tool with most findings first; columns with nothing in them are left out."""
    totals = Totals(calls=3, ok=2, invalid=1)
    totals.of("good").calls = totals.of("good").ok = 2
    totals.of("bad").calls = totals.of("bad").invalid = 1
    for one in (totals, totals.of("bad")):
        one.by_code["VAL-001"] += 1
    rows = [line.split() for line in written("tables", totals).splitlines() if line.strip()]
    assert rows == [
        ["tool", "calls", "ok", "invalid", "VAL-001"],
        ["bad", "1", ".", "1", "1"],
        ["good", "2", "2", ".", "."],
        ["all", "3", "2", "1", "1"],
    ]


def test_long_table_says_what_it_leaves_out() -> None:
    """And where the rest is."""
    totals = Totals(calls=99)
    for number in range(99):
        totals.of(f"t{number}").calls = 1
    assert "(74 more tools are not shown: --json has them all)" in written("tables", totals)


def test_summary_says_how_to_go_on() -> None:
    """What was not judged, and what was not shown."""
    totals = Totals(calls=2, ok=1, no_schema=1, unreadable=2)
    shown = written("summary", totals, 1, "balanced").splitlines()
    assert shown[0] == "2 calls: 1 ok, 0 invalid, 0 refused, 1 not judged. Policy: balanced."
    assert "Give schemas with --schemas FILE, or your tools with -c app.py:box." in shown
    assert "1 of 2 findings shown; --all shows every one." in shown


def test_summary_of_nothing_says_so() -> None:
    """An empty log is no success."""
    assert "No calls were found" in written("summary", Totals(), 0, "balanced")
