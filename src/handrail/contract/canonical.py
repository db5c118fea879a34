"""One spelling for every JSON value: what hashes, budgets and approvals compare.

Two calls are identical when their canonical arguments are the same bytes. The form follows
RFC 8785 in spirit: keys sorted by UTF-16 code units, no spaces, UTF-8. It goes further where
JSON Schema sees one value in two spellings: integral floats are integers, strings are NFC.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

__all__ = ["canonical", "digest", "normalise", "with_defaults"]

_SPELT_OTHERWISE = re.compile(r"\d(?:\.0(?!\d)|e)")
"""Where the encoder's text may hold a number that the one spelling writes as an integer."""

_sorted = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")
).encode
"""For ASCII keys the order of code points is the order of UTF-16 code units."""

_kept = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode

_MAX_REFS = 32
"""`$ref` followed one after another before a schema counts as circular."""


def canonical(value: Any) -> bytes:  # Any: JSON value
    """The one spelling of a JSON value, as UTF-8 bytes.

    Raises:
        ValueError: The value holds NaN or Infinity.
    """
    try:
        text = _sorted(value)
    except TypeError:  # a mapping that is no dict
        text = ""
    if not text or not text.isascii() or _SPELT_OTHERWISE.search(text):
        text = _kept(_ordered(value))
    return text.encode("utf-8", "surrogatepass")


def digest(value: Any) -> str:  # Any: JSON value
    """SHA-256 of the canonical bytes, 64 hexadecimal digits."""
    import hashlib  # late: it loads a library of the system

    return hashlib.sha256(canonical(value)).hexdigest()


def normalise(value: Any) -> Any:  # Any: JSON value
    """Integral floats as integers (``1.0`` is ``1``); the same object when nothing changes."""
    match value:
        case float():
            return int(value) if math.isfinite(value) and value.is_integer() else value
        case dict():
            changed = {key: normalise(item) for key, item in value.items()}
            return changed if any(changed[key] is not value[key] for key in value) else value
        case list():
            items = [normalise(item) for item in value]
            same = all(new is old for new, old in zip(items, value, strict=True))
            return value if same else items
    return value


def with_defaults(value: Any, schema: Mapping[str, Any]) -> Any:  # Any: JSON value; JSON Schema
    """The value plus every default that the schema states for an absent property.

    Nested objects and array items are filled too; an absent object is not made up. Inside
    unions nothing is filled, since the branch is not known.
    """
    return _filled(value, schema, schema)


def _filled(value: Any, schema: Any, root: Mapping[str, Any]) -> Any:  # Any: JSON values
    schema = _resolved(schema, root)
    if not isinstance(schema, Mapping):
        return value
    for part in schema.get("allOf", ()):
        value = _filled(value, part, root)
    if isinstance(value, dict):
        filled = dict(value)
        for name, field in schema.get("properties", {}).items():
            field = _resolved(field, root)
            if name in filled:
                filled[name] = _filled(filled[name], field, root)
            elif isinstance(field, Mapping) and "default" in field:
                filled[name] = field["default"]
        return filled
    if isinstance(value, list) and isinstance(items := schema.get("items"), Mapping):
        return [_filled(item, items, root) for item in value]
    return value


def _resolved(schema: Any, root: Mapping[str, Any]) -> Any:  # Any: JSON Schema
    for _ in range(_MAX_REFS):
        if not isinstance(schema, Mapping):
            return schema
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#"):
            return schema
        target: Any = root  # Any: JSON Schema
        for part in reference[1:].split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(target, Mapping) or part not in target:
                return schema
            target = target[part]
        others = {key: item for key, item in schema.items() if key != "$ref"}
        schema = {**target, **others} if isinstance(target, Mapping) else target
    return schema


def _ordered(value: Any) -> Any:  # Any: JSON value
    match value:
        case str():
            return _nfc(value)
        case float():
            return normalise(value)
        case Mapping():
            names = {key: _nfc(key) for key in value}
            if len(set(names.values())) != len(names):
                names = {key: key for key in value}
            keys = sorted(value, key=lambda key: names[key].encode("utf-16-be", "surrogatepass"))
            return {names[key]: _ordered(value[key]) for key in keys}
        case list() | tuple():
            return [_ordered(item) for item in value]
    return value


def _nfc(text: str) -> str:
    return text if text.isascii() else normalize("NFC", text)
