"""How long rows are kept, and what of them is never written."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from handrail.contract.author import Broken, ask_author
from handrail.errors import ConfigError, StoreError
from handrail.protocol.rows import EntryRow

__all__ = [
    "KEEP_ALL",
    "Redact",
    "Retention",
    "from_json",
    "kept_copy",
    "kept_name",
    "redacted",
    "to_json",
]

logger = logging.getLogger("handrail.stores")

Redact = Callable[[EntryRow], Mapping[str, Any] | None]  # Any: JSON values
"""What of an entry is kept: the body to write in its place, or None to write no body."""

_NAME_BYTES = 500
"""Four names make a key, and an index of Postgres takes 2,704 bytes."""

_WITHHELD = {"withheld": "the redact rule failed"}


@dataclass(frozen=True, kw_only=True)
class Retention:
    """What is deleted by and by. None keeps everything.

    It covers entries of the journal, decided approvals, and counters that nobody touched. An
    intent whose outcome is not known, a pending approval, an event that is not delivered, a
    document and the ledger are never deleted by it.

    Attributes:
        keep_days: Days after which rows go.
        max_rows: Entries of the journal at most, counted now and then and by `prune`; the oldest
            go first.
    """

    keep_days: float | None = None
    max_rows: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("keep_days", self.keep_days), ("max_rows", self.max_rows)):
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if value is not None and not (number and value > 0):
                raise ConfigError(f"{name}={value!r} must be a number above 0, or None to keep all")
        if isinstance(self.max_rows, float):
            raise ConfigError(f"max_rows={self.max_rows!r} must be a whole number")

    def horizon(self, now: float) -> float | None:
        """The time before which rows go; None where time does not matter."""
        return None if self.keep_days is None else now - self.keep_days * 86_400


KEEP_ALL = Retention()


def redacted(redact: Redact | None, entries: Sequence[EntryRow]) -> Sequence[EntryRow]:
    """The entries as they are written. Where the rule raises, the body is withheld."""
    if redact is None:
        return entries
    return [entry._replace(body=_body(redact, entry)) for entry in entries]


def _body(redact: Redact, entry: EntryRow) -> Mapping[str, Any]:  # Any: JSON values
    said = ask_author(redact, entry)
    if isinstance(said, Broken):
        logger.error("The redact rule raised, so an entry was kept without its body: %s", said)
        return _WITHHELD
    if said is not None and not isinstance(said, Mapping):
        logger.error("The redact rule must return a mapping or None, not %s", type(said).__name__)
        return _WITHHELD
    return {} if said is None else said


def to_json(value: object, what: str) -> str:
    """A value as ASCII JSON text, which every database can hold and gives back unchanged.

    Raises:
        StoreError: It holds something that is not JSON; nothing was written.
    """
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":"), default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"{what} cannot be kept, since it is not JSON: {error}") from error


def _plain(value: object) -> dict[str, Any]:  # Any: JSON values
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON value")


def from_json(text: str) -> Any:  # Any: JSON value
    """The value of `to_json`."""
    return json.loads(text)


def kept_copy(value: Mapping[str, Any], what: str) -> dict[str, Any]:  # Any: JSON values
    """An object as it comes back from a store.

    Raises:
        StoreError: It holds something that is not JSON.
    """
    copy: dict[str, Any] = from_json(to_json(value, what))  # Any: JSON values
    return copy


def kept_name(name: str, what: str) -> str:
    """A name that rows are found by, as it is kept.

    Raises:
        StoreError: It is longer than 500 bytes, or holds a character that not every database can
            hold.
    """
    if len(name) > _NAME_BYTES or (not name.isascii() and len(_bytes(name)) > _NAME_BYTES):
        raise StoreError(
            f"{what} {name[:50]!r}… cannot be kept: it is longer than {_NAME_BYTES} bytes; give a "
            "hash of it instead"
        )
    if "\0" in name or not _encodable(name):
        raise StoreError(
            f"{what} {name!r} cannot be kept: leave out NUL characters and lone surrogates"
        )
    return name


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
