"""The report of a check for people: examples, a table by tool and code, and a summary."""

from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from handrail.contract.preview import neutralise, word
from handrail.replay.check import Finding, ToolTotals, Totals

__all__ = ["Examples", "Report"]

_WIDTH = 100
_ROWS = 25
_COUNTS = ("calls", "ok", "mended", "invalid", "refused", "no_schema")
_ALWAYS = frozenset(("calls", "ok"))


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

    def summary(self, totals: Totals, shown: int, policy: str) -> None:
        """What it all comes to, and the way on."""
        found = totals.invalid + totals.refused + totals.unreadable
        calls = f"{totals.calls:,} call{'' if totals.calls == 1 else 's'}"
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
        self._console.print(Text(text))


def _rank(entry: tuple[str, ToolTotals]) -> tuple[int, int, str]:
    """Most findings first, then most calls."""
    name, one = entry
    return -(one.invalid + one.refused), -one.calls, name


def _cells(one: ToolTotals, columns: list[str], codes: list[str]) -> list[str]:
    counts = [getattr(one, name) for name in columns] + [one.by_code[code] for code in codes]
    return [f"{count:,}" if count else "." for count in counts]
