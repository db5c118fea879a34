"""The forms that are lines of text: `text` with codes and pointers, `compact` with one line each.

A form is a function from a `Draft` to the whole message. Both put blank lines between parts at
the normal level and none from `Level.LINES` on.
Source: seed 004, FR-019..FR-024, FR-046..FR-050; the contract `handrail/1`, section 4.
"""

from collections.abc import Callable, Sequence

from handrail.contract.issue import Severity
from handrail.contract.layout import (
    Draft,
    Level,
    call_to_action,
    guidance,
    message,
    more,
    opening,
    places,
)
from handrail.contract.sheet import Line

__all__ = ["compact", "listing", "text"]

_Block = Callable[[Line, Level], str]


def text(draft: Draft) -> str:
    """The default form: bullets with pointer and code, expectation and preview below them."""
    if draft.level == Level.PATHS:
        return listing(draft, "• ", lambda line: f"{line.shown} ({line.code})")
    gap = "\n\n" if draft.level == Level.NORMAL else "\n"
    sections = [
        _titled("Errors:", draft.errors, draft.level, gap, _text_block),
        _titled("Warnings:", draft.warnings, draft.level, gap, _text_block),
    ]
    return _assembled(draft, gap, sections)


def compact(draft: Draft) -> str:
    """One line for each issue: ``- /path: message (expected: string)``."""
    if draft.level == Level.PATHS:
        return listing(draft, "- ", lambda line: line.shown)
    gap = "\n\n" if draft.level == Level.NORMAL else "\n"
    errors = "\n".join([_compact_line(line, draft.level) for line in draft.errors])
    warnings = _titled("Warnings:", draft.warnings, draft.level, "\n", _compact_line)
    return _assembled(draft, gap, [errors, warnings])


def listing(draft: Draft, bullet: str, name: Callable[[Line], str]) -> str:
    """The last resort of the line forms: paths only, errors and warnings on a line each."""
    lines = opening(draft)
    for title, found in (("", draft.errors), ("Warnings: ", draft.warnings)):
        if found:
            lines.append(bullet + title + ", ".join([name(line) for line in found]))
    return "\n".join([*lines, *more(draft.hidden), call_to_action(draft)])


def _assembled(draft: Draft, gap: str, sections: Sequence[str]) -> str:
    parts = [
        "\n".join(opening(draft)),
        *[section for section in sections if section],
        *more(draft.hidden),
        "\n".join(guidance(draft)),
        call_to_action(draft),
    ]
    return gap.join([part for part in parts if part])


def _titled(title: str, lines: Sequence[Line], level: Level, gap: str, block: _Block) -> str:
    return f"{title}\n" + gap.join([block(line, level) for line in lines]) if lines else ""


def _text_block(line: Line, level: Level) -> str:
    said = line.message if level < Level.NO_HINTS else message(line, level)
    head = f"• {line.path or '(root)'} ({line.code}): {said}"
    if line.times > 1:
        head += places(line, level)
    expected, actual = ("\n  Expected", "\n  Actual") if not level else ("; expected", "; actual")
    if line.expected and level < Level.NO_HINTS:
        head += f"{expected}: {line.expected}"
    if line.actual and level < Level.NO_ACTUAL:
        head += f"{actual}: {line.actual}"
    return head


def _compact_line(line: Line, level: Level) -> str:
    said = message(line, level)
    expected = line.expected if level < Level.NO_HINTS else None
    if expected and line.severity is Severity.ERROR:
        listed = expected.removeprefix("one of: ")
        if listed != expected:
            said = said.partition(" (allowed: ")[0]
        if listed not in said:
            said = f"{said} (expected: {listed})"
    return f"- {line.shown}: {said}{places(line, level)}"
