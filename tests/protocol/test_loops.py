"""Which calls go round, which do not, and how far up the ladder."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail import Status, Tool, ToolResult
from handrail.protocol.identical import Identical
from handrail.protocol.loops import CYCLES, EMPTY, SAME, Found, Loops, Pattern, Rung, is_empty


def tool(name: str = "find", action_type: str = "read", **terms: object) -> Tool:
    """A tool that takes anything."""
    return Tool(name, "Does it.", None, {"type": "object"}, action_type=action_type, **terms)


class Run:
    """A run of calls, counted as a turn counts them."""

    def __init__(self) -> None:
        self.identical = Identical()
        self.loops = Loops()
        self.step = 0

    def call(
        self,
        of: Tool,
        value: object,
        data: object,
        *,
        lone: bool = True,
        limit: int = 99,
        **end: object,
    ) -> Found | None:
        """One call that runs and gives this."""
        self.step += lone
        made = self.identical.find(of, {"x": value}, self.step)
        made.running += 1
        result = ToolResult(call_id="c", tool=of.name, data=data, **end)  # type: ignore[arg-type]  # flags
        self.identical.settle(of, made, result)
        return self.loops.ran(of, made, result, self.step, lone=lone, limit=limit)

    def stopped(self, of: Tool, value: object) -> Found | None:
        """Whether this call would be refused."""
        return self.loops.stopped(of, self.identical.find(of, {"x": value}, self.step + 1))


def rungs(found: Sequence[Found | None]) -> list[int]:
    """The rungs alone."""
    return [int(one.rung) if one else 0 for one in found]


def test_identical_calls_get_a_hint_and_then_a_sharper_note() -> None:
    """Behind the second and the third of three that are allowed."""
    run, find = Run(), tool()
    found = [run.call(find, 1, "same", limit=3) for _ in range(3)]
    assert rungs(found) == [0, Rung.HINT, Rung.SHARPER]


def test_one_write_that_is_allowed_gets_no_note() -> None:
    """The first run is never a repeat."""
    run, save = Run(), tool("save", "write")
    failed = {"status": Status.FAILED, "error_class": "tool_failed", "code": "internal"}
    assert run.call(save, 1, None, limit=1, **failed) is None


def test_ping_pong_is_noted_at_four_cycles_and_then_stopped() -> None:
    """A hint, a sharper note, and the next call that goes on is refused."""
    run, find = Run(), tool()
    found = [run.call(find, n % 2, f"result {n % 2}") for n in range(12)]
    assert rungs(found) == [0] * 7 + [Rung.HINT, 0, Rung.SHARPER, 0, Rung.SHARPER]
    assert (run.stopped(find, 0) or (None,))[0] is Pattern.PING_PONG
    assert run.stopped(find, 2) is None


def test_ping_pong_is_stopped_at_six_cycles_and_not_before() -> None:
    """The eleventh call may still be the last."""
    run, find = Run(), tool()
    for number in range(11):
        run.call(find, number % 2, f"result {number % 2}")
    assert run.stopped(find, 1) is None
    run.call(find, 1, "result 1")
    assert run.stopped(find, 0) == Found(Pattern.PING_PONG, Rung.REFUSE, 6)


def test_only_two_calls_in_turn_are_ping_pong() -> None:
    """Not three, not one, and not two whose results change."""
    run, find = Run(), tool()
    assert rungs([run.call(find, n % 3, f"result {n % 3}") for n in range(24)]) == [0] * 24
    run = Run()
    assert rungs([run.call(find, 1, "result") for _ in range(24)]) == [0] * 24
    assert run.stopped(find, 1) is None
    run = Run()
    assert rungs([run.call(find, n % 2, f"result {n}") for n in range(24)]) == [0] * 24


def test_calls_of_one_message_are_no_ping_pong() -> None:
    """They neither begin a pattern nor complete one."""
    run, find = Run(), tool()
    for number in range(2):
        run.call(find, number, f"result {number}", lone=False)
    assert rungs([run.call(find, n % 2, f"result {n % 2}") for n in range(7)]) == [0] * 7
    assert run.call(find, 1, "result 1", lone=False) is None


def test_each_rung_is_told_once() -> None:
    """The next call that neither ends the pattern nor goes on with it gets no note."""
    run, find = Run(), tool()
    found = [run.call(find, n, "again this") for n in (0, 1, 2, 3, 4, 4)]
    assert rungs(found) == [0, 0, 0, 0, Rung.HINT, 0]
    run = Run()
    found = [run.call(find, n, []) for n in range(EMPTY)]
    found += [run.call(find, n, [], lone=False) for n in range(3, 6)]
    assert rungs(found) == [0, 0, Rung.HINT, 0, 0, 0]


def test_something_found_ends_a_streak_of_nothing() -> None:
    """It begins again at none."""
    run, find = Run(), tool()
    found = [run.call(find, n, data) for n, data in enumerate(([], [], "a", [], []))]
    assert rungs(found) == [0] * 5


class Sour:
    """A result that cannot be compared."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    __hash__ = object.__hash__


