"""What an exchange wants of a party, what a party may say, and the table that joins them.

A tool call waits for exactly one party at a time: the model (to propose or retry), the host
(to look something up), the human (to approve), the tool (to return), or nobody. That is its
state. `TURNS` says for each party what it may say, and who may be awaited next; the diagram in
``docs/states.md`` is drawn from it.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from handrail.contract.call import ActionType, Mend, ToolCall, ToolResult
from handrail.contract.failures import Failure
from handrail.contract.judge import Judgement
from handrail.contract.record import Record

__all__ = [
    "TURNS",
    "Answer",
    "Approved",
    "Ask",
    "AskHost",
    "AskHuman",
    "AskModel",
    "AskTool",
    "Cancelled",
    "Card",
    "CardItem",
    "Close",
    "Denied",
    "Edited",
    "Expired",
    "Fault",
    "GaveUp",
    "Looked",
    "Lost",
    "Party",
    "Proposed",
    "Raised",
    "Returned",
    "Started",
    "out_of_turn",
]


class Party(StrEnum):
    """Who is awaited."""

    MODEL = "model"
    HOST = "host"
    HUMAN = "human"
    TOOL = "tool"
    NOBODY = "nobody"


class CardItem(NamedTuple):
    """One call on a card.

    Attributes:
        tool: Name of the tool.
        description: What the tool does, in its author's words.
        action_type: ``read``, ``write`` or ``destructive``.
        arguments: Exactly what will run.
        effects: What it changes, as declared.
        hash: SHA-256 of the canonical arguments: what is approved.
        already_done: How often exactly this call already ran in the turn.
    """

    tool: str
    description: str
    action_type: ActionType
    arguments: Mapping[str, Any]  # Any: JSON values
    effects: tuple[str, ...]
    hash: str
    already_done: int


class Card(Record):
    """What a human is asked to decide.

    Attributes:
        id: Handle for approve, deny and edit.
        items: The calls, in order.
        user: Who may decide.
        expires_at: Seconds since the epoch.
        fingerprint: Hash of the tool's contract when the card was made.
    """

    id: str
    items: tuple[CardItem, ...]
    user: object = None
    expires_at: float = 0.0
    fingerprint: str = ""


class Fault(NamedTuple):
    """What went wrong outside the model's reach; the text is for the operator only.

    Attributes:
        kind: ``transient`` (timeout, connection), ``internal``, or another row of the table of
            results.
        reference: Handle under which the operator finds the details.
        detail: For the operator; never reaches the model.
        retry_after: Seconds to wait before the same call may be made again.
        failure: What it was found to amount to; None where only the kind is known.
    """

    kind: str
    reference: str
    detail: str
    retry_after: float | None = None
    failure: Failure | None = None

    @property
    def amounts_to(self) -> Failure:
        """What it amounts to, for its judgement."""
        if self.failure is not None:
            return self.failure
        code = "retry_after" if self.kind == "transient" else self.kind
        return Failure(code, self.retry_after)


class Proposed(NamedTuple):
    """The model proposes a call, for the first time or again."""

    call: ToolCall
    at: float
    finish_reason: str | None = None
    mends: tuple[Mend, ...] = ()


class GaveUp(NamedTuple):
    """The model went on without the call it was asked to correct."""

    at: float


class Looked(NamedTuple):
    """The host answers the lookups, one finding each (None, text, or issues)."""

    findings: tuple[object, ...]
    at: float


class Approved(NamedTuple):
    """The human allows exactly the arguments with this hash."""

    by: object
    hash: str
    at: float = 0.0
    fingerprint: str | None = None


class Edited(NamedTuple):
    """The human puts other arguments in place; they are judged again."""

    arguments: Mapping[str, Any]  # Any: JSON values
    by: object
    at: float = 0.0


class Denied(NamedTuple):
    """The human says no."""

    by: object
    reason: str = ""
    at: float = 0.0


class Expired(NamedTuple):
    """Nobody decided in time."""

    at: float


class Started(NamedTuple):
    """The tool has begun and will return later."""

    at: float


class Returned(NamedTuple):
    """The handler returned."""

    value: Any  # Any: whatever the handler returns
    at: float


class Raised(NamedTuple):
    """The handler raised."""

    fault: Fault
    at: float


class Lost(NamedTuple):
    """Whether the handler ran to its end is not known."""

    at: float


class Cancelled(NamedTuple):
    """The host withdrew the call."""

    at: float


Answer = (
    Proposed
    | GaveUp
    | Looked
    | Approved
    | Edited
    | Denied
    | Expired
    | Started
    | Returned
    | Raised
    | Lost
    | Cancelled
)


class AskModel(NamedTuple):
    """The model must correct the call; a passive host is given `result` meanwhile."""

    judgement: Judgement
    attempt: int
    max_attempts: int
    result: ToolResult


class AskHost(NamedTuple):
    """The host must run these lookups and answer with as many findings.

    Each lookup takes the argument object and may be async.
    """

    lookups: tuple[Callable[..., object], ...]
    arguments: Mapping[str, Any]  # Any: JSON values


class AskHuman(NamedTuple):
    """A human must decide; `result` tells the host that the call waits."""

    card: Card
    result: ToolResult


class AskTool(NamedTuple):
    """The handler must run, once, with these arguments.

    Attributes:
        call: The proposal that was accepted.
        arguments: The judged JSON value.
        prepared: The same as the contract's engine built it; None to build it now.
        attempt: Number of the accepted attempt.
        key: Stable over re-runs of this exchange.
        delay_s: Seconds to wait before it begins: a re-run after a transient failure.
    """

    call: ToolCall
    arguments: Mapping[str, Any]  # Any: JSON values
    prepared: Any  # Any: a model, keyword arguments or a plain dict
    attempt: int
    key: str
    delay_s: float = 0.0


class Close(NamedTuple):
    """Nobody is awaited any more."""

    result: ToolResult


Ask = AskModel | AskHost | AskHuman | AskTool | Close

_M, _H, _U, _T, _N = Party.MODEL, Party.HOST, Party.HUMAN, Party.TOOL, Party.NOBODY

TURNS: Mapping[Party, Mapping[type, frozenset[Party]]] = MappingProxyType(
    {
        _M: {
            Proposed: frozenset({_H, _M, _U, _T, _N}),
            GaveUp: frozenset({_N}),
            Cancelled: frozenset({_N}),
        },
        _H: {
            Looked: frozenset({_M, _U, _T, _N}),
            Cancelled: frozenset({_N}),
        },
        _U: {
            Approved: frozenset({_H, _T, _N}),
            Edited: frozenset({_M, _U, _N}),
            Denied: frozenset({_N}),
            Expired: frozenset({_N}),
            Cancelled: frozenset({_N}),
        },
        _T: {
            Started: frozenset({_T}),
            Returned: frozenset({_H, _T, _N}),
            Raised: frozenset({_T, _N}),
            Lost: frozenset({_N}),
            Cancelled: frozenset({_N}),
        },
        _N: {},
    }
)
"""Who is awaited -> what may be said -> who may be awaited next."""

AWAITED: Mapping[type, Party] = MappingProxyType(
    {AskModel: _M, AskHost: _H, AskHuman: _U, AskTool: _T, Close: _N}
)
"""Whom each ask waits for."""


def out_of_turn(waiting: Party, said: type, tool: str) -> str:
    """What is wrong with an answer of this type, and what may be said instead."""
    may = ", ".join(kind.__name__ for kind in TURNS[waiting]) or "nothing"
    return f"{said.__name__} is out of turn for {tool!r}: awaited is {waiting}, which may say {may}"
