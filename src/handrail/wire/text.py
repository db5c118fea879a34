"""Finds tool calls that a model wrote as text instead of sending them as calls.

Small and local models do this most of the time, and large ones now and then. A call is read only
if there is exactly one reading of it, since what is read here is run. So, in order:

1. Thoughts (``<think>``) and code in other languages are no calls.
2. A family's own tag (`tags`) is plain intent: if there is one, nothing else is read, and an
   unknown tool is a call too, so that the model can be told. A tag in quotes or in inline code is
   a mention.
3. A fence counts if all that it holds is calls of known tools.
4. An object, a list or Python calls in prose count if no sentence goes on behind them on their
   line, and if they are not in quotes.
5. After words such as «for example» or «do not», a fence or a bare object is a mention.
6. Calls in fences and calls in prose must be the same ones; otherwise there are two readings.

What is cut off stays cut off: a call of a known tool that the text ends in, in a tag, in a fence
or with nothing before it, gets arguments that end in the middle. Work is bounded by the length
of the text.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from handrail.wire.envelope import Place, Reading, is_whole, read_sequence
from handrail.wire.shapes import CallDict
from handrail.wire.spans import CUT, closing
from handrail.wire.tags import OPENER, Text, read_pythonic, read_tag

__all__ = ["TextCalls", "find_calls"]

_HOT = re.compile(
    r"""\{(?=\s*+["'])|\[(?=TOOL_CALLS\]|\s*+(?:[{\[]|[A-Za-z_][\w.]*+\())"""
    r"""|<(?=[|\uff5c/]?[A-Za-z\uff5c|])|`{3,}+"""
)
_THINK = re.compile(r"<(/?)think(?:ing)?>")
_INFO = re.compile(r"[ \t]*+([A-Za-z_+#.-]*+)[ \t]*+\n?")
_TOOL_INFO = ("tool", "tool_call", "tool_calls", "tool_use", "function", "function_call")
_JSON_INFO = frozenset(
    ("", "json", "jsonc", "json5", "text", "plaintext", "xml", "tool_code", *_TOOL_INFO)
)
_PYTHON_INFO = frozenset(("tool_code", "tool_call", "tool_calls", ""))
_CALL = re.compile(r"\[?\s*+(?:print\s*+\()?\s*+[A-Za-z_][\w.]*+\(")
_MENTION = re.compile(
    r"(?<!\w)(?:for example|for instance|e\.g\.|examples?|(?:would|should|could|might) look like"
    r"|looks? like this|(?:such as|something like|instead of|rather than)(?=[\s:]*$)"
    r"|(?:do not|don't|never|should not|shouldn't|avoid|without) (?:\w+ly )?"
    r"(?:call|send|use|using|write|writ|run|invok|mak)\w*"
    r"|(?:i|already|previously) (?:called|sent|made|tried))(?!\w)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?](?:\s|$)|[^:\s]\s*\n\s*\n")
_MENTION_REACH = 200
_SCRAP = 16
_QUOTES = "\"'`\u201c\u2018\u00ab\u201e"
_FUEL = 8
_FUEL_FLOOR = 65_536


@dataclass(frozen=True, slots=True)
class TextCalls:
    """The calls that a text holds.

    Attributes:
        calls: In the order of the text; ids are ``""`` unless the model wrote one.
        kinds: How each call was written: a kind of `tags`, or ``fence``, ``bare``,
            ``pythonic``, ``tool_code``; with ``+python`` where its arguments were a Python
            literal.
        ambiguous: There was more than one reading; then there are no calls.
    """

    calls: list[CallDict] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    ambiguous: bool = False


@dataclass(slots=True)
class _Found:
    """What one way of writing gave: calls with their kinds."""

    calls: list[CallDict] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    ambiguous: bool = False

    def add(self, reading: Reading, kind: str) -> None:
        """Takes over the calls of one reading."""
        self.ambiguous |= reading.ambiguous
        self.calls += reading.calls
        self.kinds += [f"{kind}+python" if reading.python else kind] * len(reading.calls)

    def result(self) -> TextCalls:
        """The calls, or none of them if one of them has two readings."""
        if self.ambiguous:
            return TextCalls(ambiguous=True)
        return TextCalls(self.calls, self.kinds)


def find_calls(text: str, names: Collection[str], expected: Collection[str] = ()) -> TextCalls:
    """The calls that a text holds; never raises, and never closes what is cut off.

    Args:
        text: What the model wrote, whole.
        names: The known tools. A mapping of name to JSON Schema also gives the types of
            parameters that a family writes as bare text.
        expected: Tools whose call the model was just asked to correct. Asked for a correction,
            models write «for example, call it like this», and mean it: such a call of an
            expected tool counts, if no other is there.
    """
    if not text or not any(mark in text for mark in ("{", "[", "<", "`")):
        return TextCalls()
    fuel = _FUEL * len(text) + _FUEL_FLOOR
    found = _read(Text(text, names, fuel))
    if found.calls or found.ambiguous or not expected:
        return found
    shown = _read(Text(text, names, fuel, examples_too=True))
    meant = shown.calls and all(call["name"] in expected for call in shown.calls)
    return shown if meant else found


def _read(source: Text) -> TextCalls:
    found = _scan(source)
    if found is None:
        return TextCalls()
    tags, fences, bare = found
    if tags.calls or tags.ambiguous:
        return tags.result()
    if fences.calls and bare.calls:
        same = fences.calls == bare.calls
        return fences.result() if same and not bare.ambiguous else TextCalls(ambiguous=True)
    fences.calls += bare.calls
    fences.kinds += bare.kinds
    fences.ambiguous |= bare.ambiguous
    return fences.result()


def _scan(source: Text) -> tuple[_Found, _Found, _Found] | None:
    """Calls in tags, in fences and in prose; None if the text is not worth more work."""
    text, place = source.text, 0
    tags, fences, bare = _Found(), _Found(), _Found()
    while hot := _HOT.search(text, place):
        start = hot.start()
        if text[start] == "`":
            reading, kind = _fence(source, hot)
            fences.add(reading, kind)
        elif thought := _THINK.match(text, start):
            if thought[1]:
                tags, fences, bare = _Found(), _Found(), _Found()
            reading = Reading(end=thought.end() if thought[1] else _thought_end(text, start))
        elif opened := OPENER.match(text, start):
            reading, kind = read_tag(source, opened)
            if not text[start - 1 : start].strip() or text[start - 1] not in _QUOTES:
                tags.add(reading, kind)
        elif text[start] == "<":
            reading = Reading(end=start + 1)
        else:
            reading, kind = _bare(source, start)
            bare.add(reading, kind)
        place = max(reading.end, start + 1)
        if not reading.calls and not source.spend(0):
            return None
    return tags, fences, bare


def _thought_end(text: str, start: int) -> int:
    closed = text.find("</think", start)
    return len(text) if closed < 0 else closed + len("</think")


def _fence(source: Text, ticks: re.Match[str]) -> tuple[Reading, str]:
    """Calls in a fence; ``end`` is after its closing ticks."""
    text = source.text
    info = _INFO.match(text, ticks.end())
    begin = info.end() if info else ticks.end()
    language = info[1].lower() if info else ""
    closed = text.find(ticks.group(), begin)
    end = len(text) if closed < 0 else closed
    after = min(len(text), end + len(ticks.group()))
    if language not in _JSON_INFO or _is_mentioned(source, ticks.start()):
        return Reading(end=after), "fence"
    reading, kind = _fence_body(source, text[begin:end], language)
    if closed >= 0 and reading.end == CUT and source.spend(len(text) - begin):
        longer = _past_ticks(source, begin, ticks.group())
        if longer is not None:
            return longer, "fence"
    reading.end = after
    return reading, kind


def _past_ticks(source: Text, begin: int, ticks: str) -> Reading | None:
    """Whole calls of a fence in whose strings stand ticks; None if there are none."""
    body = source.text[begin:].lstrip()
    if body[:1] not in ("{", "["):
        return None
    longer = read_sequence(body, 0, source.names, Place.FENCE)
    behind = body[longer.end :].lstrip()
    if longer.end < 0 or not behind.startswith(ticks) or not all(map(is_whole, longer.calls)):
        return None
    longer.end = len(source.text) - len(behind) + len(ticks)
    return longer


def _fence_body(source: Text, body: str, language: str) -> tuple[Reading, str]:
    body = body.strip()
    opened = OPENER.match(body)
    if opened and body[0] == "<":
        return _fence_tags(body, source.names)
    if language in _PYTHON_INFO and _CALL.match(body):
        return read_pythonic(body, source.names, Place.FENCE), "tool_code"
    if not body or body[0] not in "{[":
        return Reading(), "fence"
    reading = read_sequence(body, 0, source.names, Place.FENCE)
    if reading.end >= 0 and body[reading.end :].strip():
        reading.calls = []
    return reading, "fence"


def _fence_tags(body: str, names: Collection[str]) -> tuple[Reading, str]:
    source = Text(body, names, _FUEL * len(body) + _FUEL_FLOOR)
    whole, kind, place = Reading(), "fence", 0
    while opened := OPENER.search(body, place):
        reading, kind = read_tag(source, opened)
        whole.calls += reading.calls
        whole.ambiguous |= reading.ambiguous
        whole.python |= reading.python
        whole.end = place = reading.end
        if not source.spend(0):
            return Reading(), kind
    return whole, kind


def _bare(source: Text, start: int) -> tuple[Reading, str]:
    """Calls in prose; ``end`` is after them, or after the JSON that is none."""
    text = source.text
    if _CALL.match(text, start):
        return _bare_pythonic(source, start), "pythonic"
    reading = read_sequence(text, start, source.names, Place.PROSE)
    if reading.end < 0:
        source.spend(len(text) - start)
    if reading.end == CUT and reading.calls and text[:start].strip():
        reading.calls = []
    said = reading.calls or reading.ambiguous
    if said and reading.end >= 0 and not _stands_alone(source, start, reading.end):
        return Reading(end=reading.end), "bare"
    return reading, "bare"


def _bare_pythonic(source: Text, start: int) -> Reading:
    text = source.text
    end = closing(text, start)
    if end < 0:
        source.spend(len(text) - start)
        return Reading(end=end)
    if not _stands_alone(source, start, end):
        return Reading(end=start + 1)
    reading = read_pythonic(text[start:end], source.names, Place.PROSE)
    source.spend(end - start)
    return Reading(reading.calls, end if reading.calls else start + 1)


def _stands_alone(source: Text, start: int, end: int) -> bool:
    """Whether what is there was said by itself, and not within a sentence."""
    text = source.text
    line_end = text.find("\n", end)
    behind = text[end : line_end if line_end >= 0 else len(text)][:_MENTION_REACH].strip()
    before = text[max(0, text.rfind("\n", 0, start) + 1, start - _MENTION_REACH) : start].strip()
    if before == behind == "`":
        return not _is_mentioned(source, start)
    if before and before[-1] in _QUOTES:
        return False
    if _is_mentioned(source, start):
        return False
    one_scrap = len(behind) <= _SCRAP and len(behind.split()) <= 1
    return one_scrap or behind[0] in ".;!?" or behind[0].isupper()


def _is_mentioned(source: Text, start: int) -> bool:
    """Whether the words before say that this is an example, or not to be done."""
    if source.examples_too:
        return False
    before = source.text[max(0, start - _MENTION_REACH) : start]
    return any(
        not _SENTENCE_END.search(before, mention.end()) for mention in _MENTION.finditer(before)
    )
