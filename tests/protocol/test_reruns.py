"""Which runs are made again, how often, and after which wait."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail import Context, Policy, Status, Tool, Toolbox, ToolResult
from handrail.contract.policy import Backoff, Settings
from handrail.protocol import reruns
from handrail.protocol.asks import AskTool
from parts import Clock, call


def failing(
    times: int, error: Callable[[], object], policy: Policy | None = None, **terms: object
) -> tuple[ToolResult, list[str], Toolbox, Clock]:
    """One call of a tool that fails some times first; the keys of its runs."""
    clock, keys = Clock(), list[str]()
    box = Toolbox(policy=policy or "balanced", clock=clock)

    def act(ctx: Context) -> object:
        """Act."""
        keys.append(ctx.idempotency_key)
        return error() if len(keys) <= times else "done"

    box.add(Tool.from_function(act, **terms))
    return box.turn().answer_sync(call("act")), keys, box, clock


def gone() -> object:
    """The connection is lost."""
    raise ConnectionError("gone")


@pytest.mark.parametrize("repeat", [{}, {"idempotent": True}, {"repeatable": True}])
def test_what_the_model_is_told_is_what_it_may_do(repeat: dict[str, object]) -> None:
    """It is told to call again exactly where the same call is not refused (section 6)."""
    runs: list[int] = []

    def act() -> object:
        """Act."""
        runs.append(1)
        return gone()

    box = Toolbox(policy="balanced", clock=Clock())
    box.add(Tool.from_function(act, action_type="write", **repeat))
    turn = box.turn()
    first, again = (turn.answer_sync(call("act", id=name)) for name in "ab")
    told = "you may call it again" in first.content
    assert told is (first.advice.next == "retry_same") is bool(repeat)
    assert (again.status is not Status.REFUSED) is told


@pytest.mark.parametrize(
    ("terms", "runs"),
    [
        ({"action_type": "read"}, 3),
        ({"action_type": "read", "idempotent": True}, 3),
        ({"action_type": "write"}, 1),
        ({"action_type": "write", "idempotent": True}, 2),
    ],
)
def test_only_what_is_harmless_twice_runs_again(terms: dict[str, object], runs: int) -> None:
    """A read twice more, an idempotent write once more, anything else never."""
    result, keys, _, _ = failing(9, gone, **terms)
    assert (len(keys), result.error_class) == (runs, "transient")


def test_a_rerun_that_works_is_an_ordinary_result() -> None:
    """One result, one key, and the model never knew."""
    result, keys, _, clock = failing(2, gone)
    assert (result.data, result.outcome, len(set(keys))) == ("done", "no_retry", 1)
    assert clock.now == 1_000.0 + 0.5 + 1.0


def test_every_run_has_its_own_intent_in_the_journal() -> None:
    """Three runs are three AskTool, the later ones with their wait."""
    _, _, box, _ = failing(2, gone)
    asked = [entry.message for entry in box.journal if isinstance(entry.message, AskTool)]
    assert [one.delay_s for one in asked] == [0.0, 0.5, 1.0]
    assert len({one.key for one in asked}) == 1


def test_an_internal_failure_is_never_run_again() -> None:
    """Only a transient one says nothing about the call."""
    _, keys, _, _ = failing(9, lambda: {}["missing"])
    assert len(keys) == 1


@pytest.mark.parametrize("status", [429, 502, 503, 504])
@pytest.mark.parametrize("field", ["status", "status_code"])
def test_a_status_in_the_result_is_transient(field: str, status: int) -> None:
    """A dict that says so is treated like a timeout, and stays readable for the host."""
    result, keys, _, _ = failing(9, lambda: {field: status})
    assert (len(keys), result.error_class, result.data) == (3, "transient", {field: status})


@pytest.mark.parametrize(
    "value",
    [{"status": 500}, {"status": "503"}, {"status": 200}, {"code": 503}, "503", [503], {"a": 1}],
)
def test_any_other_value_is_a_result(value: object) -> None:
    """Other statuses, texts and places are the tool's own business."""
    result, keys, _, _ = failing(9, lambda: value)
    assert (len(keys), result.data) == (1, value)


def test_retry_after_is_waited_for() -> None:
    """What the server asks for wins over the backoff."""
    answer = {"status": 429, "headers": {"Retry-After": "3"}}
    result, _, _, clock = failing(1, lambda: answer)
    assert (result.data, clock.now) == ("done", 1_003.0)


def test_a_wait_that_is_too_long_is_left_to_the_model() -> None:
    """Nothing runs again; the result says when."""
    result, keys, _, clock = failing(9, lambda: {"status_code": 503, "retry_after": 60})
    assert (len(keys), clock.now, result.advice.retry_after) == (1, 1_000.0, 60.0)
    assert "after 60 seconds" in result.content


@given(
    st.builds(Backoff, *[st.floats(0, 100)] * 3),
    st.integers(0, 2_000),
    st.none() | st.floats(0, 1e9),
)
def test_a_wait_is_never_longer_than_the_cap(
    backoff: Backoff, done: int, asked: float | None
) -> None:
    """Whatever is asked for, and however often it failed."""
    seconds = reruns.wait(done, asked, backoff)
    assert seconds is None or 0 <= seconds <= backoff.cap_s


def test_the_cap_itself_is_not_too_long() -> None:
    """What is asked for may be as long as the longest wait, and not a moment longer."""
    backoff = Backoff(first_s=1, factor=2, cap_s=30)
    assert [reruns.wait(0, asked, backoff) for asked in (30, 30.1)] == [30, None]


def test_the_policy_decides_how_often() -> None:
    """The numbers of the policy, by action type; an idempotent destructive call has its own."""
    policy = Settings().replace(transient_reruns={"read": 5, "write": 4, "destructive": 3})
    made = [
        Tool("act", "Act.", None, {}, action_type=action, idempotent=idempotent)
        for action in ("read", "write", "destructive")
        for idempotent in (False, True)
    ]
    assert [reruns.allowed(tool, policy) for tool in made] == [5, 5, 0, 4, 0, 3]
