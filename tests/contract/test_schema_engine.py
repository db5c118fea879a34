"""Tools known by JSON Schema: what is refused at declaration, what stays open, what is said."""

from typing import Any

import pytest

from handrail.contract.issue import Severity
from handrail.contract.reading import Rejected
from handrail.contract.schema_engine import SchemaEngine
from handrail.errors import ContractError


def places(schema: dict[str, Any], value: dict[str, Any]) -> list[tuple[str, str]]:
    """Codes and paths of a rejected value; empty when it is accepted."""
    engine = SchemaEngine(schema)
    try:
        engine.prepare(value)
    except Rejected as rejected:
        return [(issue.code, issue.path) for issue in engine.explain("", value, rejected)]
    return []


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "objekt"}, "not a JSON Schema"),
        ({"type": "array"}, "must be an object"),
        ({"enum": [1]}, "must be an object"),
        ({"anyOf": [{"type": "object"}, {"type": "string"}]}, "must be an object"),
        ({"properties": {"a": {"$ref": "#/$defs/no"}}}, "does not exist"),
        ({"properties": {"a": {"$ref": "https://example.com/x.json"}}}, "Retrieval is disabled"),
        ({"properties": {"a": {"pattern": "("}}}, "not a JSON Schema"),
        ({"$schema": "http://json-schema.org/draft-04/schema#"}, "older than draft-07"),
        ({"$schema": "https://example.com/own"}, "Unknown meta-schema"),
        ([], "must be a JSON object"),
    ],
)
def test_unusable_schemas(schema: Any, fault: str) -> None:
    """A schema that cannot be a contract is refused when it is declared, tool named."""
    with pytest.raises(ContractError, match=fault) as caught:
        SchemaEngine(schema, tool="broken")
    assert caught.value.tool == "broken"


OPEN = {
    "type": "object",
    "properties": {
        "user_id": {"type": "string"},
        "place": {"$ref": "#/$defs/place"},
        "lines": {"type": "array", "items": {"properties": {"qty": {"type": "integer"}}}},
        "free": {"type": "object"},
        "shut": {"properties": {"a": {}}, "additionalProperties": False},
    },
    "$defs": {"place": {"type": "object", "properties": {"city": {"type": "string"}}}},
}


def test_a_silent_schema_stays_open_with_warnings() -> None:
    """Unknown fields run, and each is a warning, nested ones too."""
    value = {"userId": "u", "place": {"City": "x"}, "lines": [{}, {"q": 1}], "free": {"any": 1}}
    engine = SchemaEngine(OPEN)
    assert engine.prepare(value) == value
    issues = engine.unknown(value)
    assert [(issue.code, issue.path) for issue in issues] == [
        ("VAL-005", "/userId"),
        ("VAL-005", "/place/City"),
        ("VAL-005", "/lines/1/q"),
    ]
    assert {issue.severity for issue in issues} == {Severity.WARNING}
    assert issues[0].hint == "Rename /userId to /user_id."


def test_nothing_to_warn_about() -> None:
    """Known fields give no warning, in flat and in closed schemas either."""
    assert SchemaEngine(OPEN).unknown({"user_id": "u", "place": {"city": "x"}}) == []
    flat = SchemaEngine({"type": "object", "properties": {"a": {}}})
    assert (flat.unknown({"a": 1}), len(flat.unknown({"b": 1}))) == ([], 1)
    free = SchemaEngine({"type": "object", "properties": {}, "additionalProperties": True})
    assert free.unknown({"b": 1}) == []


def test_a_closed_engine_refuses_unknown_fields() -> None:
    """``closed=True`` closes the root where the schema is silent."""
    engine = SchemaEngine(OPEN, closed=True)
    with pytest.raises(Rejected) as caught:
        engine.prepare({"user_id": "u", "limit": 5})
    issues = engine.explain("", {"user_id": "u", "limit": 5}, caught.value)
    assert [(issue.code, issue.path, issue.hint) for issue in issues] == [
        ("VAL-005", "/limit", "Remove /limit.")
    ]


def test_draft_07_is_honoured() -> None:
    """``dependencies`` and tuple ``items`` mean what they meant then."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"pair": {"items": [{"type": "integer"}], "additionalItems": False}},
        "dependencies": {"card": ["cvc"]},
    }
    assert places(schema, {"card": 1}) == [("VAL-013", "/cvc")]
    assert places(schema, {"pair": [1, 2]}) == [("VAL-006", "/pair")]


def test_the_schema_is_copied() -> None:
    """Changing the given schema later changes nothing."""
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}
    engine = SchemaEngine(schema)
    schema["properties"]["a"]["type"] = "integer"
    assert engine.schema["properties"]["a"] == {"type": "string"}


def test_integral_floats_come_out_as_integers() -> None:
    """Text with ``1.0``, ``1e2`` or ``10.50`` is normalised only where it is integral."""
    engine = SchemaEngine({"type": "object"})
    assert repr(engine.accept('{"a": [1.0, 1e2, 10.50]}')) == "{'a': [1, 100, 10.5]}"
    assert engine.lax({"a": 1}) is None


def test_only_what_we_closed_may_be_dropped() -> None:
    """An explicit ``additionalProperties`` is the author's own word."""
    inner = {"type": "object", "additionalProperties": False}
    schema = {"type": "object", "properties": {"a": inner}}
    unknown = ["/x", "/a/y"]
    assert SchemaEngine(schema, closed=True).droppable({}, unknown) == {"/x"}
    assert SchemaEngine({**schema, "additionalProperties": False}).droppable({}, unknown) == set()
