"""One function behind the contract of its results."""

import asyncio
import functools
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from handrail import ContractError, ProtocolError, ToolError, checks, guard, guarded_call


class Page(BaseModel):
    """What the tool promises."""

    orders: list[str]
    page: int = 1
    has_more: bool = False


GOOD = '{"orders": ["O-1"]}'
CUT = '{"orders": ["O-1", "O-'


@pytest.fixture(autouse=True)
def _window() -> Iterator[None]:
    """Tests do not count each other's calls."""
    with guard.turn():
        yield


# ---- the decorator


def test_a_bare_guard_takes_the_annotation() -> None:
    """Enforced, since it is a model."""

    @guard
    def search(customer_id: str) -> Page:
        """Search."""
        return {"orders": "none"}  # type: ignore[return-value]  # wrong on purpose

    found = search("C-1")
    assert not found.ok
    assert found.error is not None
    assert found.error.code == "schema_violation"


def test_a_guarded_function_keeps_its_face() -> None:
    """Name, docstring, signature."""

    @guard(Page)
    def search(customer_id: str) -> str:
        """Search."""
        return GOOD

    assert (search.__name__, search.__doc__) == ("search", "Search.")  # type: ignore[attr-defined]  # of a function


@pytest.mark.parametrize(
    "value",
    [GOOD, GOOD.encode(), {"orders": ["O-1"]}, Page(orders=["O-1"])],
)
def test_any_kind_of_result_is_judged(value: object) -> None:
    """Text, bytes, JSON values, models."""
    found = guard(Page)(lambda: value)()
    assert (found.ok, found.data["orders"], found.error) == (True, ["O-1"], None)


@pytest.mark.parametrize("value", ["plain words", 7, None, [1, 2], {"a": 1}, (1, 2)])
def test_nothing_is_demanded_where_nothing_is_declared(value: object) -> None:
    """Plain text is welcome."""
    assert guard()(lambda: value)().ok


def test_rows_come_one_after_the_other() -> None:
    """A generator is read to its end, and what it raised after some rows loses none of them."""

    @guard
    def rows() -> Iterator[int]:
        yield from (1, 2)
        raise ConnectionResetError

    found = rows()
    assert found.ok
    assert found.data == [1, 2]
    assert found.error is not None
    assert found.error.error_class == "partial_data"


def test_what_is_raised_comes_back_as_a_value(caplog: pytest.LogCaptureFixture) -> None:
    """Its text goes to the operator, never to the model."""

    @guard
    def search(customer_id: str) -> str:
        raise RuntimeError("password=hunter2 at db-3.internal")

    with caplog.at_level(logging.ERROR, "handrail"):
        found = search("C-1")
    assert not found.ok
    assert found.error is not None
    assert (found.error.error_class, found.error.code) == ("tool_failed", "internal")
    assert "hunter2" not in found.for_model() + repr(found.error)
    assert "RuntimeError" in (found.result.host_advice or "")
    assert [record.message for record in caplog.records] == ["Tool handler raised"]


def test_a_call_that_python_refuses_is_a_failure_of_the_call() -> None:
    """A model's arguments may be passed on as they are."""
    found = guard(lambda customer_id: GOOD)(customer="C-1")  # type: ignore[call-arg]  # on purpose
    assert found.error is not None
    assert found.error.error_class == "tool_failed"


def test_cancellation_and_exits_pass_through() -> None:
    """And the run that did not end is given back."""
    ended: list[type[BaseException]] = [KeyboardInterrupt] * 4

    @guard
    def search() -> str:
        if ended:
            raise ended.pop()
        return "found"

    for _ in range(4):
        with pytest.raises(KeyboardInterrupt):
            search()
    assert search().data == "found"


async def test_async_functions_are_awaited() -> None:
    """Results, exceptions and cancellation as in sync ones."""

    @guard(Page)
    async def search(page: int) -> str:
        await asyncio.sleep(60 if page > 2 else 0)
        if page == 2:
            raise TimeoutError
        return GOOD

    assert (await search(1)).data["orders"] == ["O-1"]
    error = (await search(2)).error
    assert error is not None
    assert error.error_class == "transient"
    for _ in range(4):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await search(3)


