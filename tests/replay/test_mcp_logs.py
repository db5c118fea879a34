"""Logs of an MCP connection."""

from typing import Any

import pytest

from handrail.replay.mcp_logs import Connections, is_mcp
from handrail.replay.records import Answered, Definition, Item, Place, Recorded, Unreadable

HERE = Place("mcp.jsonl", 1)
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}
PARAMS = {"name": "find", "arguments": {"a": 1}}
RESULT = {"content": [{"type": "text", "text": "r"}], "isError": True}


def message(**fields: object) -> dict[str, Any]:  # Any: JSON values
    """A JSON-RPC message."""
    return {"jsonrpc": "2.0", "id": 3, **fields}


CALL = message(method="tools/call", params=PARAMS)


def read(*rows: dict[str, Any]) -> list[Item]:  # Any: JSON values
    """What these rows hold."""
    connections = Connections()
    return [item for row in rows for item in connections.read(row, HERE)]


def test_response_answers_its_request() -> None:
    """By its id, once."""
    called, *answered = read(CALL, message(result=RESULT), message(result=RESULT))
    assert isinstance(called, Recorded)
    assert (called.tool, called.arguments, called.call_id) == ("find", {"a": 1}, "3")
    assert answered == [
        Answered(place=HERE, call_id="3", conversation=None, result="r", failed=True)
    ]


@pytest.mark.parametrize("response", [message(result=RESULT), {"result": RESULT}, RESULT])
def test_request_may_stand_beside_its_response(response: dict[str, Any]) -> None:
    """In an envelope or without."""
    (found,) = read({"request": CALL, "response": response, "session": "s"})
    assert isinstance(found, Recorded)
    assert (found.result, found.failed, found.conversation) == ("r", True, "s")


def test_protocol_error_is_a_failure() -> None:
    """Its message is the result."""
    error = message(error={"code": -32602, "message": "Unknown tool"})
    _, found = read(CALL, error)
    assert isinstance(found, Answered)
    assert (found.result, found.failed) == ("Unknown tool", True)


def test_request_without_id_is_a_call() -> None:
    """Bare requests are logged too."""
    (found,) = read({"method": "tools/call", "params": PARAMS})
    assert isinstance(found, Recorded)
    assert found.call_id == ""


def test_listed_tools_are_definitions() -> None:
    """As messages, or beside their request."""
    listed = {"tools": [{"name": "find", "inputSchema": SCHEMA}]}
    ask = message(method="tools/list")
    for rows in ([ask, message(result=listed)], [{"request": ask, "response": {"result": listed}}]):
        (found,) = read(*rows)
        assert isinstance(found, Definition)
        assert (found.name, found.schema) == ("find", SCHEMA)


def test_other_messages_are_passed_over() -> None:
    """Initialization, notifications, and answers to them."""
    rows = [
        message(method="initialize"),
        message(result={"serverInfo": {}}),
        message(result=RESULT),
    ]
    assert read(*rows) == []


def test_malformed_request_is_told() -> None:
    """It costs only itself."""
    found, called = read(message(method="tools/call", params={}), CALL)
    assert isinstance(found, Unreadable)
    assert found.problem.startswith("the request.params.name")
    assert isinstance(called, Recorded)


def test_messages_are_told_by_their_protocol() -> None:
    """Other requests are no business of ours."""
    rows = [CALL, {"request": CALL}, {"method": "GET"}, {"request": {"method": "POST"}}, {}]
    assert [is_mcp(row) for row in rows] == [True, True, False, False, False]
