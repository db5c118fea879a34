"""A history in which calls are told once that a model needed several attempts for."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from handrail.wire.heal import shape_of_history
from handrail.wire.heal_turns import Shape, joined
from handrail.wire.history import Opened, Part, Turn, copied
from handrail.wire.plain import field

__all__ = ["told_once"]

_THOUGHTS = ("thinking", "redacted_thinking", "reasoning")

Message = Mapping[str, Any]  # Any: message of the provider
Known = dict[tuple[str, str], Part]


def told_once(
    messages: Sequence[Message], last_of: Mapping[str, str], dropped: AbstractSet[str]
) -> list[dict[str, Any]]:  # Any: messages of the provider
    """The same messages, the last attempt of a call standing in the place of its first.

    Thoughts that led to nothing but an attempt go with it. Messages in which nothing changes are
    the very ones given.

    Args:
        messages: Messages of any provider.
        last_of: Id of the last attempt, by the id of the first, which it takes.
        dropped: Ids of the attempts that go.
    """
    shape = shape_of_history(messages)
    turns = shape.read(messages, _unnoted)
    known: Known = {(part.kind, part.id): part for turn in turns for part in turn.parts if part.id}
    made: list[Turn] = []
    for turn in turns:
        kept = [
            _standing(part, shape, known, last_of.get(part.id, ""))
            for part in turn.parts
            if not (part.kind in ("call", "result") and part.id in dropped)
        ]
        if len(kept) < len(turn.parts) or not kept:
            while kept and _is_thought(kept[-1]):
                kept.pop()
        if kept:
            made.append(Turn(turn.role, kept, turn.source, turn.given))
    return [one for turn in joined(made, shape, _unnoted) for one in shape.write(turn)]


def _unnoted(kind: str, at: int, text: str) -> None:
    """Changes are no news here."""


def _standing(part: Part, shape: Shape, known: Known, last: str) -> Part:
    """A part as it stands: the last attempt, under the id of the first."""
    call, other = known.get(("call", last)), known.get((part.kind, last))
    if call is None or other is None:
        return part
    opened = Opened(call, part.id)
    if part.kind == "result":
        return Part("result", part.at, shape.result(opened, other, _unnoted))
    return Part("call", part.at, _under_own_id(part, shape.call(opened, _unnoted)))


def _under_own_id(first: Part, value: Any) -> Any:  # Any: call of the provider
    """A call with the item id of the first attempt, which its reasoning refers to."""
    own = field(first.value, "id")
    if field(value, "id") == own:
        return value
    kept = {key: one for key, one in copied(value, "call").items() if key != "id"}
    return kept if own is None else {**kept, "id": own}


def _is_thought(part: Part) -> bool:
    value = part.value
    return part.kind == "said" and (
        field(value, "type") in _THOUGHTS
        or field(value, "thought") is True
        or field(value, "reasoningContent") is not None
    )
