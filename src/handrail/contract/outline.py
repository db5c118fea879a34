"""How much room each part of an output takes, and the least that must be left of it.

One walk over the whole: for every object and list its size as JSON, and two floors. The lower
floor holds the ids of all rows, with the structure around them; the higher one their names too.
`handrail.contract.shrink` then divides the room. Sizes are characters of compact JSON.
"""

from collections.abc import Collection, Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any, NamedTuple

from handrail.contract.elide import LEFT_OUT
from handrail.contract.telling import Field, fails, field_kind, is_id_value, is_primary

__all__ = ["GAP_ROOM", "IDS", "NAMES", "Entry", "Outline", "Sizes"]

Json = Any  # Any: JSON value

IDS, NAMES = 1, 2
"""Which floor: the places of `Sizes` beside the full size."""

GAP_ROOM = 36
"""Characters of the mark of a gap in a list, with its quotes and comma."""

_PLACEHOLDER = len(LEFT_OUT) + 2
_LONGEST_NAME = 122
_LONGEST_TELLING = 202
_FEWEST_OF_A_MAP = 8
_MAX_DEPTH = 100
_NOTHING = (0, 0)
_PLAIN, _ID, _TELLING = Field.PLAIN, Field.ID, Field.TELLING

_SURELY_ID = 250
"""Characters up to which a text is short enough for an id, however it is escaped."""

_LONG = 4_000
"""Characters from which a text's size is remembered rather than counted again."""

_Sizes = tuple[int, int, int]


class Sizes(NamedTuple):
    """Characters of one object or list: in full, with all ids, with all ids and names."""

    full: int
    ids: int
    names: int


class Entry(NamedTuple):
    """One field of an object.

    Attributes:
        key: Its name.
        value: Its value.
        kind: What it is for.
        overhead: Characters of the name, the colon and the comma.
        size: Characters of the value.
        ids: Least characters of the whole entry, with all ids; 0 if it may be left out.
        names: The same with names.
    """

    key: str
    value: Json
    kind: Field
    overhead: int
    size: int
    ids: int
    names: int


