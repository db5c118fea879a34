"""What Anthropic's messages refuse in a history, and how it is mended.

Refused are: a ``tool_use`` block without a ``tool_result`` in the next message, a ``tool_result``
for no ``tool_use`` of the message before, results that do not stand first in their message, an id
that is missing, repeated or holds other characters than letters, digits, ``_`` and ``-``, empty
text, and a message without content.
"""

import re
from collections.abc import Sequence
from typing import Any

from handrail.wire.heal_turns import Shape, block_call, block_turn, with_parts
from handrail.wire.history import Note, Opened, Part, Turn, copied
from handrail.wire.plain import field, string

__all__ = ["ANTHROPIC_HISTORY"]

_ID = re.compile(r"[a-zA-Z0-9_-]+")

Block = Any  # Any: a message or block as dict, or as an object of the client library


def _read(messages: Sequence[Block], note: Note) -> list[Turn]:
    return [_turn(message, at) for at, message in enumerate(messages)]


def _turn(message: Block, at: int) -> Turn:
    content = field(message, "content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    blocks = content if isinstance(content, list | tuple) else ()
    ours = field(message, "role") == "assistant"
    parts = [_part(block, at, ours) for block in blocks]
    return block_turn(message, at, parts, blocks)


def _part(block: Block, at: int, ours: bool) -> Part:
    kind = field(block, "type")
    if kind == "tool_use" and ours:
        return Part("call", at, block, string(field(block, "id")), string(field(block, "name")))
    if kind == "tool_result":
        return Part("result", at, block, string(field(block, "tool_use_id")))
    says = kind != "text" or string(field(block, "text")).strip()
    return Part("said" if says else "nothing", at, block)


def _call(opened: Opened, note: Note) -> Block:
    block = opened.call.value
    changes = block_call(opened, block, "id", note)
    place = f"messages[{opened.call.at}].content"
    return {**copied(block, place), **changes} if changes else block


def _result(opened: Opened, part: Part, note: Note) -> Block:
    if field(part.value, "tool_use_id") == opened.id:
        return part.value
    return {**copied(part.value, f"messages[{part.at}].content"), "tool_use_id": opened.id}


def _missing(opened: Opened, text: str) -> Block:
    return {"type": "tool_result", "tool_use_id": opened.id, "content": text, "is_error": True}


def _meet(one: Turn, other: Turn) -> bool:
    """Results stand first in the message that they were put into."""
    return one.answers and one.source is other.source


ANTHROPIC_HISTORY = Shape(
    read=_read,
    call=_call,
    result=_result,
    missing=_missing,
    write=lambda turn: with_parts(turn, "content"),
    meet=_meet,
    fits=lambda id: _ID.fullmatch(id) is not None,
)
