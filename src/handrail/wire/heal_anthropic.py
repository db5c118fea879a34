"""What Anthropic's messages refuse in a history, mended message by message.

Refused are: a ``tool_use`` block without a ``tool_result`` in the next message, a ``tool_result``
for no ``tool_use`` of the message before, results that do not stand first in their message, an id
that is missing, repeated or holds other characters than letters, digits, ``_`` and ``-``, empty
text, and a message without content.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from handrail.wire.history import (
    NO_RESULT,
    Group,
    HistoryChange,
    Opened,
    Pairs,
    copied,
    fitting_name,
)
from handrail.wire.plain import field

__all__ = ["heal_anthropic"]

_ID = re.compile(r"[a-zA-Z0-9_-]+")

Message = Any  # Any: a message as dict, or as an object of the client library
Block = Any  # Any: a block as dict, or as an object of the client library


def heal_anthropic(messages: Sequence[Message]) -> tuple[list[Message], list[HistoryChange]]:
    """The history as it is accepted, and what was changed in it."""
    pairs = _paired(messages)
    healed: list[Message] = []
    awaited: Group | None = None
    for at, message in enumerate(messages):
        blocks = _blocks(message)
        group = pairs.groups.get(at)
        words = _words(blocks, at, pairs, group)
        if field(message, "role") == "user":
            content = [*_results(awaited, at, blocks, pairs), *words]
            awaited = None
        elif words and awaited is not None:
            healed.append({"role": "user", "content": _results(awaited, at, (), pairs)})
            awaited, content = None, words
        else:
            content = words
        if content:
            healed.append(_turn(message, at, content, blocks))
        elif not any(field(block, "type") == "tool_result" for block in blocks):
            pairs.note("turn_dropped", at, "a message with nothing in it")
        awaited = group or awaited
    if awaited is not None:
        healed.append({"role": "user", "content": _results(awaited, len(messages), (), pairs)})
    return healed, sorted(pairs.changes, key=lambda change: change.at)


def _paired(messages: Sequence[Message]) -> Pairs:
    pairs = Pairs()
    for at, message in enumerate(messages):
        blocks = _blocks(message)
        calls = [block for block in blocks if _is_call(message, block)]
        if calls:
            pairs.add(at, [(_text(field(one, "id")), _text(field(one, "name"))) for one in calls])
        for block in blocks:
            if field(block, "type") == "tool_result":
                pairs.answer(at, _text(field(block, "tool_use_id")), block)
        if not calls and any(_says(block) for block in blocks):
            pairs.elsewhere()
    pairs.settle(lambda id: _ID.fullmatch(id) is not None)
    return pairs


def _blocks(message: Message) -> Sequence[Block]:
    content = field(message, "content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list | tuple) else ()


def _is_call(message: Message, block: Block) -> bool:
    return bool(field(message, "role") == "assistant" and field(block, "type") == "tool_use")


def _says(block: Block) -> bool:
    """Whether a block is something else than a result or empty text."""
    kind = field(block, "type")
    return kind != "tool_result" and (kind != "text" or bool(_text(field(block, "text")).strip()))


def _words(blocks: Sequence[Block], at: int, pairs: Pairs, group: Group | None) -> list[Block]:
    """Every block that is no result and not empty, its calls as they will stand."""
    calls = iter(group.calls if group is not None else ())
    kept = []
    for block in blocks:
        if field(block, "type") == "tool_use" and group is not None:
            kept.append(_call(block, next(calls), at, pairs))
        elif _says(block):
            kept.append(block)
        elif field(block, "type") == "text" and len(blocks) > 1:
            pairs.note("rewritten", at, "an empty text block was left out")
    return kept


def _call(block: Block, call: Opened, at: int, pairs: Pairs) -> Block:
    changes: dict[str, Any] = {}  # Any: JSON values
    if call.id != call.sent:
        changes["id"] = call.id
    name, arguments = field(block, "name"), field(block, "input")
    if fitting_name(name) != name:
        changes["name"] = fitting_name(name)
        pairs.note("rewritten", at, f"the name of a call became {changes['name']!r}")
    if not isinstance(arguments, Mapping):
        changes["input"] = _object(arguments)
        pairs.note("rewritten", at, f"the input of {call.id!r} became an object")
    return {**copied(block, f"messages[{at}].content"), **changes} if changes else block


def _results(group: Group | None, at: int, blocks: Sequence[Block], pairs: Pairs) -> list[Block]:
    """The results of a group, as they begin the message at `at` that holds `blocks`."""
    if group is None:
        return []
    answered = [call for call in group.calls if call.result is not None]
    in_order = {id(block): place for place, block in enumerate(blocks)}
    answered.sort(key=lambda one: (one.answered_at, in_order.get(id(one.result), 0)))
    first = blocks[: len(answered)]
    stands = [call.result for call in answered]
    if any(one is not other for one, other in zip(stands, first, strict=False)) or (
        len(first) < len(stands)
    ):
        ids = ", ".join(repr(call.id) for call in answered)
        pairs.note("result_moved", at, f"the results of {ids} were put first, behind their calls")
    made = [_result(call) for call in answered]
    for call in group.calls:
        if call.result is None:
            text = f"the call {call.id!r} of {call.name!r} had no result"
            pairs.note("result_added", group.at, text)
            made.append(_missing(call.id))
    return made


def _missing(id: str) -> Block:
    return {"type": "tool_result", "tool_use_id": id, "content": NO_RESULT, "is_error": True}


def _result(call: Opened) -> Block:
    if _text(field(call.result, "tool_use_id")) == call.id:
        return call.result
    return {**copied(call.result, f"messages[{call.answered_at}].content"), "tool_use_id": call.id}


def _turn(message: Message, at: int, content: list[Block], blocks: Sequence[Block]) -> Message:
    same = len(content) == len(blocks) and all(
        new is old for new, old in zip(content, blocks, strict=True)
    )
    return message if same else {**copied(message, f"messages[{at}]"), "content": content}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _object(arguments: object) -> dict[str, Any]:  # Any: JSON values
    """Arguments that were sent as text; nothing, where they are no JSON object."""
    try:
        value = json.loads(arguments) if isinstance(arguments, str) else None
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {}
