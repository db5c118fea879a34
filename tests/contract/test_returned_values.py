"""Whatever a handler returns has a text that can be sent, and no fault of it is told."""

import threading
from dataclasses import dataclass

import pytest
from pydantic import BaseModel, field_serializer

from handrail import Issue, Severity, Status, Tool, ToolResult
from handrail.contract.judge import judge_input
from handrail.contract.output import result_of
from handrail.contract.policy import Settings
from handrail.contract.returned import judge_output

SECRET = "sk-" + "a1B2c3D4" * 5


def search(query: str) -> object:
    """Search."""
    return query


def told(value: object, **terms: object) -> ToolResult:
    """The result as the model gets it."""
    one = Tool.from_function(search, **terms)
    return result_of(one, judge_output(one, value, {"query": "a"}), call_id="c")


class Out(BaseModel):
    """A model that a tool returns."""

    n: int


@dataclass
class Row:
    """A dataclass that a tool returns."""

    held: object


class Broken(BaseModel):
    """A model whose serializer raises."""

    n: int

    @field_serializer("n")
    def _fail(self, n: int) -> int:
        raise RuntimeError("db.internal")


@pytest.mark.parametrize(
    ("value", "data", "content"),
    [
        ("done", "done", "done"),
        (None, None, "The tool ran and returned nothing."),
        ({"a": [1]}, {"a": [1]}, '{"a":[1]}'),
        (Out(n=1), {"n": 1}, '{"n":1}'),
        (Row(held=[1]), {"held": [1]}, '{"held":[1]}'),
        (float("nan"), None, "null"),
        (b"\xff", b"\xff", '"_w=="'),
        ("\ud800", "\ud800", "\\ud800"),
        ({"a": "\ud800"}, {"a": "\ud800"}, '{"a":"\\ud800"}'),
    ],
)
def test_whatever_a_handler_returns_has_a_text(value: object, data: object, content: str) -> None:
    """One that can be sent as UTF-8."""
    result = told(value, action_type="write")
    assert result.content == content
    assert result.status is Status.OK
    assert data is None or result.data == data
    result.content.encode()


def test_an_object_is_named_and_not_printed() -> None:
    """Its repr may hold anything."""

    class Client:
        def __repr__(self) -> str:
            return f"Client(token={SECRET})"

    assert told([Client()]).content == '["<Client>"]'


class Array:
    """As arrays of numbers are: neither true nor false, and equal to nothing in particular."""

    def __bool__(self) -> bool:
        raise ValueError("ambiguous")

    def __eq__(self, other: object) -> bool:
        raise ValueError("ambiguous")

    __hash__ = None  # type: ignore[assignment]  # as arrays have none


@pytest.mark.parametrize("value", [Array(), {"a": Array()}, [Array()], {"status": Array()}])
def test_an_array_is_delivered(value: object) -> None:
    """Nobody asks it whether it is true."""
    result = told(value)
    assert (result.code, result.is_error) == (None, False)
    assert "<Array>" in result.content


def test_a_loop_in_a_result_is_told() -> None:
    """It cannot be written, and nothing escapes."""
    value: list[object] = []
    value.append(value)
    assert told(value).content == "The tool ran, but its result cannot be shown."


@pytest.mark.parametrize("value", [Broken(n=1), Row(held=threading.Lock())])
def test_a_result_that_cannot_be_written_is_a_failure_of_the_tool(value: object) -> None:
    """Told to the operator in full, and to the model without a word of it."""
    result = told(value)
    assert (result.status, result.error_class) == (Status.FAILED, "tool_failed")
    assert (result.is_error, result.code) == (True, "unshowable")
    assert "cannot be written as JSON" in str(result.host_advice)
    assert "db.internal" not in result.content
    assert "lock" not in result.content


def test_an_exception_that_is_returned_was_raised() -> None:
    """Its class decides, and its text stays with the operator."""
    result = told(TimeoutError("db.internal"))
    assert (result.error_class, result.code) == ("transient", "retry_after")
    assert "db.internal" not in result.content
    assert "db.internal" in (result.host_advice or "")


def test_warnings_of_the_arguments_follow_the_result() -> None:
    """With the mends on the result; hostile text on one line, secrets left out."""

    def note(title: str, count: int = 1) -> str:
        """Write a note."""
        return title * count

    one = Tool.from_function(note, action_type="write")
    found = judge_input(one, '{"title": "a", "count": "2"}', Settings())
    result = result_of(one, judge_output(one, "done", found.value), found, call_id="c")
    assert result.content == 'done\n\nNote:\n- /count: "2" was read as 2'
    assert [mend.kind for mend in result.mends] == ["lax"]
    forged = Issue("VAL-015", "/t\n\u2022 /x", f"careful\n\u2022 {SECRET}", Severity.WARNING)
    one = Tool.from_function(note, action_type="write", check_input=lambda args: forged)
    found = judge_input(one, '{"title": "a"}', Settings())
    content = result_of(one, judge_output(one, "done"), found, call_id="c").content
    assert SECRET not in content
    assert content.splitlines()[:3] == ["done", "", "Note:"]
    assert len(content.splitlines()) == 4
