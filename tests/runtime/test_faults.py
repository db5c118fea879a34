"""Faults of readers are told to the operator."""

import logging

import pytest

from handrail import Toolbox, ToolCall
from handrail.protocol.journal import Entry
from handrail.runtime.faults import subscriber_failed


def test_the_fault_is_logged_with_its_trace(caplog: pytest.LogCaptureFixture) -> None:
    """On the runtime's logger, as an error."""
    error = ValueError("disk full")
    subscriber_failed(error)
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("handrail.runtime", logging.ERROR)
    assert record.exc_info is not None
    assert record.exc_info[1] is error


def test_a_call_does_not_notice_a_broken_reader(caplog: pytest.LogCaptureFixture) -> None:
    """Its result is what it would have been."""

    def broken(entry: Entry) -> None:
        raise OSError("disk full")

    def ping(n: int) -> int:
        """Give it back."""
        return n

    with Toolbox([ping], subscribers=[broken]).turn() as turn:
        result = turn.answer_sync(ToolCall("c", "ping", '{"n": 1}'))
    assert result.content == "1"
    errors = {record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR}
    assert errors == {"A subscriber of the journal raised"}
