"""Level 1: broken text with one reading is read, and everything else is left alone."""

import json
from functools import partial

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from handrail.contract.mend_syntax import mend_syntax
from handrail.contract.parse import parse
from operations import operations

NAMES = ["items"]


def kinds(arguments: object) -> list[str] | None:
    """How the arguments were read; None if they were not."""
    read = mend_syntax(arguments, NAMES)
    return [mend.kind for mend in read[1]] if read else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('\ufeff{"a": 1}', ["bom"]),
        (b'\xef\xbb\xbf{"a": 1}', ["bom"]),
        ('```json\n{"a": 1}\n```', ["fence"]),
        ('````\n{"a": 1}\n````', ["fence"]),
        ('Here are the arguments:\n{"a": 1}', ["prose"]),
        ('{"a": 1}\n\nLet me know.', ["prose"]),
        ('Let\'s go:\n```json\n{"a": 1}\n```\nDone.', ["prose", "fence"]),
        ('{"a": 1,}', ["trailing_comma"]),
        ('{"a": 1 ,\n }', ["trailing_comma"]),
        ("{'a': 1}", ["quotes"]),
        ("```\n{'a': 1,}\n```", ["fence", "quotes", "trailing_comma"]),
    ],
)
def test_each_kind_is_undone(text: object, expected: list[str]) -> None:
    """Alone and together, to the same value."""
    read = mend_syntax(text, NAMES)
    assert read is not None
    assert (read[0].value, [mend.kind for mend in read[1]]) == ({"a": 1}, expected)
    assert json.loads(read[0].text) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": None, "b": True, "c": False}', {"a": None, "b": True, "c": False}),
        ("{'a': 'it\\'s \"x\"'}", {"a": 'it\'s "x"'}),
        ("{'a': 'None, True'}", {"a": "None, True"}),
        ('{"a": "x,}", "b": [1, 2,],}', {"a": "x,}", "b": [1, 2]}),
        ("{'a': '\\u00e9\\n'}", {"a": "é\n"}),
    ],
)
def test_strings_keep_what_they_say(text: str, expected: object) -> None:
    """Words, commas and quotes inside a string are its content."""
    read = mend_syntax(text, NAMES)
    assert read is not None
    assert read[0].value == expected


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1',
        "{'a': 1",
        '```json\n{"a": 1}',
        '```json\n{"a": 1\n```',
        'Here: {"a": {"b": 1}',
        '"name": "f", "arguments": {"a": 1}',
        '"name": "f", "arguments": {"a": 1}}',
        'name: f, arguments: {"a": 1}',
        'items: {"a": 1}',
        'items {"a": 1}',
        '{"a": 1} {"a": 2}',
        '{"a": 1} or {"a": 2}',
        '{"a": 1}, "b": 2}',
        '{"a": 1}}',
        '{"a": 1},',
        '{"a": 1} Sorry, I meant 2.',
        'For example: {"a": 1}',
        'Don\'t send {"a": 1}',
        '{"a": 1, "a": 2,}',
        '```{"a": NaN}```',
        '{"a": [1,,]}',
        '{"a": [,]}',
        "{'a': 'it's'}",
        "{'a': 'C:\\dir'}",
        "{'a': \"x\\/y\"}",
        "{'a': 'x' 'y'}",
        "{'a': r'x'}",
        "{'a': (1, 2)}",
        "{'a': undefined}",
        '{"a": true} # note "b"',
        "[1,]",
        "",
        b'```{"a": "\xff"}```',
        {"a": 1},
        None,
    ],
)
def test_what_has_no_sure_reading_stays_broken(text: object) -> None:
    """Cut, corrected, doubled, an inner object, or read differently by JSON and Python."""
    assert mend_syntax(text, NAMES) is None


KEYS = st.text("abc ,:{}'\"\\\u00e9", min_size=1, max_size=5)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text("ab'\",:{}[]\\\n\u00e9", max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)


@given(OBJECTS)
def test_python_is_read_as_what_it_is(value: dict[str, object]) -> None:
    """What Python writes comes back as the same value, or not at all."""
    assume(parse(repr(value)).value is None)
    read = mend_syntax(repr(value))
    assert read is not None
    assert read[0].value == value


@given(OBJECTS, st.sampled_from(["```json\n{}\n```", "Here it is:\n{}", "\ufeff{}", "{} Done."]))
def test_the_dress_changes_nothing(value: dict[str, object], dress: str) -> None:
    """A fence, words and a mark are no part of the object."""
    read = mend_syntax(dress.replace("{}", json.dumps(value)))
    assert read is not None
    assert read[0].value == value


@given(OBJECTS, st.data(), st.sampled_from(["{}", "```json\n{}\n```", "Here it is:\n{}"]))
def test_a_cut_text_is_never_closed(
    value: dict[str, object], data: st.DataObject, dress: str
) -> None:
    """Wherever the object is cut, in whatever dress, in JSON and in Python."""
    text = data.draw(st.sampled_from([json.dumps(value), repr(value)]))
    end = data.draw(st.integers(0, len(text) - 1))
    assert mend_syntax(dress.split("{}")[0] + text[:end]) is None


@given(st.text("{}[]'\",:`\\ aN1\n", max_size=30))
def test_what_is_read_is_strict_json(text: str) -> None:
    """Whatever comes out has passed the parser that everything passes."""
    read = mend_syntax(text)
    if read is not None:
        assert parse(text).kind == "broken"
        assert parse(read[0].text).value == read[0].value


@pytest.mark.parametrize(
    ("before", "piece", "after"),
    [
        ("{", ",", ""), ("", "`", ""), ("```", " ", ""), ("{'", "\\'", "'}"), ('{"a":', " ,", "}"),
        ("", "a", "{}"), ("{", "'a", ""),
    ],
)  # fmt: skip
def test_hostile_texts_cost_no_more_than_their_length(before: str, piece: str, after: str) -> None:
    """A few steps for each character, and a megabyte is given up."""
    texts = [before + piece * count + after for count in (500, 2_000, 400_000)]
    done = [operations(partial(mend_syntax, text)) for text in texts[:2]]
    assert done[0] < 200 + 40 * 500
    assert done[1] <= 4 * done[0]
    assert mend_syntax(texts[2]) is None
