"""A provider that refuses what Anthropic's messages refuse in a history.

Consecutive messages of one role are accepted, as the real one joins them; results have to stand
in the one message directly after their calls all the same.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from strict_provider import Refused

__all__ = ["refuse_anthropic"]

_WORD = re.compile(r"[a-zA-Z0-9_-]+")

Message = Mapping[str, Any]  # Any: JSON values


def refuse_anthropic(messages: Sequence[Message]) -> None:
    """Raise Refused if these messages would be refused."""
    awaited: list[str] = []
    used: set[str] = set()
    for place, message in enumerate(messages):
        where = f"messages[{place}]"
        blocks = _blocks(where, message)
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        first = [block["type"] == "tool_result" for block in blocks]
        _wrong(first != sorted(first, reverse=True), f"{where}: results do not stand first")
        _wrong(sorted(results) != sorted(awaited), f"{where} answers {results}, not {awaited}")
        calls = [block for block in blocks if block["type"] == "tool_use"]
        _wrong(bool(calls) and message["role"] != "assistant", f"{where} calls as a user")
        _wrong(bool(results) and message["role"] != "user", f"{where} answers as an assistant")
        awaited = [_checked(where, call, used) for call in calls]
    _wrong(bool(awaited), f"the history ends with open calls {awaited}")
    json.dumps(list(messages), allow_nan=False)


def _wrong(condition: bool, what: str) -> None:
    if condition:
        raise Refused(what)


def _blocks(where: str, message: Message) -> list[Message]:
    _wrong(message.get("role") not in ("user", "assistant"), f"{where} has no role")
    content = message.get("content")
    _wrong(not content, f"{where}.content is empty")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    _wrong(not all(text.strip() for text in texts), f"{where} holds empty text")
    return blocks


def _checked(where: str, call: Message, used: set[str]) -> str:
    id = call.get("id")
    _wrong(not isinstance(id, str) or not _WORD.fullmatch(id), f"{where}: id {id!r}")
    _wrong(id in used, f"{where}: the id {id!r} is used twice")
    used.add(str(id))
    _wrong(not _WORD.fullmatch(call.get("name") or ""), f"{where}: name {call.get('name')!r}")
    _wrong(not isinstance(call.get("input"), Mapping), f"{where}: input is no object")
    return str(id)
