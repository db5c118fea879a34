"""What Bedrock's Converse refuses in a history, and how it is mended.

Refused are: a ``toolUse`` without its ``toolResult`` in the next message, a ``toolResult`` for no
``toolUse`` of the message before, an id that is missing, repeated, longer than 64 characters or
of other characters than letters, digits, ``_`` and ``-`` (some models take more), two messages of
one role behind one another, a history that begins with the assistant, an input that is no object,
blank text, and a message without content.

Results and words of a user stand in one message, results first, since the roles have to
alternate. A few models refuse that mixture; for them there is no order that would do.
"""

import re
from collections.abc import Sequence
from typing import Any

from handrail.wire.heal_turns import NO_BEGINNING, Shape, begun, block_call, block_turn, with_parts
from handrail.wire.history import Note, Opened, Part, Turn, copied
from handrail.wire.plain import field, json_text, string

__all__ = ["BEDROCK_HISTORY"]

_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_NO_TEXT = "(no text)"

Block = Any  # Any: a message or block of the provider


def _read(messages: Sequence[Block], note: Note) -> list[Turn]:
    return [_turn(message, at, note) for at, message in enumerate(messages)]


def _turn(message: Block, at: int, note: Note) -> Turn:
    given = field(message, "content")
    ours = field(message, "role") == "assistant"
    if isinstance(given, str):
        if given.strip():
            note("rewritten", at, "the content of a message became a list of blocks")
        return block_turn(message, at, [_part({"text": given}, at, ours)], ())
    blocks = given if isinstance(given, list | tuple) else ()
    return block_turn(message, at, [_part(block, at, ours) for block in blocks], blocks)


def _part(block: Block, at: int, ours: bool) -> Part:
    call, answer, text = (field(block, key) for key in ("toolUse", "toolResult", "text"))
    if call is not None and ours and field(call, "type") is None:
        id, name = string(field(call, "toolUseId")), string(field(call, "name"))
        return Part("call", at, block, id, name)
    if answer is not None and field(answer, "type") is None:
        return Part("result", at, block, string(field(answer, "toolUseId")))
    return Part("nothing" if isinstance(text, str) and not text.strip() else "said", at, block)


def _call(opened: Opened, note: Note) -> Block:
    call = field(opened.call.value, "toolUse")
    return _changed(opened.call, "toolUse", block_call(opened, call, "toolUseId", note))


def _result(opened: Opened, part: Part, note: Note) -> Block:
    answer = field(part.value, "toolResult")
    changes: dict[str, Any] = {}  # Any: JSON values
    if field(answer, "toolUseId") != opened.id:
        changes["toolUseId"] = opened.id
    content = field(answer, "content")
    filled = [_filled(one) for one in content] if isinstance(content, list | tuple) else None
    if filled is None:
        text = (
            content if isinstance(content, str) else "" if content is None else json_text(content)
        )
        filled = [_filled({"text": text})]
    if not isinstance(content, list | tuple) or any(
        new is not old for new, old in zip(filled, content, strict=True)
    ):
        changes["content"] = filled
        note("rewritten", part.at, f"the content of the result of {opened} is text now")
    return _changed(part, "toolResult", changes)


def _filled(block: Block) -> Block:
    text = field(block, "text")
    return {"text": _NO_TEXT} if isinstance(text, str) and not text.strip() else block


def _changed(part: Part, key: str, changes: dict[str, Any]) -> Block:
    if not changes:
        return part.value
    place = f"messages[{part.at}].content"
    return {key: {**copied(field(part.value, key), place), **changes}}


def _missing(opened: Opened, text: str) -> Block:
    said = {"toolUseId": opened.id, "content": [{"text": text}], "status": "error"}
    return {"toolResult": said}


def _meet(one: Turn, other: Turn) -> bool:
    """The roles alternate."""
    return one.role == other.role and one.role != "other"


def _settle(turns: list[Turn], note: Note) -> list[Turn]:
    """A user begins."""
    first = next((at for at, turn in enumerate(turns) if turn.role != "other"), None)
    if first is None or turns[first].role == "user":
        return turns
    return begun(turns, note, first, {"text": NO_BEGINNING})


BEDROCK_HISTORY = Shape(
    read=_read,
    call=_call,
    result=_result,
    missing=_missing,
    write=lambda turn: with_parts(turn, "content"),
    meet=_meet,
    settle=_settle,
    fits=lambda id: _ID.fullmatch(id) is not None,
)
