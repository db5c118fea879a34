"""Identical calls of single functions: how many run, and what the rest is answered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail import Status, Tool, ToolResult
from handrail.protocol.identical import Made
from handrail.protocol.repeats import Repeats


def tool(action_type: str = "read", **terms: object) -> Tool:
    """A tool that is judged and never run."""
    schema = {"type": "object", "properties": {"x": {}}}
    return Tool("act", "Acts.", None, schema, action_type=action_type, **terms)


def result(error_class: str | None = None, data: object = "same") -> ToolResult:
    """What a run came to."""
    failed = error_class is not None
    status = Status.FAILED if failed else Status.OK
    return ToolResult(
        call_id="", tool="act", status=status, is_error=failed, error_class=error_class, data=data
    )


def runs(repeats: Repeats, act: Tool, ended: ToolResult, times: int) -> list[bool]:
    """The same call made so often: which of them ran."""
    ran = []
    for _ in range(times):
        made = repeats.admit("act", act, {"x": 1})
        if isinstance(made, Made):
            repeats.settle("act", act, made, ended)
        ran.append(not isinstance(made, ToolResult))
    return ran


@pytest.mark.parametrize(
    ("act", "error_class", "expected"),
    [
        (tool(), None, 3),
        (tool(), "transient", 3),
        (tool(), "tool_failed", 3),
        (tool(), "partial_data", 3),
        (tool(), "schema_mismatch", 1),
        (tool(), "semantic_garbage", 1),
        (tool("write"), None, 1),
        (tool("write"), "tool_failed", 1),
        (tool("write"), "transient", 3),
        (tool("destructive"), None, 1),
        (tool(max_identical=2), None, 2),
        (tool("write", max_identical=2), "transient", 2),
        (tool(poll=True), None, 17),
        (tool("write", repeatable=True), None, 17),
        (tool("destructive", repeatable=True), None, 1),
    ],
)
def test_of_seventeen_identical_calls_so_many_run(
    act: Tool, error_class: str | None, expected: int
) -> None:
    """A budget of three, one where something changes, and one where the result is bad."""
    # a write that succeeded is a change, so only what it leaves can be seen by a second window
    assert sum(runs(Repeats(), act, result(error_class), 17)) == expected


def test_what_is_bad_is_answered_from_the_record_and_then_refused() -> None:
    """Within the budget its own answer comes again; beyond it the budget speaks."""
    repeats, act = Repeats(), tool()
    made = repeats.admit("act", act, {"x": 1})
    assert isinstance(made, Made)
    repeats.settle("act", act, made, result("schema_mismatch"))
    answers = [repeats.admit("act", act, {"x": 1}) for _ in range(3)]
    classes = [one.error_class for one in answers if isinstance(one, ToolResult)]
    assert classes == ["schema_mismatch", "schema_mismatch", "budget_spent"]


def test_another_result_starts_the_count_again() -> None:
    """A read whose result changes each time is no loop."""
    repeats, act, ran = Repeats(), tool(), 0
    for number in range(10):
        made = repeats.admit("act", act, {"x": 1})
        assert isinstance(made, Made)
        repeats.settle("act", act, made, result(data=number))
        ran += 1
    assert ran == 10


def test_a_change_by_another_function_starts_the_count_again() -> None:
    """Even what was bad may have been mended by it."""
    repeats, read, write = Repeats(), tool(), tool("write")
    assert sum(runs(repeats, read, result("schema_mismatch"), 5)) == 1
    made = repeats.admit("other", write, {"x": 1})
    assert isinstance(made, Made)
    repeats.settle("other", write, made, result())
    assert sum(runs(repeats, read, result("schema_mismatch"), 5)) == 1


def test_runs_under_way_count() -> None:
    """Three at a time, and a fourth when one of them was withdrawn."""
    repeats, act = Repeats(), tool()
    made = [repeats.admit("act", act, {"x": 1}) for _ in range(3)]
    refused = repeats.admit("act", act, {"x": 1})
    assert isinstance(refused, ToolResult)
    assert "not finished" in refused.content
    assert isinstance(made[0], Made)
    repeats.release("act", made[0])
    assert isinstance(repeats.admit("act", act, {"x": 1}), Made)


def test_functions_of_one_name_are_counted_apart() -> None:
    """What is called counts, not what it is called."""
    repeats, act = Repeats(), tool()
    for function in ("one", "other"):
        made = repeats.admit(function, act, {"x": 1})
        assert isinstance(made, Made)
        repeats.settle(function, act, made, result("schema_mismatch"))


def test_a_function_can_be_forgotten() -> None:
    """Also while it runs: what it then comes to is not counted."""
    repeats, act = Repeats(), tool()
    running = repeats.admit("act", act, {"x": 1})
    repeats.forget("act")
    assert isinstance(running, Made)
    repeats.settle("act", act, running, result("schema_mismatch"))
    repeats.release("act", running)
    assert isinstance(repeats.admit("act", act, {"x": 1}), Made)


def test_a_window_does_not_grow_for_ever() -> None:
    """The function that was called longest ago is forgotten first."""
    repeats, act = Repeats(), tool()
    for number in range(1_001):
        made = repeats.admit(number, act, {})
        assert isinstance(made, Made)
        repeats.settle(number, act, made, result("schema_mismatch"))
    assert isinstance(repeats.admit(1_000, act, {}), ToolResult)
    assert isinstance(repeats.admit(0, act, {}), Made)


@given(
    st.lists(st.sampled_from([None, "transient", "tool_failed", "schema_mismatch"]), max_size=30),
    st.integers(1, 5),
)
def test_no_more_runs_than_the_budget_while_nothing_changes(
    ends: list[str | None], budget: int
) -> None:
    """However runs end: each change of the result may start the count again, and nothing else."""
    repeats, act, ran = Repeats(), tool(max_identical=budget), 0
    last: str | None = "nothing yet"
    for end in ends:
        made = repeats.admit("act", act, {"x": 1})
        if not isinstance(made, Made):
            continue
        repeats.settle("act", act, made, result(end))
        ran = 1 if end != last else ran + 1
        last = end
        assert ran <= budget
