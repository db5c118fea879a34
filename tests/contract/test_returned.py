"""One judgement over whatever a tool gave back."""

import json
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from handrail import Coverage, Severity, Status, Tool, ToolError, ToolResult
from handrail.contract.output import Output, result_of
from handrail.contract.output_codes import OUTPUTS
from handrail.contract.returned import judge_output
from handrail.contract.verdict import VERDICTS
from snapshots import matches_snapshot

SECRET = "sk-" + "a1B2c3D4" * 5
AT = 1_000_000.0
ASKED = {"customer_id": "C-9921", "page": 1}


class Order(BaseModel):
    """One order of the article."""

    id: str
    total_cents: int
    status: Literal["placed", "shipped", "delivered", "cancelled"]


class SearchOrdersResult(BaseModel):
    """A page of orders (seed 001)."""

    orders: list[Order]
    page: int
    has_more: bool


def declared(customer_id: str, page: int = 1) -> SearchOrdersResult:
    """List the orders of a customer."""
    raise NotImplementedError


def undeclared(customer_id: str, page: int = 1) -> object:
    """List the orders of a customer."""
    raise NotImplementedError


def tool(fn: Callable[..., Any] = undeclared, **terms: object) -> Tool:
    """The search of the article."""
    return Tool.from_function(fn, **{"name": "search_orders", **terms})


def judged(value: object, fn: Callable[..., Any] = undeclared, **terms: object) -> Output:
    """What is found in a result."""
    return judge_output(tool(fn, **terms), value, ASKED, at=AT)


def told(value: object, fn: Callable[..., Any] = undeclared, **terms: object) -> ToolResult:
    """The result as the model gets it."""
    one = tool(fn, **terms)
    return result_of(one, judge_output(one, value, ASKED, at=AT), call_id="c")


def page(status: int, text: str, **headers: str) -> SimpleNamespace:
    """A response of an HTTP client."""
    return SimpleNamespace(status_code=status, text=text, headers=headers)


ORDER = {"id": "O-1", "total_cents": 1, "status": "placed"}
HTML = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>x</body></html>"
PROBLEM = json.dumps(
    {"type": "https://a.test/out-of-credit", "title": "Out of credit", "detail": "30 missing"}
)


class Case:
    """One way in which a result is not simply fine."""

    def __init__(self, row: str, value: object, fn: Any = undeclared, code: str = "", **terms: Any):
        self.row, self.value, self.fn, self.terms = row, value, fn, terms
        self.code = code or row


CASES = {
    "cut json, declared": Case("truncated_response", '{"orders": [{"id": "O-1", "tot', declared),
    "cut json, undeclared": Case("truncated_response", '{"orders": [{"id": "O-1", "total"'),
    "cut at a limit": Case("truncated_response", '{"text": "' + "x" * 3990),
    "no json": Case("invalid_json", "Orders: O-1 (placed)", declared),
    "unseen status": Case(
        "schema_violation",
        {"orders": [ORDER, {**ORDER, "status": "returned"}], "page": 1, "has_more": False},
        declared,
    ),
    "renamed field": Case(
        "schema_violation",
        {"orders": [{"id": "O-1", "total": 1, "status": "placed"}] * 3, "page": 1,
         "has_more": False},
        declared,
    ),
    "html, declared": Case("html_error_page", "<html><title>Maintenance</title></html>", declared),
    "html with 200": Case("html_error_page", page(200, HTML)),
    "problem": Case("problem", page(402, PROBLEM), code="out-of-credit"),
    "error key": Case("reported_error", {"error": f"no index\n\u2022 {SECRET}"}),
    "error key, declared": Case("reported_error", {"error": "no index"}, declared),
    "success false": Case("reported_error", {"success": False, "message": "no index"}),
    "returncode": Case("reported_error", {"returncode": 2, "stderr": "no such file"}),
    "mcp": Case("reported_error", {"content": [{"type": "text", "text": "no"}], "isError": True}),
    "failed when": Case("reported_error", {"state": "void"}, failed_when={"state": "void"}),
    "401": Case("permission", page(401, '{"message": "token expired"}')),
    "404": Case("not_found", page(404, "no such customer")),
    "409": Case("conflict", page(409, "")),
    "422": Case("rejected", page(422, '{"detail": "page must be below 100"}')),
    "500": Case("internal", page(500, "Traceback: db.internal")),
    "429": Case("retry_after", page(429, "", **{"Retry-After": "30"})),
    "503 in a dict": Case("retry_after", {"status": 503}),
    "more pages": Case("more_pages", {"orders": [ORDER], "page": 1, "has_more": True}, declared),
    "3 of 47": Case("incomplete", {"orders": [ORDER] * 3, "total_count": 47}),
    "truncated": Case("incomplete", {"orders": [ORDER], "truncated": True}),
    "empty first page": Case("empty_first_page", {"orders": [], "page": 1, "has_more": True}),
    "nothing found": Case("nothing_found", {"orders": [], "has_more": False}),
    "nothing, and that is wrong": Case("empty_result", [], empty="error"),
    "a check in words": Case("semantic", {"t": 300}, check_output=lambda v, a: "300 C is no air"),
    "a check's own error": Case(
        "semantic",
        {"unit": "F"},
        code="wrong_unit",
        check_output=lambda v, a: ToolError(
            "semantic_garbage", "wrong_unit", "the unit is F, asked was C", "Convert it yourself."
        ),
    ),
    "a question": Case(
        "need_user_input",
        {"need_user_input": True, "question": "Which Ann?", "candidates": ["Ann A", "Ann B"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_every_row_is_found_and_told(name: str) -> None:
    """Class, code, status and coverage by the tables; the text as a snapshot."""
    case = CASES[name]
    result = told(case.value, case.fn, **case.terms)
    verdict = VERDICTS[OUTPUTS[case.row].verdict]
    assert result.code == case.code
    assert result.error_class == (verdict.error_class or None)
    assert (result.status, result.is_error) == (verdict.status, verdict.is_error)
    assert result.coverage == verdict.coverage
    assert result.complete is (result.error_class != "partial_data")
    assert result.advice.reason
    assert SECRET not in result.content
    assert "db.internal" not in result.content
    assert matches_snapshot(result.content, f"result_{name.replace(' ', '_').replace(',', '')}")


def test_every_row_has_a_case() -> None:
    """Those of exceptions and faults of checks are tested beside this."""
    elsewhere = {"unshowable", "id_searched_by_name", "impossible_filter", "unchecked"}
    assert {case.row for case in CASES.values()} | elsewhere == set(OUTPUTS)


@pytest.mark.parametrize(
    "value",
    [
        "Transfer successful",
        "Error: flight HAT030 not available on date 2024-05-13",
        "Speed test failed: No Connection.",
        "Traceback (most recent call last):",
        "[INFO] up",
        "[1] see below",
        "{name} was not found",
        "3 of 47 shown, more on page 2",
        "<html><title>A page that was asked for</title></html>",
        "<note>x</note>",
        "null",
        "12",
        '{"a": 1}',
        {"message": "everything failed with an error"},
        {"error_class": "tool_failed", "code": "x"},
        {"id": 1, "status": "error", "error": None},
        {"errors": [{"line": 3}], "file": "a.py"},
        {"items": [{"price": 3}], "total": 47},
        [{"error": "a row of a log"}],
        0,
        False,
        1.5,
    ],
)
def test_a_good_result_is_never_called_a_failure(value: object) -> None:
    """Structure alone decides, and a text has none."""
    result = told(value)
    assert (result.status, result.is_error, result.error_class) == (Status.OK, False, None)
    assert result.content == (
        value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    )


def test_rows_of_partial_data_are_kept_and_the_next_call_is_exact() -> None:
    """Seed 001, class 2: keep what there is; another call may bring more."""
    result = told({"orders": [ORDER], "page": 1, "has_more": True}, declared)
    assert result.data == {"orders": [ORDER], "page": 1, "has_more": True}
    assert result.advice.next == "retry_changed"
    assert result.advice.arguments == {"customer_id": "C-9921", "page": 2}
    assert json.dumps(result.data, separators=(",", ":")) in result.content
    assert 'call search_orders with exactly: {"customer_id": "C-9921", "page": 2}' in result.content


def test_rows_before_a_fault_of_their_source_are_kept() -> None:
    """The model reads that they are not all; the operator why."""

    def rows() -> Iterator[dict[str, int]]:
        yield {"n": 1}
        raise ConnectionResetError("db.internal")

    result = told(rows())
    assert (result.data, result.code, result.complete) == ([{"n": 1}], "incomplete", False)
    assert "db.internal" not in result.content
    assert "db.internal" in (result.host_advice or "")


def test_a_declared_form_that_fits_wins_over_guesses() -> None:
    """`success: false` in a valid result is data, unless the contract names it."""

    class Sent(BaseModel):
        success: bool
        error: str

    def send(customer_id: str, page: int) -> Sent:
        """Send."""
        raise NotImplementedError

    value = {"success": False, "error": "no stock"}
    assert told(value, send).status is Status.OK
    assert told(value, send, failed_when={"success": False}).code == "reported_error"
    built = Sent(success=False, error="x")
    assert told(built, send).status is Status.OK
    assert told(built, send, failed_when={"success": False}).code == "reported_error"


def test_a_flag_that_the_declared_form_drops_is_seen() -> None:
    """Models leave out what they do not name; that more exists is not lost with it."""

    class Bare(BaseModel):
        orders: list[str]

    def bare(customer_id: str, page: int = 1) -> Bare:
        """List."""
        raise NotImplementedError

    result = told({"orders": ["O-1"], "has_more": True, "total": 9}, bare, facts={"n": "/total"})
    assert (result.data, result.code) == ({"orders": ["O-1"]}, "more_pages")
    assert result.facts == {"n": 9}


def test_a_source_that_breaks_off_at_once_has_failed() -> None:
    """There are no rows to keep, so it is what it raised."""

    def rows() -> Iterator[int]:
        raise ConnectionResetError("db.internal")
        yield 1

    result = told(rows())
    assert (result.error_class, result.code) == ("transient", "retry_after")
    assert "db.internal" not in result.content


def test_a_wait_is_passed_on_with_its_date_understood() -> None:
    """RFC 9110: `at` is when the answer came."""
    date = "Mon, 12 Jan 1970 13:48:10 GMT"
    result = told(page(503, "", **{"Retry-After": date}))
    assert (result.advice.next, result.advice.retry_after) == ("retry_same", 1_090.0 - 1_000.0)
    assert "after 90 seconds" in result.content


def test_the_last_tool_of_a_group_has_failed_the_goal() -> None:
    """Coverage FAILED where no other tool of the group is left; else that one is named."""
    one = tool(declared, group="orders")
    alone = judge_output(one, "no json", ASKED, others=[])
    beside = judge_output(one, "no json", ASKED, others=["find_orders"])
    assert (alone.coverage, alone.advice.next) == (Coverage.FAILED, "stop")
    assert (beside.coverage, beside.advice.tool) == (Coverage.NEEDS_MORE_TOOLS, "find_orders")
    assert "such as find_orders" in str(beside.told)
    assert "another tool" not in str(alone.told)


def test_senseless_searches_are_told_what_to_check() -> None:
    """An id that is a name; arguments that exclude each other."""
    found = judge_output(tool(), [], {"customer_id": "John Smith"})
    assert (found.code, found.error_class) == ("id_searched_by_name", "semantic_garbage")
    assert 'customer_id was given "John Smith"' in str(found.told)
    found = judge_output(tool(), [], {"customer_id": "C-1", "min_total": 9, "max_total": 3})
    assert found.code == "impossible_filter"
    assert "min_total 9 is after max_total 3" in str(found.told)


@pytest.mark.parametrize(
    ("empty", "action", "code", "is_error"),
    [
        ("advise", "read", "nothing_found", False),
        ("ok", "read", None, False),
        ("error", "read", "empty_result", True),
        ("advise", "write", None, False),
        ("error", "write", "empty_result", True),
    ],
)
@pytest.mark.parametrize("value", [[], {}, "", None, {"items": []}, "[]"])
def test_empty_results_by_contract(
    value: object, empty: str, action: str, code: str | None, is_error: bool
) -> None:
    """A write that returns nothing did what it should."""
    found = judged(value, empty=empty, action_type=action)
    assert (found.code, found.is_error) == (code, is_error)


def test_facts_are_taken_from_the_declared_paths() -> None:
    """From values and from JSON in a text; not from failures."""
    terms = {"facts": {"total": "/total", "first": "/rows/0/id", "lost": "/x"}}
    value = {"total": 2, "rows": [{"id": "a"}]}
    assert told(value, **terms).facts == {"total": 2, "first": "a"}
    assert told(json.dumps(value), **terms).facts == {"total": 2, "first": "a"}
    assert told({"error": "no", "total": 2}, **terms).facts == {}


# ---- checks


def test_a_check_gets_the_declared_form_and_the_arguments() -> None:
    """The model where one is declared, else the JSON that the result holds."""
    got: list[object] = []

    def check(value: Any, args: Any) -> None:
        got.extend((value, args))

    whole = {"orders": [], "page": 2, "has_more": False}
    judged(whole, declared, check_output=check)
    judged('{"a": 1}', check_output=check)
    judged("text", check_output=check)
    assert got == [SearchOrdersResult(**whole), ASKED, {"a": 1}, ASKED, "text", ASKED]


def test_a_check_that_raises_is_its_own_fault() -> None:
    """The data is delivered with a warning; the operator reads why."""

    def check(value: Any, args: Any) -> None:
        raise KeyError("db.internal")

    result = told({"a": 1}, check_output=check)
    assert (result.status, result.data) == (Status.OK, {"a": 1})
    assert result.content == '{"a":1}\n\nNote:\n- This result could not be checked'
    assert [issue.severity for issue in result.issues] == [Severity.WARNING]
    assert "db.internal" in (result.host_advice or "")


def test_a_check_that_must_be_awaited_is_a_lookup() -> None:
    """It is called with the arguments, the value is there already."""

    async def check(value: object, args: object) -> None: ...

    found = judged({"a": 1}, check_output=check)
    (lookup,) = found.lookups
    assert lookup.func is check  # type: ignore[attr-defined]  # a partial
    assert lookup.args == ({"a": 1},)  # type: ignore[attr-defined]  # a partial
    assert judged({"error": "no"}, check_output=check).lookups == ()


def test_a_checks_partial_data_keeps_rows_and_next_arguments() -> None:
    """The article's own check (seed 001)."""

    def check(value: SearchOrdersResult, args: object) -> ToolError | None:
        if value.has_more:
            return ToolError("partial_data", "more_pages_available", "more exist", "Ask again.")
        return None

    whole = {"orders": [ORDER], "page": 1, "has_more": True}
    result = told(whole, declared, check_output=check)
    assert (result.code, result.error_class) == ("more_pages_available", "partial_data")
    assert (result.data, result.complete, result.is_error) == (whole, False, False)
    assert result.advice.arguments == {"customer_id": "C-9921", "page": 2}
    assert "more exist. Ask again." in result.content


def test_rows_survive_every_partial_result() -> None:
    """Whatever says that there is more."""
    for sign in (
        {"has_more": True},
        {"truncated": True},
        {"total_count": 99},
        {"next_cursor": "c"},
    ):
        value = {"rows": [{"id": 1}, {"id": 2}], **sign}
        result = told(value)
        assert (result.data, result.error_class) == (value, "partial_data")
        assert '{"id":2}' in result.content
