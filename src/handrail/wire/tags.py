"""Reads calls inside the tags and markers that families of models were trained to write.

The shapes follow the families' published chat templates and the parsers of vLLM:

=================  ==========================================================================
kind               written as
=================  ==========================================================================
tool_call          ``<tool_call>{json}</tool_call>`` (Qwen, Hermes), also ``<|tool_call|>[..]``
tools              ``<tools>{json}</tools>`` (Qwen2.5-Coder); known tools only
function           ``<function=name>{json}</function>`` (Llama 3.x)
parameters         ``<function=name>`` with ``<parameter=x>`` elements (Qwen3-Coder)
invoke             an ``invoke`` element with ``parameter`` elements (Claude, DeepSeek DSML)
python_tag         ``<|python_tag|>{json}; {json}`` (Llama 3.x)
mistral            ``[TOOL_CALLS][{json}]``, ``[TOOL_CALLS]name{json}``, ``..name[ARGS]{json}``
pythonic           ``<|tool_call_start|>[f(a=1)]<|tool_call_end|>`` (LFM2)
deepseek           ``tool_call_begin``, ``tool_sep`` and ``tool_call_end`` markers (V3, R1, V3.1)
=================  ==========================================================================

A tag that is not closed is read if what it holds is whole. Where the text ends inside a call of a
known tool, the call gets arguments that end in the middle too, so that nobody runs them.
"""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from handrail.wire.envelope import Place, Reading, is_whole, read_arguments, read_sequence
from handrail.wire.literals import is_json, python_calls
from handrail.wire.shapes import CallDict
from handrail.wire.spans import CUT, closing

__all__ = ["OPENER", "Text", "read_pythonic", "read_tag"]

_BAR = "[|\uff5c]"
_GAP = "[\u2581_ ]"
_NS = r"(?:[^\s<>/\"']{1,12}:|[|\uff5c]{1,2}DSML[|\uff5c]{1,2})?"
_NAME = r"[^\s<>\"'{}\[\]()]{1,100}"

_JSON_CLOSE = re.compile(
    r"<\|?/(?:tool_calls?|function_call|tools)\|?>"
    r"|(?=<\|?(?:tool_calls?|function_call|tools)\|?>)"
)
_FUNCTION_CLOSE = re.compile(r"</function>|(?=</tool_call>|<function=)")
_INVOKE_CLOSE = re.compile(rf"</{_NS}invoke\s*>|(?=<{_NS}invoke\s)")
_MARKER_CLOSE = re.compile(
    r"<\|e(?:om|ot)_id\|>|</s>|<\|im_end\|>|(?=<\|python_tag\|>|\[TOOL_CALLS\])"
)
_LFM_CLOSE = re.compile(r"<\|tool_call_end\|>|(?=<\|tool_call_start\|>)")
_DEEPSEEK_CLOSE = re.compile(
    rf"<{_BAR}tool{_GAP}call{_GAP}end{_BAR}>|(?=<{_BAR}tool{_GAP}calls?{_GAP}(?:begin|end){_BAR}>)"
)

_FUNCTION_PARAMETER = re.compile(r"\s*+<parameter=([^<>\n]{1,200})>")
_INVOKE_PARAMETER = re.compile(
    rf"\s*+<{_NS}parameter\s+name=[\"']([^\"'\n]{{1,200}})[\"']([^<>]{{0,200}})>"
)
_PARAMETER_CLOSE = re.compile(rf"</{_NS}parameter\s*>|(?=<{_NS}parameter[\s=])")
_FENCE_OPEN = re.compile(r"\s*+(?:```[a-z_]*+\s*+)?")
_DEEPSEEK_HEAD = re.compile(
    rf"\s*+([^\n<]{{0,100}})<{_BAR}tool{_GAP}sep{_BAR}>\s*+(?:([^\s<{{]{{1,100}})\s*+(?:```\w*\s*+)?)?"
)
_MISTRAL_HEAD = re.compile(rf"\s*+({_NAME})(?:\[CALL_ID\][\w-]{{1,64}})?(?:\[ARGS\])?\s*+(?=\{{)")
_CALL_HEAD = re.compile(r"([A-Za-z_][\w.]{0,99})\(")

OPENER = re.compile(
    r"(?P<tool_call><(\|?)(?:tool_calls?|function_call)\2>)"
    r"|(?P<tools><tools>)"
    rf"|(?P<function><function=(?P<f_name>{_NAME})>)"
    rf"|(?P<invoke><{_NS}invoke\s+name=[\"'](?P<i_name>{_NAME})[\"']\s*>)"
    r"|(?P<python_tag><\|python_tag\|>)"
    r"|(?P<mistral>\[TOOL_CALLS\])"
    r"|(?P<pythonic><\|tool_call_start\|>)"
    rf"|(?P<deepseek><{_BAR}tool{_GAP}call{_GAP}begin{_BAR}>)"
)
"""Matches where a tag starts; the last group that took part names the kind."""


