"""The report of a check for people: examples, a table by tool and code, and a summary."""

from collections.abc import Iterator
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from handrail.contract.preview import neutralise, word
from handrail.replay.check import Finding, ToolTotals, Totals
from handrail.replay.habits import HabitTotals, TokenTotals
from handrail.replay.retrace import Habit, Loop

__all__ = ["Examples", "Report"]

_WIDTH = 100
_ROWS = 25
_COUNTS = ("calls", "ok", "mended", "invalid", "refused", "no_schema")
_ALWAYS = frozenset(("calls", "ok"))
_HABITS = {
    Habit.IDENTICAL: "identical calls",
    Habit.PING_PONG: "two calls in turn",
    Habit.SAME_RESULT: "one result, other arguments",
    Habit.EMPTY: "empty results in a row",
    Habit.UNKNOWN_TOOL: "unknown tool again",
}
_TOLD = {
    Habit.IDENTICAL: "{times} identical calls of {tool}",
    Habit.PING_PONG: "{times} pairs of calls in turn, {tool} the last",
    Habit.SAME_RESULT: "{times} calls of {tool} with other arguments and one result",
    Habit.EMPTY: "{times} calls of {tool} in a row that found nothing",
    Habit.UNKNOWN_TOOL: "{times} calls of {tool}, which does not exist",
}
_CUTS = {
    "length": "by the output limit",
    "interrupted": "by a broken stream",
    "by_content": "as their arguments show",
}


class Examples:
    """The first findings, those with other codes than the ones before preferred.

    Args:
        wanted: How many to keep.
    """

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        self._kinds: dict[tuple[str, ...], Finding] = {}
        self._first: list[Finding] = []

    def add(self, finding: Finding) -> None:
        """Keep a finding if it is among the first, or the first of its kind."""
        if len(self._kinds) < self._wanted:
            self._kinds.setdefault((finding.status, *finding.codes), finding)
        if len(self._first) < self._wanted:
            self._first.append(finding)

    def chosen(self) -> list[Finding]:
        """At most as many as wanted, in the order of the log."""
        known = list(self._kinds.values())
        more = [one for one in self._first if one not in known]
        chosen = [*known, *more][: self._wanted]
        return sorted(chosen, key=lambda one: (one.place.file, one.place.line))


class Report:
    """Writes to a terminal or a file; without colours where it is not a terminal."""

    def __init__(self, out: TextIO) -> None:
        terminal = out.isatty()
        width = None if terminal else _WIDTH
        self._console = Console(file=out, width=width, highlight=False, soft_wrap=not terminal)
        self._lines = 0

    def example(self, finding: Finding) -> None:
        """One finding and what the model would have been told."""
        line = Text(neutralise(str(finding.place)), style="bold")
        if finding.tool is not None:
            line.append(f"  {finding.tool}", style="cyan")
        line.append(f"  {finding.status}", style="yellow")
        self._console.print(line)
        for told in finding.message.splitlines():
            self._console.print(Text(f"  {told}".rstrip()))
        self._console.print()

    def tables(self, totals: Totals) -> None:
        """Counts by tool and by code."""
        if not totals.by_tool:
            return
        codes = sorted(totals.by_code)
        columns = [name for name in _COUNTS if name in _ALWAYS or getattr(totals, name)]
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("tool", overflow="fold", min_width=24)
        for column in (*columns, *codes):
            table.add_column(column.replace("_", " "), justify="right", no_wrap=True)
        ranked = sorted(totals.by_tool.items(), key=_rank)
        for name, one in ranked[:_ROWS]:
            table.add_row(Text(name), *_cells(one, columns, codes))
        table.add_section()
        table.add_row(Text("all"), *_cells(totals, columns, codes), style="bold")
        self._console.print(table)
        if len(ranked) > _ROWS:
            self._line(f"({len(ranked) - _ROWS:,} more tools are not shown: --json has them all)")
        self._console.print()

    def habits(self, found: HabitTotals, wanted: int | None) -> None:
        """Loops, tokens spent on repeats, cut replies, calls written as text, mends.

        Args:
            found: What was counted.
            wanted: How many loops are shown, the longest first; None shows all that are kept.
        """
        before = self._lines
        self._loops(found, wanted)
        for line in _habit_lines(found):
            self._line(line)
        if self._lines > before:
            self._console.print()

    def _loops(self, found: HabitTotals, wanted: int | None) -> None:
        if not found.found:
            return
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("calls that go round", min_width=24)
        for column in ("loops", "longest", "stopped"):
            table.add_column(column, justify="right", no_wrap=True)
        for habit in Habit:
            one = found.by_habit.get(habit)
            if one is not None:
                counts = (one.loops, one.longest, one.stopped)
                table.add_row(_HABITS[habit], *(f"{count:,}" if count else "." for count in counts))
        self._console.print(table)
        self._lines += 1
        kept = found.loops
        for loop in kept if wanted is None else kept[:wanted]:
            self._line(f"  {_told(loop)}")

    def summary(self, totals: Totals, shown: int, policy: str) -> None:
        """What it all comes to, and the way on."""
        found = totals.invalid + totals.refused + totals.unreadable
        calls = _calls(totals.calls)
        parts = [f"{totals.ok:,} ok"]
        if totals.mended:
            parts[0] += f" ({totals.mended:,} of them mended)"
        parts += [f"{totals.invalid:,} invalid", f"{totals.refused:,} refused"]
        if totals.no_schema:
            parts.append(f"{totals.no_schema:,} not judged")
        self._line(f"{calls}: {', '.join(parts)}. Policy: {policy}.")
        if totals.unreadable:
            self._line(f"{totals.unreadable:,} unreadable: rows or schemas, each with its place.")
        if totals.no_reply:
            self._line(f"{totals.no_reply:,} requests without a reply.")
        for code, count in sorted(totals.warnings.items()):
            self._line(f"{count:,} calls would run with the warning {code}.")
        for reason, count in totals.reasons.most_common(10):
            self._line(f"  {count:,} x {word(reason, 300)}")
        if totals.unchecked:
            self._line(f"{totals.unchecked:,} calls have an async check, which was not run.")
        if totals.no_schema:
            self._line("Give schemas with --schemas FILE, or your tools with -c app.py:box.")
        if found > shown:
            self._line(f"{shown:,} of {found:,} findings shown; --all shows every one.")
        if not totals.calls and not found:
            self._line("No calls were found in what was given.")

    def _line(self, text: str) -> None:
        self._lines += 1
        self._console.print(Text(text))


