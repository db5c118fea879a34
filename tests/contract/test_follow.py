"""Exact arguments for the next call."""

from typing import Any, Literal

from hypothesis import given
from hypothesis import strategies as st

from handrail import Requires, Tool
from handrail.contract.follow import arguments_for, fits


def tool(schema: dict[str, Any], **terms: Any) -> Tool:
    """A tool with this one field ``x_id``."""
    parameters = {"type": "object", "properties": {"x_id": schema}, "required": ["x_id"]}
    return Tool.from_json_schema("t", "d", {**parameters, "additionalProperties": False}, **terms)


def test_the_id_has_the_shape_that_the_schema_wants() -> None:
    """Text, a number, a list, or either."""
    assert arguments_for(tool({"type": "string"}), "x_id", 7) == {"x_id": "7"}
    assert arguments_for(tool({"type": "integer"}), "x_id", "7") == {"x_id": 7}
    assert arguments_for(tool({"type": "integer"}), "x_id", "abc") == {"x_id": "abc"}
    listed = tool({"type": "array", "items": {"type": "string"}})
    assert arguments_for(listed, "x_id", "a") == {"x_id": ["a"]}
    maybe = tool({"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]})
    assert arguments_for(maybe, "x_id", "5") == {"x_id": [5]}
    assert arguments_for(tool({}), "x_id", 7) == {"x_id": 7}


def look(action: Literal["get", "find"], x_id: str | None = None, deep: bool = False) -> str:
    """Look."""
    return ""


def test_a_rule_says_what_else_must_stand_there() -> None:
    """The condition under which the id is required."""
    rules = [
        Requires(when={"action": ["get"]}, fields=["x_id"]),
        Requires(when={"deep": True}, fields=["action"]),
    ]
    made = arguments_for(Tool.from_function(look, rules=rules), "x_id", "a")
    assert made == {"action": "get", "x_id": "a"}
    assert fits(Tool.from_function(look, rules=rules), made)


def test_a_condition_without_a_value_is_not_made_up() -> None:
    """«Given» is no value."""
    rules = [Requires(when={"deep": True}, fields=["x_id"])]
    assert arguments_for(Tool.from_function(look, rules=rules), "x_id", "a") == {"x_id": "a"}


def test_whether_a_call_would_pass() -> None:
    """Schema and rules."""
    lacking = Tool.from_function(look, rules=[Requires(when={"action": "get"}, fields=["x_id"])])
    assert not fits(lacking, {"x_id": "a"})
    assert not fits(lacking, {"action": "get"})
    assert fits(lacking, {"action": "find"})


@given(st.text(max_size=30) | st.integers())
def test_any_id_is_taken(id: str | int) -> None:
    """A string field takes every id, and the call passes."""
    made = arguments_for(tool({"type": "string"}), "x_id", id)
    assert made == {"x_id": str(id)}
    assert fits(tool({"type": "string"}), made) or not str(id).isprintable()
