"""Single values of a result: what stands at a JSON Pointer, and the facts that a contract names."""

from collections.abc import Mapping
from typing import Any

from handrail.contract.issue import split_pointer

__all__ = ["MISSING", "at_pointer", "facts_of", "pointer_fault"]

MISSING: Any = object()  # Any: stands where a JSON value may be
"""What stands at a pointer that leads nowhere."""


def at_pointer(value: Any, pointer: str) -> Any:  # Any: JSON values
    """The value at an RFC 6901 pointer; `MISSING` where it leads nowhere."""
    for part in split_pointer(pointer):
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list | tuple) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return MISSING
    return value


def facts_of(value: Any, stated: Mapping[str, str]) -> dict[str, Any]:  # Any: JSON values
    """The named values of a result; a fact that is not there is left out."""
    found = {name: at_pointer(value, pointer) for name, pointer in stated.items()}
    return {name: item for name, item in found.items() if item is not MISSING}


def pointer_fault(pointer: object) -> str | None:
    """What is wrong with a pointer that an author wrote; None where nothing is."""
    if not isinstance(pointer, str):
        return f"{pointer!r} is not text"
    if pointer and not pointer.startswith("/"):
        return f"{pointer!r} is no JSON Pointer: write '/{pointer.replace('.', '/')}'"
    return None
