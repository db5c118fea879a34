"""Loops as a turn sees them: what the model reads on each rung, and what is never refused."""

import threading
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail import Policy, Status, Toolbox, ToolResult
from handrail.protocol.asks import AskTool
from handrail.runtime.turn import Turn
from parts import Clock, call

Answer = Callable[..., object]


def box(answer: Answer, policy: Policy | None = None, **terms: object) -> Toolbox:
    """A read `find` that answers so, and a write `save`."""
    made = Toolbox(policy=policy or "balanced", clock=Clock())

    def find(name: str) -> object:
        """Find by name."""
        return answer(name)

    def save(name: str) -> str:
        """Save a name."""
        return "saved"

    made.tool(**terms)(find)
    made.tool(action_type="write")(save)
    return made


def find(turn: Turn, name: str = "a") -> ToolResult:
    """One call of `find`, a message of its own."""
    return turn.answer_sync(call("find", f'{{"name": "{name}"}}'))


def test_the_whole_ladder_of_identical_calls() -> None:
    """Hint, sharper with the fields, refused, refused sharper, withdrawn, in front of a human."""
    turn = box(lambda name: "same").turn()
    told = [find(turn) for _ in range(7)]
    assert [one.status.value for one in told] == ["ok"] * 3 + ["refused"] * 2 + ["blocked"] * 2
    assert "Note:" not in told[0].content
    assert "exactly this result 2 times" in told[1].content
    assert "Fields:" not in told[1].content
    assert "Fields: name (string, required)" in told[2].content
    assert "will be withdrawn" in told[4].content
    assert [one.escalation is not None for one in told] == [False] * 6 + [True]
    assert turn.withdrawn == {"find"}


def test_a_search_that_finds_nothing_is_stopped_in_the_end() -> None:
    """Notes at the third and the sixth, and the tenth does not run."""
    turn = box(lambda name: []).turn()
    told = [find(turn, f"name {n}") for n in range(10)]
    noted = [n + 1 for n, one in enumerate(told) if "in a row found nothing" in one.content]
    assert noted == [3, 6, 9, 10]
    assert (told[9].status, told[9].code) == (Status.REFUSED, "BUD-003")


def test_the_notes_hold_nothing_that_forges_a_line() -> None:
    """One line each, whatever the tool is called and returns."""
    turn = box(lambda name: []).turn()
    third = [find(turn, str(n)) for n in range(3)][-1]
    assert third.content.splitlines()[-2:] == [
        "Note:",
        "- (root): 3 calls of find in a row found nothing. Use what you have, try something "
        "different, or tell the user what is missing.",
    ]


def test_a_polled_read_of_equal_results_is_never_refused() -> None:
    """It is meant to be asked again."""
    turn = box(lambda name: "pending", poll=True).turn()
    assert {find(turn).status for _ in range(40)} == {Status.OK}


def test_more_identical_calls_may_be_declared() -> None:
    """The tool's own number wins over the policy's."""
    turn = box(lambda name: "same", max_identical=5).turn()
    told = [find(turn) for _ in range(6)]
    assert [one.status.value for one in told] == ["ok"] * 5 + ["refused"]
    assert ["Note:" in one.content for one in told[:5]] == [False] * 3 + [True] * 2


def test_shadow_mode_notes_and_refuses_nothing() -> None:
    """It observes."""
    turn = box(lambda name: [], Policy(enforce=False)).turn()
    told = [find(turn) for _ in range(30)]
    assert {one.content for one in told} == {"[]"}


def test_an_identical_read_may_be_answered_from_its_earlier_result() -> None:
    """The handler runs once; the copy has the id of its call and says that it is one."""
    ran: list[str] = []
    turn = box(lambda name: ran.append(name) or len(ran), reuse=True).turn()
    first, second, third, fourth = [find(turn) for _ in range(4)]
    assert (ran, second.data, third.data) == (["a"], 1, 1)
    assert [one.reused for one in (first, second, third)] == [False, True, True]
    assert second.call_id != first.call_id
    assert (second.outcome, fourth.status) == ("no_retry", Status.REFUSED)


