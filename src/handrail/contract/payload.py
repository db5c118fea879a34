"""Whatever a handler returned -> one JSON value, and what its envelope says.

A result comes as text or bytes, as JSON values, as a model or dataclass of the author's, as an
MCP result, as the response object of an HTTP client, as an `ActionResult`, or as rows one after
the other. No client library is imported: shapes are known by their attributes, so that a client
which nobody has heard of is understood too. Source: the page of results, section 1.
"""

import dataclasses
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from pydantic_core import from_json

from handrail.contract.tool_error import tool_error_of

__all__ = [
    "MAX_ROWS",
    "NOT_JSON",
    "PLAIN",
    "Drained",
    "Payload",
    "drained",
    "media_type",
    "payload_of",
    "plain_value",
    "tidied",
]

MAX_ROWS = 10_000
"""Rows taken from an iterator; it may have no end."""

PLAIN: frozenset[type] = frozenset({dict, list, str, int, float, bool, type(None)})
"""Types that are JSON values as they are."""

NOT_JSON: Any = object()  # Any: stands where a JSON value may be
"""Stands for the JSON value of a text that is none."""

_BLOCKS = frozenset({"text", "image", "audio", "resource", "resource_link"})
_MCP_KEYS = frozenset(
    {"content", "isError", "is_error", "structuredContent", "structured_content", "_meta"}
    | {"nextCursor", "meta"}
)


class Payload(NamedTuple):
    """A result, normalised.

    Attributes:
        value: The data for the host.
        parsed: The JSON value that it is or holds; `NOT_JSON` for plain text.
        text: The text as it came, where it came as text.
        typed: Whether its author built a model or dataclass: nothing is guessed from that.
        told: What the model reads in place of `value`, where that is no text.
        failed: Whether the envelope itself says that it failed (MCP, `ActionResult`).
        status: HTTP status, where it came as a response.
        headers: Headers of that response, names in lower case.
        cursor: The next page, where the envelope names it.
        error: An exception or `ToolError` that stands in its place, or broke off its rows.
        cut: Whether rows are missing at the end.
        retryable: Whether an `ActionResult` says that it may be called again.
        code: Code that an `ActionResult` states.
    """

    value: Any  # Any: JSON value, or whatever the handler returned
    parsed: Any  # Any: JSON value
    text: str | None = None
    typed: bool = False
    told: str | None = None
    failed: bool = False
    status: int | None = None
    headers: Mapping[str, str] = {}
    cursor: str | None = None
    error: BaseException | None = None
    cut: bool = False
    retryable: bool = False
    code: str | None = None


class Drained(NamedTuple):
    """Rows taken from an iterator.

    Attributes:
        rows: In order.
        cut: Whether there were more.
        error: What its source raised after these rows.
    """

    rows: list[Any]  # Any: whatever the handler yields
    cut: bool = False
    error: Exception | None = None


def drained(rows: Iterator[Any], limit: int = MAX_ROWS) -> Drained:  # Any: of the handler
    """The rows of an iterator, at most `limit`; those before a fault are kept."""
    taken: list[Any] = []  # Any: of the handler
    try:
        for row in islice(rows, limit + 1):
            taken.append(row)
    except Exception as error:
        return Drained(taken, False, error)
    return Drained(taken[:limit], len(taken) > limit)


def payload_of(value: Any) -> Payload:  # Any: whatever the handler returned
    """The normalised result; raises only what an author's own serializer raises."""
    kind = type(value)
    if kind is str:
        return _of_text(value)
    if kind is dict:
        return _of_mcp(value) if _is_mcp(value) else Payload(value, value)
    if kind in PLAIN:
        return Payload(value, value)
    if isinstance(value, bytes | bytearray | memoryview):
        return _of_bytes(bytes(value))
    error = tool_error_of(value)
    if error is not None or isinstance(value, BaseException):
        return Payload(None, None, error=error or value)
    if isinstance(value, Iterator):
        value = drained(value)
    if isinstance(value, Drained):
        return _of_rows(value)
    return _of_object(value)


def _of_object(value: Any) -> Payload:  # Any: whatever the handler returned
    if _has(value, "content", "isError") or _has(
        value, "content", "is_error", "structured_content"
    ):
        return _of_mcp(_fields(value))
    if _is_action(value):
        return _of_action(value)
    if isinstance(value, Mapping):
        value = dict(value)
        return _of_mcp(value) if _is_mcp(value) else Payload(value, value)
    status = _status(value)
    if status is not None and hasattr(value, "headers"):
        return _of_response(value, status)
    plain = plain_value(value)
    if plain is not value:
        return Payload(plain, plain, typed=True)
    if _has(value, "args", "returncode", "stdout"):  # of subprocess
        named = {name: getattr(value, name, None) for name in ("returncode", "stdout", "stderr")}
        return Payload(named, named)
    if isinstance(value, tuple | set | frozenset):
        return Payload(value, list(value))
    return Payload(value, value)


def plain_value(value: Any) -> Any:  # Any: whatever the handler returned
    """JSON values of a pydantic model or a dataclass; anything else as it is."""
    if type(value) in PLAIN:
        return value
    from pydantic import BaseModel  # late: not every program has models

    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return value


# ---- text


def _of_text(text: str, value: Any = NOT_JSON) -> Payload:  # Any: what stands for it
    """Text that begins like a JSON object or array is read as one; any other text is text."""
    own = text if value is NOT_JSON else value
    head = text[:1] if text[:1] not in "\ufeff \t\r\n" else tidied(text)[:1]
    if head not in ("{", "["):
        return Payload(own, NOT_JSON, text)
    try:
        parsed = from_json(tidied(text))
    except ValueError:
        return Payload(own, NOT_JSON, text)
    if type(parsed) is dict and _is_mcp(parsed):
        return _of_mcp(parsed)
    return Payload(own, parsed, text)


