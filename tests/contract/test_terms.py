"""What an author may say beside the parameters."""

import functools
import inspect
from typing import Any

import pytest
from pydantic import create_model

from handrail.contract.terms import (
    LISTS,
    TERM_DEFAULTS,
    is_async,
    items_of,
    stated_faults,
    uncallable,
    unknown_terms,
)
from handrail.contract.tool import Tool
from handrail.errors import ContractError


def stated(**changes: object) -> dict[str, Any]:  # Any: values of any type
    """A whole set of terms with some changed."""
    return {**TERM_DEFAULTS, "name": "read", "description": "Read.", "handler": None, **changes}


async def waiting() -> None:
    """An async function."""


class Waits:
    """A callable object that must be awaited."""

    async def __call__(self) -> None:
        return None


def test_the_defaults_are_in_order() -> None:
    """An author who says nothing makes no mistake."""
    assert stated_faults(stated()) == []


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"name": "no spaces"}, "name"),
        ({"action_type": "wipe"}, "action_type"),
        ({"empty": "never"}, "empty"),
        ({"attempts": 11}, "attempts"),
        ({"mend": 9}, "mend"),
        ({"max_identical": 0}, "max_identical"),
        ({"timeout_s": -1}, "timeout_s"),
        ({"ids": {"a": "("}}, "id pattern of 'a'"),
        ({"check_input": "not a function"}, "check_input"),
    ],
)
def test_each_fault_names_its_keyword(changes: dict[str, object], word: str) -> None:
    """One fault, which names the thing."""
    (fault,) = stated_faults(stated(**changes))
    assert word in fault


def test_unknown_keywords_are_named_with_the_known_ones() -> None:
    """A typing mistake shows the list."""
    (fault,) = unknown_terms({"atempts": 3})
    assert "'atempts'" in fault
    assert "attempts" in fault


def test_what_must_be_awaited_is_seen_through_wrappers() -> None:
    """Functions, partials and callable objects."""
    assert [is_async(one) for one in (waiting, functools.partial(waiting), Waits(), len, None)] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_lists_are_copied() -> None:
    """An author's own list may change later."""
    given = ["create:note"]
    kept = items_of(given)
    given.append("x")
    assert kept == ("create:note",)
    assert "effects" in LISTS


class Shop:
    def look(self, order: str) -> str:
        """Look."""
        return order

    @staticmethod
    def free(order: str) -> str:
        """Look."""
        return order


def before(order: str, /, page: int) -> str:
    """Look."""
    return order * page


@pytest.mark.parametrize(
    ("handler", "expected"),
    [
        (Shop().look, []),
        (Shop.free, []),
        (Shop.look, ["Shop.look belongs to no object, so nothing fills 'self': "
                     "give the method of an object, such as Shop(...).look"]),
        (before, ["parameter 'order' is positional-only, and a call names what it gives: "
                  "remove the '/', or give a function without it that calls this one"]),
    ],
)  # fmt: skip
def test_parameters_that_no_keyword_fills(handler: Any, expected: list[str]) -> None:
    """Each says what to do about it, however the parameters are declared."""
    assert uncallable(handler, inspect.signature(handler).parameters) == expected
    fields = (
        {"order": (str, ...), "page": (int, ...)} if handler is before else {"order": (str, ...)}
    )
    model = create_model("Fields", **fields)  # type: ignore[call-overload]
    for declare in (
        lambda: Tool.from_function(handler),
        lambda: Tool("look", "Look.", handler, model),
        lambda: Tool("look", "Look.", handler, {"type": "object", "properties": {"order": {}}}),
    ):
        if not expected:
            assert declare().handler is handler
            continue
        with pytest.raises(ContractError) as caught:
            declare()
        assert list(caught.value.faults) == expected
