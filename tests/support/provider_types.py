"""The providers' own classes: replies are built of them, and what we send is checked by them."""

import json
from functools import cache
from typing import Any, get_args

import anthropic.types as anthropic_types
import botocore.session
import openai.types.chat as chat_types
import openai.types.responses as responses_types
from botocore.validate import ParamValidator
from google.genai import types as gemini_types
from mcp import types as mcp_types
from openai.types.responses.response_input_item_param import FunctionCallOutput
from pydantic import TypeAdapter

from typed_dicts import faults

__all__ = ["own_chunk", "own_reply", "refusals", "tool_refusals"]

Json = Any  # Any: JSON of a provider, or an object of its library


def own_reply(provider: str, reply: Json) -> Json:
    """A whole reply as the provider's client library gives it."""
    match provider:
        case "openai":
            return chat_types.ChatCompletion.model_validate(reply)
        case "openai-responses":
            return responses_types.Response.model_validate(reply)
        case "anthropic":
            return anthropic_types.Message.model_validate(reply)
        case "gemini":
            return gemini_types.GenerateContentResponse.model_validate(reply)
        case "mcp":
            return [mcp_types.JSONRPCRequest.model_validate(one) for one in reply]
    return _checked("Converse", "output_shape", reply)


def own_chunk(provider: str, chunk: Json) -> Json:
    """A chunk of a stream as the provider's client library gives it."""
    match provider:
        case "openai":
            return chat_types.ChatCompletionChunk.model_validate(chunk)
        case "openai-responses":
            return _adapter("openai-responses").validate_python(chunk)
        case "anthropic":
            return _adapter("anthropic").validate_python(chunk)
        case "gemini":
            return gemini_types.GenerateContentResponse.model_validate(chunk)
        case "bedrock":
            stream = _service().operation_model("ConverseStream").output_shape.members["stream"]
            return _shaped(stream, chunk)
    return chunk


@cache
def _adapter(provider: str) -> TypeAdapter[Any]:  # Any: a union of events
    if provider == "anthropic":
        return TypeAdapter(anthropic_types.RawMessageStreamEvent)
    return TypeAdapter(responses_types.ResponseStreamEvent)


def refusals(provider: str, messages: Json) -> list[str]:
    """Why the provider's own request types would refuse these messages; empty if they do not."""
    json.dumps(messages)
    match provider:
        case "openai":
            union = chat_types.ChatCompletionMessageParam
            return [fault for one in messages for fault in faults(one, _by_role(union, one))]
        case "openai-responses":
            return [fault for one in messages for fault in faults(one, _item(one))]
        case "anthropic":
            return [f for one in messages for f in faults(one, anthropic_types.MessageParam)]
        case "gemini":
            for one in messages:
                gemini_types.Content.model_validate(one)
            return []
        case "mcp":
            return [fault for one in messages for fault in _mcp(one)]
    _checked("Converse", "input_shape", {"modelId": "m", "messages": messages})
    return (
        [] if all(set(_statuses(one)) <= {"success", "error"} for one in messages) else ["status"]
    )


def tool_refusals(provider: str, tools: Json) -> list[str]:
    """The same for tool definitions."""
    match provider:
        case "openai":
            return [f for one in tools for f in faults(one, chat_types.ChatCompletionToolParam)]
        case "openai-responses":
            return [f for one in tools for f in faults(one, responses_types.FunctionToolParam)]
        case "anthropic":
            return [f for one in tools for f in faults(one, anthropic_types.ToolParam)]
        case "gemini":
            gemini_types.GenerateContentConfig.model_validate({"tools": tools})
            return []
        case "mcp":
            return [fault for one in tools for fault in _unknown_to(mcp_types.Tool, one)]
    _checked("Converse", "input_shape", {"modelId": "m", "toolConfig": {"tools": tools}})
    return []


_ITEMS = {
    "message": responses_types.ResponseOutputMessageParam,
    "reasoning": responses_types.ResponseReasoningItemParam,
    "function_call": responses_types.ResponseFunctionToolCallParam,
    "function_call_output": FunctionCallOutput,
}


def _by_role(union: Any, message: Json) -> Any:  # Any: TypedDicts
    name = f"ChatCompletion{message['role'].capitalize()}MessageParam"
    return next(one for one in get_args(union) if one.__name__ == name)


def _item(item: Json) -> Any:  # Any: a TypedDict
    plain = "role" in item and "id" not in item
    return responses_types.EasyInputMessageParam if plain else _ITEMS[item["type"]]


def _mcp(message: Json) -> list[str]:
    if "jsonrpc" in message:
        mcp_types.JSONRPCResponse.model_validate(message)
        message = message["result"]
    return _unknown_to(mcp_types.CallToolResult, message)


def _unknown_to(model: Any, value: Json) -> list[str]:  # Any: a pydantic model
    model.model_validate(value)
    known = {field.alias or name for name, field in model.model_fields.items()}
    return [f"{key} is unknown" for key in value.keys() - known]


@cache
def _service() -> Any:  # Any: the service model of botocore
    return botocore.session.get_session().get_service_model("bedrock-runtime")


def _checked(operation: str, side: str, value: Json) -> Json:
    return _shaped(getattr(_service().operation_model(operation), side), value)


def _shaped(shape: Any, value: Json) -> Json:  # Any: a shape of botocore
    report = ParamValidator().validate(value, shape)
    assert not report.has_errors(), report.generate_report()
    return value


def _statuses(message: Json) -> list[str]:
    results = [block["toolResult"] for block in message["content"] if "toolResult" in block]
    return [result["status"] for result in results if "status" in result]
