"""One way of healing for every shape of history.

A shape reads its messages as turns of parts, says how a call, a result and a missing result look,
and writes turns back as messages. What happens between is the same for all of them: results are
matched with calls, put directly behind them, added and dropped. A message in which nothing
changed goes back as the very object that it was.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import is_
from typing import Any

from handrail.wire.history import (
    NO_RESULT,
    Group,
    HistoryChange,
    Note,
    Opened,
    Pairs,
    Part,
    Turn,
    copied,
    fitting_name,
)
from handrail.wire.plain import arguments_object, field

__all__ = [
    "NO_BEGINNING",
    "Shape",
    "begun",
    "block_call",
    "block_turn",
    "healed",
    "joined",
    "with_parts",
]

NO_BEGINNING = "The beginning of this conversation is not recorded."
"""What stands before a turn of the model where a provider has no history begin with it."""

Value = Any  # Any: message or block of the provider


def _as_they_are(turns: list[Turn], note: Note) -> list[Turn]:
    return turns


def _apart(one: Turn, other: Turn) -> bool:
    return False


def _any_id(id: str) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a provider wants of a history.

    Attributes:
        read: The messages as turns; what cannot stay as it is is noted.
        call: A call under its id, the very value given if nothing changes.
        result: A result under the id of its call, likewise.
        missing: What a call is answered with that has no result.
        write: A turn as messages.
        meet: Whether a turn has to stand in one message with the one before it.
        settle: The last touch on the turns.
        fits: Whether a provider takes an id.
        optional_ids: Whether a call needs no id.
        together: Whether all results of a turn have to stand in one message.
        ordered: Whether results have to stand in the order of their calls.
    """

    read: Callable[[Sequence[Value], Note], list[Turn]]
    call: Callable[[Opened, Note], Value]
    result: Callable[[Opened, Part, Note], Value]
    missing: Callable[[Opened, str], Value]
    write: Callable[[Turn], list[Value]]
    meet: Callable[[Turn, Turn], bool] = _apart
    settle: Callable[[list[Turn], Note], list[Turn]] = _as_they_are
    fits: Callable[[str], bool] = _any_id
    optional_ids: bool = False
    together: bool = True
    ordered: bool = False


def healed(messages: Sequence[Value], shape: Shape) -> tuple[list[Value], list[HistoryChange]]:
    """The history as it is accepted, and what was changed in it."""
    pairs = Pairs(optional=shape.optional_ids)
    turns = shape.read(messages, pairs.note)
    groups = _matched(turns, pairs, shape)
    made: list[Turn] = []
    awaited: Group | None = None
    for number, turn in enumerate(turns):
        stays = _staying(turn, groups.get(number, []), shape, pairs.note)
        if awaited is not None and (stays or turn.role == "user"):
            made.append(_answers(awaited, number, turns, shape, pairs.note))
            awaited = None
        if stays:
            made.append(Turn(turn.role, stays, turn.source, turn.given))
        awaited = groups.get(number, awaited)
    if awaited is not None:
        made.append(_answers(awaited, len(turns), turns, shape, pairs.note))
    settled = shape.settle(joined(made, shape, pairs.note), pairs.note)
    written = [message for turn in settled for message in shape.write(turn)]
    return written, sorted(pairs.changes, key=lambda change: change.at)


def block_turn(message: Value, at: int, parts: list[Part], given: Sequence[Value]) -> Turn:
    """A turn of a shape whose messages are lists of blocks."""
    role = field(message, "role")
    whose = "model" if role in ("assistant", "model") else "other" if role == "system" else "user"
    held = parts or [Part("nothing", at, None)]
    return Turn(whose, held, message, given)  # type: ignore[arg-type]  # one of the three


def block_call(opened: Opened, call: Value, id_key: str, note: Note) -> dict[str, Any]:
    """What has to change in a call whose ``input`` is an object; empty if nothing has."""
    at = opened.call.at
    changes: dict[str, Any] = {}  # Any: JSON values
    if opened.id != opened.call.id:
        changes[id_key] = opened.id
    name, arguments = field(call, "name"), field(call, "input")
    if fitting_name(name) != name:
        changes["name"] = fitting_name(name)
        note("rewritten", at, f"the name of a call became {changes['name']!r}")
    if not isinstance(arguments, Mapping):
        changes["input"] = arguments_object(arguments)
        note("rewritten", at, f"the input of {opened} became an object")
    return changes


