"""Exact arguments for the next call, as far as the contract of its tool says them."""

import json
from collections.abc import Mapping
from typing import Any

from handrail.contract.reading import Rejected
from handrail.contract.rules import Requires
from handrail.contract.tool import Tool

__all__ = ["JSON", "arguments_for", "fits"]

JSON = Mapping[str, Any]  # Any: JSON values


def arguments_for(tool: Tool, field: str, id: str | int) -> dict[str, Any]:  # Any: JSON values
    """The arguments by which a tool looks at this id.

    The id stands in `field`, in the shape that the schema wants. Where a `Requires` rule ties the
    field to values of others (``action="get"``), these are set too.
    """
    made: dict[str, Any] = {}  # Any: JSON values
    for rule in tool.rules:
        if isinstance(rule, Requires) and field in rule.fields:
            made |= {name: _first(wanted) for name, wanted in rule.when if _settable(wanted)}
            break
    made[field] = _shaped(tool.schema, field, id)
    return made


def fits(tool: Tool, arguments: JSON) -> bool:
    """Whether a call with exactly these arguments would pass the contract."""
    try:
        tool.engine.accept(json.dumps(arguments), exact=tool.action_type == "destructive")
    except (Rejected, TypeError, ValueError):
        return False
    return not any(rule.check(arguments) for rule in tool.rules)


def _settable(wanted: object) -> bool:
    value = _first(wanted)
    return isinstance(value, str | int | float) and value is not True


def _first(wanted: object) -> Any:  # Any: a JSON scalar
    return wanted[0] if isinstance(wanted, tuple) and wanted else wanted


def _shaped(schema: JSON, field: str, id: str | int) -> Any:  # Any: JSON value
    stated = schema.get("properties", {}).get(field, {})
    kinds = _kinds(stated)
    if "array" in kinds and not kinds & {"string", "integer"}:
        return [_scalar(_kinds(_items(stated)), id)]
    return _scalar(kinds, id)


def _scalar(kinds: set[str], id: str | int) -> str | int:
    if isinstance(id, str) and "integer" in kinds and "string" not in kinds:
        return int(id) if id.isascii() and id.isdecimal() and len(id) < 19 else id
    return str(id) if "string" in kinds and "integer" not in kinds else id


def _items(stated: JSON) -> object:
    branches = (stated, *stated.get("anyOf", ()), *stated.get("oneOf", ()))
    return next((one["items"] for one in branches if "items" in one), {})


def _kinds(stated: object) -> set[str]:
    """The types that a schema of one field names, alternatives included."""
    if not isinstance(stated, Mapping):
        return set()
    named = stated.get("type", ())
    kinds = {named} if isinstance(named, str) else set(named)
    for key in ("anyOf", "oneOf"):
        for one in stated.get(key, ()):
            kinds |= _kinds(one)
    return kinds
