"""What OpenAI chat completions refuse in a history, and how it is mended.

Refused are: a call without a ``tool`` message directly after its turn, a ``tool`` message that
answers no call directly before it, an id that is missing, repeated or longer than 40 characters,
an empty ``tool_calls``, an assistant turn without anything in it, arguments that are no text,
and content that is null where only a call may stand in for it.
"""

from collections.abc import Mapping, Sequence
from operator import is_
from typing import Any

from handrail.wire.heal_turns import Shape
from handrail.wire.history import Note, Opened, Part, Turn, copied, fitting_name
from handrail.wire.plain import arguments_text, field, json_text, raw_arguments, string

__all__ = ["OPENAI_HISTORY"]

_LONGEST_ID = 40
_STANDS_FOR_CONTENT = ("refusal", "audio", "function_call")

Message = Any  # Any: a message or call as dict, or as an object of the client library


def _read(messages: Sequence[Message], note: Note) -> list[Turn]:
    return [_turn(message, at, note) for at, message in enumerate(messages)]


def _turn(message: Message, at: int, note: Note) -> Turn:
    role = field(message, "role")
    if role == "tool":
        result = Part("result", at, message, string(field(message, "tool_call_id")))
        return Turn("user", [result], message)
    if role != "assistant":
        kept = Part("said", at, _with_content(message, role, at, note))
        return Turn("user" if role == "user" else "other", [kept], message)
    calls = _calls(message)
    if calls:
        parts = [Part("call", at, call, string(field(call, "id")), _name(call)) for call in calls]
        words = [Part("said", at, message)] if field(message, "content") else []
        return Turn("model", [*words, *parts], message, calls)
    if not any(field(message, key) for key in ("content", *_STANDS_FOR_CONTENT)):
        return Turn("model", [Part("nothing", at, message)], message)
    if isinstance(message, Mapping) and "tool_calls" in message:
        note("rewritten", at, "an assistant turn had an empty tool_calls")
    return Turn("model", [Part("said", at, message)], message)


def _with_content(message: Message, role: object, at: int, note: Note) -> Message:
    if role not in ("system", "developer", "user") or field(message, "content") is not None:
        return message
    note("rewritten", at, f"the content of a {role} message was null")
    return {**copied(message, f"messages[{at}]"), "content": ""}


def _calls(message: Message) -> Sequence[Message]:
    calls = field(message, "tool_calls")
    return calls if isinstance(calls, list | tuple) else ()


def _name(call: Message) -> str:
    return string(field(field(call, "function") or field(call, "custom"), "name"))


def _call(opened: Opened, note: Note) -> Message:
    one, at = opened.call.value, opened.call.at
    same = opened.id == opened.call.id
    if field(one, "custom") is not None:
        return one if same else {**copied(one, f"messages[{at}].tool_calls"), "id": opened.id}
    function = field(one, "function")
    name = fitting_name(field(function, "name"))
    arguments = field(function, "arguments")
    changes = []
    if name != field(function, "name"):
        changes.append(f"the name of a call became {name!r}")
    if not isinstance(arguments, str):
        changes.append(f"the arguments of a call of {name!r} became text")
        arguments = arguments_text(raw_arguments(arguments))
    if field(one, "type") != "function":
        changes.append(f"the call of {name!r} has a type now")
    for text in changes:
        note("rewritten", at, text)
    if same and not changes:
        return one
    made = {"name": name, "arguments": arguments}
    return {"id": opened.id, "type": "function", "function": made}


def _result(opened: Opened, part: Part, note: Note) -> Message:
    changes: dict[str, str] = {}
    if field(part.value, "tool_call_id") != opened.id:
        changes["tool_call_id"] = opened.id
    content = field(part.value, "content")
    if not isinstance(content, str | list | tuple):
        changes["content"] = "" if content is None else json_text(content)
        note("rewritten", part.at, f"the content of the result of {opened} became text")
    return {**copied(part.value, f"messages[{part.at}]"), **changes} if changes else part.value


def _missing(opened: Opened, text: str) -> Message:
    return {"role": "tool", "tool_call_id": opened.id, "content": text}


def _write(turn: Turn) -> list[Message]:
    calls = [part.value for part in turn.parts if part.kind == "call"]
    if not calls:
        return [_without_calls(part) for part in turn.parts]
    if len(calls) == len(turn.given) and all(map(is_, calls, turn.given)):
        return [turn.source]
    return [{**copied(turn.source, f"messages[{turn.parts[0].at}]"), "tool_calls": calls}]


def _without_calls(part: Part) -> Message:
    """A message whose calls are gone; a turn of the model may not hold an empty list of them."""
    message = part.value
    listed = isinstance(message, Mapping) and "tool_calls" in message
    if field(message, "role") != "assistant" or not (listed or _calls(message)):
        return message
    kept = copied(message, f"messages[{part.at}]")
    return {key: item for key, item in kept.items() if key != "tool_calls"}


OPENAI_HISTORY = Shape(
    read=_read,
    call=_call,
    result=_result,
    missing=_missing,
    write=_write,
    fits=lambda id: len(id) <= _LONGEST_ID,
    together=False,
)
