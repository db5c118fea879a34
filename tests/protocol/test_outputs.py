"""Results as an exchange judges them: re-runs, awaited checks, groups, shadow mode."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from handrail import Coverage, Status, Tool, Toolbox, ToolError, ToolResult
from handrail.protocol.asks import AskHost, Close, Fault
from parts import Clock, call


class Orders(BaseModel):
    """A declared result."""

    orders: list[str]


def box(answer: Callable[..., object], *, enforce: bool = True, **terms: object) -> Toolbox:
    """A toolbox with one tool that answers so."""
    made = Toolbox(clock=Clock(), enforce=enforce)

    def find(name: str = "a", page: int = 1) -> object:
        """Find."""
        return answer()

    made.tool(**terms)(find)
    return made


def answered(answer: Callable[..., object], **terms: Any) -> ToolResult:
    """One call of it."""
    return box(answer, **terms).turn().answer_sync(call("find"))


def raising(error: BaseException) -> Callable[[], object]:
    """A handler that raises it."""

    def act() -> object:
        raise error

    return act


def test_a_broken_result_closes_the_call_with_one_run() -> None:
    """The arguments were right: the model is not asked for others (seed 001, class 1)."""
    runs: list[int] = []

    def act() -> object:
        runs.append(1)
        return '{"orders": ["O-1", "O-'

    result = answered(act, returns=Orders)
    assert (len(runs), result.status, result.code) == (1, Status.FAILED, "truncated_response")
    assert result.outcome == "no_retry"


@pytest.mark.parametrize("broken", [TimeoutError("x"), ToolError("transient", "busy")])
def test_reruns_go_by_the_same_classification(broken: Exception) -> None:
    """An author's own `ToolError` too, raised or returned."""
    for answer in (raising(broken), lambda: broken):
        runs: list[int] = []

        def act(answer: Callable[[], object] = answer, runs: list[int] = runs) -> object:
            runs.append(1)
            return answer() if len(runs) < 3 else "done"

        assert answered(act).data == "done"
        assert len(runs) == 3


def test_an_authors_error_is_honoured_wherever_it_comes_from() -> None:
    """Returned or raised, with its own code and words."""
    own = ToolError("semantic_garbage", "wrong_unit", "the unit is F", "Ask for C.")
    for answer in (raising(own), lambda: own):
        result = answered(answer)
        assert (result.error_class, result.code) == ("semantic_garbage", "wrong_unit")
        assert "the unit is F. Ask for C." in result.content


async def _late(value: object, args: object) -> str | None:
    await asyncio.sleep(0)
    return "no orders" if value == {"orders": []} else None


async def test_an_awaited_check_of_the_result_is_asked_of_the_host() -> None:
    """After the handler, before the call closes; the handler runs once."""
    made = box(lambda: {"orders": []}, check_output=_late, empty="ok")
    result = await made.turn().answer(call("find"))
    assert (result.code, result.error_class) == ("semantic", "semantic_garbage")
    asked = [type(entry.message) for entry in made.journal]
    assert asked.count(AskHost) == 1
    assert asked[-1] is Close


def test_an_awaited_check_runs_behind_the_sync_door_too() -> None:
    """On the private loop."""
    assert answered(lambda: {"orders": []}, check_output=_late, empty="ok").code == "semantic"
    assert answered(lambda: {"orders": [1]}, check_output=_late).code is None


async def test_twins_of_one_message_share_a_checked_result() -> None:
    """Two identical reads run once, and their check too."""
    looked: list[object] = []

    async def check(value: object, args: object) -> str:
        looked.append(value)
        return "senseless"

    made = box(lambda: {"a": 1}, check_output=check)
    answers = await made.turn().answer_all([call("find"), call("find")])
    assert [one.code for one in answers.results] == ["semantic"] * 2
    assert [one.reused for one in answers.results] == [False, True]
    assert len(looked) == 1


def test_identical_calls_count_after_an_awaited_check() -> None:
    """A run is a run, whoever was asked after it."""
    turn = box(lambda: {"a": 1}, check_output=_late).turn()
    told = [turn.answer_sync(call("find")).status for _ in range(4)]
    assert told == [Status.OK] * 3 + [Status.REFUSED]


def test_a_check_that_breaks_delivers_with_a_warning() -> None:
    """Sync or awaited."""

    def breaks(value: object, args: object) -> None:
        raise KeyError("db.internal")

    async def breaks_later(value: object, args: object) -> None:
        raise KeyError("db.internal")

    for check in (breaks, breaks_later):
        result = answered(lambda: {"a": 1}, check_output=check)
        assert (result.status, result.data) == (Status.OK, {"a": 1})
        assert "could not be checked" in result.content
        assert "db.internal" in (result.host_advice or "")
        assert "db.internal" not in result.content


def test_the_last_tool_of_its_group_has_failed() -> None:
    """While another is visible it is named."""
    made = box(lambda: "no json", returns=Orders, group="orders")
    alone = made.turn().answer_sync(call("find"))
    assert (alone.coverage, alone.advice.next) == (Coverage.FAILED, "stop")
    made.add(Tool("look", "Look.", None, {}, group="orders"))
    beside = made.turn().answer_sync(call("find"))
    assert (beside.coverage, beside.advice.tool) == (Coverage.NEEDS_MORE_TOOLS, "look")


def test_shadow_mode_records_and_withholds_nothing() -> None:
    """The model gets what the handler returned; the class is there for whoever counts."""
    for value in ("no json", '{"orders": ["O-', {"orders": 5}, {"error": "no"}):
        result = answered(lambda value=value: value, enforce=False, returns=Orders)
        assert (result.status, result.is_error) == (Status.OK, False)
        assert result.data == value
        assert result.error_class in ("schema_mismatch", "tool_failed")
        assert result.code


def test_partial_data_is_exact_for_what_was_judged() -> None:
    """The arguments as they ran, mended ones included."""
    made = box(lambda: {"rows": [1], "has_more": True})
    result = made.turn().answer_sync(call("find", '{"name": "b", "page": "3"}'))
    assert result.advice.arguments == {"name": "b", "page": 4}


def test_a_kind_without_its_finding_is_judged_all_the_same() -> None:
    """A fault that was stored, or made by somebody else's executor."""
    assert Fault("transient", "r", "d", 3.0).amounts_to.retry_after == 3.0
    assert Fault("transient", "r", "d").amounts_to.transient is True
    assert Fault("internal", "r", "d").amounts_to.code == "internal"
