"""One way into every table of functions."""

from typing import Any

import pytest

from handrail.chat import ActionResult, NoParams
from handrail.errors import ContractError
from handrail.sdk.blame import Place
from handrail.sdk.collecting import collecting
from handrail.sdk.function import Declaration, Function
from handrail.sdk.registry import register


async def handler(ctx: Any, params: NoParams) -> ActionResult[Any]:
    """Does nothing."""
    return ActionResult.success()


def entered(table: dict[str, Function], **keywords: Any) -> None:
    """Register a function."""
    declared = Declaration(**{"name": "f", "description": "Does nothing.", "terms": {}} | keywords)
    place = Place("a.py", 1)
    register(table, declared, handler, app_id="a", place=place, context=lambda context: context)


def test_refused_function_does_not_enter() -> None:
    """It raises."""
    table: dict[str, Function] = {}
    with pytest.raises(ContractError):
        entered(table, action_type="x")
    assert table == {}


def test_refused_function_is_known_while_collecting() -> None:
    """Without a contract, but with what was declared of it."""
    table: dict[str, Function] = {}
    with collecting() as refusals:
        entered(table, action_type="x")
    assert (table["f"].tool, table["f"].declared.action_type) == (None, "x")
    assert [one.name for one in refusals] == ["f"]


def test_duplicate_leaves_the_first_in_its_place() -> None:
    """While collecting too."""
    table: dict[str, Function] = {}
    entered(table)
    first = table["f"]
    with collecting() as refusals:
        entered(table, description="Another one.")
    assert table["f"] is first
    assert refusals[0].faults == ("there is a function named 'f' already",)
