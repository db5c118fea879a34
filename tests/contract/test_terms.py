"""What an author may say beside the parameters."""

import functools
from typing import Any

import pytest

from handrail.contract.terms import (
    LISTS,
    TERM_DEFAULTS,
    is_async,
    items_of,
    stated_faults,
    unknown_terms,
)


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
