"""The rows of a result as candidates."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.candidates import Candidate, candidates_of, chosen, id_in, newest
from handrail.contract.goal import content_words

ROWS = [{"id": "a", "name": " Anna "}, {"id": "b", "title": "Ben", "score": 0.5}]


@pytest.mark.parametrize(
    ("data", "listed"),
    [
        (ROWS, ""),
        ({"contacts": ROWS, "total": 2}, "contacts"),
        ({"result": {"people": ROWS}}, "people"),
        ('[{"id": "a", "name": " Anna "}, {"id": "b", "title": "Ben", "score": 0.5}]', ""),
    ],
)
def test_rows_stand_in_lists(data: object, listed: str) -> None:
    """The result itself, a list inside it, or JSON text."""
    found = candidates_of(data)
    assert [(one.label, one.listed, one.score) for one in found] == [
        ("Anna", listed, None),
        ("Ben", listed, 0.5),
    ]


@pytest.mark.parametrize(
    "data", [None, "{", "plain", {"id": "a"}, ["a"], {"a": {"b": {"c": ROWS}}}]
)
def test_what_is_no_list_of_rows(data: object) -> None:
    """A single object was looked up; what lies too deep is not searched."""
    assert len(candidates_of(data)) == 0 or data == {"a": {"b": {"c": ROWS}}}


@pytest.mark.parametrize(
    ("row", "at"),
    [
        ({"at": "1970-01-01T00:00:10Z"}, 10.0),
        ({"created_at": "1970-01-02"}, 86_400.0),
        ({"updatedAt": 1_700_000_000_000}, 1_700_000_000.0),
        ({"timestamp": 1_700_000_000, "date": "1970-01-01"}, 1_700_000_000.0),
        ({"at": "soon"}, None),
        ({"at": True}, None),
        ({"at": 10**400}, None),
        ({"size": 10}, None),
    ],
)
def test_times(row: dict[str, Any], at: float | None) -> None:
    """ISO text or seconds or milliseconds; the latest of several."""
    assert candidates_of([row])[0].at == at


@pytest.mark.parametrize(
    ("row", "name", "alone", "id"),
    [
        ({"contact_id": "c1"}, "contact_id", False, "c1"),
        ({"contactId": 7}, "contact_id", False, 7),
        ({"contact_id": "c1"}, "contact_ids", False, "c1"),
        ({"id": "c1"}, "contact_id", True, "c1"),
        ({"id": "c1"}, "contact_id", False, None),
        ({"contact_id": True}, "contact_id", True, None),
        ({"contact_id": ""}, "contact_id", True, None),
        ({"place_id": "p1"}, "contact_id", True, None),
    ],
)
def test_ids(row: dict[str, Any], name: str, alone: bool, id: str | int | None) -> None:
    """By the argument's name in any spelling; a plain id only where it can be no other."""
    assert id_in(row, name, alone=alone) == id


def test_which_comes_first() -> None:
    """About the goal, then best scored, then first; for a status the newest."""
    words = content_words("boiler repair")
    old = Candidate({"t": "Boiler ordered"}, at=1.0, score=0.9)
    new = Candidate({"t": "boiler", "notes": ["late"]}, at=2.0, score=0.1)
    other = Candidate({"t": "Dentist"}, at=3.0, score=1.0)
    assert chosen([other, new, old], words) is old
    assert newest([old, new, other], words) is new
    assert newest([old, new, other], frozenset()) is other
    assert newest([other._replace(at=None)], words) is None
    assert chosen([other], words) is other
    assert chosen([], words) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "at", "score", "name", "rows"]), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(JSON, st.text(max_size=20))
def test_any_result_has_rows_or_none(data: object, words: str) -> None:
    """Whatever a tool returns, reading raises nothing, and what is chosen was there."""
    found = candidates_of(data)
    assert chosen(found, content_words(words)) in [*found, None]
    assert newest(found, content_words(words)) in [*found, None]