def test_what_must_be_awaited_needs_an_async_function() -> None:
    """A guard that is not async cannot wait, and says so."""

    async def search() -> str:
        return GOOD

    with pytest.raises(ProtocolError, match="guard an `async def`"):
        guard(Page)(lambda: search())()


async def test_async_checks_are_awaited() -> None:
    """One or several, and one that raises is at fault itself."""

    async def bare(value: Page) -> ToolError | None:
        return ToolError("semantic_garbage", "odd", "odd") if value.orders == ["O-1"] else None

    async def broken(value: Page, args: object) -> None:
        raise KeyError("secret")

    async def search() -> str:
        return GOOD

    codes = []
    for check in (bare, [checks.not_empty("orders"), bare], broken, [broken, bare]):
        found = await guard(Page, check=check)(search)()  # type: ignore[arg-type]  # a list of both
        codes.append(found.result.code)
        assert "secret" not in found.for_model()
        with_search = guard(Page)(search)
        with_search.reset()
    assert codes == ["odd", "odd", None, "odd"]


def test_checks_take_the_value_or_the_value_and_the_arguments() -> None:
    """As seed 001 writes them, and as tools have them."""
    seen: list[object] = []

    def alone(value: Page) -> None:
        seen.append(value)

    def both(value: Page, args: dict[str, Any]) -> str | None:  # Any: JSON values
        seen.append(args)
        return "too few"

    search = guard(Page, check=[alone, both])(lambda customer_id: GOOD)
    found = search("C-1")
    assert seen == [Page(orders=["O-1"]), {"customer_id": "C-1"}]
    assert found.error is not None
    assert found.error.code == "semantic"
    assert guard(Page, check=[])(lambda: GOOD)().ok
    assert guard(Page, check=functools.partial(both, args={}))(lambda: GOOD)().error is not None


def test_methods_can_be_guarded() -> None:
    """Each object's calls are its own."""

    class Shop:
        def __init__(self, name: str) -> None:
            self.name, self.ran = name, 0

        @guard
        def search(self, customer_id: str) -> str:
            self.ran += 1
            return self.name

    one, other = Shop("one"), Shop("other")
    names = [[shop.search("C-1").data for _ in range(5)] for shop in (one, other)]
    assert names == [["one"] * 3 + [None] * 2, ["other"] * 3 + [None] * 2]
    assert (one.ran, other.ran) == (3, 3)


def test_next_arguments_are_exact() -> None:
    """Whatever of the arguments is no JSON stays out of them."""

    @guard(Page)
    def search(session: object, customer_id: str, page: int = 1) -> dict[str, object]:
        return {"orders": ["O-1"], "page": page, "has_more": True}

    assert search(object(), "C-1").advice.arguments == {"customer_id": "C-1", "page": 2}


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"empty": "never"}, "empty='never' must be one of"),
        ({"max_identical": 0}, "max_identical=0 must be a whole number"),
        ({"action_type": "look"}, "action_type='look' must be one of"),
        ({"check": 7}, "check_output=7 must be a function"),
        ({"rules": ()}, "'rules' says nothing about a function"),
        ({"facts": {"x": "no"}}, "facts"),
    ],
)
def test_a_bad_contract_is_told_at_the_function(terms: dict[str, Any], said: str) -> None:
    """Any: contract keywords, wrong on purpose."""
    with pytest.raises(ContractError, match="lambda") as told:
        guard(**terms)(lambda: None)
    assert said in str(told.value)


def test_what_is_no_function_cannot_be_guarded() -> None:
    """And an async check needs somebody who awaits it."""

    async def check(value: object) -> None: ...

    with pytest.raises(ContractError, match="got 7"):
        guard()(7)  # type: ignore[call-overload]  # on purpose
    with pytest.raises(ContractError, match="async check"):
        guard(check=check)(lambda: None)


# ---- identical calls


