"""Arguments as sent -> one JSON object, or what is wrong with the text.

Everything that two JSON parsers could read differently is refused here, once, so that both
engines and the approval hash see the same value: duplicate keys, NaN and Infinity, numbers that
overflow, lone surrogates, nesting beyond 64 and texts beyond 1 MiB (contract `handrail/1`,
sections 1 and 2).

Cut-off text is told apart from otherwise broken text by the second parser, pydantic's: it reads
strictly from the left and says "EOF" only when everything up to the end could still have become
JSON. Raw content never enters a message; a position does.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, NoReturn

from pydantic_core import from_json

from handrail.contract.issue import Issue, join_pointer
from handrail.contract.pointer import safe_pointer
from handrail.contract.preview import word

__all__ = ["MAX_BYTES", "MAX_DEPTH", "Parsed", "parse"]

MAX_DEPTH = 64
"""Containers inside each other, the root object included."""

MAX_BYTES = 1_048_576
"""Size of the text in UTF-8."""

_MAX_DIGITS = 308
"""A longer integer is no finite float (IEEE 754 double)."""

Kind = Literal["object", "empty", "broken", "truncated"]


class Parsed(NamedTuple):
    """Arguments as read.

    Attributes:
        value: The object; None when the text is not one.
        text: JSON text that an engine can judge; the text as sent when it is broken.
        issues: Empty, or one VAL-004 or VAL-011.
        kind: ``object``, ``empty`` (nothing sent: ``{}``), ``broken`` or ``truncated``.
    """

    value: dict[str, Any] | None  # Any: JSON values
    text: str
    issues: tuple[Issue, ...] = ()
    kind: Kind = "object"


class _Refused(ValueError):
    """A fault found inside a parser's hook; the text is sanitised."""

    def __init__(self, problem: str, path: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.path = path


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:  # Any: JSON values
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Refused(f"duplicate key '{word(key)}'")
            seen.add(key)
    return value


def _constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is not a JSON number")


def _real(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise _Refused("a number is too large")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_constant, parse_float=_real)
_scan: Callable[[str, int], tuple[Any, int]] = vars(_DECODER)["scan_once"]  # Any: JSON value
_LONG_NUMBER = re.compile(rf'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|\d{{{_MAX_DIGITS + 1}}}', re.DOTALL)
_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{\]}]', re.DOTALL)
_POSITION = re.compile(r"\s*at line (\d+) column (\d+)\s*\Z")
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


def parse(arguments: object) -> Parsed:
    """Read the arguments of a call; never raises for what a model sent.

    Args:
        arguments: Text, UTF-8 bytes, a mapping, or None; anything else is VAL-004.

    Empty text, ``null`` and None are ``{}``. A mapping is copied and dumped once, so later
    changes by its owner change nothing here.
    """
    if isinstance(arguments, str):
        return _parse_text(arguments)
    if arguments is None:
        return Parsed({}, "{}", (), "empty")
    if isinstance(arguments, Mapping):
        return _parse_mapping(arguments)
    if isinstance(arguments, bytes | bytearray | memoryview):
        raw = bytes(arguments)
        try:
            return _parse_text(raw.decode("utf-8"))
        except UnicodeDecodeError as error:
            return _broken(f"not UTF-8 at byte {error.start}", raw.decode("utf-8", "replace"))
    return _broken(f"expected an object, got {_kind_of(arguments)}", "")


def _parse_text(text: str) -> Parsed:
    if len(text) > MAX_BYTES:
        return _broken(f"larger than {MAX_BYTES} bytes", text)
    if not text.isascii() and (problem := _encoding_problem(text)):
        return _broken(problem, text)
    if text.count("{") + text.count("[") > MAX_DEPTH and (offset := _too_deep(text)) >= 0:
        return _broken(f"nested deeper than {MAX_DEPTH}, {_place(text, offset)}", text)
    try:
        if len(text) > _MAX_DIGITS and (offset := _long_number(text)) >= 0:
            return _broken(f"an integer has too many digits, {_place(text, offset)}", text)
        if text[:1] == "{":
            value, end = _scan(text, 0)
            if end != len(text) and text[end:].strip(" \t\n\r"):
                return _broken(f"text after the object, {_place(text, end)}", text)
        else:
            if not text.strip():
                return Parsed({}, "{}", (), "empty")
            value = _DECODER.decode(text)
    except _Refused as refused:
        return _broken(refused.problem, text, refused.path)
    except (ValueError, StopIteration, RecursionError):
        return _explained(text)
    if "\\u" in text and _HALF_PAIR.search(text) and (problem := _surrogate_problem(text)):
        return _broken(problem, text)
    if type(value) is dict:
        return Parsed(value, text)
    if value is None:
        return Parsed({}, "{}", (), "empty")
    return _broken(f"expected an object, got {_kind_of(value)}", text)


def _encoding_problem(text: str) -> str | None:
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        return f"lone surrogate, {_place(text, error.start)}"
    return f"larger than {MAX_BYTES} bytes" if size > MAX_BYTES else None


