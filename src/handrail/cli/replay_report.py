"""The report of a replay for people: false alarms and what would end them, then everything else."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from handrail.cli.report import Report
from handrail.contract.issue import CODES
from handrail.contract.output_codes import OUTPUTS
from handrail.contract.preview import neutralise, shorten, word
from handrail.replay.calibrate import Calibration, Suggestion
from handrail.replay.check import Totals
from handrail.replay.habits import HabitTotals
from handrail.replay.tallies import Group, GroupKey, ToolTally
from handrail.replay.verdict_report import Limit, left_after, share
from handrail.replay.widening import ABSENT

__all__ = ["ReplayReport", "percent"]

_WIDTH = 100
_GROUPS = 10
_TOOLS = 25
_LINE = 200
_COLUMNS = ("calls", "accepted", "failed", "mended", "asked", "invalid", "refused", "caught")
_TITLES = {"failed": "tool failed"}
_NAMES = {
    "max_false_alarms": "false alarms of accepted calls",
    "max_blocked": "blocked calls",
    "max_broken": "results judged broken",
}
_CLASSES = {
    "schema_mismatch": "broken",
    "partial_data": "partial",
    "semantic_garbage": "garbage",
    "tool_failed": "judged failed",
    "transient": "transient",
    "need_user_input": "asks the user",
}


class ReplayReport:
    """Writes to a terminal or a file; without colours where it is not a terminal.

    Args:
        out: Where to.
        whole: Whether everything is shown.
    """

    def __init__(self, out: TextIO, *, whole: bool = False) -> None:
        terminal = out.isatty()
        width = None if terminal else _WIDTH
        self._console = Console(file=out, width=width, highlight=False, soft_wrap=not terminal)
        self._report = Report(out)
        self._whole = whole

    def alarms(self, calibration: Calibration, suggestions: Sequence[Suggestion]) -> None:
        """Suspected false alarms, and the widenings that would end them."""
        seen = calibration.totals
        rate = percent(share(seen.alarmed, seen.accepted))
        self._line(
            f"Suspected false alarms: {seen.alarmed:,} of {seen.accepted:,} accepted calls, {rate}",
            "bold",
        )
        self._line(
            f"  {_calls(seen.input_alarms)} would be rejected though the real tool accepted it; "
            f"{_results(seen.output_alarms)} judged broken though the call succeeded"
        )
        if seen.assumed:
            self._line(
                f"  {_calls(seen.assumed)} taken for accepted, since the result states no failure "
                "and the log does not say what came of it"
            )
        self._line()
        self._groups(calibration.groups.ranked("false_alarm", "false_alarm_output"))
        self._widenings(suggestions)

    def verdicts(self, calibration: Calibration) -> None:
        """What the contract would have done, by tool, code and field."""
        self._table(calibration)
        for title, kinds in _LISTS.items():
            ranked = calibration.groups.ranked(*kinds)
            if ranked:
                self._line(title, "bold")
                self._groups(ranked)
        found = calibration.narrowings()
        if found:
            self._line("A narrowing would have caught (a report, no advice):", "bold")
            for tool, accepted, one in found if self._whole else found[:_GROUPS]:
                calls = _calls(one.catches)
                self._line(
                    f"  {tool} {one.field}: {one.rule} held for all {accepted:,} accepted calls, "
                    f"and not for {calls} that failed"
                )
            self._line()

    def habits(self, found: HabitTotals, wanted: int | None) -> None:
        """Loops and tokens, and what the budgets would have saved.

        Args:
            found: What was counted.
            wanted: How many loops are shown; None shows all that are kept.
        """
        self._report.habits(found, wanted)
        saved = found.stopped
        if saved.replies:
            about = "about " if saved.unstated else ""
            cost = f", {saved.cost:,.4g} in money" if saved.cost else ""
            self._line(
                f"Budgets would have saved up to {saved.replies:,} model calls, in whose replies "
                f"every call would have been refused ({about}{saved.all:,} tokens{cost})."
            )
            self._line()

    def summary(
        self,
        calibration: Calibration,
        totals: Totals,
        limits: Sequence[Limit],
        policy: str,
        faults: Sequence[str],
    ) -> None:
        """What it all comes to, and which limits are kept."""
        seen = calibration.totals
        parts = [f"{seen.blocked:,} blocked", f"{seen.mended:,} mended", f"{seen.asked:,} asked"]
        self._line(
            f"{_calls(totals.calls)}: {', '.join(parts)}; {_results(seen.results)}: "
            f"{seen.broken:,} broken or failed, {seen.outputs['partial_data']:,} partial. "
            f"Policy: {policy}. No tool was run."
        )
        if calibration.unknown:
            self._line(f"{_calls(calibration.unknown)} of which nothing tells what came of them.")
        if calibration.unchecked:
            self._line(f"{calibration.unchecked:,} results have an async check, which was not run.")
        if totals.no_schema:
            self._line(f"{_calls(totals.no_schema)} without a contract, not judged.")
        for reason, count in totals.reasons.most_common(5):
            self._line(f"  {count:,} x {word(reason, 300)}")
        for fault in faults:
            self._line(neutralise(fault))
        if totals.unreadable > len(faults):
            self._line(f"{totals.unreadable - len(faults):,} more parts could not be read.")
        for limit in limits:
            verdict = "kept" if limit.kept else "EXCEEDED"
            self._line(
                f"{verdict}: {_NAMES[limit.name]} {percent(limit.found)} "
                f"(at most {percent(limit.most)})",
                "green" if limit.kept else "red",
            )

    # ---- parts

    def _groups(self, ranked: Sequence[tuple[GroupKey, Group]]) -> None:
        shown = ranked if self._whole else ranked[:_GROUPS]
        for key, group in shown:
            field = f" {key.field}" if key.field else ""
            expected = f", expected {shorten(group.message, _LINE)}" if group.message else ""
            self._line(f"  {group.calls:,} x {key.tool}{field}: {_code(key.code)}{expected}")
            for one in group.examples:
                result = "" if one.result is None else f" -> {shorten(one.result, _LINE)}"
                arguments = shorten(one.arguments, _LINE)
                self._line(f"      {neutralise(str(one.place))}  {arguments}{result}", "dim")
        if len(ranked) > len(shown):
            self._line(f"  ({len(ranked) - len(shown):,} more are not shown: --all)")
        if ranked:
            self._line()

    def _widenings(self, suggestions: Sequence[Suggestion]) -> None:
        if not suggestions:
            return
        self._line("Suggested widenings", "bold")
        for (_, tool, side), several in groupby(suggestions, key=lambda one: one[:3]):
            self._line()
            self._line(f"--- {tool} {side}", "red")
            self._line(f"+++ {tool} {side}", "green")
            one = None
            for one in several:
                for style, line in _diff(one):
                    self._line(line, style)
            if one is not None:
                again = f", {one.unproved:,} of them not judged again" if one.unproved else ""
                self._line(f"  false alarms of {tool}: {one.before:,} -> {one.after:,}{again}")
        before, after = left_after(suggestions)
        self._line()
        self._line(
            f"With all of them: {before:,} -> {after:,} suspected false alarms, judged again."
        )
        self._line()

    def _table(self, calibration: Calibration) -> None:
        totals = calibration.totals
        columns = [name for name in _COLUMNS if getattr(totals, name) or name == "calls"]
        classes = [name for name in _CLASSES if totals.outputs[name]]
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("tool", overflow="fold", min_width=24)
        table.add_column("false alarms", justify="right", no_wrap=True)
        for name in (
            *(_TITLES.get(one, one) for one in columns),
            *(_CLASSES[one] for one in classes),
        ):
            table.add_column(name, justify="right", no_wrap=True)
        ranked = sorted(calibration.by_tool.items(), key=_rank)
        for name, one in ranked if self._whole else ranked[:_TOOLS]:
            table.add_row(Text(name), *_cells(one, columns, classes))
        table.add_section()
        table.add_row(Text("all"), *_cells(totals, columns, classes), style="bold")
        self._console.print(table)
        if len(ranked) > _TOOLS and not self._whole:
            self._line(f"({len(ranked) - _TOOLS:,} more tools are not shown: --all)")
        self._line()

    def _line(self, text: str = "", style: str = "") -> None:
        self._console.print(Text(text, style=style))


_LISTS = {
    "Blocked, and the real tool failed as well:": ("caught",),
    "Blocked, and nothing tells what came of it:": ("unsure",),
    "Mended:": ("mended",),
    "A human would have been asked:": ("asked",),
    "Results that are broken:": ("output_schema_mismatch",),
    "Results that are partial:": ("output_partial_data",),
    "Results that make no sense:": ("output_semantic_garbage",),
    "Failures:": ("output_tool_failed", "output_transient"),
}


def percent(part: float) -> str:
    """A share as a text: ``4.1 %``, small ones with more digits."""
    number = 100 * part
    digits = 0 if number in (0, 100) else 1 if number >= 1 else 3
    return f"{number:.{digits}f} %"


def _diff(one: Suggestion) -> Iterator[tuple[str, str]]:
    change = one.change
    seen = f"{shorten(change.seen, _LINE)}; {percent(share(change.calls, one.accepted))}"
    yield "cyan", f"@@ {change.pointer} @@ {seen} of {one.accepted:,} accepted calls"
    if change.before is not ABSENT:
        yield "red", f"-{_json(change.before)}"
    if change.after is not ABSENT:
        note = f"  # {change.annotation}" if change.annotation else ""
        yield "green", f"+{_json(change.after)}{note}"


def _json(value: Any) -> str:  # Any: JSON value
    return neutralise(json.dumps(value, ensure_ascii=False))


def _code(code: str) -> str:
    row = CODES.get(code)
    if row is not None:
        return f"{code} ({row.slug})"
    return code if code in OUTPUTS else word(code)


def _rank(entry: tuple[str, ToolTally]) -> tuple[int, int, int, str]:
    """Most false alarms first, then most blocked, then most calls."""
    name, one = entry
    return -one.alarmed, -one.blocked, -one.calls, name


def _cells(one: ToolTally, columns: Sequence[str], classes: Sequence[str]) -> list[str]:
    counts = [one.alarmed, *(getattr(one, name) for name in columns)]
    counts += [one.outputs[name] for name in classes]
    return [f"{count:,}" if count else "." for count in counts]


def _calls(number: int) -> str:
    return f"{number:,} call{'' if number == 1 else 's'}"


def _results(number: int) -> str:
    return f"{number:,} result{'' if number == 1 else 's'}"
