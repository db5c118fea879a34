"""The door of ready-made checks: each is a `check_output` of a tool and a `check` of a guard."""

import pytest

from handrail import Toolbox, ToolCall, checks, guard

FOUND = [
    (checks.paged(items="orders", more="has_more", page="page"), "partial_data"),
    (checks.not_empty("orders"), "semantic_garbage"),
    (checks.fresh("made_at", 60), "semantic_garbage"),
    (checks.unit("unit", "celsius"), "semantic_garbage"),
    (checks.echoes_argument("customer_id", "customer_id"), "semantic_garbage"),
]


@pytest.mark.parametrize(("check", "error_class"), FOUND)
def test_checks_work_in_tools_and_in_guards(check: object, error_class: str) -> None:
    """One form for both."""

    def search(customer_id: str, page: int = 2) -> dict:  # type: ignore[type-arg]  # as users do
        """Search."""
        return {"orders": [], "page": 2, "has_more": True, "made_at": 0, "unit": "kelvin"}

    box = Toolbox(name="shop")
    box.tool(search, action_type="read", check_output=check)
    call = ToolCall("c1", "search", {"customer_id": "C-1", "page": 2})
    assert box.turn().answer_sync(call).error_class == error_class
    with guard.turn():
        error = guard(check=check)(search)("C-1").error  # type: ignore[call-overload]  # an object
    assert error is not None
    assert error.error_class == error_class
