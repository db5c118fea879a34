"""Turns without a shell: a read, a write and a destructive tool, and what a model says."""

from handrail import Tool, ToolCall
from handrail.contract.policy import Settings
from handrail.protocol.asks import Close, Returned
from handrail.protocol.journal import Journal
from handrail.protocol.seen import Seen
from handrail.protocol.turn import Incoming, Slot, TurnState

__all__ = ["find", "message", "propose", "run", "save", "turn_of"]


def find(name: str, limit: int = 5) -> str:
    """Find by name."""
    return name


def save(name: str, size: int) -> str:
    """Save a thing."""
    return name


def drop(name: str) -> str:
    """Drop a thing."""
    return name


def turn_of(terms: dict[str, object] | None = None, **changes: object) -> TurnState:
    """A turn with a read, a write and a destructive tool."""
    tools = [
        Tool.from_function(find, **(terms or {})),
        Tool.from_function(save, action_type="write"),
        Tool.from_function(drop, action_type="destructive"),
    ]
    named = {tool.name: tool for tool in tools}
    return TurnState("t", named, Settings().replace(**changes), Journal(), Seen())


def propose(turn: TurnState, name: str, text: str, chain: str | None = None, id: str = "c") -> Slot:
    """One call, a message of its own."""
    return turn.propose(ToolCall(id, name, text), 1.0, None, chain)


def message(turn: TurnState, *calls: tuple[str, str]) -> list[Slot]:
    """One model message with these calls."""
    return turn.step([Incoming(ToolCall(f"c{n}", *call)) for n, call in enumerate(calls)], 1.0)


def run(turn: TurnState, slot: Slot, value: object = "done") -> Close:
    """The handler returns."""
    assert slot.exchange is not None
    ask = slot.exchange.receive(Returned(value, 2.0))
    turn.answered(slot.exchange)
    assert isinstance(ask, Close)
    return ask
