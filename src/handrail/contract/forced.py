"""The inverse of the strict form: nulls that it forces on fields that may be left out.

Where a provider wants every field, a model says null for one that it would have left out. These
nulls are taken out before anything is judged, silently and for every kind of action, since they
are ours. A null that the tool's own schema admits at that place stays: it may be meant.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from handrail.contract.words import Schema, subschema

__all__ = ["admits_null", "without_forced"]

Json = Any  # Any: JSON value
_MAX_DEPTH = 64


def without_forced(value: Json, schema: Schema) -> Json:
    """The arguments without the nulls that a strict form forced; the same object if none was."""
    return _without(value, [schema], schema, 0)


def _without(value: Json, schemas: Sequence[Json], root: Schema, depth: int) -> Json:
    if depth > _MAX_DEPTH or not isinstance(value, dict | list):
        return value
    choices = [one for schema in schemas for one in _choices(schema, root, 0)]
    if isinstance(value, list):
        parts = [one["items"] for one in choices if isinstance(one.get("items"), Mapping)]
        items = [_without(item, parts, root, depth + 1) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else items
    objects = [one for one in choices if isinstance(one.get("properties"), Mapping)]
    fitting = [one for one in objects if value.keys() <= one["properties"].keys()] or objects
    kept = {}
    for name, item in value.items():
        parts = [one["properties"][name] for one in fitting if name in one["properties"]]
        if item is None and len(parts) == len(fitting) > 0 and _is_forced(name, fitting, root):
            continue
        kept[name] = _without(item, parts, root, depth + 1)
    same = len(kept) == len(value) and all(kept[name] is value[name] for name in kept)
    return value if same else kept


def _is_forced(name: str, objects: Sequence[Schema], root: Schema) -> bool:
    return not any(
        name in (one.get("required") or ()) or admits_null(one["properties"][name], root)
        for one in objects
    )


def _choices(schema: Json, root: Schema, depth: int) -> list[Schema]:
    """The schema itself, what it refers to, and the branches of its unions."""
    if not isinstance(schema, Mapping) or depth > _MAX_DEPTH:
        return []
    found: list[Schema] = [schema]
    if isinstance(schema.get("$ref"), str):
        found += _choices(_target(schema["$ref"], root), root, depth + 1)
    for keyword in ("anyOf", "oneOf", "allOf"):
        for branch in schema.get(keyword) or ():
            found += _choices(branch, root, depth + 1)
    return found


def _target(reference: str, root: Schema) -> Schema:
    parts = reference[1:].split("/")[1:] if reference.startswith("#") else ["$nowhere"]
    return subschema(root, [part.replace("~1", "/").replace("~0", "~") for part in parts])


def admits_null(schema: Json, root: Schema, depth: int = 0) -> bool:
    """Whether null is valid here; exact, since few keywords have a say about null."""
    if not isinstance(schema, Mapping):
        return schema is not False
    if depth > _MAX_DEPTH:
        return False
    stated = schema.get("type")
    if stated is not None and "null" not in ([stated] if isinstance(stated, str) else stated):
        return False
    if ("enum" in schema and None not in schema["enum"]) or schema.get("const", None) is not None:
        return False

    def admits(part: Json) -> bool:
        return admits_null(part, root, depth + 1)

    if isinstance(schema.get("$ref"), str) and not admits(_target(schema["$ref"], root)):
        return False
    if not all(map(admits, schema.get("allOf") or ())):
        return False
    if "anyOf" in schema and not any(map(admits, schema["anyOf"])):
        return False
    if "oneOf" in schema and sum(map(admits, schema["oneOf"])) != 1:
        return False
    if "not" in schema and admits(schema["not"]):
        return False
    if "if" in schema:
        return admits(schema.get("then" if admits(schema["if"]) else "else", True))
    return True
