"""Whole message lists: every assistant message is judged, and every result finds its call.

Each message is read by itself, so that a malformed one costs only its own calls. A message
without calls may hold calls written as text; they are read if tools are known. Whose shape the
messages are in, the first one tells that only one provider has.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from handrail.replay.plain_calls import conversation_of, labels_of
from handrail.replay.records import Offer, Place, Recorded, Unreadable, content_key
from handrail.replay.threads import History
from handrail.wire.anthropic import ANTHROPIC
from handrail.wire.bedrock import BEDROCK
from handrail.wire.gemini import GEMINI
from handrail.wire.openai_chat import OPENAI
from handrail.wire.openai_responses import OPENAI_RESPONSES
from handrail.wire.pairing import is_minted
from handrail.wire.plain import either, field
from handrail.wire.shapes import CallDict, ResultDict, Wire
from handrail.wire.text import find_calls

__all__ = ["history_of", "is_message", "message_list", "read_conversation", "text_calls"]

Object = Mapping[str, Any]  # Any: JSON values

_BLOCKS = ("tool_use", "tool_result", "server_tool_use", "thinking")
_ITEMS = (
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "reasoning",
)
_PAIRED = ("call", "result")
_TURNS = 2
_RECENT = 64
"""Messages of a history that are read at most; others were in the requests before it."""
_LISTS = ("messages", "contents", "input")
_FIRST = re.compile(r"\b(messages|contents|input)\[0\]")
_ADVICE = "correct the message, or leave it out; the other messages were read"


def is_message(value: object) -> bool:
    """Whether a value is one message of a conversation, or one item of an OpenAI response."""
    if not isinstance(value, Mapping):
        return False
    return isinstance(value.get("role"), str) or value.get("type") in _ITEMS


def message_list(row: Object) -> list[Any] | None:  # Any: JSON values
    """The messages of a request, whatever its provider calls them; None if it has none."""
    for key in _LISTS:
        listed = row.get(key)
        if isinstance(listed, list) and (key == "messages" or any(map(is_message, listed))):
            return listed
    return None


def history_of(request: Object) -> History:
    """What a request repeats of the conversation before it; nothing if it is malformed."""
    messages = message_list(request)
    if not messages:
        return History()
    wire = _wire(messages)
    try:
        events = [e for e in wire.read_messages(_recent(messages)) if e[0] in _PAIRED]
        first = content_key(next((one for one in messages if _is_users(one)), messages[0]))
    except (ValueError, RecursionError):
        return History(length=len(messages))
    return History(events, first, len(messages), wire not in (OPENAI, OPENAI_RESPONSES))


def read_conversation(
    messages: Sequence[object],
    place: Place,
    row: Object,
    offer: Offer | None,
    schemas: Mapping[str, Any],  # Any: JSON Schema
    named: str | None = None,
) -> Iterator[Recorded | Unreadable]:
    """The calls of a conversation with their results, in order.

    Args:
        messages: In the shape of any provider.
        place: Where the conversation stands.
        row: What stands around it: model, conversation, labels.
        offer: The tools that were offered, if the log says so.
        schemas: Known tools, for calls that were written as text.
        named: What to call the conversation if the row does not say.
    """
    wire = _wire(messages)
    base = Recorded(
        place=place,
        tool="",
        offer=offer,
        labels=labels_of(row),
        conversation=conversation_of(row) or named,
        model=row["model"] if isinstance(row.get("model"), str) else None,
    )
    order: list[Recorded | Unreadable] = []
    waiting: list[_Waiting] = []
    for turn, message in enumerate(messages):
        try:
            events = wire.read_messages([message])
        except ValueError as error:
            problem = _FIRST.sub(rf"\g<1>[{turn}]", str(error))
            order.append(Unreadable(place, problem, _ADVICE))
            continue
        has_calls = any(event[0] == "call" for event in events)
        before = len(order)
        for event in events:
            if event[0] == "call":
                waiting.append(_Waiting(event[1]["id"], event[1]["name"], len(order)))
                order.append(_recorded(base, event[1], turn))
            elif event[0] == "result":
                failed = _failed(wire, event[1], message)
                _attach(event[1], failed, waiting, order)
            elif event[0] == "text" and not has_calls:
                found = text_calls(event[1], offer.schemas if offer else schemas)
                order += [_recorded(base, call, turn, as_text=True) for call in found]
        _finished(order, before, message)
    yield from order


def _finished(order: list[Recorded | Unreadable], before: int, message: object) -> None:
    """Say of the last call of a message why it ended, if the message does."""
    reason = either(message, "finish_reason", "fin")
    last = order[-1] if len(order) > before else None
    if isinstance(reason, str) and isinstance(last, Recorded):
        order[-1] = replace(last, finish_reason=reason)


class _Waiting(NamedTuple):
    """A call without a result so far, and its position among what was read."""

    id: str
    name: str
    at: int


def _attach(
    result: ResultDict,
    failed: bool | None,
    waiting: list[_Waiting],
    order: list[Recorded | Unreadable],
) -> None:
    """Give a result to its call: by id, else by name, else to the oldest that waits."""
    wanted, name = result["call_id"], result["name"]
    for index, call in enumerate(waiting):
        if call.id == wanted if wanted else name in ("", call.name):
            called = order[call.at]
            if isinstance(called, Recorded):
                order[call.at] = replace(called, result=result["content"], error=failed)
            del waiting[index]
            return


def _failed(wire: Wire, result: ResultDict, message: object) -> bool | None:
    """Whether a result is an error; OpenAI's shapes do not say, but some logs do."""
    if result["is_error"] or field(message, "is_error") is True:
        return True
    if field(message, "status") == "error":  # LangChain
        return True
    return None if wire in (OPENAI, OPENAI_RESPONSES) else False


def text_calls(text: str, schemas: Mapping[str, Any]) -> list[CallDict]:  # Any: JSON Schema
    """Calls of known tools that a text holds in exactly one reading."""
    return find_calls(text, schemas).calls if schemas else []


def _recorded(base: Recorded, call: CallDict, turn: int, *, as_text: bool = False) -> Recorded:
    call_id = f"{call['id']}@{turn}" if is_minted(call["id"]) else call["id"]
    return replace(
        base,
        tool=call["name"],
        arguments=call["arguments"],
        call_id=call_id,
        turn=turn,
        as_text=as_text,
    )


def _recent(messages: list[Any]) -> list[Any]:  # Any: JSON values
    """The end of a history, from the last but one message of the model that may hold calls."""
    seen = 0
    for index in range(len(messages) - 1, max(-1, len(messages) - _RECENT - 1), -1):
        message = messages[index]
        if isinstance(message, Mapping) and message.get("role") in ("assistant", "model"):
            rich = message.get("tool_calls") or message.get("parts")
            seen += bool(rich) or isinstance(message.get("content"), list)
            if seen == _TURNS:
                return messages[index:]
    return messages[-_RECENT:]


def _is_users(message: object) -> bool:
    return bool(field(message, "role") == "user")


def _wire(messages: Sequence[object]) -> Wire:
    """The provider whose shape a list of messages is in; OpenAI's where nothing tells."""
    for message in messages:
        if not isinstance(message, Mapping):
            continue
        if message.get("type") in _ITEMS:
            return OPENAI_RESPONSES
        if isinstance(message.get("parts"), list):
            return GEMINI
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            if isinstance(block, Mapping):
                if block.get("type") in _BLOCKS:
                    return ANTHROPIC
                if "toolUse" in block or "toolResult" in block:
                    return BEDROCK
    return OPENAI
