"""The OpenAI Chat Completions shape, which most other servers speak too.

Read as dicts, as the ``openai`` package's objects, or as any object with the same attributes,
a `ModelReply` included. Servers differ from the original in small ways that are read as meant:
arguments sent as an object, ids missing or repeated, content sent as a list of parts.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from handrail.wire.openai_chat_stream import ChatChunks
from handrail.wire.pairing import Pending, paired, with_ids
from handrail.wire.plain import (
    ANY_OBJECT,
    arguments_text,
    count,
    either,
    ended,
    field,
    items,
    name_of,
    raw_arguments,
    shape_of,
    string,
    tool_head,
    tool_read,
)
from handrail.wire.shapes import (
    CallDict,
    Event,
    FinishReason,
    ReplyDict,
    ResultDict,
    ToolDict,
    UsageDict,
    Wire,
)

__all__ = [
    "OPENAI",
    "enclose",
    "read_call",
    "read_messages",
    "read_reply",
    "read_tools",
    "recognise",
    "tool_definition",
    "without_text",
    "write",
    "write_result",
]

_FINISH: dict[str, FinishReason] = {
    "stop": "stop",
    "eos": "stop",
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}
_PART_KEYS = {"text": "text", "output_text": "text", "refusal": "refusal"}


def recognise(obj: object) -> bool:
    """Whether this is a response, an assistant message, or an object like a `ModelReply`."""
    if isinstance(obj, str | bytes | list | tuple) or obj is None:
        return False
    if isinstance(field(obj, "choices"), list | tuple):
        return True
    if field(obj, "role") == "assistant":
        return True
    if isinstance(obj, Mapping):
        return bool(obj.get("tool_calls")) and "role" not in obj
    return hasattr(obj, "text") and hasattr(obj, "tool_calls")


def read_reply(obj: object) -> ReplyDict:
    """One whole reply; of several choices the first.

    Raises:
        ValueError: If it is not of this shape, or a part of it is malformed; the message
            names the place.
    """
    if not recognise(obj):
        raise ValueError(f"an OpenAI chat reply is expected, got {shape_of(obj)}")
    usage = _usage(field(obj, "usage"))
    if field(obj, "choices") is None:
        return _reply(obj, "message", field(obj, "finish_reason"), usage)
    choices = items(field(obj, "choices"), "choices")
    if not choices:
        return _reply({"role": "assistant"}, "message", None, usage)
    message = field(choices[0], "message")
    if message is None:
        raise ValueError(f"choices[0].message is missing; choices[0] is {shape_of(choices[0])}")
    return _reply(message, "choices[0].message", field(choices[0], "finish_reason"), usage)


def write(
    reply: ReplyDict, results: Sequence[ResultDict]
) -> list[dict[str, Any]]:  # Any: JSON object
    """The assistant turn and one ``tool`` message per call, in the order of the calls.

    ``is_error`` has no place in this shape and is left out.

    Raises:
        ValueError: If a call has no result, or a result no call.
    """
    pairs = paired(reply["calls"], results)
    turn = dict(reply["message"])
    if pairs:
        turn["tool_calls"] = [_sent_call(call) for call, _ in pairs]
    elif turn.get("content") is None:
        turn["content"] = ""
    answers = [write_result({**result, "call_id": call["id"]}) for call, result in pairs]
    return [turn, *answers]


def write_result(result: ResultDict) -> dict[str, Any]:  # Any: JSON object
    """One result as a message of its own."""
    return {"role": "tool", "tool_call_id": result["call_id"], "content": result["content"]}


def read_call(obj: object) -> CallDict | None:
    """One entry of ``tool_calls``, or any object with a name and arguments; None for others."""
    inner = field(obj, "function") or field(obj, "custom") or obj
    return _call(obj, "call") if isinstance(field(inner, "name"), str) else None


def enclose(calls: Sequence[object]) -> object:
    """Entries of ``tool_calls`` as an assistant message."""
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def without_text(message: dict[str, Any]) -> dict[str, Any]:  # Any: JSON object
    """The assistant turn without what was said in it."""
    return {**message, "content": None}


def tool_definition(tool: ToolDict, strict: bool = False) -> dict[str, Any]:  # Any: JSON object
    """One tool as the request takes it; the schema is passed on as it is."""
    function = tool_head(tool)
    function["parameters"] = tool["schema"] or ANY_OBJECT
    if strict:
        function["strict"] = True
    return {"type": "function", "function": function}


def read_tools(request: object) -> list[ToolDict]:
    """The function tools of a logged request (or of its ``tools`` list), old spellings included.

    Tools that the provider runs itself have no schema and are left out.

    Raises:
        ValueError: If ``tools`` is no list, or a function has no name.
    """
    listed = request if isinstance(request, list | tuple) else field(request, "tools")
    found = [
        _tool(field(tool, "function") or tool, f"tools[{index}]")
        for index, tool in enumerate(items(listed, "tools"))
        if field(tool, "type") in ("function", None)
    ]
    if not isinstance(request, list | tuple):
        older = items(field(request, "functions"), "functions")
        found += [_tool(tool, f"functions[{index}]") for index, tool in enumerate(older)]
    return found


def read_messages(messages: Sequence[object]) -> list[Event]:
    """Calls, results and texts of a message list, in order; system messages are left out.

    Raises:
        ValueError: If a call is malformed; the message names the place.
    """
    events: list[Event] = []
    pending = Pending()
    for index, message in enumerate(messages):
        role = field(message, "role")
        place = f"messages[{index}]"
        text = _text(field(message, "content"))
        if role == "assistant":
            if text:
                events.append(("text", text))
            events.extend(("call", call) for call in pending.add(_calls(message, place)))
        elif role in ("tool", "function"):
            events.append(("result", _result(message, text, pending)))
        elif role == "user":
            events.append(("user", text))
    return events


def _reply(message: object, place: str, finish: object, usage: UsageDict) -> ReplyDict:
    text = _text(field(message, "content")) or string(field(message, "text"))
    refusal = string(field(message, "refusal"))
    return {
        "provider": "openai",
        "text": text or refusal,
        "calls": with_ids(_calls(message, place)),
        "finish_reason": ended(finish, _FINISH),
        "usage": usage,
        "message": _turn(message, text, refusal),
    }


def _turn(message: object, text: str, refusal: str) -> dict[str, Any]:  # Any: JSON object
    """The assistant message without its calls, with the keys that a request accepts."""
    content = field(message, "content")
    turn: dict[str, Any] = {"role": "assistant", "content": text or None}  # Any: JSON object
    if isinstance(content, list | tuple) and text:
        turn["content"] = [part for part in map(_part, content) if part]
    elif isinstance(content, str):
        turn["content"] = content
    if refusal:
        turn["refusal"] = refusal
    if name := string(field(message, "name")):
        turn["name"] = name
    if audio := string(field(field(message, "audio"), "id")):
        turn["audio"] = {"id": audio}
    return turn


def _calls(message: object, place: str) -> list[CallDict]:
    sent = items(field(message, "tool_calls"), f"{place}.tool_calls")
    calls = [_call(call, f"{place}.tool_calls[{index}]") for index, call in enumerate(sent)]
    older = field(message, "function_call")
    if older is not None and not calls:
        calls.append(_named("", older, f"{place}.function_call"))
    return calls


def _call(call: object, place: str) -> CallDict:
    call_id = string(field(call, "id"))
    if (function := field(call, "function")) is not None:
        return _named(call_id, function, f"{place}.function")
    if (custom := field(call, "custom")) is not None:
        name = name_of(field(custom, "name"), f"{place}.custom.name")
        return CallDict(id=call_id, name=name, arguments=raw_arguments(field(custom, "input")))
    return _named(call_id, call, place)


def _named(call_id: str, function: object, place: str) -> CallDict:
    name = name_of(field(function, "name"), f"{place}.name")
    given = either(function, "arguments", "args")
    return CallDict(id=call_id, name=name, arguments=raw_arguments(given))


def _sent_call(call: CallDict) -> dict[str, Any]:  # Any: JSON object
    function = {"name": call["name"], "arguments": arguments_text(call["arguments"])}
    return {"id": call["id"], "type": "function", "function": function}


def _tool(function: object, place: str) -> ToolDict:
    return tool_read(function, place, field(function, "parameters"))


def _result(message: object, text: str, pending: Pending) -> ResultDict:
    sent_id = string(field(message, "tool_call_id"))
    sent_name = string(field(message, "name"))
    call_id, name = pending.answer(sent_id, sent_name)
    return {"call_id": call_id, "name": sent_name or name, "content": text, "is_error": False}


def _usage(usage: object) -> UsageDict:
    sent = count(field(usage, "prompt_tokens")) or count(field(usage, "input_tokens"))
    got = count(field(usage, "completion_tokens")) or count(field(usage, "output_tokens"))
    return {"input_tokens": sent, "output_tokens": got}


def _text(content: object) -> str:
    """The text of a message's content: a string, or the text parts of a list joined."""
    if isinstance(content, list | tuple):
        return "".join(_part_text(part) for part in content)
    return string(content)


def _part(part: object) -> dict[str, str] | None:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    key = _PART_KEYS.get(string(field(part, "type")))
    return {"type": key, key: string(field(part, key))} if key else None


def _part_text(part: object) -> str:
    shown = _part(part)
    return next((value for key, value in shown.items() if key != "type"), "") if shown else ""


OPENAI = Wire(
    name="openai",
    recognise=recognise,
    read_reply=read_reply,
    write=write,
    read_call=read_call,
    write_result=write_result,
    enclose=enclose,
    without_text=without_text,
    chunks=ChatChunks,
    tool_definition=tool_definition,
    read_tools=read_tools,
    read_messages=read_messages,
)