def test_identical_calls_end() -> None:
    """Three run; the rest is told why not."""
    ran: list[str] = []
    search = guard(lambda q: ran.append(q) or "same")  # type: ignore[func-returns-value]  # on purpose
    found = [search("x") for _ in range(5)]
    assert (len(ran), [one.ok for one in found]) == (3, [True] * 3 + [False] * 2)
    assert found[-1].error is not None
    assert (found[-1].error.error_class, found[-1].error.code) == (
        "budget_spent",
        "retry_budget_exceeded",
    )
    assert found[-1].for_model().startswith("Not run: lambda was already called 3 times")


def test_reset_and_a_new_turn_begin_again() -> None:
    """Of one function, or of all."""
    ran: list[int] = []
    search = guard(Page)(lambda: ran.append(1) or CUT)  # type: ignore[func-returns-value]  # as above
    search()
    search()
    search.reset()
    search()
    with guard.turn():
        search()
    search()
    assert len(ran) == 3


def test_a_write_runs_once_and_again_only_after_a_transient_failure() -> None:
    """And what it changed lets reads run again."""
    ends: list[BaseException | str] = [TimeoutError(), "done", "done"]
    reads: list[int] = []

    @guard(action_type="write")
    def pay(order_id: str) -> str:
        end = ends.pop(0)
        if isinstance(end, BaseException):
            raise end
        return end

    @guard(Page)
    def search() -> str:
        reads.append(1)
        return CUT

    search()
    assert [pay("O-1").ok for _ in range(4)] == [False, True, False, False]
    search()
    search()
    assert (len(ends), len(reads)) == (1, 2)


# ---- guarded_call


def test_the_payload_is_the_model_s_dump() -> None:
    """As JSON values."""
    assert guarded_call(lambda: GOOD, Page) == Page(orders=["O-1"]).model_dump(mode="json")


def test_an_async_tool_is_waited_for() -> None:
    """On a loop of its own."""

    async def search(customer_id: str) -> str:
        return GOOD

    assert guarded_call(search, Page, customer_id="C-1")["orders"] == ["O-1"]


async def test_an_async_tool_inside_a_loop_names_the_way_out() -> None:
    """Waiting would block the loop."""

    async def search() -> str:
        return GOOD

    with pytest.raises(ProtocolError, match="put @guard on it"):
        guarded_call(search, Page)


def test_tools_without_a_hash_are_fine() -> None:
    """Nothing is kept of them but their calls."""

    class Tool:
        __hash__ = None  # type: ignore[assignment]  # on purpose

        def __call__(self, q: str) -> str:
            return CUT

    tool = Tool()
    codes = [guarded_call(tool, Page, q="x")["code"] for _ in range(4)]
    assert codes == ["truncated_response"] * 3 + ["retry_budget_exceeded"]


def test_two_tools_of_one_name_do_not_share_their_calls() -> None:
    """Nor do two schemas share their judgement."""
    tools = [lambda value=value: value for value in (CUT, GOOD)]
    assert [("code" in guarded_call(tool, Page)) for tool in tools] == [True, False]
    assert guarded_call(tools[1], dict[str, int])["code"] == "schema_violation"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(JSON | st.text() | st.binary(), st.booleans())
def test_a_tool_cannot_break_a_guarded_call(value: object, as_text: bool) -> None:
    """Whatever it returns: a payload that fits, or four fields."""
    given = json.dumps(value, default=str) if as_text else value
    with guard.turn():
        form = guarded_call(lambda: given, Page)
    fields = {"error_class", "code", "detail", "hint"}
    assert set(form) == {"orders", "page", "has_more"} or fields <= set(form)


@given(st.sampled_from([ValueError, KeyError, TimeoutError, OSError, StopIteration]), st.text())
def test_nor_can_what_it_raises(kind: type[Exception], words: str) -> None:
    """And nothing of its words is told."""

    def tool() -> str:
        raise kind(f"secret-{words}")

    with guard.turn():
        form = guarded_call(tool, Page)
    assert form["error_class"] in ("transient", "tool_failed")
    assert "secret" not in json.dumps(form)
