"""The calls of one model message, before and after they are placed in a turn."""

from typing import NamedTuple

from handrail.contract.call import Mend, ToolCall
from handrail.protocol.asks import Answer, Ask, Looked
from handrail.protocol.exchange import Exchange

__all__ = ["Incoming", "Slot"]


class Incoming(NamedTuple):
    """One call of a model message.

    Attributes:
        call: What the model proposed.
        finish_reason: Why the reply ended, for the call that it may have cut.
        chain: The host's own name of the logical call, where it has one.
        mends: What was read as a call though it was written otherwise.
    """

    call: ToolCall
    finish_reason: str | None = None
    chain: str | None = None
    mends: tuple[Mend, ...] = ()


class Slot:
    """One call of a step, and where it stands.

    Attributes:
        call: What the model proposed.
        exchange: The life of it; None for a tool that does not exist.
        ask: What is wanted next.
        twin: The slot whose result this one shares, for identical reads of one message.
        said: The latest answer that the exchange was given.
        looked: What the checks of its result found, where they had to be awaited.
        reused: Whether the result is another slot's.
        parked: Whether it was left to a human who decides later.
        began: Whether the handler was begun.
        edits: How often the human who was asked at once put other arguments in place.
    """

    __slots__ = (
        "ask",
        "began",
        "call",
        "edits",
        "exchange",
        "looked",
        "parked",
        "reused",
        "said",
        "twin",
    )

    def __init__(self, call: ToolCall, exchange: Exchange | None, ask: Ask | None) -> None:
        self.call = call
        self.exchange = exchange
        self.ask = ask
        self.twin: Slot | None = None
        self.said: Answer | None = None
        self.looked: Looked | None = None
        self.reused = False
        self.parked = False
        self.began = False
        self.edits = 0
