"""What a tool gave back, in a budget of tokens: shortened field by field, never cut blindly.

Within the budget nothing is touched. Over it the result is valid JSON that says so, in
``_meta.compacted`` of the root object, or around a list as ``{"_meta", "items"}``. What is kept,
in this order:

1. what an object says of its own failure (``valid``, ``error``, ``suggestions`` ...), word for
   word: a failure never turns into something that looks like an empty success;
2. the ids of every row, then the own text of the inspected entity and the names of every row;
3. breadth: every row and every field gets the same share of what is left.

Texts lose their middle, lists keep their ends and a count, and an id is whole or not there at all.
The ids do not fit into every budget: then rows go, from the middle, and are counted. Where not
even that can be said, `smallest` says the least that is still true.

The inspected entity is the one object that carries an id out of the call's arguments, else the
root object itself. Everything here is deterministic, and nothing raises.

Source: seed 003 (field-aware budget compaction; validation and error payloads); the design's
output page, section 3.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from pydantic_core import from_json, to_json, to_jsonable_python

from handrail.contract.elide import LEFT_OUT, elide, elide_quoted, gap
from handrail.contract.outline import IDS, NAMES, Outline
from handrail.contract.shrink import NO_ROOM, Form, Shrink
from handrail.contract.telling import Field, fails, field_kind
from handrail.contract.tokens import Counter, count_tokens

__all__ = ["compact", "compact_text", "smallest"]

Json = Any  # Any: JSON value

_FIELDS_NAMED = 8
_LONGEST_FIELD_NAME = 40
_ROOM_FOR_FIELDS = 1_000
"""Characters below which the fields that were left out are not named."""

_DENSITY = 3
"""How many times more characters a token of a counter may have here than on average."""

_META_ROOM = 90
_TRIES = 6
_LEAST_ROOM = 40
_TOLD_OF_FAILURE = 200


class _Task(NamedTuple):
    """What is asked for: the value, its budget in tokens, and how to count."""

    value: Json
    budget: int
    counter: Counter | None
    before: int
    characters: int
    meta: Mapping[str, Json]

    def fits(self, value: Json) -> bool:
        return self.tokens(value) <= self.budget

    def tokens(self, value: Json) -> int:
        return count_tokens(_written(value), self.counter)

    @property
    def room(self) -> int:
        """Characters that the budget probably allows."""
        return self.budget * self.characters // max(1, self.before)


def compact(
    value: Json,
    budget: int,
    *,
    arguments: Mapping[str, Json] | None = None,
    ids: Collection[str] = (),
    counter: Counter | None = None,
    meta: Mapping[str, Json] | None = None,
) -> Json:
    """A JSON value that is written in at most `budget` tokens.

    Args:
        value: Any JSON value; it is not changed.
        budget: Tokens of the value as compact JSON.
        arguments: What the tool was called with: the entity that they name comes first.
        ids: Names of fields that hold ids, beside those whose name tells.
        counter: Counts the tokens of a text; characters / 4 without one.
        meta: Further entries of ``_meta``, where anything had to be left out.

    Returns:
        The same object if it fits; else a smaller one, with ``_meta.compacted``: tokens ``from``
        and ``to``, those ``omitted``, and the names of ``fields`` that are missing somewhere. In
        a budget that has no room for that, what `smallest` gives.
    """
    try:
        text = _written(value)
        before = count_tokens(text, counter)
        if before <= budget:
            return value
        task = _Task(value, budget, counter, before, len(text), meta or {})
        if isinstance(value, str):
            return _shortened(task)
        return _compacted(task, _wanted(arguments), ids)
    except Exception:  # too deep, or no JSON value at all
        return LEFT_OUT


def compact_text(
    text: str,
    budget: int,
    *,
    arguments: Mapping[str, Json] | None = None,
    ids: Collection[str] = (),
    counter: Counter | None = None,
    meta: Mapping[str, Json] | None = None,
    footer: str = "",
) -> str:
    """A text in at most `budget` tokens; one that holds JSON stays valid JSON.

    Args:
        text: What the model would read.
        budget: Tokens.
        arguments: As in `compact`.
        ids: As in `compact`.
        counter: As in `compact`.
        meta: As in `compact`.
        footer: Stands below a plain text that had to be shortened.

    Returns:
        The same object if it fits. A plain text loses its middle, with a mark on a line of its
        own that counts what is missing.
    """
    before = count_tokens(text, counter)
    if before <= budget:
        return text
    if text.lstrip()[:1] in ("{", "["):
        try:
            value = from_json(text)
        except ValueError:  # no JSON, or too deep to be read
            value = None
        if isinstance(value, dict | list):
            made = compact(value, budget, arguments=arguments, ids=ids, counter=counter, meta=meta)
            return _written(made)
    below = f"\n{footer}" if footer else ""
    room = budget * len(text) // max(1, before) - len(below)
    for _ in range(_TRIES):
        short = elide(text, max(len(LEFT_OUT), room), lines=True) + below
        tokens = count_tokens(short, counter)
        if tokens <= budget:
            return short
        room = min(room - 1, room * budget // tokens - 1)
    return LEFT_OUT


def smallest(value: Json, before: int, to: int) -> Iterator[Json]:
    """The least that can be said of a value, ever shorter; the last is an ellipsis.

    None of them looks like a success without content: they say that something was left out, and
    as long as possible that it was a failure.
    """
    wrong = _failure(value)
    yield {**_marked({}, before, to, ()), **wrong}
    if wrong:
        yield wrong
        yield {key: item for key, item in wrong.items() if isinstance(item, bool)} or {"error": 1}
    else:
        yield {"_meta": {"compacted": True}}
    yield LEFT_OUT


def _compacted(task: _Task, wanted: Mapping[str, Collection[str]], ids: Collection[str]) -> Json:
    body, before = _without_mark(task.value)
    outline = Outline(body, wanted, ids)
    for form in _forms(body, outline, task.room):
        made = _tried(task, outline, body, form, before)
        if made is not None and (fails(made) or not _failure(body)):
            return made
    for made in smallest(body, before or task.before, task.budget):
        if task.fits(made):
            return made
    return LEFT_OUT


def _forms(body: Json, outline: Outline, room: int) -> Iterator[tuple[Form, bool]]:
    """What should stay, the fullest first; and whether rows may be cut out for it."""
    root = (id(body),)
    first = outline.inspected or root
    failing = isinstance(body, dict) and fails(body)
    crowded = len(first) > 1 and outline.root.names > room // 2
    for verbatim in (True, False) if failing else (False,):
        path = root if verbatim else first
        if not crowded:
            yield Form(NAMES, path, verbatim), False
        yield Form(IDS, path, verbatim), False
        if not verbatim:
            yield Form(IDS, path, small=False), False
        yield Form(IDS, path, verbatim), True


def _tried(
    task: _Task, outline: Outline, body: Json, how: tuple[Form, bool], before: int | None
) -> Json | None:
    """The fullest value of this form that fits; None where the form itself does not."""
    form, cutting = how
    least = _LEAST_ROOM if cutting else Shrink(outline, form).least(body)
    room = task.room - _META_ROOM - len(_written(task.meta))
    if least > (task.room if task.counter is None else _DENSITY * task.room):
        return None
    for _ in range(_TRIES):
        room = max(room, least)
        made, tokens = _made(task, outline, body, form, room, before)
        if made is not None:
            return made
        if room == least or room * task.budget < least * tokens // 2:
            return None
        room = min(room - 8, room * task.budget // max(1, tokens) - 8)
    return None


def _made(
    task: _Task, outline: Outline, body: Json, form: Form, room: int, before: int | None
) -> tuple[Json | None, int]:
    """The value in so many characters, if that fits the budget; and its tokens."""
    shrink = Shrink(outline, form)
    fitted = shrink.fit(body, room)
    if fitted is NO_ROOM:
        return None, task.budget + 1
    names = list(shrink.left_out)[:_FIELDS_NAMED] if room >= _ROOM_FOR_FIELDS else []
    names = [name for name in names if len(name) <= _LONGEST_FIELD_NAME]
    to = task.budget
    for _ in range(_TRIES):
        made = _marked(fitted, before or task.before, to, names, task.meta)
        tokens = task.tokens(made)
        if tokens == to:
            break
        to = tokens
    return (made if tokens <= task.budget else None), tokens


def _marked(
    body: Json, before: int, to: int, names: Collection[str], more: Mapping[str, Json] | None = None
) -> dict[str, Json]:
    """The value with what became of it; a list stands under ``items``."""
    told: dict[str, Json] = {"from": before, "to": to, "omitted": max(0, before - to)}
    if names:
        told["fields"] = list(names)
    meta = {"compacted": told, **(more or {})}
    if not isinstance(body, dict):
        return {"_meta": meta, "items": body}
    kept = body.get("_meta")
    own = kept if isinstance(kept, dict) else {} if kept is None else {"value": kept}
    return {"_meta": {**own, **meta}, **{key: item for key, item in body.items() if key != "_meta"}}


def _without_mark(value: Json) -> tuple[Json, int | None]:
    """A value that was compacted before, without that mark; and what it had been."""
    meta = value.get("_meta") if isinstance(value, dict) else None
    told = meta.get("compacted") if isinstance(meta, dict) else None
    if not isinstance(meta, dict) or not isinstance(told, dict):
        return value, None
    if not isinstance(told.get("from"), int):
        return value, None
    rest = {key: item for key, item in meta.items() if key != "compacted"}
    body = {key: item for key, item in value.items() if key != "_meta"}
    return ({"_meta": rest, **body} if rest else body), told["from"]


def _shortened(task: _Task) -> str:
    """A text as a JSON string."""
    room = task.room
    for _ in range(_TRIES):
        short = elide_quoted(task.value, max(5, room))
        tokens = task.tokens(short)
        if tokens <= task.budget:
            return short
        room = min(room - 1, room * task.budget // tokens - 1)
    return LEFT_OUT


def _failure(value: Json) -> dict[str, Json]:
    """What a failing object says of itself, short."""
    if not isinstance(value, dict) or not fails(value):
        return {}
    told = {key: item for key, item in value.items() if field_kind(key) is Field.TELLING}
    short = {
        key: elide(item, _TOLD_OF_FAILURE // 4) if isinstance(item, str) else item
        for key, item in told.items()
        if isinstance(item, str | bool)
    }
    return short or {"error": gap(1, "failure")}


def _wanted(arguments: Mapping[str, Json] | None) -> dict[str, set[str]]:
    """Values of the arguments by which an entity may be meant: ids, and texts of any field."""
    wanted: dict[str, set[str]] = {}
    for name, given in (arguments or {}).items():
        values = given if isinstance(given, list) else [given]
        by_id = field_kind(name) is Field.ID
        for one in values:
            if isinstance(one, str) or (by_id and isinstance(one, int)):
                wanted.setdefault(name, set()).add(str(one))
    return wanted


def _written(value: Json) -> str:
    """Compact JSON; ASCII where the text holds half characters."""
    try:
        return to_json(value, inf_nan_mode="null").decode()
    except ValueError:
        plain = to_jsonable_python(value, inf_nan_mode="null")
        return json.dumps(plain, separators=(",", ":"))
