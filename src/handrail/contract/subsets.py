"""What each provider's strict decoding takes of JSON Schema: one table, as documented.

Sources: OpenAI, Structured Outputs, "Supported schemas"; Anthropic, Structured outputs, "JSON
Schema limitations"; Google, ``responseJsonSchema`` of the Gemini API (the same dialect as
``parametersJsonSchema``); AWS, Bedrock user guide, "Get validated JSON results" (the rules of
Anthropic's models). An MCP server's schemas are for the client, which enforces nothing.
Read in November 2026; providers widen their subsets, and what is left out here is enforced here.
"""

from dataclasses import dataclass
from typing import Literal

from handrail.errors import ConfigError

__all__ = ["SUBSETS", "Subset", "subset_of"]

_NUMBERS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
_SCALARS = frozenset({"string", "integer", "number", "boolean", "null"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Subset:
    """The strict subset of one provider.

    Attributes:
        flag: Whether the provider has a flag for it in a tool's definition.
        keywords: Keywords that are enforced beside structure, ``enum`` and ``const``.
        formats: Values of ``format`` that are enforced.
        optional: ``nullable`` where every field must be required, so that a field that may be
            left out becomes one that may be null; ``kept`` where fields may be left out.
        recursion: Whether a schema may refer to itself.
        inline: Whether every ``$ref`` is to be written out.
        enums: JSON types that a listed value may have.
        most_min_items: The largest ``minItems`` that is enforced.
        most_fields: Fields in all objects together.
        most_depth: Objects and arrays inside each other.
        most_values: Listed values in all enums together.
        most_tools: Strict tools of one request.
        most_optional: Fields that may be left out, in all strict tools of one request.
    """

    flag: bool = True
    keywords: frozenset[str] = frozenset()
    formats: frozenset[str] = _FORMATS
    optional: Literal["nullable", "kept"] = "kept"
    recursion: bool = False
    inline: bool = False
    enums: frozenset[str] = _SCALARS
    most_min_items: float = float("inf")
    most_fields: float = float("inf")
    most_depth: float = float("inf")
    most_values: float = float("inf")
    most_tools: float = float("inf")
    most_optional: float = float("inf")


_OPENAI = Subset(
    keywords=_NUMBERS | {"pattern", "format", "minItems", "maxItems"},
    optional="nullable",
    recursion=True,
    most_fields=5_000,
    most_depth=10,
    most_values=1_000,
)
_ANTHROPIC = Subset(
    keywords=frozenset({"format", "minItems"}),
    formats=_FORMATS | {"uri"},
    most_min_items=1,
    most_tools=20,
    most_optional=24,
)
_GEMINI = Subset(
    flag=False,
    keywords=frozenset({"format", "minItems", "maxItems", "minimum", "maximum"}),
    formats=frozenset({"date-time", "date", "time"}),
    inline=True,
    enums=frozenset({"string", "integer", "number"}),
)
_BEDROCK = Subset(
    keywords=frozenset({"format", "minItems"}),
    formats=_FORMATS | {"uri"},
    most_min_items=1,
    inline=True,
    most_tools=20,
    most_optional=24,
)

SUBSETS: dict[str, Subset | None] = {
    "openai": _OPENAI,
    "openai-responses": _OPENAI,
    "anthropic": _ANTHROPIC,
    "gemini": _GEMINI,
    "bedrock": _BEDROCK,
    "mcp": None,
}


def subset_of(provider: str) -> Subset | None:
    """The strict subset of a provider; None where nothing is enforced.

    Raises:
        ConfigError: The provider is unknown.
    """
    if provider not in SUBSETS:
        known = ", ".join(SUBSETS)
        raise ConfigError(f"provider={provider!r} is unknown: choose one of {known}")
    return SUBSETS[provider]
