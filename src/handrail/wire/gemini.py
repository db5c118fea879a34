"""The Gemini shape (generateContent): content is a list of parts, and arguments are objects.

Read in the spelling of the REST interface (``functionCall``), of the client library's dicts
(``function_call``) and as its objects; written in the spelling of REST, which the client library
takes too. Parts go back in their place with their thought signatures, without which the next
request is refused. Older models give calls no id: then none is sent back, and results are told
apart by their order.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from handrail.wire.gemini_parts import call_of, part_of, response_of, said_of
from handrail.wire.gemini_stream import GeminiChunks
from handrail.wire.pairing import Pending, is_minted, paired, with_ids
from handrail.wire.plain import (
    ANY_OBJECT,
    arguments_object,
    count,
    either,
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
    "GEMINI",
    "enclose",
    "group_tools",
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

_STOPPED = ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR")
_FINISH: dict[str, FinishReason] = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    **dict.fromkeys(_STOPPED, "content_filter"),
}


def recognise(obj: object) -> bool:
    """Whether this is a response, or the content of one."""
    if isinstance(obj, str | bytes | list | tuple) or obj is None:
        return False
    if isinstance(field(obj, "candidates"), list | tuple):
        return True
    if either(obj, "promptFeedback", "prompt_feedback") is not None:
        return True
    return field(obj, "role") == "model" and isinstance(field(obj, "parts"), list | tuple)


def read_reply(obj: object) -> ReplyDict:
    """One whole reply; of several candidates the first.

    Raises:
        ValueError: If it is not of this shape, or a part is malformed; the message names the
            place.
    """
    if not recognise(obj):
        raise ValueError(f"a Gemini response is expected, got {shape_of(obj)}")
    candidates = items(field(obj, "candidates"), "candidates")
    candidate = candidates[0] if candidates else None
    content = obj if field(obj, "parts") is not None else field(candidate, "content")
    parts = items(field(content, "parts"), "parts")
    calls = [
        _call(called, f"parts[{index}].functionCall")
        for index, part in enumerate(parts)
        if (called := call_of(part)) is not None
    ]
    return {
        "provider": "gemini",
        "text": "".join(map(said_of, parts)),
        "calls": with_ids(calls),
        "finish_reason": _finish(obj, candidate, calls),
        "usage": _usage(either(obj, "usageMetadata", "usage_metadata")),
        "message": {
            "role": "model",
            "parts": [part_of(part, f"parts[{index}]") for index, part in enumerate(parts)],
        },
    }


def write(
    reply: ReplyDict, results: Sequence[ResultDict]
) -> list[dict[str, Any]]:  # Any: JSON object
    """The model's content, and all results of its calls in one user content.

    Each call stands where its part stood; calls without a part come last. A turn that has
    nothing to say is left out, since an empty one is refused.

    Raises:
        ValueError: If a call has no result, or a result no call.
    """
    waiting = list(paired(reply["calls"], results))
    parts: list[dict[str, Any]] = []  # Any: JSON object
    answers: list[dict[str, Any]] = []  # Any: JSON object
    for part in reply["message"].get("parts") or ():
        if "functionCall" not in part:
            parts.append(part)
        elif waiting:
            _exchange(part, *waiting.pop(0), parts, answers)
    for call, result in waiting:
        _exchange({}, call, result, parts, answers)
    turns: list[dict[str, Any]] = []  # Any: JSON object
    if parts:
        turns.append({"role": "model", "parts": parts})
    if answers:
        turns.append({"role": "user", "parts": answers})
    return turns


def _exchange(
    part: Mapping[str, Any],  # Any: JSON object
    call: CallDict,
    result: ResultDict,
    parts: list[dict[str, Any]],  # Any: JSON object
    answers: list[dict[str, Any]],  # Any: JSON object
) -> None:
    """The call and its answer; both bear an id if the model's call had one."""
    had_id = bool((part.get("functionCall") or {}).get("id"))
    own = {"id": call["id"]} if had_id else {}
    called = {**own, "name": call["name"], "args": arguments_object(call["arguments"])}
    parts.append({**part, "functionCall": called})
    answers.append({"functionResponse": {**own, "name": call["name"], "response": _said(result)}})


def _said(result: ResultDict) -> dict[str, str]:
    return {"error" if result["is_error"] else "output": result["content"]}


def write_result(result: ResultDict) -> dict[str, Any]:  # Any: JSON object
    """One result as a part of a user content; an id that the model did not give is left out."""
    own = {} if is_minted(result["call_id"]) else {"id": result["call_id"]}
    said = {**own, "name": result["name"], "response": _said(result)}
    return {"functionResponse": said}


def read_call(obj: object) -> CallDict | None:
    """One part with a call, or the call in it; None for anything else."""
    called = call_of(obj)
    if called is None:
        if field(obj, "args") is None or not isinstance(field(obj, "name"), str):
            return None
        called = obj
    return _call(called, "functionCall")


