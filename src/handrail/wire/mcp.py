"""The MCP shape: each call is a ``tools/call`` request of its own, and so is each answer.

There is no assistant turn and no history: what is written are the responses, or bare results for
requests that came without their JSON-RPC envelope. What is wrong with a call is told in the
result (``isError``) and not as a protocol error, since only results reach the model.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from handrail.wire.mcp_stream import McpChunks
from handrail.wire.pairing import Pending, paired, with_ids
from handrail.wire.plain import (
    ANY_OBJECT,
    either,
    field,
    items,
    name_of,
    raw_arguments,
    shape_of,
    string,
    tool_head,
    tool_read,
)
from handrail.wire.shapes import CallDict, Event, ReplyDict, ResultDict, ToolDict, Wire

__all__ = [
    "MCP",
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

_METHOD = "tools/call"


def recognise(obj: object) -> bool:
    """Whether this is a ``tools/call`` request, or a list of them."""
    if isinstance(obj, list | tuple):
        return bool(obj) and all(map(_is_request, obj))
    return _is_request(obj)


def read_reply(obj: object) -> ReplyDict:
    """One request, or the requests of a batch.

    Raises:
        ValueError: If one of them is not of this shape; the message names the place.
    """
    requests = obj if isinstance(obj, list | tuple) else [obj]
    calls = [_call(request, f"requests[{index}]") for index, request in enumerate(requests)]
    return {
        "provider": "mcp",
        "text": "",
        "calls": with_ids(calls),
        "finish_reason": "tool_calls" if calls else "stop",
        "usage": {"input_tokens": 0, "output_tokens": 0},
        "message": {"ids": [field(request, "id") for request in requests]},
    }


def write(
    reply: ReplyDict, results: Sequence[ResultDict]
) -> list[dict[str, Any]]:  # Any: JSON object
    """One response per request, in order; a bare result where the request had no id.

    Raises:
        ValueError: If a call has no result, or a result no call.
    """
    pairs = paired(reply["calls"], results)
    ids = [*(reply["message"].get("ids") or ()), *(None for _ in pairs)]
    sent: list[dict[str, Any]] = []  # Any: JSON object
    for (_, result), own in zip(pairs, ids, strict=False):
        answer = write_result(result)
        sent.append(answer if own is None else {"jsonrpc": "2.0", "id": own, "result": answer})
    return sent


def write_result(result: ResultDict) -> dict[str, Any]:  # Any: JSON object
    """One result as the server returns it; it bears no id."""
    text = {"type": "text", "text": result["content"]}
    return {"content": [text], "isError": result["is_error"]}


def read_call(obj: object) -> CallDict | None:
    """One ``tools/call`` request; None for anything else."""
    return _call(obj, "request") if _is_request(obj) else None


def enclose(requests: Sequence[object]) -> object:
    """Requests as a batch."""
    return list(requests)


def without_text(message: dict[str, Any]) -> dict[str, Any]:  # Any: JSON object
    """The same: there is no text here."""
    return message


def tool_definition(tool: ToolDict, strict: bool = False) -> dict[str, Any]:  # Any: JSON object
    """One tool of ``tools/list``; there is no strict decoding here: the flag changes nothing."""
    definition = tool_head(tool)
    definition["inputSchema"] = tool["schema"] or ANY_OBJECT
    return definition


def read_tools(request: object) -> list[ToolDict]:
    """The tools of a ``tools/list`` result, with or without its envelope (or of its list).

    Raises:
        ValueError: If ``tools`` is no list, or a tool has no name.
    """
    listed: object = request
    if not isinstance(request, list | tuple):
        listed = field(field(request, "result") or request, "tools")
    return [
        _tool(tool, f"tools[{index}]")
        for index, tool in enumerate(items(listed, "tools"))
        if isinstance(either(tool, "inputSchema", "input_schema"), Mapping)
    ]


def read_messages(messages: Sequence[object]) -> list[Event]:
    """Calls and results of a log of JSON-RPC messages, in order; other messages are left out.

    Raises:
        ValueError: If a call is malformed; the message names the place.
    """
    events: list[Event] = []
    pending = Pending()
    for index, message in enumerate(messages):
        if _is_request(message):
            call = _call(message, f"messages[{index}]")
            events.extend(("call", named) for named in pending.add([call]))
        elif (result := _result(message)) is not None:
            call_id, name = pending.answer(_id(message), "")
            if name:
                result["call_id"], result["name"] = call_id, name
                events.append(("result", result))
    return events


def _is_request(obj: object) -> bool:
    return bool(field(obj, "method") == _METHOD)


def _call(request: object, place: str) -> CallDict:
    if not _is_request(request):
        raise ValueError(f"{place}: a tools/call request is expected, got {shape_of(request)}")
    params = field(request, "params")
    name = name_of(field(params, "name"), f"{place}.params.name")
    given = raw_arguments(field(params, "arguments"))
    return CallDict(id=_id(request), name=name, arguments=given)


def _id(message: object) -> str:
    """A JSON-RPC id, which may be a number, as text."""
    own = field(message, "id")
    return str(own) if isinstance(own, int) else string(own)


def _result(message: object) -> ResultDict | None:
    """What a response says; None for another message."""
    failure = field(message, "error")
    if failure is not None:
        text = string(field(failure, "message"))
        return {"call_id": "", "name": "", "content": text, "is_error": True}
    result = field(message, "result")
    content = field(result, "content")
    if not isinstance(content, list | tuple):
        return None
    return {
        "call_id": "",
        "name": "",
        "content": "".join(string(field(block, "text")) for block in content),
        "is_error": either(result, "isError", "is_error") is True,
    }


def _tool(tool: object, place: str) -> ToolDict:
    return tool_read(tool, place, either(tool, "inputSchema", "input_schema"))


MCP = Wire(
    name="mcp",
    recognise=recognise,
    read_reply=read_reply,
    write=write,
    read_call=read_call,
    write_result=write_result,
    enclose=enclose,
    without_text=without_text,
    chunks=McpChunks,
    tool_definition=tool_definition,
    read_tools=read_tools,
    read_messages=read_messages,
)
