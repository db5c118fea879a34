"""Declarations that were refused, collected instead of raised while an extension is validated.

An author who imports the extension gets the first refusal as an exception, at its line. Whoever
validates it wants to read all of them at once, beside everything else that is wrong.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from handrail.errors import ContractError
from handrail.sdk.blame import Place

__all__ = ["Refusal", "collecting", "refuse"]


class Refusal(NamedTuple):
    """A declaration that was refused.

    Attributes:
        name: Name of the function.
        faults: One sentence each.
        place: The author's line.
    """

    name: str
    faults: tuple[str, ...]
    place: Place


_collected: ContextVar[list[Refusal] | None] = ContextVar("handrail_refusals", default=None)


@contextmanager
def collecting() -> Iterator[list[Refusal]]:
    """Within it refusals are put on the list and raise nothing."""
    refusals: list[Refusal] = []
    token = _collected.set(refusals)
    try:
        yield refusals
    finally:
        _collected.reset(token)


def refuse(error: ContractError, place: Place) -> None:
    """Raise, or put it on the list of who collects."""
    refusals = _collected.get()
    if refusals is None:
        raise error
    refusals.append(Refusal(error.tool, error.faults, place))
