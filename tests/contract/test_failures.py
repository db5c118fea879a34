"""What exceptions and statuses amount to, known by structure and never by text."""

import errno
import http.client
import socket
import urllib.error
from email.message import Message
from email.utils import formatdate
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from handrail import ToolError
from handrail.contract.failures import (
    code_of_status,
    failure_of,
    seconds_to_wait,
    wait_in,
)
from handrail.contract.output_codes import OUTPUTS

AT = 1_000_000.0


def named(*names: str, **fields: Any) -> Exception:
    """An exception whose class and bases are called so, with attributes of a client library."""
    kind: type = Exception
    for name in reversed(names):
        kind = type(name, (kind,), {})
    error: Exception = kind("host db.internal says no")
    vars(error).update(fields)
    return error


def answered(status: int, headers: dict[str, str] | None = None, body: str = "") -> Any:
    """A response as httpx and requests have it."""
    return SimpleNamespace(status_code=status, headers=headers or {}, text=body)


def of_botocore(code: str, status: int = 400, headers: dict[str, str] | None = None) -> Exception:
    """A ClientError of botocore."""
    meta = {"HTTPStatusCode": status, "HTTPHeaders": headers or {}}
    response = {"Error": {"Code": code, "Message": "secret"}, "ResponseMetadata": meta}
    return named("ClientError", response=response)


def of_grpc(name: str) -> Exception:
    """An RpcError of grpc, whose code is a method."""
    return named("_InactiveRpcError", "RpcError", code=lambda: SimpleNamespace(name=name))


def of_pydantic() -> ValidationError:
    """What a handler raises that validates something of its own."""

    class Row(BaseModel):
        n: int

    with pytest.raises(ValidationError) as raised:
        Row(n="many")  # type: ignore[arg-type]  # wrong on purpose
    return raised.value


HTTP = urllib.error.HTTPError("http://db.internal", 503, "no", Message(), None)

TRANSIENT = {
    "timeout": TimeoutError("t"),
    "asyncio timeout": TimeoutError(),
    "socket timeout": TimeoutError(),
    "reset": ConnectionResetError("r"),
    "refused": ConnectionRefusedError(),
    "broken pipe": BrokenPipeError(),
    "no route": OSError(errno.EHOSTUNREACH, "no route"),
    "no name server": socket.gaierror(socket.EAI_AGAIN, "later"),
    "remote disconnected": http.client.RemoteDisconnected(),
    "incomplete read": http.client.IncompleteRead(b""),
    "httpx connect": named("ConnectTimeout", "TimeoutException"),
    "httpx network": named("ConnectError", "NetworkError"),
    "requests": named("ReadTimeout", "Timeout", "RequestException"),
    "aiohttp": named("ServerDisconnectedError", "ClientConnectionError"),
    "urllib": urllib.error.URLError(TimeoutError("t")),
    "urllib 503": HTTP,
    "503": named("HTTPStatusError", response=answered(503)),
    "429 of openai": named("RateLimitError", status_code=429),
    "aiohttp 502": named("ClientResponseError", status=502),
    "throttled": of_botocore("ThrottlingException"),
    "slow down": of_botocore("SlowDown", 503),
    "grpc unavailable": of_grpc("UNAVAILABLE"),
    "grpc deadline": of_grpc("DEADLINE_EXCEEDED"),
    "deadlock": named("DeadlockDetected", sqlstate="40P01"),
    "sqlalchemy invalidated": named("DBAPIError", connection_invalidated=True),
    "sqlalchemy wrapped": named("OperationalError", orig=named("X", pgcode="08006")),
    "group of one": ExceptionGroup("g", [TimeoutError()]),
}
OTHERS = {
    "401": (named("HTTPError", response=answered(401)), "permission"),
    "403": (named("PermissionDeniedError", status_code=403), "permission"),
    "404": (named("HTTPStatusError", response=answered(404)), "not_found"),
    "410": (named("HTTPStatusError", response=answered(410)), "not_found"),
    "409": (named("HTTPException", status_code=409), "conflict"),
    "422": (named("HTTPStatusError", response=answered(422)), "rejected"),
    "500": (named("HTTPStatusError", response=answered(500)), "internal"),
    "aws denied": (of_botocore("AccessDeniedException"), "permission"),
    "aws no key": (of_botocore("NoSuchKey", 404), "not_found"),
    "aws taken": (of_botocore("BucketAlreadyExists", 409), "conflict"),
    "aws invalid": (of_botocore("ValidationException"), "rejected"),
    "aws unknown": (of_botocore("Odd", 400), "rejected"),
    "grpc not found": (of_grpc("NOT_FOUND"), "not_found"),
    "grpc odd": (of_grpc("DATA_LOSS"), "internal"),
    "pydantic": (of_pydantic(), "internal"),
    "key": (KeyError("k"), "internal"),
    "file": (FileNotFoundError("f"), "internal"),
    "local permission": (PermissionError("p"), "internal"),
    "text alone": (ValueError("Timeout 503 connection reset"), "internal"),
    "group of two": (ExceptionGroup("g", [TimeoutError(), KeyError()]), "internal"),
    "syntax of sql": (named("ProgrammingError", sqlstate="42601"), "internal"),
    "a code that is no status": (named("Odd", code=12), "internal"),
}


