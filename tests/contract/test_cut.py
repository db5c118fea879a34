"""Where JSON was cut off, and what only looks like it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.cut import cut_in, known_limit

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"orders": [{"id": "O-1", "total"', "/orders/0/total"),
        ('{"orders": [{"id": "O-1"}, {"id": "O-', "/orders/1/id"),
        ('{"a": 1, "b": {"c": [1, 2', "/b/c/1"),
        ('{"a": 1, "b": {"c": [1, 2,', "/b/c/2"),
        ('{"a": "x\\"y', "/a"),
        ('[{"a": 1}, {"a"', "/1/a"),
        ('{"a/b": {"~": "cut', "/a~1b/~0"),
        ('\ufeff  {"a": [1,', "/a/1"),
    ],
)
def test_the_field_that_was_cut_is_named(text: str, path: str) -> None:
    """As a pointer, whatever stands around the JSON."""
    cut = cut_in(text, declared=False)
    assert cut is not None
    assert (cut.path, cut.length) == (path, len(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "{",
        "[1",
        "[INFO] server started",
        "[2024-05-03 10:00] up",
        "{name} is not here",
        "{'a': 1}",
        "[x] done",
        "[see below",
        "Speed test failed: No Connection.",
        '{"a": 1}',
        '{"a": 1}\n{"a": 2',
        '{"a": 1} and more',
        "{ a: 1",
        '"a string',
        "12",
    ],
)
def test_plain_text_is_never_a_cut_one(text: str) -> None:
    """Undeclared text must begin as JSON that has something in it."""
    assert cut_in(text, declared=False) is None


def test_declared_json_may_be_cut_after_its_bracket() -> None:
    """There is nothing else that a lone bracket could be."""
    assert cut_in("[", declared=True) is not None
    assert cut_in("{", declared=True) is not None
    assert cut_in("text", declared=True) is None


@pytest.mark.parametrize(
    ("length", "limit"),
    [(4000, 4000), (4096, 4096), (4095, 4096), (1023, 1024), (4001, None), (99, None)],
)
def test_a_usual_limit_of_size_is_known(length: int, limit: int | None) -> None:
    """Thousands and powers of two."""
    assert known_limit("x" * length) == limit


def test_bytes_count_too() -> None:
    """A gateway counts bytes."""
    assert known_limit("\u20ac" * 1365) == 4096


@given(VALUES, st.data())
def test_a_beginning_of_json_is_cut_or_whole(value: object, data: st.DataObject) -> None:
    """Declared, every proper beginning of an object or array is found, with a pointer into it."""
    text = json.dumps(value)
    short = text[: data.draw(st.integers(0, len(text)))].strip()
    cut = cut_in(short, declared=True)
    if short[:1] not in ("{", "[") or short == text:
        assert cut is None
    else:
        assert cut is not None
        assert cut.path == "" or cut.path.startswith("/")
