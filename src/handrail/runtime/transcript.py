"""Keeps a transcript to one call and one result where the model needed several attempts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from handrail.contract.call import ToolResult

__all__ = ["tidied"]

Message = Mapping[str, Any]  # Any: message of OpenAI chat or of Anthropic
Block = Mapping[str, Any]  # Any: block of an Anthropic message

_THOUGHTS = ("thinking", "redacted_thinking")


def tidied(messages: Sequence[Message], results: Iterable[ToolResult]) -> list[dict[str, Any]]:
    """The same messages, each corrected call standing once, in its first place.

    The corrected call and its one result take the id and the place of the first attempt; the
    attempts between are gone, and so are assistant messages that held nothing else. A call that
    was never corrected stays as it is.

    Args:
        messages: OpenAI chat messages, or messages of Anthropic.
        results: The results of the calls in them.
    """  # Any: messages of the provider
    last_of, dropped = _chains(results)
    blocks = _Blocks(messages, last_of, dropped)
    calls = {call["id"]: call for one in messages for call in one.get("tool_calls") or ()}
    answers = {one.get("tool_call_id"): one for one in messages if one.get("role") == "tool"}
    kept: list[dict[str, Any]] = []  # Any: OpenAI chat message
    for message in messages:
        if message.get("role") == "tool":
            id = message.get("tool_call_id")
            if id not in dropped:
                answer = answers.get(last_of.get(id, id), message)
                kept.append({**message, "content": answer.get("content")})
        elif message.get("tool_calls"):
            kept += _assistant(message, calls, last_of, dropped)
        elif _uses_blocks(message):
            kept += blocks.standing(message)
        else:
            kept.append(dict(message))
    return kept


def _chains(results: Iterable[ToolResult]) -> tuple[dict[Any, str], set[str]]:  # Any: an id
    last_of: dict[Any, str] = {}  # Any: an id, or None where a message has none
    dropped: set[str] = set()
    for result in results:
        ids = list(dict.fromkeys([*(one.call_id for one in result.history), result.call_id]))
        if len(ids) > 1 and result.outcome == "success":
            last_of[ids[0]] = ids[-1]
            dropped.update(ids[1:])
    return last_of, dropped


def _assistant(
    message: Message,
    calls: Mapping[str, Any],
    last_of: Mapping[Any, str],
    dropped: set[str],
) -> list[dict[str, Any]]:  # Any: OpenAI chat calls and messages
    standing = [
        {**calls.get(last_of.get(call["id"], call["id"]), call), "id": call["id"]}
        for call in message["tool_calls"]
        if call["id"] not in dropped
    ]
    if standing:
        return [{**message, "tool_calls": standing}]
    rest = {key: item for key, item in message.items() if key != "tool_calls"}
    return [rest] if rest.get("content") else []


def _uses_blocks(message: Message) -> bool:
    content = message.get("content")
    return isinstance(content, list) and any(
        isinstance(block, Mapping) and block.get("type") in ("tool_use", "tool_result")
        for block in content
    )


class _Blocks:
    """The same for messages whose calls and results are blocks of their content."""

    def __init__(
        self,
        messages: Sequence[Message],
        last_of: Mapping[Any, str],  # Any: an id
        dropped: set[str],
    ) -> None:
        self._last_of = last_of
        self._dropped = dropped
        blocks = [block for one in messages if _uses_blocks(one) for block in one["content"]]
        self._calls = {block["id"]: block for block in blocks if block["type"] == "tool_use"}
        self._answers = {
            block["tool_use_id"]: block for block in blocks if block["type"] == "tool_result"
        }

    def standing(self, message: Message) -> list[dict[str, Any]]:  # Any: the message, or nothing
        """The message with the blocks that stay; nothing if only thoughts would stay."""
        content = [made for block in message["content"] for made in self._block(block)]
        if all(block["type"] in _THOUGHTS for block in content):
            return []
        return [{**message, "content": content}]

    def _block(self, block: Block) -> list[Block]:
        key = {"tool_use": "id", "tool_result": "tool_use_id"}.get(block["type"])
        if key is None:
            return [block]
        id = block[key]
        known = self._calls if key == "id" else self._answers
        return (
            []
            if id in self._dropped
            else [{**known.get(self._last_of.get(id, id), block), key: id}]
        )
