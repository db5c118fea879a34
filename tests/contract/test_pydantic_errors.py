"""From pydantic's loc to a place in the arguments."""

import json
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, HttpUrl, ValidationError
from pydantic_core import PydanticCustomError

from handrail.contract.issue import join_pointer
from handrail.contract.published import publish
from handrail.contract.pydantic_errors import (
    explained_branches,
    is_authors,
    issue_for,
    located,
    schema_at,
    touching,
)


def _odd(value: int) -> int:
    if value % 2 == 0:
        raise PydanticCustomError("odd_type", "{what} must be odd", {"what": "it"})
    return value


class Leaf(BaseModel):
    x: int


class Tree(BaseModel):
    either: Leaf | list[Leaf] | None = None
    table: dict[str, Leaf | int] = {}
    keyed: dict[int, int] = {}
    link: HttpUrl | int | None = None
    odd: Annotated[int, AfterValidator(_odd)] = 1


def errors_of(value: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Pointer and detail of each error of a strict reading."""
    with pytest.raises(ValidationError) as caught:
        Tree.__pydantic_validator__.validate_json(json.dumps(value), strict=True)
    return located(caught.value, value, publish(Tree).schema)


@pytest.mark.parametrize(
    ("value", "pointers"),
    [
        ({"either": {"x": "1"}}, {"/either/x", "/either"}),
        ({"either": [{"x": 1}, {}]}, {"/either", "/either/1/x"}),
        ({"table": {"int": "s"}}, {"/table/int"}),
        ({"table": {"Leaf": {"x": "s"}}}, {"/table/Leaf/x", "/table/Leaf"}),
        ({"keyed": {"a/b": 1}}, {"/keyed/a~1b"}),
        ({"odd": 2}, {"/odd"}),
    ],
)
def test_locate(value: dict[str, Any], pointers: set[str]) -> None:
    """Branches, tags and ``[key]`` are no part of a place, even when a field is named so."""
    assert {join_pointer(path) for path, _ in errors_of(value)} == pointers


def test_only_the_closest_branch_is_told() -> None:
    """Of a union that the schema cannot explain, one branch remains."""
    found = errors_of({"link": "ftp://example.com"})
    kept = explained_branches(found, lambda path: False)
    assert [detail["type"] for _, detail in kept] == ["url_scheme"]
    assert explained_branches(found, lambda path: True) == []


def test_an_authors_own_error_type_is_his_text() -> None:
    """A custom type is the author's, whatever its name ends with; pydantic's own are not."""
    path, detail = errors_of({"odd": 2})[0]
    issue = issue_for(path, detail, publish(Tree).schema, {"odd": 2})
    assert is_authors(detail)
    assert (issue.code, issue.message, issue.actual) == ("VAL-015", "it must be odd", "2")
    assert not is_authors({"type": "int_type"})


@given(st.lists(st.lists(st.sampled_from("ab0")).map(tuple)), st.lists(st.sampled_from("ab0")))
def test_touching_places(places: list[tuple[str, ...]], path: list[str]) -> None:
    """A place touches itself, what is around it and what is inside it."""
    pairs = [(place, tuple(path)) for place in places]
    shared = [(one[: len(other)], other[: len(one)]) for one, other in pairs]
    assert touching(places)(tuple(path)) is any(one == other for one, other in shared)


def test_schema_of_a_place() -> None:
    """References, unions and items are followed; an unknown place has no schema."""
    root = publish(Tree).schema
    assert schema_at(root, ("either", 1, "x")) == {"type": "integer"}
    assert schema_at(root, ("table", "any", "x")) == {"type": "integer"}
    assert schema_at(root, ("nowhere",)) == {}
