"""Whole message lists: every assistant message is judged, and every result finds its call.

Each message is read by itself, so that a malformed one costs only its own calls. A message
without calls may hold calls written as text; they are read if tools are known.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from handrail.replay.plain_calls import labels_of
from handrail.replay.records import Offer, Place, Recorded, Unreadable
from handrail.wire.anthropic import ANTHROPIC
from handrail.wire.openai_chat import OPENAI
from handrail.wire.plain import field
from handrail.wire.shapes import CallDict, ResultDict, Wire
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
    order: list[Recorded | Unreadable] = []
    waiting: list[_Waiting] = []
    for turn, message in enumerate(messages):
        try:
            events = wire.read_messages([message])
        except ValueError as error:
            problem = str(error).replace("messages[0]", f"messages[{turn}]")
            order.append(Unreadable(place, problem, _ADVICE))
            continue
        has_calls = any(event[0] == "call" for event in events)
        for event in events:
            if event[0] == "call":
                waiting.append(_Waiting(event[1]["id"], event[1]["name"], len(order)))
                order.append(_recorded(base, event[1], turn))
            elif event[0] == "result":
                _attach(event[1], message, waiting, order)
            elif event[0] == "text" and not has_calls:
                found = text_calls(event[1], offer.schemas if offer else schemas)
                order += [_recorded(base, call, turn, as_text=True) for call in found]
    yield from order


class _Waiting(NamedTuple):
    """A call without a result so far, and its position among what was read."""

    id: str
    name: str
    at: int


def _attach(
    result: ResultDict,
    message: object,
    waiting: list[_Waiting],
    order: list[Recorded | Unreadable],
) -> None:
    """Give a result to its call: by id, else by name, else to the oldest that waits."""
    wanted, name = result["call_id"], result["name"]
    for index, call in enumerate(waiting):
        if call.id == wanted if wanted else name in ("", call.name):
            called = order[call.at]
            failed = result["is_error"] or field(message, "is_error") is True
            if isinstance(called, Recorded):
                error = True if failed else called.error
                order[call.at] = replace(called, result=result["content"], error=error)
            del waiting[index]
            return


def text_calls(text: str, schemas: Mapping[str, Any]) -> list[CallDict]:  # Any: JSON Schema
    """Calls of known tools that a text holds in exactly one reading."""
    return find_calls(text, schemas).calls if schemas else []


def _recorded(base: Recorded, call: CallDict, turn: int, *, as_text: bool = False) -> Recorded:
    return replace(base, tool=call["name"], arguments=call["arguments"], turn=turn, as_text=as_text)


def _wire(messages: Sequence[object]) -> Wire:
    """Anthropic where a message holds a block that only it has."""
    for message in messages:
        content = message.get("content") if isinstance(message, Mapping) else None
        if isinstance(content, list) and any(
            isinstance(block, Mapping) and block.get("type") in _BLOCKS for block in content
        ):
            return ANTHROPIC
    return OPENAI