@dataclass(slots=True)
class Text:
    """A text, the tools that are known, and how much work it is still worth.

    ``fuel`` is in characters. What fails to be read is paid for, so that a text made of
    openings that never close is given up after a few passes, not after one pass for each.
    ``examples_too`` takes a call also where the words before it say that it is an example.
    """

    text: str
    names: Collection[str]
    fuel: int
    examples_too: bool = False

    def spend(self, amount: int) -> bool:
        """Pays for work; whether any is left."""
        self.fuel -= amount
        return self.fuel > 0


def read_tag(source: Text, opened: re.Match[str]) -> tuple[Reading, str]:
    """What the tag that `OPENER` found holds, and its kind; ``end`` is always a place."""
    kind = next(name for name in _READERS if opened[name])
    reading, kind = _READERS[kind](source, opened)
    if reading.end < opened.end():
        reading.end = opened.end()
    return reading, kind


def read_pythonic(body: str, names: Collection[str], place: Place) -> Reading:
    """Calls as Python writes them, with nothing around; ``end`` is the whole body or `CUT`."""
    calls = python_calls(body)
    if calls is not None:
        known = all(name in names for name, _ in calls) or place is Place.TAG
        read = [CallDict(id="", name=name, arguments=arguments) for name, arguments in calls]
        return Reading(read if known else [], len(body))
    bracket = next((at for at, char in enumerate(body) if char in "[("), None)
    if bracket is None or closing(body, bracket) != CUT:
        return Reading(end=len(body))
    known_names = {head[1] for head in _CALL_HEAD.finditer(body) if head[1] in names}
    if len(known_names) != 1:
        return Reading(end=CUT)
    return Reading([CallDict(id="", name=known_names.pop(), arguments=_cut_text(body))], CUT)


def _json_tag(source: Text, opened: re.Match[str]) -> tuple[Reading, str]:
    place = Place.FENCE if opened["tools"] else Place.TAG
    first = _after(_FENCE_OPEN, source.text, opened.end())
    if source.text.startswith("<function=", first):
        return Reading(end=first), "tool_call"
    kind = "tools" if opened["tools"] else "tool_call"
    return _json_body(source, first, _JSON_CLOSE, place), kind


def _python_tag(source: Text, opened: re.Match[str]) -> tuple[Reading, str]:
    first = _after(_FENCE_OPEN, source.text, opened.end())
    return _json_body(source, first, _MARKER_CLOSE, Place.TAG), "python_tag"


def _mistral(source: Text, opened: re.Match[str]) -> tuple[Reading, str]:
    head = _MISTRAL_HEAD.match(source.text, opened.end())
    if head is None:
        return _python_tag(source, opened)[0], "mistral"
    return _arguments_body(source, head.end(), _MARKER_CLOSE, head[1]), "mistral"


def _function(source: Text, opened: re.Match[str]) -> tuple[Reading, str]:
    first = _after(_FENCE_OPEN, source.text, opened.end())
    if source.text.startswith("{", first):
        return _arguments_body(source, first, _FUNCTION_CLOSE, opened["f_name"]), "function"
    name = opened["f_name"]
    reading = _elements(source, opened.end(), name, _FUNCTION_CLOSE, _FUNCTION_PARAMETER)
    return reading, "parameters"


def _invoke(source: Text, opened: re.Match[str]) -> tuple[Reading, str]:
    reading = _elements(source, opened.end(), opened["i_name"], _INVOKE_CLOSE, _INVOKE_PARAMETER)
    return reading, "invoke"


def _lfm(source: Text, opened: re.Match[str]) -> tuple[Reading, str]:
    start = opened.end()
    body, after = _until(source.text, start, _LFM_CLOSE)
    if body.lstrip()[:1] == "{" or body.lstrip("[ \n")[:1] == "{":
        first = _after(_FENCE_OPEN, source.text, start)
        return _json_body(source, first, _LFM_CLOSE, Place.TAG), "tool_call"
    reading = read_pythonic(body.strip(), source.names, Place.TAG)
    reading.end = after
    return reading, "pythonic"


def _deepseek(source: Text, opened: re.Match[str]) -> tuple[Reading, str]:
    head = _DEEPSEEK_HEAD.match(source.text, opened.end())
    if head is None:
        return Reading(), "deepseek"
    name = (head[2] or head[1]).strip()
    return _arguments_body(source, head.end(), _DEEPSEEK_CLOSE, name), "deepseek"


_READERS = {
    "tool_call": _json_tag,
    "tools": _json_tag,
    "function": _function,
    "invoke": _invoke,
    "python_tag": _python_tag,
    "mistral": _mistral,
    "pythonic": _lfm,
    "deepseek": _deepseek,
}


