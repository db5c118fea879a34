"""What OpenAI's responses refuse in a history, and how it is mended.

Refused are: a call without an output behind it, an output of another kind than its call or for no
call, a ``call_id`` that is missing, repeated or longer than 64 characters, an item id that stands
twice, a reasoning item without the item that it led to, arguments that are no text, and an
output that is null. The endpoint itself finds an output anywhere behind its call; other servers
of this shape want it there directly, so it is put there.

Beside calls of functions and custom tools, calls and outputs of other tools are left as they are,
and so is an output of an unknown call where items are referred to by id: the call may be there.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import Any

from handrail.wire.heal_turns import Shape
from handrail.wire.history import Note, Opened, Part, Turn, copied, fitting_name
from handrail.wire.plain import arguments_text, field, json_text, raw_arguments, string

__all__ = ["RESPONSES_HISTORY"]

_LONGEST_ID = 64
_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
_RESULTS = tuple(f"{kind}_output" for kind in _CALLS)
_HOSTS = ("user", "system", "developer")

Item = Any  # Any: an item as dict, or as an object of the client library


def _read(items: Sequence[Item], note: Note) -> list[Turn]:
    refers = any(field(item, "type") == "item_reference" for item in items)
    known = {_call_id(item) for item in items if _kind(item) in _CALLS} if refers else None
    turns: list[Turn] = []
    for part in _parts(items, known, note):
        role = field(part.value, "role") if part.kind == "said" else None
        if part.kind == "result":
            turns.append(Turn("user", [part]))
        elif role in _HOSTS:
            turns.append(Turn("user" if role == "user" else "other", [part]))
        elif turns and turns[-1].role == "model":
            turns[-1].parts.append(part)
        else:
            turns.append(Turn("model", [part]))
    return [one for at in range(len(turns)) for one in _replies(turns, at)]


def _parts(items: Sequence[Item], known: set[str] | None, note: Note) -> Iterator[Part]:
    seen: set[str] = set()
    for at, item in enumerate(items):
        kind, own = _kind(item), string(field(item, "id"))
        if own and own in seen and kind != "item_reference":
            if kind == "reasoning":
                note("turn_dropped", at, f"the reasoning item {own!r} stands twice")
                continue
            note("rewritten", at, f"the item id {own!r} stands twice")
            item = _without_id(item, at)
        seen.add(own)
        call_id = _call_id(item)
        if kind in _CALLS:
            yield Part("call", at, item, call_id, string(field(item, "name")))
        elif kind in _RESULTS and (known is None or call_id in known):
            yield Part("result", at, item, call_id)
        else:
            yield Part("said", at, _with_content(item, at, note))


def _replies(turns: Sequence[Turn], at: int) -> Iterator[Turn]:
    """A run of items of the model, cut behind calls that are not answered behind the run."""
    turn = turns[at]
    if not turn.holds("call"):
        yield turn
        return
    behind = takewhile(lambda one: one.holds("result"), islice(turns, at + 1, None))
    answered = {one.parts[0].id for one in behind}
    parts: list[Part] = []
    has_answer: bool | None = None  # None: no call yet
    for part in turn.parts:
        if has_answer is False and part.kind == "said":
            yield Turn("model", parts)
            parts, has_answer = [], None
        parts.append(part)
        if part.kind == "call":
            has_answer = bool(has_answer) or part.id in answered
    yield Turn("model", parts)


def _kind(item: Item) -> str:
    return string(field(item, "type"))


def _call_id(item: Item) -> str:
    return string(field(item, "call_id"))


def _without_id(item: Item, at: int) -> Item:
    kept = copied(item, f"input[{at}]")
    del kept["id"]
    content = kept.get("content")
    texts = [field(part, "text") for part in content] if isinstance(content, list | tuple) else []
    if kept.get("role") != "assistant" or not all(isinstance(text, str) for text in texts):
        return kept
    return {"type": "message", "role": "assistant", "content": "".join(texts) or content}


def _with_content(item: Item, at: int, note: Note) -> Item:
    """A message whose content is not null."""
    if field(item, "role") is None or field(item, "content") is not None:
        return item
    note("rewritten", at, "the content of a message was null")
    return {**copied(item, f"input[{at}]"), "content": ""}


def _call(opened: Opened, note: Note) -> Item:
    item, at = opened.call.value, opened.call.at
    changes: dict[str, str] = {}
    if opened.id != opened.call.id:
        changes["call_id"] = opened.id
    name, key = field(item, "name"), _CALLS[_kind(item)]
    if fitting_name(name) != name:
        changes["name"] = fitting_name(name)
        note("rewritten", at, f"the name of a call became {changes['name']!r}")
    if not isinstance(field(item, key), str):
        changes[key] = arguments_text(raw_arguments(field(item, key)))
        note("rewritten", at, f"the {key} of {opened} became text")
    return {**copied(item, f"input[{at}]"), **changes} if changes else item


def _result(opened: Opened, part: Part, note: Note) -> Item:
    changes: dict[str, str] = {}
    if _call_id(part.value) != opened.id:
        changes["call_id"] = opened.id
    wanted, output = f"{_kind(opened.call.value)}_output", field(part.value, "output")
    if _kind(part.value) != wanted:
        changes["type"] = wanted
        note("rewritten", part.at, f"the output of {opened} became a {wanted}")
    if not isinstance(output, str | list | tuple):
        changes["output"] = "" if output is None else json_text(output)
        note("rewritten", part.at, f"the output of {opened} became text")
    return {**copied(part.value, f"input[{part.at}]"), **changes} if changes else part.value


def _missing(opened: Opened, text: str) -> Item:
    kind = f"{_kind(opened.call.value)}_output"
    return {"type": kind, "call_id": opened.id, "output": text}


def _settle(turns: list[Turn], note: Note) -> list[Turn]:
    """Without reasoning that leads to nothing."""
    made: list[Turn] = []
    for turn in reversed(turns):
        while turn.role == "model" and (not made or made[-1].role != "model"):
            if not turn.parts or _kind(turn.parts[-1].value) != "reasoning":
                break
            part = turn.parts.pop()
            note("turn_dropped", part.at, "a reasoning item without the item that it led to")
        if turn.parts:
            made.append(turn)
    return made[::-1]


RESPONSES_HISTORY = Shape(
    read=_read,
    call=_call,
    result=_result,
    missing=_missing,
    write=lambda turn: [part.value for part in turn.parts],
    settle=_settle,
    fits=lambda id: len(id) <= _LONGEST_ID,
    together=False,
)
