"""Words of the user's side, as each provider takes them."""

import pytest

from handrail.wire.registry import PROVIDERS
from handrail.wire.said import user_message


@pytest.mark.parametrize("provider", PROVIDERS)
def test_each_provider_reads_it_back(provider: str) -> None:
    """The message is one of the user, and its words are found again in the provider's history."""
    message = user_message(provider, "Go on.")
    assert message["role"] == "user"
    assert "Go on." in str(message)


def test_shapes() -> None:
    """Parts for Gemini, blocks for Bedrock, a content object for MCP, text for the others."""
    assert user_message("gemini", "x") == {"role": "user", "parts": [{"text": "x"}]}
    assert user_message("bedrock", "x") == {"role": "user", "content": [{"text": "x"}]}
    assert user_message("mcp", "x")["content"] == {"type": "text", "text": "x"}
    assert user_message("anthropic", "x") == {"role": "user", "content": "x"}
