"""Messages of tracing exports -> OpenAI's: LangChain's, OpenTelemetry's, and plain ones.

Tracing systems store messages in a shape of their own, whatever provider they came from.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["as_json", "finish_of", "message_of", "messages_of", "usage_of"]

Object = Mapping[str, Any]  # Any: JSON values

_ROLES = {
    "ai": "assistant",
    "AIMessageChunk": "assistant",
    "model": "assistant",
    "human": "user",
    "HumanMessageChunk": "user",
    "tool": "tool",
    "ToolMessageChunk": "tool",
    "function": "tool",
    "system": "system",
    "developer": "system",
}
_CLASSES = {
    "AIMessage": "assistant",
    "AIMessageChunk": "assistant",
    "HumanMessage": "user",
    "ToolMessage": "tool",
    "FunctionMessage": "tool",
    "SystemMessage": "system",
}
_CALLS = ("tool_call", "tool_use", "invalid_tool_call")
_INPUT = ("input_tokens", "prompt_tokens", "input", "promptTokens")
_OUTPUT = ("output_tokens", "completion_tokens", "output", "completionTokens")


def as_json(value: object) -> object:
    """The value itself, or what a text holds that is a JSON object or array."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            found: object = json.loads(value)
        except (ValueError, RecursionError):
            return value
        return found
    return value


def messages_of(value: object) -> list[dict[str, Any]]:  # Any: JSON object
    """A list of messages, also one inside a list; what is none is left out."""
    value = as_json(value)
    if isinstance(value, Mapping):
        value = as_json(value.get("messages"))
    if not isinstance(value, list):
        return []
    if len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    return [message for one in value for message in _messages(one)]


def message_of(value: object) -> dict[str, Any] | None:  # Any: JSON object
    """The message of a model; None if it is something else."""
    found = _messages(as_json(value))
    return found[0] if found and found[0]["role"] == "assistant" else None


def finish_of(value: object) -> str | None:
    """A finish reason as OpenAI spells it."""
    if not isinstance(value, str) or not value:
        return None
    reason = value.lower()
    return {"tool_call": "tool_calls", "tool_use": "tool_calls", "end_turn": "stop"}.get(
        reason, reason
    )


def usage_of(*places: object) -> dict[str, int] | None:
    """Tokens from the first place that knows of any."""
    for place in places:
        if isinstance(place, Mapping):
            sent, got = _count(place, _INPUT), _count(place, _OUTPUT)
            if sent or got:
                return {"prompt_tokens": sent, "completion_tokens": got}
    return None


def _messages(value: object) -> list[dict[str, Any]]:  # Any: JSON object
    """One message; several where OpenTelemetry puts several results in one."""
    if not isinstance(value, Mapping):
        return []
    own = next((value[k] for k in ("kwargs", "data") if isinstance(value.get(k), Mapping)), value)
    role = _role(value, own)
    if role is None:
        return []
    parts = as_json(own.get("parts"))
    if isinstance(parts, list):
        return _from_parts(role, [one for one in parts if isinstance(one, Mapping)])
    if role == "tool":
        call_id = own.get("tool_call_id") or own.get("id")
        return [_result(call_id, own.get("content"), own.get("name"))]
    message = {"role": role, "content": _text(own.get("content"))}
    calls = _calls(own) if role == "assistant" else []
    return [{**message, "tool_calls": calls} if calls else message]


def _role(value: Object, own: Object) -> str | None:
    if value.get("type") == "constructor" and isinstance(value.get("id"), list):
        name = value["id"][-1] if value["id"] else ""
        return _CLASSES.get(name) if isinstance(name, str) else None
    for given in (own.get("role"), value.get("type"), own.get("type")):
        if isinstance(given, str) and given:
            return _ROLES.get(given, given if given in ("user", "assistant") else None)
    return None


def _calls(own: Object) -> list[dict[str, Any]]:  # Any: JSON object
    """The calls of a message: as sent where that is kept, else as LangChain read them."""
    extra = own.get("additional_kwargs")
    raw = extra.get("tool_calls") if isinstance(extra, Mapping) else None
    listed = raw if isinstance(raw, list) and raw else _listed(own, "tool_calls")
    if listed is not raw:
        listed = [*listed, *_listed(own, "invalid_tool_calls")]
    if not listed and isinstance(own.get("content"), list):
        listed = [
            one for one in own["content"] if isinstance(one, Mapping) and one.get("type") in _CALLS
        ]
    older = own.get("function_call") or (extra or {}).get("function_call")
    if not listed and isinstance(older, Mapping):
        listed = [older]
    return [_call(one) for one in listed if isinstance(one, Mapping)]


def _listed(own: Object, key: str) -> list[Any]:  # Any: JSON values
    value = as_json(own.get(key))
    return value if isinstance(value, list) else []


def _call(call: Object) -> dict[str, Any]:  # Any: JSON object
    inner = call.get("function")
    own = inner if isinstance(inner, Mapping) else call
    given = next((own[k] for k in ("arguments", "args", "input") if own.get(k) is not None), None)
    function = {"name": own.get("name"), "arguments": given}
    return {"id": call.get("id") or "", "type": "function", "function": function}


def _from_parts(role: str, parts: Sequence[Object]) -> list[dict[str, Any]]:  # Any: JSON object
    """A message of OpenTelemetry's; parts of other types are no text and no calls."""
    results = [
        _result(part.get("id"), part.get("response", part.get("result")), None)
        for part in parts
        if part.get("type") == "tool_call_response"
    ]
    said = [part.get("content", part.get("text")) for part in parts if part.get("type") == "text"]
    calls = [_call(part) for part in parts if part.get("type") == "tool_call"]
    if role == "tool" or (results and not said and not calls):
        return results
    text = "".join(one for one in said if isinstance(one, str))
    message = {"role": role, "content": text}
    return [{**message, "tool_calls": calls} if calls else message, *results]


def _result(call_id: object, content: object, name: object) -> dict[str, Any]:  # Any: JSON object
    text = content if isinstance(content, str) else json.dumps(content, default=str)
    named = {"name": name} if isinstance(name, str) else {}
    own = call_id if isinstance(call_id, str) else ""
    return {"role": "tool", "tool_call_id": own, "content": text, **named}


def _text(content: object) -> str:
    if isinstance(content, list):
        return "".join(
            one if isinstance(one, str) else str(one.get("text") or "")
            for one in content
            if isinstance(one, str) or (isinstance(one, Mapping) and one.get("type") == "text")
        )
    return content if isinstance(content, str) else ""


def _count(place: Object, keys: tuple[str, ...]) -> int:
    for key in keys:
        value = place.get(key)
        if isinstance(value, str) and value.isdecimal():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
    return 0