@pytest.mark.parametrize("name", TRANSIENT)
def test_what_speaks_of_the_moment(name: str) -> None:
    """Timeouts, lost connections, throttling: the same call may be made again."""
    failure = failure_of(TRANSIENT[name], AT)
    assert (failure.code, failure.transient) == ("retry_after", True)


@pytest.mark.parametrize("name", OTHERS)
def test_what_speaks_of_the_call_or_the_tool(name: str) -> None:
    """Each has a row of its own; what nobody knows is internal."""
    error, code = OTHERS[name]
    failure = failure_of(error, AT)
    assert (failure.code, failure.transient, failure.retry_after) == (code, False, None)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        *[(200, None), (304, None), (True, None), ("503", None), (None, None)],
        *[(408, "retry_after"), (425, "retry_after"), (599, "internal"), (418, "rejected")],
    ],
)
def test_every_status_has_a_row_or_is_no_failure(status: object, code: str | None) -> None:
    """Whole numbers from 400."""
    assert code_of_status(status) == code


@pytest.mark.parametrize(
    ("stated", "seconds"),
    [
        (3, 3.0),
        ("3", 3.0),
        (" 0.5 ", 0.5),
        (formatdate(AT + 90, usegmt=True), 90.0),
        (formatdate(AT - 90, usegmt=True), 0.0),
        ("soon", None),
        (-1, None),
        ("nan", None),
        ("inf", None),
        (True, None),
        (None, None),
        (["3"], None),
        ("Mon, 99 Zzz 2999 00:00:00 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(stated: object, seconds: float | None) -> None:
    """RFC 9110, section 10.2.3; a date needs the time of the answer."""
    assert seconds_to_wait(stated, AT) == seconds


def test_the_wait_is_found_where_clients_put_it() -> None:
    """In headers of a response, of botocore, of an exception; as an attribute; in a dict."""
    held = {"Retry-After": "7"}
    errors = [
        named("E", response=answered(429, held)),
        named("E", status=503, headers=held),
        of_botocore("ThrottlingException", 400, {"retry-after": "7"}),
        named("E", status_code=429, retry_after=7),
    ]
    assert [failure_of(error, AT).retry_after for error in errors] == [7.0] * 4
    assert wait_in({"status": 503, "headers": held}, AT) == 7.0
    assert wait_in({"retry_after": 7}, AT) == 7.0
    assert wait_in({"status": 503}, AT) is None


def test_an_authors_own_error_wins() -> None:
    """Raised as it is, or carried."""
    own = ToolError("transient", "busy", "the printer is warming up")
    assert failure_of(own).tool_error == own
    assert failure_of(own).transient is True
    assert failure_of(ValueError(own)).tool_error == own


def test_an_answer_in_json_is_kept_for_the_model() -> None:
    """That of the other side, and not the text of the exception; a page or text is not."""
    body = '{"title": "Too late", "status": 422}'
    assert failure_of(named("E", response=answered(422, body=body))).body == {
        "title": "Too late",
        "status": 422,
    }
    assert failure_of(named("E", response=answered(422, body="<html>"))).body is None


class Hostile(Exception):
    """Whatever is asked of it, it raises."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("no")


def test_hostile_exceptions_are_internal() -> None:
    """Nothing escapes."""
    assert failure_of(Hostile()).code == "internal"


@given(
    st.text(max_size=20),
    st.dictionaries(
        st.sampled_from(["status", "status_code", "code", "response", "headers", "retry_after"]),
        st.none()
        | st.integers()
        | st.text(max_size=9)
        | st.dictionaries(st.text(max_size=4), st.text(max_size=4)),
    ),
)
def test_any_exception_has_a_row(name: str, fields: dict[str, Any]) -> None:
    """Whatever its name and attributes."""
    failure = failure_of(named(name.replace("\0", ""), **fields), AT)
    assert failure.code in OUTPUTS
    assert failure.retry_after is None or failure.retry_after >= 0
