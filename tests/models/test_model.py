"""The seam to language models."""

import dataclasses

import pytest

from handrail.contract.call import ToolCall
from handrail.models.model import Model, ModelError, ModelReply, Usage


def test_a_reply_is_frozen() -> None:
    """Nobody rewrites what a model said."""
    reply = ModelReply(text="hi", tool_calls=(ToolCall("1", "f", "{}"),))
    with pytest.raises(dataclasses.FrozenInstanceError):
        reply.text = "ho"  # type: ignore[misc]  # that is the point
    assert (reply.usage, reply.finish_reason, reply.model) == (Usage(), "stop", "")


def test_an_error_quotes_the_server_within_bounds() -> None:
    """A page of HTML does not flood a log."""
    error = ModelError("refused", status=500, body="x" * 9_000, retry_after=2.0)
    assert (len(error.body), error.status, error.retry_after) == (2_000, 500, 2.0)
    assert str(error) == "refused: " + "x" * 1_997 + "..."


def test_whatever_responds_is_a_model() -> None:
    """A host's own class fits by its shape."""

    class Own:
        async def respond(self, messages, tools, *, tool_choice=None, response_format=None):  # type: ignore[no-untyped-def]  # shape only
            return ModelReply()

    assert isinstance(Own(), Model)
    assert not isinstance(object(), Model)
