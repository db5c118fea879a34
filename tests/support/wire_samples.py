"""The same reply in the shape of every provider: whole, and as the chunks of its stream.

Everything is plain JSON; the tests build the providers' own objects from it.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

__all__ = ["PROVIDER_NAMES", "Said", "chunks", "whole"]

PROVIDER_NAMES = ("openai", "openai-responses", "anthropic", "gemini", "bedrock", "mcp")

Json = dict[str, Any]  # Any: JSON object


class Said(NamedTuple):
    """What a model said: text, and calls as id, tool name and JSON text of the arguments."""

    calls: tuple[tuple[str, str, str], ...] = ()
    text: str = ""
    length: bool = False


def whole(provider: str, said: Said) -> Any:  # Any: a response of the provider
    """The whole reply."""
    return _WHOLE[provider](said)


def chunks(provider: str, said: Said, size: int = 7) -> list[Any]:  # Any: chunks of the provider
    """The stream of the reply, text cut into pieces of `size` characters."""
    return list(_CHUNKS[provider](said, size))


def _pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


# OpenAI chat


def _openai_finish(said: Said) -> str:
    return "length" if said.length else "tool_calls" if said.calls else "stop"


def _openai_call(call: tuple[str, str, str]) -> Json:
    function = {"name": call[1], "arguments": call[2]}
    return {"id": call[0], "type": "function", "function": function}


_OPENAI_USAGE = {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}


def _openai(said: Said) -> Json:
    message: Json = {"role": "assistant", "content": said.text or None, "refusal": None}
    if said.calls:
        message["tool_calls"] = [_openai_call(call) for call in said.calls]
    choice = {"index": 0, "message": message, "logprobs": None}
    head = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
    choice["finish_reason"] = _openai_finish(said)
    return {**head, "choices": [choice], "usage": _OPENAI_USAGE}


def _openai_chunks(said: Said, size: int) -> Iterator[Json]:
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}

    def chunk(delta: Json, finish: str | None = None) -> Json:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": None})
    for piece in _pieces(said.text, size):
        yield chunk({"content": piece})
    for index, call in enumerate(said.calls):
        begun = _openai_call((call[0], call[1], ""))
        yield chunk({"tool_calls": [{"index": index, **begun}]})
        for piece in _pieces(call[2], size):
            part = {"index": index, "function": {"arguments": piece}}
            yield chunk({"tool_calls": [part]})
    yield chunk({}, _openai_finish(said))
    yield {**head, "choices": [], "usage": _OPENAI_USAGE}


# OpenAI responses


def _response_items(said: Said) -> list[Json]:
    text = {"type": "output_text", "text": said.text, "annotations": []}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed"}
    listed: list[Json] = [{**message, "content": [text]}] if said.text else []
    for number, (call_id, name, arguments) in enumerate(said.calls):
        item = {"type": "function_call", "id": f"fc_{number}", "call_id": call_id, "name": name}
        listed.append({**item, "arguments": arguments, "status": "completed"})
    return listed


def _response(said: Said) -> Json:
    head = {"id": "resp_1", "object": "response", "created_at": 1.0, "model": "m"}
    details = {"reason": "max_output_tokens"} if said.length else None
    counted = {"input_tokens": 9, "output_tokens": 4, "total_tokens": 13}
    zero = {"input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0}}
    return {
        **head,
        "status": "incomplete" if said.length else "completed",
        "incomplete_details": details,
        "output": _response_items(said),
        "usage": {**counted, **zero, "output_tokens_details": {"reasoning_tokens": 0}},
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def _response_chunks(said: Said, size: int) -> Iterator[Json]:
    events: list[Json] = []
    for index, item in enumerate(_response_items(said)):
        begun = {**item, "status": "in_progress"}
        place: Json = {"output_index": index, "item_id": item["id"]}
        if item["type"] == "message":
            begun["content"], text = [], said.text
            place |= {"content_index": 0, "logprobs": []}
            delta, done = "response.output_text.delta", None
        else:
            begun["arguments"], text = "", item["arguments"]
            delta, done = "response.function_call_arguments.delta", {**place, "arguments": text}
        events.append({"type": "response.output_item.added", "output_index": index, "item": begun})
        events += [{"type": delta, **place, "delta": piece} for piece in _pieces(text, size)]
        if done:
            name = {"name": item["name"]}
            events.append({"type": "response.function_call_arguments.done", **done, **name})
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    ended = "response.incomplete" if said.length else "response.completed"
    events.append({"type": ended, "response": _response(said)})
    for number, event in enumerate(events):
        yield {**event, "sequence_number": number}


# Anthropic


def _anthropic_stop(said: Said) -> str:
    return "max_tokens" if said.length else "tool_use" if said.calls else "end_turn"


def _anthropic(said: Said) -> Json:
    blocks: list[Json] = [{"type": "text", "text": said.text}] if said.text else []
    for call_id, name, arguments in said.calls:
        given = json.loads(arguments)
        blocks.append({"type": "tool_use", "id": call_id, "name": name, "input": given})
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": blocks,
        "stop_reason": _anthropic_stop(said),
        "stop_sequence": None,
        "usage": {"input_tokens": 9, "output_tokens": 4},
    }


def _anthropic_chunks(said: Said, size: int) -> Iterator[Json]:
    begun = {**_anthropic(Said()), "stop_reason": None}
    yield {"type": "message_start", "message": begun}
    blocks: list[tuple[Json, str, str, str]] = []
    if said.text:
        blocks.append(({"type": "text", "text": ""}, "text_delta", "text", said.text))
    for call_id, name, arguments in said.calls:
        block = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
        blocks.append((block, "input_json_delta", "partial_json", arguments))
    for index, (block, kind, key, text) in enumerate(blocks):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        for piece in _pieces(text, size):
            delta = {"type": kind, key: piece}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": _anthropic_stop(said), "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 4}}
    yield {"type": "message_stop"}


# Gemini


_GEMINI_USAGE = {"promptTokenCount": 9, "candidatesTokenCount": 4, "totalTokenCount": 13}


def _gemini_part(call: tuple[str, str, str]) -> Json:
    own = {"id": call[0]} if call[0] else {}
    return {"functionCall": {**own, "name": call[1], "args": json.loads(call[2])}}


def _gemini_reply(parts: list[Json], finish: str | None) -> Json:
    candidate: Json = {"content": {"role": "model", "parts": parts}, "index": 0}
    if finish is None:
        return {"candidates": [candidate]}
    return {"candidates": [{**candidate, "finishReason": finish}], "usageMetadata": _GEMINI_USAGE}


def _gemini(said: Said) -> Json:
    parts = [{"text": said.text}] if said.text else []
    parts += [_gemini_part(call) for call in said.calls]
    return _gemini_reply(parts, "MAX_TOKENS" if said.length else "STOP")


def _gemini_chunks(said: Said, size: int) -> Iterator[Json]:
    for piece in _pieces(said.text, size):
        yield _gemini_reply([{"text": piece}], None)
    for call in said.calls:
        yield _gemini_reply([_gemini_part(call)], None)
    yield _gemini_reply([], "MAX_TOKENS" if said.length else "STOP")


# Bedrock


_BEDROCK_USAGE = {"inputTokens": 9, "outputTokens": 4, "totalTokens": 13}


def _bedrock_stop(said: Said) -> str:
    return "max_tokens" if said.length else "tool_use" if said.calls else "end_turn"


def _bedrock(said: Said) -> Json:
    blocks: list[Json] = [{"text": said.text}] if said.text else []
    for call_id, name, arguments in said.calls:
        use = {"toolUseId": call_id, "name": name, "input": json.loads(arguments)}
        blocks.append({"toolUse": use})
    return {
        "output": {"message": {"role": "assistant", "content": blocks}},
        "stopReason": _bedrock_stop(said),
        "usage": _BEDROCK_USAGE,
        "metrics": {"latencyMs": 5},
    }


def _bedrock_chunks(said: Said, size: int) -> Iterator[Json]:
    yield {"messageStart": {"role": "assistant"}}
    place = {"contentBlockIndex": 0}
    for piece in _pieces(said.text, size):
        yield {"contentBlockDelta": {"delta": {"text": piece}, **place}}
    if said.text:
        yield {"contentBlockStop": place}
    for index, (call_id, name, arguments) in enumerate(said.calls, start=int(bool(said.text))):
        place = {"contentBlockIndex": index}
        start = {"toolUse": {"toolUseId": call_id, "name": name}}
        yield {"contentBlockStart": {"start": start, **place}}
        for piece in _pieces(arguments, size):
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": piece}}, **place}}
        yield {"contentBlockStop": place}
    yield {"messageStop": {"stopReason": _bedrock_stop(said)}}
    yield {"metadata": {"usage": _BEDROCK_USAGE, "metrics": {"latencyMs": 5}}}


# MCP


def _mcp(said: Said) -> list[Json]:
    return [
        {
            "jsonrpc": "2.0",
            "id": call_id,
            "method": "tools/call",
            "params": {"name": name, "arguments": json.loads(arguments)},
        }
        for call_id, name, arguments in said.calls
    ]


def _mcp_chunks(said: Said, size: int) -> Iterator[str]:
    for request in _mcp(said):
        yield from _pieces(json.dumps(request) + "\n", size)


_WHOLE = {
    "openai": _openai,
    "openai-responses": _response,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "bedrock": _bedrock,
    "mcp": _mcp,
}
_CHUNKS = {
    "openai": _openai_chunks,
    "openai-responses": _response_chunks,
    "anthropic": _anthropic_chunks,
    "gemini": _gemini_chunks,
    "bedrock": _bedrock_chunks,
    "mcp": _mcp_chunks,
}
