"""How each provider is asked for JSON of a schema, and how it says that it would not answer.

Sources: OpenAI, Structured Outputs (``response_format`` of chat completions, ``text.format`` of
Responses); Anthropic, Structured outputs (``output_config.format``); Google, Gemini API
(``responseJsonSchema`` of ``generationConfig``); AWS, Bedrock Converse (``outputConfig``).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from handrail.wire.plain import field, string

__all__ = ["RESPONSE_SHAPES", "ResponseShape", "refusal_of"]

Json = dict[str, Any]  # Any: JSON values


class ResponseShape(NamedTuple):
    """One provider's shape.

    Attributes:
        write: Name, schema and strict flag, as the provider wants them.
        place: Where that stands in a request: names of fields, outermost first.
        needs_subset: Whether the provider refuses a schema outside its strict subset.
    """

    write: Callable[[str, Json, bool], Json]
    place: tuple[str, ...]
    needs_subset: bool = False

    def request(self, format: Json) -> Json:
        """The part of a request that holds the format."""
        made: Any = format  # Any: JSON values
        for name in reversed(self.place):
            made = {name: made}
        request: Json = made
        return request


def _chat(name: str, schema: Json, strict: bool) -> Json:
    inner = {"name": name, "strict": strict, "schema": schema}
    return {"type": "json_schema", "json_schema": inner}


def _responses(name: str, schema: Json, strict: bool) -> Json:
    return {"type": "json_schema", "name": name, "strict": strict, "schema": schema}


def _anthropic(name: str, schema: Json, strict: bool) -> Json:
    return {"type": "json_schema", "schema": schema}


def _gemini(name: str, schema: Json, strict: bool) -> Json:
    return {"responseMimeType": "application/json", "responseJsonSchema": schema}


def _bedrock(name: str, schema: Json, strict: bool) -> Json:
    text = json.dumps(schema, separators=(",", ":"), ensure_ascii=False)
    inner = {"jsonSchema": {"name": name, "schema": text}}
    return {"type": "json_schema", "structure": inner}


RESPONSE_SHAPES: Mapping[str, ResponseShape] = {
    "openai": ResponseShape(_chat, ("response_format",)),
    "openai-responses": ResponseShape(_responses, ("text", "format")),
    "anthropic": ResponseShape(_anthropic, ("output_config", "format"), needs_subset=True),
    "gemini": ResponseShape(_gemini, ("generationConfig",)),
    "bedrock": ResponseShape(_bedrock, ("outputConfig", "textFormat"), needs_subset=True),
}


def refusal_of(reply: object) -> str:
    """The words in which a reply of OpenAI refuses; empty if it does not, or says so elsewhere."""
    return "".join(string(field(part, "refusal")) for part in _parts(reply))


def _parts(reply: object) -> Iterator[object]:
    """Everything of a reply that may hold a refusal."""
    choices = field(reply, "choices")
    if isinstance(choices, list | tuple) and choices:
        reply = field(choices[0], "message")
    yield reply
    for item in _list(field(reply, "output")):
        yield from _list(field(item, "content"))
    yield from _list(field(reply, "content"))


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []
