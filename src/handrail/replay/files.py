"""A log file -> JSON values with their lines, whatever way the file is laid out.

JSONL is read line by line, so memory stays flat. Everything else (a JSON array, one object,
several objects after each other, pretty-printed or not) is told apart by its first lines and
read whole; the elements of an array still get lines of their own. gzip is known by its first
bytes. A broken line or element is a value (`Unreadable`) and ends nothing.
"""

import gzip
import io
import json
import re
import sys
import zlib
from bisect import bisect_right
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import accumulate, chain
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self, cast

from handrail.replay.records import Place, Unreadable

__all__ = ["Log", "Row", "rows"]

_GZIP = b"\x1f\x8b"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_GOES_ON = ("{", "[", ",", ":")
_SPACE = re.compile(r"\s*")
_AFTER_ELEMENT = re.compile(r"\s*(,|\])\s*")
_HEAD = 3
_DECODER = json.JSONDecoder()
_FIX_JSON = "correct it, or write one JSON value per line"


class Row(NamedTuple):
    """One JSON value of a file and the line on which it starts."""

    line: int
    value: object


class Log:
    """A log file, opened for reading; a context manager. ``-`` is standard input.

    Raises:
        OSError: The file cannot be opened.
    """

    def __init__(self, path: str) -> None:
        self.name = path
        self._own = path != "-"
        self.size = Path(path).stat().st_size if self._own else 0
        self._file = _opened(path)
        zipped = self._file.peek(2)[:2] == _GZIP
        self.stream: Iterable[bytes] = gzip.GzipFile(fileobj=self._file) if zipped else self._file

    def position(self) -> int:
        """Bytes of the file that are read so far, compressed ones if it is compressed."""
        return self._file.tell() if self._own else 0

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self._own:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def rows(log: Log) -> Iterator[Row | Unreadable]:
    """Every JSON value of a log, in order."""
    lines = _lines(log)
    head: list[_Line] = []
    for line in lines:
        if isinstance(line, Unreadable):
            yield line
            continue
        head.append(line)
        if len(head) == _HEAD:
            break
    if _is_document(head):
        rest = list(lines)
        yield from (one for one in rest if isinstance(one, Unreadable))
        yield from _document(log.name, [*head, *(one for one in rest if isinstance(one, _Line))])
        return
    for line in chain(head, lines):
        yield line if isinstance(line, Unreadable) else _row(log.name, line)


class _Line(NamedTuple):
    """One line that is not blank."""

    number: int
    text: str


def _opened(path: str) -> io.BufferedReader:
    if path == "-":
        return io.BufferedReader(cast(io.RawIOBase, sys.stdin.buffer))
    return Path(path).open("rb")


def _lines(log: Log) -> Iterator[_Line | Unreadable]:
    """Lines as text, blank ones left out; what is no text is reported."""
    number = 0
    try:
        for raw in log.stream:
            number += 1
            if number == 1 and raw[:2] in _UTF16:
                advice = "convert the file to UTF-8 (iconv -f UTF-16 -t UTF-8)"
                yield Unreadable(Place(log.name, 1), "the file is UTF-16", advice)
                return
            try:
                text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                problem = f"the line is not UTF-8 (byte {error.start + 1})"
                yield Unreadable(Place(log.name, number), problem, "write the log as UTF-8")
                continue
            if not text.isspace():
                yield _Line(number, text)
    except (OSError, EOFError, zlib.error):
        problem = "the file cannot be read further: it is damaged or cut off"
        advice = "what stands before was judged; get a whole copy for the rest"
        yield Unreadable(Place(log.name, number + 1), problem, advice)


def _is_document(head: Sequence[_Line]) -> bool:
    """Whether the file is one JSON text over several lines, and not one value per line."""
    if not head or _whole(head[0].text):
        return False
    if head[0].text.rstrip().endswith(_GOES_ON):
        return True
    return len(head) > 1 and not any(_whole(line.text) for line in head[1:])


def _whole(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def _row(file: str, line: _Line) -> Row | Unreadable:
    try:
        return Row(line.number, json.loads(line.text))
    except (ValueError, RecursionError) as error:
        return Unreadable(Place(file, line.number), _problem(error), _FIX_JSON)


def _problem(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"the line is not JSON ({error.msg}, column {error.colno})"
    if isinstance(error, RecursionError):
        return "the JSON is nested too deep"
    return "the line is not JSON (a number is too long)"


def _document(file: str, lines: Sequence[_Line]) -> Iterator[Row | Unreadable]:
    """The values of a text, and of its arrays the elements; a conversation stays whole."""
    text = _Text(lines)
    place = _skip(text.whole, 0)
    while place < len(text.whole):
        try:
            if text.whole[place] == "[":
                place = yield from _elements(text, place)
            else:
                value, end = _DECODER.raw_decode(text.whole, place)
                yield Row(text.line(place), value)
                place = end
        except (ValueError, RecursionError) as error:
            at = error.pos if isinstance(error, json.JSONDecodeError) else place
            problem = _problem(error).replace("the line", "the text")
            advice = f"{_FIX_JSON}; only lines that are JSON by themselves were read from here on"
            yield Unreadable(Place(file, text.line(at)), problem, advice)
            yield from text.salvaged(at)
            return
        place = _skip(text.whole, place)


def _skip(text: str, place: int) -> int:
    """The place behind white space."""
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _elements(text: "_Text", place: int) -> Generator[Row, None, int]:
    """The elements of the array that starts here; the place behind it."""
    found: list[Row] = []
    whole = text.whole
    start, place = place, _skip(whole, place + 1)
    talk = False
    ended = whole[place : place + 1] == "]"
    place += ended
    while not ended:
        try:
            value, end = _DECODER.raw_decode(whole, place)
            behind = _AFTER_ELEMENT.match(whole, end)
            if behind is None:
                raise json.JSONDecodeError("Expecting ',' delimiter", whole, end)
        except ValueError:
            if talk:
                yield Row(text.line(start), [row.value for row in found])
            raise
        row = Row(text.line(place), value)
        talk = talk or (not found and isinstance(value, dict) and "role" in value)
        if talk:
            found.append(row)
        else:
            yield row
            found = [row]
        place, ended = behind.end(), behind[1] == "]"
    if talk:
        yield Row(text.line(start), [row.value for row in found])
    return place


class _Text:
    """The lines of a document as one text, which still knows the line of each place."""

    def __init__(self, lines: Sequence[_Line]) -> None:
        self.whole = "".join(line.text for line in lines)
        self._lines = lines
        ends = accumulate(len(line.text) for line in lines)
        self._starts = [0, *ends][:-1]

    def line(self, place: int) -> int:
        """Number of the line in which a place is."""
        return self._lines[bisect_right(self._starts, place) - 1].number

    def salvaged(self, place: int) -> Iterator[Row]:
        """Lines from a place on that are JSON objects by themselves."""
        for line in self._lines[bisect_right(self._starts, place) - 1 :]:
            text = line.text.strip().rstrip(",")
            if text.startswith("{") and _whole(text):
                yield Row(line.number, json.loads(text))
