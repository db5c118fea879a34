"""What Gemini refuses in a history, and how it is mended.

Refused are: another number of results in the content behind a call than it has calls, a result for
no call of the content before, a content that mixes results with anything else (by Vertex), calls
that stand neither behind the user nor behind results, as those of a second content of the model
do, arguments or a response that are no objects, empty text, and a content without parts. Ids are
optional; results are told apart by their order and name where there are none.

A thought signature that was lost cannot be made again: newer models refuse the calls of the
running turn without theirs.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from handrail.wire.gemini_parts import call_of, response_of
from handrail.wire.heal_turns import NO_BEGINNING, Shape, begun, block_turn, with_parts
from handrail.wire.history import Note, Opened, Part, Turn, copied, fitting_name
from handrail.wire.plain import arguments_object, either, field, string

__all__ = ["GEMINI_HISTORY"]

_NAME = re.compile(r"[a-zA-Z0-9_.:-]{1,128}")
_CALL = ("functionCall", "function_call")
_RESULT = ("functionResponse", "function_response")

Value = Any  # Any: a content or part as dict, or as an object of the client library


def _read(contents: Sequence[Value], note: Note) -> list[Turn]:
    return [_turn(content, at) for at, content in enumerate(contents)]


def _turn(content: Value, at: int) -> Turn:
    given = field(content, "parts")
    values = given if isinstance(given, list | tuple) else ()
    ours = field(content, "role") == "model"
    return block_turn(content, at, [_part(value, at, ours) for value in values], values)


def _part(value: Value, at: int, ours: bool) -> Part:
    called = call_of(value) if ours else None
    if called is not None:
        return Part("call", at, value, string(field(called, "id")), _fitting(called))
    answer = response_of(value)
    if answer is not None:
        return Part("result", at, value, string(field(answer, "id")), string(field(answer, "name")))
    signed = either(value, "thoughtSignature", "thought_signature")
    empty = field(value, "text") == "" and signed is None
    if isinstance(value, Mapping):
        empty = empty or all(one is None for one in value.values())
    return Part("nothing" if empty else "said", at, value)


def _fitting(called: object) -> str:
    name = string(field(called, "name"))
    return name if _NAME.fullmatch(name) else fitting_name(name)


def _call(opened: Opened, note: Note) -> Value:
    part, called = opened.call, call_of(opened.call.value)
    changes: dict[str, Any] = {}  # Any: JSON values
    if opened.id != part.id:
        changes["id"] = opened.id
    if field(called, "name") != part.name:
        changes["name"] = part.name
        note("rewritten", part.at, f"the name of a call became {part.name!r}")
    arguments = field(called, "args")
    if arguments is not None and not isinstance(arguments, Mapping):
        changes["args"] = arguments_object(arguments)
        note("rewritten", part.at, f"the args of {opened} became an object")
    return _changed(part, _CALL, changes)


def _result(opened: Opened, part: Part, note: Note) -> Value:
    changes: dict[str, Any] = {}  # Any: JSON values
    answer = response_of(part.value)
    if part.id != opened.id and (part.id or opened.id != opened.call.id):
        changes["id"] = opened.id
    if field(answer, "name") != opened.call.name:
        changes["name"] = opened.call.name
        note("rewritten", part.at, f"the result of {opened} bears its name now")
    response = field(answer, "response")
    if not isinstance(response, Mapping):
        changes["response"] = {"output": "" if response is None else response}
        note("rewritten", part.at, f"the response to {opened} became an object")
    return _changed(part, _RESULT, changes)


def _changed(part: Part, keys: tuple[str, str], changes: dict[str, Any]) -> Value:
    if not changes:
        return part.value
    kept = copied(part.value, f"contents[{part.at}].parts")
    key = keys[0] if kept.get(keys[0]) is not None else keys[1]
    return {**kept, key: {**copied(kept[key], key), **changes}}


def _missing(opened: Opened, text: str) -> Value:
    own = {"id": opened.id} if opened.id else {}
    said = {**own, "name": opened.call.name, "response": {"error": text}}
    return {"functionResponse": said}


def _meet(one: Turn, other: Turn) -> bool:
    """The model's contents do not follow one another; words stay apart from results."""
    return one.role == other.role == "model"


def _settle(turns: list[Turn], note: Note) -> list[Turn]:
    """Results that shared a content with words are told; calls do not begin a history."""
    for before, after in pairwise(turns):
        if before.answers and before.source is after.source and before.source is not None:
            at = after.parts[0].at
            if any(part.at == at for part in before.parts):
                note("rewritten", at, "results were put into a content of their own")
    if turns and turns[0].holds("call"):
        return begun(turns, note, 0, {"text": NO_BEGINNING})
    return turns


GEMINI_HISTORY = Shape(
    read=_read,
    call=_call,
    result=_result,
    missing=_missing,
    write=lambda turn: with_parts(turn, "parts"),
    meet=_meet,
    settle=_settle,
    optional_ids=True,
    ordered=True,
)