def _json_body(source: Text, first: int, close: re.Pattern[str], place: Place) -> Reading:
    """Envelopes up to the closing tag, or past it if it stands inside a string of theirs."""
    body, after = _until(source.text, first, close)
    reading = read_sequence(body, 0, source.names, place)
    if reading.end >= 0:
        alone = not body[reading.end :].strip("` \r\n\t")
        reading.end = after if alone else first + reading.end
        return reading
    if first + len(body) < len(source.text) and source.spend(len(source.text) - first):
        past = read_sequence(source.text[first:], 0, source.names, place)
        if past.end >= 0 and past.calls and all(map(is_whole, past.calls)):
            past.end = _after(close, source.text, first + past.end)
            return past
    reading.end = after
    return reading


def _arguments_body(source: Text, first: int, close: re.Pattern[str], name: str) -> Reading:
    """One object of arguments for a named tool, up to the closing tag."""
    body, after = _until(source.text, first, close)
    if not body.startswith("{"):
        return Reading(end=after)
    end = closing(body, 0)
    if end < 0 and first + len(body) < len(source.text):
        source.spend(len(source.text) - first)
        past = closing(source.text, first) if source.fuel > 0 else CUT
        if past >= 0 and is_json(source.text[first:past]):
            return _named(name, source.text[first:past], past)
    if end == CUT:
        cut = [CallDict(id="", name=name, arguments=body)] if name in source.names else []
        return Reading(cut, after)
    return _named(name, body[:end], after) if end >= 0 else Reading(end=after)


def _named(name: str, raw: str, end: int) -> Reading:
    read = read_arguments(raw, Place.TAG)
    if read is None or not name:
        return Reading(end=end)
    return Reading([CallDict(id="", name=name, arguments=read[0])], end, python=read[1])


def _elements(
    source: Text,
    start: int,
    name: str,
    close: re.Pattern[str],
    parameter: re.Pattern[str],
) -> Reading:
    """Parameters as elements. Their values have no type of their own: see `_typed`."""
    body, after = _until(source.text, start, close)
    closed = start + len(body) < len(source.text)
    members: list[str] = []
    place = 0
    while opened := parameter.match(body, place):
        ended = _PARAMETER_CLOSE.search(body, opened.end())
        value = body[opened.end() : ended.start() if ended else len(body)]
        if ended is None and not closed:
            cut = json.dumps(value, ensure_ascii=False)[:-1]
            return _cut_elements(source, name, [*members, f"{_key(opened)}: {cut}"], after)
        members.append(f"{_key(opened)}: {_typed(source.names, name, opened, value)}")
        place = ended.end() if ended else len(body)
    if not closed:
        return _cut_elements(source, name, members, after)
    if body[place:].strip():
        return Reading(end=after)
    return Reading([CallDict(id="", name=name, arguments=f"{{{', '.join(members)}}}")], after)


def _cut_elements(source: Text, name: str, members: list[str], after: int) -> Reading:
    if name not in source.names:
        return Reading(end=after)
    return Reading([CallDict(id="", name=name, arguments="{" + ", ".join(members))], after)


def _key(opened: re.Match[str]) -> str:
    return json.dumps(opened[1].strip(), ensure_ascii=False)


def _typed(names: Collection[str], tool: str, opened: re.Match[str], value: str) -> str:
    """The value as JSON text.

    It is JSON where the tool's schema wants something else than text, or the element says so
    (DSML's ``string="false"``); otherwise it is text, which a later, proved mend may read.
    """
    value = value.removeprefix("\n").removesuffix("\n")
    beside = opened[2] if len(opened.groups()) > 1 else ""
    says_json = 'string="false"' in beside or _wants_json(names, tool, opened[1].strip())
    if says_json and is_json(value):
        return value.strip()
    return json.dumps(value, ensure_ascii=False)


def _wants_json(names: Collection[str], tool: str, parameter: str) -> bool:
    schema = names.get(tool) if isinstance(names, Mapping) else None
    declared = schema.get("properties") if isinstance(schema, Mapping) else None
    one = declared.get(parameter) if isinstance(declared, Mapping) else None
    if not isinstance(one, Mapping):
        return False
    branches = [one, *(one.get("anyOf") or ()), *(one.get("oneOf") or ())]
    types: set[str] = set()
    for branch in branches:
        said = branch.get("type") if isinstance(branch, Mapping) else None
        types.update([said] if isinstance(said, str) else said or ())
    return bool(types) and "string" not in types


def _cut_text(body: str) -> str:
    """Text that is no JSON, as the start of JSON that is cut off."""
    return "{" + json.dumps(body, ensure_ascii=False)[:-1]


def _until(text: str, start: int, close: re.Pattern[str]) -> tuple[str, int]:
    """The text up to the closing tag, and the place after that tag."""
    found = close.search(text, start)
    if found is None:
        return text[start:], len(text)
    return text[start : found.start()], found.end()


def _after(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place
