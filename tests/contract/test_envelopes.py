"""Failures and questions known by structure; never by words."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.envelopes import (
    SAID,
    failed_by,
    is_page,
    page_said,
    question_in,
    said_in,
    stated_failure,
)

SECRET = "sk-" + "a1B2c3D4" * 5


@pytest.mark.parametrize(
    ("value", "code", "said"),
    [
        ({"error": "no stock"}, "reported_error", "no stock"),
        ({"error": {"message": "no stock", "code": "E7"}}, "reported_error", "E7: no stock"),
        ({"error": True, "message": "no"}, "reported_error", "no"),
        ({"success": False, "message": "no"}, "reported_error", "no"),
        ({"valid": False, "error": "bad", "suggestions": ["x"]}, "reported_error",
         'bad {"suggestions": ["x"]}'),
        ({"errors": [{"message": "a"}, {"message": "b"}], "data": None}, "reported_error", "a: b"),
        ({"returncode": 2, "stdout": "", "stderr": "no file\n"}, "reported_error",
         "returncode 2: no file"),
        ({"exit_code": 1}, "reported_error", "exit_code 1"),
        ({"isError": True, "message": "no"}, "reported_error", "no"),
        ({"status": 503}, "retry_after", ""),
        ({"status_code": 404, "message": "gone"}, "not_found", "gone"),
        ({"status": 404, "error": "Not Found", "path": "/x"}, "not_found",
         'Not Found {"path": "/x"}'),
        ({"type": "https://api.test/out-of-credit", "title": "Out of credit", "status": 402,
          "detail": "30 missing"}, "out-of-credit", "Out of credit: 30 missing"),
        ({"type": "about:blank", "title": "Gone", "status": 410}, "not_found", "Gone"),
        ({"title": "Broken", "status": 500}, "problem", "Broken"),
        ({"title": "Busy", "status": 503, "detail": "later"}, "retry_after", "Busy: later"),
    ],
)  # fmt: skip
def test_a_stated_failure_is_known(value: dict[str, Any], code: str, said: str) -> None:
    """With the tool's own words on one line."""
    found = stated_failure(value)
    assert found is not None
    assert (found.code, found.said) == (code, said)


@pytest.mark.parametrize(
    "value",
    [
        {"error": ""},
        {"error": None},
        {"error": False},
        {"error": 0.02, "fit": "linear"},
        {"error": []},
        {"errors": []},
        {"errors": [{"line": 3}], "file": "a.py"},
        {"errors": ["late"], "data": {"rows": [1]}},
        {"success": True},
        {"success": 0},
        {"returncode": 0},
        {"returncode": True},
        {"status": 500},
        {"url": "https://a.test/x", "status_code": 404},
        {"status": "503"},
        {"status": 200, "title": "x"},
        {"error_class": "tool_failed", "code": "x", "detail": "y"},
        {"message": "An error occurred and everything failed"},
        {"log": "ERROR error Error", "level": "error"},
        {"status": "error"},
        {"ok": False},
        {"valid": False},
    ],
)
def test_data_is_data(value: dict[str, Any]) -> None:
    """Words in texts, figures called error, reports that list errors."""
    assert stated_failure(value) is None


def test_the_contract_names_its_failures() -> None:
    """Equal values of the same type; any of several."""
    assert failed_by({"ok": False}, {"ok": False}) == "ok"
    assert failed_by({"ok": 0}, {"ok": False}) is None
    assert failed_by({"state": "lost"}, {"ok": False, "state": ["lost", "void"]}) == "state"
    assert failed_by({"state": "sent"}, {"state": ["lost", "void"]}) is None
    assert failed_by([1], {"ok": False}) is None


def test_what_a_tool_says_is_redacted_and_bounded() -> None:
    """And cannot forge a line."""
    said = said_in({"error": f"bad key {SECRET}\n\u2022 /x (VAL-001)", "password": "hunter2"})
    assert SECRET not in said
    assert "hunter2" not in said
    assert "\n" not in said
    assert len(said_in({"error": "x" * 9_000})) <= SAID
    assert len(said_in({"error": "no", "rest": "y" * 9_000})) <= SAID + 40


PAGE = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"


def test_pages_are_known_by_their_beginning() -> None:
    """And told by their title."""
    assert is_page(PAGE)
    assert is_page('\n<?xml version="1.0"?>\n<html>')
    assert not is_page("text about <html>")
    assert not is_page("<htmlish>")
    assert page_said(PAGE) == "502 Bad Gateway"
    assert page_said(PAGE, failing=True) == "502 Bad Gateway"
    assert page_said("<html><title>Recipes</title>", failing=True) is None
    assert page_said("<html><title>Recipes</title>") == "Recipes"
    assert page_said("<html>") == ""


@pytest.mark.parametrize(
    ("value", "question"),
    [
        ({"need_user_input": True, "question": "Which Ann?"}, "Which Ann?"),
        ({"need_user_input": {"prompt": "Which Ann?", "fields": []}}, "Which Ann?"),
        ({"need_user_input": "Which Ann?"}, "Which Ann?"),
        ({"status": "need_user_input"}, ""),
        ({"type": "need_user_input", "message": "Which?"}, "Which?"),
        ({"ambiguous": True, "candidates": [{"id": 1}, {"id": 2}]}, ""),
        ({"status": "ambiguous", "candidates": ["a", "b"], "message": "Which?"}, "Which?"),
    ],
)
def test_a_question_to_the_user_is_known(value: dict[str, Any], question: str) -> None:
    """An envelope, or an ambiguity with several candidates (seed 003)."""
    assert question_in(value) == question


@pytest.mark.parametrize(
    "value",
    [
        {"need_user_input": False},
        {"ambiguous": True, "candidates": [{"id": 1}]},
        {"ambiguous": True},
        {"candidates": ["a", "b"]},
        {"message": "need_user_input"},
        {"question": "Which?"},
    ],
)
def test_other_questions_are_data(value: dict[str, Any]) -> None:
    """One candidate is no ambiguity, and a question may be what was asked for."""
    assert question_in(value) is None


KEYS = st.sampled_from(
    [
        *("error", "errors", "success", "returncode", "exit_code", "isError", "status"),
        *("status_code", "type", "title", "detail", "need_user_input", "ambiguous"),
        *("candidates", "message", "data"),
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 600) | st.text(max_size=6) | st.just(float("nan")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(KEYS, VALUES, max_size=6))
def test_no_object_breaks_the_reading(value: dict[str, Any]) -> None:
    """Whatever stands under these names."""
    found = stated_failure(value)
    assert found is None or ("\n" not in found.said and len(found.said) <= 2 * SAID)
    assert question_in(value) is None or isinstance(question_in(value), str)
