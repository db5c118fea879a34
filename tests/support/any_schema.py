"""Any JSON Schema, sensible or not, and any instance."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

__all__ = ["NAMES", "OBJECTS", "PATTERNS", "TEXTS", "Schema", "schemas"]

Schema = dict[str, Any] | bool  # Any: JSON Schema
Schemas = st.SearchStrategy[Schema]

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="<>_-"), max_size=4)
NAMES = st.sampled_from(["a", "b", "c", "ä", "a/b", "~", "", "0", "$ref", "properties"])
NUMBERS = st.integers(-100, 100) | st.sampled_from([0.5, 1.0, -2.0, 1e3, 2.5, 1e300])
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)
SIZES = st.integers(0, 3)
PATTERNS = st.sampled_from(["^a", "b$", "[0-9]+", "^$", ".", "(a|ä)b?", "\\d", "^\\w*$", "\\p{L}"])
KINDS = st.sampled_from(["object", "array", "string", "integer", "number", "boolean", "null"])

KEYWORDS: dict[str, Callable[[Schemas], st.SearchStrategy[Any]]] = {  # Any: JSON values
    "type": lambda _: KINDS | st.lists(KINDS, min_size=1, max_size=3, unique=True),
    "enum": lambda _: st.lists(VALUES, min_size=1, max_size=4),
    "const": lambda _: VALUES,
    "minimum": lambda _: NUMBERS,
    "exclusiveMaximum": lambda _: NUMBERS,
    "multipleOf": lambda _: st.sampled_from([1, 2, 3, 0.5, 10]),
    "minLength": lambda _: SIZES,
    "maxLength": lambda _: SIZES,
    "pattern": lambda _: PATTERNS,
    "items": lambda inner: inner,
    "prefixItems": lambda inner: st.lists(inner, min_size=1, max_size=2),
    "minItems": lambda _: SIZES,
    "maxItems": lambda _: SIZES,
    "uniqueItems": lambda _: st.booleans(),
    "contains": lambda inner: inner,
    "properties": lambda inner: st.dictionaries(NAMES, inner, max_size=3),
    "patternProperties": lambda inner: st.dictionaries(PATTERNS, inner, max_size=2),
    "additionalProperties": lambda inner: inner,
    "unevaluatedProperties": lambda inner: inner,
    "propertyNames": lambda inner: inner,
    "required": lambda _: st.lists(NAMES, max_size=2, unique=True),
    "dependentRequired": lambda _: st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True)),
    "dependentSchemas": lambda inner: st.dictionaries(NAMES, inner, max_size=2),
    "minProperties": lambda _: SIZES,
    "maxProperties": lambda _: SIZES,
    "anyOf": lambda inner: st.lists(inner, min_size=1, max_size=3),
    "oneOf": lambda inner: st.lists(inner, min_size=1, max_size=3),
    "allOf": lambda inner: st.lists(inner, min_size=1, max_size=2),
    "not": lambda inner: inner,
    "if": lambda inner: inner,
    "then": lambda inner: inner,
    "else": lambda inner: inner,
    "$ref": lambda _: st.sampled_from(["#/$defs/x", "#/$defs/loop", "#"]),
    "description": lambda _: TEXTS,
    "default": lambda _: VALUES,
}


@st.composite
def parts(draw: st.DrawFn, depth: int = 2) -> Schema:
    """A few keywords side by side, sensible together or not."""
    if depth == 0:
        return draw(st.booleans() | st.fixed_dictionaries({"type": KINDS}))
    inner = parts(depth - 1)
    chosen = draw(st.lists(st.sampled_from(sorted(KEYWORDS)), max_size=4, unique=True))
    return {name: draw(KEYWORDS[name](inner)) for name in chosen}


@st.composite
def schemas(draw: st.DrawFn) -> dict[str, Any]:  # Any: JSON Schema
    """A schema of arguments: an object of some fields, with more keywords around them."""
    root = draw(parts(2))
    fields = draw(st.dictionaries(NAMES, parts(2), max_size=3))
    defs = {"x": draw(parts(1)), "loop": {"anyOf": [draw(parts(1)), {"$ref": "#/$defs/loop"}]}}
    around = root if isinstance(root, dict) else {}
    return {**around, "type": "object", "properties": fields, "$defs": defs}
