"""Refuses a strict schema that a provider would refuse; written from the documented rules.

It shares nothing with the code that makes strict forms. Sources: OpenAI's "Supported schemas" of
Structured Outputs; "JSON Schema limitations" of Anthropic's structured outputs (Bedrock follows
it); the properties that Google lists for ``responseJsonSchema``.
"""

import re
from typing import Any

import jsonschema_rs

__all__ = ["check_strict", "embedded"]

Schema = dict[str, Any]  # Any: JSON Schema

COMMON = {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf"}
COMMON |= {"title", "description", "$defs", "$ref"}
FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
MORE = {
    "openai": {"const", "pattern", "format", "multipleOf", "maximum", "exclusiveMaximum"}
    | {"minimum", "exclusiveMinimum", "minItems", "maxItems"},
    "anthropic": {"const", "allOf", "default", "format", "minItems"},
    "gemini": {"format", "prefixItems", "minItems", "maxItems", "minimum", "maximum", "oneOf"},
    "bedrock": {"const", "allOf", "default", "format", "minItems"},
}
TYPES = {"string", "number", "boolean", "integer", "object", "array", "null"}


def check_strict(schema: Schema, provider: str) -> None:
    """Raise AssertionError if this is not in the provider's subset."""
    assert schema.get("type") == "object"
    assert "anyOf" not in schema
    counts = {"fields": 0, "values": 0}
    _check(schema, schema, provider, counts, 0)
    for part in schema.get("$defs", {}).values():
        _check(part, schema, provider, counts, 0)
    if provider == "openai":
        assert counts["fields"] <= 5_000
        assert counts["values"] <= 1_000
    else:
        assert not _cyclic(schema, schema, ())


def _check(part: Schema, root: Schema, provider: str, counts: dict[str, int], depth: int) -> None:
    assert isinstance(part, dict)
    assert set(part) <= COMMON | MORE[provider], f"{set(part) - COMMON - MORE[provider]}"
    assert "$defs" not in part or part is root
    if "$ref" in part:
        assert set(part) == {"$ref"}, "a reference stands alone"
        assert provider not in ("gemini",)
        name = part["$ref"].removeprefix("#/$defs/")
        assert name in root["$defs"]
        return
    assert ("type" in part) != ("anyOf" in part), "each part has a type or is a union"
    if "anyOf" in part:
        assert part["anyOf"]
        for branch in part["anyOf"]:
            _check(branch, root, provider, counts, depth)
        return
    types = {part["type"]} if isinstance(part["type"], str) else set(part["type"])
    assert types
    assert types <= TYPES
    _check_scalar(part, provider, counts)
    if "object" in types:
        _check_object(part, root, provider, counts, depth)
    if "array" in types:
        assert provider != "openai" or depth < 10
        _check(part["items"], root, provider, counts, depth + 1)
        assert provider not in ("anthropic", "bedrock") or part.get("minItems", 0) in (0, 1)


def _check_scalar(part: Schema, provider: str, counts: dict[str, int]) -> None:
    for value in part.get("enum", ()):
        counts["values"] += 1
        assert value is None or isinstance(value, str | int | float)
        assert provider != "gemini" or (
            isinstance(value, str | int | float) and not isinstance(value, bool)
        )
    assert part.get("format", "date") in FORMATS | {"uri"}
    assert not re.search(r"\(\?<?[=!]", part.get("pattern", "")), "no look-around"


def _check_object(
    part: Schema, root: Schema, provider: str, counts: dict[str, int], depth: int
) -> None:
    assert part["additionalProperties"] is False
    assert set(part["required"]) <= set(part["properties"])
    counts["fields"] += len(part["properties"])
    if provider == "openai":
        assert set(part["required"]) == set(part["properties"])
        assert depth < 10
    for inner in part["properties"].values():
        _check(inner, root, provider, counts, depth + 1)


def _cyclic(part: Any, root: Schema, opened: tuple[str, ...]) -> bool:  # Any: JSON value
    if isinstance(part, list):
        return any(_cyclic(item, root, opened) for item in part)
    if not isinstance(part, dict):
        return False
    name = part.get("$ref")
    if isinstance(name, str):
        target = root["$defs"][name.removeprefix("#/$defs/")]
        return name in opened or _cyclic(target, root, (*opened, name))
    return any(_cyclic(item, root, opened) for key, item in part.items() if key != "$defs")


def embedded(value: Any, part: Schema, root: Schema) -> list[Any]:  # Any: JSON values
    """The ways in which a strict model could write a value: null for what it leaves out.

    Of many ways a few are kept, those first that the part itself takes.
    """
    if "$ref" in part:
        return embedded(value, root["$defs"][part["$ref"].removeprefix("#/$defs/")], root)
    if "anyOf" in part:
        made = [one for branch in part["anyOf"] for one in embedded(value, branch, root)]
        return _fitting_first(made, part, root)
    if isinstance(value, dict):
        if "properties" not in part or not value.keys() <= part["properties"].keys():
            return []
        made = [{}]
        for name, inner in part["properties"].items():
            if name not in value and name not in part["required"]:
                continue
            given = embedded(value.get(name), inner, root)[:2]
            made = [{**one, name: item} for one in made for item in given][:4]
        return made
    if isinstance(value, list):
        if "items" not in part:
            return []
        choices = [embedded(item, part["items"], root)[:1] for item in value]
        return [[one[0] for one in choices]] if all(choices) else []
    return [value]


def _fitting_first(made: list[Any], part: Schema, root: Schema) -> list[Any]:  # Any: JSON values
    if len(made) < 2:
        return made
    fits = jsonschema_rs.validator_for({**part, "$defs": root.get("$defs", {})}).is_valid
    return sorted(made, key=lambda one: not fits(one))