def with_parts(turn: Turn, key: str) -> list[Value]:
    """A turn as one message with its parts under this key."""
    values = [part.value for part in turn.parts]
    same = len(values) == len(turn.given) and all(map(is_, values, turn.given))
    if same and turn.source is not None:
        return [turn.source]
    kept = {"role": "user"} if turn.source is None else copied(turn.source, "message")
    return [{**kept, key: values}]


def joined(turns: list[Turn], shape: Shape, note: Note) -> list[Turn]:
    """The turns, each put into the one before it that it has to stand in one message with."""
    made: list[Turn] = []
    for turn in turns:
        before = made[-1] if made else None
        if before is None or not shape.meet(before, turn):
            made.append(turn)
            continue
        one = before.source is turn.source
        if not one:
            note("rewritten", turn.parts[0].at, f"two messages of the {turn.role} became one")
        source = before.source if before.source is not None else turn.source
        parts = [*before.parts, *turn.parts]
        made[-1] = Turn(turn.role, parts, source, turn.given if one else ())
    return made


def begun(turns: list[Turn], note: Note, first: int, opening: Value) -> list[Turn]:
    """The turns with an opening of the user before the one at `first`."""
    at = turns[first].parts[0].at
    note("turn_added", at, "a sentence says that the beginning is not recorded")
    return [*turns[:first], Turn("user", [Part("said", at, opening)]), *turns[first:]]


def _matched(turns: list[Turn], pairs: Pairs, shape: Shape) -> dict[int, Group]:
    groups: dict[int, Group] = {}
    for number, turn in enumerate(turns):
        for place, part in enumerate(turn.parts):
            part.turn, part.place = number, place
        if turn.holds("call"):
            groups[number] = pairs.add(part for part in turn.parts if part.kind == "call")
        elif turn.holds("said"):
            pairs.elsewhere()
        for part in turn.parts:
            if part.kind == "result":
                pairs.answer(part)
    pairs.settle(shape.fits)
    return groups


def _staying(turn: Turn, group: Group, shape: Shape, note: Note) -> list[Part]:
    """What stays of a turn besides results, its calls as they will stand."""
    calls = iter(group)
    kept: list[Part] = []
    for part in turn.parts:
        if part.kind == "call":
            kept.append(Part("call", part.at, shape.call(next(calls), note)))
        elif part.kind == "said":
            kept.append(part)
        elif part.kind == "nothing" and turn.holds("call", "said", "result"):
            note("rewritten", part.at, "an empty text block was left out")
    if not kept and not turn.holds("result"):
        at = turn.parts[0].at
        note("turn_dropped", at, "a message with nothing in it")
    return kept


def _answers(group: Group, number: int, turns: list[Turn], shape: Shape, note: Note) -> Turn:
    """The results of a group, as they stand before or in the turn with this number."""
    at = turns[number] if number < len(turns) and turns[number].role == "user" else None
    answered = [one for one in group if one.result is not None]
    if not shape.ordered:
        answered.sort(key=lambda one: _place(one.result))
    _note_moves(answered, number, turns, shape, note)
    made = {
        id(one): Part("result", one.result.at, shape.result(one, one.result, note))
        for one in answered
        if one.result is not None
    }
    for one in group:
        if one.result is None:
            note("result_added", one.call.at, f"{one} had no result")
            made[id(one)] = Part("result", one.call.at, shape.missing(one, NO_RESULT))
    order = [made[id(one)] for one in group] if shape.ordered else list(made.values())
    source, given = (at.source, at.given) if at is not None else (None, ())
    return Turn("user", order, source, given, answers=True)


def _place(result: Part | None) -> tuple[int, int]:
    return (result.turn, result.place) if result is not None else (-1, -1)


def _note_moves(answered: Group, number: int, turns: list[Turn], shape: Shape, note: Note) -> None:
    end = number + 1
    if not shape.together:
        end = number
        while end < len(turns) and not turns[end].holds("said", "call"):
            end += 1
    last = (-1, -1)
    for one in answered:
        turn, place = _place(one.result)
        ahead = turns[turn].parts[:place]
        stands = number <= turn < end and (turn, place) > last
        if not stands or any(part.kind in ("said", "call") for part in ahead):
            at = turns[turn].parts[place].at
            note("result_moved", at, f"the result of {one} was moved behind it")
        last = max(last, (turn, place))
