"""All of it: which results are a part, how the rest is asked for, limits lifted."""

import json
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from evidence import ANNA, BEN, SEARCH, found
from handrail import Mend, Tool, ToolCall
from handrail.contract.call import Advice
from handrail.protocol.whole import lifted, partial, rest_of

Rows = list[dict[str, Any]]


def bounded(query: str, limit: Annotated[int, Field(le=200)] = 20) -> Rows:
    """Search, 200 at most."""
    return []


def by_page(query: str, page: int = 1, page_size: Annotated[int, Field(lt=51)] = 10) -> Rows:
    """Search by page."""
    return []


def by_offset(query: str, offset: int = 0, max_results: int = 10) -> Rows:
    """Search by offset."""
    return []


BOUNDED = Tool.from_function(bounded)
PAGED = Tool.from_function(by_page)
OFFSET = Tool.from_function(by_offset)


def lift(tool: Tool, arguments: object) -> tuple[Any, tuple[Mend, ...]]:
    """The arguments after lifting, and the mends."""
    call, mends = lifted(tool, ToolCall("c", tool.name, arguments))  # type: ignore[arg-type]  # hostile on purpose
    return call.arguments, mends


def test_a_limit_is_lifted_to_the_greatest_that_is_allowed() -> None:
    """Text stays text, a mapping a mapping; the mend says what was done."""
    assert lift(BOUNDED, {"query": "a", "limit": 5}) == (
        {"query": "a", "limit": 200}, (Mend("limit_lifted", "/limit", 5, 200),),
    )  # fmt: skip
    text, mends = lift(PAGED, '{"query": "a", "page_size": 5}')
    assert json.loads(text) == {"query": "a", "page_size": 50}
    assert mends[0].after == 50


def test_a_limit_that_may_be_left_out_is() -> None:
    """Where nothing stands by default, nothing limits."""
    assert lift(SEARCH, {"query": "a", "limit": 5}) == (
        {"query": "a"}, (Mend("limit_lifted", "/limit", 5, None),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (OFFSET, {"query": "a", "max_results": 5}),
        (BOUNDED, {"query": "a", "limit": 200}),
        (BOUNDED, {"query": "a"}),
        (BOUNDED, {"query": "limit"}),
        (BOUNDED, {"query": "a", "limit": True}),
        (BOUNDED, {"query": "a", "limit": "5"}),
        (BOUNDED, '{"query": "a", "limit": 5'),
        (BOUNDED, None),
        (Tool.from_function(bounded, name="w", action_type="write"), {"query": "a", "limit": 5}),
    ],
)
def test_what_is_left_alone(tool: Tool, arguments: object) -> None:
    """No known end, no limit given, not a read, not readable."""
    assert lift(tool, arguments) == (arguments, ())


def test_what_fills_its_limit_is_a_part() -> None:
    """Nothing says that it is the whole; the schema's own default counts too."""
    assert partial([found(SEARCH, [ANNA, BEN], {"query": "a", "limit": 2})]) is not None
    assert partial([found(SEARCH, [ANNA], {"query": "a", "limit": 2})]) is None
    assert partial([found(OFFSET, [ANNA] * 10, {"query": "a"})]) is not None
    assert partial([found(SEARCH, ["a", "b"], {"query": "a", "limit": 2})]) is not None
    assert partial([found(SEARCH, [ANNA], {"query": "a"}, complete=False)]) is not None
    assert partial([found(SEARCH, [ANNA], {"query": "a"}, error_class="partial_data")]) is not None
    assert partial([]) is None


def test_the_last_page_makes_it_whole() -> None:
    """The same question, whatever page or limit it was asked with."""
    first = found(PAGED, [ANNA] * 10, {"query": "a"})
    last = found(PAGED, [BEN], {"query": "a", "page": 2}, step=2)
    other = found(PAGED, [BEN], {"query": "b", "page": 2}, step=2)
    assert partial([first, last]) is None
    assert partial([first, other]) is first


def test_how_the_rest_is_asked_for() -> None:
    """As the result says; else the next page, the next offset, a greater limit; else unknown."""
    told = found(SEARCH, [ANNA], advice=Advice("retry_changed", {"cursor": "x"}))
    assert rest_of(told) == Advice("retry_changed", {"cursor": "x"}, "search_contacts")
    paged = rest_of(found(PAGED, [ANNA] * 10, {"query": "a", "page": 2}))
    assert paged.arguments == {"query": "a", "page": 3}
    offset = rest_of(found(OFFSET, [ANNA] * 10, {"query": "a"}))
    assert offset.arguments == {"query": "a", "offset": 10}
    assert rest_of(found(BOUNDED, [ANNA], {"query": "a", "limit": 1})).arguments == {
        "query": "a", "limit": 200,
    }  # fmt: skip
    assert rest_of(found(BOUNDED, [ANNA], {"query": "a", "limit": 200})).arguments is None
    assert rest_of(found(SEARCH, [ANNA], {"query": "a", "limit": 3})).arguments == {
        "query": "a", "limit": 30,
    }  # fmt: skip


@given(st.text(max_size=12), st.integers(-300, 300))
def test_lifting_never_lowers(query: str, limit: int) -> None:
    """And what is lifted passes the contract wherever the call itself did."""
    arguments, mends = lift(BOUNDED, {"query": query, "limit": limit})
    assert arguments["limit"] >= limit
    assert bool(mends) == (limit < 200)
