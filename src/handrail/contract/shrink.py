"""A JSON value in less room: what must stay gets its floor, the rest is shared like water.

Every row and every field of a row is given the same share of what is left, and what one does not
need goes to the others; so many rows with a little of everything come before a few with all of
it. Nothing that held something is left empty: it is shortened, marked, or left out whole.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from handrail.contract.elide import LEFT_OUT, elide_quoted, gap, quoted_length
from handrail.contract.outline import GAP_ROOM, IDS, Entry, Outline
from handrail.contract.telling import Field

__all__ = ["NO_ROOM", "Form", "Shrink"]

Json = Any  # Any: JSON value

NO_ROOM: Final = object()
"""Nothing that could be told fits."""

_SMALL = 40
_LEAST_TEXT = 16
_LEAST_LIST = 32
_LEAST_OBJECT = 12
_USEFUL_SHARE = 24
_ROW_ROOM = 80
_WHOLE_ROW = 400


class Form(NamedTuple):
    """What must stay of a value.

    Attributes:
        level: Which floor holds: `IDS` or `NAMES`.
        first: Containers that lead to the entity whose own text comes first, itself last.
        verbatim: What the root tells of a failure, word for word.
        small: Single small values of the root, such as ``total`` and ``has_more``.
    """

    level: int
    first: tuple[int, ...]
    verbatim: bool = False
    small: bool = True


class Shrink:
    """Shrinks the value of one outline.

    Args:
        outline: The sizes.
        form: What must stay.

    Attributes:
        left_out: Names of the fields that are missing somewhere, in the order of being met.
    """

    def __init__(self, outline: Outline, form: Form) -> None:
        self._outline = outline
        self._level = form.level
        self._first = frozenset(form.first)
        self._entity = form.first[-1]
        self._root = form.first[0]
        self._form = form
        self.left_out: dict[str, None] = {}

    def least(self, value: Json) -> int:
        """Characters in which everything that must stay fits."""
        if type(value) is not dict:
            return self._outline.floor(value, self._level)
        return 1 + sum(self._floor(value, one) for one in self._outline.entries(value))

    def fit(self, value: Json, room: int) -> Json:
        """The value in at most about `room` characters; `NO_ROOM` if nothing of it fits."""
        if self._outline.size(value) <= room:
            return value
        if type(value) is str:
            return elide_quoted(value, room) if room >= _LEAST_TEXT else NO_ROOM
        if type(value) is dict:
            return self._object(value, room)
        if type(value) is list:
            return self._list(value, room)
        return NO_ROOM

    # objects

    def _object(self, node: dict[str, Json], room: int) -> Json:
        entries = self._outline.entries(node)
        floors = [self._floor(node, one) for one in entries]
        rooms = dict(enumerate(floors))
        if sum(floors) > room - 1:
            rooms = dict(enumerate(_even(floors, room - 1)))
            rooms |= {n: 0 for n, one in enumerate(entries) if rooms[n] < _least(one)}
        spare = room - 1 - sum(rooms.values())
        if spare > 0:
            for group in self._groups(node, entries):
                spare -= self._share(entries, rooms, group, spare)
        made = {}
        for number, one in enumerate(entries):
            fitted = self._entry(one, rooms[number] - one.overhead, floors[number])
            if fitted is NO_ROOM:
                self.left_out[one.key] = None
            else:
                made[one.key] = fitted
        return made or NO_ROOM

    def _entry(self, one: Entry, room: int, floor: int) -> Json:
        if room >= one.size:
            return one.value
        if one.kind is Field.ID and type(one.value) not in (dict, list):
            return NO_ROOM  # half an id is another one
        least = min(floor - one.overhead, _LEAST_OBJECT) if floor else _LEAST_OBJECT
        fitted = self.fit(one.value, room) if room >= least else NO_ROOM
        if fitted is NO_ROOM and floor and room >= quoted_length(LEFT_OUT):
            return LEFT_OUT
        return fitted

    def _floor(self, node: dict[str, Json], one: Entry) -> int:
        if id(node) == self._root:
            if self._form.verbatim and one.kind is Field.TELLING:
                return one.overhead + one.size
            if self._form.small and one.size <= _SMALL and type(one.value) not in (dict, list):
                return one.overhead + one.size
        return one.ids if self._level == IDS else one.names

    def _groups(self, node: dict[str, Json], entries: list[Entry]) -> list[list[int]]:
        """Places of the fields, in the order in which they are served."""
        ranks = [self._rank(node, one) for one in entries]
        return [[n for n, one in enumerate(ranks) if one == rank] for rank in sorted({*ranks})]

    def _rank(self, node: dict[str, Json], one: Entry) -> int:
        """What leads to the entity first, then names, then the rest; of the entity, rows last."""
        if id(one.value) in self._first:
            return 0
        if one.kind is Field.NAME and type(one.value) is str:
            return 1
        if id(node) == self._entity and _has_rows(one.value):
            return 3
        return 2

    def _share(
        self, entries: list[Entry], rooms: dict[int, int], group: list[int], spare: int
    ) -> int:
        """Give the fields of a group what they need, or equal shares; what was given."""
        needs = {n: entries[n].overhead + entries[n].size - rooms[n] for n in group}
        served = [n for n in group if needs[n] > 0]
        while served:
            shares = dict(zip(served, _even([needs[n] for n in served], spare), strict=True))
            hopeless = [
                n
                for n in served
                if shares[n] < needs[n] and rooms[n] + shares[n] < _least(entries[n])
            ]
            if not hopeless:
                for n in served:
                    rooms[n] += shares[n]
                return sum(shares.values())
            hopeless.sort(key=needs.__getitem__)
            dropped = set(hopeless[len(hopeless) // 2 :])
            served = [n for n in served if n not in dropped]
        return 0

    # lists

    def _list(self, node: list[Json], room: int) -> Json:
        if len(node) == 1:
            fitted = self.fit(node[0], room - 2)
            return self._only_gap(1, room) if fitted is NO_ROOM else [fitted]
        floors = [self._outline.floor(item, self._level) for item in node]
        if not any(floors):
            return self._rows_without_ids(node, room)
        loose = GAP_ROOM if 0 in floors else 0
        if sum(one + 1 for one in floors if one) + 1 + loose <= room:
            return self._filled(node, range(len(node)), floors, room)
        kept = _ends([one + 1 for one in floors], room - 1 - GAP_ROOM)
        if not kept:
            kept, floors[0] = [0], max(0, room - 2 - GAP_ROOM)
        return self._filled(node, kept, floors, room)

    def _filled(self, node: list[Json], kept: Sequence[int], floors: list[int], room: int) -> Json:
        """These items, each with its floor and its share, and one mark for all the others."""
        spare = room - 1 - GAP_ROOM - sum(floors[n] + 1 for n in kept)
        needs = [self._outline.size(node[n]) - floors[n] for n in kept]
        shares = self._item_shares(node, kept, needs, max(0, spare))
        items: list[Json] = []
        last, missing, place = -1, 0, None
        for n, share in zip(kept, shares, strict=True):
            if n > last + 1:
                missing, place = missing + n - last - 1, len(items) if place is None else place
            last = n
            fitted = self.fit(node[n], floors[n] + share)
            if fitted is NO_ROOM:
                missing, place = missing + 1, len(items) if place is None else place
            else:
                items.append(fitted)
        missing += len(node) - 1 - last
        if missing:
            items.insert(len(items) if place is None else place, gap(missing, "items"))
        return items if len(items) > 1 or not missing else self._only_gap(missing, room)

    def _item_shares(
        self, node: list[Json], kept: Sequence[int], needs: list[int], spare: int
    ) -> list[int]:
        first = [place for place, n in enumerate(kept) if id(node[n]) in self._first]
        shares = [0] * len(needs)
        for place in first:
            shares[place] = min(needs[place], spare)
            spare -= shares[place]
            needs[place] = 0
        for place, share in enumerate(_even(needs, spare, least=_USEFUL_SHARE)):
            shares[place] += share
        return shares

    def _rows_without_ids(self, node: list[Json], room: int) -> Json:
        sizes = [self._outline.size(item) + 1 for item in node]
        whole = _ends(sizes, room - 1 - GAP_ROOM)
        wanted = min(len(node), max(1, room // _ROW_ROOM))
        if len(whole) >= wanted or not any(map(_shortens, node)):
            kept = whole
        else:
            kept = _ends([1] * len(node), wanted)
        return self._filled(node, kept, [0] * len(node), room)

    def _only_gap(self, missing: int, room: int) -> Json:
        mark = gap(missing, "items")
        return [mark] if quoted_length(mark) + 2 <= room else NO_ROOM


def _even(needs: Sequence[int], spare: int, *, least: int = 0) -> list[int]:
    """Shares of what is spare: each what it needs, or the same as all others that need more.

    Where that would be less than `least`, the ends are served first and the middle gets nothing.
    """
    if sum(needs) <= spare:
        return list(needs)
    share, left, count = 0, spare, len(needs)
    for need in sorted(needs):
        share = left // count
        if need > share:
            break
        left, count = left - need, count - 1
    if share >= least:
        return [min(need, share) for need in needs]
    return _served(needs, spare)


def _served(needs: Sequence[int], spare: int) -> list[int]:
    shares = [0] * len(needs)
    for place in _alternating(len(needs)):
        shares[place] = min(needs[place], _WHOLE_ROW, spare)
        spare -= shares[place]
        if spare <= 0:
            break
    return shares


def _ends(sizes: Sequence[int], room: int) -> list[int]:
    """Places from both ends whose sizes fit, in order."""
    kept = []
    for place in _alternating(len(sizes)):
        room -= sizes[place]
        if room < 0:
            break
        kept.append(place)
    return sorted(kept)


def _alternating(count: int) -> list[int]:
    """First, last, second, last but one ..."""
    return [n // 2 if n % 2 == 0 else count - 1 - n // 2 for n in range(count)]


def _least(one: Entry) -> int:
    """Below so many characters a field is left out rather than shortened."""
    value = one.value
    if type(value) is str and one.kind is not Field.ID:
        return one.overhead + min(one.size, _LEAST_TEXT)
    if type(value) is list:
        return one.overhead + min(one.size, _LEAST_LIST)
    return one.overhead + (min(one.size, _LEAST_OBJECT) if type(value) is dict else one.size)


def _has_rows(value: Json) -> bool:
    return type(value) is list and any(type(item) in (dict, list) for item in value)


def _shortens(value: Json) -> bool:
    return type(value) in (dict, list) or (type(value) is str and len(value) > _ROW_ROOM)
