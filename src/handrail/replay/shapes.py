"""Values by their shape: what a report may show of traffic without showing the traffic.

``{"status": "shipped", "qty": 3}`` is ``{"status": "string(7)", "qty": "integer"}``. Names of
fields are kept where they look like names; a key that looks like data is hidden as well.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from handrail.contract.preview import preview, shorten
from handrail.contract.words import json_type

__all__ = ["pointer_shape", "raw_text", "shape_of", "shape_text"]

_NAME = re.compile(r"[A-Za-z_$@][A-Za-z_$@.-]{0,39}[0-9]{0,2}[A-Za-z_]{0,24}\Z")
_MOST_FIELDS = 12
_DEPTH = 5
_TEXT = 400


def shape_of(value: object, depth: int = 0) -> Any:  # Any: JSON value
    """The shape of a JSON value, as a JSON value."""
    if isinstance(value, str):
        return f"string({len(value)})"
    if isinstance(value, Mapping):
        if depth >= _DEPTH:
            return f"object({len(value)})"
        shown = {
            _key(name): shape_of(item, depth + 1)
            for name, item in list(value.items())[:_MOST_FIELDS]
        }
        if len(value) > _MOST_FIELDS:
            shown["..."] = f"{len(value) - _MOST_FIELDS} more"
        return shown
    if isinstance(value, list | tuple):
        if not value or depth >= _DEPTH:
            return f"array({len(value)})" if value else []
        more = [f"... {len(value)} items"] if len(value) > 1 else []
        return [shape_of(value[0], depth + 1), *more]
    return json_type(value)


def shape_text(value: object, limit: int = _TEXT) -> str:
    """The shape on one line; the shape of JSON text is that of what it holds."""
    shape = shape_of(_opened(value))
    return shorten(shape if isinstance(shape, str) else json.dumps(shape), limit)


def raw_text(value: object, limit: int = _TEXT) -> str:
    """The value itself on one line, cut where it is long; secrets stay hidden."""
    return preview(_opened(value), limit=limit)


def pointer_shape(path: str) -> str:
    """A pointer with ``*`` for positions, and for names that look like data."""
    parts = path.split("/")[1:]
    return "".join(
        "/*" if part.isdigit() or not _NAME.match(part) else f"/{part}" for part in parts
    )


def _key(name: object) -> str:
    text = str(name)
    return text if _NAME.match(text) else f"string({len(text)})"


def _opened(value: object) -> object:
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
