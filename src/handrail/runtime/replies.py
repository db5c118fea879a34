"""From whatever a host has in its hands to the calls of one message.

A call that was written as text is read as a call here (mending level 0), if it names a known
tool and has exactly one reading; the assistant turn is then rewritten as a real call, because
providers answer calls and not text.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from handrail.contract.call import Mend, ToolCall
from handrail.contract.tool import Tool
from handrail.wire.plain import field
from handrail.wire.registry import PROVIDERS, read_reply, recognise, whose_calls
from handrail.wire.shapes import CallDict, ReplyDict
from handrail.wire.stream import Collector
from handrail.wire.text import find_calls

__all__ = ["cost_of", "read"]


def read(
    reply: object,
    tools: Mapping[str, Tool],
    mint: Callable[[], str],
    expected: Sequence[str] = (),
) -> tuple[ReplyDict, tuple[Mend, ...]]:
    """One model message, every call with an id of its own, and how its calls were read.

    Args:
        reply: A response, an assistant message, text, a list of calls, or a collected stream.
        tools: The known tools, for calls written as text.
        mint: Gives an id that no call of the conversation has.
        expected: Names of the tools whose call the model was asked to correct.

    Raises:
        ValueError: The shape is unknown or malformed.
    """
    message = _read(reply)
    mends: tuple[Mend, ...] = ()
    if not message["calls"] and message["text"]:
        schemas = {name: tool.schema for name, tool in tools.items()}
        found = find_calls(message["text"], schemas, expected)
        if found.calls:
            mends = (Mend("salvage", "", "text", "tool call"),)
            message = _as_calls(message, _once(found.calls))
    message["calls"] = _with_ids(message["calls"], mint)
    return message, mends


def cost_of(reply: object) -> float:
    """What a reply says that it cost, in ``usage.cost``; 0 where it says nothing."""
    cost = field(field(reply, "usage"), "cost")
    known = isinstance(cost, int | float) and math.isfinite(cost)
    return float(cost) if known else 0.0


def _read(reply: object) -> ReplyDict:
    if isinstance(reply, str):
        return read_reply({"role": "assistant", "content": reply})
    if isinstance(reply, Collector):
        return reply.reply()
    if isinstance(reply, Sequence) and not isinstance(reply, bytes):
        return _listed(reply)
    return read_reply(reply)


def _listed(reply: Sequence[object]) -> ReplyDict:
    """A list of items or calls, read in the shape of the provider whose they are."""
    if reply and not isinstance(reply[0], ToolCall):
        if recognise(reply) is not None:
            return read_reply(reply)
        wire = whose_calls(reply)
        if wire is not None and wire.name != "openai":
            return wire.read_reply(wire.enclose(reply))
    calls = [ToolCall.parse(one) for one in reply]
    message = read_reply({"role": "assistant", "content": None})
    message["calls"] = [CallDict(id=one.id, name=one.name, arguments=_sent(one)) for one in calls]
    return message


def _sent(call: ToolCall) -> str | Mapping[str, Any]:  # Any: JSON values
    return "" if call.arguments is None else call.arguments


def _as_calls(message: ReplyDict, calls: Sequence[CallDict]) -> ReplyDict:
    turn = PROVIDERS[message["provider"]].without_text(message["message"])
    return {**message, "calls": list(calls), "message": turn}


def _once(calls: Sequence[CallDict]) -> list[CallDict]:
    """A text that repeats a call, as small models do, says it once."""
    said: list[CallDict] = []
    for call in calls:
        if not any(_same(call, other) for other in said):
            said.append(call)
    return said


def _same(one: CallDict, other: CallDict) -> bool:
    return (one["name"], one["arguments"]) == (other["name"], other["arguments"])


def _with_ids(calls: Sequence[CallDict], mint: Callable[[], str]) -> list[CallDict]:
    used: set[str] = set()
    named = []
    for call in calls:
        if not call["id"] or call["id"] in used:
            call = CallDict(id=mint(), name=call["name"], arguments=call["arguments"])
        used.add(call["id"])
        named.append(call)
    return named