def test_results_that_cannot_be_compared_are_not_alike() -> None:
    """An author's own ``__eq__`` stops no call."""
    run, find = Run(), tool()
    found = [run.call(find, n, data) for n, data in enumerate(["a", Sour(), {}, Sour(), "a"])]
    assert rungs(found) == [0] * 5


def test_a_failure_is_no_equal_of_a_result() -> None:
    """Even where both hold the same data."""
    run, find = Run(), tool()
    failed = {"status": Status.FAILED, "error_class": "tool_failed", "code": "internal"}
    found = [run.call(find, n, ["again"], **(failed if n % 2 else {})) for n in range(10)]
    assert rungs(found) == [0] * 10


@pytest.mark.parametrize("failing", [False, True])
def test_one_result_for_varying_arguments(failing: bool) -> None:
    """A hint at five steps, sharper at ten, stopped after fifteen."""
    run, find = Run(), tool()
    end = {"status": Status.FAILED, "error_class": "tool_failed", "code": "internal"}
    found = [run.call(find, n, "again this", **(end if failing else {})) for n in range(SAME * 3)]
    assert [n + 1 for n, rung in enumerate(rungs(found)) if rung] == [SAME, SAME * 2, SAME * 3]
    assert run.stopped(find, "new") == Found(Pattern.SAME_RESULT, Rung.REFUSE, SAME * 3)


def test_three_empty_results_in_a_row() -> None:
    """A hint at three, sharper at six, stopped after nine."""
    run, find = Run(), tool()
    found = [run.call(find, n, []) for n in range(EMPTY * 3)]
    assert rungs(found)[: EMPTY * 2] == [0, 0, Rung.HINT, 0, Rung.HINT, Rung.SHARPER]
    assert run.stopped(find, "new") == Found(Pattern.EMPTY, Rung.REFUSE, EMPTY * 3)


def test_eighteen_creates_are_no_loop() -> None:
    """Different things are made, however alike the answers are."""
    run, create = Run(), tool("create", "write")
    assert rungs([run.call(create, n, "created") for n in range(18)]) == [0] * 18


@pytest.mark.parametrize("excuse", [{"poll": True}, {"repeatable": True}])
def test_what_is_meant_to_be_asked_again_is_no_loop(excuse: dict[str, object]) -> None:
    """Polling and toggling."""
    run, find = Run(), tool(**excuse)
    assert rungs([run.call(find, n % 2, []) for n in range(40)]) == [0] * 40


def test_empty_results_that_the_author_calls_good_are_no_streak() -> None:
    """With ``empty="ok"`` only the equality of the results is left to count."""
    run, find = Run(), tool(empty="ok")
    found = [run.call(find, n, []) for n in range(EMPTY)]
    assert rungs(found) == [0] * EMPTY


@pytest.mark.parametrize("data", [True, 0, 1.5])
def test_results_of_few_values_prove_nothing(data: object) -> None:
    """Five slots that are taken are five answers."""
    run, find = Run(), tool()
    assert rungs([run.call(find, n, data) for n in range(40)]) == [0] * 40


@pytest.mark.parametrize("code", ["transient", "cancelled"])
def test_transient_failures_are_the_moment_s_fault(code: str) -> None:
    """They neither count nor end a streak; nor does what the host withdrew."""
    run, find = Run(), tool()
    end = {"status": Status.FAILED, "error_class": "transient", "code": code}
    assert rungs([run.call(find, n, None, **end) for n in range(40)]) == [0] * 40


def test_a_state_change_forgets_everything() -> None:
    """Streaks, pairs, refusals and abandoned calls begin again."""
    run, find, save = Run(), tool(), tool("save", "write")
    for number in range(EMPTY * 3):
        run.call(find, number, [])
    run.loops.abandoned("save", "key")
    run.loops.refused("find", 1)
    run.call(save, 1, "saved")
    assert run.stopped(find, "new") is None
    assert run.loops.times_abandoned("save", "key") == 0
    assert run.loops.refused("find", 2) == 1


def test_a_state_change_forgets_refusals_alone_too() -> None:
    """And what is warm is cold again."""
    run, find, save = Run(), tool(), tool("save", "write")
    run.loops.refused("find", 1)
    run.call(save, 1, "saved")
    assert run.loops.refused("find", 2) == 1
    for number in range(EMPTY):
        run.call(find, number, [])
    assert run.loops.warm
    run.call(save, 2, "saved")
    assert not run.loops.warm


def test_the_calls_of_one_message_count_once() -> None:
    """Nine empty results of one message are one step."""
    run, find = Run(), tool()
    run.step = 1
    assert rungs([run.call(find, n, [], lone=False) for n in range(9)]) == [0] * 9


