"""A JSON Schema without references, for providers that do not follow them."""

from collections.abc import Callable, Mapping
from typing import Any

from handrail.contract.words import Schema, subschema

__all__ = ["inlined"]

_MOST_PARTS = 5_000
_SINGLE = {"items", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "contains"}
_SINGLE |= {"not", "if", "then", "else", "propertyNames", "additionalItems"}
_LISTS = {"allOf", "anyOf", "oneOf", "prefixItems", "items"}
_MAPS = {"properties", "patternProperties", "dependentSchemas"}
_NOTES = {"title", "description", "default", "examples", "deprecated"}


class _Unwritable(Exception):
    """The schema refers to itself, out of itself, or is too large without references."""


def inlined(schema: Schema) -> dict[str, Any] | None:  # Any: JSON Schema
    """The same schema with every ``$ref`` written out.

    None if that cannot be done: it refers to itself, or to something that is not in it.
    """
    parts = 0

    def write(part: Any, opened: tuple[str, ...]) -> Any:  # Any: JSON Schema
        nonlocal parts
        parts += 1
        if parts > _MOST_PARTS:
            raise _Unwritable
        if not isinstance(part, Mapping):
            return part
        made = {
            key: _each(key, item, lambda inner: write(inner, opened))
            for key, item in part.items()
            if key not in ("$ref", "$defs", "definitions")
        }
        reference = part.get("$ref")
        if reference is None:
            return made
        target = write(_target(schema, reference, opened), (*opened, reference))
        if made.keys() <= _NOTES:
            return {**target, **made}
        return {**made, "allOf": [*made.get("allOf", ()), target]}

    try:
        whole: dict[str, Any] = write(schema, ())
    except (_Unwritable, RecursionError):
        return None
    return whole


def _each(key: str, item: Any, write: Callable[[Any], Any]) -> Any:  # Any: JSON values
    if key in _LISTS and isinstance(item, list):
        return [write(inner) for inner in item]
    if key in _SINGLE:
        return write(item)
    if key in _MAPS and isinstance(item, Mapping):
        return {name: write(inner) for name, inner in item.items()}
    return item


def _target(root: Schema, reference: object, opened: tuple[str, ...]) -> Schema:
    if not isinstance(reference, str) or reference in opened or not reference.startswith("#/"):
        raise _Unwritable
    parts = [part.replace("~1", "/").replace("~0", "~") for part in reference[2:].split("/")]
    target = subschema(root, parts)
    if not target:
        raise _Unwritable
    return target
