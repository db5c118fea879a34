"""A structured error as a value, an exception, and what others carry."""

import pickle
from dataclasses import dataclass

import pytest
from pydantic import BaseModel

from handrail import ToolError
from handrail.contract.tool_error import tool_error_of

GARBAGE = ToolError("semantic_garbage", "empty_result", "no rows", "broaden the search")


def test_it_is_made_and_dumped_as_in_the_article() -> None:
    """Keywords and `model_dump`, and a hint that may be left out (seed 001)."""
    made = ToolError(error_class="schema_mismatch", code="retry_budget_exceeded")
    assert made.model_dump() == {
        "error_class": "schema_mismatch",
        "code": "retry_budget_exceeded",
        "detail": "",
        "hint": None,
    }


def test_it_is_a_frozen_value() -> None:
    """Equal by its fields, hashable, unchangeable, and it can be pickled."""
    same = ToolError("semantic_garbage", "empty_result", "no rows", "broaden the search")
    assert (same == GARBAGE, hash(GARBAGE) == hash(same)) == (True, True)
    assert ToolError("tool_failed", "x") != GARBAGE
    assert GARBAGE != "semantic_garbage"
    with pytest.raises(AttributeError, match="frozen"):
        GARBAGE.code = "other"
    with pytest.raises(AttributeError, match="frozen"):
        del GARBAGE.code
    assert pickle.loads(pickle.dumps(GARBAGE)) == GARBAGE
    assert repr(GARBAGE).startswith("ToolError(error_class='semantic_garbage', code=")
    assert str(GARBAGE) == "semantic_garbage/empty_result: no rows"


def test_it_can_be_raised() -> None:
    """With its traceback, though its fields are frozen."""
    with pytest.raises(ToolError) as raised:
        raise GARBAGE
    assert raised.value is GARBAGE
    assert raised.value.__traceback__ is not None


class Seeds(BaseModel):
    """As the article declares it."""

    error_class: str
    code: str
    detail: str
    hint: str | None


class Refused(Exception):
    """An author's own exception that carries one."""

    def __init__(self, tool_error: object) -> None:
        super().__init__("refused")
        self.tool_error = tool_error


@dataclass
class Other:
    """Four fields under another name."""

    error_class: str = "tool_failed"
    code: str = "x"
    detail: str = ""
    hint: str | None = None


def test_what_carries_one_is_read_as_one() -> None:
    """An exception by its first argument or its attribute, a class of the article's name."""
    own = type("ToolError", (Seeds,), {})(**GARBAGE.model_dump())
    for value in (GARBAGE, ValueError(GARBAGE), Refused(GARBAGE), Refused(own), own):
        assert tool_error_of(value) == GARBAGE


@pytest.mark.parametrize(
    "value",
    [None, "x", ValueError("x"), ValueError(), Refused(None), Other(), KeyError(KeyError())],
)
def test_anything_else_is_none(value: object) -> None:
    """Four fields alone do not make one."""
    assert tool_error_of(value) is None
