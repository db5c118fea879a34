"""Reading arguments: what is JSON, what is broken, and what was cut off."""

import json
from collections import UserDict
from datetime import date
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.parse import MAX_BYTES, MAX_DEPTH, parse

LONG_KIND = f"a {'C' * 37}... is not a JSON value, at /a/b/c/1"
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
    (issue,) = parsed.issues
    assert issue.message == f"Arguments were cut off after {length} characters"
    assert (issue.code, issue.path, issue.expected) == ("VAL-011", "", "a complete JSON object")
    assert issue.hint == "send the complete arguments again, shorter if they were too long"


@given(st.text() | st.binary() | st.none() | st.integers() | st.lists(st.integers()))
def test_nothing_escapes(arguments: object) -> None:
    """Whatever was sent, there is an object or exactly one issue."""
    parsed = parse(arguments)
    assert (parsed.value is None) == (len(parsed.issues) == 1)


@pytest.mark.parametrize("nothing", ["", " \n", "null", " null ", None, b"", {}])
def test_nothing_is_an_empty_object(nothing: object) -> None:
    """No arguments are no fault."""
    parsed = parse(nothing)
    assert (parsed.value, parsed.text, parsed.issues) == ({}, "{}", ())
    assert parsed.kind == ("object" if nothing == {} else "empty")


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
        ({1: 2}, "a key at (root) is not a string"),
        ({"a": "\ud800"}, "lone surrogate at /a"),
        ({"a": {"b": 2**1023}}, "an integer has too many digits at /a/b"),
        (UserDict({"a": {"b": {"c": [0, type("C" * 50, (), {})()]}}}), LONG_KIND),
        ('{"b":1,"a":1,"a":2}', "duplicate key 'a'"),
        ("1" * 309, "an integer has too many digits, line 1:1"),
        ('{"a":' + "[" * 70 + "]" * 70 + "}", "nested deeper than 64, line 1:69"),
        ("\n\ud800\n", "lone surrogate, line 2:1"),
        ('{"a":1}X', "text after the object, line 1:8"),
        ('{"a":1}\u00a0', "text after the object, line 1:8"),
        (b"a\xff", "not UTF-8 at byte 1"),
        ("12", "expected an object, got number"),
        ("true", "expected an object, got boolean"),
        ("1.5", "expected an object, got number"),
        (12, "expected an object, got number"),
        (True, "expected an object, got boolean"),
        ((1,), "expected an object, got array"),
        (type("C" * 50, (), {})(), f"expected an object, got {'C' * 37}..."),
    ],
)
def test_broken(arguments: object, problem: str) -> None:
    """Each fault has its words and, where known, its place."""
    parsed = parse(arguments)
    (issue,) = parsed.issues
    assert (parsed.kind, issue.code, parsed.value) == ("broken", "VAL-004", None)
    assert issue.message == f"Invalid JSON: {problem}"
    assert issue.expected == "a JSON object"
    assert issue.hint == "send the arguments as one valid JSON object"


@pytest.mark.parametrize(
    ("arguments", "path", "text"),
    [
        ('{"a":}', "", '{"a":}'),
        ('{"a":1,"a":1}', "", '{"a":1,"a":1}'),
        (b"a\xff", "", "a\ufffd"),
        (5, "", ""),
        ({"a": {1}}, "/a", ""),
        ({"a": {1: 2}}, "/a", ""),
        ({"a": ["\ud800"]}, "/a/0", ""),
        ({"a": 2**1023}, "/a", ""),
        ({"a": float("inf")}, "/a", ""),
    ],
)
def test_what_is_broken_stays_as_it_was_sent(arguments: object, path: str, text: str) -> None:
    """Its text is kept for the host; the issue points to the place in a mapping."""
    parsed = parse(arguments)
    assert (parsed.issues[0].path, parsed.text) == (path, text)


