"""Tools of one group, and what calls of them found: the evidence of a turn, made by hand."""

from typing import Any

from handrail import Coverage, Status, Tool, ToolResult
from handrail.protocol.coverage import Case, Cover, cover
from handrail.protocol.found import Found

__all__ = ["ANNA", "BEN", "CALL", "GET", "NOTE", "SEARCH", "TOOLS", "case", "covered", "found"]

ANNA = {"contact_id": "c1", "name": "Anna Kos"}
BEN = {"contact_id": "c2", "name": "Ben Roth"}


def _search(query: str, limit: int | None = None) -> list[dict[str, Any]]:  # Any: JSON values
    """Search contacts."""
    return []


def _get(contact_id: str) -> dict[str, Any]:  # Any: JSON values
    """Get a contact."""
    return {}


def _call(contact_id: str) -> str:
    """Call somebody."""
    return "called"


def _note(text: str) -> str:
    """Write a note."""
    return "written"


SEARCH = Tool.from_function(_search, name="search_contacts", group="contacts")
GET = Tool.from_function(_get, name="get_contact", group="contacts", ids=("contact_id",))
CALL = Tool.from_function(
    _call, name="call_contact", group="contacts", ids=("contact_id",), action_type="write"
)
NOTE = Tool.from_function(_note, name="write_note", action_type="write")
TOOLS = (SEARCH, GET, CALL, NOTE)


def found(
    tool: Tool,
    data: Any = None,  # Any: JSON values
    arguments: dict[str, Any] | None = None,  # Any: JSON values
    step: int = 1,
    **fields: Any,  # Any: fields of ToolResult
) -> Found:
    """One call that ended."""
    if fields.get("status", Status.OK) is not Status.OK:
        fields = {"coverage": Coverage.FAILED, "is_error": True, **fields}
    return Found(
        tool, arguments or {}, ToolResult(call_id="", tool=tool.name, data=data, **fields), step
    )


def case(*ended: Found, **fields: Any) -> Case:  # Any: fields of Case
    """What is judged, with all the tools."""
    return Case(ended, **{"tools": TOOLS, **fields})


def covered(*ended: Found, **fields: Any) -> Cover:  # Any: fields of Case
    """What the rules say."""
    return cover(case(*ended, **fields))
