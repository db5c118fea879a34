"""Exceptions, HTTP statuses and error codes -> what failed, and for how long.

No client library is imported. An exception is known by its type and the names of its bases, by
the status of the response it carries (httpx, requests, aiohttp, urllib, starlette, openai), by
the code of a service (botocore, grpc) or of a database (SQLSTATE). Its text is never read: what it
says goes to the operator, and a class to the model. Source: seed 001; the page of results,
section 1; RFC 9110 for ``Retry-After``.
"""

import errno
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from handrail.contract.tool_error import ToolError, tool_error_of

__all__ = ["BUSY", "Failure", "code_of_status", "failure_of", "seconds_to_wait", "wait_in"]

BUSY = frozenset({408, 425, 429, 502, 503, 504})
"""HTTP statuses that speak of the moment and not of the request."""

_TRANSIENT = "retry_after"
_BY_STATUS = {401: "permission", 403: "permission", 404: "not_found", 410: "not_found"}
_BY_STATUS |= {407: "permission", 409: "conflict"}

_TRANSIENT_NAMES = frozenset(
    # the same words are used by httpx, requests, urllib3, aiohttp, botocore, redis, sqlalchemy
    {"Timeout", "TimeoutError", "TimeoutException", "ConnectTimeout", "ConnectTimeoutError"}
    | {"ReadTimeout", "ReadTimeoutError", "WriteTimeout", "PoolTimeout", "ServerTimeoutError"}
    | {"ConnectionError", "ConnectError", "NetworkError", "ReadError", "WriteError"}
    | {"RemoteProtocolError", "ProtocolError", "ChunkedEncodingError", "IncompleteRead"}
    | {"ClientConnectionError", "ServerDisconnectedError", "ClientPayloadError"}
    | {"EndpointConnectionError", "ConnectionClosedError", "ConnectionDoesNotExistError"}
    | {"APIConnectionError", "APITimeoutError", "RateLimitError", "TooManyRequests"}
)
_LOCAL_NAMES = frozenset({"ValidationError"})
"""Never taken for anything but a fault inside: pydantic's own, raised in a handler."""

