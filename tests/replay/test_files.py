"""Files of every layout give the same rows, and a broken part costs only itself."""

import gzip
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.replay.files import Log, Row, rows
from handrail.replay.records import Unreadable

values = st.dictionaries(
    st.text(max_size=5),
    st.integers() | st.text(max_size=8) | st.none() | st.lists(st.integers()),
    min_size=1,
    max_size=3,
)


def read(path: Path) -> list[Row | Unreadable]:
    """Everything that a file holds."""
    with Log(str(path)) as log:
        return list(rows(log))


def read_bytes(content: bytes) -> list[Row | Unreadable]:
    """Everything that a file with this content holds."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "log")
        path.write_bytes(content)
        return read(path)


def lines_of(found: list[Row | Unreadable]) -> list[tuple[int, object]]:
    """Lines and values; what is unreadable has the value None."""
    return [
        (one.line, one.value) if isinstance(one, Row) else (one.place.line, None) for one in found
    ]


@given(st.lists(values, min_size=1, max_size=5))
def test_layouts_hold_the_same(objects: list[dict[str, object]]) -> None:
    """JSONL, an array, values after each other, pretty-printed or not, and gzip."""
    one_a_line = "\n".join(json.dumps(one) for one in objects)
    layouts = [
        one_a_line,
        json.dumps(objects),
        json.dumps(objects, indent=2),
        "\n".join(json.dumps(one, indent=1) for one in objects),
        "[\n" + ",\n".join(json.dumps(one) for one in objects) + "\n]\n",
    ]
    contents = [one.encode() for one in layouts] + [gzip.compress(one_a_line.encode())]
    for content in contents:
        found = [row.value for row in read_bytes(content) if isinstance(row, Row)]
        flat = [one for value in found for one in (value if isinstance(value, list) else [value])]
        assert flat == objects


@given(st.lists(values, max_size=4), st.integers(0, 4), st.sampled_from(["{", "nope", "\x00"]))
def test_broken_line_costs_itself_only(
    objects: list[dict[str, object]], at: int, broken: str
) -> None:
    """Wherever it stands, it is reported with its line, and the others are read."""
    lines: list[tuple[str, object]] = [(json.dumps(one), one) for one in objects]
    lines.insert(at, (broken, None))
    if lines[0][0] == "{":
        lines.insert(0, ("{}", {}))  # a file that begins with a bare bracket is one document
    found = lines_of(read_bytes("\n".join(text for text, _ in lines).encode()))
    assert found == [(number, value) for number, (_, value) in enumerate(lines, start=1)]


def test_elements_of_an_array_have_lines() -> None:
    """An array over several lines is as good as JSONL."""
    assert lines_of(read_bytes(b'[\n {"a": 1},\n\n {"a": 2}\n]')) == [(2, {"a": 1}), (4, {"a": 2})]


def test_array_that_is_cut_off_is_read_as_far_as_it_goes() -> None:
    """The place is told, and lines that are whole are read behind it too."""
    found = read_bytes(b'[\n {"a": 1},\n {"a": nope},\n {"a": 3},\n {"a"')
    assert lines_of(found) == [(2, {"a": 1}), (3, None), (4, {"a": 3})]


def test_conversation_stays_whole() -> None:
    """An array of messages is one row."""
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]
    assert lines_of(read_bytes(json.dumps(messages, indent=1).encode())) == [(1, messages)]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'{"a": 1}\n\xff\xfe\n{"a": 2}', "not UTF-8 (byte 1)"),
        ('{"a": 1}'.encode("utf-16"), "UTF-16"),
        (gzip.compress(b'{"a": 1}\n' * 999, mtime=0)[:-9], "damaged or cut off"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"a": ' + b"1" * 9999 + b"}", "a number is too long"),
    ],
)
def test_what_is_no_text_is_told(content: bytes, problem: str) -> None:
    """Encoding, damage, depth and huge numbers each get a sentence."""
    told = [one.problem for one in read_bytes(content) if isinstance(one, Unreadable)]
    assert len(told) == 1
    assert problem in told[0]


def test_byte_order_mark_and_blank_lines_are_nothing() -> None:
    """Neither is a row, and both count as lines or parts of them."""
    assert lines_of(read_bytes(b'\xef\xbb\xbf{"a": 1}\n \n{"a": 2}\n')) == [
        (1, {"a": 1}),
        (3, {"a": 2}),
    ]


def test_empty_file_holds_nothing() -> None:
    """Not even a fault."""
    assert read_bytes(b"\n \n") == []


def test_position_reaches_the_size(tmp_path: Path) -> None:
    """The progress bar ends where the file ends."""
    path = tmp_path / "log.jsonl"
    path.write_text('{"a": 1}\n' * 10)
    with Log(str(path)) as log:
        assert (len(list(rows(log))), log.position()) == (10, log.size)
