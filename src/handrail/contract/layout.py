"""What every form says in the same words, and the order in which a message shrinks.

Layout goes before content. A form writes the same sheet at a given `Level`; the renderer takes
the first level that fits. Paths, codes, the summary and a call to action are in every level.
Source: the contract `handrail/1`, section 4.
"""

from enum import IntEnum

from handrail.contract.issue import Severity
from handrail.contract.parameters import fields_line
from handrail.contract.preview import shorten
from handrail.contract.sheet import Line, Sheet

__all__ = [
    "Draft",
    "Level",
    "call_to_action",
    "guidance",
    "message",
    "more",
    "opening",
    "places",
    "summary",
]

_SHORT_MESSAGE = 80


class Level(IntEnum):
    """How far a message is shrunk; each level includes the ones before it."""

    NORMAL = 0
    LINES = 1
    NO_ACTUAL = 2
    NO_INTENT = 3
    NO_HINTS = 4
    PATHS = 5


class Draft:
    """A sheet on its way to a text.

    Args:
        sheet: What may be said.
        level: How far it is shrunk.
        shown: How many of the sheet's lines are shown.

    Attributes:
        errors: The shown errors.
        warnings: The shown warnings and infos.
        hidden: How many unique items are not shown.
    """

    __slots__ = ("errors", "hidden", "level", "sheet", "shown", "warnings")

    def __init__(self, sheet: Sheet, level: Level, shown: int) -> None:
        lines = sheet.lines[:shown]
        self.sheet = sheet
        self.level = level
        self.shown = shown
        self.errors = [line for line in lines if line.severity is Severity.ERROR]
        self.warnings = [line for line in lines if line.severity is not Severity.ERROR]
        self.hidden = sheet.hidden + len(sheet.lines) - shown


def summary(sheet: Sheet) -> str:
    """The first line of every message, without a colon at its end."""
    if not sheet.failed:
        return f"Tool '{sheet.tool}' accepted the call, with warnings"
    count = f"(attempt {sheet.attempt}/{sheet.max_attempts})"
    if sheet.refused:
        return f"Tool '{sheet.tool}' was not called (refused)"
    if sheet.spent:
        return f"Tool '{sheet.tool}' was not called {count}"
    return f"Validation failed for tool '{sheet.tool}' {count}"


def opening(draft: Draft) -> list[str]:
    """The summary line, and what has to be said before anything else."""
    sheet = draft.sheet
    if not draft.hidden and not draft.shown and not sheet.failed:
        return [f"Tool '{sheet.tool}' accepted the call."]
    lines = [f"{summary(sheet)}:"]
    if sheet.repeated:
        again = "" if draft.level == Level.PATHS else " Sent again, they will fail again."
        lines.append("The same arguments came back unchanged." + again)
    if draft.level < Level.PATHS and sheet.failed and not sheet.spent and not sheet.refused:
        if sheet.final:
            lines.append("This was the last attempt. The user is told.")
        elif sheet.attempt == sheet.max_attempts - 1 and sheet.attempt > 0:
            lines.append("The next attempt is the last. After that the user is told.")
    return lines


def call_to_action(draft: Draft) -> str:
    """The last line of every message: what to send, or whom to tell."""
    sheet = draft.sheet
    if not sheet.failed:
        return "The call was accepted: nothing has to be sent again."
    if sheet.spent:
        return "Do not send this call again: use what you have, or tell the user."
    hints = _hints(draft) if draft.level < Level.NO_HINTS else ""
    if sheet.final:
        stop = "Stop calling this tool with these arguments and tell the user"
        return f"{stop}: {hints}" if hints else f"{stop}."
    if sheet.refused:
        return f"Make a new call: {hints}" if hints else "Do not send this call again."
    if sheet.ready and draft.level < Level.NO_HINTS and draft.shown == len(sheet.lines):
        return f"Call again with: {sheet.ready}"
    start = "Please correct and call again"
    return f"{start}: {hints}" if hints else "Please correct these arguments and call again."


def _hints(draft: Draft) -> str:
    """The hints as they are read: ``clause; clause. Sentence. Sentence.``."""
    clauses: dict[str, None] = {}
    sentences: dict[str, None] = {}
    for line in draft.errors:
        hint = line.hint or f"correct {line.path or 'the arguments'}"
        whole = hint[-1] == "." and not hint.endswith("...")
        (sentences if whole else clauses)[hint] = None
    parts = ["; ".join(clauses) + "."] if clauses else []
    return " ".join([*parts, *sentences])


def places(line: Line, level: Level) -> str:
    """`` (30 places: /items/0/qty, /items/1/qty, ...)``; empty for a single issue."""
    if line.times == 1:
        return ""
    if level >= Level.NO_HINTS:
        return f" ({line.times} places)"
    more = ", ..." if line.times > len(line.places) else ""
    return f" ({line.times} places: {', '.join(line.places)}{more})"


def message(line: Line, level: Level) -> str:
    """The message at its length for the level."""
    return shorten(line.message, _SHORT_MESSAGE) if level >= Level.NO_HINTS else line.message


def more(count: int) -> list[str]:
    """The line that counts what is not shown."""
    return [f"... and {count} more"] if count > 0 else []


def guidance(draft: Draft) -> list[str]:
    """The ``Intent:`` and ``Fields:`` lines, where they are known and there is room."""
    if draft.level >= Level.NO_INTENT:
        return []
    fields = fields_line(draft.sheet.fields)
    intent = draft.sheet.intent
    return [*([f"Intent: {intent}"] if intent else []), *([f"Fields: {fields}"] if fields else [])]
