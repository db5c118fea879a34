"""Where brackets close."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.wire.spans import BROKEN, CUT, closing, members

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=10,
)


@settings(max_examples=100)
@given(st.dictionaries(st.text(max_size=4), JSON, max_size=4), st.text(max_size=10))
def test_an_object_ends_where_json_says(value, behind):
    """The end of any object, and the text of each of its values, is found."""
    raw = json.dumps(value)
    found = members(raw + behind, 0)
    assert closing(raw + behind, 0) == found.end == len(raw)
    read = {json.loads(key): json.loads(raw[start:end]) for key, start, end in found.entries}
    assert read == value


@settings(max_examples=100)
@given(st.dictionaries(st.text(max_size=4), JSON, min_size=1, max_size=3), st.data())
def test_a_cut_object_is_cut(value, data):
    """Every beginning of an object is known to be cut."""
    raw = json.dumps(value)
    begun = raw[: data.draw(st.integers(1, len(raw) - 1))]
    assert closing(begun, 0) == CUT
    assert members(begun, 0).end == CUT


def test_what_does_not_match_is_broken():
    """Mismatched brackets and keys that are no strings are broken."""
    assert closing("{]", 0) == BROKEN
    assert members("{a: 1}", 0).end == BROKEN
    assert members('{"a" 1}', 0).end == BROKEN
    assert members('{"a": [}]}', 0).end == BROKEN


def test_the_open_value_is_named():
    """A cut object says which value the text ends in."""
    found = members('{"a": 1, "b": {"c": "', 0)
    assert (found.open_key, found.open_at) == ('"b"', 14)


def test_both_quote_styles_are_strings():
    """Brackets inside either kind of string do not count."""
    text = """{'a': "}'", "b": '}"'} tail"""
    assert closing(text, 0) == members(text, 0).end == len(text) - len(" tail")
