"""A provider that refuses what Bedrock's Converse refuses in a history."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from strict_provider import Refused

__all__ = ["refuse_bedrock"]

_WORD = re.compile(r"[a-zA-Z0-9_-]{1,64}")

Message = Mapping[str, Any]  # Any: JSON values


def refuse_bedrock(messages: Sequence[Message]) -> None:
    """Raise Refused if these messages would be refused."""
    awaited: list[str] = []
    used: set[str] = set()
    for place, message in enumerate(messages):
        where = f"messages[{place}]"
        expected = "assistant" if place % 2 else "user"
        _wrong(message.get("role") != expected, f"{where}: the roles do not alternate")
        content = message.get("content")
        _wrong(not isinstance(content, list) or not content, f"{where} has no content")
        blocks = list(content or ())
        _wrong(any(_is_blank(block) for block in blocks), f"{where}: a text is blank")
        results = [block["toolResult"] for block in blocks if "toolResult" in block]
        first = ["toolResult" in block for block in blocks]
        _wrong(first != sorted(first, reverse=True), f"{where}: results do not stand first")
        ids = sorted(result["toolUseId"] for result in results)
        _wrong(ids != sorted(awaited), f"{where} answers {ids}, not {awaited}")
        for result in results:
            _wrong(any(map(_is_blank, result["content"])), f"{where}: a result is blank")
        calls = [block["toolUse"] for block in blocks if "toolUse" in block]
        _wrong(bool(calls) and expected != "assistant", f"{where} calls as the user")
        awaited = [_checked(where, call, used) for call in calls]
    _wrong(bool(awaited), f"the history ends with open calls {awaited}")
    json.dumps(list(messages), allow_nan=False)


def _wrong(condition: bool, what: str) -> None:
    if condition:
        raise Refused(what)


def _is_blank(block: Message) -> bool:
    return "text" in block and not block["text"].strip()


def _checked(where: str, call: Message, used: set[str]) -> str:
    id = call.get("toolUseId")
    _wrong(not isinstance(id, str) or not _WORD.fullmatch(id), f"{where}: id {id!r}")
    _wrong(id in used, f"{where}: the id {id!r} is used twice")
    used.add(str(id))
    _wrong(not _WORD.fullmatch(call.get("name") or ""), f"{where}: name {call.get('name')!r}")
    _wrong(not isinstance(call.get("input"), Mapping), f"{where}: input is no object")
    return str(id)
