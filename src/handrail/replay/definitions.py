"""Tool definitions in the spellings that requests and schema files use.

The schema itself is handed on unjudged: whether it is one is found out when a call needs it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from handrail.replay.records import Definition, Place, Unreadable

__all__ = ["definition_of", "definitions_in", "is_definition", "text_tools", "tools_of"]

_SCHEMA_KEYS = (
    "parameters",
    "parametersJsonSchema",
    "parameters_json_schema",
    "input_schema",
    "inputSchema",
    "schema",
)
_SCHEMA_MARKS = ("properties", "$schema", "$ref", "$defs", "additionalProperties", "required")
_LISTS = ("tools", "functions", "schemas")
_GROUPS = ("functionDeclarations", "function_declarations")
_ADVICE = 'write {"name" or "ref", "description", "parameters": {JSON Schema}}'
_GEMINI_TYPES = (
    "STRING",
    "NUMBER",
    "INTEGER",
    "BOOLEAN",
    "ARRAY",
    "OBJECT",
    "NULL",
    "TYPE_UNSPECIFIED",
)
_COUNTS = frozenset(
    ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties")
)
"""Numbers that Gemini's JSON holds as text, since they are 64 bits wide there."""
_DEEPEST = 100

Object = Mapping[str, Any]  # Any: JSON values


def tools_of(request: Object) -> object:
    """What a request of any provider offers as its tools; None if it says nothing."""
    result = request.get("result")
    for holder, keys in (
        (request, ("tools", "functions")),
        (request.get("toolConfig"), ("tools",)),
        (request.get("config"), ("tools",)),
        (result, ("tools",)),
    ):
        if isinstance(holder, Mapping):
            found = next((holder[key] for key in keys if holder.get(key)), None)
            if found is not None:
                return found
    return None


def definition_of(entry: object, place: Place) -> Definition | None:
    """One definition; None where a tool is run by the provider and has no schema.

    Raises:
        ValueError: It has no name; the message says what it has.
    """
    if not isinstance(entry, Mapping):
        raise ValueError(f"a tool definition must be an object, not {type(entry).__name__}")
    own = _own(entry)
    key = next((key for key in _SCHEMA_KEYS if key in own), None)
    if key is None and (own.get("type") not in (None, "function") or _is_provider_tool(own)):
        return None
    ref, name = _text(own.get("ref")), _text(own.get("name"))
    if not ref and not name:
        raise ValueError("a tool definition has neither name nor ref")
    return Definition(
        place=place,
        name=name or ref.rsplit("/", 1)[-1],
        ref=ref or None,
        description=_text(own.get("description")),
        schema=_schema(own[key]) if key else None,
    )


def text_tools(listed: object) -> frozenset[str]:
    """Names of OpenAI's custom tools, which take free text."""
    found: set[str] = set()
    for entry in listed if isinstance(listed, list) else ():
        if isinstance(entry, Mapping) and entry.get("type") == "custom":
            inner = entry.get("custom")
            found.add(_text((inner if isinstance(inner, Mapping) else entry).get("name")))
    return frozenset(found)


def is_definition(row: Object) -> bool:
    """Whether a row of a log defines a tool, and is no call with arguments of that name."""
    own = _own(row)
    if "arguments" in own or "args" in own or "args_raw" in own or "input" in own:
        return False
    if not _text(own.get("name")) and not _text(own.get("ref")):
        return any(isinstance(row.get(key), list) for key in _GROUPS)
    for key in _SCHEMA_KEYS:
        schema = own.get(key)
        if isinstance(schema, Mapping):
            schema = _unwrapped(schema)
            is_object = schema.get("type") in ("object", "OBJECT")
            return is_object or any(mark in schema for mark in _SCHEMA_MARKS)
    return False


def definitions_in(value: object, place: Place) -> Iterator[Definition | Unreadable]:
    """The definitions of one value of a schema file: one, a list, or an object around a list."""
    if isinstance(value, Mapping) and not _text(value.get("name")) and not _text(value.get("ref")):
        listed = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)
        if listed is None:
            listed = tools_of(value)
        value = value if listed is None else listed
    for entry in value if isinstance(value, list) else [value]:
        group = _group(entry)
        if group is not None:
            yield from definitions_in(group, place)
            continue
        try:
            found = definition_of(entry, place)
        except ValueError as error:
            yield Unreadable(place, str(error), _ADVICE)
        else:
            if found is not None:
                yield found


def _own(entry: Object) -> Object:
    """Where name and schema are: in the entry, or in what OpenAI and Bedrock put around it."""
    for key in ("function", "toolSpec"):
        inner = entry.get(key)
        if isinstance(inner, Mapping):
            return inner
    return entry


def _group(entry: object) -> list[Any] | None:  # Any: JSON values
    """The functions of one Gemini tool; None for anything else."""
    if not isinstance(entry, Mapping):
        return None
    return next((entry[key] for key in _GROUPS if isinstance(entry.get(key), list)), None)


def _is_provider_tool(own: Object) -> bool:
    """Whether this is a tool that Gemini or Bedrock runs, or no tool at all (a cache point)."""
    return len(own) == 1 and isinstance(next(iter(own.values())), Mapping)


def _schema(value: object) -> object:
    """The JSON Schema in a definition, out of Bedrock's wrapping and Gemini's own type names."""
    if not isinstance(value, Mapping):
        return value
    value = _unwrapped(value)
    return _lowered(value, 0) if value.get("type") in _GEMINI_TYPES else value


def _unwrapped(schema: Object) -> Object:
    inner = schema.get("json")
    return inner if isinstance(inner, Mapping) and len(schema) == 1 else schema


def _lowered(schema: object, depth: int) -> object:
    """A schema of Gemini's (OpenAPI 3.0 with types in capitals) as JSON Schema."""
    if isinstance(schema, list):
        return [_lowered(one, depth + 1) for one in schema]
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return schema
    kept: dict[str, Any] = {}  # Any: JSON values
    for key, value in schema.items():
        if key == "type" and value in _GEMINI_TYPES:
            if value != "TYPE_UNSPECIFIED":
                kept[key] = value.lower()
        elif key == "properties" and isinstance(value, Mapping):
            kept[key] = {name: _lowered(one, depth + 1) for name, one in value.items()}
        elif key in ("items", "anyOf", "additionalProperties", "prefixItems"):
            kept[key] = _lowered(value, depth + 1)
        elif key in _COUNTS and isinstance(value, str) and value.isdecimal():
            kept[key] = int(value)
        elif key not in ("nullable", "propertyOrdering", "example"):
            kept[key] = value
    return _nullable(kept) if schema.get("nullable") is True else kept


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:  # Any: JSON Schema
    if isinstance(schema.get("type"), str):
        listed = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
        return {**schema, "type": [schema["type"], "null"], **listed}
    return {"anyOf": [schema, {"type": "null"}]}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
