"""Which provider wrote a reply."""

from types import SimpleNamespace

import pytest

from handrail.wire.registry import PROVIDERS, read_reply, recognise

USE = {"type": "tool_use", "id": "u", "name": "f", "input": {}}


@pytest.mark.parametrize(
    ("reply", "provider"),
    [
        ({"choices": []}, "openai"),
        ({"role": "assistant", "content": "x"}, "openai"),
        ({"role": "assistant", "content": [{"type": "text", "text": "x"}]}, "openai"),
        (SimpleNamespace(text="", tool_calls=[], finish_reason="stop", usage=None), "openai"),
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