def tidied(text: str) -> str:
    """The text without a byte order mark and white space around it."""
    return text.lstrip("\ufeff").strip()


def _of_bytes(data: bytes) -> Payload:
    try:
        return _of_text(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Payload(data, NOT_JSON)


def _of_rows(found: Drained) -> Payload:
    rows = [plain_value(row) for row in found.rows]
    return Payload(rows, rows, cut=found.cut or found.error is not None, error=found.error)


# ---- MCP


def _is_mcp(value: Mapping[str, Any]) -> bool:  # Any: JSON values
    """Whether this is a result of ``tools/call``: a list of content blocks and little else."""
    blocks = value.get("content")
    if not isinstance(blocks, list) or not value.keys() <= _MCP_KEYS:
        return False
    if not blocks:
        return len(value) > 1
    return all(isinstance(block, Mapping) and block.get("type") in _BLOCKS for block in blocks)


def _of_mcp(result: Mapping[str, Any]) -> Payload:  # Any: JSON values
    blocks = [_fields(block) for block in result.get("content") or ()]
    failed = bool(result.get("isError", result.get("is_error")))
    cursor = result.get("nextCursor")
    cursor = cursor if isinstance(cursor, str) and cursor else None
    structured = result.get("structuredContent", result.get("structured_content"))
    if structured is not None:
        return Payload(structured, structured, failed=failed, cursor=cursor)
    texts = "\n".join(_block_text(block) for block in blocks)
    if all(block.get("type") == "text" for block in blocks):
        return _of_text(texts)._replace(failed=failed, cursor=cursor)
    return Payload(
        {"content": blocks}, NOT_JSON, text=texts, told=texts, failed=failed, cursor=cursor
    )


def _block_text(block: Mapping[str, Any]) -> str:  # Any: JSON values
    """One content block as text; what is no text is named with its type and size."""
    inner = block.get("resource")
    if isinstance(inner, Mapping) and isinstance(inner.get("text"), str):
        return str(inner["text"])
    if block.get("type") == "text":
        return str(block.get("text", ""))
    kind = block.get("mimeType") or block.get("type")
    where = block.get("uri") or (inner.get("uri") if isinstance(inner, Mapping) else None)
    size = len(block["data"]) * 3 // 4 if isinstance(block.get("data"), str) else None
    parts = [str(kind), *([str(where)] if where else []), *([f"{size} bytes"] if size else [])]
    return f"[{', '.join(parts)}]"


def _fields(value: Any) -> dict[str, Any]:  # Any: an object or a mapping; JSON values
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "model_dump"):
        dumped = value.model_dump(mode="json", by_alias=True)
        return dict(dumped) if isinstance(dumped, Mapping) else {}
    return {name: item for name, item in vars(value).items() if not name.startswith("_")}


# ---- HTTP


def _status(value: Any) -> int | None:  # Any: whatever the handler returned
    for name in ("status_code", "status"):
        status = getattr(value, name, None)
        if isinstance(status, int) and not isinstance(status, bool) and 100 <= status <= 599:
            return int(status)
    return None


def _of_response(response: Any, status: int) -> Payload:  # Any: of an HTTP client
    headers = _headers(response)
    try:
        body = _body(response)
    except Exception as error:  # a stream that was not read
        return Payload(None, NOT_JSON, status=status, headers=headers, error=error)
    found = _of_bytes(body) if isinstance(body, bytes) else _of_text(body)
    if found.parsed is not NOT_JSON:
        found = found._replace(value=found.parsed)
    return found._replace(status=status, headers=headers)


def _body(response: Any) -> str | bytes:  # Any: of an HTTP client
    """The body that was read already.

    Raises:
        TypeError: It was not, or must be awaited.
    """
    for name in ("text", "content", "data", "body", "_body"):
        body = getattr(response, name, None)
        if isinstance(body, str | bytes):
            return body
    given = getattr(response, "json", None)
    if callable(given):
        found = given()
        if type(found) in PLAIN:
            return json.dumps(found)
        if hasattr(found, "close"):
            found.close()  # a coroutine that nobody will await
    raise TypeError("the handler returned a response whose body it did not read")


def _headers(response: Any) -> dict[str, str]:  # Any: of an HTTP client
    try:
        return {str(name).lower(): str(item) for name, item in dict(response.headers).items()}
    except Exception:  # headers of another shape
        return {}


def media_type(headers: Mapping[str, str]) -> str:
    """The media type of a response, in lower case; empty where none is stated."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


# ---- ActionResult


def _is_action(value: Any) -> bool:  # Any: whatever the handler returned
    named = any(base.__name__ == "ActionResult" for base in type(value).__mro__)
    return named and _has(value, "status", "data", "error")


def _of_action(result: Any) -> Payload:  # Any: an ActionResult
    """Its data, or its summary where it has none; an error of it in its author's own words."""
    data = plain_value(result.data)
    summary = getattr(result, "summary", "")
    if str(getattr(result.status, "value", result.status)) == "error":
        said = result.error or summary
        code = getattr(result, "code", None)
        return Payload(
            data,
            {"error": said},
            failed=True,
            retryable=getattr(result, "retryable", False) is True,
            code=str(code) if code else None,
        )
    shown = summary if isinstance(summary, str) and summary and not data else data
    return Payload(shown, shown, typed=True)


def _has(value: object, *names: str) -> bool:
    return all(hasattr(value, name) for name in names)
