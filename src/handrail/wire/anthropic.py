"""The Anthropic Messages shape: content is a list of blocks, and arguments are objects.

Blocks that are neither text nor a call (thinking with its signature, tools that the provider
runs itself) go back unchanged, since the next request is refused without them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from handrail.wire.anthropic_stream import AnthropicChunks
from handrail.wire.pairing import Pending, block_turns, paired, with_ids
from handrail.wire.plain import (
    ANY_OBJECT,
    arguments_object,
    dump,
    ended,
    field,
    items,
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
    "ANTHROPIC",
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
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}
_OWN_BLOCKS = ("tool_use", "thinking", "redacted_thinking", "server_tool_use")
_INPUT_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
"""Tokens read from or written to the cache count as input."""


def recognise(obj: object) -> bool:
    """Whether this is a whole message, or an assistant turn with blocks that only it has."""
    if isinstance(obj, str | bytes | list | tuple) or obj is None:
        return False
    content = field(obj, "content")
    if field(obj, "role") not in ("assistant", None) or not isinstance(content, list | tuple):
        return False
    if field(obj, "type") == "message" or isinstance(field(obj, "stop_reason"), str):
        return True
    return any(field(block, "type") in _OWN_BLOCKS for block in content)


def read_reply(obj: object) -> ReplyDict:
    """One whole reply.

    Raises:
        ValueError: If it is not of this shape, or a block is malformed; the message names
            the place.
    """
    content = field(obj, "content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if not isinstance(content, list | tuple):
        raise ValueError(f"an Anthropic message is expected, got {shape_of(obj)}")
    stop = field(obj, "stop_reason")
    return {
        "provider": "anthropic",
        "text": _text(content),
        "calls": with_ids(_calls(content, "content")),
        "finish_reason": ended(stop, _FINISH),
        "usage": usage_read(field(obj, "usage"), _INPUT_COUNTS, "output_tokens"),
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
    """One result as a block of a user message."""
    return {
        "type": "tool_result",
        "tool_use_id": result["call_id"],
        "content": result["content"],
        "is_error": result["is_error"],
    }


def read_call(obj: object) -> CallDict | None:
    """One ``tool_use`` block; None for anything else."""
    return _call(obj, "call") if _is_call(obj) else None


def enclose(blocks: Sequence[object]) -> object:
    """Content blocks as a whole message."""
    return {"type": "message", "role": "assistant", "content": list(blocks)}


def without_text(message: dict[str, Any]) -> dict[str, Any]:  # Any: JSON object
    """The assistant turn without what was said in it; thoughts stay."""
    blocks = message.get("content") or ()
    return {**message, "content": [one for one in blocks if one.get("type") != "text"]}


def tool_definition(tool: ToolDict, strict: bool = False) -> dict[str, Any]:  # Any: JSON object
    """One tool as the request takes it; the schema is passed on as it is."""
    definition = tool_head(tool)
    definition["input_schema"] = tool["schema"] or ANY_OBJECT
    if strict:
        definition["strict"] = True
    return definition


def read_tools(request: object) -> list[ToolDict]:
    """The tools of a logged request (or of its ``tools`` list).

    Tools that the provider runs itself have no ``input_schema`` and are left out.

    Raises:
        ValueError: If ``tools`` is no list, or a tool has no name.
    """
    listed = request if isinstance(request, list | tuple) else field(request, "tools")
    return [
        _tool(tool, f"tools[{index}]")
        for index, tool in enumerate(items(listed, "tools"))
        if isinstance(field(tool, "input_schema"), Mapping)
    ]


def read_messages(messages: Sequence[object]) -> list[Event]:
    """Calls, results and texts of a message list, in order.

    Raises:
        ValueError: If a call is malformed; the message names the place.
    """
    events: list[Event] = []
    pending = Pending()
    for index, message in enumerate(messages):
        role = field(message, "role")
        content = field(message, "content")
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        if role == "assistant":
            events += _assistant_events(content, f"messages[{index}].content", pending)
        elif role == "user":
            events += _user_events(content, f"messages[{index}].content", pending)
    return events


def _assistant_events(content: object, place: str, pending: Pending) -> list[Event]:
    events: list[Event] = []
    for index, block in enumerate(items(content, place)):
        kind = field(block, "type")
        if kind == "text" and (text := string(field(block, "text"))):
            events.append(("text", text))
        elif kind == "tool_use":
            call = _call(block, f"{place}[{index}]")
            events.extend(("call", named) for named in pending.add([call]))
    return events


def _user_events(content: object, place: str, pending: Pending) -> list[Event]:
    events: list[Event] = []
    for block in items(content, place):
        kind = field(block, "type")
        if kind == "text":
            events.append(("user", string(field(block, "text"))))
        elif kind == "tool_result":
            call_id, name = pending.answer(string(field(block, "tool_use_id")), "")
            result = ResultDict(
                call_id=call_id,
                name=name,
                content=_text(field(block, "content")),
                is_error=field(block, "is_error") is True,
            )
            events.append(("result", result))
    return events


def _is_call(block: object) -> bool:
    return bool(field(block, "type") == "tool_use")


def _calls(content: Sequence[object], place: str) -> list[CallDict]:
    return [
        _call(block, f"{place}[{index}]") for index, block in enumerate(content) if _is_call(block)
    ]


def _call(block: object, place: str) -> CallDict:
    name = name_of(field(block, "name"), f"{place}.name")
    call_id = string(field(block, "id"))
    return CallDict(id=call_id, name=name, arguments=raw_arguments(field(block, "input")))


def _blocks(content: Sequence[object]) -> list[dict[str, Any]]:  # Any: JSON object
    """The blocks as input; empty text blocks, which a request may not hold, are left out."""
    dumped = [dump(block, f"content[{index}]") for index, block in enumerate(content)]
    return [block for block in dumped if block.get("type") != "text" or block.get("text")]


def _sent_call(call: CallDict) -> dict[str, Any]:  # Any: JSON object
    """The call as a block. Arguments that are no JSON object cannot be sent and become ``{}``."""
    sent = arguments_object(call["arguments"])
    return {"type": "tool_use", "id": call["id"], "name": call["name"], "input": sent}


def _tool(tool: object, place: str) -> ToolDict:
    return tool_read(tool, place, field(tool, "input_schema"))


def _text(content: object) -> str:
    if isinstance(content, list | tuple):
        texts = (field(block, "text") for block in content if field(block, "type") == "text")
        return "".join(text for text in texts if isinstance(text, str))
    return string(content)


ANTHROPIC = Wire(
    name="anthropic",
    recognise=recognise,
    read_reply=read_reply,
    write=write,
    read_call=read_call,
    write_result=write_result,
    enclose=enclose,
    without_text=without_text,
    chunks=AnthropicChunks,
    tool_definition=tool_definition,
    read_tools=read_tools,
    read_messages=read_messages,
)
