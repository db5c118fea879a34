"""Histories of OpenAI chat messages in the other shapes, damage carried over; and more damage."""

import copy
import json
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from histories import as_anthropic
from strict_anthropic import refuse_anthropic
from strict_bedrock import refuse_bedrock
from strict_gemini import refuse_gemini
from strict_provider import refuse
from strict_responses import refuse_responses

__all__ = ["SHAPES", "History", "jumbled", "said_in"]

Messages = list[dict[str, Any]]  # Any: messages of a provider


class History(NamedTuple):
    """How a provider's histories are made and checked.

    Attributes:
        provider: The provider's name.
        shaped: OpenAI chat messages in its shape; the flag puts results together.
        refuse: Raises Refused if it would refuse the messages.
        key: Where a message holds its blocks.
    """

    provider: str
    shaped: Callable[[Sequence[dict[str, Any]], bool], Messages]
    refuse: Callable[[Messages], None]
    key: str


def _as_openai(messages: Sequence[dict[str, Any]], together: bool) -> Messages:
    return list(messages)


def _as_responses(messages: Sequence[dict[str, Any]], together: bool) -> Messages:
    """With a reasoning item before each first call, and ids of items of their own."""
    items: Messages = []
    for message in messages:
        calls = message.get("tool_calls")
        if message["role"] == "tool":
            answer = {"call_id": message["tool_call_id"], "output": message["content"]}
            items.append({"type": "function_call_output", **answer})
            continue
        if calls:
            items.append({"type": "reasoning", "id": f"rs_{calls[0]['id']}", "summary": []})
        if message["content"]:
            items.append({"role": message["role"], "content": message["content"]})
        for call in calls or ():
            own = {"id": f"fc_{call['id']}", "call_id": call["id"]}
            items.append({"type": "function_call", **own, **call["function"]})
    return items


def _as_bedrock(messages: Sequence[dict[str, Any]], together: bool) -> Messages:
    made: Messages = []
    for message in as_anthropic(messages, together):
        content = message["content"]
        blocks = [{"text": content}] if isinstance(content, str) else list(map(_block, content))
        made.append({"role": message["role"], "content": blocks})
    return _alternating(made, "content", "user", "assistant") if together else made


def _block(block: dict[str, Any]) -> dict[str, Any]:  # Any: JSON values
    if block["type"] == "tool_use":
        call = {key: block[key] for key in ("name", "input")}
        return {"toolUse": {"toolUseId": block["id"], **call}}
    if block["type"] == "tool_result":
        content = [{"text": block["content"]}]
        return {"toolResult": {"toolUseId": block["tool_use_id"], "content": content}}
    return {"text": block["text"]}


def _alternating(messages: Messages, key: str, *roles: str) -> Messages:
    made: Messages = []
    for message in messages:
        if made and made[-1]["role"] == message["role"] and message["role"] in roles:
            made[-1][key] += message[key]
        else:
            made.append(message)
    return made


def _as_gemini(messages: Sequence[dict[str, Any]], together: bool, ids: bool = True) -> Messages:
    """Results in the order of their calls, as a host that knows this shape puts them."""
    made: Messages = []
    order = {call["id"]: n for n, call in enumerate(_calls(messages))}
    for message in messages:
        if message["role"] == "tool":
            own = {"id": message["tool_call_id"]} if ids else {}
            said = {**own, "name": "look", "response": {"output": message["content"]}}
            part = {"functionResponse": said}
            last = made[-1]["parts"] if made and together else []
            if last and "functionResponse" in last[-1]:
                last.append(part)
                last.sort(key=lambda one: order.get(one["functionResponse"].get("id"), -1))
            else:
                made.append({"role": "user", "parts": [part]})
            continue
        words = [{"text": message["content"]}] if message["content"] else []
        calls = [_called(call, ids) for call in message.get("tool_calls") or ()]
        role = "model" if message["role"] == "assistant" else "user"
        made.append({"role": role, "parts": [*words, *calls]})
    return _alternating(made, "parts", "model") if together else made


def _calls(messages: Sequence[dict[str, Any]]) -> Messages:
    return [call for message in messages for call in message.get("tool_calls") or ()]


def _called(call: dict[str, Any], ids: bool) -> dict[str, Any]:  # Any: JSON values
    function = call["function"]
    given = function["arguments"]
    args = json.loads(given) if isinstance(given, str) else "no object"
    own = {"id": call["id"]} if ids else {}
    return {"functionCall": {**own, "name": function["name"], "args": args}}


SHAPES = (
    History("openai", _as_openai, refuse, ""),
    History("openai-responses", _as_responses, refuse_responses, ""),
    History("anthropic", as_anthropic, refuse_anthropic, "content"),
    History("gemini", _as_gemini, refuse_gemini, "parts"),
    History(
        "gemini", lambda given, together: _as_gemini(given, together, False), refuse_gemini, "parts"
    ),
    History("bedrock", _as_bedrock, refuse_bedrock, "content"),
)


def said_in(value: object) -> list[str]:
    """The numbered words of a history of any shape, in order."""
    if isinstance(value, dict):
        return [word for one in value.values() for word in said_in(one)]
    if isinstance(value, list):
        return [word for one in value for word in said_in(one)]
    return [value] if isinstance(value, str) and value.startswith("words") else []


def jumbled(messages: Messages, key: str, seed: int, times: int) -> Messages:
    """The same messages after accidents with single blocks; a call stays the model's.

    Args:
        messages: Messages of any shape.
        key: Where they hold their blocks; ``""`` where they hold none.
        seed: The same seed gives the same.
        times: Number of accidents.
    """
    chance = random.Random(seed)
    made = copy.deepcopy(messages)
    for _ in range(times):
        lists = [one[key] for one in made if isinstance(one.get(key), list) and one[key]]
        if not key or not lists:
            chance.shuffle(made)
            continue
        blocks = chance.choice(lists)
        block = chance.choice(blocks)
        accident = chance.randrange(4)
        if accident == 0:
            blocks.remove(block)
        elif accident == 1:
            blocks.insert(chance.randrange(len(blocks) + 1), copy.deepcopy(block))
        elif accident == 2:
            chance.shuffle(blocks)
        elif not {"functionCall", "toolUse"} & block.keys() and block.get("type") != "tool_use":
            blocks.remove(block)
            chance.choice(lists).append(block)
    return made
