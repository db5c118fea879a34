"""The Bedrock Converse shape: each block is an object with one key, and arguments are objects.

Every call has an id here, of letters, digits, ``_`` and ``-``, and so has every tool name: what
a model invented beyond that is put into this alphabet when it is sent back, since the whole
request is refused otherwise.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from handrail.wire.bedrock_stream import BedrockChunks
from handrail.wire.pairing import Pending, block_turns, paired, with_ids
from handrail.wire.plain import (
    ANY_OBJECT,
    arguments_object,
    dump,
    ended,
    field,
    items,
    json_text,
    name_of,
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
    "BEDROCK",
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
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "guardrail_intervened": "content_filter",
    "content_filtered": "content_filter",
}
_INPUT_COUNTS = ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")
"""Tokens read from or written to the cache count as input."""
_FOREIGN = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST = 64
_NO_TEXT = "(no text)"
"""Stands for an empty result, since a blank text block is refused."""


def recognise(obj: object) -> bool:
    """Whether this is a response, or an assistant message with blocks that only it has."""
    if isinstance(obj, str | bytes | list | tuple) or obj is None:
        return False
    if field(field(obj, "output"), "message") is not None:
        return True
    content = field(obj, "content")
    if field(obj, "role") not in ("assistant", None) or not isinstance(content, list | tuple):
        return False
    return any(isinstance(field(block, "toolUse"), Mapping) for block in content)


def read_reply(obj: object) -> ReplyDict:
    """One whole reply.

    Raises:
        ValueError: If it is not of this shape, or a block is malformed; the message names the
            place.
    """
    message = field(field(obj, "output"), "message") or obj
    content = field(message, "content")
    if not isinstance(content, list | tuple):
        raise ValueError(f"a Bedrock Converse response is expected, got {shape_of(obj)}")
    calls = [
        _call(field(block, "toolUse"), f"content[{index}].toolUse")
        for index, block in enumerate(content)
        if _is_call(block)
    ]
    stop = field(obj, "stopReason")
    return {
        "provider": "bedrock",
        "text": "".join(string(field(block, "text")) for block in content),
        "calls": with_ids(calls),
        "finish_reason": ended(stop, _FINISH),
        "usage": usage_read(field(obj, "usage"), _INPUT_COUNTS, "outputTokens"),
        "message": {"role": "assistant", "content": _blocks(content)},
    }


def write(
    reply: ReplyDict, results: Sequence[ResultDict]
) -> list[dict[str, Any]]:  # Any: JSON object
    """The assistant turn, and all results of its calls in one user message.

    Each call stands where its block stood; calls without a block come last. A turn that has
    nothing to say is left out, since an empty one is refused.

    Raises:
        ValueError: If a call has no result, or a result no call.
    """
    pairs = paired(reply["calls"], results)
    calls = [_sent_call(call) for call, _ in pairs]
    answers = [write_result({**result, "call_id": call["id"]}) for call, result in pairs]
    return block_turns(reply["message"].get("content") or (), _is_call, calls, answers)


def write_result(result: ResultDict) -> dict[str, Any]:  # Any: JSON object
    """One result as a block of a user message.

    ``status`` is sent for errors only, since not every model behind this shape takes it.
    """
    text = result["content"] if result["content"].strip() else _NO_TEXT
    answer: dict[str, Any] = {  # Any: JSON object
        "toolUseId": _lettered(result["call_id"]),
        "content": [{"text": text}],
    }
    if result["is_error"]:
        answer["status"] = "error"
    return {"toolResult": answer}


def read_call(obj: object) -> CallDict | None:
    """One block with a call, or the call in it; None for anything else."""
    if _is_call(obj):
        return _call(field(obj, "toolUse"), "toolUse")
    return _call(obj, "toolUse") if isinstance(field(obj, "toolUseId"), str) else None


def enclose(blocks: Sequence[object]) -> object:
    """Content blocks, or calls without their block, as an assistant message."""
    whole = [one if field(one, "toolUseId") is None else {"toolUse": one} for one in blocks]
    return {"role": "assistant", "content": whole}


def without_text(message: dict[str, Any]) -> dict[str, Any]:  # Any: JSON object
    """The assistant turn without what was said in it; reasoning stays."""
    return {
        **message,
        "content": [one for one in message.get("content") or () if "text" not in one],
    }


def tool_definition(tool: ToolDict, strict: bool = False) -> dict[str, Any]:  # Any: JSON object
    """One tool of ``toolConfig.tools``; the schema is passed on as it is."""
    definition = tool_head(tool)
    definition["inputSchema"] = {"json": tool["schema"] or ANY_OBJECT}
    if strict:
        definition["strict"] = True
    return {"toolSpec": definition}


def read_tools(request: object) -> list[ToolDict]:
    """The tools of a logged request (or of its ``toolConfig.tools``).

    Raises:
        ValueError: If ``tools`` is no list, or a tool has no name.
    """
    listed: object = request
    if not isinstance(request, list | tuple):
        listed = field(field(request, "toolConfig"), "tools") or field(request, "tools")
    return [
        _tool(field(tool, "toolSpec"), f"tools[{index}].toolSpec")
        for index, tool in enumerate(items(listed, "tools"))
        if field(tool, "toolSpec") is not None
    ]


def read_messages(messages: Sequence[object]) -> list[Event]:
    """Calls, results and texts of a message list, in order.

    Raises:
        ValueError: If a call is malformed; the message names the place.
    """
    events: list[Event] = []
    pending = Pending()
    for index, message in enumerate(messages):
        place = f"messages[{index}].content"
        for number, block in enumerate(items(field(message, "content"), place)):
            text = string(field(block, "text"))
            if _is_call(block):
                call = _call(field(block, "toolUse"), f"{place}[{number}].toolUse")
                events.extend(("call", named) for named in pending.add([call]))
            elif (answer := field(block, "toolResult")) is not None:
                events.append(("result", _result(answer, pending)))
            elif text:
                ours = field(message, "role") == "assistant"
                events.append(("text", text) if ours else ("user", text))
    return events


def _is_call(block: object) -> bool:
    """Whether a block is a call for us; tools that the provider runs itself say so by a type."""
    call = field(block, "toolUse")
    return isinstance(call, Mapping) and call.get("type") != "server_tool_use"


def _call(call: object, place: str) -> CallDict:
    name = name_of(field(call, "name"), f"{place}.name")
    given = raw_arguments(field(call, "input"))
    return CallDict(id=string(field(call, "toolUseId")), name=name, arguments=given)


def _sent_call(call: CallDict) -> dict[str, Any]:  # Any: JSON object
    sent = {
        "toolUseId": _lettered(call["id"]),
        "name": _lettered(call["name"]),
        "input": arguments_object(call["arguments"]),
    }
    return {"toolUse": sent}


def _lettered(name: str) -> str:
    return _FOREIGN.sub("_", name)[:_LONGEST] or "_"


def _blocks(content: Sequence[object]) -> list[dict[str, Any]]:  # Any: JSON object
    """The blocks as input; blank text blocks, which a request may not hold, are left out."""
    dumped = [dump(block, f"content[{index}]") for index, block in enumerate(content)]
    return [one for one in dumped if "text" not in one or string(one["text"]).strip()]


def _result(answer: object, pending: Pending) -> ResultDict:
    call_id, name = pending.answer(string(field(answer, "toolUseId")), "")
    said = []
    for block in items(field(answer, "content"), "toolResult.content"):
        value = field(block, "json")
        said.append(string(field(block, "text")) if value is None else json_text(value))
    failed = field(answer, "status") == "error"
    return {"call_id": call_id, "name": name, "content": "".join(said), "is_error": failed}


def _tool(spec: object, place: str) -> ToolDict:
    return tool_read(spec, place, field(field(spec, "inputSchema"), "json"))


BEDROCK = Wire(
    name="bedrock",
    recognise=recognise,
    read_reply=read_reply,
    write=write,
    read_call=read_call,
    write_result=write_result,
    enclose=enclose,
    without_text=without_text,
    chunks=BedrockChunks,
    tool_definition=tool_definition,
    read_tools=read_tools,
    read_messages=read_messages,
)
