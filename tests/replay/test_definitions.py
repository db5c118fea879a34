"""Tool definitions in every spelling."""

import pytest

from handrail.replay.definitions import definition_of, definitions_in, is_definition, tools_of
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
        {"name": "t", "description": "d", "parametersJsonSchema": SCHEMA},
        {"toolSpec": {"name": "t", "description": "d", "inputSchema": {"json": SCHEMA}}},
        {
            "name": "t",
            "description": "d",
            "parameters": {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}},
        },
    ],
)
def test_spellings_mean_the_same(entry: dict[str, object]) -> None:
    """OpenAI chat and Responses, Anthropic, MCP, Gemini, Bedrock, and our own."""
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


def test_gemini_groups_its_functions() -> None:
    """Several in one tool, in both spellings; what Gemini runs itself is left out."""
    tools = [
        {"functionDeclarations": [{"name": "a", "parameters": SCHEMA}, {"name": "b"}]},
        {"function_declarations": [{"name": "c"}]},
        {"googleSearch": {}},
    ]
    found = list(definitions_in(tools, HERE))
    assert [one.name for one in found if isinstance(one, Definition)] == ["a", "b", "c"]
    assert len(found) == 3
    assert is_definition(tools[0])


def test_bedrock_cache_point_is_no_tool() -> None:
    """It stands in the list of tools."""
    spec = {"toolSpec": {"name": "a", "inputSchema": {"json": SCHEMA}}}
    found = list(definitions_in({"toolConfig": {"tools": [spec, {"cachePoint": {}}]}}, HERE))
    assert [one.name for one in found if isinstance(one, Definition)] == ["a"]
    assert len(found) == 1


def test_schema_of_gemini_becomes_json_schema() -> None:
    """Types in capitals, 64-bit numbers as text, and a flag for null."""
    own = {
        "type": "OBJECT",
        "propertyOrdering": ["a"],
        "properties": {
            "a": {"type": "STRING", "nullable": True, "enum": ["x"]},
            "type": {"type": "ARRAY", "items": {"type": "INTEGER"}, "minItems": "1"},
            "b": {"anyOf": [{"type": "NUMBER"}], "nullable": True},
            "c": {"type": "TYPE_UNSPECIFIED", "description": "OBJECT"},
        },
        "required": ["a"],
    }
    found = definition_of({"name": "t", "parameters": own}, HERE)
    assert found is not None
    assert found.schema == {
        "type": "object",
        "properties": {
            "a": {"type": ["string", "null"], "enum": ["x", None]},
            "type": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
            "b": {"anyOf": [{"anyOf": [{"type": "number"}]}, {"type": "null"}]},
            "c": {"description": "OBJECT"},
        },
        "required": ["a"],
    }


@pytest.mark.parametrize(
    "request_",
    [
        {"tools": [1]},
        {"functions": [1]},
        {"toolConfig": {"tools": [1]}},
        {"config": {"tools": [1]}},
        {"result": {"tools": [1]}},
    ],
)
def test_tools_stand_where_the_provider_takes_them(request_: dict[str, object]) -> None:
    """Bedrock and Gemini's client put something around them."""
    assert tools_of(request_) == [1]
    assert tools_of({"tools": [], "config": 3}) is None
