"""The report for people."""

import io
from typing import Any

from handrail.cli.report import Examples, Report
from handrail.contract.issue import Issue
from handrail.replay.check import Finding, Totals
from handrail.replay.habits import HabitTotals
from handrail.replay.records import Place
from handrail.replay.retrace import Habit, Loop, Reply


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


def loop(habit: Habit, times: int, *, last: int = 1, conversation: str | None = None) -> Loop:
    """A loop that begins in line 1."""
    return Loop(
        habit=habit,
        tool="find",
        conversation=conversation,
        first=Place("log.jsonl", 1),
        last=Place("log.jsonl", last),
        turn=None,
        last_turn=None,
        times=times,
        stopped=times - 2,
    )


def test_nothing_to_tell_of_habits_is_nothing() -> None:
    """No empty table."""
    assert written("habits", HabitTotals(), 3) == ""


def test_loops_are_told_by_kind_and_the_longest_in_words() -> None:
    """With place, conversation, and what it comes to."""
    found = HabitTotals(conversations=7, arguable=1, forgotten=2)
    found.loop(loop(Habit.EMPTY, 3, conversation="log.jsonl:1"))
    found.loop(loop(Habit.IDENTICAL, 9, last=8, conversation="c-1"))
    lines = written("habits", found, 2).splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["calls", "that", "go", "round", "loops", "longest", "stopped"],
        ["identical", "calls", "1", "9", "7"],
        ["empty", "results", "in", "a", "row", "1", "3", "1"],
    ]
    assert lines[3:] == [
        "  log.jsonl:1-8 (c-1): 9 identical calls of find",
        "  log.jsonl:1: 3 calls of find in a row that found nothing",
        "2 loops in 7 conversations. Stopped are calls that budgets would have refused.",
        "1 call that budgets would have refused brought a new result.",
        "2 conversations went on after so many others that the beginning was forgotten: loops may "
        "be longer than told.",
        "",
    ]


def test_every_kind_of_loop_has_words() -> None:
    """In the table and as an example."""
    found = HabitTotals()
    for habit in Habit:
        found.loop(loop(habit, 5))
    shown = written("habits", found, None)
    assert shown.count("log.jsonl:1:") == len(Habit)
    for told in (
        "5 identical calls of find",
        "5 pairs of calls in turn, find the last",
        "5 calls of find with other arguments and one result",
        "5 calls of find in a row that found nothing",
        "5 calls of find, which does not exist",
    ):
        assert told in shown


def test_tokens_of_repeats_say_how_they_are_known() -> None:
    """Stated, estimated, or some of each."""
    stated, unstated = Reply(1, 1, (90, 10), 40), Reply(1, 1, None, 40)
    shown = []
    for repeats in ((stated,), (unstated,), (stated, unstated)):
        found = HabitTotals()
        for reply in repeats:
            found.all.add(reply)
            found.all.add(reply._replace(repeats=0))
            found.repeats.add(reply)
        shown += written("habits", found, 3).splitlines()[:1]
    assert shown == [
        "1 of 2 replies with calls only repeated earlier ones: 100 of 200 tokens (50.0 %).",
        "1 of 2 replies with calls only repeated earlier ones: about 10 of 20 tokens (50.0 %), "
        "estimated as characters / 4 of calls and results, the history left out.",
        "2 of 4 replies with calls only repeated earlier ones: about 110 of 220 tokens (50.0 %), "
        "of 1 reply estimated as characters / 4.",
    ]


def test_cut_text_and_mends_are_lines() -> None:
    """Each with what became of it."""
    found = HabitTotals(text=3, text_ok=2)
    found.cut.update({"length": 2, "by_content": 1})
    found.mended.update({"lax": 4})
    found.ran.update({"lax": 3})
    assert written("habits", found, 3).splitlines() == [
        "3 calls cut off: 2 by the output limit, 1 as their arguments show.",
        "3 calls written as text: 2 of them would run.",
        "4 calls mended (lax): 3 of them would run.",
        "",
    ]
