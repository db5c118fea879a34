"""What OpenAI chat completions refuse in a history, mended message by message.

Refused are: a call without a ``tool`` message directly after its turn, a ``tool`` message that
answers no call directly before it, an id that is missing, repeated or longer than 40 characters,
an empty ``tool_calls``, an assistant turn without anything in it, arguments that are no text,
and content that is null where only a call may stand in for it.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from handrail.wire.history import (
    NO_RESULT,
    Group,
    HistoryChange,
    Opened,
    Pairs,
    copied,
    fitting_name,
)
from handrail.wire.plain import field

__all__ = ["heal_openai"]

_LONGEST_ID = 40
_STANDS_FOR_CONTENT = ("refusal", "audio", "function_call")

Message = Any  # Any: a message as dict, or as an object of the client library


def heal_openai(messages: Sequence[Message]) -> tuple[list[Message], list[HistoryChange]]:
    """The history as it is accepted, and what was changed in it."""
    pairs = _paired(messages)
    healed: list[Message] = []
    for at, message in enumerate(messages):
        role = field(message, "role")
        if role == "tool":
            continue
        group = pairs.groups.get(at)
        if group is not None:
            healed.append(_turn(message, group, pairs))
            healed += _results(messages, group, pairs)
        elif role == "assistant" and _is_empty(message):
            pairs.note("turn_dropped", at, "an assistant turn with nothing in it")
        else:
            healed.append(_plain_turn(message, at, pairs))
    return healed, sorted(pairs.changes, key=lambda change: change.at)


def _paired(messages: Sequence[Message]) -> Pairs:
    pairs = Pairs()
    for at, message in enumerate(messages):
        role = field(message, "role")
        calls = _calls(message) if role == "assistant" else []
        if calls:
            pairs.add(at, [(_text(field(call, "id")), _name(call)) for call in calls])
        elif role == "tool":
            pairs.answer(at, _text(field(message, "tool_call_id")), message)
        elif role != "assistant" or not _is_empty(message):
            pairs.elsewhere()
    pairs.settle(lambda id: len(id) <= _LONGEST_ID)
    return pairs


def _calls(message: Message) -> Sequence[Any]:  # Any: calls as dicts or objects
    calls = field(message, "tool_calls")
    return calls if isinstance(calls, list | tuple) else ()


def _is_empty(message: Message) -> bool:
    if _calls(message) or field(message, "content"):
        return False
    return not any(field(message, key) for key in _STANDS_FOR_CONTENT)


def _turn(message: Message, group: Group, pairs: Pairs) -> Message:
    sent = _calls(message)
    calls = [_call(one, call, group.at, pairs) for one, call in zip(sent, group.calls, strict=True)]
    if all(new is old for new, old in zip(calls, sent, strict=True)):
        return message
    return {**copied(message, f"messages[{group.at}]"), "tool_calls": calls}


def _call(one: Any, call: Opened, at: int, pairs: Pairs) -> Any:  # Any: a call, dict or object
    if field(one, "custom") is not None:
        same = call.id == call.sent
        return one if same else {**copied(one, f"messages[{at}].tool_calls"), "id": call.id}
    function = field(one, "function")
    name = fitting_name(field(function, "name"))
    arguments = field(function, "arguments")
    changes = []
    if name != field(function, "name"):
        changes.append(f"the name of a call became {name!r}")
    if not isinstance(arguments, str):
        changes.append(f"the arguments of a call of {name!r} became text")
        arguments = _json(arguments)
    if field(one, "type") != "function":
        changes.append(f"the call of {name!r} has a type now")
    for text in changes:
        pairs.note("rewritten", at, text)
    if not changes and call.id == call.sent:
        return one
    made = {"name": name, "arguments": arguments}
    return {"id": call.id, "type": "function", "function": made}


def _results(messages: Sequence[Message], group: Group, pairs: Pairs) -> list[Message]:
    answered = [call for call in group.calls if call.result is not None]
    made = []
    for call in sorted(answered, key=lambda one: one.answered_at):
        if not _stands_behind(messages, group.at, call.answered_at):
            text = f"the result of {call.id!r} was moved behind its call"
            pairs.note("result_moved", call.answered_at, text)
        made.append(_result(call, pairs))
    for call in group.calls:
        if call.result is None:
            text = f"the call {call.id!r} of {call.name!r} had no result"
            pairs.note("result_added", group.at, text)
            made.append({"role": "tool", "tool_call_id": call.id, "content": NO_RESULT})
    return made


def _stands_behind(messages: Sequence[Message], turn: int, result: int) -> bool:
    between = range(turn + 1, result) if result > turn else range(0)
    return result > turn and all(
        field(messages[at], "role") == "tool"
        or (field(messages[at], "role") == "assistant" and _is_empty(messages[at]))
        for at in between
    )


def _result(call: Opened, pairs: Pairs) -> Message:
    changes: dict[str, str] = {}
    if _text(field(call.result, "tool_call_id")) != call.id:
        changes["tool_call_id"] = call.id
    content = field(call.result, "content")
    if not isinstance(content, str | list | tuple):
        changes["content"] = "" if content is None else _json(content)
        text = f"the content of the result of {call.id!r} became text"
        pairs.note("rewritten", call.answered_at, text)
    if not changes:
        return call.result
    return {**copied(call.result, f"messages[{call.answered_at}]"), **changes}


def _plain_turn(message: Message, at: int, pairs: Pairs) -> Message:
    """A turn that holds no call and answers none."""
    role, content = field(message, "role"), field(message, "content")
    kept: dict[str, Any] | None = None  # Any: message of the provider
    if role == "assistant" and isinstance(message, Mapping) and "tool_calls" in message:
        kept = {key: item for key, item in message.items() if key != "tool_calls"}
        pairs.note("rewritten", at, "an assistant turn had an empty tool_calls")
    if content is None and role in ("system", "developer", "user"):
        kept = {**copied(message, f"messages[{at}]"), "content": ""}
        pairs.note("rewritten", at, f"the content of a {role} message was null")
    return message if kept is None else kept


def _name(call: Any) -> str:  # Any: a call, dict or object
    return _text(field(field(call, "function") or field(call, "custom"), "name"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False) if value is not None else "{}"
    except (TypeError, ValueError, RecursionError):
        return "{}"
