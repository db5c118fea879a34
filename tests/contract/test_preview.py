"""Every value becomes one safe, short line."""

import math
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from enum import Enum
from typing import NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.contract.preview import (
    REDACTED,
    UNREADABLE,
    neutralise,
    preview,
    redact,
    shorten,
    word,
    would_redact,
)

FAMILY = "👨‍👩‍👧"
HOSTILE = (
    '\r\n\t\x00\x1b\x7f\x85\u2028\u2029\u200b\u200d\u202e\u2066\ufeff\ufe0f\U000e0041\ud800•"\\'
)

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(alphabet=st.characters() | st.sampled_from(HOSTILE + FAMILY + "🇩🇪e\u0301"))
    | st.binary()
)
values = st.recursive(
    scalars | st.frozensets(st.text(max_size=5)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


class Broken:
    """Cannot even say what it is."""

    def __repr__(self) -> NoReturn:
        raise RuntimeError("no")


class Lost(Mapping[str, object]):
    """Looks like an object, and fails on every question."""

    def __getitem__(self, key: str) -> NoReturn:
        raise OSError("gone")

    def __iter__(self) -> Iterator[str]:
        raise OSError("gone")

    def __len__(self) -> int:
        return 3


class Colour(Enum):
    """An enum of an author."""

    RED = "red"


def content(text: str) -> str:
    """A preview without the note behind it."""
    head, mark, tail = text.rpartition(" (")
    units = ("characters)", "items)", "fields)", "field)", "digits)")
    return head if mark and tail.endswith(units) else text


def is_one_line(text: str) -> bool:
    """Whether nothing in a text breaks lines, hides, or cannot be sent."""
    text.encode()
    return len(text.splitlines()) <= 1 and all(
        unicodedata.category(char) not in {"Cc", "Zl", "Zp"} for char in text
    )


@given(values, st.integers(0, 300))
def test_previews_are_bounded(value: object, limit: int) -> None:
    """Any value gives one line of at most the limit, and the same one again."""
    text = preview(value, limit=limit)
    assert len(content(text)) <= limit
    assert len(text) <= limit + 30
    assert is_one_line(text)
    assert preview(value, limit=limit) == text


@given(st.text(alphabet=st.characters() | st.sampled_from(HOSTILE)), st.integers(-1, 200))
def test_words_are_bounded(text: str, limit: int) -> None:
    """Any text gives one line of at most the limit."""
    safe = word(text, limit)
    assert len(safe) <= max(limit, 0)
    assert is_one_line(safe)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "null"),
        (True, "true"),
        (5, "5"),
        (1.5, "1.5"),
        (math.nan, "NaN"),
        (-math.inf, "-Infinity"),
        ("high", '"high"'),
        ('a"b\\c\nd', '"a\\"b\\\\c\\nd"'),
        ("\ud800", '"\\\\ud800"'.replace("\\\\", "\\")),
        ("Lorem " * 250_000, '"' + ("Lorem " * 16)[:95] + '..." (1500000 characters)'),
        (list(range(47)), "[0, ..., 46] (47 items)"),
        ([1, "a", None], '[1, "a", null]'),
        ({"a": {"b": {"c": {"d": 1}}}}, '{"a": {"b": {"c": {...}}}}'),
        ([[[[1]]], []], "[[[[...]]], []]"),
        pytest.param(10**5000, "integer... (about 5001 digits)", id="huge"),
        (b"abc", '"abc"'),
        ({3, 1, 2}, "[1, 2, 3]"),
        (Colour.RED, '"red"'),
        (datetime(2026, 5, 3, tzinfo=UTC), '"2026-05-03 00:00:00+00:00"'),
        (Broken(), '"<Broken>"'),
        (Lost(), UNREADABLE),
        ({"c": 1, "t": "x" * 200}, '{"c": 1, "t": "' + "x" * 80 + '..."}'),
    ],
)
def test_preview_forms(value: object, expected: str) -> None:
    """Values look like JSON; what was left out is counted (FR-051..FR-054)."""
    assert preview(value) == expected


def test_large_objects_show_their_first_fields() -> None:
    """Fields that do not fit are counted."""
    value = {f"f{n}": "v" * 20 for n in range(12)}
    shown = ", ".join(f'"f{n}": "{"v" * 20}"' for n in range(3))
    assert preview(value) == f"{{{shown}, ...}} (12 fields)"


def test_secrets_are_hidden_by_name_and_structure() -> None:
    """At any depth, whatever the type of the value."""
    value = [{"apiKey": 5, "user": {"password": ["a"], "note": f"use {SECRET}"}}]
    hidden = {"password": REDACTED, "note": f"use {REDACTED}"}
    assert redact(value) == [{"apiKey": REDACTED, "user": hidden}]
    assert preview(5, field="apiKey") == f'"{REDACTED}"'
    assert preview(None, field="apiKey") == "null"
    assert preview(value) == preview(redact(value))


def test_pairs_of_name_and_value_count_as_fields() -> None:
    """Headers as lists, and JSON Patch."""
    pairs = [{"name": "Authorization", "value": 1}, {"path": "/db/password", "value": "x"}]
    assert [pair["value"] for pair in redact(pairs)] == [REDACTED, REDACTED]  # type: ignore[attr-defined]
    assert preview(pairs[:1]) == f'[{{"name": "Authorization", "value": "{REDACTED}"}}]'


def test_names_are_redacted_too() -> None:
    """Two names that become equal both stay."""
    value = {SECRET: 1, f"{SECRET}x": 2}
    assert redact(value) == {REDACTED: 1, f"{REDACTED}'": 2}
    assert SECRET not in preview(value)


