"""What every shape's healing shares."""

from typing import Any

from handrail.wire.heal_bedrock import BEDROCK_HISTORY
from handrail.wire.heal_openai import OPENAI_HISTORY
from handrail.wire.heal_turns import (
    NO_BEGINNING,
    begun,
    block_call,
    block_turn,
    healed,
    joined,
    with_parts,
)
from handrail.wire.history import Opened, Part, Turn

Notes = list[tuple[str, int, str]]


def turn(role: Any, *texts: str, at: int = 0, source: Any = None) -> Turn:
    """A turn that says these texts."""
    return Turn(role, [Part("said", at, text) for text in texts], source, texts)


def noted() -> tuple[Notes, Any]:
    """Changes, and what writes them down."""
    notes: Notes = []
    return notes, lambda *change: notes.append(change)


def test_nothing_is_made_of_nothing() -> None:
    """An empty history is in order."""
    assert healed([], OPENAI_HISTORY) == ([], [])


def test_a_turn_that_did_not_change_is_its_source() -> None:
    """Anything else is a copy with the blocks as they are now."""
    source = {"role": "user", "content": ["a", "b"]}
    assert with_parts(turn("user", "a", "b", source=source), "content")[0] is source
    changed = turn("user", "a", source=source)
    changed.given = ("a", "b")
    assert with_parts(changed, "content") == [{"role": "user", "content": ["a"]}]
    assert with_parts(turn("user", "a"), "parts") == [{"role": "user", "parts": ["a"]}]


def test_roles_have_one_name() -> None:
    """Whatever the provider calls them; a message without blocks holds nothing."""
    roles = ["assistant", "model", "system", "user", None]
    turns = [block_turn({"role": role}, 0, [], ()) for role in roles]
    assert [one.role for one in turns] == ["model", "model", "other", "user", "user"]
    assert all(one.holds("nothing") for one in turns)


def test_turns_are_joined_in_order() -> None:
    """What was read from one message is joined without a word; messages are not."""
    notes, note = noted()
    source = {"role": "user", "content": ["a", "b"]}
    turns = [
        turn("user", "a", source=source),
        turn("user", "b", source=source),
        turn("user", "c", at=1, source={}),
        turn("model", "d", at=2),
    ]
    made = joined(turns, BEDROCK_HISTORY, note)
    assert [[part.value for part in one.parts] for one in made] == [["a", "b", "c"], ["d"]]
    assert made[0].source is source
    assert notes == [("rewritten", 1, "two messages of the user became one")]


def test_a_beginning_is_a_turn_of_the_user() -> None:
    """Before the turn that may not begin."""
    notes, note = noted()
    first, second = begun([turn("model", "a", at=3)], note, 0, {"text": NO_BEGINNING})
    assert (first.role, first.parts[0].value, second.role) == (
        "user", {"text": NO_BEGINNING}, "model",
    )  # fmt: skip
    assert notes == [("turn_added", 3, "a sentence says that the beginning is not recorded")]


def test_a_call_changes_only_where_it_must() -> None:
    """Each change is told, but that of its id, which was told when it got another."""
    notes, note = noted()
    right = {"id": "a", "name": "look", "input": {}}
    assert block_call(Opened(Part("call", 1, right, "a"), "a"), right, "id", note) == {}
    wrong = {"id": "a", "name": "my tool", "input": None}
    made = block_call(Opened(Part("call", 1, wrong, "a", "my tool"), "b"), wrong, "id", note)
    assert made == {"id": "b", "name": "my_tool", "input": {}}
    assert notes == [
        ("rewritten", 1, "the name of a call became 'my_tool'"),
        ("rewritten", 1, "the input of the call 'b' of 'my tool' became an object"),
    ]
