"""Keeps a transcript to one call and one result where the model needed several attempts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from handrail.contract.call import ToolResult

__all__ = ["tidied"]

Message = Mapping[str, Any]  # Any: message of a provider


def tidied(messages: Sequence[Message], results: Iterable[ToolResult]) -> list[dict[str, Any]]:
    """The same messages, each corrected call standing once, in its first place.

    The corrected call and its one result take the id and the place of the first attempt; the
    attempts between are gone, and so are assistant messages that held nothing else. A call that
    was never corrected stays as it is, and so does one whose shape gave it no id (older models of
    Gemini): nothing tells which attempt it was.

    Args:
        messages: Messages of OpenAI chat, Anthropic or Bedrock, contents of Gemini, or items of
            OpenAI's responses.
        results: The results of the calls in them.
    """  # Any: messages of the provider
    from handrail.wire.tidy import told_once  # late: it loads every shape of history

    last_of, dropped = _chains(results)
    return told_once(messages, last_of, dropped)


def _chains(results: Iterable[ToolResult]) -> tuple[dict[str, str], set[str]]:
    last_of: dict[str, str] = {}
    dropped: set[str] = set()
    for result in results:
        ids = list(dict.fromkeys([*(one.call_id for one in result.history), result.call_id]))
        if len(ids) > 1 and result.outcome == "success":
            last_of[ids[0]] = ids[-1]
            dropped.update(ids[1:])
    return last_of, dropped
