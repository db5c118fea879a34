"""What a run may take, and what happens then."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail import Policy, Status, Tool, Toolbox, ToolResult
from handrail.contract.policy import Limits
from handrail.protocol.run_limits import RunLimits
from handrail.runtime.turn import Turn
from handrail.testing import ScriptedModel, text
from parts import Clock, call


def find(name: str) -> str:
    """Find by name."""
    return name


def box(
    policy: Policy | str | None = None, clock: Clock | None = None, **limits: object
) -> Toolbox:
    """One read under these limits."""
    chosen = policy or Policy(limits=Limits(**limits))  # type: ignore[arg-type]  # numbers
    return Toolbox([Tool.from_function(find)], policy=chosen, clock=clock or Clock())


def message(turn: Turn, *names: str, tokens: int = 0, cost: float = 0.0) -> Sequence[ToolResult]:
    """One reply with these calls."""
    calls = [
        {"id": name, "function": {"name": "find", "arguments": f'{{"name": "{name}"}}'}}
        for name in names
    ]
    usage = {"prompt_tokens": tokens, "completion_tokens": 0, "cost": cost}
    said = {"role": "assistant", "content": None, "tool_calls": calls}
    return turn.take_sync({"choices": [{"message": said}], "usage": usage}).results


def statuses(results: Sequence[ToolResult]) -> list[str]:
    """The statuses alone."""
    return [one.status.value for one in results]


def test_rounds_are_messages() -> None:
    """The third message of two is blocked, with the limit in words."""
    turn = box(rounds=2).turn()
    told = [message(turn, *names)[0] for names in (("a", "b"), ("c",), ("d",))]
    assert statuses(told) == ["ok", "ok", "blocked"]
    assert (told[2].code, told[2].error_class) == ("BUD-004", "budget_spent")
    assert "the limit of 2 rounds" in told[2].content
    assert "raise Policy.limits" in (told[2].host_advice or "")
    assert "Policy" not in told[2].content


def test_calls_are_counted_within_a_message() -> None:
    """Each is answered; those beyond the limit do not run."""
    assert statuses(message(box(calls=2).turn(), "a", "b", "c")) == ["ok", "ok", "blocked"]


def test_attempts_of_one_call_are_one_call() -> None:
    """Two calls, one of them corrected once, and an unknown tool is one more."""
    turn = box(calls=2).turn()
    told = [turn.answer_sync(call("find", sent)) for sent in ("{}", '{"name": "a"}')]
    told += [turn.answer_sync(call("fnd")), turn.answer_sync(call("find", '{"name": "b"}'))]
    assert statuses(told) == ["invalid", "ok", "refused", "blocked"]


def test_retries_are_the_times_that_the_model_is_asked_again() -> None:
    """The second wrong call is not asked about; a valid one still runs."""
    turn = box(retries=1).turn()
    told = [turn.answer_sync(call("find", sent)) for sent in ("{}", "{}", '{"name": "a"}')]
    assert statuses(told) == ["invalid", "blocked", "ok"]
    assert (told[1].code, told[1].outcome) == ("BUD-004", "exhausted")
    assert told[1].escalation is not None


@pytest.mark.parametrize("limit", ["tokens", "cost"])
def test_tokens_and_cost_come_from_the_replies(limit: str) -> None:
    """The reply that reaches the limit is the last; its calls do not run."""
    turn = box(**{limit: 10}).turn()
    told = [message(turn, name, **{limit: 6}) for name in "ab"]  # type: ignore[arg-type]  # one of two
    assert [statuses(one) for one in told] == [["ok"], ["blocked"]]
    assert turn.limit_reached is not None


def test_what_the_host_spends_is_counted_too() -> None:
    """For models that are asked outside of the turn."""
    turn = box(tokens=10).turn()
    turn.spend(tokens=10)
    assert turn.limit_reached == "10 tokens"


def test_seconds_count_from_the_first_message() -> None:
    """Not from the making of the turn."""
    clock = Clock()
    turn = box(clock=clock, seconds=60).turn()
    told = []
    for wait in (1_000.0, 59.0, 1.0):
        clock.sleep(wait)
        told.append(turn.answer_sync(call("find", f'{{"name": "{wait}"}}')))
    assert statuses(told) == ["ok", "ok", "blocked"]


def test_shadow_mode_limits_nothing() -> None:
    """It observes."""
    turn = box(Policy(enforce=False, limits=Limits(rounds=1))).turn()
    assert [message(turn, name)[0].status for name in "abc"] == [Status.OK] * 3


def test_lenient_has_fifteen_rounds_and_twenty_calls() -> None:
    """The preset's own numbers act."""
    turn = box("lenient").turn()
    assert statuses([message(turn, str(n))[0] for n in range(16)]) == ["ok"] * 15 + ["blocked"]
    calls = message(box("lenient").turn(), *[str(n) for n in range(21)])
    assert statuses(calls) == ["ok"] * 20 + ["blocked"]


@pytest.mark.parametrize(("rounds", "calls", "asked"), [(3, None, 3), (None, 2, 3), (99, 99, 5)])
def test_the_active_loop_ends_at_a_limit(rounds: int, calls: int, asked: int) -> None:
    """No request more is made than the limits allow, and the host reads which it was."""
    script = [call("find", f'{{"name": "{n}"}}', f"c{n}") for n in range(4)]
    model = ScriptedModel([*script, text("Done.")])
    talk = asyncio.run(
        box(rounds=rounds, calls=calls).run(model, [{"role": "user", "content": "x"}])
    )
    assert len(model.requests) == asked
    assert (talk.stop_reason == "answered") == (asked == 5)
    assert ("Policy.limits" in (talk.host_advice or "")) == (asked < 5)


def test_what_was_spent_is_summed_up() -> None:
    """Tokens and money of every reply; a provider's negative numbers give nothing back."""
    run = RunLimits(Limits())
    for tokens, cost in ((5, 0.25), (0, 0.0), (-3, -1.0), (2, float("nan")), (1, 0.5)):
        run.spend(tokens, cost)
    assert (run.tokens, run.cost) == (8, 0.75)


def test_a_limit_is_reached_when_all_of_it_is_spent() -> None:
    """Not one retry before it and not one cent behind it."""
    run = RunLimits(Limits(retries=3, cost=0.5))
    assert [run.refuses_retry() for _ in range(4)] == [None, None, None, "3 retries"]
    run.spend(0, 0.25)
    assert run.refuses_message(0.0) is None
    run.spend(0, 0.25)
    assert run.refuses_message(0.0) == "a cost of 0.5"


@given(
    st.builds(Limits, *[st.none() | st.integers(0, 5)] * 4, st.none() | st.floats(0, 5), st.none()),
    st.lists(st.tuples(st.sampled_from(["message", "call", "retry", "spend"])), max_size=60),
)
def test_nothing_goes_beyond_a_limit(limits: Limits, events: list[tuple[str]]) -> None:
    """Whatever comes in which order."""
    run = RunLimits(limits)
    for at, (event,) in enumerate(events):
        match event:
            case "message":
                run.message(at)
            case "call":
                run.refuses_call(at, new=True)
            case "retry":
                run.refuses_retry()
            case "spend":
                run.spend(1, 0.5)
    assert limits.calls is None or run.calls <= limits.calls
    assert limits.retries is None or run.retries <= limits.retries
    stop = run.refuses_message(0)
    assert (stop is None) == all(
        most is None or have < most
        for most, have in (
            (limits.rounds, run.rounds),
            (limits.tokens, run.tokens),
            (limits.cost, run.cost),
        )
    )
