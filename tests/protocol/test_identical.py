"""How often the same call counts."""

import pytest

from handrail import Status, Tool, ToolResult
from handrail.protocol.identical import Identical, Made, alike


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


def test_true_is_not_one() -> None:
    """Python takes them for equal, a tool does not."""
    counter, act = Identical(), tool()
    yes = counter.find(act, {"x": True}, 1, plain=True)
    assert counter.find(act, {"x": 1}, 1, plain=True) is not yes


def test_two_spellings_of_one_letter_are_the_same_call() -> None:
    """Texts that may hold such letters are hashed from the start."""
    counter, act = Identical(), tool()
    assert counter.find(act, {"x": "caf\u00e9"}, 1) is counter.find(act, {"x": "cafe\u0301"}, 1)


def test_many_different_calls_are_all_known_again() -> None:
    """Hashing begins at some point and loses none of the calls before."""
    counter, act = Identical(), tool()
    first = [counter.find(act, {"x": x}, 1, plain=True) for x in range(20)]
    again = [counter.find(act, {"x": x}, 2, plain=True) for x in range(20)]
    assert [one is other for one, other in zip(first, again, strict=True)] == [True] * 20


def test_ten_thousand_calls_are_remembered() -> None:
    """One more, and the oldest is forgotten."""
    counter, act = Identical(), tool()
    first, second = (counter.find(act, {"x": x}, 1) for x in (0, 1))
    for x in range(2, 10_001):
        counter.find(act, {"x": x}, 1)
    assert counter.find(act, {"x": 1}, 1) is second
    assert counter.find(act, {"x": 0}, 1) is not first


def test_ten_thousand_plain_calls_are_remembered() -> None:
    """Or a few more, and the oldest are forgotten first."""
    counter, act = Identical(), tool()
    first, second = (counter.find(act, {"x": x}, 1, plain=True) for x in (0, 1))
    for x in range(2, 10_000):
        counter.find(act, {"x": x}, 1, plain=True)
    assert counter.find(act, {"x": 0}, 1, plain=True) is first
    for x in range(10_000, 10_050):
        counter.find(act, {"x": x}, 1, plain=True)
    assert counter.find(act, {"x": 1}, 1, plain=True) is not second
    assert len(counter._hashed["act"]) < 10_020


@pytest.mark.parametrize("plain", [False, True])
def test_a_record_holds_the_call(plain: bool) -> None:
    """Its completed arguments, the message, the turn and what had changed by then."""
    counter, act = Identical(), tool()
    counter.epoch, counter.turn = 3, 2
    made = counter.find(act, {}, 5, plain=plain)
    assert (made.value, made.step, made.epoch, made.turn) == ({"x": 0}, 5, 3, 2)
    assert (made.by, made.count, made.running, made.runs, made.result) == ("", 0, 0, 0, None)


def test_runs_under_way_count_and_end_one_by_one() -> None:
    """Two at once are two; the end of one leaves the other."""
    counter, act = Identical(), tool()
    made = counter.find(act, {"x": 1}, 1, plain=True)
    made.running = 2
    assert counter.standing(made) == 2
    counter.settle(act, made, result("same"))
    assert (made.running, made.count, counter.standing(made)) == (1, 1, 2)
    counter.release(made)
    assert (made.running, counter.standing(made)) == (0, 1)
    made.running = 2
    counter.release(made)
    assert made.running == 1


def test_runs_in_all_never_start_again() -> None:
    """A new result resets what counts, not what was."""
    counter, act = Identical(), tool()
    made = [ran(counter, act, {"x": 1}, data) for data in ("a", "b", "c")][-1]
    assert (made.count, made.runs) == (1, 3)


def test_state_changes_are_counted() -> None:
    """The epoch is their number."""
    counter, write = Identical(), tool("write")
    ran(counter, write, {"x": 1}, "done")
    ran(counter, write, {"x": 2}, "done")
    assert counter.epoch == 2


def test_only_transient_failures_of_idempotent_tools_are_free() -> None:
    """Either half of the reason alone is none."""
    counter, write, safe = Identical(), tool("write"), tool("write", idempotent=True)
    failed = {"status": Status.FAILED, "error_class": "transient"}
    assert ran(counter, write, {"x": 1}, None, **failed).count == 1
    assert ran(counter, safe, {"x": 2}, "done").count == 1


def test_the_users_words_excuse_one_call_even_of_one() -> None:
    """In a new turn, one run less counts than may count."""
    counter, act = Identical(), tool()
    made = [ran(counter, act, {"x": 1}, "same") for _ in range(3)][-1]
    counter.turn += 1
    assert counter.standing(made, 3) == 2
    counter.turn += 1
    assert counter.standing(made, 1) == 0


def test_many_calls_that_differ_in_lists_alone_are_told_apart() -> None:
    """Where scalars say nothing, hashes do; what was made before is still known."""
    identical, tool = Identical(), Tool("find", "Find.", None, {"type": "object"})
    made = [identical.find(tool, {"ids": [number]}, 1, plain=True) for number in range(50)]
    again = [identical.find(tool, {"ids": [number]}, 2, plain=True) for number in range(50)]
    assert [one is other for one, other in zip(made, again, strict=True)] == [True] * 50
    assert len({id(one) for one in made}) == 50


class Sour:
    """Data that cannot be compared."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    __hash__ = object.__hash__


SOUR = Sour()
ENDS: list[tuple[ToolResult, ToolResult, bool]] = [
    (result([1, {"a": 2}]), result([1, {"a": 2}]), True),
    (result([1]), result([2]), False),
    (result(SOUR), result(SOUR), True),
    (result(SOUR), result(Sour()), True),  # they read the same
    (result(SOUR), result("other"), False),
    (result(None, Status.FAILED), result(None), False),
    (result("a", Status.FAILED), result("b", Status.FAILED), False),
    (result("a", Status.FAILED), result("a", Status.FAILED), True),
    (
        result(None, Status.FAILED, error_class="transient"),
        result(None, Status.FAILED, error_class="tool_failed"),
        False,
    ),
]


@pytest.mark.parametrize(("one", "other", "same"), ENDS)
def test_which_results_say_the_same(one: ToolResult, other: ToolResult, same: bool) -> None:
    """The same end, and the same data or at least the same text of it."""
    assert alike(one, other) is same
    assert alike(other, one) is same