def test_a_reused_result_ends_with_a_state_change() -> None:
    """Afterwards the read runs again."""
    ran: list[str] = []
    turn = box(lambda name: ran.append(name) or len(ran), reuse=True).turn()
    find(turn)
    turn.answer_sync(call("save", '{"name": "b"}'))
    assert (find(turn).reused, len(ran)) == (False, 2)


def test_a_failure_is_not_reused() -> None:
    """Only a good result is worth giving again."""
    turn = box(lambda name: {}["missing"], reuse=True).turn()
    assert [find(turn).reused for _ in range(3)] == [False] * 3


def test_bad_calls_in_turn_are_stopped() -> None:
    """Two tools, each left for the other: attempts never add up, the loop does."""
    turn = box(lambda name: name).turn()
    told = []
    for _ in range(5):
        told += [turn.take_sync([call(name, "{}")]).results[0] for name in ("find", "save")]
    assert [one.status.value for one in told] == ["invalid"] * 8 + ["blocked"] * 2
    assert told[-1].code == "BUD-003"
    assert find(turn).status is Status.OK  # a valid call is never refused because of these


def test_an_unknown_tool_that_is_called_on_and_on_comes_before_a_human() -> None:
    """Told twice, blocked, and then escalated."""
    turn = box(lambda name: name).turn()
    told = [turn.answer_sync(call("fnd", "{}")) for _ in range(4)]
    assert [one.status.value for one in told] == ["refused"] * 2 + ["blocked"] * 2
    assert [one.escalation is not None for one in told] == [False, False, False, True]
    assert "'fnd' was stopped" in told[-1].escalation.for_human()  # type: ignore[union-attr]


@pytest.mark.parametrize("reuse", [False, True])
def test_counts_are_exact_under_ten_threads(reuse: bool) -> None:
    """A thousand identical calls: three are answered, whoever makes them."""
    ran: list[str] = []
    made = box(lambda name: ran.append(name) or "same", Policy(withdraw_after=10_000), reuse=reuse)
    turn, told = made.turn(), list[ToolResult]()
    find(turn)

    def work() -> None:
        for _ in range(100):
            told.append(find(turn))

    threads = [threading.Thread(target=work) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(one.status for one in told) == {Status.OK: 2, Status.REFUSED: 998}
    assert len(ran) == (1 if reuse else 3)


CALLS = st.lists(
    st.tuples(st.sampled_from(["find", "save", "poll"]), st.sampled_from("abc"), st.booleans()),
    max_size=40,
)


@given(CALLS)
def test_no_excused_call_is_refused(calls: list[tuple[str, str, bool]]) -> None:
    """Random conversations: a new call, a polled one, and one after a change always run."""
    state = Counter[str]()
    made = box(lambda name: f"{name} {state['epoch']}")

    @made.tool(poll=True)
    def poll(name: str) -> str:
        """Ask whether it is done."""
        return "pending"

    turn, same = made.turn(), dict[str, list[object]]()
    for name, argument, outside in calls:
        state["epoch"] += outside  # somebody else changes what the tools see
        before = same.setdefault(f"{name} {argument}", [])
        result = turn.answer_sync(call(name, f'{{"name": "{argument}"}}'))
        if name == "poll" or (name == "find" and len(before) < 3 and not turn.withdrawn):
            assert result.status is Status.OK
        if name == "save" and result.status is Status.OK:
            same.clear()
        elif before and before[0] != result.data and result.status is Status.OK:
            before.clear()
        before.append(result.data)


def test_the_journal_shows_a_reused_result_without_a_run() -> None:
    """One intent for two answers."""
    made = box(lambda name: "same", reuse=True)
    turn = made.turn()
    find(turn)
    find(turn)
    assert sum(isinstance(entry.message, AskTool) for entry in made.journal) == 1
