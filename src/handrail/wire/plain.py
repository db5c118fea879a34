"""Reads fields of a provider's dicts and objects alike, without importing the provider.

Fields are read one by one: dumping a whole response costs more than the few fields that are
needed, and warns where a server sent another type than its client library declares.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from handrail.wire.shapes import FinishReason, ToolDict, UsageDict

__all__ = [
    "ANY_OBJECT",
    "arguments_object",
    "arguments_text",
    "count",
    "dump",
    "either",
    "ended",
    "field",
    "items",
    "json_text",
    "name_of",
    "pruned",
    "raw_arguments",
    "shape_of",
    "string",
    "tool_head",
    "tool_read",
    "usage_read",
]

ANY_OBJECT: dict[str, Any] = {"type": "object", "properties": {}}  # Any: JSON Schema
"""The schema of a tool that declares none."""


def field(obj: object, key: str) -> Any:  # Any: whatever the provider sent
    """The value of a key or attribute; None where there is none."""
    if isinstance(obj, Mapping):
        return obj.get(key)
    return getattr(obj, key, None)


def either(obj: object, *keys: str) -> Any:  # Any: whatever the provider sent
    """The value of the first key or attribute that is there: the two spellings of one field."""
    for key in keys:
        value = field(obj, key)
        if value is not None:
            return value
    return None


def string(value: object) -> str:
    """A text; ``""`` for anything that is none."""
    return value if isinstance(value, str) else ""


def items(value: object, place: str) -> Sequence[Any]:  # Any: whatever the provider sent
    """A list of the provider; None is empty.

    Raises:
        ValueError: If the value is something else than a list.
    """
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return value
    raise ValueError(f"{place} must be a list, got {type(value).__name__}")


def name_of(value: object, place: str) -> str:
    """A name that must be there.

    Raises:
        ValueError: If it is missing, empty or no text.
    """
    if isinstance(value, str) and value:
        return value
    raise ValueError(f"{place} must be a non-empty string, got {_kind(value)}")


def raw_arguments(value: object) -> str | Mapping[str, Any]:  # Any: JSON values
    """Arguments as sent: text and mappings unchanged, absent as ``""``, other JSON as text."""
    if isinstance(value, str | Mapping):
        return value
    return "" if value is None else json_text(value)


def json_text(value: object) -> str:
    """A JSON value as text; never raises."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return f"[{type(value).__name__}]"


def arguments_object(arguments: str | Mapping[str, Any]) -> dict[str, Any]:  # Any: JSON values
    """Arguments for a provider that takes only objects; what is no object becomes ``{}``."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            return {}
    return dict(arguments) if isinstance(arguments, Mapping) else {}


def arguments_text(arguments: str | Mapping[str, Any]) -> str:  # Any: JSON values
    """Arguments for a provider that takes JSON text; what was sent as text goes back as sent."""
    if isinstance(arguments, str):
        return arguments or "{}"
    try:
        return json.dumps(dict(arguments), ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return "{}"


def count(value: object) -> int:
    """A number of tokens; 0 for anything that is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def usage_read(usage: object, sent: Sequence[str], got: str) -> UsageDict:
    """The tokens of a reply; several counts of what was sent are added up."""
    given = sum(count(field(usage, key)) for key in sent)
    return {"input_tokens": given, "output_tokens": count(field(usage, got))}


def ended(reason: object, known: Mapping[str, FinishReason]) -> FinishReason:
    """Why a reply ended; ``other`` for a word that is not known."""
    return known.get(reason, "other") if isinstance(reason, str) else "other"


def tool_head(tool: ToolDict) -> dict[str, Any]:  # Any: JSON object of the provider
    """Name and description of a tool; an empty description is left out."""
    head = {"name": tool["name"]}
    if tool["description"]:
        head["description"] = tool["description"]
    return head


def tool_read(declared: object, place: str, schema: object) -> ToolDict:
    """A declared tool; what is no schema counts as none.

    Raises:
        ValueError: If it has no name.
    """
    return {
        "name": name_of(field(declared, "name"), f"{place}.name"),
        "description": string(field(declared, "description")),
        "schema": dict(schema) if isinstance(schema, Mapping) else {},
    }


def dump(block: object, place: str) -> dict[str, Any]:  # Any: JSON object of the provider
    """A provider's block as a plain dict; its own top-level nulls are left out.

    Raises:
        ValueError: If it is neither a mapping nor an object with ``model_dump``.
    """
    if isinstance(block, Mapping):
        found: Mapping[str, Any] = block  # Any: JSON object of the provider
    elif callable(getattr(block, "model_dump", None)):
        found = _dumped(block)
    elif hasattr(block, "__dict__"):
        found = {key: value for key, value in vars(block).items() if not key.startswith("_")}
    else:
        raise ValueError(f"{place} must be an object, got {type(block).__name__}")
    return {key: value for key, value in found.items() if value is not None}


def pruned(block: object, place: str) -> dict[str, Any]:  # Any: JSON object of the provider
    """A provider's object as a plain dict of JSON values, without nulls at any depth.

    For shapes whose arguments are text, so that no null is a value of the model's.

    Raises:
        ValueError: If it is neither a mapping nor an object with ``model_dump``.
    """
    try:
        found = _without_nulls(dump(block, place))
    except RecursionError:
        raise ValueError(f"{place} is nested too deeply") from None
    return dict(found)


def shape_of(obj: object) -> str:
    """What somebody gave us, for an error message: its type and its keys, never its values."""
    if isinstance(obj, Mapping):
        keys = [str(key)[:40] for key in list(obj)[:8]]
        return f"a {type(obj).__name__} with the keys {', '.join(keys) or '(none)'}"
    return f"an object of type {type(obj).__name__}"


def _without_nulls(value: Any) -> Any:  # Any: JSON value
    if isinstance(value, Mapping):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    if isinstance(value, list | tuple):
        return [_without_nulls(one) for one in value]
    return value


def _dumped(block: Any) -> Mapping[str, Any]:  # Any: a pydantic object, known by shape only
    try:
        found = block.model_dump(by_alias=True, warnings=False)
    except TypeError:
        found = block.model_dump()
    return found if isinstance(found, Mapping) else {}


def _kind(value: object) -> str:
    if value is None:
        return "nothing"
    return "an empty string" if value == "" else type(value).__name__
