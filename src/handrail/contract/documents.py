"""The forms that are JSON documents: `json` (our own keys) and `problem` (RFC 9457).

They shrink by dropping members' contents, never by cutting text, so that they parse at every
size. Suggestions are JSON Patch (RFC 6902) on the arguments as sent, in an order in which they
can be applied.
Source: seed 003 (validation payloads); seed 004, NFR-020; the contract `handrail/1`, section 4.
"""

import re
from typing import Any

from handrail.contract.issue import CONTRACT
from handrail.contract.layout import Draft, Level, call_to_action, message, summary
from handrail.contract.parameters import parameter_names
from handrail.contract.patch import in_order
from handrail.contract.sheet import Line, dumps

__all__ = ["as_json", "as_problem"]

_DENSE = (",", ":")
_NOT_PLAIN = re.compile("[^A-Za-z0-9_-]")
_HTTP_STATUS = 422  # RFC 9110: the content is well-formed, but its instructions cannot be followed


def as_json(draft: Draft) -> str:
    """The machine-readable form of the contract."""
    sheet = draft.sheet
    guided = draft.level < Level.NO_INTENT
    error_class, code = _verdict(draft)
    return dumps(
        {
            "valid": not sheet.failed,
            "format": CONTRACT,
            "tool": sheet.tool,
            "error": summary(sheet) if sheet.failed else None,
            "error_class": error_class,
            "code": code,
            "detail": _detail(draft),
            "hint": call_to_action(draft),
            "attempt": sheet.attempt,
            "max_attempts": sheet.max_attempts,
            "final_attempt": sheet.final,
            "issues": _issues(draft),
            "suggestions": _suggestions(draft),
            "valid_parameters": parameter_names(sheet.fields) if guided else [],
            "intent": sheet.intent or None if guided else None,
        },
        _DENSE,
    )


def as_problem(draft: Draft) -> str:
    """A problem document, media type ``application/problem+json`` (RFC 9457)."""
    sheet = draft.sheet
    return dumps(
        {
            "type": f"urn:handrail:{_urn_part(sheet.error_class or 'accepted')}",
            "title": summary(sheet),
            "status": _HTTP_STATUS,
            "detail": f"{_detail(draft)} {call_to_action(draft)}".strip(),
            "instance": f"urn:handrail:call:{_urn_part(sheet.tool)}:{sheet.attempt}",
            "format": CONTRACT,
            "tool": sheet.tool,
            "attempt": sheet.attempt,
            "max_attempts": sheet.max_attempts,
            "issues": _issues(draft),
            "suggestions": _suggestions(draft),
        },
        _DENSE,
    )


def _urn_part(name: str) -> str:
    """A name with characters that a URN needs no escape for (RFC 8141)."""
    return _NOT_PLAIN.sub("_", name)


def _verdict(draft: Draft) -> tuple[str | None, str | None]:
    """Error class and first code; a spent repeat budget is spelled as seed 001 spells it."""
    sheet = draft.sheet
    code = sheet.lines[0].code if sheet.lines else None
    if sheet.error_class == "budget_spent" and code == "BUD-002":
        return "schema_mismatch", "retry_budget_exceeded"
    return sheet.error_class, code


def _detail(draft: Draft) -> str:
    """How many problems there are, and whether the model repeats itself."""
    again = " The same arguments came back unchanged." if draft.sheet.repeated else ""
    if draft.level == Level.PATHS:
        return f"{draft.hidden} more.{again}" if draft.hidden else again.strip()
    errors, warnings = len(draft.errors), len(draft.warnings)
    counts = [_counted(errors, "error")] if errors or not warnings else []
    counts += [_counted(warnings, "warning")] if warnings else []
    counts += [f"{draft.hidden} more not shown"] if draft.hidden else []
    return ", ".join(counts) + "." + again


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _issues(draft: Draft) -> list[dict[str, Any]]:  # Any: JSON values
    return [_issue(line, draft.level) for line in draft.errors + draft.warnings]


def _issue(line: Line, level: Level) -> dict[str, Any]:  # Any: JSON values
    if level == Level.PATHS:
        return {"code": line.code, "path": line.path}
    fields: dict[str, Any] = {  # Any: JSON values
        "code": line.code,
        "slug": line.slug,
        "path": line.path,
        "severity": str(line.severity),
        "message": message(line, level),
    }
    if level < Level.NO_HINTS:
        fields["expected"] = line.expected
        fields["hint"] = line.hint
    if level < Level.NO_ACTUAL:
        fields["actual"] = line.actual
    if line.times > 1:
        fields["count"] = line.times
        fields["places"] = list(line.places) if level < Level.NO_HINTS else []
    return fields


def _suggestions(draft: Draft) -> list[dict[str, Any]]:  # Any: JSON Patch
    if draft.level >= Level.NO_HINTS:
        return []
    return [dict(op) for op in in_order(op for line in draft.errors for op in line.ops)]
