"""The OpenAI Responses shape: a flat list of items, and arguments are JSON text.

Items that are no calls (reasoning above all) go back unchanged and in their place, since the
next request is refused without them. Nulls are left out: the request does not take all of those
that a response holds.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from handrail.wire.openai_responses_stream import ResponsesChunks
from handrail.wire.pairing import Pending, paired, with_ids
from handrail.wire.plain import (
    ANY_OBJECT,
    arguments_text,
    ended,
    field,
    items,
    name_of,
    pruned,
    raw_arguments,
    shape_of,
    string,
    tool_head,
    tool_read,
    usage_read,
)
from handrail.wire.shapes import (
    CallDict,
    Event,
    FinishReason,
    ReplyDict,
    ResultDict,
    ToolDict,
    Wire,
)

__all__ = [
    "OPENAI_RESPONSES",
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
    "max_output_tokens": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
}
_ITEMS = frozenset(("function_call", "custom_tool_call", "reasoning", "message"))
_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
_RESULTS = ("function_call_output", "custom_tool_call_output")
_TEXTS = {"output_text": "text", "input_text": "text", "text": "text", "refusal": "refusal"}


def recognise(obj: object) -> bool:
    """Whether this is a response, or the list of its output items."""
    if isinstance(obj, list | tuple):
        return _is_output(obj)
    if isinstance(obj, str | bytes) or obj is None:
        return False
    output = field(obj, "output")
    if not isinstance(output, list | tuple):
        return False
    return field(obj, "object") == "response" or _is_output(output)


def _is_output(output: Sequence[object]) -> bool:
    kinds = list(map(_kind, output))
    return not _ITEMS.isdisjoint(kinds) and all(kinds)


def _kind(item: object) -> str:
    return string(field(item, "type"))


def read_reply(obj: object) -> ReplyDict:
    """One whole reply.

    Raises:
        ValueError: If it is not of this shape, or an item is malformed; the message names the
            place.
    """
    output = obj if isinstance(obj, list | tuple) else field(obj, "output")
    if not isinstance(output, list | tuple):
        raise ValueError(f"an OpenAI response is expected, got {shape_of(obj)}")
    calls = [
        _call(item, f"output[{index}]")
        for index, item in enumerate(output)
        if _kind(item) in _CALLS
    ]
    return {
        "provider": "openai-responses",
        "text": "".join(_text(field(item, "content")) for item in output if _is_message(item)),
        "calls": with_ids(calls),
        "finish_reason": _finish(obj, calls),
        "usage": usage_read(field(obj, "usage"), ("input_tokens",), "output_tokens"),
        "message": {"output": [_item(item, f"output[{i}]") for i, item in enumerate(output)]},
    }


def write(
    reply: ReplyDict, results: Sequence[ResultDict]
) -> list[dict[str, Any]]:  # Any: JSON object
    """The items of the reply, and one output item per call, in the order of the calls.

    Each call stands where its item stood; calls without an item come last. ``is_error`` has no
    place in this shape and is left out.

    Raises:
        ValueError: If a call has no result, or a result no call.
    """
    pairs = paired(reply["calls"], results)
    calls = [call for call, _ in pairs]
    sent: list[dict[str, Any]] = []  # Any: JSON object
    kinds: list[str] = []
    for item in reply["message"].get("output") or ():
        if _kind(item) not in _CALLS:
            sent.append(item)
        elif calls:
            sent.append(_sent_call(calls.pop(0), item))
            kinds.append(item["type"])
    sent += [_sent_call(call, {}) for call in calls]
    kinds += ["function_call"] * len(calls)
    for (call, result), kind in zip(pairs, kinds, strict=True):
        answer = write_result({**result, "call_id": call["id"]})
        sent.append({**answer, "type": f"{kind}_output"})
    return sent


def write_result(result: ResultDict) -> dict[str, Any]:  # Any: JSON object
    """One result as an input item."""
    return {
        "type": "function_call_output",
        "call_id": result["call_id"],
        "output": result["content"],
    }


def read_call(obj: object) -> CallDict | None:
    """One call item; None for anything else."""
    return _call(obj, "call") if _kind(obj) in _CALLS else None


def enclose(output: Sequence[object]) -> object:
    """Output items as a whole response."""
    return {"object": "response", "output": list(output)}


def without_text(message: dict[str, Any]) -> dict[str, Any]:  # Any: JSON object
    """The items of the turn without messages; reasoning stays."""
    output = message.get("output") or ()
    return {**message, "output": [item for item in output if not _is_message(item)]}


def tool_definition(tool: ToolDict, strict: bool = False) -> dict[str, Any]:  # Any: JSON object
    """One tool as the request takes it; the schema is passed on as it is.

    ``strict`` is always stated, since this endpoint takes it as true where it is not.
    """
    definition = {"type": "function", **tool_head(tool)}
    definition["parameters"] = tool["schema"] or ANY_OBJECT
    definition["strict"] = strict
    return definition


def read_tools(request: object) -> list[ToolDict]:
    """The function tools of a logged request (or of its ``tools`` list).

    Raises:
        ValueError: If ``tools`` is no list, or a function has no name.
    """
    listed = request if isinstance(request, list | tuple) else field(request, "tools")
    return [
        _tool(tool, f"tools[{index}]")
        for index, tool in enumerate(items(listed, "tools"))
        if field(tool, "type") == "function"
    ]


def read_messages(messages: Sequence[object]) -> list[Event]:
    """Calls, results and texts of a list of input items, in order.

    Raises:
        ValueError: If a call is malformed; the message names the place.
    """
    events: list[Event] = []
    pending = Pending()
    for index, item in enumerate(messages):
        kind, role = _kind(item), field(item, "role")
        if kind in _CALLS:
            call = _call(item, f"input[{index}]")
            events.extend(("call", named) for named in pending.add([call]))
        elif kind in _RESULTS:
            call_id, name = pending.answer(string(field(item, "call_id")), "")
            content = _text(field(item, "output"))
            result = ResultDict(call_id=call_id, name=name, content=content, is_error=False)
            events.append(("result", result))
        elif role in ("user", "assistant") and (text := _text(field(item, "content"))):
            events.append(("user", text) if role == "user" else ("text", text))
    return events


def _call(item: object, place: str) -> CallDict:
    name = name_of(field(item, "name"), f"{place}.name")
    call_id = string(field(item, "call_id")) or string(field(item, "id"))
    given = field(item, _CALLS.get(_kind(item), "arguments"))
    return CallDict(id=call_id, name=name, arguments=raw_arguments(given))


def _sent_call(call: CallDict, item: Mapping[str, Any]) -> dict[str, Any]:  # Any: JSON object
    """The call as an input item, which keeps what else its item held."""
    kind = item.get("type", "function_call")
    rest = {key: value for key, value in item.items() if key not in ("status", "parsed_arguments")}
    said = {"name": call["name"], _CALLS[kind]: arguments_text(call["arguments"])}
    return {**rest, "type": kind, "call_id": call["id"], **said}


def _item(item: object, place: str) -> dict[str, Any]:  # Any: JSON object
    """An item as input, without what the client library read into it."""
    kept = pruned(item, place)
    if isinstance(kept.get("content"), list):
        kept["content"] = [_without_parsed(part) for part in kept["content"]]
    return kept


def _without_parsed(part: object) -> object:
    if isinstance(part, dict) and "parsed" in part:
        return {key: value for key, value in part.items() if key != "parsed"}
    return part


def _finish(obj: object, calls: Sequence[CallDict]) -> FinishReason:
    status = field(obj, "status")
    if status == "incomplete":
        reason = field(field(obj, "incomplete_details"), "reason")
        return ended(reason, _FINISH)
    if status in ("failed", "cancelled", "in_progress", "queued"):
        return "interrupted"
    if calls:
        return "tool_calls"
    return "stop" if status == "completed" else "other"


def _tool(tool: object, place: str) -> ToolDict:
    return tool_read(tool, place, field(tool, "parameters"))


def _is_message(item: object) -> bool:
    return field(item, "type") == "message" and field(item, "role") in ("assistant", None)


def _text(content: object) -> str:
    if isinstance(content, list | tuple):
        return "".join(_part(part) for part in content)
    return string(content)


def _part(part: object) -> str:
    key = _TEXTS.get(_kind(part))
    return string(field(part, key)) if key else ""


OPENAI_RESPONSES = Wire(
    name="openai-responses",
    recognise=recognise,
    read_reply=read_reply,
    write=write,
    read_call=read_call,
    write_result=write_result,
    enclose=enclose,
    without_text=without_text,
    chunks=ResponsesChunks,
    tool_definition=tool_definition,
    read_tools=read_tools,
    read_messages=read_messages,
)
