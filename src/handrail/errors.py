"""Exceptions that a programmer may catch.

What a model, a human or a tool got wrong is a value, never an exception. These are for the
people who write the program around them::

    HandrailError
    ├── ContractError              a tool was declared wrongly; lists every fault
    ├── ProtocolError              somebody spoke out of turn
    ├── ConfigError                a setting is unknown, out of range, or needs an extra
    ├── StoreError                 the store cannot read or write; ``reason`` says why
    ├── ApprovalError              an approval cannot be used; ``reason`` says why
    └── SkeletonAccessForbidden    ``ctx.skeleton`` was read outside a skeleton tool
"""

from collections.abc import Sequence
from typing import Literal

__all__ = [
    "ApprovalError",
    "ConfigError",
    "ContractError",
    "HandrailError",
    "ProtocolError",
    "SkeletonAccessForbidden",
    "StoreError",
]

StoreReason = Literal["conflict", "cursor", "data", "failed"]
ApprovalReason = Literal["wrong_user", "used", "expired", "changed", "unknown"]


class HandrailError(Exception):
    """The root of everything that handrail raises on purpose."""


class ContractError(HandrailError):
    """A tool was declared wrongly.

    Attributes:
        tool: Name of the tool as declared.
        faults: Every fault found, one sentence each.
    """

    def __init__(self, tool: str, faults: Sequence[str]) -> None:
        self.tool = tool
        self.faults = tuple(faults)
        listed = "\n".join(f"  - {fault}" for fault in self.faults)
        super().__init__(f"tool {tool!r} cannot be declared:\n{listed}")


class ProtocolError(HandrailError):
    """Somebody spoke out of turn: the message names who was awaited and what may be said."""


class ConfigError(HandrailError):
    """A setting is unknown, out of range, or needs something that is not installed."""


class StoreError(HandrailError):
    """The store cannot read or write.

    Attributes:
        reason: ``conflict`` where somebody else changed the document meanwhile, ``cursor`` where
            a cursor is not one of this query, ``data`` where a value cannot be stored, else
            ``failed``.
    """

    def __init__(self, message: str, *, reason: StoreReason = "failed") -> None:
        self.reason: StoreReason = reason
        super().__init__(message)


class ApprovalError(HandrailError):
    """An approval cannot be used.

    Attributes:
        reason: ``wrong_user``, ``used``, ``expired``, ``changed`` or ``unknown``.
    """

    def __init__(self, reason: ApprovalReason, message: str) -> None:
        self.reason: ApprovalReason = reason
        super().__init__(message)


class SkeletonAccessForbidden(HandrailError):
    """``ctx.skeleton`` was read outside a skeleton tool (seed 002, V24).

    Skeleton data is for whoever chooses a tool. A handler fetches what it needs with
    ``ctx.store``, ``ctx.http`` or ``ctx.cache``.
    """
