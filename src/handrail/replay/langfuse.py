"""Langfuse observations -> exchanges and executions.

An observation has a ``type`` in capitals, ``input`` and ``output`` (Langfuse documentation,
«Observations API» and «Blob storage export field reference»; the one spells its keys in camel
case, the other in snake case). A ``GENERATION`` is a request with its reply, in the format of
whatever was traced; a ``TOOL`` is the execution of a call. A trace holds observations.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from handrail.replay.messages import as_json, message_of, messages_of, usage_of
from handrail.replay.records import Place, Recorded, Unreadable
from handrail.replay.streams import chunks_in
from handrail.replay.threads import Execution
from handrail.wire.plain import raw_arguments
from handrail.wire.registry import recognise

__all__ = ["is_observation", "is_trace", "read_observation", "read_trace"]

Object = Mapping[str, Any]  # Any: JSON values

_TYPES = (
    "GENERATION",
    "SPAN",
    "EVENT",
    "AGENT",
    "TOOL",
    "CHAIN",
    "RETRIEVER",
    "EVALUATOR",
    "EMBEDDING",
    "GUARDRAIL",
)
_MARKS = ("traceId", "trace_id", "startTime", "start_time")
_ADVICE = "download the trace from its own page, or export observations; both hold the calls"


def is_observation(row: Object) -> bool:
    """Whether a row is an observation."""
    return row.get("type") in _TYPES and any(key in row for key in _MARKS)


def is_trace(row: Object) -> bool:
    """Whether a row is a trace with its observations."""
    listed = row.get("observations")
    if not isinstance(listed, list):
        return False
    first = listed[0] if listed else None
    return "trace" in row or "id" in row or (isinstance(first, Mapping) and is_observation(first))


def read_trace(row: Object, place: Place) -> Iterator[Object | Execution | Unreadable]:
    """The exchanges and executions of a trace, by their time."""
    outer = _object(row.get("trace")) or row
    session = _either(outer, "sessionId", "session_id")
    listed = [one for one in row["observations"] if isinstance(one, Mapping)]
    if row["observations"] and not listed:
        yield Unreadable(place, "the trace holds only the ids of its observations", _ADVICE)
    for one in sorted(listed, key=_time):
        own = {"sessionId": session, "traceId": outer.get("id"), **one}
        if own.get("type") in _TYPES:
            yield from read_observation(own, place)


def read_observation(row: Object, place: Place) -> Iterator[Object | Execution]:
    """The exchange or execution that an observation is."""
    if row["type"] == "GENERATION":
        yield _exchange(row)
    elif row["type"] == "TOOL":
        yield _execution(row, place)


def _exchange(row: Object) -> Object:
    given = as_json(row.get("input"))
    asked = _object(given)
    messages, tools = messages_of(given), asked.get("tools") or asked.get("functions")
    if not tools and isinstance(given, list):
        tools = _listed_tools(given)
    return {
        "request": {
            "model": _either(row, "model", "providedModelName", "provided_model_name"),
            "tools": as_json(tools),
            "messages": messages,
        },
        "response": _response(as_json(row.get("output")), row),
        "conversation": _conversation(row),
        "trace": _trace(row),
        "error": _failed(row),
    }


def _listed_tools(messages: list[Any]) -> list[Any]:  # Any: JSON values
    """Tools that the LangChain integration puts among the messages, as messages of a tool."""
    said = [_object(one) for one in messages]
    contents = [_object(one.get("content")) for one in said if one.get("role") == "tool"]
    return [one for one in contents if "function" in one or "parameters" in one]


def _response(output: object, row: Object) -> object:
    usage = usage_of(
        _object(_either(row, "usageDetails", "usage_details")), _object(row.get("usage"))
    )
    if isinstance(output, list):
        messages = [one for one in messages_of(output) if one["role"] == "assistant"]
        if not messages:
            return output
        return {"choices": [{"message": one} for one in messages[-1:]], "usage": usage}
    if isinstance(output, str):
        if chunks_in(output) is not None or not output.strip():
            return output
        return {"choices": [{"message": {"role": "assistant", "content": output}}], "usage": usage}
    said = _object(output)
    message = message_of(said) if said.get("role") or "tool_calls" in said else None
    if message is None and "tool_calls" in said:
        message = message_of({"role": "assistant", **said})
    if message is not None and not _is_whole(said):
        finish = said.get("finish_reason") or said.get("stop_reason")
        return {"choices": [{"message": message, "finish_reason": finish}], "usage": usage}
    if isinstance(output, Mapping) and usage and not (output.get("usage") or {}):
        return {**output, "usage": usage}
    return output


def _is_whole(said: Object) -> bool:
    """Whether a provider's own shape says more than a message would."""
    wire = recognise(said)
    return wire is not None and wire.name not in ("openai", "openai-responses")


def _execution(row: Object, place: Place) -> Execution:
    output = as_json(row.get("output"))
    message = _object(output)
    message = _object(message.get("kwargs")) or message
    call_id = message.get("tool_call_id")
    named = _object(row.get("metadata")).get("tool_call_id")
    failed = _failed(row) or message.get("status") == "error"
    call = Recorded(
        place=place,
        tool=str(row.get("name") or ""),
        arguments=raw_arguments(as_json(row.get("input"))),
        result=message.get("content") if "tool_call_id" in message else output,
        error=failed or False,
        call_id=next((one for one in (call_id, named) if isinstance(one, str)), ""),
        conversation=_conversation(row),
    )
    return Execution(trace=_trace(row), call=call)


def _failed(row: Object) -> object:
    """What went wrong; None if nothing did."""
    if row.get("level") != "ERROR":
        return None
    return _either(row, "statusMessage", "status_message") or True


def _conversation(row: Object) -> str:
    named = _either(row, "sessionId", "session_id")
    return named if isinstance(named, str) and named else _trace(row)


def _trace(row: Object) -> str:
    found = _either(row, "traceId", "trace_id") or row.get("id")
    return found if isinstance(found, str) else ""


def _time(row: Object) -> str:
    return str(_either(row, "startTime", "start_time") or "")


def _either(row: Object, *keys: str) -> Any:  # Any: JSON value
    return next((row[key] for key in keys if row.get(key) is not None), None)


def _object(value: object) -> Object:
    value = as_json(value)
    return value if isinstance(value, Mapping) else {}
