"""Reads calls from JSON objects such as ``{"name": ..., "arguments": {...}}``, wherever they stand.

How much is believed depends on where the object stands (`Place`): inside a family's own tag the
intent is plain, so an unknown tool is a call too; in a fence or in prose only a known tool name
with an object of arguments is one. The arguments keep the text that the model wrote.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from handrail.wire.literals import decoded, dict_literal, is_json, is_nearly_json
from handrail.wire.shapes import CallDict
from handrail.wire.spans import BROKEN, CUT, Members, closing, members

__all__ = ["Place", "Reading", "is_whole", "read_arguments", "read_sequence", "read_value"]

_NAMES = ("name", "tool", "function", "tool_name", "function_name")
_ARGUMENTS = ("arguments", "parameters", "args", "input")
_WRAPPERS = ("function", "tool", "tool_call", "function_call")
_IDS = ("id", "call_id", "tool_call_id")
_BESIDE = frozenset((*_IDS, "type", "index", "thought", "thoughts", "reasoning"))
_BETWEEN = re.compile(r"[\s,;]*+")


class Place(IntEnum):
    """Where an object stands, from the least to the most believed."""

    PROSE = 0
    FENCE = 1
    TAG = 2


@dataclass(slots=True)
class Reading:
    """What was read from one place of a text.

    Attributes:
        calls: The calls, in order.
        end: The place after what was read; `CUT` if the text ended inside; `BROKEN` if it is
            no JSON at all.
        ambiguous: There is more than one reading; then there are no calls.
        python: A call's arguments were a Python literal.
    """

    calls: list[CallDict] = field(default_factory=list)
    end: int = BROKEN
    ambiguous: bool = False
    python: bool = False


def read_sequence(text: str, start: int, names: Collection[str], place: Place) -> Reading:
    """Calls in objects or lists of them, one after the other, up to the first that is none."""
    whole = Reading(end=start)
    while start < len(text) and text[start] in "{[":
        part = read_value(text, start, names, place)
        whole.ambiguous |= part.ambiguous
        whole.python |= part.python
        if not part.calls:
            if part.end == CUT or not whole.calls:
                whole.end = part.end
            return whole
        whole.calls += part.calls
        whole.end = part.end
        if part.end == CUT:
            return whole
        gap = _BETWEEN.match(text, part.end)
        start = gap.end() if gap else part.end
    return whole


def read_value(text: str, start: int, names: Collection[str], place: Place) -> Reading:
    """The call or calls of the object or list at ``start``."""
    if text[start] == "[":
        return _read_list(text, start, names, place)
    found = members(text, start)
    if found.end == BROKEN:
        return Reading()
    if found.end == CUT:
        call = _cut_call(text, start, found, names)
        return Reading([call] if call else [], CUT)
    reading = _read_object(text, found, names, place)
    reading.end = found.end
    return reading


def read_arguments(
    raw: str, place: Place
) -> tuple[str | Mapping[str, Any], bool] | None:  # Any: JSON values
    """Arguments written as an object: text as it is, or the values of a Python literal.

    Returns:
        The arguments and whether they were a Python literal; None if this is no object that
        can be believed at this place.
    """
    if is_json(raw) or is_nearly_json(raw):
        return raw, False
    literal = dict_literal(raw)
    if literal is not None:
        return literal, True
    return None if place is Place.PROSE else (raw, False)


def is_whole(call: CallDict) -> bool:
    """Whether the arguments are values already, or text that is JSON."""
    arguments = call["arguments"]
    return not isinstance(arguments, str) or is_json(arguments)


def _read_list(text: str, start: int, names: Collection[str], place: Place) -> Reading:
    inner = _BETWEEN.match(text, start + 1)
    first = inner.end() if inner else start + 1
    if first >= len(text):
        return Reading(end=CUT)
    if text[first] != "{":
        return Reading(end=closing(text, start))
    reading = read_sequence(text, first, names, place)
    if reading.end == CUT:
        return reading
    gap = _BETWEEN.match(text, max(reading.end, first))
    end = gap.end() if gap else reading.end
    if reading.end >= 0 and text[end : end + 1] == "]":
        reading.end = end + 1
        return reading
    return Reading(end=closing(text, start), ambiguous=reading.ambiguous)


def _read_object(text: str, found: Members, names: Collection[str], place: Place) -> Reading:
    fields = {decoded(key): (begin, end) for key, begin, end in found.entries}
    if len(fields) != len(found.entries):
        return Reading(ambiguous=any(key in fields for key in (*_NAMES, *_ARGUMENTS)))
    if "tool_calls" in fields and text[fields["tool_calls"][0]] == "[":
        return _read_list(text, fields["tool_calls"][0], names, place)
    wrapped = [key for key in _WRAPPERS if key in fields and text[fields[key][0]] == "{"]
    if wrapped:
        known = _BESIDE.issuperset(fields.keys() - wrapped)
        if len(wrapped) > 1 or not known:
            return Reading(ambiguous=len(wrapped) > 1 and place is Place.TAG)
        inner = read_value(text, fields[wrapped[0]][0], names, place)
        for call in inner.calls:
            call["id"] = call["id"] or _id(text, fields)
        return inner
    return _read_flat(text, fields, names, place)


def _read_flat(
    text: str, fields: dict[str, tuple[int, int]], names: Collection[str], place: Place
) -> Reading:
    named = {
        key: decoded(text[slice(*fields[key])])
        for key in _NAMES
        if key in fields and text[fields[key][0]] in "\"'"
    }
    given = [key for key in _ARGUMENTS if key in fields]
    tools = {name for name in named.values() if name in names}
    if not tools and place is Place.TAG:
        tools = {name for name in named.values() if name}
    if not tools:
        return Reading()
    if len(tools) > 1 or len(given) > 1:
        return Reading(ambiguous=True)
    beside = fields.keys() - named.keys() - set(given)
    if not _BESIDE.issuperset(beside) and (place is not Place.TAG or not given):
        return Reading()
    if not given:
        return _bare_name(tools.pop(), _id(text, fields), place)
    raw = text[slice(*fields[given[0]])]
    return _with_arguments(raw, tools.pop(), _id(text, fields), place)


def _bare_name(name: str, call_id: str, place: Place) -> Reading:
    """A tool named without arguments: a call only where a tag says so."""
    if place is not Place.TAG:
        return Reading()
    return Reading([CallDict(id=call_id, name=name, arguments="{}")])


def _with_arguments(raw: str, name: str, call_id: str, place: Place) -> Reading:
    if raw[0] in "\"'":
        raw = decoded(raw)
        if place is not Place.TAG and not raw.lstrip().startswith("{"):
            return Reading()
    if not raw.lstrip().startswith("{"):
        believed = [CallDict(id=call_id, name=name, arguments=raw)]
        return Reading(believed if place is Place.TAG else [])
    if place is not Place.TAG and _is_schema(raw):
        return Reading()
    read = read_arguments(raw, place)
    if read is None:
        return Reading()
    return Reading([CallDict(id=call_id, name=name, arguments=read[0])], python=read[1])


def _cut_call(text: str, start: int, found: Members, names: Collection[str]) -> CallDict | None:
    """A call of a known tool that the text ends in, with a text that nobody can take as whole."""
    if found.open_key is not None and text[found.open_at : found.open_at + 1] == "{":
        key = decoded(found.open_key)
        if key in _WRAPPERS:
            inner = members(text, found.open_at)
            return _cut_call(text, found.open_at, inner, names) if inner.end == CUT else None
        if key in _ARGUMENTS:
            start = found.open_at
    spoken = {
        decoded(text[begin:end])
        for key, begin, end in found.entries
        if decoded(key) in _NAMES and text[begin] in "\"'"
    }
    known = [name for name in spoken if name in names]
    if len(known) != 1:
        return None
    return CallDict(id="", name=known[0], arguments=text[start:])


def _is_schema(raw: str) -> bool:
    """Whether these arguments are the tool's own schema, echoed."""
    found = {decoded(key): raw[begin:end] for key, begin, end in members(raw, 0).entries}
    return "properties" in found and decoded(found.get("type", "''")) == "object"


def _id(text: str, fields: dict[str, tuple[int, int]]) -> str:
    for key in _IDS:
        if key in fields and text[fields[key][0]] in "\"'":
            return decoded(text[slice(*fields[key])])
    return ""
