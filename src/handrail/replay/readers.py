"""A row of a log -> calls: the shape is told by what the row holds, row by row.

Understood are one call, a definition of a tool, a request with its reply, a reply alone, a
conversation (a list of messages, or an object with ``messages``), and lists of all these.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from handrail.contract.preview import word
from handrail.replay.conversations import is_message, read_conversation
from handrail.replay.definitions import definitions_in, is_definition
from handrail.replay.files import Log, Row, rows
from handrail.replay.plain_calls import is_call, read_call
from handrail.replay.records import Item, Place, Unreadable
from handrail.replay.request_logs import Offers, is_exchange, read_exchange
from handrail.wire.registry import recognise

__all__ = ["Reader", "read_log", "read_schemas"]

Object = Mapping[str, Any]  # Any: JSON values

_ADVICE = (
    'understood are {"tool", "arguments"}, {"request", "response"}, {"messages": [...]} '
    'and definitions {"name", "parameters"}'
)
_DEEPEST = 4
_SHOWN_KEYS = 8


class Reader:
    """Reads rows.

    Args:
        schemas: Gives the tools that are known apart from the row, when they are needed.
    """

    def __init__(self, schemas: Callable[[], Mapping[str, Any]]) -> None:  # Any: JSON Schema
        self._schemas = schemas
        self._offers = Offers()

    def read(self, value: object, place: Place, depth: int = 0) -> Iterator[Item]:
        """Whatever a value holds, in order; never raises for what a log holds."""
        if isinstance(value, list) and depth < _DEEPEST:
            yield from self._list(value, place, depth)
        elif isinstance(value, Mapping):
            yield from self._object(value, place, depth)
        else:
            kind = {"str": "text", "NoneType": "null"}.get(type(value).__name__, "a number")
            kind = "a list" if isinstance(value, list) else kind
            yield Unreadable(place, f"the row is {kind}, not a recorded call", _ADVICE)

    def _list(self, value: list[Any], place: Place, depth: int) -> Iterator[Item]:
        # Any: JSON values
        if value and is_message(value[0]):
            yield from self._conversation(value, place, {})
            return
        for entry in value:
            yield from self.read(entry, place, depth + 1)

    def _object(self, row: Object, place: Place, depth: int) -> Iterator[Item]:
        if is_exchange(row):
            yield from read_exchange(row, place, self._offers, self._schemas())
        elif isinstance(row.get("messages"), list):
            yield from self._conversation(row["messages"], place, row)
        elif is_definition(row):
            yield from definitions_in(row, place)
        elif is_call(row):
            yield read_call(row, place)
        elif is_message(row) and "stop_reason" not in row:
            yield from self._conversation([row], place, {})
        elif isinstance(row.get("turns"), list):
            yield from self._conversation([_said(one) for one in row["turns"]], place, row)
        elif recognise(row) is not None:
            yield from read_exchange({"response": row}, place, self._offers, self._schemas())
        else:
            yield from self._wrapped(row, place, depth)

    def _wrapped(self, row: Object, place: Place, depth: int) -> Iterator[Item]:
        """An object around lists of definitions and rows."""
        listed = [key for key in ("tools", "schemas") if isinstance(row.get(key), list)]
        inner = [
            row[key]
            for key in ("calls", "rows", "conversations", "data", "logs")
            if isinstance(row.get(key), list)
        ]
        if (not listed and not inner) or depth >= _DEEPEST:
            keys = ", ".join(word(key, 40) for key in list(row)[:_SHOWN_KEYS])
            problem = f"the row has the keys {keys or '(none)'}, and is no recorded call"
            yield Unreadable(place, problem, _ADVICE)
            return
        for key in listed:
            yield from definitions_in(row[key], place)
        for value in inner:
            yield from self._list(value, place, depth + 1)

    def _conversation(
        self, messages: list[Any], place: Place, row: Object
    ) -> Iterator[Item]:  # Any: JSON values
        offer, faults = self._offers.of(row, place)
        yield from faults
        yield from read_conversation(messages, place, row, offer, self._schemas())


def read_log(log: Log, reader: Reader) -> Iterator[Item]:
    """Everything that a log holds, in order."""
    for row in rows(log):
        if isinstance(row, Row):
            yield from reader.read(row.value, Place(log.name, row.line))
        else:
            yield row


def read_schemas(log: Log) -> Iterator[Item]:
    """The definitions of a schema file."""
    for row in rows(log):
        if isinstance(row, Row):
            yield from definitions_in(row.value, Place(log.name, row.line))
        else:
            yield row


def _said(turn: object) -> object:
    """What a model said, as a message."""
    if isinstance(turn, Mapping) and "role" not in turn:
        return {"role": "assistant", **turn}
    return turn
