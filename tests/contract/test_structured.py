"""JSON of a schema: asked for in each shape, read back by the whole schema."""

import json
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field

from handrail import build_json_schema_response_format, render
from handrail.contract.internal_schemas import COVERAGE_SCHEMA, PLAN_SCHEMA
from handrail.contract.structured import ResponseFormat
from handrail.errors import ConfigError, ContractError
from handrail.models import ModelReply

Json = Any  # Any: JSON value
PROVIDERS = ["openai", "openai-responses", "anthropic", "gemini", "bedrock"]


class Invoice(BaseModel):
    """What stands on an invoice."""

    number: str = Field(min_length=3)
    total: float = Field(ge=0)
    note: str | None = None
    days: int = 30


def invoices(provider: str = "openai", **more: Any) -> ResponseFormat:
    """The format of an invoice."""
    return build_json_schema_response_format(Invoice, "invoice", provider=provider, **more)


def replied(text: str | None, finish: str = "stop", **message: Json) -> Json:
    """A response of OpenAI chat completions."""
    said = {"role": "assistant", "content": text, **message}
    return {"choices": [{"message": said, "finish_reason": finish}]}


def test_it_is_a_plain_dict_to_send() -> None:
    """In the shape that the field of this name takes; every field is required there."""
    made = invoices()
    assert json.loads(json.dumps(made)) == made
    assert made["type"] == "json_schema"
    inner = made["json_schema"]
    assert (inner["name"], inner["strict"]) == ("invoice", True)
    assert inner["schema"]["required"] == ["number", "total", "note", "days"]
    assert inner["schema"]["properties"]["days"]["type"] == ["integer", "null"]
    assert made.request == {"response_format": made}


def test_what_is_not_enforced_is_listed() -> None:
    """And nothing else."""
    said = [(one.path, one.keyword) for one in invoices().dropped]
    assert said == [("/properties/number", "minLength")]
    more = [(one.path, one.keyword) for one in invoices("anthropic").dropped]
    assert more == [("/properties/number", "minLength"), ("/properties/total", "minimum")]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_provider_can_be_asked(provider: str) -> None:
    """And what comes back is an instance of the model."""
    made = invoices(provider)
    assert made.strict
    reply = made.read('{"number": "A-1", "total": 5, "days": 14}')
    assert reply.ok
    assert reply.value == Invoice(number="A-1", total=5.0, days=14)


def test_forced_nulls_are_taken_out_silently() -> None:
    """A null that the model itself admits is meant and stays; there is no note of the others."""
    reply = invoices().read('{"number": "A-1", "total": 5, "note": null, "days": null}')
    assert reply.value == Invoice(number="A-1", total=5.0)
    assert reply.value.days == 30
    assert reply.mends == ()


def test_no_null_is_forced_elsewhere() -> None:
    """Where fields may be left out a null is the model's own, and is read as a mend or not."""
    reply = invoices("anthropic").read('{"number": "A-1", "total": 5, "days": null}')
    assert reply.ok
    assert [one.kind for one in reply.mends] == ["null_dropped"]


def test_what_the_provider_did_not_enforce_is_found() -> None:
    """With issues that can be told to the model."""
    reply = invoices().read('{"number": "A", "total": 5}')
    assert (reply.outcome, reply.value) == ("invalid", None)
    assert [(one.code, one.path) for one in reply.issues] == [("VAL-009", "/number")]
    assert "/number" in render(reply.issues, tool="invoice")


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (replied(None, refusal="I can't help with that."), "refused"),
        (replied('{"number": "A-1"', "content_filter"), "refused"),
        (replied('{"number": "A-1"', "length"), "cut"),
        (replied('{"number": "A-1", "total"'), "cut"),
        (replied("Here you are!"), "invalid"),
        (replied(None), "invalid"),
        (replied("null"), "invalid"),
        (replied('{"number": "A-1", "total": 1}'), "ok"),
        (replied('```json\n{"number": "A-1", "total": 1}\n```'), "ok"),
        (ModelReply(text='{"number": "A-1", "total": 1}'), "ok"),
        (ModelReply(text='{"number": "A-1"', finish_reason="length"), "cut"),
        (
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "text", "text": "No."}],
                "stop_reason": "refusal",
                "usage": {"input_tokens": 1, "output_tokens": 1},
            },
            "refused",
        ),
    ],
)
def test_refusals_and_cuts_are_outcomes_of_their_own(reply: Json, outcome: str) -> None:
    """Only what is wrong is called invalid."""
    read = invoices().read(reply)
    assert (read.outcome, read.ok) == (outcome, outcome == "ok")


def test_a_finish_reason_may_be_given_beside_a_text() -> None:
    """A whole object that was cut off is still cut off."""
    text = '{"number": "A-1", "total": 1}'
    assert invoices().read(text, finish_reason="length").outcome == "cut"


def test_words_of_a_refusal_are_kept() -> None:
    """For the user."""
    assert invoices().read(replied(None, refusal="I can't.")).text == "I can't."


def test_without_strict_the_schema_is_sent_as_it_is() -> None:
    """And judged all the same."""
    made = invoices(strict=False)
    assert (made.strict, made["json_schema"]["strict"]) == (False, False)
    assert made["json_schema"]["schema"]["required"] == ["number", "total"]
    assert made.read('{"number": "A", "total": 1}').outcome == "invalid"


def test_a_schema_without_a_strict_form_is_sent_in_full() -> None:
    """With the reason; where the provider takes no such schema it is an error at once."""
    made = build_json_schema_response_format(PLAN_SCHEMA, "plan")
    assert not made.strict
    (one,) = made.dropped
    assert (one.keyword, one.path) == ("strict", "/properties/steps/items/properties/args")
    assert made["json_schema"]["schema"] == PLAN_SCHEMA
    with pytest.raises(ContractError, match="the object may have further fields"):
        build_json_schema_response_format(PLAN_SCHEMA, "plan", provider="anthropic")


def test_a_json_schema_gives_json_back() -> None:
    """As sent; ids in it are data, and are not screened like those of a call."""
    made = build_json_schema_response_format(COVERAGE_SCHEMA, "coverage")
    said = {"reason": "<SEE_ABOVE>", "missing": [], "status": "FAILED", "confidence": 1}
    reply = made.read(json.dumps({**said, "next_tool": None, "question": None}))
    assert reply.value == said


def test_models_with_references_and_their_own_extra() -> None:
    """Nested models, kept closed."""

    class Line(BaseModel):
        sku: str

    class Order(BaseModel):
        model_config = ConfigDict(extra="forbid")
        lines: list[Line]

    for provider in PROVIDERS:
        made = build_json_schema_response_format(Order, "order", provider=provider)
        reply = made.read('{"lines": [{"sku": "S-1"}]}')
        assert reply.value == Order(lines=[Line(sku="S-1")])


@pytest.mark.parametrize(("name", "provider"), [("a b", "openai"), ("", "openai"), ("a", "mcp")])
def test_names_and_providers_are_checked(name: str, provider: str) -> None:
    """With the choice there is."""
    with pytest.raises(ConfigError):
        build_json_schema_response_format(Invoice, name, provider=provider)


@pytest.mark.parametrize("schema", [{"type": "array"}, {"type": "nonsense"}, int])
def test_a_schema_that_is_none_is_told(schema: Any) -> None:
    """At once, not by the provider."""
    with pytest.raises(ContractError):
        build_json_schema_response_format(schema, "thing")
