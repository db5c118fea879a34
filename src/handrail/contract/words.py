"""A JSON Schema in words: ``string with max length 4096``, ``one of: utf-8, ascii``.

Everything that comes from a schema's author or from a model passes `word` or `preview` on its
way into a text, so names, patterns and values can neither forge a line nor leak a secret.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from handrail.contract.formats import describe_format
from handrail.contract.issue import join_pointer
from handrail.contract.pointer import safe_pointer, safe_word
from handrail.contract.preview import is_secret_field, preview, word
from handrail.contract.similarity import MAX_COMPARED_LENGTH, similar, similarities

__all__ = [
    "MAX_LISTED",
    "Schema",
    "by_rank",
    "describe",
    "field_name",
    "json_type",
    "listed",
    "nearest",
    "number",
    "quoted",
    "ranked",
    "resolve",
    "shown_path",
    "similar",
    "subschema",
    "types_of",
    "unquoted",
]

Schema = Mapping[str, Any]  # Any: JSON Schema

MAX_LISTED = 10
"""Allowed values or names shown; the rest are counted."""

_MAX_REFS = 32
_EXACT = 10**15
_MAX_COMPARED = 500


def resolve(schema: Any, root: Schema) -> Schema:  # Any: JSON Schema, or true and false
    """The schema with its local ``$ref`` followed; keywords beside the reference win."""
    if type(schema) is dict and "$ref" not in schema:
        return schema
    for _ in range(_MAX_REFS):
        if not isinstance(schema, Mapping):
            return {}
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#"):
            return schema
        parts = [
            part.replace("~1", "/").replace("~0", "~") for part in reference[1:].split("/")[1:]
        ]
        target = subschema(root, parts)
        schema = {**target, **{key: item for key, item in schema.items() if key != "$ref"}}
    return {}


def subschema(root: Schema, path: Iterable[str | int]) -> Schema:
    """The schema at a path of plain parts; empty where there is none."""
    at: Any = root  # Any: JSON value
    for part in path:
        if type(at) is dict:
            at = at.get(part if type(part) is str else str(part))
        elif isinstance(at, Mapping):
            at = at.get(str(part))
        elif isinstance(at, Sequence) and not isinstance(at, str):
            index = int(part) if str(part).isdigit() else len(at)
            if index >= len(at):
                return {}
            at = at[index]
        else:
            return {}
    return at if type(at) is dict or isinstance(at, Mapping) else {}


def json_type(value: object) -> str:
    """Name of a value's JSON type; ``integer`` for whole numbers without a fraction."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "number"
        case str():
            return "string"
        case list() | tuple():
            return "array"
    return "object"


def types_of(schema: Any, root: Schema, depth: int = 4) -> tuple[str, ...]:
    # Any: JSON Schema
    """JSON types that a schema admits, as far as it says; empty when it admits any."""
    schema = resolve(schema, root)
    stated = schema.get("type")
    if isinstance(stated, str):
        return (stated,)
    if isinstance(stated, Sequence):
        return tuple(str(name) for name in stated)
    if "const" in schema:
        return (json_type(schema["const"]),)
    if isinstance(options := schema.get("enum"), Sequence):
        return tuple(dict.fromkeys(json_type(option) for option in options))
    branches = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(branches, Sequence) and depth > 0:
        each = [types_of(branch, root, depth - 1) for branch in branches]
        return tuple(dict.fromkeys(name for names in each for name in names)) if all(each) else ()
    if "properties" in schema:
        return ("object",)
    return ()


def describe(schema: Any, root: Schema, depth: int = 3) -> str:  # Any: JSON Schema
    """What a schema asks for, in words."""
    schema = resolve(schema, root)
    if "const" in schema:
        return _value(schema["const"])
    if isinstance(options := schema.get("enum"), Sequence) and options:
        return f"one of: {listed(options)}"
    branches = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(branches, Sequence) and branches and depth > 0:
        each = dict.fromkeys(describe(branch, root, depth - 1) for branch in branches)
        return " or ".join(list(each)[:6])
    names = types_of(schema, root)
    if not names:
        parts = schema.get("allOf")
        if isinstance(parts, Sequence) and len(parts) == 1 and depth > 0:
            return describe(parts[0], root, depth - 1)
        return "any value"
    return " or ".join(_one_type(name, schema, root, depth) for name in names)


