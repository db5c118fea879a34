"""A table in memory that can be put back as it was."""

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

__all__ = ["Table"]

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Table(Generic[K, V]):
    """Rows by key, in the order in which the keys were first put. Not thread-safe."""

    __slots__ = ("_before", "_put", "_rows")

    def __init__(self) -> None:
        self._rows: dict[K, tuple[int, V]] = {}
        self._before: dict[K, tuple[int, V] | None] = {}
        self._put = 0

    def get(self, key: K) -> V | None:
        """The row with this key."""
        kept = self._rows.get(key)
        return None if kept is None else kept[1]

    def put(self, key: K, row: V) -> V:
        """Add a row, or replace the one with this key."""
        kept = self._rows.get(key)
        self._before.setdefault(key, kept)
        if kept is None:
            self._put += 1
        self._rows[key] = (self._put if kept is None else kept[0], row)
        return row

    def drop(self, key: K) -> bool:
        """Remove a row; whether it was there."""
        kept = self._rows.pop(key, None)
        if kept is not None:
            self._before.setdefault(key, kept)
        return kept is not None

    def rows(self) -> Iterator[V]:
        """Every row, the oldest first."""
        return (row for _, row in self._rows.values())

    def items(self) -> Iterator[tuple[K, V]]:
        """Every key with its row, the oldest first."""
        return ((key, kept[1]) for key, kept in self._rows.items())

    def newest(self) -> V | None:
        """The row that was put last."""
        for _, row in reversed(self._rows.values()):
            return row
        return None

    def __len__(self) -> int:
        return len(self._rows)

    def keep(self) -> None:
        """What was done since the last `keep` can no longer be undone."""
        self._before.clear()

    def undo(self) -> None:
        """Everything is as it was at the last `keep`."""
        if not self._before:
            return
        for key, kept in self._before.items():
            if kept is None:
                self._rows.pop(key, None)
            else:
                self._rows[key] = kept
        self._before.clear()
        self._rows = dict(sorted(self._rows.items(), key=lambda item: item[1][0]))
