"""Which fields of an output identify a row, name it, or say that something went wrong.

By their names alone: outputs come from anywhere and rarely with a schema. A field that is taken
for an id is kept whole for every row, so a value that is too long to be one does not count.
"""

from collections.abc import Callable, Collection, Mapping
from enum import IntEnum

from handrail.contract.late import late

__all__ = ["Field", "fails", "field_kind", "is_id_value", "is_primary"]


class Field(IntEnum):
    """What a field is for, as far as its name says."""

    PLAIN = 0
    ID = 1
    NAME = 2
    TELLING = 3


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LONGEST_ID = 256

_PRIMARY = frozenset({"id", "_id", "ID", "Id", "uuid", "guid", "key", "sku", "isbn"})
_ID = late(
    r"(?:[_-](?:ids?|uuids?|guids?|keys?|sku)|[a-z0-9](?:Ids?|IDs?|Uuids?|UUIDs?|Keys?))$|^ids$"
)
_NAMES = _words(
    "name title label subject headline caption path file filename url uri href email username "
    "login symbol handle"
)
_NAME = late(r"(?:_(?:name|title|label|path|url|email)|[a-z](?:Name|Title|Label|Path|Url|URL))$")
_TELLING = _words(
    "valid success ok isError is_error error errors error_class error_code errorCode code "
    "message msg detail details hint hints suggestion suggestions issues problem problems "
    "reason status statusCode status_code returncode retry_after expected field allowed "
    "warning warnings Error exception"
)
_BAD_STATUS = frozenset({"error", "failed", "failure", "invalid"})


def _is_false(value: object) -> bool:
    return value is False


def _is_true(value: object) -> bool:
    return value is True


def _is_bad(value: object) -> bool:
    return isinstance(value, str) and value.lower() in _BAD_STATUS


_WRONG: Mapping[str, Callable[[object], bool]] = {
    "valid": _is_false,
    "success": _is_false,
    "ok": _is_false,
    "isError": _is_true,
    "is_error": _is_true,
    "error": bool,
    "errors": bool,
    "Error": bool,
    "exception": bool,
    "status": _is_bad,
}
_SIGNS = frozenset(_WRONG)


def field_kind(name: str, ids: Collection[str] = ()) -> Field:
    """What a field of this name is for; `ids` are names that a contract declares as ids."""
    if name in _PRIMARY or name in ids or _ID.search(name):
        return Field.ID
    if name in _TELLING:
        return Field.TELLING
    if name in _NAMES or _NAME.search(name):
        return Field.NAME
    return Field.PLAIN


def is_primary(name: str) -> bool:
    """Whether a field of this name is the object's own id, not that of another one."""
    return name in _PRIMARY


def is_id_value(value: object) -> bool:
    """Whether a value can be an id: a short text or a whole number."""
    kind = type(value)
    return 0 < len(str(value)) <= _LONGEST_ID if kind is str else kind is int


def fails(payload: Mapping[str, object]) -> bool:
    """Whether an object says of itself that something is wrong (seed 003).

    ``valid``, ``success`` or ``ok`` is false, ``isError`` is true, an ``error`` is there, or
    ``status`` names a failure.
    """
    if _SIGNS.isdisjoint(payload):
        return False
    return any(_WRONG[sign](payload[sign]) for sign in _SIGNS.intersection(payload))
