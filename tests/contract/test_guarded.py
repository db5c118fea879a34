"""A result seen from the function's side, and as the dict of seed 001."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from handrail import Status, Tool, ToolError, ToolResult
from handrail.contract.failures import Failure
from handrail.contract.guarded import REPEATED, Guarded, error_of, seed_form
from handrail.contract.output import result_of
from handrail.contract.raised import judge_failure
from handrail.contract.returned import judge_output
from handrail.protocol.limits import identical
from handrail.protocol.results import Facts


class Orders(BaseModel):
    """What the tool promises."""

    orders: list[str]
    has_more: bool = False


SCHEMA = {"type": "object", "properties": {"page": {"type": "integer"}}}


def came(value: object, returns: object = Orders, **terms: Any) -> ToolResult:  # Any: of Terms
    """The result of a tool that returned this."""
    tool = Tool("search", "Search.", None, SCHEMA, returns, **terms)
    return result_of(tool, judge_output(tool, value, {"page": 1}), call_id="")


def test_a_clean_result() -> None:
    """Data, and nothing wrong."""
    guarded = Guarded(result=came('{"orders": ["O-1"]}'))
    assert (guarded.ok, guarded.error, guarded.advice.next) == (True, None, "none")
    assert guarded.data == {"orders": ["O-1"], "has_more": False}
    assert guarded.for_model() == '{"orders":["O-1"],"has_more":false}'


def test_a_partial_result_is_ok_and_says_what_is_missing() -> None:
    """Rows and next arguments."""
    guarded = Guarded(result=came('{"orders": ["O-1"], "has_more": true}'))
    assert guarded.ok
    assert guarded.error == ToolError(
        "partial_data",
        "more_pages",
        "This is not everything: 1 row here.",
        'To go on, call search with exactly: {"page": 2}',
    )
    assert guarded.advice.arguments == {"page": 2}
    assert guarded.data["orders"] == ["O-1"]


def test_a_broken_result_is_not_handed_on() -> None:
    """What came back does not look like data."""
    guarded = Guarded(result=came('{"orders": [{"id"'))
    assert (guarded.ok, guarded.data) == (False, None)
    assert guarded.error is not None
    assert (guarded.error.error_class, guarded.error.code) == (
        "schema_mismatch",
        "truncated_response",
    )
    assert guarded.error.hint is not None
    assert guarded.error.hint.startswith("The same arguments will be cut off again.")


def test_the_first_field_that_does_not_fit_is_named() -> None:
    """One line, as seed 001 has it; the dots are the seed's."""
    error = error_of(came({"orders": ["O-1", 2]}))
    assert error is not None
    assert error.detail.startswith("Field `orders.1`: ")
    assert "\n" not in error.detail
    assert error.hint == (
        "The arguments are not the problem. Do not repeat the call; use another tool or tell "
        "the user."
    )
    root = error_of(came([1]))
    assert root is not None
    assert not root.detail.startswith("Field")


def test_an_author_s_words_are_their_own() -> None:
    """Code, detail and hint as they were given."""
    said = ToolError("semantic_garbage", "old", "it is old", "ask again with refresh=true")
    result = came({"orders": ["O-1"]}, check_output=lambda value, args: said)
    assert error_of(result) == said
    assert seed_form(result) == said.model_dump()


def test_an_author_s_words_win_over_what_is_seen_in_a_well_formed_result() -> None:
    """Also where the structure alone is senseless; but «partial» does not soften that."""
    said = ToolError("semantic_garbage", "odd", "page 1 is empty")
    soft = ToolError("partial_data", "more", "more exist")
    empty = {"orders": [], "has_more": True}
    codes = [came(empty, check_output=lambda v, a, one=one: one).code for one in (said, soft)]
    assert codes == ["odd", "empty_first_page"]


def test_a_check_in_words_has_a_code_too() -> None:
    """The frame is ours."""
    error = error_of(came({"orders": ["O-1"]}, check_output=lambda value, args: "these are old"))
    assert error is not None
    assert (error.code, error.detail) == (
        "semantic",
        "The result of search does not make sense: these are old.",
    )


def test_a_spent_budget_is_spelled_as_the_seed_does_in_its_dict_alone() -> None:
    """Class and code of the contract `handrail/1` elsewhere."""
    spent = identical(Facts("", "search"), 3, came({"orders": ["O-1"]}))
    error = error_of(spent)
    assert error is not None
    assert (error.error_class, error.code) == ("budget_spent", REPEATED)
    assert seed_form(spent)["error_class"] == "schema_mismatch"
    assert seed_form(spent)["code"] == "retry_budget_exceeded"


def test_rows_stand_under_data() -> None:
    """Partial data has the four fields and the payload."""
    form = seed_form(came('{"orders": ["O-1"], "has_more": true}'))
    assert set(form) == {"error_class", "code", "detail", "hint", "data"}
    assert form["data"] == {"orders": ["O-1"], "has_more": True}


def test_a_payload_that_is_no_object_stands_under_data() -> None:
    """A dict was promised."""
    assert seed_form(came("[1, 2]", list[int])) == {"data": [1, 2]}


@pytest.mark.parametrize("code", ["retry_after", "internal", "not_found"])
def test_failures_have_one_line_and_a_hint(code: str) -> None:
    """For every row of a failure."""
    tool = Tool("search", "Search.", None, SCHEMA)
    result = result_of(tool, judge_failure(tool, Failure(code)), call_id="")
    error = error_of(result)
    assert error is not None
    assert error.code == code
    assert error.detail.endswith(".")
    assert error.hint
    assert f"{error.detail} {error.hint}" == result.content


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(JSON | st.text() | st.binary(), st.sampled_from([Orders, None, dict]))
def test_every_result_has_exactly_one_form(value: object, returns: object) -> None:
    """A payload or an error, and the one that agrees with `ok`."""
    result = came(value, returns)
    error, form = error_of(result), seed_form(result)
    assert (error is None) == (result.error_class is None)
    assert isinstance(form, Mapping)
    if error is not None:
        assert form["code"] == error.code
        assert ("data" in form) == (result.status is Status.OK)
        assert "\n" not in error.detail
