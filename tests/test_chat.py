"""The door to chats."""

from handrail import chat
from handrail.sdk.action_result import ActionResult
from handrail.sdk.chat import ChatExtension


def test_names_are_those_of_the_seed() -> None:
    """And the sentinel for functions without parameters."""
    assert chat.__all__ == ["ActionResult", "ChatExtension", "NoParams"]
    assert (chat.ActionResult, chat.ChatExtension) == (ActionResult, ChatExtension)
    assert chat.NoParams.model_fields == {}
