"""A provider that refuses what the real ones refuse.

`refuse` reads a request as OpenAI chat completions do, and is stricter where other providers of
the same shape are: ids are unique in the whole history. A test puts it before every request
with `strict`.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from handrail.testing import Item, ScriptedModel

__all__ = ["Refused", "refuse", "strict"]

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_LONGEST_ID = 40
_KEYS = {
    "system": {"role", "content", "name"},
    "developer": {"role", "content", "name"},
    "user": {"role", "content", "name"},
    "assistant": {"role", "content", "name", "tool_calls", "refusal", "audio"},
    "tool": {"role", "content", "tool_call_id"},
}

Message = Mapping[str, Any]  # Any: JSON values


class Refused(Exception):
    """What a provider answers with status 400."""


def refuse(messages: Sequence[Message], tools: Sequence[Message] = ()) -> None:
    """Raise Refused if a provider would refuse this request."""
    _wrong(not messages, "messages is empty")
    _refuse_tools(tools)
    open_ids: list[str] = []
    used: set[str] = set()
    for place, message in enumerate(messages):
        where = f"messages[{place}]"
        role = message.get("role")
        _wrong(role not in _KEYS, f"{where}.role is {role!r}")
        extra = set(message) - _KEYS[str(role)]
        _wrong(bool(extra), f"{where} has unknown keys {sorted(extra)}")
        if role == "tool":
            _refuse_result(where, message, open_ids)
            continue
        _wrong(bool(open_ids), f"{where}: {open_ids} have no tool message directly after them")
        if role == "assistant" and "tool_calls" in message:
            open_ids = [_checked_call(where, one, used) for one in _calls(where, message)]
        else:
            _refuse_content(where, message)
    _wrong(bool(open_ids), f"the history ends with open calls {open_ids}")
    json.dumps(list(messages), allow_nan=False).encode()


def strict(script: Iterable[Item]) -> ScriptedModel:
    """A model with this script that refuses every request that a provider would refuse."""
    return ScriptedModel([_guarded(item) for item in script])


def _guarded(item: Item) -> Item:
    def reply(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> Item:  # Any: JSON
        refuse(messages, tools)
        made: Item = item(messages, tools) if callable(item) else item
        return made

    return reply


def _wrong(condition: bool, what: str) -> None:
    if condition:
        raise Refused(what)


def _refuse_tools(tools: Sequence[Message]) -> None:
    names = []
    for place, tool in enumerate(tools):
        function = tool.get("function") or {}
        _wrong(tool.get("type") != "function" or not function, f"tools[{place}] is no function")
        names.append(function["name"])
        _wrong(not _NAME.fullmatch(names[-1]), f"tools[{place}] is named {names[-1]!r}")
        schema = function.get("parameters", {"type": "object"})
        _wrong(schema.get("type") != "object", f"tools[{place}] takes no object")
    _wrong(len(names) != len(set(names)), f"tool names repeat: {names}")


def _refuse_content(where: str, message: Message) -> None:
    content = message.get("content")
    _wrong(not isinstance(content, str | list), f"{where}.content is {content!r}")
    empty = message["role"] == "assistant" and not content
    _wrong(empty, f"{where} has neither content nor calls")


def _calls(where: str, message: Message) -> Sequence[Message]:
    calls = message["tool_calls"]
    _wrong(not isinstance(calls, list) or not calls, f"{where}.tool_calls is {calls!r}")
    content = message.get("content")
    _wrong(not isinstance(content, str | list | None), f"{where}.content is {content!r}")
    return calls  # type: ignore[no-any-return]  # checked just now


def _checked_call(where: str, one: Message, used: set[str]) -> str:
    _wrong(set(one) != {"id", "type", "function"}, f"{where}: a call has keys {sorted(one)}")
    id, function = one["id"], one["function"]
    _wrong(
        not isinstance(id, str) or not id or len(id) > _LONGEST_ID, f"{where}: a call has id {id!r}"
    )
    _wrong(id in used, f"{where}: the id {id!r} is used twice")
    used.add(id)
    _wrong(set(function) != {"name", "arguments"}, f"{where}: a function has {sorted(function)}")
    _wrong(not _NAME.fullmatch(function["name"]), f"{where}: the name {function['name']!r}")
    _wrong(not isinstance(function["arguments"], str), f"{where}: arguments are no text")
    return str(id)


def _refuse_result(where: str, message: Message, open_ids: list[str]) -> None:
    id = message.get("tool_call_id")
    _wrong(id not in open_ids, f"{where} answers {id!r}, which no call directly before it has")
    open_ids.remove(str(id))
    _wrong(not isinstance(message.get("content"), str), f"{where}.content is no text")
