"""The JSON Schemas of handrail's own model calls, all in one place.

A prompt says what is wanted and how the fields are meant; the shape is enforced in transport, by
`build_json_schema_response_format`, and is not repeated there (seed 003). Whoever reads such a
reply judges it by the same schema, so that what is tried in an evaluation is what runs.
"""

from collections.abc import Mapping
from typing import Any

__all__ = ["COVERAGE_SCHEMA", "GOAL_SCHEMA", "PLAN_SCHEMA"]

GOAL_SCHEMA: Mapping[str, Any] = {  # Any: JSON Schema
    "type": "object",
    "properties": {
        "text": {
            "type": "string",
            "minLength": 1,
            "maxLength": 500,
            "description": "What the user wants, in one sentence, with every name and id kept",
        },
        "kind": {
            "type": "string",
            "enum": ["query", "action"],
            "description": "query: something is to be found out; action: something is to be done",
        },
        "needs": {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": 10,
            "description": "Names of the tools whose success the goal cannot be reached without",
        },
    },
    "required": ["text", "kind", "needs"],
    "additionalProperties": False,
}
"""What the user wants: the fields of `Goal`."""

COVERAGE_SCHEMA: Mapping[str, Any] = {  # Any: JSON Schema
    "type": "object",
    "properties": {
        "reason": {
            "type": "string",
            "maxLength": 500,
            "description": "What the results show, and what they do not, in one or two sentences",
        },
        "missing": {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": 10,
            "description": "What is not known or not done yet; empty if nothing is missing",
        },
        "status": {
            "type": "string",
            "enum": ["SATISFIED", "NEEDS_MORE_TOOLS", "NEED_USER_INPUT", "FAILED"],
            "description": "How far the results bring the goal",
        },
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "next_tool": {
            "type": "string",
            "description": "Name of the tool to call next, if one of those offered would help",
        },
        "question": {
            "type": "string",
            "maxLength": 300,
            "description": "What to ask the user, if only the user can say",
        },
    },
    "required": ["reason", "missing", "status", "confidence"],
    "additionalProperties": False,
}
"""How far the results of a turn bring its goal; the reason stands first, so that it is thought
before the status is said."""

PLAN_SCHEMA: Mapping[str, Any] = {  # Any: JSON Schema
    "type": "object",
    "properties": {
        "steps": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "call": {
                        "type": "string",
                        "pattern": r"^[A-Za-z_][A-Za-z0-9_-]*\.[A-Za-z_][A-Za-z0-9_]*$",
                        "description": "app.function",
                    },
                    "args": {
                        "type": "object",
                        "additionalProperties": True,
                        "description": "Arguments; what an earlier step gives is written as "
                        '{"$from": "its name", "path": "/pointer/into/its/data"}',
                    },
                },
                "required": ["call", "args"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["steps"],
    "additionalProperties": False,
}
"""The steps of a chain. What ``args`` holds differs with each function and is judged by its own
contract, so this schema has no strict form."""
