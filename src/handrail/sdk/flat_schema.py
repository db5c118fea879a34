"""``params={...}`` of an author -> a full JSON Schema of an object.

Authors write a full JSON Schema, or only the fields: ``{"title": {"type": "string",
"description": "..."}}``, where a type may also be a word of Python (``str``, ``list``).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from handrail.errors import ContractError

__all__ = ["full_schema"]

Json = dict[str, Any]  # Any: JSON Schema

_SCHEMA_WORDS = frozenset({"properties", "$schema", "$ref", "anyOf", "oneOf", "allOf", "$defs"})
_TYPES = {
    "str": "string",
    "text": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
}


def full_schema(
    stated: Mapping[str, Any],  # Any: JSON Schema
    tool: str,
    *,
    needed: Sequence[str] | None,
) -> Json:
    """A JSON Schema of an object.

    Args:
        stated: A full JSON Schema, kept as it is, or fields by name.
        tool: Name for errors.
        needed: Of fields by name: those without which the handler cannot be called. None where
            the handler takes anything: then a field is needed unless it says ``required: False``
            or has a ``default``.

    Raises:
        ContractError: A field is described by something that is no schema.
    """
    if stated.get("type") == "object" or (_SCHEMA_WORDS & stated.keys() and _is_schema(stated)):
        return dict(stated)
    faults = [
        f"params[{name!r}]={item!r} must be a mapping with a type and a description"
        for name, item in stated.items()
        if not isinstance(item, Mapping | str)
    ]
    if faults:
        raise ContractError(tool, faults)
    fields = {name: _field(item) for name, item in stated.items()}
    required = [name for name, item in stated.items() if _is_required(name, item, needed)]
    closed = {"additionalProperties": False} if needed is not None else {}
    return {"type": "object", "properties": fields, "required": required, **closed}


def _is_schema(stated: Mapping[str, Any]) -> bool:  # Any: JSON Schema
    """Whether a word of JSON Schema is meant as one, and is no field of that name."""
    properties = stated.get("properties")
    if isinstance(properties, Mapping):
        return all(isinstance(item, Mapping | bool) for item in properties.values())
    return "properties" not in stated


def _field(item: Any) -> Json:  # Any: JSON Schema, or the name of a type
    if isinstance(item, str):
        return {"type": _TYPES.get(item, item)}
    own = {key: value for key, value in item.items() if key != "required" or value not in _FLAGS}
    stated = own.get("type")
    if isinstance(stated, str):
        own["type"] = _TYPES.get(stated, stated)
    elif isinstance(stated, type):
        own["type"] = _TYPES.get(stated.__name__, stated.__name__)
    return own


_FLAGS = (True, False)


def _is_required(name: str, item: Any, needed: Sequence[str] | None) -> bool:  # Any: as above
    if isinstance(item, Mapping):
        if item.get("required") in _FLAGS:
            return bool(item["required"])
        if "default" in item:
            return False
    return needed is None or name in needed
