"""What makes no sense in what an author says about results."""

from collections.abc import Mapping
from typing import Any

from handrail.contract.facts import pointer_fault

__all__ = ["PAGE_TERMS", "output_faults"]

PAGE_TERMS = ("cursor", "argument")
"""Keys of ``pages``: where the next page's cursor stands, and the argument that takes it."""


def output_faults(values: Mapping[str, Any]) -> list[str]:  # Any: values of Terms
    """What is wrong with ``failed_when``, ``facts`` and ``pages``, each by itself."""
    faults = []
    for key in ("failed_when", "facts", "pages"):
        stated = values.get(key)
        if stated is not None and not (isinstance(stated, Mapping) and stated):
            faults.append(f"{key}={stated!r} must be a mapping with something in it")
        elif stated is not None and not all(isinstance(name, str) for name in stated):
            faults.append(f"{key}={stated!r} must have names for its keys")
    facts, pages = values.get("facts"), values.get("pages")
    for name, pointer in facts.items() if isinstance(facts, Mapping) else ():
        if fault := pointer_fault(pointer):
            faults.append(f"facts: {name!r}: {fault}")
    if isinstance(pages, Mapping):
        unknown = [key for key in pages if key not in PAGE_TERMS]
        if unknown or "cursor" not in pages:
            keys = ", ".join(PAGE_TERMS)
            faults.append(f"pages={dict(pages)!r}: the keys are {keys}; cursor must be there")
        elif fault := pointer_fault(pages["cursor"]):
            faults.append(f"pages: cursor: {fault}")
        if not isinstance(pages.get("argument", ""), str):
            faults.append(f"pages: argument={pages['argument']!r} must be the name of an argument")
    return faults