def _surrogate_problem(text: str) -> str | None:
    try:
        from_json(text)
    except ValueError as error:
        place = _POSITION.search(str(error))
        return f"lone surrogate, line {place[1]}:{place[2]}" if place else "lone surrogate"
    return None


def _too_deep(text: str) -> int:
    """Offset of the first bracket beyond the limit, or -1."""
    depth = 0
    for found in _STRUCTURE.finditer(text):
        first = text[found.start()]
        if first in "{[":
            depth += 1
            if depth > MAX_DEPTH:
                return found.start()
        elif first != '"':
            depth -= 1
    return -1


def _long_number(text: str) -> int:
    """Offset of a number with too many digits outside strings, or -1.

    Such a run covers a position that is a multiple of its length, so a thin sample finds it.
    """
    step = _MAX_DIGITS + 1
    half = step // 2
    for index, char in enumerate(text[::step]):
        if char.isdigit():
            at = index * step
            left, right = text[max(0, at - half) : at + 1], text[at : at + half + 1]
            if (len(left) > half and left.isdigit()) or (len(right) > half and right.isdigit()):
                runs = (found.start() for found in _LONG_NUMBER.finditer(text))
                return next((start for start in runs if text[start] != '"'), -1)
    return -1


def _explained(text: str) -> Parsed:
    """Why a text that the first parser refused is not JSON: cut off, or broken where."""
    try:
        from_json(text)
    except ValueError as error:
        said = str(error)
        if said.startswith("EOF while parsing"):
            issue = Issue.of(
                "VAL-011",
                length=len(text),
                expected="a complete JSON object",
                hint="send the complete arguments again, shorter if they were too long",
            )
            return Parsed(None, text, (issue,), "truncated")
        place = _POSITION.search(said)
        problem = _POSITION.sub("", said)
        return _broken(f"{problem}, line {place[1]}:{place[2]}" if place else problem, text)
    return _broken("not readable", text)


def _parse_mapping(arguments: Mapping[str, Any]) -> Parsed:  # Any: JSON values
    try:
        value = _plain(arguments, ())
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except _Refused as refused:
        return _broken(refused.problem, "", refused.path)
    except Exception:  # a mapping of the host's own class may raise anything
        return _broken("the object cannot be read", "")
    if len(text) > MAX_BYTES or (not text.isascii() and len(text.encode("utf-8")) > MAX_BYTES):
        return _broken(f"larger than {MAX_BYTES} bytes", text)
    return Parsed(value, text)


def _plain(value: Any, path: tuple[str | int, ...]) -> Any:  # Any: a host's value, a JSON value
    """A copy made of plain JSON types only."""
    match value:
        case None | bool():
            return value
        case str():
            return _plain_text(value, path)
        case int():
            if value.bit_length() > 1023:
                raise _Refused(f"an integer has too many digits at {_shown(path)}", _pointer(path))
            return int(value)
        case float():
            if not math.isfinite(value):
                raise _Refused(f"{value} is not a JSON number, at {_shown(path)}", _pointer(path))
            return float(value)
    if len(path) >= MAX_DEPTH:
        raise _Refused(f"nested deeper than {MAX_DEPTH}", _pointer(path[:3]))
    if isinstance(value, Mapping):
        return _plain_object(value, path)
    if isinstance(value, list | tuple):
        return [_plain(item, (*path, index)) for index, item in enumerate(value)]
    kind = word(type(value).__name__, 40)
    raise _Refused(f"a {kind} is not a JSON value, at {_shown(path)}", _pointer(path))


def _plain_object(value: Mapping[Any, Any], path: tuple[str | int, ...]) -> dict[str, Any]:
    # Any: a host's mapping; JSON values
    copy: dict[str, Any] = {}  # Any: JSON values
    for key, item in value.items():
        if not isinstance(key, str):
            raise _Refused(f"a key at {_shown(path)} is not a string", _pointer(path))
        copy[_plain_text(key, path)] = _plain(item, (*path, str(key)))
    return copy


def _plain_text(value: str, path: tuple[str | int, ...]) -> str:
    text = value if type(value) is str else str.__str__(value)
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise _Refused(f"lone surrogate at {_shown(path)}", _pointer(path)) from None
    return text


def _pointer(path: tuple[str | int, ...]) -> str:
    return join_pointer(path)


def _shown(path: tuple[str | int, ...]) -> str:
    return safe_pointer(_pointer(path)) or "(root)"


def _kind_of(value: object) -> str:
    match value:
        case bool():
            return "boolean"
        case str():
            return "string"
        case int() | float():
            return "number"
        case list() | tuple():
            return "array"
    return word(type(value).__name__, 40)


def _place(text: str, offset: int) -> str:
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return f"line {line}:{column}"


def _broken(problem: str, text: str, path: str = "") -> Parsed:
    issue = Issue.of(
        "VAL-004",
        path,
        problem=problem,
        expected="a JSON object",
        hint="send the arguments as one valid JSON object",
    )
    return Parsed(None, text, (issue,), "broken")
