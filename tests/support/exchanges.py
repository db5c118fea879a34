"""One exchange in a turn of its own, and what the model says to it."""

from handrail import Tool, ToolCall
from handrail.contract.policy import Settings
from handrail.protocol.asks import Close, Proposed
from handrail.protocol.exchange import Exchange
from handrail.protocol.journal import Journal
from handrail.protocol.seen import Seen
from handrail.protocol.turn import TurnState

__all__ = ["BAD", "GOOD", "closed", "exchange_after", "exchange_of", "propose"]

GOOD, BAD = '{"order_id": "O-1"}', "{}"


def order(order_id: str, page: int = 1) -> str:
    """Do something with an order."""
    return order_id


def exchange_of(
    action_type: str = "write",
    *,
    policy: Settings | None = None,
    terms: dict[str, object] | None = None,
    user: object = None,
    scope: object = None,
    attempts: int = 3,
) -> Exchange:
    """A new exchange in a turn of its own."""
    tool = Tool.from_function(order, action_type=action_type, **(terms or {}))
    turn = TurnState(
        "t",
        {"order": tool},
        policy or Settings(),
        Journal(),
        Seen(),
        user=user,
        scope=scope,  # type: ignore[arg-type]  # a function of two
    )
    return Exchange("t.1", tool, turn, max_attempts=attempts)


def propose(exchange: Exchange, text: str = GOOD, id: str = "a", at: float = 10.0) -> object:
    """The model proposes this."""
    return exchange.receive(Proposed(ToolCall(id, "order", text), at))


def closed(ask: object) -> Close:
    """The end of it."""
    assert isinstance(ask, Close)
    return ask


def exchange_after(*texts: str) -> Exchange:
    """With these attempts behind it."""
    exchange = exchange_of()
    for text in texts:
        propose(exchange, text)
    return exchange
