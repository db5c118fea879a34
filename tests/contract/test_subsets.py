"""The table of strict subsets has a row for every provider."""

import pytest

from handrail import ConfigError
from handrail.contract.strict import strict_form
from handrail.contract.subsets import SUBSETS, subset_of
from handrail.wire.registry import PROVIDERS


def test_every_provider_has_a_row() -> None:
    """A new wire shape needs one."""
    assert set(PROVIDERS) <= set(SUBSETS)
    assert subset_of("mcp") is None
    with pytest.raises(
        ConfigError, match=r"provider='x' is unknown: choose one of openai, openai-responses, "
    ):
        subset_of("x")


@pytest.mark.parametrize(
    ("provider", "keyword", "value", "kept"),
    [
        ("openai", "minimum", 1, True),
        ("openai", "minLength", 1, False),
        ("anthropic", "minimum", 1, False),
        ("gemini", "maximum", 9, True),
        ("bedrock", "pattern", "^a", False),
        ("openai", "pattern", "^a", True),
        ("openai", "pattern", "^(?!a)", False),
        ("openai", "format", "uri", False),
        ("anthropic", "format", "uri", True),
        ("gemini", "format", "uuid", False),
    ],
)
def test_a_row_says_what_is_enforced(
    provider: str, keyword: str, value: object, kept: bool
) -> None:
    """What is not, is dropped, and told."""
    kind = "integer" if keyword in ("minimum", "maximum") else "string"
    schema = {"properties": {"a": {"type": kind, keyword: value}}, "required": ["a"]}
    subset = subset_of(provider)
    assert subset is not None
    form = strict_form(schema, subset)
    assert form.schema is not None
    assert (keyword in form.schema["properties"]["a"]) is kept
    assert form.dropped == (() if kept else (("/properties/a", keyword),))