def _rank(entry: tuple[str, ToolTotals]) -> tuple[int, int, str]:
    """Most findings first, then most calls."""
    name, one = entry
    return -(one.invalid + one.refused), -one.calls, name


def _cells(one: ToolTotals, columns: list[str], codes: list[str]) -> list[str]:
    counts = [getattr(one, name) for name in columns] + [one.by_code[code] for code in codes]
    return [f"{count:,}" if count else "." for count in counts]


def _told(loop: Loop) -> str:
    what = _TOLD[loop.habit].format(times=f"{loop.times:,}", tool=loop.tool)
    where = neutralise(str(loop.first))
    if loop.last.line != loop.first.line:
        where += f"-{loop.last.line}"
    known = loop.conversation in (None, "", str(loop.first))
    named = "" if known else f" ({word(loop.conversation, 64)})"
    return f"{where}{named}: {what}"


def _habit_lines(found: HabitTotals) -> Iterator[str]:
    if found.found:
        yield from _loop_notes(found)
    if found.repeats.replies:
        yield _spent(found.repeats, found.all)
    if found.cut:
        each = [f"{found.cut[key]:,} {how}" for key, how in _CUTS.items() if found.cut[key]]
        yield f"{_calls(sum(found.cut.values()))} cut off: {', '.join(each)}."
    if found.text:
        yield f"{_calls(found.text)} written as text: {found.text_ok:,} of them would run."
    for kind, calls in sorted(found.mended.items()):
        yield f"{_calls(calls)} mended ({kind}): {found.ran[kind]:,} of them would run."


def _loop_notes(found: HabitTotals) -> Iterator[str]:
    yield (
        f"{found.found:,} {'loop' if found.found == 1 else 'loops'} in "
        f"{found.conversations:,} conversations. Stopped are calls that budgets would have refused."
    )
    if found.arguable:
        yield f"{_calls(found.arguable)} that budgets would have refused brought a new result."
    if found.forgotten:
        went = "conversation went" if found.forgotten == 1 else "conversations went"
        yield (
            f"{found.forgotten:,} {went} on after so many others that the beginning was forgotten: "
            "loops may be longer than told."
        )


def _spent(repeats: TokenTotals, every: TokenTotals) -> str:
    share = 100 * repeats.all / every.all if every.all else 0.0
    about = "about " if repeats.unstated else ""
    told = (
        f"{repeats.replies:,} of {every.replies:,} replies with calls only repeated earlier ones: "
        f"{about}{repeats.all:,} of {every.all:,} tokens ({share:.1f} %)"
    )
    if repeats.unstated == repeats.replies:
        return f"{told}, estimated as characters / 4 of calls and results, the history left out."
    if repeats.unstated:
        replies = "1 reply" if repeats.unstated == 1 else f"{repeats.unstated:,} replies"
        return f"{told}, of {replies} estimated as characters / 4."
    return f"{told}."


def _calls(number: int) -> str:
    return f"{number:,} call{'' if number == 1 else 's'}"
