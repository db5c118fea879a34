"""Which documents a query means, and in which order: the same for every store."""

import base64
import json
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from handrail.contract.canonical import digest
from handrail.errors import ConfigError, StoreError

__all__ = ["Key", "Order", "matches", "read_cursor", "written_cursor"]

Json = Mapping[str, Any]  # Any: JSON values
Key = list[Any]  # Any: JSON values that sort

_ABSENT = object()


def matches(data: Json, where: Json | None) -> bool:
    """Whether all conditions hold for a document.

    Raises:
        ConfigError: An operator is unknown.
    """
    return all(_holds(_at(data, name), wanted) for name, wanted in (where or {}).items())


def _at(data: Any, name: str) -> Any:  # Any: JSON values
    if isinstance(data, Mapping) and name in data:
        return data[name]
    for part in name.split("."):
        if not isinstance(data, Mapping) or part not in data:
            return _ABSENT
        data = data[part]
    return data


def _holds(value: Any, wanted: Any) -> bool:  # Any: JSON values
    if isinstance(wanted, Mapping) and wanted and all(str(key)[:1] == "$" for key in wanted):
        return all(_compared(value, key, operand) for key, operand in wanted.items())
    return _equal(value, wanted)


def _equal(value: Any, wanted: Any) -> bool:  # Any: JSON values
    if value is _ABSENT:
        return wanted is None
    if not (_is_number(value) and _is_number(wanted)) and type(value) is not type(wanted):
        return False
    return bool(value == wanted)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_ORDERED: Mapping[str, Callable[[Any, Any], bool]] = {  # Any: numbers or texts
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
_KNOWN = ("$ne", "$in", *_ORDERED, "$contains", "$exists")


def _compared(value: Any, name: str, operand: Any) -> bool:  # Any: JSON values
    if name in _ORDERED:
        alike = _is_number(value) and _is_number(operand)
        alike = alike or (isinstance(value, str) and isinstance(operand, str))
        return alike and _ORDERED[name](value, operand)
    if name == "$ne":
        return not _equal(value, operand)
    if name == "$in":
        return any(_equal(value, item) for item in operand)
    if name == "$exists":
        return (value is not _ABSENT) is bool(operand)
    if name == "$contains":
        if isinstance(value, str):
            return isinstance(operand, str) and operand.casefold() in value.casefold()
        return isinstance(value, list) and any(_equal(item, operand) for item in value)
    raise ConfigError(f"where: {name!r} is no operator; known are {', '.join(_KNOWN)}")


class Order:
    """The order of a query.

    Args:
        order_by: Field, or several; a minus before a name turns it round.
    """

    def __init__(self, order_by: str | Sequence[str] | None) -> None:
        names = [order_by] if isinstance(order_by, str) else list(order_by or ())
        self._fields = [(name.removeprefix("-"), name.startswith("-")) for name in names]

    def key(self, data: Json, number: int) -> Key:
        """What a document sorts by: JSON, so that a cursor can hold it.

        Args:
            data: The document.
            number: Its place in the order of creation.
        """
        return [*(_sortable(_at(data, name)) for name, _ in self._fields), number]

    def before(self, one: Key, other: Key) -> int:
        """Below zero where the one comes first, above zero where the other does."""
        for (_, is_turned), left, right in zip(self._fields, one, other, strict=False):
            if left != right:
                return (-1 if left < right else 1) * (-1 if is_turned else 1)
        return int(one[-1]) - int(other[-1])


def _sortable(value: Any) -> Key:  # Any: JSON values
    """Kinds one after the other, each in its own order; what is absent comes last."""
    if value is _ABSENT or value is None:
        return [4, 0]
    if isinstance(value, bool):
        return [0, int(value)]
    if isinstance(value, int | float):
        return [1, value]
    if isinstance(value, str):
        return [2, value]
    return [3, json.dumps(value, sort_keys=True, ensure_ascii=False)]


def written_cursor(key: Key, query: object) -> str:
    """A cursor that stands behind a document.

    Args:
        key: Its `Order.key`.
        query: What the cursor belongs to, as JSON values.
    """
    text = json.dumps([digest(query)[:16], key], ensure_ascii=False)
    return base64.urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")


def read_cursor(cursor: str, query: object) -> Key:
    """The key behind which a page begins.

    Raises:
        StoreError: It is no cursor, or that of another query.
    """
    try:
        text = base64.urlsafe_b64decode(cursor.encode("ascii")).decode("utf-8", "surrogatepass")
        stamp, key = json.loads(text)
    except (ValueError, TypeError, AttributeError) as error:
        raise StoreError("the cursor is not one of this store", reason="cursor") from error
    if stamp != digest(query)[:16]:
        raise StoreError("the cursor belongs to another query", reason="cursor")
    return list(key)
