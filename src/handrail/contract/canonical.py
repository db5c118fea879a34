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

__all__ = ["canonical", "digest", "normalise"]

_SPELT_OTHERWISE = re.compile(r"\d(?:\.0(?!\d)|e)")
"""Where the encoder's text may hold a number that the one spelling writes as an integer."""

_sorted = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")
).encode
"""For ASCII keys the order of code points is the order of UTF-16 code units."""

_kept = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


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
