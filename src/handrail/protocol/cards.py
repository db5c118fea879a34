"""What a person sees of a call that waits: exactly what would run, with its hash."""

from typing import Any

from handrail.contract.canonical import digest
from handrail.contract.tool import Tool
from handrail.protocol.asks import Card, CardItem

__all__ = ["card_of"]


def card_of(
    id: str,
    tool: Tool,
    value: Any,  # Any: the judged JSON object
    *,
    user: object,
    expires_at: float,
    already_done: int = 0,
) -> Card:
    """The card of one call.

    Args:
        id: Handle of the approval.
        tool: The contract.
        value: The judged arguments; the schema's defaults are shown too.
        user: Who may decide.
        expires_at: Seconds since the epoch.
        already_done: How often exactly this call already ran in the turn.
    """
    arguments = tool.completed(value)
    item = CardItem(
        tool.name,
        tool.description,
        tool.action_type,
        arguments,
        tuple(tool.effects),
        digest(arguments),
        already_done,
    )
    return Card(
        id=id, items=(item,), user=user, expires_at=expires_at, fingerprint=tool.fingerprint
    )
