"""Every form in which a result comes, as one value."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from handrail import ToolError
from handrail.contract.payload import NOT_JSON, drained, media_type, payload_of, tidied


class Order(BaseModel):
    """A model of an author's."""

    id: str


@dataclass
class Row:
    """A dataclass of an author's."""

    n: int


class CallToolResult(BaseModel):
    """As the MCP package has it."""

    content: list[dict[str, Any]]
    isError: bool = False  # the wire's own name
    structuredContent: dict[str, Any] | None = None  # as above


@dataclass
class ActionResult:
    """As the SDK has it."""

    status: str
    data: object = None
    summary: str = ""
    error: str | None = None
    retryable: bool = False
    code: str | None = None


@dataclass
class Response:
    """As httpx and requests have it."""

    status_code: int
    text: str
    headers: dict[str, str] = field(default_factory=dict)


def response(status: int, text: object, **headers: str) -> SimpleNamespace:
    """A response object; not a dataclass, which would be an author's own."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return SimpleNamespace(status_code=status, text=text, headers=named)


TEXT = [{"type": "text", "text": '{"a": 1}'}]
IMAGE = [
    {"type": "text", "text": "see"},
    {"type": "image", "data": "QUJD", "mimeType": "image/png"},
]


@pytest.mark.parametrize(
    ("given", "value", "parsed"),
    [
        ("plain", "plain", NOT_JSON),
        ('{"a": 1}', '{"a": 1}', {"a": 1}),
        ('\ufeff [1, 2] ', '\ufeff [1, 2] ', [1, 2]),
        ("[INFO] up", "[INFO] up", NOT_JSON),
        ("12", "12", NOT_JSON),
        (b'{"a": 1}', '{"a": 1}', {"a": 1}),
        (b"\xff\xfe", b"\xff\xfe", NOT_JSON),
        ({"a": 1}, {"a": 1}, {"a": 1}),
        ([1], [1], [1]),
        (3, 3, 3),
        (None, None, None),
        (Order(id="O-1"), {"id": "O-1"}, {"id": "O-1"}),
        (Row(1), {"n": 1}, {"n": 1}),
        ((1, 2), (1, 2), [1, 2]),
        (iter([Row(1), Row(2)]), [{"n": 1}, {"n": 2}], [{"n": 1}, {"n": 2}]),
        (CallToolResult(content=TEXT), '{"a": 1}', {"a": 1}),
        (CallToolResult(content=TEXT, structuredContent={"b": 2}), {"b": 2}, {"b": 2}),
        ({"content": TEXT}, '{"a": 1}', {"a": 1}),
        ({"content": "an article"}, {"content": "an article"}, {"content": "an article"}),
        ({"content": TEXT, "a": 1}, {"content": TEXT, "a": 1}, {"content": TEXT, "a": 1}),
        (ActionResult("success", {"a": 1}, "done"), {"a": 1}, {"a": 1}),
        (ActionResult("success", None, "done"), "done", "done"),
        (response(200, '{"a": 1}'), {"a": 1}, {"a": 1}),
        (response(200, "plain"), "plain", NOT_JSON),
    ],
)  # fmt: skip
def test_every_form_is_one_value(given: object, value: object, parsed: object) -> None:
    """The data for the host, and the JSON that it is or holds."""
    found = payload_of(given)
    assert found.value == value
    assert found.parsed is parsed or found.parsed == parsed


def test_what_the_envelope_says_is_kept() -> None:
    """Failure, status, headers, cursor."""
    assert payload_of({"content": TEXT, "isError": True}).failed is True
    assert payload_of({"content": TEXT, "nextCursor": "c2"}).cursor == "c2"
    found = payload_of(response(429, "slow", Retry_After="3"))
    assert (found.status, found.headers) == (429, {"retry-after": "3"})
    failed = payload_of(ActionResult("error", error="no stock", retryable=True, code="E1"))
    assert (failed.failed, failed.retryable, failed.code) == (True, True, "E1")
    assert failed.parsed == {"error": "no stock"}


def test_authors_own_types_are_marked() -> None:
    """Nothing is guessed from what an author built; a response is one, whoever wrote its class."""
    assert payload_of(Order(id="x")).typed is True
    assert payload_of(Response(503, "no")).status == 503
    assert payload_of({"id": "x"}).typed is False


def test_blocks_that_are_no_text_are_named() -> None:
    """The host keeps them whole; the model reads type and size."""
    found = payload_of({"content": IMAGE})
    assert found.value == {"content": IMAGE}
    assert found.told == "see\n[image/png, 3 bytes]"
    linked = [
        {"type": "resource_link", "uri": "file:///a.txt", "name": "a"},
        {"type": "resource", "resource": {"uri": "file:///b", "text": "inside"}},
    ]
    assert payload_of({"content": linked}).told == "[resource_link, file:///a.txt]\ninside"


def test_errors_stand_for_themselves() -> None:
    """An exception that is returned is one that was raised."""
    error = ValueError("x")
    own = ToolError("tool_failed", "x")
    assert payload_of(error).error is error
    assert payload_of(own).error is own


def test_rows_before_a_fault_are_kept() -> None:
    """And those of a source without end are bounded."""

    def rows() -> Iterator[int]:
        yield 1
        yield 2
        raise ConnectionResetError("gone")

    found = payload_of(rows())
    assert (found.value, found.cut, type(found.error)) == ([1, 2], True, ConnectionResetError)
    assert drained(iter(range(9)), 3) == ([0, 1, 2], True, None)
    assert drained(iter(range(3)), 3) == ([0, 1, 2], False, None)


def test_a_response_that_was_not_read_says_so() -> None:
    """A stream, or a body that must be awaited; its status is known all the same."""

    class Unread:
        status = 200
        headers = SimpleNamespace()

        async def text(self) -> str:
            return ""

        async def json(self) -> object:
            return {}

    found = payload_of(Unread())
    assert (found.status, type(found.error)) == (200, TypeError)


def test_a_command_that_ended_is_an_object() -> None:
    """As `subprocess.run` gives it."""
    done = SimpleNamespace(args=["ls"], returncode=2, stdout="", stderr="no such file")
    assert payload_of(done).value == {"returncode": 2, "stdout": "", "stderr": "no such file"}


def test_media_type_and_tidied() -> None:
    """Without parameters, marks and space."""
    assert media_type({"content-type": "Text/HTML; charset=utf-8"}) == "text/html"
    assert media_type({}) == ""
    assert tidied("\ufeff a \n") == "a"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.tuples(inner, inner)
            | st.dictionaries(st.text(max_size=9), inner, max_size=4)
        ),
        max_leaves=10,
    )
)
def test_plain_values_pass_as_they_are(value: Any) -> None:
    """Whatever they are, but for bytes that are text and for MCP results."""
    found = payload_of(value)
    if not isinstance(value, bytes) and not (isinstance(value, dict) and "content" in value):
        assert found.value is value or found.value == value or value != value
