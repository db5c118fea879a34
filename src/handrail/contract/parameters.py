"""Which fields the failing objects of a call have: names and types, in one bounded line.

A model that failed once is told the fields of exactly those objects in which something failed,
taken from the tool's JSON Schema by walking the paths of the issues. Whatever the schema is like
(cyclic references, wrong types, hostile names), the result is short and safe for one line.
Source: seed 003 (valid parameter guidance); the contract `handrail/1`, section 4.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from handrail.contract.issue import split_pointer
from handrail.contract.preview import shorten, word
from handrail.contract.words import Schema, describe, resolve

__all__ = ["Parameter", "failing_fields", "fields_line", "parameter_names"]

_MAX_OBJECTS = 4
_MAX_FIELDS = 40
_NAME = 60
_TYPE = 60


class Parameter(NamedTuple):
    """One field that may be given, its texts safe for one line.

    Attributes:
        place: Pointer of the object that has the field; ``""`` is the whole arguments object.
        name: Its name.
        type: What it takes, in words.
        required: Whether it must be given.
    """

    place: str
    name: str
    type: str
    required: bool


def failing_fields(schema: object, paths: Iterable[str]) -> list[Parameter]:
    """The fields of the objects in which `paths` lie; at most four objects of forty fields.

    Args:
        schema: JSON Schema of the arguments; anything else gives nothing.
        paths: Pointers of issues; ``*`` stands for any array position.
    """
    if not isinstance(schema, Mapping):
        return []
    found: dict[str, list[Parameter]] = {}
    for path in paths:
        try:
            place, owner = _owner(schema, split_pointer(path)[:-1])
            if place not in found:
                found[place] = list(_fields(place, owner, schema))
        except Exception:  # a schema that cannot be walked gives no guidance
            continue
        if len(found) == _MAX_OBJECTS:
            break
    return [field for fields in found.values() for field in fields]


def fields_line(fields: Iterable[Parameter], limit: int = 400) -> str:
    """``path (string, required), mode (string); in /items/*: sku (string)``, cut after a field."""
    parts: list[str] = []
    room, place, left = limit, "", 0
    for field in fields:
        text = f"{field.name} ({field.type}{', required' if field.required else ''})"
        if field.place != place:
            text = f"in {field.place or '(root)'}: {text}"
        if left or len(text) + 2 > room - 16:
            left += 1
            continue
        parts.append(f"{'; ' if field.place != place else ', '}{text}" if parts else text)
        place = field.place
        room -= len(parts[-1])
    return "".join(parts) + (f", and {left} more" if left and parts else "")


def parameter_names(fields: Iterable[Parameter]) -> list[str]:
    """Names of the top-level fields, pointers of the others."""
    return [f"{field.place}/{field.name}" if field.place else field.name for field in fields]


def _fields(place: str, owner: Schema, root: Schema) -> Iterator[Parameter]:
    required = owner.get("required")
    names = required if isinstance(required, (list, tuple)) else ()
    for name, schema in list(owner["properties"].items())[:_MAX_FIELDS]:
        kind = shorten(describe(schema, root, 2), _TYPE)
        yield Parameter(place, word(name, _NAME), kind, name in names)


def _owner(root: Schema, parts: list[str]) -> tuple[str, Schema]:
    """The innermost object with named properties on the way of `parts`, and its pointer."""
    schema = _object(root, root)
    owner, place, so_far = schema, "", ""
    for part in parts:
        schema = _object(_child(schema, part), root)
        so_far += "/" + word(part, _NAME)
        if isinstance(schema.get("properties"), Mapping):
            owner, place = schema, so_far
    if not isinstance(owner.get("properties"), Mapping):
        owner = {"properties": {}}
    return place, owner


def _child(schema: Schema, part: str) -> Any:  # Any: JSON Schema, or true and false
    properties = schema.get("properties")
    if isinstance(properties, Mapping) and part in properties:
        return properties[part]
    prefix = schema.get("prefixItems")
    if isinstance(prefix, list) and part.isdecimal() and int(part) < len(prefix):
        return prefix[int(part)]
    if "items" in schema and (part == "*" or part.isdecimal()):
        return schema["items"]
    return schema.get("additionalProperties")


def _object(part: Any, root: Schema, depth: int = 4) -> Schema:  # Any: JSON Schema or boolean
    """The schema, or the first of its branches that says what is inside."""
    schema = resolve(part, root)
    if "properties" in schema or "items" in schema or depth == 0:
        return schema
    for key in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(key)
        for branch in branches if isinstance(branches, list) else ():
            found = _object(branch, root, depth - 1)
            if "properties" in found or "items" in found:
                return found
    return schema
