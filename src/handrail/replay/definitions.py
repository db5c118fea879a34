"""Tool definitions in the spellings that requests and schema files use.

The schema itself is handed on unjudged: whether it is one is found out when a call needs it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from handrail.replay.records import Definition, Place, Unreadable

__all__ = ["definition_of", "definitions_in", "is_definition"]

_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema", "schema")
_SCHEMA_MARKS = ("properties", "$schema", "$ref", "$defs", "additionalProperties", "required")
_LISTS = ("tools", "functions", "schemas")
_ADVICE = 'write {"name" or "ref", "description", "parameters": {JSON Schema}}'

Object = Mapping[str, Any]  # Any: JSON values


def definition_of(entry: object, place: Place) -> Definition | None:
    """One definition; None where a tool is run by the provider and has no schema.

    Raises:
        ValueError: It has no name; the message says what it has.
    """
    if not isinstance(entry, Mapping):
        raise ValueError(f"a tool definition must be an object, not {type(entry).__name__}")
    inner = entry.get("function")
    own: Object = inner if isinstance(inner, Mapping) else entry
    key = next((key for key in _SCHEMA_KEYS if key in own), None)
    if key is None and own.get("type") not in (None, "function"):
        return None
    ref, name = _text(own.get("ref")), _text(own.get("name"))
    if not ref and not name:
        raise ValueError("a tool definition has neither name nor ref")
    return Definition(
        place=place,
        name=name or ref.rsplit("/", 1)[-1],
        ref=ref or None,
        description=_text(own.get("description")),
        schema=own[key] if key else None,
    )


def is_definition(row: Object) -> bool:
    """Whether a row of a log defines a tool, and is no call with arguments of that name."""
    inner = row.get("function")
    own: Object = inner if isinstance(inner, Mapping) else row
    if "arguments" in own or "args" in own or "args_raw" in own or "input" in own:
        return False
    if not _text(own.get("name")) and not _text(own.get("ref")):
        return False
    for key in _SCHEMA_KEYS:
        schema = own.get(key)
        if isinstance(schema, Mapping):
            return schema.get("type") == "object" or any(mark in schema for mark in _SCHEMA_MARKS)
    return False


def definitions_in(value: object, place: Place) -> Iterator[Definition | Unreadable]:
    """The definitions of one value of a schema file: one, a list, or an object around a list."""
    if isinstance(value, Mapping) and not _text(value.get("name")) and not _text(value.get("ref")):
        listed = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)
        value = value if listed is None else listed
    for entry in value if isinstance(value, list) else [value]:
        try:
            found = definition_of(entry, place)
        except ValueError as error:
            yield Unreadable(place, str(error), _ADVICE)
        else:
            if found is not None:
                yield found


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
