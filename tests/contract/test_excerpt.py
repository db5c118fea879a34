"""Pages of what is too big: as long as fits, and with the place of the next."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.excerpt import content_of, excerpt, part_at
from handrail.contract.tokens import count_tokens

Json = Any  # Any: JSON value


def pages(part: Json, budget: int, what: str) -> list[Json]:
    """Every page, read one after the other as each says."""
    found, start = [], 0
    while True:
        page = excerpt(part, budget, start=start, counter=None)
        found.append(page[what])
        assert page["total"] == len(part)
        if "next" not in page:
            return found
        assert page["next"] == start + page["count"] > start
        start = page["next"]


@given(rows=st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=60)), max_size=40))
def test_the_pages_of_a_list_are_the_list(rows: Json) -> None:
    """Nothing is lost and nothing comes twice."""
    assert [row for page in pages(rows, 120, "items") for row in page] == rows


@given(text=st.text(st.sampled_from('ab\n"é\u0301👨\u200d👩🇩🇪'), max_size=900))
def test_the_pages_of_a_text_are_the_text(text: str) -> None:
    """Each within its budget."""
    read = pages(text, 100, "text")
    assert "".join(read) == text
    assert all(count_tokens(json.dumps(page, ensure_ascii=False)) <= 100 for page in read)


def test_the_pages_of_an_object_are_its_fields() -> None:
    """In their order."""
    value = {f"key {n}": "x" * 50 for n in range(30)}
    found: dict[str, Json] = {}
    for page in pages(value, 120, "fields"):
        found |= page
    assert list(found.items()) == list(value.items())


def test_count_is_an_upper_end() -> None:
    """Fewer where not so many fit."""
    assert excerpt([1, 2, 3, 4], 500, start=1, count=2, counter=None) == {
        "items": [2, 3],
        "start": 1,
        "count": 2,
        "total": 4,
        "next": 3,
    }
    assert excerpt(["x" * 400] * 9, 240, count=9, counter=None)["count"] == 1


def test_a_single_value_is_given_as_it_is() -> None:
    """There is nothing to page through."""
    assert excerpt(7, 100, counter=None) == {"value": 7}


@pytest.mark.parametrize(
    ("path", "part"),
    [("", {"a": [{"b/c": 1}]}), ("/a/0", {"b/c": 1}), ("/a/0/b~1c", 1)],
)
def test_a_pointer_leads_to_a_part(path: str, part: Json) -> None:
    """RFC 6901."""
    assert part_at({"a": [{"b/c": 1}]}, path) == part


@pytest.mark.parametrize("path", ["a", "/b", "/a/1", "/a/-1", "/a/x", "/a/0/b~1c/d"])
def test_a_pointer_to_nothing_is_told(path: str) -> None:
    """As an exception that names it."""
    with pytest.raises(LookupError):
        part_at({"a": [{"b/c": 1}]}, path)


@pytest.mark.parametrize(
    ("text", "value"), [('{"a":1}', {"a": 1}), (" [1]", [1]), ("{broken", "{broken"), ("7", "7")]
)
def test_only_objects_and_lists_are_read_as_json(text: str, value: Json) -> None:
    """Everything else is a text."""
    assert content_of(text) == value
