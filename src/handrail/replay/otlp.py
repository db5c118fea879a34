"""OpenTelemetry data as plain values: spans and log records, whatever exporter wrote them.

Read are OTLP/JSON (``resourceSpans``, ``resourceLogs``; attributes are lists of typed values),
the JSON that the Python and JavaScript SDKs print (attributes are an object), and a single span
or record of either.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

__all__ = ["Signal", "is_telemetry", "signals"]

Object = Mapping[str, Any]  # Any: JSON values

_OUTER = {
    "resourceSpans": ("scopeSpans", "instrumentationLibrarySpans"),
    "resource_spans": ("scope_spans",),
    "resourceLogs": ("scopeLogs",),
    "resource_logs": ("scope_logs",),
}
_INNER = ("spans", "logRecords", "log_records")
_TRACE = ("traceId", "trace_id")
_SPAN = ("spanId", "span_id")
_TIME = ("startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime", "timeUnixNano")
_LOG_TIME = ("time_unix_nano", "observedTimeUnixNano", "timestamp", "observed_timestamp")
_VALUES = ("stringValue", "intValue", "doubleValue", "boolValue", "arrayValue", "kvlistValue")
_SNAKE_VALUES = {
    "string_value": "stringValue",
    "int_value": "intValue",
    "double_value": "doubleValue",
    "bool_value": "boolValue",
    "array_value": "arrayValue",
    "kvlist_value": "kvlistValue",
}
_DEEPEST = 100


class Signal(NamedTuple):
    """A span, an event of a span, or a log record.

    Attributes:
        name: Of the span or the event.
        attributes: By key.
        body: Of an event; None for a span.
        trace: Id of the trace; ``""`` if there is none.
        span: Id of the span; ``""`` if there is none.
        failed: Whether the span ended in an error.
        events: Events of the span.
    """

    name: str
    attributes: dict[str, Any]  # Any: attribute values
    body: Any = None  # Any: an event's body
    trace: str = ""
    span: str = ""
    failed: bool = False
    events: tuple["Signal", ...] = ()


def is_telemetry(row: Object) -> bool:
    """Whether a row is telemetry: a batch, or one span or log record with attributes."""
    if any(isinstance(row.get(key), list) for key in _OUTER):
        return True
    if not isinstance(row.get("attributes"), list | Mapping):
        return False
    return _ids(row) != ("", "") or "eventName" in row or "event_name" in row


def signals(row: Object) -> Iterator[Signal]:
    """The spans and log records of a row, by their time."""
    found = list(_parts(row)) if any(key in row for key in _OUTER) else [row]
    for part in sorted(found, key=_time):
        yield _signal(part)


def _parts(row: Object) -> Iterator[Object]:
    for outer, scopes in _OUTER.items():
        for resource in _list(row, outer):
            for key in scopes:
                for scope in _list(resource, key):
                    for inner in _INNER:
                        yield from _list(scope, inner)


def _list(holder: Object, key: str) -> list[Object]:
    listed = holder.get(key)
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []


def _signal(part: Object) -> Signal:
    trace, span = _ids(part)
    attributes = _attributes(part.get("attributes"))
    name = next(
        (
            text
            for text in (
                part.get("eventName"),
                part.get("event_name"),
                attributes.get("event.name"),
                part.get("name"),
            )
            if isinstance(text, str) and text
        ),
        "",
    )
    return Signal(
        name=name,
        attributes=attributes,
        body=_value(part.get("body"), 0),
        trace=trace,
        span=span,
        failed=_failed(part, attributes),
        events=tuple(_signal(one) for one in _list(part, "events")),
    )


def _ids(part: Object) -> tuple[str, str]:
    context = part.get("context", part.get("spanContext"))
    for holder in (part, context):
        if isinstance(holder, Mapping):
            trace = next((holder[key] for key in _TRACE if isinstance(holder.get(key), str)), "")
            span = next((holder[key] for key in _SPAN if isinstance(holder.get(key), str)), "")
            if trace or span:
                return trace, span
    return "", ""


def _failed(part: Object, attributes: Object) -> bool:
    status = part.get("status")
    code = status.get("code", status.get("status_code")) if isinstance(status, Mapping) else status
    return code in (2, "ERROR", "STATUS_CODE_ERROR") or bool(attributes.get("error.type"))


def _attributes(value: object) -> dict[str, Any]:  # Any: attribute values
    if isinstance(value, Mapping):
        return {str(key): _value(one, 0) for key, one in value.items()}
    found: dict[str, Any] = {}  # Any: attribute values
    for one in value if isinstance(value, list) else ():
        if isinstance(one, Mapping) and isinstance(one.get("key"), str):
            found[one["key"]] = _value(one.get("value"), 0)
    return found


def _value(value: Any, depth: int) -> Any:  # Any: an OTLP AnyValue, or the value itself
    """A typed value of OTLP/JSON as a plain one; 64-bit integers are text there."""
    if not isinstance(value, Mapping) or len(value) != 1 or depth > _DEEPEST:
        return value
    key, inner = next(iter(value.items()))
    kind = _SNAKE_VALUES.get(key, key)
    if kind == "intValue":
        return int(inner) if isinstance(inner, str) and inner.lstrip("-").isdecimal() else inner
    if kind in ("arrayValue", "kvlistValue"):
        listed = inner.get("values") if isinstance(inner, Mapping) else None
        entries = [one for one in listed if one is not None] if isinstance(listed, list) else []
        if kind == "arrayValue":
            return [_value(one, depth + 1) for one in entries]
        pairs = [one for one in entries if isinstance(one, Mapping)]
        return {str(one.get("key")): _value(one.get("value"), depth + 1) for one in pairs}
    return inner if kind in _VALUES else value


def _time(part: Object) -> tuple[int, str]:
    """A key that sorts times, written as numbers or as text."""
    found = next((part[key] for key in (*_TIME, *_LOG_TIME) if part.get(key)), "")
    text = str(found)
    return len(text) if text.isdecimal() else 0, text
