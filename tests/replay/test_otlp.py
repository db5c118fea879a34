"""OpenTelemetry data as plain values.

The batches have the form that `opentelemetry-exporter-otlp` encodes (opentelemetry-proto as
JSON), the single spans that of the Python SDK's console exporter.
"""

import pytest

from handrail.replay.otlp import is_telemetry, signals

TYPED = [
    {"key": "text", "value": {"stringValue": "x"}},
    {"key": "number", "value": {"intValue": "-7"}},
    {"key": "real", "value": {"doubleValue": 0.5}},
    {"key": "flag", "value": {"boolValue": True}},
    {"key": "list", "value": {"arrayValue": {"values": [{"stringValue": "a"}, {"intValue": 1}]}}},
    {"key": "map", "value": {"kvlistValue": {"values": [
        {"key": "k", "value": {"arrayValue": {}}},
    ]}}},
    {"key": "empty", "value": {}},
]  # fmt: skip
PLAIN = {"text": "x", "number": -7, "real": 0.5, "flag": True, "list": ["a", 1]}
PLAIN |= {"map": {"k": []}, "empty": {}}


def span(name: str, start: str, **fields: object) -> dict[str, object]:
    """A span of OTLP/JSON."""
    return {"traceId": "t", "spanId": name, "name": name, "startTimeUnixNano": start, **fields}


def batch(*spans: dict[str, object]) -> dict[str, object]:
    """Spans as an exporter sends them."""
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": [*spans]}]}]}


def test_typed_values_become_plain_ones() -> None:
    """64-bit integers are text in OTLP/JSON."""
    (found,) = signals(batch(span("s", "1", attributes=TYPED)))
    assert (found.trace, found.span, found.name) == ("t", "s", "s")
    assert found.attributes == PLAIN


def test_spans_come_by_their_time() -> None:
    """An exporter sends the inner ones first, since they end first."""
    found = signals(batch(span("c", "1000"), span("b", "999"), span("a", "20")))
    assert [one.name for one in found] == ["a", "b", "c"]


def test_printed_span_is_read() -> None:
    """Its ids are in a context, and its attributes are an object."""
    context = {"trace_id": "0xt", "span_id": "0xs", "trace_state": "[]"}
    row = {"name": "n", "context": context, "attributes": {"a": [1]}, "status": {}}
    assert is_telemetry(row)
    (found,) = signals({**row, "events": [{"name": "e", "attributes": {"b": 2}}]})
    assert (found.trace, found.span, found.attributes) == ("0xt", "0xs", {"a": [1]})
    assert [(one.name, one.attributes) for one in found.events] == [("e", {"b": 2})]


@pytest.mark.parametrize(
    "record",
    [
        {"eventName": "gen_ai.choice"},
        {"event_name": "gen_ai.choice"},
        {"attributes": [{"key": "event.name", "value": {"stringValue": "gen_ai.choice"}}]},
    ],
)
def test_log_records_have_names_and_bodies(record: dict[str, object]) -> None:
    """The name has moved over the years."""
    body = {"kvlistValue": {"values": [{"key": "index", "value": {"intValue": "0"}}]}}
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": [{**record, "body": body}]}]}]}
    (found,) = signals(logs)
    assert (found.name, found.body) == ("gen_ai.choice", {"index": 0})


@pytest.mark.parametrize(
    ("fields", "failed"),
    [
        ({}, False),
        ({"status": {"code": 2}}, True),
        ({"status": {"code": "STATUS_CODE_ERROR"}}, True),
        ({"status": {"status_code": "ERROR"}}, True),
        ({"status": {"code": 1}}, False),
        ({"attributes": [{"key": "error.type", "value": {"stringValue": "timeout"}}]}, True),
    ],
)
def test_failure_is_told_by_status_or_error_type(fields: dict[str, object], failed: bool) -> None:
    """Exporters write the code as a number or by name."""
    (found,) = signals(batch(span("s", "1", **fields)))
    assert found.failed is failed


def test_other_rows_are_no_telemetry() -> None:
    """Attributes alone are not enough, nor is an id alone."""
    rows = [{"attributes": {}}, {"traceId": "t"}, {"resourceSpans": 1}, {}]
    assert [is_telemetry(row) for row in rows] == [False] * 4
    assert is_telemetry(batch())
