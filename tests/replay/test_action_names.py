"""What a name suggests."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.tool import Tool
from handrail.replay.action_names import terms_by_name

WRITE = {"action_type": "write"}
AGAIN = {"action_type": "write", "repeatable": True}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("get_order", {}),
        ("get_return_policy", {}),
        ("orders.list", {}),
        ("updateOrder", WRITE),
        ("cancel_reservation", WRITE),
        ("mcp__shop__send-mail", WRITE),
        ("HTTPDelete", WRITE),
        ("toggle_roaming", AGAIN),
        ("reset_apn_settings", AGAIN),
        ("check_network", {"poll": True}),
        ("get_flight_status", {"poll": True}),
        ("order_status", {"poll": True}),
        ("think", {"poll": True}),
        ("weather", {}),
        ("", {}),
    ],
)
def test_first_known_verb_decides(name: str, expected: dict[str, Any]) -> None:  # Any: terms
    """In any spelling; what has none reads."""
    assert dict(terms_by_name(name)) == expected


@given(st.text(max_size=40))
def test_suggested_terms_make_a_tool(name: str) -> None:
    """Whatever a log calls a tool."""
    tool = Tool.from_json_schema("t", "d", {"type": "object"}, **terms_by_name(name))
    assert tool.action_type in ("read", "write")
