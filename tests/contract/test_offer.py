"""What a provider is told of a tool, and what it does not enforce."""

from typing import Any

from handrail import AnyOf, Tool
from handrail.contract.offer import Unenforced, offer, report

POINT = {"type": "object", "properties": {"x": {"type": "integer", "minimum": 0}}}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "$defs": {"P": POINT},
    "properties": {"at": {"$ref": "#/$defs/P"}, "q": {"type": "string", "minLength": 1}},
    "required": ["q"],
    "additionalProperties": False,
}
FREE = {"type": "object", "properties": {"tags": {"type": "object"}}}


def tool(schema: dict[str, Any] = SCHEMA, **terms: Any) -> Tool:  # Any: JSON Schema, terms
    """A tool with this schema."""
    return Tool.from_json_schema("look", "Looks.", schema, **terms)


def test_in_full_nothing_is_changed() -> None:
    """But references are written out where a provider does not follow them."""
    assert offer(tool(), "openai").tool["schema"] == SCHEMA
    assert offer(tool(), "mcp", strict=True).tool["schema"] == SCHEMA
    assert offer(tool(), "bedrock").tool["schema"]["properties"]["at"] == POINT


def test_the_strict_form_and_its_flag() -> None:
    """Gemini has a subset and no flag; only OpenAI wants nulls."""
    flags = {
        name: (made.flag, made.forces_null)
        for name in ("openai", "openai-responses", "anthropic", "gemini", "bedrock", "mcp")
        for made in [offer(tool(), name, strict=True)]
    }
    assert flags == {
        "openai": (True, True),
        "openai-responses": (True, True),
        "anthropic": (True, False),
        "gemini": (False, False),
        "bedrock": (True, False),
        "mcp": (False, False),
    }


def test_a_tool_without_a_strict_form_is_told_in_full() -> None:
    """And not strict, rather than without its free keys."""
    made = offer(tool(FREE), "openai", strict=True)
    assert (made.tool["schema"], made.flag, made.forces_null) == (FREE, False, False)
    text = "published in full and not strict: the object may have any fields"
    assert report([tool(FREE)], "openai") == (
        Unenforced("look", "/properties/tags", "strict", text),
    )


def test_a_report_lists_what_only_we_enforce() -> None:
    """Keywords, by their place in the schema, and the contract beyond the schema."""
    checked = tool(rules=[AnyOf("q", "at")], check_input=lambda args: None, ids=("q",))
    found = [(one.path, one.keyword) for one in report([checked], "anthropic")]
    assert found == [
        ("/$defs/P/properties/x", "minimum"),
        ("/properties/q", "minLength"),
        ("", "rules"),
        ("", "ids"),
        ("", "check_input"),
    ]
    assert [one.keyword for one in report([tool()], "mcp")] == ["strict"]


def test_limits_of_a_request_are_reported() -> None:
    """Anthropic counts the fields of all strict tools that may be left out."""
    fields = {f"f{n}": {"type": "string"} for n in range(25)}
    (one,) = report([tool({"type": "object", "properties": fields})], "anthropic")
    assert one.text == "a request with all tools is refused: 25 optional fields, of at most 24"
