"""A server that refuses what servers of OpenAI's Responses shape refuse in a list of items.

Stricter than the original: an output stands behind its call with nothing but items of the model
and other outputs between, as servers want it that make chat messages of the items.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from strict_provider import Refused

__all__ = ["refuse_responses"]

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_LONGEST_ID = 64
_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
_OUTPUTS = tuple(f"{kind}_output" for kind in _CALLS)

Item = Mapping[str, Any]  # Any: JSON values


def refuse_responses(items: Sequence[Item]) -> None:
    """Raise Refused if these items would be refused."""
    waiting: dict[str, str] = {}
    seen: set[str] = set()
    for place, item in enumerate(items):
        where, kind = f"input[{place}]", item.get("type", "message")
        own = item.get("id")
        _wrong(own in seen, f"{where}: duplicate item found with id {own!r}")
        seen |= {own} if own else set()
        if kind in _CALLS:
            call_id = _checked(where, item, seen)
            waiting[call_id] = f"{kind}_output"
        elif kind in _OUTPUTS:
            call_id = item.get("call_id") or ""
            _wrong(waiting.get(call_id) != kind, f"{where}: no tool call found for {call_id!r}")
            _wrong(not isinstance(item.get("output"), str | list), f"{where}.output is no text")
            del waiting[call_id]
        elif item.get("role") in ("user", "system", "developer"):
            _wrong(bool(waiting), f"{where}: no tool output found for {list(waiting)}")
        if kind == "message":
            _wrong(not isinstance(item.get("content"), str | list), f"{where}.content is missing")
        if kind == "reasoning":
            _wrong(not _is_of_model(items[place + 1 : place + 2]), f"{where}: {own} leads nowhere")
    _wrong(bool(waiting), f"no tool output found for {list(waiting)}")
    json.dumps(list(items), allow_nan=False)


def _wrong(condition: bool, what: str) -> None:
    if condition:
        raise Refused(what)


def _checked(where: str, item: Item, seen: set[str]) -> str:
    call_id, kind = item.get("call_id"), item["type"]
    wrong = not isinstance(call_id, str) or not 0 < len(call_id) <= _LONGEST_ID
    _wrong(wrong, f"{where}.call_id is {call_id!r}")
    _wrong(f"call:{call_id}" in seen, f"{where}: the call_id {call_id!r} is used twice")
    seen.add(f"call:{call_id}")
    _wrong(not _NAME.fullmatch(item.get("name") or ""), f"{where}.name is {item.get('name')!r}")
    _wrong(not isinstance(item.get(_CALLS[kind]), str), f"{where}: arguments are no text")
    return str(call_id)


def _is_of_model(items: Sequence[Item]) -> bool:
    return any(
        item.get("type", "message") not in _OUTPUTS and item.get("role", "assistant") == "assistant"
        for item in items
    )