_LOST_NAMES = (
    *("ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "EPIPE"),
    *("ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENETDOWN"),
)
_LOST = frozenset(getattr(errno, name) for name in _LOST_NAMES if hasattr(errno, name))
_LOOKUP_LATER = -3
"""``EAI_AGAIN`` of a name look-up on Linux: the name server did not answer."""

_GRPC = {
    "UNAVAILABLE": _TRANSIENT,
    "DEADLINE_EXCEEDED": _TRANSIENT,
    "RESOURCE_EXHAUSTED": _TRANSIENT,
    "PERMISSION_DENIED": "permission",
    "UNAUTHENTICATED": "permission",
    "NOT_FOUND": "not_found",
    "ALREADY_EXISTS": "conflict",
    "ABORTED": "conflict",
    "INVALID_ARGUMENT": "rejected",
    "FAILED_PRECONDITION": "rejected",
    "OUT_OF_RANGE": "rejected",
}
_SERVICE_WORDS = (
    (("Throttl", "TooManyRequests", "RequestLimit", "SlowDown", "RateExceeded"), _TRANSIENT),
    (("ServiceUnavailable", "RequestTimeout", "ProvisionedThroughput"), _TRANSIENT),
    (("AccessDenied", "Unauthorized", "Forbidden", "ExpiredToken"), "permission"),
    (("UnrecognizedClient", "InvalidSignature", "InvalidClientToken"), "permission"),
    (("NoSuch", "NotFound"), "not_found"),
    (("AlreadyExists", "Conflict", "ConditionalCheckFailed", "ResourceInUse"), "conflict"),
    (("Validation", "InvalidParameter", "Malformed", "MissingParameter"), "rejected"),
)
"""Beginnings and parts of the error codes of AWS, most telling first."""

_SQL_STATES = {"08": _TRANSIENT, "40": _TRANSIENT, "53": _TRANSIENT, "57P0": _TRANSIENT}
_WAIT_FIELDS = frozenset({"retry-after", "retry_after", "retryafter"})
_DEPTH = 4


class Failure(NamedTuple):
    """What a run that failed amounts to.

    Attributes:
        code: Code of a row of the table of results.
        retry_after: Seconds to wait before the same call may be made again.
        body: What the other side answered, where an exception carries it: JSON or text.
        headers: Headers of that answer, names in lower case.
        tool_error: What the author says of it; wins over everything else.
    """

    code: str
    retry_after: float | None = None
    body: Any = None  # Any: JSON value or text
    headers: Mapping[str, str] = {}
    tool_error: ToolError | None = None

    @property
    def transient(self) -> bool:
        """Whether the same call may well work in a moment."""
        if self.tool_error is not None:
            return self.tool_error.error_class == "transient"
        return self.code == _TRANSIENT


def failure_of(error: BaseException, at: float = 0.0) -> Failure:
    """What an exception amounts to; never raises, and never reads its text.

    Args:
        error: As raised by a handler.
        at: When it was raised, in seconds since the epoch: ``Retry-After`` may be a date.
    """
    try:
        return _failure_of(error, at, _DEPTH)
    except Exception:  # an exception with hostile attributes
        return Failure("internal")


def _failure_of(error: BaseException, at: float, depth: int) -> Failure:
    stated = tool_error_of(error)
    if stated is not None:
        return Failure(stated.code, wait_in(error, at), tool_error=stated)
    names = {base.__name__ for base in type(error).__mro__}
    if names & _LOCAL_NAMES:
        return Failure("internal")
    answer = getattr(error, "response", None)
    code = _by_word(error, answer) or _by_answer(error, answer) or _by_type(error, names)
    if code is None and depth and (inner := _inner(error)) is not None:
        return _failure_of(inner, at, depth - 1)
    if code is None:
        return Failure("internal")
    headers = _headers_of(error, answer)
    wait = wait_in(headers, at)
    if wait is None:
        wait = wait_in(error, at)
    return Failure(code, wait if code == _TRANSIENT else None, _body_of(answer), headers)


def code_of_status(status: object) -> str | None:
    """The row of an HTTP status; None where it is no failure."""
    if not isinstance(status, int) or isinstance(status, bool) or status < 400:
        return None
    if status in BUSY:
        return _TRANSIENT
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return "rejected" if status < 500 else "internal"


def _by_answer(error: BaseException, answer: object) -> str | None:
    """By an HTTP status, of the response or of the exception itself."""
    for owner in (answer, error):
        for name in ("status_code", "status", "code"):
            status = getattr(owner, name, None)
            if isinstance(status, int) and 400 <= status <= 599:
                return code_of_status(int(status))
    return None


def _by_word(error: BaseException, answer: object) -> str | None:
    """By what botocore and grpc call it."""
    if isinstance(answer, Mapping):
        stated = answer.get("Error")
        word = str(stated.get("Code", "")) if isinstance(stated, Mapping) else ""
        for parts, code in _SERVICE_WORDS:
            if any(part in word for part in parts):
                return code
        meta = answer.get("ResponseMetadata")
        return code_of_status(meta.get("HTTPStatusCode")) if isinstance(meta, Mapping) else None
    status = getattr(error, "code", None)
    if callable(status):
        return _GRPC.get(str(getattr(status(), "name", "")))
    return None


def _by_type(error: BaseException, names: set[str]) -> str | None:
    if isinstance(error, TimeoutError | ConnectionError) or names & _TRANSIENT_NAMES:
        return _TRANSIENT
    if isinstance(error, OSError):
        later = "gaierror" in names and error.errno == _LOOKUP_LATER
        return _TRANSIENT if later or error.errno in _LOST else None
    if getattr(error, "connection_invalidated", None) is True:
        return _TRANSIENT
    for name in ("sqlstate", "pgcode"):
        state = getattr(error, name, None)
        if isinstance(state, str):
            known = (code for start, code in _SQL_STATES.items() if state.startswith(start))
            return next(known, None)
    return None


def _inner(error: BaseException) -> BaseException | None:
    """The one exception that another only wraps: of urllib, of sqlalchemy, of a group of one."""
    if isinstance(error, BaseExceptionGroup):
        return error.exceptions[0] if len(error.exceptions) == 1 else None
    for name in ("reason", "orig"):
        inner = getattr(error, name, None)
        if isinstance(inner, BaseException):
            return inner
    return None


def _headers_of(error: BaseException, answer: object) -> dict[str, str]:
    for owner in (answer, error):
        headers = getattr(owner, "headers", None)
        if isinstance(owner, Mapping):
            meta = owner.get("ResponseMetadata")
            headers = meta.get("HTTPHeaders") if isinstance(meta, Mapping) else None
        if headers is not None:
            return {str(name).lower(): str(item) for name, item in dict(headers).items()}
    return {}


def _body_of(answer: object) -> Any:  # Any: JSON value or text
    """The body of an answer that was read: JSON where it is that, else None."""
    if answer is None or isinstance(answer, Mapping):
        return None
    from handrail.contract.payload import NOT_JSON, payload_of

    found = payload_of(answer)
    return None if found.parsed is NOT_JSON or found.status is None else found.parsed


def wait_in(owner: object, at: float) -> float | None:
    """Seconds of a ``Retry-After`` among headers, fields or attributes; None where there is none.

    Args:
        owner: A mapping, of whose ``headers`` the inner one is searched too; else an object.
        at: Now, in seconds since the epoch.
    """
    if not isinstance(owner, Mapping):
        return seconds_to_wait(getattr(owner, "retry_after", None), at)
    inner = owner.get("headers")
    for place in (owner, inner if isinstance(inner, Mapping) else {}):
        for name, stated in place.items():
            if isinstance(name, str) and name.lower() in _WAIT_FIELDS:
                return seconds_to_wait(stated, at)
    return None


def seconds_to_wait(stated: object, at: float) -> float | None:
    """Seconds from a number, its text or an HTTP date; None where it says nothing usable."""
    if isinstance(stated, bool) or not isinstance(stated, int | float | str):
        return None
    try:
        seconds = float(stated)
    except (ValueError, OverflowError):
        return _until(stated, at) if isinstance(stated, str) else None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _until(date: str, at: float) -> float | None:
    from email.utils import parsedate_to_datetime  # late: a date is rare

    try:
        return max(0.0, parsedate_to_datetime(date).timestamp() - at)
    except (ValueError, TypeError, OverflowError):
        return None
