"""OpenTelemetry's GenAI conventions -> exchanges and executions.

Three ways in which a model's reply is recorded (semantic conventions for generative AI):

- attributes of the span, or of an event ``gen_ai.client.inference.operation.details``:
  ``gen_ai.input.messages``, ``gen_ai.output.messages``, ``gen_ai.tool.definitions`` (1.37 on);
- an event for each message, the reply being ``gen_ai.choice`` (1.28 to 1.36);
- attributes ``gen_ai.prompt`` and ``gen_ai.completion`` with JSON text (before), or with one
  attribute for each field, as OpenLLMetry writes them.

Spans of the operation ``execute_tool`` are executions of calls. Spans of agents only repeat what
the spans inside them hold.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from handrail.replay.messages import as_json, finish_of, message_of, messages_of
from handrail.replay.otlp import Signal, signals
from handrail.replay.records import Place, Recorded
from handrail.replay.threads import Execution
from handrail.wire.plain import raw_arguments

__all__ = ["read_telemetry"]

Object = Mapping[str, Any]  # Any: JSON values

_INDEXED = re.compile(r"(gen_ai\.prompt|gen_ai\.completion|llm\.request\.functions)\.(\d+)\.(.+)")
_NO_MODEL = ("invoke_agent", "create_agent", "invoke_workflow", "embeddings")
_EVENT = re.compile(r"gen_ai\.(user|assistant|system|tool)\.message")
_OLD_CONTENT = ("gen_ai.content.prompt", "gen_ai.content.completion")
_NEW_EVENT = "gen_ai.client.inference.operation.details"
_CONVERSATIONS = ("gen_ai.conversation.id", "session.id")
_MOST_INDEXES = 10_000


def read_telemetry(row: Object, place: Place) -> Iterator[Object | Execution]:
    """The exchanges and executions of a batch of telemetry, or of a single span or record."""
    events: dict[str, list[Signal]] = {}
    for signal in signals(row):
        if signal.body is not None or signal.name.startswith("gen_ai."):
            # Records of one reply stand next to each other, or share their span.
            events.setdefault(signal.span or signal.trace, []).append(signal)
        else:
            yield from _span(signal, place)
    for several in events.values():
        yield from _recorded(several)


def _span(span: Signal, place: Place) -> Iterator[Object | Execution]:
    own = span.attributes
    operation = own.get("gen_ai.operation.name")
    if operation == "execute_tool" or ("gen_ai.tool.name" in own and operation is None):
        yield _execution(span, place)
        return
    if operation in _NO_MODEL:
        return
    exchange = _exchange(own, span)
    if exchange is not None:
        yield exchange
        return
    listed = as_json(own.get("events"))
    inner = [_event_in(one, span) for one in listed] if isinstance(listed, list) else []
    yield from _recorded([*span.events, *inner], span)


def _event_in(value: object, span: Signal) -> Signal:
    """An event that is kept as JSON in an attribute ``events``, as some SDKs do."""
    held = value if isinstance(value, Mapping) else {}
    name = held.get("event.name")
    return Signal(name if isinstance(name, str) else "", {}, dict(held), span.trace, span.span)


def _exchange(own: Object, signal: Signal) -> Object | None:
    """The exchange that attributes hold; None if they hold no reply."""
    indexed = _indexed(own)
    said = own.get("gen_ai.output.messages", own.get("gen_ai.completion"))
    output = as_json(said) if said is not None else indexed.get("gen_ai.completion")
    if not isinstance(output, list):
        return None
    asked = own.get("gen_ai.input.messages", own.get("gen_ai.prompt"))
    tools = as_json(own.get("gen_ai.tool.definitions"))
    if not tools:
        tools = [_parsed(one) for one in indexed.get("llm.request.functions", ())]
    reasons = own.get("gen_ai.response.finish_reasons")
    reasons = reasons if isinstance(reasons, list) else []
    choices = []
    for index, one in enumerate(output):
        message = message_of(one)
        if message is not None:
            stated = _object(one).get("finish_reason") or (
                reasons[index] if index < len(reasons) else None
            )
            choices.append({"message": message, "finish_reason": finish_of(stated)})
    return _row(own, signal, messages_of(asked or indexed.get("gen_ai.prompt")), choices, tools)


def _parsed(function: Object) -> Object:
    return {**function, "parameters": as_json(function.get("parameters"))}


def _row(
    own: Object, signal: Signal, messages: list[Any], choices: list[Any], tools: object
) -> Object:  # Any: JSON values
    sent = own.get("gen_ai.usage.input_tokens", own.get("gen_ai.usage.prompt_tokens"))
    got = own.get("gen_ai.usage.output_tokens", own.get("gen_ai.usage.completion_tokens"))
    named = next((own[key] for key in _CONVERSATIONS if own.get(key)), signal.trace)
    usage = {"prompt_tokens": sent, "completion_tokens": got}
    model = own.get("gen_ai.response.model") or own.get("gen_ai.request.model")
    return {
        "request": {"model": model, "messages": messages, "tools": tools},
        "response": {"choices": choices, "usage": usage} if choices else None,
        "conversation": named,
        "trace": signal.trace,
        "error": own.get("error.type"),
    }


def _recorded(events: Iterable[Signal], span: Signal | None = None) -> Iterator[Object]:
    """The exchanges that events tell of; a ``gen_ai.choice`` ends the messages before it."""
    messages: list[Any] = []  # Any: JSON object
    choices: list[Any] = []  # Any: JSON object
    last: Signal | None = None
    for event in events:
        own = {**(span.attributes if span else {}), **event.attributes}
        if event.name in (_NEW_EVENT, *_OLD_CONTENT):
            exchange = _exchange(own, event if event.trace or span is None else span)
            if exchange is not None:
                yield exchange
            continue
        body = {**event.attributes, **_object(event.body)}
        if (kind := _EVENT.fullmatch(event.name)) is not None:
            if choices and last is not None:
                yield _row(_attributes(last, span), last, messages, choices, None)
                messages, choices = [], []
            messages += messages_of([{"role": kind[1], **_known(body)}])
        elif event.name == "gen_ai.choice":
            choices.append(_choice(body))
            last = event if event.trace or span is None else span
    if choices and last is not None:
        yield _row(_attributes(last, span), last, messages, choices, None)


def _attributes(signal: Signal, span: Signal | None) -> Object:
    return {**(span.attributes if span else {}), **signal.attributes}


def _choice(body: Object) -> Object:
    said = as_json(body.get("message"))
    held = _object(said) or ({"content": said} if isinstance(said, str) else {})
    calls = as_json(body.get("tool_calls") or held.get("tool_calls"))
    content = held.get("content", body.get("content"))
    message = message_of({"role": "assistant", "content": content, "tool_calls": calls or []})
    return {"message": message, "finish_reason": finish_of(body.get("finish_reason"))}


def _known(body: Object) -> Object:
    """The fields of a message's event; ``role`` is stated where it is not the usual one."""
    kept = {key: as_json(body[key]) for key in ("tool_calls", "id", "name") if key in body}
    return {**kept, "content": body.get("content")}