def hidden_in(value: object, path: list[int]) -> object:
    """A value wrapped in arrays and objects."""
    for kind in path:
        value = [value] if kind == 0 else {"a": value} if kind == 1 else {"x": 1, "y": [value, 2]}
    return value


@given(
    st.lists(st.integers(0, 2), max_size=6),
    st.text(max_size=150),
    st.text(max_size=20),
    st.integers(0, 400),
)
def test_secrets_never_show(path: list[int], before: str, after: str, limit: int) -> None:
    """Neither whole nor as the piece that a cut would leave."""
    value = hidden_in(f"{before} {SECRET} {after}", path)
    assert SECRET[:12] not in preview(value, limit=limit)
    assert SECRET[:12] not in word(f"{before} {SECRET} {after}", limit)
    assert SECRET[:12] not in repr(redact(value))
    assert would_redact(value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet="abc xyz.0129é"),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=20,
)


@given(json_values)
def test_innocent_values_are_copied(value: object) -> None:
    """What holds no secret is equal afterwards, and said to be untouched."""
    assert (redact(value), would_redact(value)) == (value, False)


@given(values)
def test_would_redact_agrees_with_redact(value: object) -> None:
    """A value that is said to be untouched is its own copy."""
    if not would_redact(value):
        assert repr(redact(value)) == repr(value)


@given(values)
@settings(max_examples=50)
def test_redacted_values_are_settled(value: object) -> None:
    """A second pass finds nothing."""
    assert not would_redact(redact(value))


def test_cycles_and_depth_are_survived() -> None:
    """Containers in themselves, shared a million times, or a thousand deep."""
    cycle: list[object] = [1]
    cycle.append(cycle)
    shared: list[object] = []
    for _ in range(60):
        shared = [shared, shared]
    deep: object = "x"
    for _ in range(1000):
        deep = {"a": [deep]}
    assert (preview(cycle), redact(cycle)) == ("[1, [1, [1, [...]]]]", [1, "[...]"])
    assert (is_one_line(preview(shared)), would_redact(cycle)) == (True, True)
    assert preview(deep) == '{"a": [{"a": [...]}]}'
    assert (would_redact(deep), redact(Lost()), redact(Broken())) == (True, UNREADABLE, "<Broken>")


def test_words_say_what_json_says() -> None:
    """Enum members are named by their value; a broken author text is dropped whole."""
    words = [word(value) for value in (None, True, 1.0, Colour.RED, "a•b\nc", ValueError("no"))]
    assert words == ["null", "true", "1.0", "red", "a·b\\nc", "no"]
    assert (word(object()), word({"token": "x"})) == ("<object>", f'{{"token": "{REDACTED}"}}')


class Mute(Exception):
    """An error of an author without a text."""

    def __str__(self) -> NoReturn:
        raise KeyError("no")


def test_words_that_cannot_be_read_are_dropped() -> None:
    """The author's own `str` may fail."""
    assert word(Mute()) == UNREADABLE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x1b[31m\u202eevil\u2028", "\\u001b[31m\\u202eevil\\u2028"),
        ("pay\u200bpal\ufeff", "pay\\u200bpal\\ufeff"),
        ("\U000e0041", "\\U000e0041"),
        ("• item", "· item"),
        ("\ud83d\ude00", "\\ud83d\\ude00"),
        (f"{FAMILY} ❤️ 1️⃣ 🇩🇪", f"{FAMILY} ❤️ 1️⃣ 🇩🇪"),
        ("a\u200db\ufe0f", "a\\u200db\\ufe0f"),
        ("naïve 日本\u3000語 C:\\x", "naïve 日本\u3000語 C:\\x"),
    ],
)
def test_neutralise(text: str, expected: str) -> None:
    """What breaks lines or hides is shown; letters, emoji and backslashes stay."""
    assert neutralise(text) == expected


@given(st.text(alphabet=st.characters() | st.sampled_from(HOSTILE)))
def test_neutralise_settles(text: str) -> None:
    """One pass makes a text safe, a second changes nothing."""
    once = neutralise(text)
    assert is_one_line(once)
    assert neutralise(once) == once


CLUSTERS = [
    *"aé日",
    "e\u0301\u0323",
    FAMILY,
    "👍🏽",
    "🇩🇪",
    "❤️",
    "1️⃣",
    "각",
    "\u1100\u1161\u11a8",
    "क्षि",
    "กำ",
]


@given(st.lists(st.sampled_from(CLUSTERS), max_size=30), st.integers(0, 60))
def test_cuts_fall_between_clusters(clusters: list[str], limit: int) -> None:
    """What is left is a whole number of what a reader calls characters (NFR-007)."""
    text = "".join(clusters)
    short = shorten(text, limit)
    starts = ["".join(clusters[:count]) for count in range(len(clusters) + 1)]
    assert len(short) <= limit
    assert short == text or short.removesuffix("...") in starts or limit < 3


@pytest.mark.parametrize(
    ("limit", "expected"),
    [(-1, ""), (0, ""), (2, ".."), (3, "..."), (6, "abc..."), (7, "abcdefg"), (9, "abcdefg")],
)
def test_shorten_counts_its_dots(limit: int, expected: str) -> None:
    """The dots are part of the limit; nothing is cut that fits."""
    assert shorten("abcdefg", limit) == expected


@given(st.text(alphabet='"\\\n', max_size=300), st.integers(5, 120))
def test_values_cannot_end_their_quote(text: str, limit: int) -> None:
    """Quotes inside are escaped, so the first bare quote is the end of the value."""
    body = content(preview(text, limit=limit))
    inner = body[1:-1].replace("\\\\", "").replace('\\"', "")
    assert (body[0], body[-1], '"' in inner) == ('"', '"', False)