def _one_type(name: str, schema: Schema, root: Schema, depth: int) -> str:
    match name:
        case "string":
            return _string(schema)
        case "integer" | "number":
            bounds = _range(schema)
            return f"{name} {bounds}" if bounds else name
        case "array":
            items = schema.get("items")
            of = f" of {describe(items, root, depth - 1)}" if items and depth > 0 else ""
            count = _span(schema, "minItems", "maxItems", "items")
            return f"array{of}{f' with {count}' if count else ''}"
        case "object":
            count = _span(schema, "minProperties", "maxProperties", "fields")
            return f"object with {count}" if count else "object"
    return word(name, 40)


def _string(schema: Schema) -> str:
    named = describe_format(str(schema.get("format", "")))
    base = named.words if named else "string"
    low, high = schema.get("minLength"), schema.get("maxLength")
    notes = []
    if low and high is not None:
        notes.append(f"length {low}" if low == high else f"length {low} to {high}")
    elif high is not None:
        notes.append(f"max length {high}")
    elif low:
        notes.append(f"min length {low}")
    if "pattern" in schema:
        notes.append(f"pattern {word(schema['pattern'])}")
    return f"{base} with {' and '.join(notes)}" if notes else base


def _range(schema: Schema) -> str:
    signs = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}
    bounds = [f"{sign} {number(schema[key])}" for key, sign in signs.items() if key in schema]
    if "multipleOf" in schema:
        bounds.append(f"a multiple of {number(schema['multipleOf'])}")
    return " and ".join(bounds)


def _span(schema: Schema, low_key: str, high_key: str, unit: str) -> str:
    low, high = schema.get(low_key), schema.get(high_key)
    if low and high is not None:
        return f"exactly {low} {unit}" if low == high else f"{low} to {high} {unit}"
    if high is not None:
        return f"at most {high} {unit}"
    return f"at least {low} {unit}" if low else ""


def number(value: object) -> str:
    """A bound in words; ``5.0`` is ``5``."""
    if type(value) is int and -_EXACT < value < _EXACT:
        return str(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    return word(value, 40)


def listed(options: Iterable[Any], near: object = None) -> str:  # Any: JSON values
    """Options in words, those nearest to `near` first, at most ten, the rest counted."""
    ordered = options if near is None and isinstance(options, list) else nearest(near, options)
    shown = ", ".join([_value(option) for option in ordered[:MAX_LISTED]])
    rest = len(ordered) - MAX_LISTED
    return f"{shown} and {rest} more" if rest > 0 else shown


def nearest(near: object, options: Iterable[Any]) -> list[Any]:  # Any: JSON values
    """Options with those most like `near` first; the order is kept otherwise."""
    ordered = list(options)
    return by_rank(ordered, ranked(near, ordered))


def ranked(near: object, options: Sequence[Any]) -> list[float]:  # Any: JSON values
    """The likeness of each of the first options to `near`; empty without it."""
    if near is None:
        return []
    return similarities(str(near)[:MAX_COMPARED_LENGTH], map(str, options[:_MAX_COMPARED]))


def by_rank(options: Sequence[Any], ranks: Sequence[float]) -> list[Any]:  # Any: JSON values
    """Options with the highest ranks first; the order is kept otherwise."""
    order = sorted(range(len(ranks)), key=ranks.__getitem__, reverse=True)
    return [*[options[at] for at in order], *options[len(ranks) :]]


def _value(option: object) -> str:
    return safe_word(option, 60) if isinstance(option, str) else preview(option, limit=60)


def quoted(value: object, field: str | None) -> str:
    """A value for a place that has its own quotes."""
    return unquoted(preview(value, limit=60, field=field))


def unquoted(text: str) -> str:
    """A preview without the quotes around it."""
    if len(text) > 1 and text[0] == '"' and text[-1] == '"':
        return text[1:-1]
    return text


def field_name(path: Sequence[str | int]) -> str | None:
    """The name that decides whether a value is secret: a secret name on the way, or the last."""
    names = [part for part in path if isinstance(part, str)]
    return next((name for name in names if is_secret_field(name)), names[-1] if names else None)


def shown_path(path: Iterable[str | int]) -> str:
    """A pointer for a text; ``(root)`` for the whole object."""
    return _shown(join_pointer(path))


@lru_cache(maxsize=2048)
def _shown(pointer: str) -> str:
    return safe_pointer(pointer) or "(root)"
