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
    followed: set[str] = set()
    choices = [one for schema in schemas for one in _choices(schema, root, followed, 0)]
    if isinstance(value, list):
        parts = [one["items"] for one in choices if isinstance(one.get("items"), Mapping)]
        items = [_without(item, parts, root, depth + 1) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else items
    objects = [one for one in choices if isinstance(one.get("properties"), Mapping)]
    fitting = _fitting(value, objects)
    kept = {}
    for name, item in value.items():
        parts = [one["properties"][name] for one in fitting if name in one["properties"]]
        if item is None and len(parts) == len(fitting) > 0 and _is_forced(name, fitting, root):
            continue
        kept[name] = _without(item, parts, root, depth + 1)
    same = len(kept) == len(value) and all(kept[name] is value[name] for name in kept)
    return value if same else kept


def _fitting(value: Mapping[str, Json], objects: Sequence[Schema]) -> Sequence[Schema]:
    """The objects that may be meant: with these fields and no others, as a strict model writes."""
    names = value.keys()
    whole = [one for one in objects if one["properties"].keys() == names]
    return whole or [one for one in objects if names <= one["properties"].keys()] or objects


def _is_forced(name: str, objects: Sequence[Schema], root: Schema) -> bool:
    """Whether a null can only stand for what was left out of one of these objects.

    An object that requires the field and does not admit null cannot be the one that was meant.
    """
    if any(admits_null(one["properties"][name], root) for one in objects):
        return False
    return not all(name in (one.get("required") or ()) for one in objects)


def _choices(schema: Json, root: Schema, followed: set[str], depth: int) -> list[Schema]:
    """The schema itself, what it refers to, and the branches of its unions; each target once."""
    if not isinstance(schema, Mapping) or depth > _MAX_DEPTH:
        return []
    found: list[Schema] = [schema]
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in followed:
        followed.add(reference)
        found += _choices(_target(reference, root), root, followed, depth + 1)
    for keyword in ("anyOf", "oneOf", "allOf"):
        for branch in schema.get(keyword) or ():
            found += _choices(branch, root, followed, depth + 1)
    return found


def _target(reference: str, root: Schema) -> Schema:
    parts = reference[1:].split("/")[1:] if reference.startswith("#") else ["$nowhere"]
    return subschema(root, [part.replace("~1", "/").replace("~0", "~") for part in parts])


def admits_null(schema: Json, root: Schema) -> bool:
    """Whether null is valid here; exact, since few keywords have a say about null.

    A reference that leads back to itself without a step into the value is undefined (JSON Schema
    core, 9.4.1): it says nothing, as for the validator that judges.
    """
    return _admits_null(schema, root, {}, 0)


def _admits_null(schema: Json, root: Schema, followed: dict[str, bool], depth: int) -> bool:
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
        return _admits_null(part, root, followed, depth + 1)

    reference = schema.get("$ref")
    if isinstance(reference, str):
        if reference not in followed:
            followed[reference] = True  # while it is being followed
            followed[reference] = admits(_target(reference, root))
        if not followed[reference]:
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
