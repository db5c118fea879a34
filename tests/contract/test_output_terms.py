"""What an author may say about results."""

from typing import Any

import pytest

from handrail import ContractError, Tool
from handrail.contract.output_terms import output_faults


def search(query: str, cursor: str = "") -> object:
    """Search."""
    return query + cursor


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"failed_when": {}}, "failed_when={} must be a mapping with something in it"),
        ({"failed_when": "success"}, "failed_when='success' must be a mapping"),
        ({"failed_when": {1: False}}, "must have names for its keys"),
        ({"facts": {"total": "total"}}, "facts: 'total': 'total' is no JSON Pointer"),
        ({"pages": {"next": "/next"}}, "the keys are cursor, argument; cursor must be there"),
        ({"pages": {"cursor": "next"}}, "pages: cursor: 'next' is no JSON Pointer"),
        ({"pages": {"cursor": "/next", "argument": 1}}, "must be the name of an argument"),
        ({"pages": {"cursor": "/n", "argument": "page"}}, "pages names the field 'page'"),
        ({"returns": {"type": "nothing"}}, "returns: not a JSON Schema"),
        ({"returns": 5}, "returns=5 is no type that pydantic can judge"),
    ],
)
def test_a_fault_is_told_at_declaration(terms: dict[str, Any], said: str) -> None:
    """With the name of the keyword."""
    with pytest.raises(ContractError) as raised:
        Tool.from_function(search, **terms)
    assert said in str(raised.value)


def test_every_fault_is_listed() -> None:
    """So that an author mends them in one go."""
    values = {"failed_when": [], "facts": {"a": "a"}, "pages": {"cursor": "a", "argument": None}}
    assert len(output_faults(values)) == 4


def test_what_is_right_has_no_fault() -> None:
    """All of it together."""
    pages = {"cursor": "/next_cursor", "argument": "cursor"}
    assert output_faults({"failed_when": {"ok": False}, "facts": {"n": "/n"}, "pages": pages}) == []
    assert output_faults({}) == []
