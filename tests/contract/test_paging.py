"""What is missing, and the exact arguments that get it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail import Tool
from handrail.contract.paging import (
    More,
    Paged,
    more_of,
    next_arguments,
    rows_of,
    speaks_of_pages,
)

ROWS = [{"id": 1}, {"id": 2}, {"id": 3}]


def paged(pages: dict[str, str] | None = None, **fields: dict[str, Any]) -> Paged:
    """A tool with these arguments beside its query."""
    properties = {"query": {"type": "string"}, **fields}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return Paged(Tool.from_json_schema("search", "Search.", schema).engine, pages)


INTEGER = {"type": "integer"}
STRING = {"type": "string"}
PAGE = paged(page={"type": "integer", "default": 1})
OFFSET = paged(offset=INTEGER, limit=INTEGER)
CURSOR = paged(cursor=STRING)
LIMIT = paged(limit={"type": "integer", "maximum": 50})


@pytest.mark.parametrize(
    ("value", "tool", "arguments", "changed"),
    [
        ({"rows": ROWS, "has_more": True}, PAGE, {}, {"page": 2}),
        ({"rows": ROWS, "has_more": True}, PAGE, {"page": 4}, {"page": 5}),
        ({"rows": ROWS, "has_more": True, "page": 0}, PAGE, {}, {"page": 1}),
        ({"rows": ROWS, "page": 2, "total_pages": 9}, PAGE, {"page": 2}, {"page": 3}),
        ({"rows": ROWS, "next_page": 7, "page": 3}, PAGE, {"page": 3}, {"page": 7}),
        ({"rows": ROWS, "next_cursor": "c2"}, CURSOR, {}, {"cursor": "c2"}),
        ({"rows": ROWS, "nextPageToken": "t"}, paged(pageToken=STRING), {}, {"pageToken": "t"}),
        ({"rows": ROWS, "meta": {"next_cursor": "c2"}}, CURSOR, {"cursor": "c1"}, {"cursor": "c2"}),
        ({"rows": ROWS, "pageInfo": {"hasNextPage": True, "endCursor": "e"}}, paged(after=STRING),
         {}, {"after": "e"}),
        ({"rows": ROWS, "next": "https://a.test/x?query=q&page=3"}, PAGE, {}, {"page": 3}),
        ({"rows": ROWS, "links": {"next": {"href": "/x?cursor=ab"}}}, CURSOR, {}, {"cursor": "ab"}),
        ({"rows": ROWS, "total_count": 47}, OFFSET, {"limit": 3}, {"offset": 3}),
        ({"rows": ROWS, "total": 47, "offset": 6}, OFFSET, {"offset": 6}, {"offset": 9}),
        ({"rows": ROWS, "next_offset": 30, "total": 47}, OFFSET, {}, {"offset": 30}),
        ({"rows": ROWS, "truncated": True}, OFFSET, {}, {"offset": 3}),
        ({"rows": ROWS, "total": 47, "limit": 3}, LIMIT, {"limit": 3}, {"limit": 47}),
        ({"rows": ROWS, "total": 470, "limit": 3}, LIMIT, {"limit": 3}, {"limit": 50}),
        ({"rows": ROWS, "shown": 3, "of": 47}, PAGE, {}, {"page": 2}),
    ],
)  # fmt: skip
def test_the_next_arguments_are_exact(
    value: object, tool: Paged, arguments: dict[str, Any], changed: dict[str, Any]
) -> None:
    """Those of the call, with what the next page needs put in."""
    given = {"query": "q", **arguments}
    more = more_of(value, tool, given, {})
    assert more is not None
    assert next_arguments(more, tool, given) == {**given, **changed}


@pytest.mark.parametrize(
    "value",
    [
        {"rows": ROWS},
        {"rows": ROWS, "has_more": False, "next_cursor": "c2"},
        {"rows": ROWS, "next_cursor": None},
        {"rows": ROWS, "next_cursor": ""},
        {"rows": ROWS, "next": None, "count": 47, "has_more": False},
        {"rows": ROWS, "total_count": 3},
        {"rows": ROWS, "total": 47},
        {"rows": ROWS, "total": 47.5, "page": 1},
        {"items": ROWS, "total": 9900, "currency": "EUR"},
        {"rows": ROWS, "page": 9, "total_pages": 9},
        {"rows": ROWS, "total": 30, "offset": 27, "limit": 3},
        {"rows": ROWS, "total": 30, "page": 10, "per_page": 3},
        {"rows": ROWS, "truncated": False},
        {"rows": ROWS, "pageInfo": {"hasNextPage": False, "endCursor": "e"}},
        {"more": "text"},
        {"page": 1},
        ROWS,
        [],
    ],
)
def test_a_whole_result_is_whole(value: object) -> None:
    """A bill has a total too, and a last page an end."""
    assert more_of(value, PAGE, {"query": "q"}, {}) is None


def test_flags_without_a_way_on_give_no_arguments() -> None:
    """Nothing is invented: not for a tool that cannot be asked, nor one that would refuse."""
    value = {"rows": ROWS, "next_cursor": "c2"}
    more = more_of(value, paged(), {}, {})
    assert more is not None
    assert next_arguments(more, paged(), {"query": "q"}) is None
    strict = paged(cursor=INTEGER)
    assert next_arguments(more, strict, {"query": "q"}) is None
    at_most = more_of({"rows": ROWS, "total": 47, "limit": 3}, LIMIT, {"limit": 50}, {})
    assert at_most is not None
    assert next_arguments(at_most, LIMIT, {"limit": 50}) is None


def test_a_cut_list_is_not_turned_like_a_page() -> None:
    """How much was cut is not known, so that page 2 might leave rows out."""
    more = more_of({"rows": ROWS, "truncated": True}, PAGE, {}, {})
    assert more is not None
    assert more.paged is False
    assert next_arguments(more, PAGE, {"query": "q"}) is None


def test_the_contract_names_where_the_next_page_stands() -> None:
    """Its own pointer and argument, whatever they are called (`pages`)."""
    tool = paged({"cursor": "/paging/weiter", "argument": "ab"}, ab=STRING)
    value = {"rows": ROWS, "paging": {"weiter": "x9"}}
    more = more_of(value, tool, {}, {})
    assert more is not None
    assert (more.cursor, more.shown) == ("x9", 3)
    assert next_arguments(more, tool, {"query": "q"}) == {"query": "q", "ab": "x9"}
    assert more_of({"rows": ROWS, "paging": {"weiter": None}}, tool, {}, {}) is None


def test_headers_and_envelopes_name_it_too() -> None:
    """A Link header (RFC 8288), `nextCursor` of MCP."""
    link = '<https://a.test/x?page=2>; rel="next", <https://a.test/x?page=9>; rel="last"'
    more = more_of(ROWS, PAGE, {}, {"link": link})
    assert more is not None
    assert next_arguments(more, PAGE, {"query": "q"}) == {"query": "q", "page": 2}
    more = more_of(ROWS, CURSOR, {}, {}, "c3")
    assert more is not None
    assert next_arguments(more, CURSOR, {"query": "q"}) == {"query": "q", "cursor": "c3"}


def test_rows_are_found_where_results_keep_them() -> None:
    """The list itself, the only list, a list by its usual name, or one level down."""
    assert rows_of([1]) == [1]
    assert rows_of({"a": [1], "n": 2}) == [1]
    assert rows_of({"items": [1], "tags": []}) == [1]
    assert rows_of({"data": {"orders": [1]}}) == [1]
    assert rows_of({"a": [1], "b": [2]}) is None
    assert rows_of("x") is None


def test_names_are_compared_without_case_and_separators() -> None:
    """As interfaces spell them."""
    assert all(map(speaks_of_pages, ["has_more", "hasMore", "HAS-MORE", "nextCursor", "meta"]))
    assert not any(map(speaks_of_pages, ["id", "orders", "name", "moreover"]))


KEYS = st.sampled_from(
    [
        *("has_more", "next", "next_cursor", "page", "total", "total_count", "offset"),
        *("limit", "rows", "items", "truncated", "meta", "next_page", "next_offset"),
        *("total_pages", "links", "of", "count"),
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 99) | st.text(max_size=5) | st.just("/x?page=%zz"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=9,
)


@given(VALUES, st.dictionaries(st.sampled_from(["query", "page", "cursor"]), VALUES))
def test_next_arguments_always_fit_the_tool(value: object, arguments: dict[str, Any]) -> None:
    """Whatever the result says: what is given can be called, and differs from the call."""
    tool = paged(page=INTEGER, cursor=STRING, offset=INTEGER, limit=INTEGER)
    more = more_of(value, tool, arguments, {})
    given = next_arguments(more, tool, arguments) if more is not None else None
    if given is not None:
        assert given != arguments
        tool.engine.prepare(given)


def test_a_value_of_nothing_has_no_more() -> None:
    """The default is a page without anything known."""
    assert next_arguments(More(), paged(), {}) is None
