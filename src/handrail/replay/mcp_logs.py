"""Logs of an MCP connection: JSON-RPC messages, one a row, or a request with its response.

A ``tools/call`` request is a call, its response is the result, and the result of ``tools/list``
defines tools. What else is said on a connection is passed over.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from handrail.replay.definitions import definitions_in
from handrail.replay.plain_calls import conversation_of
from handrail.replay.records import Answered, Definition, Place, Recorded, Unreadable
from handrail.wire.mcp import read_messages
from handrail.wire.shapes import ResultDict

__all__ = ["Connections", "is_mcp"]

Object = Mapping[str, Any]  # Any: JSON values

_ADVICE = "correct the request; the other messages were read"
_METHODS = ("tools/call", "tools/list")
_OPEN = 4_096


def is_mcp(row: Object) -> bool:
    """Whether a row is a JSON-RPC message, or an MCP request with its response."""
    request = row.get("request")
    if isinstance(request, Mapping):
        return request.get("method") in _METHODS
    return row.get("jsonrpc") == "2.0" or row.get("method") in _METHODS


class Connections:
    """The requests of a log that have no response yet."""

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[str | None, str], Object] = OrderedDict()

    def read(
        self, row: Object, place: Place
    ) -> Iterator[Recorded | Answered | Definition | Unreadable]:
        """The call, result or definitions of a row."""
        request = row.get("request")
        message = _response(row, request) if isinstance(request, Mapping) else row
        result = message.get("result")
        if isinstance(result, Mapping) and isinstance(result.get("tools"), list):
            yield from definitions_in(result["tools"], place)
        elif isinstance(request, Mapping):
            yield from self._call(request, message, place, conversation_of(row))
        elif row.get("method") == "tools/call":
            yield from self._call(row, None, place, conversation_of(row))
        elif "result" in row or "error" in row:
            yield from self._answer(row, place)

    def _call(
        self, request: Object, response: Object | None, place: Place, name: str | None
    ) -> Iterator[Recorded | Unreadable]:
        if request.get("method") != "tools/call":
            return
        try:
            events = read_messages([request])
        except ValueError as error:
            problem = str(error).replace("messages[0]", "the request")
            yield Unreadable(place, problem, _ADVICE)
            return
        call = next(event[1] for event in events if event[0] == "call")
        read = Recorded(
            place=place,
            tool=call["name"],
            arguments=call["arguments"],
            call_id=_id(request),
            conversation=name,
        )
        result = None if response is None else _result(request, response)
        if result is not None:
            read = replace(read, result=result["content"], error=result["is_error"])
        elif _id(request):
            self._open[name, _id(request)] = request
            if len(self._open) > _OPEN:
                self._open.popitem(last=False)
        yield read

    def _answer(self, response: Object, place: Place) -> Iterator[Answered]:
        name = conversation_of(response)
        request = self._open.pop((name, _id(response)), None)
        result = None if request is None else _result(request, response)
        if result is not None:
            yield Answered(
                place=place,
                call_id=_id(response),
                conversation=name,
                result=result["content"],
                failed=result["is_error"],
            )


def _response(row: Object, request: Object) -> Object:
    """The response to a request of the same row, in its envelope or out of it."""
    response = row.get("response")
    if not isinstance(response, Mapping):
        return {}
    whole = response if "result" in response or "error" in response else {"result": response}
    return {**whole, "id": request.get("id")}


def _result(request: Object, response: Object) -> ResultDict | None:
    own = {**request, "id": request.get("id", 0)}
    events = read_messages([own, {**response, "id": own["id"]}])
    return next((event[1] for event in events if event[0] == "result"), None)


def _id(message: Object) -> str:
    """A JSON-RPC id, which may be a number, as text."""
    own = message.get("id")
    return str(own) if isinstance(own, int | str) and not isinstance(own, bool) else ""