class Outline:
    """The sizes of an output.

    Args:
        value: A JSON value that stays as it is while this is used.
        wanted: Values that the arguments of the call hold, by field: `inspected` is found by them.
        ids: Names of fields that the contract declares as ids.
    """

    def __init__(
        self, value: Json, wanted: Mapping[str, Collection[str]], ids: Collection[str] = ()
    ) -> None:
        self._ids = frozenset(ids)
        self._wanted = wanted
        self._values = {one for values in wanted.values() for one in values}
        self._keys: dict[str, tuple[int, Field]] = {}
        self._sizes: dict[int, _Sizes] = {}
        self._long: dict[int, int] = {}
        self._matches: list[tuple[int, tuple[int, ...]]] = []
        self._path: list[int] = []
        self.root = self._measured(value)

    def size(self, value: Json) -> int:
        """Characters of a value as JSON."""
        if type(value) is dict or type(value) is list:
            return self._sizes[id(value)][0]
        return self._long.get(id(value)) or _scalar_size(value)

    def floor(self, value: Json, level: int) -> int:
        """The least characters of an object or list; 0 for a value that holds no id."""
        if type(value) is dict or type(value) is list:
            return self._sizes[id(value)][level]
        return 0

    @property
    def inspected(self) -> tuple[int, ...]:
        """Identities of the containers that lead to the inspected entity, itself last.

        The entity is the one object that carries an id out of the arguments; empty if there is
        none, or more than one on the same level.
        """
        best = min(((rank, len(path)) for rank, path in self._matches), default=None)
        found = {path for rank, path in self._matches if (rank, len(path)) == best}
        return found.pop() if len(found) == 1 else ()

    def entries(self, node: dict[str, Json]) -> list[Entry]:
        """The fields of an object, with what each must keep."""
        failing, is_map = fails(node), _is_map(node)
        return [self._entry(key, value, failing, is_map) for key, value in node.items()]

    def _entry(self, key: str, value: Json, failing: bool, is_map: bool) -> Entry:
        overhead, kind = self._keys[key]
        if type(value) is dict or type(value) is list:
            size, ids, names = self._sizes[id(value)]
        else:
            size, ids, names = self.size(value), 0, 0
        ids, names = _floors(kind, value, size, (ids, names), failing, is_map)
        low, high = ids and ids + overhead, names and names + overhead
        return Entry(key, value, kind, overhead, size, low, high)

    def _measured(self, node: Json) -> Sizes:
        if type(node) is dict:
            return Sizes(*self._object(node, 0))
        if type(node) is list:
            return Sizes(*self._list(node, 0))
        return Sizes(_scalar_size(node), 0, 0)

    def _object(self, node: dict[str, Json], depth: int) -> _Sizes:
        """Sizes of an object; the plain cases stand first, since nearly all fields are plain."""
        self._enter(node, depth)
        full = low = high = 0
        failing, is_map = None, len(node) >= _FEWEST_OF_A_MAP and _is_map(node)
        keys = self._keys
        for key, value in node.items():
            overhead, kind = keys.get(key) or self._known(key)
            kept: Sequence[int] = _NOTHING
            kind_of_value = type(value)
            if kind_of_value is str:
                size = len(encode_basestring(value))
                if size > _LONG:
                    self._long[id(value)] = size
            elif kind_of_value is dict:
                size, *kept = self._object(value, depth + 1)
            elif kind_of_value is list:
                size, *kept = self._list(value, depth + 1)
            else:
                size = 4 if value is None else len(repr(value))
            full += overhead + size
            if kind is _PLAIN and kept is _NOTHING:
                continue
            if kind is _ID:
                if self._values:
                    self._compare(key, value)
                if kind_of_value is str and size <= _SURELY_ID:
                    low += overhead + size
                    high += overhead + size
                    continue
            elif kind is _TELLING and failing is None:
                failing = fails(node)
            ids, names = _floors(kind, value, size, kept, bool(failing), is_map)
            if names:
                low += ids and ids + overhead
                high += names + overhead
        return self._left(node, (max(2, full + 1), low and low + 1, high and high + 1))

    def _list(self, node: list[Json], depth: int) -> _Sizes:
        self._enter(node, depth)
        full = low = high = loose = 0
        for value in node:
            if type(value) is dict:
                size, ids, names = self._object(value, depth + 1)
            elif type(value) is list:
                size, ids, names = self._list(value, depth + 1)
            else:
                size, ids, names = _scalar_size(value), 0, 0
            full += size + 1
            low += ids and ids + 1
            high += names and names + 1
            loose += not ids
        mark = GAP_ROOM if loose else 0
        low, high = low and low + 1 + mark, high and high + 1 + mark
        return self._left(node, (max(2, full + 1), low, high))

    def _enter(self, node: Json, depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise RecursionError
        if self._values:
            self._path.append(id(node))

    def _left(self, node: Json, sizes: _Sizes) -> _Sizes:
        if self._values:
            self._path.pop()
        self._sizes[id(node)] = sizes
        return sizes

    def _known(self, key: str) -> tuple[int, Field]:
        known = (len(encode_basestring(key)) + 2, field_kind(key, self._ids))
        self._keys[key] = known
        return known

    def _compare(self, key: str, value: Json) -> None:
        if is_id_value(value) and str(value) in self._values:
            own = is_primary(key) or str(value) in self._wanted.get(key, ())
            self._matches.append((0 if own else 1, tuple(self._path)))


def _floors(
    kind: Field, value: Json, size: int, kept: Sequence[int], failing: bool, is_map: bool
) -> tuple[int, int]:
    """The least characters of a field's value: with ids, and with names too."""
    low, high = kept
    if kind is Field.ID and _identifies(value):
        return size, size
    if kind is Field.TELLING and failing and value is not None:
        least = size if size <= _LONGEST_TELLING else max(low, _LONGEST_TELLING)
        return least, max(least, high)
    if is_map:
        return max(low, _PLACEHOLDER), max(high, _PLACEHOLDER)
    if kind is Field.NAME and type(value) is str:
        return low, min(size, _LONGEST_NAME)
    return low, high


def _identifies(value: Json) -> bool:
    if type(value) is list:
        return bool(value) and all(map(is_id_value, value))
    return is_id_value(value)


def _is_map(node: dict[str, Json]) -> bool:
    """Whether the keys of an object are ids themselves: many, and every value is an object."""
    if len(node) < _FEWEST_OF_A_MAP:
        return False
    return all(type(value) is dict for value in node.values())


def _scalar_size(value: Json) -> int:
    if type(value) is str:
        return len(encode_basestring(value))
    return 4 if value is None else len(repr(value))
