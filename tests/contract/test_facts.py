"""Values at pointers."""

import pytest

from handrail.contract.facts import MISSING, at_pointer, facts_of, pointer_fault

VALUE = {"a": [{"b": 1}, {"b/c": None}], "": 2}


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("", VALUE),
        ("/a/0/b", 1),
        ("/a/1/b~1c", None),
        ("/", 2),
        ("/a/2", MISSING),
        ("/a/x", MISSING),
        ("/a/-1", MISSING),
        ("/a/0/b/c", MISSING),
    ],
)
def test_a_pointer_leads_to_a_value_or_nowhere(pointer: str, expected: object) -> None:
    """Null is a value."""
    assert at_pointer(VALUE, pointer) is expected or at_pointer(VALUE, pointer) == expected


def test_facts_that_are_not_there_are_left_out() -> None:
    """Those that are null are facts."""
    assert facts_of(VALUE, {"b": "/a/0/b", "none": "/a/1/b~1c", "lost": "/x"}) == {
        "b": 1,
        "none": None,
    }


def test_a_bad_pointer_is_told_with_its_correction() -> None:
    """At declaration."""
    assert pointer_fault("/a/0") is None
    assert pointer_fault("") is None
    assert pointer_fault("a.b") == "'a.b' is no JSON Pointer: write '/a/b'"
    assert pointer_fault(3) == "3 is not text"
