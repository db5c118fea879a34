"""Python literals as JSON values."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.wire.literals import (
    MAX_LITERAL,
    decoded,
    dict_literal,
    is_json,
    is_nearly_json,
    python_calls,
)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
PLAIN_TEXT = st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES, max_size=3)


@settings(max_examples=100)
@given(PLAIN_TEXT)
def test_what_python_prints_is_read_back(value):
    """A dict's own text is read as that dict, or not at all where an escape is foreign to JSON."""
    assert dict_literal(repr(value)) == value
    arguments = ", ".join(f"{key}={one!r}" for key, one in value.items())
    assert python_calls(f"[f({arguments})]") == [("f", value)]


@pytest.mark.parametrize(
    "raw",
    [
        "{'a': 1, 'a': 2}",
        "{'a'}",
        "{1: 2}",
        "{'a': f()}",
        "{'a': b''}",
        "{'a': (1,)}",
        "{'a': x}",
        r"{'a': '\d'}",
        "{'a': 1j}",
        "{**{}}",
        "[1]",
        "{",
        "{'a': '\0'}",
        "{" * 5000,
    ],
)
def test_what_has_no_one_reading_is_left_alone(raw):
    """Repeated keys, expressions, foreign types and escapes are not read."""
    assert dict_literal(raw) is None


@pytest.mark.parametrize(
    "source",
    ["f(1)", "f(*a)", "f(**a)", "f(a=1, a=2)", "x = f()", "f", "f()()", "[f(), 1]", "", "print(1)"],
)
def test_only_named_arguments_are_calls(source):
    """Positional and unpacked arguments, assignments and other code are no calls."""
    assert python_calls(source) is None


def test_calls_in_several_forms():
    """A call, several, a list, printed or with a module's name."""
    assert python_calls("print(default_api.f(a=true))") == [("f", {"a": True})]
    assert python_calls("f(a=1)\ng.h()") == [("f", {"a": 1}), ("g.h", {})]
    assert python_calls("[f(), g(a=-1)]") == [("f", {}), ("g", {"a": -1})]


def test_json_words_are_read_beside_python_ones():
    """Models mix the two; both have one reading."""
    assert dict_literal("{'a': [true, None, null, False]}") == {"a": [True, None, None, False]}


def test_long_texts_are_not_parsed():
    """A tree of a very long literal would cost too much."""
    assert dict_literal("{'a': '" + "x" * MAX_LITERAL + "'}") is None


def test_json_is_told_from_nearly_json():
    """NaN and duplicate keys pass; a trailing comma is only nearly JSON."""
    assert [is_json(raw) for raw in ('{"a": NaN, "a": 1}', '{"a": 1,}', "[" * 10**5)] == [
        True,
        False,
        False,
    ]
    assert [is_nearly_json(raw) for raw in ('{"a": [",]",],}', "{'a': 1}")] == [True, False]


def test_strings_are_decoded_in_both_styles():
    """What cannot be decoded stays as written."""
    assert [decoded(token) for token in ('"a\\n"', "'it\\'s'", '"\\q"')] == ["a\n", "it's", "\\q"]
