"""Which keyword a value breaks, and with what."""

from typing import Any

import pytest

from handrail.replay.violations import Violation, violations

SCHEMA: dict[str, Any] = {  # Any: JSON Schema
    "type": "object",
    "$defs": {
        "Order": {
            "type": "object",
            "properties": {
                "status": {"enum": ["placed"]},
                "qty": {"type": "integer", "minimum": 1},
            },
            "required": ["status"],
            "additionalProperties": False,
        }
    },
    "properties": {
        "orders": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/Order"}},
        "note": {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]},
    },
}
ORDER = ("$defs", "Order")


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"orders": []}, [Violation(("properties", "orders"), "minItems", 0, "/orders")]),
        (
            {"orders": [{"status": "returned"}]},
            [Violation((*ORDER, "properties", "status"), "enum", "returned", "/orders/0/status")],
        ),
        ({"orders": [{}]}, [Violation(ORDER, "required", "status", "/orders/0/status")]),
        (
            {"orders": [{"status": "placed", "x": None}]},
            [Violation(ORDER, "additionalProperties", ["x", "null"], "/orders/0/x")],
        ),
        (
            {"orders": [{"status": "placed", "qty": "2"}]},
            [Violation((*ORDER, "properties", "qty"), "type", "string", "/orders/0/qty")],
        ),
        (
            {"note": "long"},
            [Violation(("properties", "note", "anyOf", 0), "maxLength", 4, "/note")],
        ),
        ({"note": 7}, [Violation(("properties", "note"), "anyOf", "integer", "/note")]),
        ({"note": None}, []),
    ],
)
def test_violations(value: object, found: list[Violation]) -> None:
    """References are followed, and of a union the branch that came closest is told."""
    assert violations(SCHEMA, value) == found


def test_only_what_was_found_is_told() -> None:
    """A model may take what its published schema would not."""
    value = {"orders": [], "note": 7}
    assert [one.path for one in violations(SCHEMA, value, {"/note"})] == ["/note"]
    assert violations(SCHEMA, value, frozenset()) == []