def enclose(parts: Sequence[object]) -> object:
    """Parts, or calls without their part, as the content of a reply."""
    whole = [part if call_of(part) is not None else {"functionCall": part} for part in parts]
    return {"role": "model", "parts": whole}


def without_text(message: dict[str, Any]) -> dict[str, Any]:  # Any: JSON object
    """The model's content without what was said in it."""
    parts = message.get("parts") or ()
    return {**message, "parts": [part for part in parts if not said_of(part)]}


def tool_definition(tool: ToolDict, strict: bool = False) -> dict[str, Any]:  # Any: JSON object
    """One function declaration; the schema is passed on as JSON Schema.

    There is no strict decoding of a single function here: the flag changes nothing.
    """
    definition = tool_head(tool)
    definition["parametersJsonSchema"] = tool["schema"] or ANY_OBJECT
    return definition


def group_tools(
    declarations: list[dict[str, Any]],
) -> list[dict[str, Any]]:  # Any: JSON object
    """All function declarations in one tool: several tools of functions are refused."""
    return [{"functionDeclarations": declarations}] if declarations else []


def read_tools(request: object) -> list[ToolDict]:
    """The functions of a logged request (or of its ``tools`` list).

    Raises:
        ValueError: If ``tools`` is no list, or a function has no name.
    """
    listed: object = request
    if not isinstance(request, list | tuple):
        listed = field(request, "tools") or field(field(request, "config"), "tools")
    found: list[ToolDict] = []
    for index, tool in enumerate(items(listed, "tools")):
        declared = either(tool, "functionDeclarations", "function_declarations")
        place = f"tools[{index}].functionDeclarations"
        found += [_tool(one, f"{place}[{n}]") for n, one in enumerate(items(declared, place))]
    return found


def read_messages(messages: Sequence[object]) -> list[Event]:
    """Calls, results and texts of a list of contents, in order.

    Raises:
        ValueError: If a call is malformed; the message names the place.
    """
    events: list[Event] = []
    pending = Pending()
    for index, content in enumerate(messages):
        place = f"contents[{index}].parts"
        for number, part in enumerate(items(field(content, "parts"), place)):
            if (called := call_of(part)) is not None:
                call = _call(called, f"{place}[{number}].functionCall")
                events.extend(("call", named) for named in pending.add([call]))
            elif (answer := response_of(part)) is not None:
                events.append(("result", _result(answer, pending)))
            elif text := said_of(part):
                ours = field(content, "role") == "model"
                events.append(("text", text) if ours else ("user", text))
    return events


def _call(called: object, place: str) -> CallDict:
    name = name_of(field(called, "name"), f"{place}.name")
    given = raw_arguments(field(called, "args"))
    return CallDict(id=string(field(called, "id")), name=name, arguments=given)


def _result(answer: object, pending: Pending) -> ResultDict:
    sent_name = string(field(answer, "name"))
    call_id, name = pending.answer(string(field(answer, "id")), sent_name)
    response = field(answer, "response")
    failed = field(response, "error")
    said = failed if failed is not None else either(response, "output", "result")
    content = said if isinstance(said, str) else json_text(response if said is None else said)
    return {
        "call_id": call_id,
        "name": sent_name or name,
        "content": content,
        "is_error": failed is not None,
    }


def _finish(obj: object, candidate: object, calls: Sequence[CallDict]) -> FinishReason:
    reason = either(candidate, "finishReason", "finish_reason")
    feedback = either(obj, "promptFeedback", "prompt_feedback")
    if reason is None and either(feedback, "blockReason", "block_reason") is not None:
        return "content_filter"
    finish = ended(reason, _FINISH)
    return "tool_calls" if calls and finish in ("stop", "other") else finish


def _tool(declared: object, place: str) -> ToolDict:
    return tool_read(
        declared,
        place,
        either(declared, "parametersJsonSchema", "parameters_json_schema", "parameters"),
    )


def _usage(usage: object) -> UsageDict:
    """Thoughts count as output."""
    sent = count(either(usage, "promptTokenCount", "prompt_token_count"))
    got = count(either(usage, "candidatesTokenCount", "candidates_token_count"))
    thought = count(either(usage, "thoughtsTokenCount", "thoughts_token_count"))
    return {"input_tokens": sent, "output_tokens": got + thought}


GEMINI = Wire(
    name="gemini",
    recognise=recognise,
    read_reply=read_reply,
    write=write,
    read_call=read_call,
    write_result=write_result,
    enclose=enclose,
    without_text=without_text,
    chunks=GeminiChunks,
    tool_definition=tool_definition,
    read_tools=read_tools,
    read_messages=read_messages,
    group_tools=group_tools,
)
