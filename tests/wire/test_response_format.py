"""Each provider's own request types take the format, and each one's refusal is found."""

import json
from typing import Any

import anthropic.types as anthropic_types
import openai.types.chat.completion_create_params as chat_params
import openai.types.responses as responses_types
import pytest
from google.genai import types as gemini_types

from handrail.wire.response_format import RESPONSE_SHAPES, refusal_of
from provider_types import refusals
from typed_dicts import faults

Json = Any  # Any: JSON values

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}


def request_of(provider: str) -> Json:
    """The part of a request of this provider."""
    shape = RESPONSE_SHAPES[provider]
    return shape.request(shape.write("count", SCHEMA, True))


def test_openai_chat_takes_it() -> None:
    """As `response_format`."""
    assert faults(request_of("openai")["response_format"], chat_params.ResponseFormat) == []


def test_openai_responses_take_it() -> None:
    """As `text.format`."""
    assert (
        faults(request_of("openai-responses")["text"], responses_types.ResponseTextConfigParam)
        == []
    )


def test_anthropic_takes_it() -> None:
    """As `output_config.format`."""
    wanted = anthropic_types.OutputConfigParam
    assert faults(request_of("anthropic")["output_config"], wanted) == []


def test_gemini_takes_it() -> None:
    """As fields of `generationConfig`."""
    config = request_of("gemini")["generationConfig"]
    read = gemini_types.GenerateContentConfig.model_validate(config)
    assert (read.response_mime_type, read.response_json_schema) == ("application/json", SCHEMA)


def test_bedrock_takes_it() -> None:
    """As `outputConfig.textFormat`, the schema as text."""
    import botocore.session
    from botocore.validate import ParamValidator

    service = botocore.session.get_session().get_service_model("bedrock-runtime")
    wanted = service.operation_model("Converse").input_shape
    sent = {"modelId": "m", "messages": [], **request_of("bedrock")}
    assert ParamValidator().validate(sent, wanted).generate_report() == ""
    structure = sent["outputConfig"]["textFormat"]["structure"]
    assert json.loads(structure["jsonSchema"]["schema"]) == SCHEMA
    assert refusals("bedrock", []) == []


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ({"choices": [{"message": {"role": "assistant", "refusal": "I can't."}}]}, "I can't."),
        ({"role": "assistant", "content": None, "refusal": "No."}, "No."),
        ({"output": [{"content": [{"type": "refusal", "refusal": "Sorry."}]}]}, "Sorry."),
        ({"content": [{"type": "refusal", "refusal": "Sorry."}]}, "Sorry."),
        ({"choices": [{"message": {"content": "{}", "refusal": None}}]}, ""),
        ({"output": []}, ""),
        ("text", ""),
    ],
)
def test_a_refusal_is_found_where_the_provider_says_it(reply: Json, words: str) -> None:
    """Nowhere else."""
    assert refusal_of(reply) == words
