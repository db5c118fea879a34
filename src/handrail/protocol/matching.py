"""Which call of a new message is a retry of which failed call.

Provider ids change with every reply, so a retry is known by its tool and by what it kept: the
values of the fields that were not at fault. Source: the contract `handrail/1`, section 6.
"""

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["likeness", "match"]

_Value = Mapping[str, Any]  # Any: JSON values


def likeness(failed: _Value | None, at_fault: frozenset[str], proposed: _Value | None) -> int:
    """How many top-level fields that were not at fault came back with equal values."""
    if failed is None or proposed is None:
        return 0
    return sum(
        1
        for name, value in failed.items()
        if name not in at_fault and name in proposed and proposed[name] == value
    )


def match(scores: Sequence[Sequence[int]]) -> list[int | None]:
    """For each call (column) the failed call (row) that it retries, or None.

    The likest pairs are joined first; of equals the earlier failed call and the earlier call.
    A failed call and a call are joined at most once; surplus calls stay alone.
    """
    columns = len(scores[0]) if scores else 0
    pairs = sorted(
        (-score, row, column)
        for row, line in enumerate(scores)
        for column, score in enumerate(line)
    )
    taken: set[int] = set()
    matched: list[int | None] = [None] * columns
    for _, row, column in pairs:
        if row not in taken and matched[column] is None:
            matched[column] = row
            taken.add(row)
    return matched