def _execution(span: Signal, place: Place) -> Execution:
    own = span.attributes
    name, call_id = own.get("gen_ai.tool.name"), own.get("gen_ai.tool.call.id")
    if not name:
        name = span.name.removeprefix("execute_tool ")
    given = next(
        (own[key] for key in ("gen_ai.tool.call.arguments", "tool_arguments") if key in own), None
    )
    result = own.get("gen_ai.tool.call.result", own.get("tool_response"))
    named = next((own[key] for key in _CONVERSATIONS if own.get(key)), span.trace)
    call = Recorded(
        place=place,
        tool=str(name),
        arguments=None if given is None else raw_arguments(given),
        result=result,
        error=own.get("error.type") or span.failed,
        call_id=call_id if isinstance(call_id, str) else "",
        conversation=str(named) or None,
    )
    return Execution(trace=span.trace, call=call)


def _indexed(own: Object) -> dict[str, list[dict[str, Any]]]:  # Any: attribute values
    """Messages and functions that are spread over attributes with a number in their names."""
    found: dict[str, dict[int, dict[str, Any]]] = {}  # Any: attribute values
    for key, value in own.items():
        hit = _INDEXED.fullmatch(key)
        if hit is not None and int(hit[2]) < _MOST_INDEXES:
            _put(found.setdefault(hit[1], {}).setdefault(int(hit[2]), {}), hit[3], value)
    return {
        key: [_with_calls(one) for _, one in sorted(several.items())]
        for key, several in found.items()
    }


def _put(message: dict[str, Any], path: str, value: object) -> None:  # Any: attribute values
    hit = re.fullmatch(r"tool_calls\.(\d{1,4})\.(.+)", path)
    if hit is None:
        message[path] = value
    else:
        message.setdefault("tool_calls", {}).setdefault(int(hit[1]), {})[hit[2]] = value


def _with_calls(message: dict[str, Any]) -> dict[str, Any]:  # Any: attribute values
    calls = message.get("tool_calls")
    if isinstance(calls, dict):
        return {**message, "tool_calls": [one for _, one in sorted(calls.items())]}
    return message


def _object(value: object) -> Object:
    value = as_json(value)
    return value if isinstance(value, Mapping) else {}
