"""Level 2: the right value in the wrong shape. Not for destructive tools.

An object or array sent as JSON in a string, null for a field that may simply be left out,
whitespace around ids. (Fields that an `Irrelevant` rule names are dropped by `mend` itself.)
"""

import re
from collections.abc import Collection, Mapping
from typing import Any

from handrail.contract.nodes import required_of, types_at
from handrail.contract.parse import Parsed, parse
from handrail.contract.steps import Place, Step
from handrail.contract.walk import parts, strings
from handrail.contract.words import json_type

__all__ = ["encoded_twice", "id_steps", "is_container_text", "shape_steps"]


def shape_steps(place: Place) -> list[Step]:
    """Every reading of this level that an issue allows."""
    if place.issue.code != "VAL-002":
        return []
    value = place.value
    if value is None:
        return _null(place)
    if isinstance(value, str) and is_container_text(value):
        return _parsed(place, value)
    return []


def encoded_twice(arguments: object) -> Parsed | None:
    """Arguments that are a JSON string of one JSON object, read as that object."""
    if not isinstance(arguments, str) or not arguments.lstrip().startswith('"'):
        return None
    outer = parse(f'{{"value":{arguments}}}').value
    if outer is None or outer.keys() != {"value"} or not is_container_text(outer["value"]):
        return None
    inner = parse(outer["value"])
    return inner if inner.value is not None else None


def is_container_text(text: str) -> bool:
    """Whether a text begins as an object or array does."""
    return text.lstrip()[:1] in ("{", "[")


def _null(place: Place) -> list[Step]:
    """Null dropped from a field that no schema of its object requires."""
    name = place.path[-1]
    owners = place.nodes.at(place.path[:-1])
    known = any(name in node.get("properties", {}) for node in owners)
    if not isinstance(place.parent, dict) or not known or name in required_of(owners):
        return []
    if "null" in types_at(place.nodes.at(place.path)):
        return []
    return [Step("null_dropped", place.path, None, "drop")]


def _parsed(place: Place, text: str) -> list[Step]:
    inner = parse(f'{{"value":{text}}}').value
    if inner is None or inner.keys() != {"value"}:
        return []
    kinds = types_at(place.nodes.at(place.path))
    if "string" in kinds or json_type(inner["value"]) not in kinds:
        return []
    return [Step("parsed_json", place.path, inner["value"])]


def id_steps(
    value: Mapping[str, Any],
    patterns: Mapping[str, str | re.Pattern[str] | None],
    always: Collection[str],
) -> list[Step]:  # Any: JSON values
    """Whitespace around ids taken off; an id whose own pattern takes it as it is, is left.

    Args:
        value: The arguments.
        patterns: Declared id fields.
        always: Fields that hold ids whether declared or not.
    """
    steps = []
    for place, name, text in strings(value):
        if name is None or (name not in patterns and name not in always):
            continue
        bare = text.strip()
        pattern = patterns.get(name)
        if bare in ("", text) or (pattern is not None and re.fullmatch(pattern, text)):
            continue
        steps.append(Step("whitespace", parts(place), bare))
    return steps
