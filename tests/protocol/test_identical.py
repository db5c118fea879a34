"""How often the same call counts."""

from handrail import Status, Tool, ToolResult
from handrail.protocol.identical import Identical, Made


def tool(action_type: str = "read", **terms: object) -> Tool:
    """A tool of some kind."""

    def act(x: int = 0) -> int:
        """Act on x."""
        return x

    return Tool.from_function(act, action_type=action_type, **terms)


def result(data: object, status: Status = Status.OK, **more: object) -> ToolResult:
    """A result with this data."""
    return ToolResult(call_id="c", tool="act", data=data, status=status, **more)


def ran(counter: Identical, of: Tool, value: object, data: object, **more: object) -> Made:
    """One finished run."""
    made = counter.find(of, value, 1, plain=True)
    made.running += 1
    counter.settle(of, made, result(data, **more))  # type: ignore[arg-type]  # status or flags
    return made


def test_the_same_result_counts_up() -> None:
    """Two runs with one result are two."""
    counter, act = Identical(), tool()
    ran(counter, act, {"x": 1}, "same")
    made = ran(counter, act, {"x": 1}, "same")
    assert counter.standing(made) == 2


def test_another_result_begins_again() -> None:
    """A changing answer is no repetition."""
    counter, act = Identical(), tool()
    made = [ran(counter, act, {"x": 1}, data) for data in ("a", "b", "c")][-1]
    assert counter.standing(made) == 1


def test_key_order_and_integral_floats_are_the_same_call() -> None:
    """Calls are compared by their canonical arguments."""
    counter, act = Identical(), tool()
    ran(counter, act, {"x": 1, "y": 2}, "same")
    made = ran(counter, act, {"y": 2.0, "x": 1}, "same")
    assert counter.standing(made) == 2


def test_a_state_change_in_between_begins_again() -> None:
    """After another write succeeded, a read may well say something new."""
    counter, read, write = Identical(), tool(), tool("write")
    made = ran(counter, read, {"x": 1}, "same")
    ran(counter, write, {"x": 2}, "done")
    counter.standing(made)
    assert made.count == 0


def test_a_write_is_not_reset_by_its_own_success() -> None:
    """Only another state change counts as one in between."""
    counter, write = Identical(), tool("write")
    made = ran(counter, write, {"x": 1}, "done")
    assert counter.standing(made) == 1


def test_a_failed_write_changes_nothing_for_others() -> None:
    """Only success is a state change."""
    counter, read, write = Identical(), tool(), tool("write")
    made = ran(counter, read, {"x": 1}, "same")
    ran(counter, write, {"x": 2}, None, status=Status.FAILED)
    assert counter.standing(made) == 1


def test_a_transient_failure_of_an_idempotent_tool_does_not_count() -> None:
    """It may be called again as it is."""
    counter, write = Identical(), tool("write", idempotent=True)
    made = ran(counter, write, {"x": 1}, None, status=Status.FAILED, error_class="transient")
    assert counter.standing(made) == 0
