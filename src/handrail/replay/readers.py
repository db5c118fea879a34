"""A row of a log -> calls: the shape is told by what the row holds, row by row.

Understood are one call, a definition of a tool, a request with its reply, a reply alone, a
conversation (a list of messages, or an object with ``messages``), a row of a tracing export
(OpenTelemetry, LangSmith, Langfuse), a JSON-RPC message of MCP, and lists of all these.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from handrail.contract.preview import word
from handrail.replay.conversations import is_message, message_list, read_conversation
from handrail.replay.definitions import definitions_in, is_definition
from handrail.replay.files import Log, Row, rows
from handrail.replay.langfuse import is_observation, is_trace, read_observation, read_trace
from handrail.replay.langsmith import is_run, read_run
from handrail.replay.mcp_logs import Connections, is_mcp
from handrail.replay.otlp import is_telemetry
from handrail.replay.plain_calls import is_call, read_call
from handrail.replay.records import Item, Place, Unreadable
from handrail.replay.request_logs import Offers, is_exchange, read_exchange
from handrail.replay.streams import is_stream
from handrail.replay.telemetry import read_telemetry
from handrail.replay.threads import Execution, Threads
from handrail.wire.registry import recognise

__all__ = ["Reader", "read_log", "read_schemas"]

Object = Mapping[str, Any]  # Any: JSON values
Part = Object | Execution | Unreadable

_ADVICE = (
    'understood are {"tool", "arguments"}, {"request", "response"}, {"messages": [...]}, '
    'definitions {"name", "parameters"}, and exports of OpenTelemetry, LangSmith and Langfuse'
)
_ADVICE_TOOL = 'write the name of the tool as text, or leave "tool" out of rows that are no calls'
_INNER = ("calls", "rows", "conversations", "data", "logs", "runs", "traces")
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
        self._threads = Threads()
        self._connections = Connections()

    def rest(self) -> Iterator[Item]:
        """What waited for later rows: tools that were run, without a reply that called them."""
        yield from self._threads.rest()

    def read(self, value: object, place: Place, depth: int = 0) -> Iterator[Item]:
        """Whatever a value holds, in order; never raises for what a log holds."""
        if isinstance(value, list) and depth < _DEEPEST:
            yield from self._list(value, place, depth)
        elif isinstance(value, Mapping):
            yield from self._object(value, place, depth)
        else:
            yield Unreadable(place, f"the row is {_kind(value)}, not a recorded call", _ADVICE)

    def _list(self, value: list[Any], place: Place, depth: int) -> Iterator[Item]:
        # Any: JSON values
        if value and is_message(value[0]):
            yield from self._conversation(value, place, {})
            return
        if is_stream(value):
            yield from self._part({"response": value}, place)
            return
        for entry in value:
            yield from self.read(entry, place, depth + 1)

    def _object(self, row: Object, place: Place, depth: int) -> Iterator[Item]:
        exported = _exported(row, place)
        if exported is not None:
            for part in exported:
                yield from self._part(part, place)
        elif is_mcp(row):
            yield from self._connections.read(row, place)
        elif is_exchange(row):
            yield from self._part(row, place)
        elif isinstance(row.get("messages"), list):
            yield from self._conversation(row["messages"], place, row)
        elif is_definition(row):
            yield from definitions_in(row, place)
        elif is_call(row):
            yield read_call(row, place)
        elif (listed := message_list(row)) is not None:
            yield from self._conversation(listed, place, row)
        elif is_message(row) and "stop_reason" not in row:
            yield from self._conversation([row], place, {})
        elif isinstance(row.get("turns"), list):
            yield from self._conversation([_said(one) for one in row["turns"]], place, row)
        elif recognise(row) is not None:
            yield from self._part({"response": row}, place)
        else:
            yield from self._wrapped(row, place, depth)

    def _part(self, part: Part, place: Place) -> Iterator[Item]:
        if isinstance(part, Unreadable):
            yield part
        elif isinstance(part, Execution):
            yield from self._threads.executed(part)
        else:
            schemas = self._schemas()
            yield from read_exchange(part, place, self._offers, schemas, self._threads)

    def _wrapped(self, row: Object, place: Place, depth: int) -> Iterator[Item]:
        """An object around lists of definitions and rows."""
        listed = [key for key in ("tools", "schemas") if isinstance(row.get(key), list)]
        inner = [row[key] for key in _INNER if isinstance(row.get(key), list)]
        if (not listed and not inner) or depth >= _DEEPEST:
            if "tool" in row:
                found = _kind(row["tool"])
                yield Unreadable(place, f'"tool" must be text, got {found}', _ADVICE_TOOL)
                return
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
        named = self._threads.begun(place)
        yield from read_conversation(messages, place, row, offer, self._schemas(), named)


def read_log(log: Log, reader: Reader) -> Iterator[Item]:
    """Everything that a log holds, in order; after the last one comes `Reader.rest`."""
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


def _exported(row: Object, place: Place) -> Iterator[Part] | None:
    """What a row of a tracing export holds; None if it is none."""
    if is_run(row):
        return read_run(row, place)
    if is_observation(row):
        return read_observation(row, place)
    if is_trace(row):
        return read_trace(row, place)
    return read_telemetry(row, place) if is_telemetry(row) else None


def _kind(value: object) -> str:
    """What a value is, in words."""
    if isinstance(value, bool):
        return "true" if value else "false"
    kinds = {"str": "an empty text" if value == "" else "text", "NoneType": "null"}
    kinds |= {"list": "a list", "dict": "an object"}
    return kinds.get(type(value).__name__, "a number")


def _said(turn: object) -> object:
    """What a model said, as a message."""
    if isinstance(turn, Mapping) and "role" not in turn:
        return {"role": "assistant", **turn}
    return turn
