"""Tool definitions in every spelling."""

import pytest

from handrail.replay.definitions import definition_of, definitions_in, is_definition
from handrail.replay.records import Definition, Place, Unreadable

HERE = Place("schemas.json", 1)
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "t", "description": "d", "parameters": SCHEMA},
        {"name": "t", "description": "d", "input_schema": SCHEMA},
        {"name": "t", "description": "d", "inputSchema": SCHEMA},
        {"type": "function", "name": "t", "description": "d", "parameters": SCHEMA},
        {"type": "function", "function": {"name": "t", "description": "d", "parameters": SCHEMA}},
    ],
)
def test_spellings_mean_the_same(entry: dict[str, object]) -> None:
    """OpenAI chat and Responses, Anthropic, MCP, and our own."""
    found = definition_of(entry, HERE)
    assert found is not None
    assert (found.name, found.description, found.schema) == ("t", "d", SCHEMA)


def test_ref_gives_the_name_where_there_is_none() -> None:
    """Its last part is the name."""
    found = definition_of({"ref": "shop/eu/find", "parameters": SCHEMA}, HERE)
    assert found is not None
    assert (found.ref, found.name) == ("shop/eu/find", "find")


def test_tool_of_the_provider_is_no_definition() -> None:
    """The provider runs it itself, and it has no schema."""
    assert definition_of({"type": "web_search_20250305", "name": "web_search"}, HERE) is None


def test_what_is_no_schema_is_kept_for_the_report() -> None:
    """Whether it is one is found out later; it must not become `anything goes`."""
    found = definition_of({"name": "t", "parameters": "nonsense"}, HERE)
    assert found is not None
    assert found.schema == "nonsense"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"name": "t", "parameters": SCHEMA}, True),
        ({"name": "t", "parameters": {"city": "Oslo"}}, False),
        ({"name": "t", "arguments": {}, "schema": SCHEMA}, False),
        ({"tool": "t", "schema": SCHEMA}, False),
        ({"type": "function", "function": {"name": "t", "arguments": "{}"}}, False),
    ],
)
def test_calls_are_no_definitions(row: dict[str, object], expected: bool) -> None:
    """Some models write arguments as ``parameters``; then it is no schema."""
    assert is_definition(row) is expected


def test_faulty_entry_costs_itself_only() -> None:
    """The other tools of the list are read."""
    found = list(definitions_in({"tools": [{"parameters": SCHEMA}, 3, {"name": "t"}]}, HERE))
    assert [type(one) for one in found] == [Unreadable, Unreadable, Definition]
