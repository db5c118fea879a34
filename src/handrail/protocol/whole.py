"""All of it: which results are only a part, how the rest is asked for, and limits lifted.

Where the user asked for all, a limit that the model chose by itself is lifted before the call
runs, as a mend that the model and the host are told of; and a result that fills its limit counts
as a part, since nothing says that it is the whole.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from handrail.contract.call import Advice, Mend, ToolCall
from handrail.contract.candidates import candidates_of
from handrail.contract.parse import parse
from handrail.contract.similarity import bare
from handrail.contract.tool import Tool
from handrail.protocol.found import Found

__all__ = ["lifted", "partial", "rest_of"]

_LIMITS_LISTED = (
    "limit maxresults maxitems maxcount maxrows maxhits pagesize perpage topk numresults "
    "resultlimit resultslimit rowlimit"
)
_LIMITS = frozenset(_LIMITS_LISTED.split())
_PAGES = frozenset({"page", "pagenumber", "pageno"})
_OFFSETS = frozenset({"offset", "skip"})
_CURSORS_LISTED = "cursor pagetoken nextpagetoken nextcursor after startingafter continuationtoken"
_CURSORS = frozenset(_CURSORS_LISTED.split())
_MORE = 10
"""By how much a limit is raised that has no declared maximum."""

Fields = Mapping[str, Any]  # Any: JSON values


class _Limit(NamedTuple):
    name: str
    schema: Fields


def lifted(tool: Tool, call: ToolCall) -> tuple[ToolCall, tuple[Mend, ...]]:
    """The call with its limit lifted, and what was done; the call itself where there is none.

    Only of reads. The limit becomes the greatest that the schema allows; one that may be left out
    and has no number by default is left out. A limit of which neither is known stays.
    """
    limit = _limit_of(tool)
    if limit is None or tool.action_type != "read" or limit.name not in str(call.arguments):
        return call, ()
    value = parse(call.arguments).value
    given = value.get(limit.name) if value is not None else None
    if value is None or isinstance(given, bool) or not isinstance(given, int):
        return call, ()
    most = _most(limit.schema)
    if most is not None and most > given:
        return _changed(call, {**value, limit.name: most}, limit.name, given, most)
    if most is None and _may_be_left_out(tool, limit):
        rest = {name: one for name, one in value.items() if name != limit.name}
        return _changed(call, rest, limit.name, given, None)
    return call, ()


def partial(found: Sequence[Found]) -> Found | None:
    """The latest read whose rest was not fetched; None where every one is whole."""
    last: dict[str, Found] = {}
    for one in found:
        if one.good and one.tool.action_type == "read":
            last[_apart_from_paging(one)] = one
    return next((one for one in reversed(last.values()) if _is_part(one)), None)


def rest_of(found: Found) -> Advice:
    """The call that brings the rest: as the result says, or the next page, or a greater limit."""
    result, tool = found.result, found.tool
    if result.advice.arguments is not None:
        return result.advice._replace(tool=result.advice.tool or tool.name)
    arguments = dict(found.arguments)
    for name, schema in _properties(tool).items():
        if not _is_whole_number(schema):
            continue
        if bare(name) in _PAGES:
            arguments[name] = _number(arguments.get(name, schema.get("default")), 1) + 1
            return Advice("retry_changed", arguments, tool.name)
        if bare(name) in _OFFSETS:
            rows = len(candidates_of(result.data))
            arguments[name] = _number(arguments.get(name, schema.get("default")), 0) + rows
            return Advice("retry_changed", arguments, tool.name)
    limit = _limit_of(tool)
    if limit is None:
        return Advice("retry_changed", None, tool.name)
    now, most = _number(_given_limit(found), 0), _most(limit.schema)
    more = now * _MORE if most is None else most
    if more <= now:
        return Advice("retry_changed", None, tool.name)
    return Advice("retry_changed", {**arguments, limit.name: more}, tool.name)


def _is_part(found: Found) -> bool:
    if not found.result.complete or found.result.error_class == "partial_data":
        return True
    limit = _given_limit(found)
    rows = len(candidates_of(found.result.data)) or _length(found.result.data)
    return limit is not None and 0 < limit <= rows


def _given_limit(found: Found) -> int | None:
    """The limit that the call ran with, the schema's own default included."""
    limit = _limit_of(found.tool)
    if limit is None:
        return None
    given = found.arguments.get(limit.name, limit.schema.get("default"))
    return given if isinstance(given, int) and not isinstance(given, bool) else None


def _apart_from_paging(found: Found) -> str:
    declared = set((found.tool.pages or {}).values())
    kept = {
        name: value
        for name, value in found.arguments.items()
        if name not in declared and bare(name) not in _LIMITS | _PAGES | _OFFSETS | _CURSORS
    }
    return f"{found.tool.name} {json.dumps(kept, sort_keys=True, default=str)}"


def _changed(
    call: ToolCall,
    value: dict[str, Any],  # Any: JSON values
    name: str,
    before: int,
    after: int | None,
) -> tuple[ToolCall, tuple[Mend, ...]]:
    arguments = value if isinstance(call.arguments, Mapping) else json.dumps(value)
    mend = Mend("limit_lifted", f"/{name}", before, after)
    return ToolCall(call.id, call.name, arguments), (mend,)


def _limit_of(tool: Tool) -> _Limit | None:
    for name, schema in _properties(tool).items():
        if bare(name) in _LIMITS:
            return _Limit(name, schema) if _is_whole_number(schema) else None
    return None


def _properties(tool: Tool) -> Mapping[str, Fields]:
    stated = tool.schema.get("properties", {})
    return {name: one for name, one in stated.items() if isinstance(one, Mapping)}


def _branches(schema: Fields) -> list[Fields]:
    inner = [one for one in schema.get("anyOf", ()) if isinstance(one, Mapping)]
    return [one for one in (schema, *inner) if one.get("type") in ("integer", "number")]


def _is_whole_number(schema: Fields) -> bool:
    return bool(_branches(schema))


def _most(schema: Fields) -> int | None:
    for branch in _branches(schema):
        for key, less in (("maximum", 0), ("exclusiveMaximum", 1)):
            most = branch.get(key)
            if isinstance(most, int | float) and not isinstance(most, bool):
                return int(most) - less
    return None


def _may_be_left_out(tool: Tool, limit: _Limit) -> bool:
    required = tool.schema.get("required", ())
    return limit.name not in required and limit.schema.get("default") is None


def _length(data: object) -> int:
    return len(data) if isinstance(data, list) else 0


def _number(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise
