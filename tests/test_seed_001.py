"""Seed 001, requirement by requirement: what a tool gives back, and what the model reads of it.

Where the contract `handrail/1` decided otherwise than the article, the docstring says so. What
only a week of recorded traffic can show (how strict a form may be) is the business of
`handrail replay`; here a widened form is seen to be believed.
"""

import inspect
import json
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from pydantic import BaseModel

import seed_001
from handrail import ToolError, checks, guard, guarded_call

Form = dict[str, Any]  # Any: JSON values

CUT = '{"orders": [{"id": "O-1", "total"'
"""What the article's gateway lets through."""


class Order(BaseModel):
    """As the article has it, with its known states."""

    id: str
    total_cents: int
    status: Literal["placed", "shipped", "delivered", "cancelled"]


class Orders(BaseModel):
    """One page of them."""

    orders: list[Order]
    page: int
    has_more: bool


ORDER = {"id": "O-1", "total_cents": 1999, "status": "placed"}


def page(**fields: object) -> str:
    """One page as JSON text."""
    return json.dumps({"orders": [ORDER], "page": 1, "has_more": False, **fields})


def asked(raw: object, check: Callable[..., object] | None = None, **arguments: object) -> Form:
    """What a guarded call gives for this raw result."""
    return guarded_call(lambda **_: raw, Orders, *([check] if check else []), **arguments)


def told(raw: object, returns: object = Orders, **terms: Any) -> str:  # Any: of guard
    """What the model reads for this raw result of a tool."""

    def search_orders(customer_id: str, page: int = 1, page_size: int = 50) -> object:
        return raw

    return str(guard(returns, **terms)(search_orders)("C-9921").for_model())


@pytest.fixture(autouse=True)
def _turn() -> Iterator[None]:
    with guard.turn():
        yield


# ---- the loop that empties the account


def test_seventeen_identical_retries_become_one_call_and_one_honest_answer() -> None:
    """The same cut result, turn 12 to turn 28: the tool runs once, and the model knows why."""
    ran: list[str] = []

    @guard(Orders)
    def search_orders(customer_id: str) -> str:
        ran.append(customer_id)
        return CUT

    answers = [search_orders("C-9921") for _ in range(17)]
    assert ran == ["C-9921"]
    assert {answer.ok for answer in answers} == {False}
    codes = [answer.error.code for answer in answers if answer.error]
    assert codes == ["truncated_response"] * 3 + ["retry_budget_exceeded"] * 14


def test_the_cut_field_is_named_and_a_smaller_question_is_asked_for() -> None:
    """«The field that was cut is orders[0].total; ask a smaller question.»"""
    text = told(CUT)
    assert "/orders/0/total" in text
    assert "will be cut off again. Ask for less: a smaller page_size" in text


def test_a_known_limit_is_named() -> None:
    """Four thousand bytes, which no documentation spoke of."""
    whole = json.dumps({"orders": [ORDER] * 200, "page": 1, "has_more": False})
    assert "after 4000 characters (a usual limit is 4000)" in told(whole[:4000])


# ---- three classes of failure


@pytest.mark.parametrize(
    "raw",
    [
        page(orders=[{**ORDER, "total_cents": "a lot"}]),
        page(orders=[{"id": "O-1", "status": "placed"}]),
        page(orders=[{**ORDER, "status": "returned"}]),
        CUT,
        "Internal Server Error",
    ],
    ids=["wrong type", "missing key", "unseen value", "cut off", "no JSON"],
)
def test_class_1_schema_mismatch(raw: str) -> None:
    """Data came back, and it is not what was promised."""
    assert asked(raw)["error_class"] == "schema_mismatch"


def test_class_1_stops_the_retries() -> None:
    """Ask the user, take another tool, or give up: the old call never helps."""
    text = told(page(orders=[{**ORDER, "status": "returned"}]))
    assert text.endswith("Do not repeat the call; use another tool or tell the user.")


@pytest.mark.parametrize(
    "raw",
    [
        page(has_more=True),
        {"orders": [ORDER] * 3, "page": 1, "total": 47},
        {"orders": [ORDER], "page": 1, "has_more": False, "truncated": True},
    ],
    ids=["pagination", "3 of 47", "time limit"],
)
def test_class_2_partial_data(raw: object) -> None:
    """In order, and not everything: it broke off between pages, at a limit, at a time-out."""
    found = guard()(lambda: json.loads(raw) if isinstance(raw, str) else raw)()
    assert found.error is not None
    assert (found.ok, found.error.error_class) == (True, "partial_data")


def test_class_2_keeps_what_is_there() -> None:
    """Rows stay, and the changed call is given exactly."""
    text = told(page(has_more=True))
    assert text.startswith('{"orders":[{"id":"O-1"')
    assert text.endswith('call search_orders with exactly: {"customer_id": "C-9921", "page": 2}')


def test_class_3_semantic_garbage_by_a_name_in_an_id_field() -> None:
    """Nothing was found, since the model gave a name where an id belongs."""
    search = guard()(lambda customer_id: [])
    error = search("Ann Smith").error
    assert error is not None
    assert (error.error_class, error.code) == ("semantic_garbage", "id_searched_by_name")


def test_class_3_semantic_garbage_by_a_wrong_unit() -> None:
    """The weather came in celsius, and fahrenheit was wanted: valid, complete, and wrong."""
    weather = guard(check=checks.unit("unit", "fahrenheit"))(lambda city: {"t": 21, "unit": "C"})
    error = weather("Rome").error
    assert error is not None
    assert error.error_class == "semantic_garbage"
    assert error.hint == "Ask for fahrenheit, or convert the values before you use them."


def test_class_3_asks_for_another_idea() -> None:
    """Other arguments, another tool, or the user."""
    text = told(page(), check=lambda value: "the orders are those of another customer")
    assert text.endswith(
        "Do not repeat the call; rethink what to ask for, or use another tool or tell the user."
    )


def test_each_class_is_told_in_its_own_way() -> None:
    """A general «the tool failed» would lose the class."""
    odd = {"check": lambda value: "they are odd"}
    texts = {told(CUT), told(page(has_more=True)), told(page(page=2), **odd)}
    assert len(texts) == 3
    assert not any("tool failed" in text for text in texts)


# ---- the guard


def test_tool_error_has_four_fields() -> None:
    """Class, code, one line, and what to try next, which may be absent."""
    error = ToolError(error_class="partial_data", code="more", detail="more exist", hint=None)
    assert error.model_dump() == {
        "error_class": "partial_data",
        "code": "more",
        "detail": "more exist",
        "hint": None,
    }


def test_guarded_call_has_the_article_s_signature() -> None:
    """Its keyword names are part of it."""
    names = list(inspect.signature(guarded_call).parameters)
    assert names == ["tool", "schema", "validate_semantics", "kwargs"]


def test_the_tool_gets_the_arguments() -> None:
    """It does what it does: HTTP, a database, a program."""
    got: list[Form] = []
    guarded_call(
        lambda **kwargs: got.append(kwargs) or page(), Orders, customer_id="C-9921", page=1
    )  # type: ignore[func-returns-value]  # on purpose
    assert got == [{"customer_id": "C-9921", "page": 1}]


def test_no_json_is_a_schema_mismatch() -> None:
    """Code `invalid_json`; what was cut off has a code of its own, as the article's first part
    asks for.
    """
    form = asked("<not json>")
    assert (form["error_class"], form["code"]) == ("schema_mismatch", "invalid_json")
    assert "Do not repeat the call" in form["hint"]
    assert "<not json>" not in json.dumps(form)


def test_a_violation_names_the_first_field() -> None:
    """Code `schema_violation`, and the place with dots."""
    form = asked(page(orders=[{**ORDER, "total_cents": "a lot"}]))
    assert form["code"] == "schema_violation"
    assert form["detail"].startswith("Field `orders.0.total_cents`: ")
    assert "Do not repeat the call" in form["hint"]


def test_the_semantic_check_is_the_third_gate() -> None:
    """It gets the validated model, and what it says is passed on."""
    said = ToolError("semantic_garbage", "odd", "an odd total", "ask for another page")
    seen: list[object] = []
    form = asked(page(), lambda result: seen.append(result) or said)  # type: ignore[func-returns-value]  # on purpose
    assert seen == [Orders.model_validate_json(page())]
    assert form == said.model_dump()


def test_the_semantic_check_is_optional_and_may_find_nothing() -> None:
    """The payload is then the model's dump."""
    payload = Orders.model_validate_json(page()).model_dump(mode="json")
    assert asked(page()) == asked(page(), lambda _: None, n=1) == payload


def test_a_tool_that_raises_is_judged_too() -> None:
    """The article lets it pass; here it is a value like any other failure."""

    def down(**_: object) -> str:
        raise ConnectionResetError("db-3.internal: password=hunter2")

    form = guarded_call(down, Orders)
    assert (form["error_class"], form["code"]) == ("transient", "retry_after")
    assert "hunter2" not in json.dumps(form)


# ---- the article's own program


def _article() -> str:
    text = seed_001.article()
    if text is None:
        pytest.skip(
            "the seeds are not beside this repository; HANDRAIL_SEEDS may name their folder"
        )
    return text


def _run(raw: Callable[..., str]) -> Form:
    names: dict[str, Any] = {"raw_search_orders_api": raw}  # Any: what a program defines
    exec(seed_001.program(_article()), names)
    result: Form = names["result"]
    return result


def test_the_article_s_program_runs_with_only_its_import_changed() -> None:
    """Its models, its check and its call, for each of the four things that it says come back."""
    kept = _run(lambda customer_id, page: globals()["page"]())
    assert kept["orders"] == [ORDER]
    assert _run(lambda **_: CUT)["error_class"] == "schema_mismatch"
    more = _run(lambda **_: page(has_more=True))
    assert (more["error_class"], more["code"]) == ("partial_data", "more_pages_available")
    assert more["hint"] == "Call again with page=2 to continue."
    assert more["data"]["orders"] == [ORDER]
    empty = _run(lambda **_: page(orders=[], has_more=True))
    assert (empty["error_class"], empty["code"]) == ("semantic_garbage", "empty_first_page")
    assert empty["hint"].endswith("Try a broader date range or check the customer_id format.")


@pytest.mark.parametrize(
    "raw",
    [page(), "nothing", page(page="two"), page(has_more=True), page(orders=[], has_more=True)],
    ids=["payload", "no JSON", "violation", "partial", "senseless"],
)
def test_the_article_s_own_guard_gives_the_same_keys_classes_and_codes(raw: str) -> None:
    """Its thirty lines beside ours; partial data has its rows on top."""
    text = _article()
    own = seed_001.listing(
        text, "from typing import Callable", "class ToolError(", "def guarded_call("
    )
    uses = seed_001.program(text).removeprefix(seed_001.IMPORTS)
    names: dict[str, Any] = {"raw_search_orders_api": lambda **_: raw}  # Any: as above
    exec(own + uses, names)
    theirs, ours = names["result"], _run(lambda **_: raw)
    assert set(ours) - {"data"} == set(theirs)
    for field in ("error_class", "code"):
        assert ours.get(field) == theirs.get(field)


# ---- structured errors beside stack traces


def test_no_trace_no_raw_exception_no_bare_server_error() -> None:
    """A trace is for a person at a terminal."""

    def broken(**_: object) -> str:
        raise TypeError("cannot concatenate")

    words = json.dumps(guarded_call(broken, Orders))
    assert not [one for one in ("Traceback", "File ", "TypeError", "concatenate") if one in words]
    assert "Do not repeat the call" in words


def test_a_value_outside_its_set_is_told_with_the_set() -> None:
    """«'shipping' is not one of …»: the model then makes one right call."""
    detail = asked(page(orders=[{**ORDER, "status": "shipping"}]))["detail"]
    for word in ("orders.0.status", "placed", "shipped", "delivered", "cancelled"):
        assert word in detail


# ---- the retry budget beside the guard


def test_a_call_beyond_its_budget_is_refused_and_shown() -> None:
    """Same tool, same arguments, more than three times in a turn: as the article spells it."""
    ran: list[object] = []

    def slow(**_: object) -> str:
        ran.append(1)
        raise TimeoutError

    forms = [guarded_call(slow, Orders, q=1) for _ in range(6)]
    assert len(ran) == 3
    assert {form["code"] for form in forms[:3]} == {"retry_after"}
    assert [(form["error_class"], form["code"]) for form in forms[3:]] == [
        ("schema_mismatch", "retry_budget_exceeded")
    ] * 3


def test_other_arguments_have_a_budget_of_their_own() -> None:
    """Per tool and arguments, whatever their order."""
    fine = guard()(lambda **_: "fine")
    spent = [fine(a=1, b=2).ok for _ in range(3)] + [fine(b=2, a=1).ok]
    assert spent == [True, True, True, False]
    assert fine(a=1, b=3).ok


def test_reads_may_have_a_larger_budget() -> None:
    """Stated by the author."""
    fine = guard(max_identical=5)(lambda: "fine")
    assert [fine().ok for _ in range(6)] == [True] * 5 + [False]


def test_side_effects_have_a_budget_of_one() -> None:
    """Made again only where the last one failed for the moment, and never by itself."""
    ends: list[BaseException | None] = [TimeoutError(), None, None]

    @guard(action_type="write")
    def refund(order_id: str) -> str:
        end = ends.pop(0)
        if end is not None:
            raise end
        return "done"

    assert [refund("O-1").ok for _ in range(3)] == [False, True, False]
    assert len(ends) == 1


def test_the_budget_is_of_one_turn() -> None:
    """What goes round across turns is for the run ledger of a toolbox, which is another thing."""
    fine = guard(max_identical=1)(lambda: "fine")
    ends = []
    for _ in range(2):
        with guard.turn():
            ends.append([fine().ok, fine().ok])
    assert ends == [[True, False], [True, False]]


# ---- validators that are too strict


class Customer(BaseModel):
    """Widened where the traffic is legitimately strange."""

    surname: str | None
    orders: list[str]
    currency: Literal["EUR", "USD"] | str


def test_legitimate_edge_cases_pass_a_widened_form() -> None:
    """No surname, an order without items after a return, a currency nobody has seen."""
    raw = {"surname": None, "orders": [], "currency": "XAF"}
    assert guarded_call(lambda: json.dumps(raw), Customer) == raw


def test_what_was_rejected_can_be_looked_at() -> None:
    """The operator reads what came back; the model does not."""

    def strange() -> dict[str, object]:
        return {"surname": None, "orders": "O-1", "currency": "EUR"}

    found = guard(Customer)(strange)()
    assert "O-1" in (found.result.host_advice or "")


def test_a_healthy_tool_is_never_called_broken() -> None:
    """Else the model stops trusting it, and asks the user at every call."""
    for raw in ("done", "no errors found", '"error" is a word', [], {}, 0, "error: none", None):
        assert guard()(lambda raw=raw: raw)().ok