def test_a_new_turn_excuses_one_call() -> None:
    """What was stopped may run once; if it says the same, it is stopped again."""
    run, find = Run(), tool()
    for number in range(EMPTY * 3):
        run.call(find, number, [])
    run.loops.begin_turn()
    assert run.stopped(find, "new") is None
    run.call(find, "new", [])
    assert run.stopped(find, "newer") is not None


def test_a_new_turn_excuses_one_call_of_each_pattern() -> None:
    """One step with another result, one more pair, one more of the calls left as they were."""
    run, find = Run(), tool()
    for number in range(SAME * 3):
        run.call(find, number, "again this")
    run.loops.begin_turn()
    assert run.stopped(find, "new") is None
    run.call(find, "new", "again this")
    assert run.stopped(find, "newer") == Found(Pattern.SAME_RESULT, Rung.REFUSE, SAME * 3)
    for _ in range(CYCLES + 1):
        run.loops.abandoned("save", "bad")
    run.loops.begin_turn()
    assert run.loops.times_abandoned("save", "bad") == CYCLES - 1


def test_a_new_turn_excuses_one_pair() -> None:
    """Ping-pong that was stopped may go once to and fro."""
    run, find = Run(), tool()
    for number in range(12):
        run.call(find, number % 2, f"result {number % 2}")
    run.loops.begin_turn()
    for number in range(2):
        assert run.stopped(find, number) is None
        run.call(find, number, f"result {number}")
    assert run.stopped(find, 0) == Found(Pattern.PING_PONG, Rung.REFUSE, 6)


def test_refusals_in_a_row_count_by_message() -> None:
    """Two in one message are one; a run in between begins again."""
    run, find = Run(), tool()
    assert [run.loops.refused("find", step) for step in (1, 1, 2, 3)] == [1, 1, 2, 3]
    run.call(find, 1, "something")
    assert run.loops.refused("find", 9) == 1


@pytest.mark.parametrize(
    ("data", "empty"),
    [
        *[(one, True) for one in (None, "", [], {}, {"items": [], "total": 0}, {"a": {}, "b": 1})],
        *[(one, False) for one in (0, False, [0], {"ok": True}, "none", {"a": [], "b": ["x"]})],
    ],
)
def test_empty_is_what_holds_nothing(data: object, empty: bool) -> None:
    """Zero and false are answers."""
    assert is_empty(data) is empty


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["find", "look", "save", "poll"]),
        st.integers(0, 3),
        st.sampled_from([[], {}, "a", "b", True, None]),
        st.sampled_from(["ok", "internal", "transient"]),
    ),
    max_size=60,
)


@given(STEPS)
def test_an_excused_call_is_never_stopped(
    steps: list[tuple[str, int, object, str]],
) -> None:
    """After a state change, with changing results, or of a polling tool: never."""
    tools = {"find": tool(), "look": tool("look"), "save": tool("save", "write")}
    tools["poll"] = tool("poll", poll=True)
    run = Run()
    since: dict[str, list[str]] = {}
    for name, value, data, end in steps:
        of = tools[name]
        stopped = run.stopped(of, value)
        told = since.get(name, [])
        if name == "poll" or len(told) < min(SAME, EMPTY) * 2 or len({*told[-3:]}) == 3:
            assert stopped is None
        if stopped is not None:
            continue
        status = Status.OK if end == "ok" else Status.FAILED
        run.call(of, value, data, status=status, error_class=end, code=end)
        if of.action_type == "write" and end == "ok":
            since.clear()
        else:
            since.setdefault(name, []).append(f"{end} {data!r}")


@given(st.integers(0, 5_000))
def test_memory_is_bounded(many: int) -> None:
    """However many names and bad calls a model invents."""
    loops = Loops()
    for number in range(many):
        loops.unknown(f"tool {number}")
        loops.abandoned("find", f"key {number}")
        loops.refused(f"tool {number}", number)
    kept = [len(loops._unknown), len(loops._abandoned), len(loops._refusals)]
    assert all(size <= 1_000 for size in kept)


def test_so_many_are_remembered() -> None:
    """A thousand names and bad calls, and 256 tools."""
    run = Run()
    for number in range(1_100):
        run.loops.unknown(f"tool {number}")
        run.loops.abandoned("find", f"key {number}")
        run.loops.refused(f"tool {number}", number)
    for number in range(300):
        run.call(tool(f"tool_{number}"), 1, "something")
    loops = run.loops
    kept = [loops._unknown, loops._abandoned, loops._refusals, loops._streaks]
    assert [len(one) for one in kept] == [1_000, 1_000, 256, 256]


def test_an_abandoned_call_is_counted_by_its_arguments() -> None:
    """Four times left as they are is the end of it."""
    loops = Loops()
    for _ in range(CYCLES):
        loops.abandoned("save", "bad")
    assert (loops.times_abandoned("save", "bad"), loops.times_abandoned("save", "x")) == (4, 0)
