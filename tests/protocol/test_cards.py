"""What a person sees of a call that waits."""

from handrail import Tool
from handrail.contract.canonical import digest
from handrail.protocol.cards import card_of


def drop(name: str, hard: bool = False) -> str:
    """Drop a table."""
    return f"{name} {hard}"


def test_a_card_shows_exactly_what_would_run() -> None:
    """Defaults included, with the hash of all of it and the contract's own."""
    tool = Tool.from_function(drop, action_type="destructive", effects=["delete:table"])
    card = card_of("t.1", tool, {"name": "a"}, user="ann", expires_at=9.0, already_done=1)
    (item,) = card.items
    assert item.arguments == {"name": "a", "hard": False}
    assert item.hash == digest({"hard": False, "name": "a"})
    assert (item.tool, item.effects, item.already_done) == ("drop", ("delete:table",), 1)
    assert (card.id, card.user, card.expires_at) == ("t.1", "ann", 9.0)
    assert card.fingerprint == tool.fingerprint
