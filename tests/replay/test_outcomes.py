"""What really came of a call: the log's word first, then the structure of the result."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.tool import Tool
from handrail.replay.outcomes import Came, came_of, judged_result

SCHEMA = {"type": "object", "properties": {}}
FIND = Tool.from_json_schema("find", "Find.", SCHEMA)


@pytest.mark.parametrize(
    ("result", "error", "came"),
    [
        ("rows", False, Came(True, stated=True)),
        ("rows", "", Came(True, stated=True)),
        ("rows", True, Came(False, stated=True)),
        (None, "TimeoutError: late", Came(False, stated=True)),
        (None, None, Came(None)),
        ("Error: no such user", None, Came(True)),
        ('{"error": "no such user"}', None, Came(False)),
        ({"status_code": 503}, None, Came(False)),
        ("", None, Came(True)),
    ],
)
def test_came_of(result: object, error: object, came: Came) -> None:
    """Words in a text say nothing; a stated failure does."""
    assert came_of(result, error) == came


@pytest.mark.parametrize(
    ("result", "error", "error_class", "code"),
    [
        ("rows", False, None, None),
        ("rows", None, None, None),
        ("no such user", True, "tool_failed", "reported_error"),
        (None, "no such user", "tool_failed", "reported_error"),
        (None, "TimeoutError: after 30 s", "transient", "retry_after"),
        (None, "httpx.ReadTimeout('')", "transient", "retry_after"),
        (None, "ValueError", "tool_failed", "internal"),
        ({"status_code": 503}, True, "transient", "retry_after"),
        ({"isError": True, "content": []}, None, "tool_failed", "reported_error"),
    ],
)
def test_judged_result(
    result: object, error: object, error_class: str | None, code: str | None
) -> None:
    """By structure, else by the name of an exception, else by the mark alone."""
    output = judged_result(FIND, result, error, None)
    assert output is not None
    assert (output.error_class, output.code) == (error_class, code)


def test_nothing_to_judge() -> None:
    """A call whose result nobody recorded."""
    assert judged_result(FIND, None, None, None) is None


def test_a_declared_form_is_enforced() -> None:
    """Also on text that holds JSON."""
    tool = Tool.from_json_schema(
        "find", "Find.", SCHEMA, output_schema={"type": "object", "required": ["total"]}
    )
    broken = judged_result(tool, '{"rows": []}', False, None)
    fine = judged_result(tool, '{"total": 1}', False, None)
    assert broken is not None
    assert fine is not None
    assert (broken.code, fine.code) == ("schema_violation", None)


@given(st.text(), st.booleans() | st.none() | st.text())
def test_nothing_breaks_it(result: str, error: object) -> None:
    """Logs hold anything."""
    assert judged_result(FIND, result, error, None) is not None
    assert came_of(result, error).accepted in (True, False)
