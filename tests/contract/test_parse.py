"""Reading arguments: what is JSON, what is broken, and what was cut off."""

import json
from collections import UserDict
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.parse import MAX_BYTES, MAX_DEPTH, parse

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(TEXT, JSON, max_size=4)


@given(OBJECTS, st.booleans())
def test_every_object_is_read_back(value: dict[str, Any], plain: bool) -> None:
    """Any JSON object comes back equal, as text, bytes and mapping."""
    text = json.dumps(value, ensure_ascii=plain)
    assert parse(text).value == parse(text.encode()).value == parse(value).value == value
    assert json.loads(parse(value).text) == value


@given(OBJECTS, st.data())
def test_every_cut_is_told_as_a_cut(value: dict[str, Any], data: st.DataObject) -> None:
    """A text that ends before its last bracket was cut off, with its length in the message."""
    text = json.dumps(value)
    length = data.draw(st.integers(1, len(text) - 1))
    parsed = parse(text[:length])
    assert (parsed.kind, parsed.value) == ("truncated", None)
    assert parsed.issues[0].message == f"Arguments were cut off after {length} characters"


@given(st.text() | st.binary() | st.none() | st.integers() | st.lists(st.integers()))
def test_nothing_escapes(arguments: object) -> None:
    """Whatever was sent, there is an object or exactly one issue."""
    parsed = parse(arguments)
    assert (parsed.value is None) == (len(parsed.issues) == 1)


@pytest.mark.parametrize("nothing", ["", " \n", "null", " null ", None, b"", {}])
def test_nothing_is_an_empty_object(nothing: object) -> None:
    """No arguments are no fault."""
    assert parse(nothing).value == {}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ('{"a":1,"a":2}', "duplicate key 'a'"),
        ('{"x":{"b":1,"b":1}}', "duplicate key 'b'"),
        ('{"a":NaN}', "NaN is not a JSON number"),
        ('{"a":-Infinity}', "-Infinity is not a JSON number"),
        ('{"a":1e999}', "a number is too large"),
        ('{"a":' + "1" * 309 + "}", "an integer has too many digits, line 1:6"),
        ('{"a":"\\ud800"}', "lone surrogate, line 1:13"),
        ('{\n"a":"\ud800"}', "lone surrogate, line 2:6"),
        ('{"a":1}x', "text after the object, line 1:8"),
        ('{"a":1,}', "trailing comma, line 1:8"),
        ("{a:1}", "key must be a string, line 1:2"),
        ("[1]", "expected an object, got array"),
        ('"x"', "expected an object, got string"),
        (b"\xff", "not UTF-8 at byte 0"),
        ({"a": {1}}, "a set is not a JSON value, at /a"),
        ({"a": [date(2026, 5, 3)]}, "a date is not a JSON value, at /a/0"),
        ({"a": float("nan")}, "nan is not a JSON number, at /a"),
        ({"a": {1: 2}}, "a key at /a is not a string"),
    ],
)
def test_broken(arguments: object, problem: str) -> None:
    """Each fault has its words and, where known, its place."""
    parsed = parse(arguments)
    assert (parsed.kind, parsed.issues[0].code) == ("broken", "VAL-004")
    assert parsed.issues[0].message == f"Invalid JSON: {problem}"


@pytest.mark.parametrize(("depth", "fits"), [(MAX_DEPTH, True), (MAX_DEPTH + 1, False)])
def test_depth(depth: int, fits: bool) -> None:
    """64 containers inside each other are read, 65 are not, as text and as a mapping."""
    value: dict[str, Any] = {}
    for _ in range(depth - 1):
        value = {"a": value}
    assert (parse(json.dumps(value)).value is not None) == fits
    assert (parse(value).value is not None) == fits


def test_brackets_in_strings_are_no_depth() -> None:
    """Only structure counts."""
    assert parse(json.dumps({"a": "[" * 200})).kind == "object"
    assert parse('{"a":' + '["' * 100_000).kind == "broken"


@pytest.mark.parametrize("letter", ["x", "é"])
def test_size(letter: str) -> None:
    """One byte over 1 MiB in UTF-8 is too much."""
    room = (MAX_BYTES - len('{"a":""}')) // len(letter.encode())
    assert parse('{"a":"' + letter * room + '"}').kind == "object"
    assert parse('{"a":"' + letter * (room + 1) + '"}').kind == "broken"


def test_long_digits_in_a_string_are_fine() -> None:
    """Only numbers are limited, and up to 308 digits they are read."""
    assert parse('{"a":"' + "7" * 2000 + '"}').kind == "object"
    assert parse('{"a":' + "7" * 308 + "}").value == {"a": int("7" * 308)}


def test_a_circle_ends() -> None:
    """A mapping that holds itself is too deep, not an endless loop."""
    circle: dict[str, Any] = {}
    circle["a"] = circle
    assert parse(circle).kind == "broken"


def test_a_mapping_is_copied() -> None:
    """Later changes by the owner change nothing; other mappings and tuples are plain."""
    owned = UserDict({"a": (1, {"b": 2})})
    parsed = parse(owned)
    owned["a"] = 5
    assert parsed.value == {"a": [1, {"b": 2}]}