class Sour(UserDict[str, object]):
    """A mapping that cannot be read."""

    def items(self) -> NoReturn:  # type: ignore[override]  # on purpose
        raise RuntimeError("no")


def test_a_mapping_that_raises_is_no_object() -> None:
    """A host's own class may do anything."""
    parsed = parse(Sour(a=1))
    assert parsed.issues[0].message == "Invalid JSON: the object cannot be read"
    assert (parsed.issues[0].path, parsed.text) == ("", "")


class Text(str):
    """A text of the host's own class."""


def test_a_mapping_becomes_plain_and_compact_json() -> None:
    """Plain types all the way down, and a text that an engine can read."""
    parsed = parse({Text("a"): [1, 2**1023 - 1, Text("é"), None]})
    assert parsed.text == f'{{"a":[1,{2**1023 - 1},"é",null]}}'
    assert parsed.value == {"a": [1, 2**1023 - 1, "é", None]}
    (key,) = parsed.value
    assert (type(key), type(parsed.value["a"][2])) == (str, str)


def test_white_space_may_stand_around_an_object() -> None:
    """That of JSON."""
    assert parse('\n\t {"a": 1} \r\n').value == {"a": 1}
    assert parse('{"a": 1} \r\n\t').value == {"a": 1}


HALF = r'{"a":"\ud83d'


@pytest.mark.parametrize("rest", ["", "\\", r"\u", r"\ude", r"\uDE0"])
def test_a_cut_inside_a_pair_of_escapes_is_a_cut(rest: str) -> None:
    """In small and in capital digits."""
    assert parse(HALF + rest).kind == "truncated"
    assert parse(HALF.replace("d83d", "D83D") + rest).kind == "truncated"


@pytest.mark.parametrize("text", [HALF + '" x', HALF + 'x",}', '{a:"' + r"\ud83d"])
def test_half_a_pair_of_escapes_is_no_cut(text: str) -> None:
    """Where something else follows, or something else is wrong."""
    assert parse(text).kind == "broken"


def test_depth_is_counted_on_the_way_down_and_up() -> None:
    """Siblings do not add up, and do not hide what is too deep."""
    fits = '{"a":' + "[[]," * 62 + "1" + "]" * 62 + "}"
    deep = '{"a":' + "[[]," * 63 + "1" + "]" * 63 + "}"
    assert parse(fits).kind == "object"
    assert parse('{"a":[' + "{}," * 200 + "1]}").kind == "object"
    assert parse(deep).issues[0].message == "Invalid JSON: nested deeper than 64, line 1:255"


def test_a_long_number_is_found_wherever_it_stands() -> None:
    """Behind texts of any length, and with digits and texts around it."""
    for length in range(310):
        text = f'{{"a":"{"x" * length}","b":{"7" * 309}}}'
        place = f"line 1:{len(text) - 309}"
        assert (
            parse(text).issues[0].message
            == f"Invalid JSON: an integer has too many digits, {place}"
        )


@pytest.mark.parametrize(("letter", "size"), [("x", 1), ("é", 2)])
def test_the_size_of_a_mapping(letter: str, size: int) -> None:
    """As that of a text."""
    room = (MAX_BYTES - len('{"a":""}')) // size
    assert parse({"a": letter * room}).kind == "object"
    parsed = parse({"a": letter * (room + 1)})
    assert parsed.issues[0].message == "Invalid JSON: larger than 1048576 bytes"
    assert parse({"a": letter * (MAX_BYTES + 1)}).kind == "broken"


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
    (issue,) = parse(circle).issues
    assert (issue.path, issue.message) == ("/a/a/a", "Invalid JSON: nested deeper than 64")


def test_a_mapping_is_copied() -> None:
    """Later changes by the owner change nothing; other mappings and tuples are plain."""
    owned = UserDict({"a": (1, {"b": 2})})
    parsed = parse(owned)
    owned["a"] = 5
    assert parsed.value == {"a": [1, {"b": 2}]}
