"""A chat over an extension's functions, and what its handlers return."""

from handrail.sdk.action_result import ActionResult
from handrail.sdk.chat import ChatExtension
from handrail.sdk.params import NoParams

__all__ = ["ActionResult", "ChatExtension", "NoParams"]
