"""Whole message lists: every assistant message is judged, and every result finds its call.

Each message is read by itself, so that a malformed one costs only its own calls. A message
without calls may hold calls written as text; they are read if tools are known.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from handrail.replay.plain_calls import labels_of
from handrail.replay.records import Offer, Place, Recorded, Unreadable
from handrail.wire.anthropic import ANTHROPIC
from handrail.wire.openai_chat import OPENAI
from handrail.wire.pairing import Pending
from handrail.wire.shapes import CallDict, Wire
from handrail.wire.text import find_calls

__all__ = ["is_message", "read_conversation", "text_calls"]

Object = Mapping[str, Any]  # Any: JSON values

_BLOCKS = ("tool_use", "tool_result", "server_tool_use", "thinking")
_ADVICE = "correct the message, or leave it out; the other messages were read"


def is_message(value: object) -> bool:
    """Whether a value is one message of a conversation."""
    return isinstance(value, Mapping) and isinstance(value.get("role"), str)


def read_conversation(
    messages: Sequence[object],
    place: Place,
    row: Object,
    offer: Offer | None,
    schemas: Mapping[str, Any],  # Any: JSON Schema
) -> Iterator[Recorded | Unreadable]:
    """The calls of a conversation with their results, in order.

    Args:
        messages: In the OpenAI or Anthropic shape.
        place: Where the conversation stands.
        row: What stands around it: model, conversation, labels.
        offer: The tools that were offered, if the log says so.
        schemas: Known tools, for calls that were written as text.
    """
    wire = _wire(messages)
    name = row.get("conversation", row.get("conv"))
    base = Recorded(
        place=place,
        tool="",
        offer=offer,
        labels=labels_of(row),
        conversation=name if isinstance(name, str) else None,
        model=row["model"] if isinstance(row.get("model"), str) else None,
    )
    pending, calls, order = Pending(), dict[str, int](), list[Recorded | Unreadable]()
    for turn, message in enumerate(messages):
        try:
            events = wire.read_messages([message])
        except ValueError as error:
            problem = str(error).replace("messages[0]", f"messages[{turn}]")
            order.append(Unreadable(place, problem, _ADVICE))
            continue
        sent = [one for kind, one in events if kind == "call" and isinstance(one, dict)]
        for call in pending.add(_calls_of(sent)):
            calls[call["id"]] = len(order)
            order.append(_recorded(base, call, turn))
        for kind, one in events:
            if kind == "result" and isinstance(one, dict):
                at = calls.get(pending.answer(one["call_id"], one["name"])[0])
                called = order[at] if at is not None else None
                if at is not None and isinstance(called, Recorded):
                    error_known = True if one.get("is_error") else called.error
                    order[at] = replace(called, result=one.get("content"), error=error_known)
            elif kind == "text" and not sent and isinstance(one, str):
                found = text_calls(one, offer.schemas if offer else schemas)
                order += [_recorded(base, call, turn, as_text=True) for call in found]
    yield from order


def text_calls(text: str, schemas: Mapping[str, Any]) -> list[CallDict]:  # Any: JSON Schema
    """Calls of known tools that a text holds in exactly one reading."""
    return find_calls(text, schemas).calls if schemas else []


def _recorded(base: Recorded, call: CallDict, turn: int, *, as_text: bool = False) -> Recorded:
    return replace(base, tool=call["name"], arguments=call["arguments"], turn=turn, as_text=as_text)


def _calls_of(sent: Sequence[Any]) -> list[CallDict]:  # Any: the values of an Event
    return [CallDict(id=one["id"], name=one["name"], arguments=one["arguments"]) for one in sent]


def _wire(messages: Sequence[object]) -> Wire:
    """Anthropic where a message holds a block that only it has."""
    for message in messages:
        content = message.get("content") if isinstance(message, Mapping) else None
        if isinstance(content, list) and any(
            isinstance(block, Mapping) and block.get("type") in _BLOCKS for block in content
        ):
            return ANTHROPIC
    return OPENAI
