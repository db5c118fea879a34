"""OpenAI chat messages and tools as those of pydantic-ai, and its response as our reply.

Both sides know the same things, and four of them go wrong when translated naively:

* The feedback on a call must reach the model as it is. A tool message becomes a plain successful
  tool return: one with the outcome ``failed`` would be wrapped in ``{"error": ...}``, and a retry
  part would be reworded.
* Arguments that are no JSON object would go back as ``{"INVALID_JSON": ...}``, and sound ones
  rewritten without their spaces. `own_words` keeps the model's own text wherever the provider
  takes arguments as text (OpenAI and everything alike). Anthropic, Google and Bedrock take only
  objects, so there the wrapper remains.
* A tool is sent with ``strict`` only where its definition says so; pydantic-ai would decide by
  itself. It also leaves ``title`` and ``$schema`` out of schemas for OpenAI.
* For models whose profile says that their template tokens in a text are dangerous, pydantic-ai
  breaks such tokens with an invisible character; that is left to it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

from handrail.contract.call import ToolCall
from handrail.errors import ConfigError
from handrail.models.model import Message, ModelReply, ToolDict, Usage

if TYPE_CHECKING:
    from pydantic_ai.messages import (
        ModelMessage,
        ModelRequestPart,
        ModelResponse,
        ToolCallPart,
        UserPromptPart,
    )
    from pydantic_ai.models import ModelRequestParameters

__all__ = [
    "own_words",
    "read_response",
    "request_parameters",
    "response_key",
    "to_provider_messages",
]

_FINISH_REASONS = {"tool_call": "tool_calls"}


def to_provider_messages(
    messages: Iterable[Message], seen: "Mapping[str, ModelResponse] | None" = None
) -> "list[ModelMessage]":
    """OpenAI chat messages as messages of pydantic-ai.

    Args:
        messages: The conversation, oldest first.
        seen: Responses to repeat whole, by their key.

    Raises:
        ConfigError: A role or a content part is not understood.
    """
    from pydantic_ai.messages import ModelRequest

    history: list[ModelMessage] = []
    waiting: list[ModelRequestPart] = []
    names: dict[str, str] = {}
    for message in messages:
        if message["role"] != "assistant":
            waiting.append(_request_part(message, names))
            continue
        if waiting:
            history.append(ModelRequest(parts=waiting))
            waiting = []
        for call in message.get("tool_calls") or ():
            names[call["id"]] = call["function"]["name"]
        history.append(_response(message, seen or {}))
    if waiting:
        history.append(ModelRequest(parts=waiting))
    return history


def _request_part(message: Message, names: Mapping[str, str]) -> "ModelRequestPart":
    from pydantic_ai.messages import SystemPromptPart, ToolReturnPart

    content = message.get("content")
    match message["role"]:
        case "system" | "developer":
            return SystemPromptPart(content=_text(content))
        case "user":
            return _user_part(content)
        case "tool":
            call_id = message["tool_call_id"]
            name = names.get(call_id) or message.get("name") or "unknown"
            return ToolReturnPart(tool_name=name, content=_text(content), tool_call_id=call_id)
        case role:
            raise ConfigError(f"a message has the role {role!r}, which is not understood")


def _user_part(content: Any) -> "UserPromptPart":  # Any: JSON value
    from pydantic_ai.messages import BinaryContent, ImageUrl, UserContent, UserPromptPart

    if content is None or isinstance(content, str):
        return UserPromptPart(content=content or "")
    parts: list[UserContent] = []
    for part in content:
        match part:
            case {"type": "text", "text": str(text)}:
                parts.append(text)
            case {"type": "image_url", "image_url": {"url": str(url)}}:
                inline = url.startswith("data:")
                parts.append(BinaryContent.from_data_uri(url) if inline else ImageUrl(url=url))
            case _:
                raise ConfigError(
                    f"a user message has a part that is not understood: {part!r:.100}"
                )
    return UserPromptPart(content=parts)


def _response(message: Message, seen: "Mapping[str, ModelResponse]") -> "ModelResponse":
    from pydantic_ai.messages import ModelResponse, ModelResponsePart, TextPart, ToolCallPart

    text = _text(message.get("content"))
    calls = [
        (call["id"], call["function"]["name"], call["function"].get("arguments"))
        for call in message.get("tool_calls") or ()
    ]
    if calls and (same := seen.get(response_key(text, calls))):
        return same
    parts: list[ModelResponsePart] = [TextPart(content=text)] if text else []
    for call_id, name, arguments in calls:
        parts.append(own_words(ToolCallPart(name, arguments, call_id)))
    return ModelResponse(parts=parts)


def _text(content: Any) -> str:  # Any: JSON value
    """Text of a content that is null, a string, or a list of text parts."""
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part.get("text") or "" for part in content)


def own_words(part: Any) -> "ToolCallPart":  # Any: a ToolCallPart among other parts
    """The call with its arguments sent as the model wrote them."""
    if not isinstance(part.args, str):
        given: ToolCallPart = part
        return given
    values = {field.name: getattr(part, field.name) for field in fields(part) if field.init}
    return _own_words_class()(**values)


@cache
def _own_words_class() -> "type[ToolCallPart]":
    from pydantic_ai.messages import ToolCallPart

    class OwnWords(ToolCallPart):
        """A call whose argument text stays as it is."""

        def args_as_json_str(self) -> str:
            return self.args if isinstance(self.args, str) else super().args_as_json_str()

    return OwnWords


def response_key(
    text: str, calls: Iterable[tuple[str, str, Any]]
) -> str:  # Any: text or JSON object
    """What a response and the chat message that repeats it have in common."""
    return json.dumps([text, [(i, name, _value(args)) for i, name, args in calls]], sort_keys=True)


def _value(arguments: Any) -> Any:  # Any: text or JSON value
    try:
        return json.loads(arguments) if isinstance(arguments, str) else arguments or {}
    except ValueError:
        return arguments or {}


def request_parameters(
    tools: Sequence[ToolDict], response_format: Message | None
) -> "ModelRequestParameters":
    """Tools and the wanted form of the answer.

    Raises:
        ConfigError: The form is not understood.
    """
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    definitions = []
    for tool in tools:
        function = tool["function"]
        definitions.append(
            ToolDefinition(
                name=function["name"],
                description=function.get("description"),
                parameters_json_schema=function.get("parameters")
                or {"type": "object", "properties": {}},
                strict=bool(function.get("strict")),
            )
        )
    match response_format:
        case None | {"type": "text"}:
            return ModelRequestParameters(function_tools=definitions)
        case {"type": "json_object"}:
            return ModelRequestParameters(
                function_tools=definitions, output_mode="prompted", prompted_output_template=False
            )
        case {"type": "json_schema", "json_schema": {"schema": _} as named}:
            given: Any = named  # Any: JSON values
            wanted = OutputObjectDefinition(
                json_schema=given["schema"],
                name=given.get("name"),
                description=given.get("description"),
                strict=given.get("strict"),
            )
            return ModelRequestParameters(
                function_tools=definitions, output_mode="native", output_object=wanted
            )
    raise ConfigError(f"response_format is not understood: {response_format!r:.100}")


def read_response(response: "ModelResponse") -> ModelReply:
    """The response as our reply; a stop with calls is ``tool_calls``, as in chat completions."""
    calls = tuple(ToolCall(c.tool_call_id, c.tool_name, c.args) for c in response.tool_calls)
    reason: str | None = response.finish_reason
    if reason == "stop" and calls:
        reason = "tool_calls"
    return ModelReply(
        text=response.text or "",
        tool_calls=calls,
        usage=Usage(
            input_tokens=response.usage.input_tokens, output_tokens=response.usage.output_tokens
        ),
        finish_reason=_FINISH_REASONS.get(reason, reason) if reason else None,
        model=response.model_name or "",
    )
