"""Which provider wrote a reply."""

from types import SimpleNamespace

import pytest

from handrail.wire.registry import PROVIDERS, read_call, read_reply, recognise, whose_calls

USE = {"type": "tool_use", "id": "u", "name": "f", "input": {}}


@pytest.mark.parametrize(
    ("reply", "provider"),
    [
        ({"choices": []}, "openai"),
        ({"role": "assistant", "content": "x"}, "openai"),
        ({"role": "assistant", "content": [{"type": "text", "text": "x"}]}, "openai"),
        (SimpleNamespace(text="", tool_calls=[], finish_reason="stop", usage=None), "openai"),
        ({"object": "response", "output": []}, "openai-responses"),
        ([{"type": "function_call", "name": "f"}], "openai-responses"),
        ({"candidates": []}, "gemini"),
        ({"role": "model", "parts": []}, "gemini"),
        ({"output": {"message": {"role": "assistant", "content": []}}}, "bedrock"),
        ({"method": "tools/call", "params": {"name": "f"}}, "mcp"),
        ({"type": "message", "role": "assistant", "content": []}, "anthropic"),
        ({"role": "assistant", "content": [USE]}, "anthropic"),
        (SimpleNamespace(content=[], stop_reason="end_turn", role="assistant"), "anthropic"),
    ],
)
def test_each_shape_is_recognised(reply, provider):
    """A reply is read by the provider whose shape it has."""
    assert recognise(reply) is PROVIDERS[provider]
    assert read_reply(reply)["provider"] == provider


@pytest.mark.parametrize("reply", [None, "text", 5, [], {}, {"role": "user"}, object()])
def test_an_unknown_shape_is_refused_by_name(reply):
    """The error says what was given and what is understood."""
    assert recognise(reply) is None
    with pytest.raises(ValueError, match=f"{type(reply).__name__}.*Understood are: .*choices"):
        read_reply(reply)


def test_the_error_shows_no_values():
    """An unknown reply is described by its keys alone."""
    with pytest.raises(ValueError, match="api_key") as caught:
        read_reply({"api_key": "sk-secret"})
    assert "sk-secret" not in str(caught.value)


def test_providers_know_their_names():
    """The table's keys are the wires' own names."""
    assert [wire.name for wire in PROVIDERS.values()] == list(PROVIDERS)


def test_a_list_belongs_to_the_provider_of_all_its_calls():
    """One of another shape, and it is nobody's."""
    bedrock = {"toolUse": {"toolUseId": "t", "name": "f", "input": {}}}
    assert whose_calls([USE, USE]) is PROVIDERS["anthropic"]
    assert whose_calls([bedrock]) is PROVIDERS["bedrock"]
    assert whose_calls([USE, bedrock]) is None
    assert whose_calls([]) is None


def test_a_single_call_is_read_without_an_id_of_ours():
    """A missing id stays missing."""
    assert read_call({"functionCall": {"name": "f"}}) == {"id": "", "name": "f", "arguments": ""}
    with pytest.raises(ValueError, match=r"as one call.*Understood are"):
        read_call({"x": 1})
