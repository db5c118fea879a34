"""What the turns of one run know of each other."""

from handrail import Status, Tool, Toolbox, ToolResult
from handrail.protocol.run_ledger import RunLedger
from parts import call


def box(**terms: object) -> Toolbox:
    """A toolbox with one read that always says the same."""

    def find(name: str) -> str:
        """Find by name."""
        return "nothing new"

    return Toolbox([Tool.from_function(find, **terms)])


def ask(of: Toolbox, key: str, name: str = "a") -> ToolResult:
    """One call in the turn with this key."""
    return of.turn(key).answer_sync(call("find", f'{{"name": "{name}"}}'))


def test_a_run_begins_with_nothing() -> None:
    """No message, no turn, no state change."""
    run = RunLedger()
    assert (run.steps, run.identical.turn, run.identical.epoch) == (0, 0, 0)


def test_a_new_turn_excuses_one_identical_call() -> None:
    """The fourth runs because the user spoke, the fifth does not."""
    of = box()
    first = [ask(of, "talk:1").status for _ in range(4)]
    second = [ask(of, "talk:2").status for _ in range(2)]
    assert first == [Status.OK] * 3 + [Status.REFUSED]
    assert second == [Status.OK, Status.REFUSED]


def test_other_runs_know_nothing() -> None:
    """Another conversation, a key without a run, and no key at all."""
    of = box()
    for _ in range(3):
        ask(of, "talk:1")
    for key in ("other:2", "talk", "talk2:2"):
        assert [ask(of, key).status for _ in range(3)] == [Status.OK] * 3


def test_users_share_nothing() -> None:
    """Keys that begin alike do not let one user read what another was answered."""
    of = box(reuse=True)
    turns = [of.turn(f"tenant:{who}", user=who) for who in ("ann", "bob")]
    told = [turn.answer_sync(call("find", '{"name": "a"}')) for turn in turns]
    assert [one.reused for one in told] == [False, False]


def test_turns_side_by_side_do_not_reuse_each_other_s_results() -> None:
    """Only what this turn was answered itself is given again."""
    of = box(reuse=True)
    turns = [of.turn(f"talk:{number}") for number in (1, 2, 1)]
    told = [turn.answer_sync(call("find", '{"name": "a"}')) for turn in turns]
    assert [one.reused for one in told] == [False, False, False]
    assert turns[0].answer_sync(call("find", '{"name": "a"}')).status is Status.REFUSED


def test_a_write_in_another_turn_of_the_run_is_a_change() -> None:
    """The state is one, whichever turn changed it: all three reads may be made again."""
    of = box()
    of.tool(lambda: "saved", name="save", description="Save.", action_type="write")
    for _ in range(3):
        ask(of, "talk:1")
    of.turn("talk:2").answer_sync(call("save"))
    assert [ask(of, "talk:2").status for _ in range(3)] == [Status.OK] * 3


def test_a_withdrawn_tool_is_back_in_the_next_turn() -> None:
    """A withdrawal is for the turn."""
    of = box()
    for _ in range(7):
        last = ask(of, "talk:1")
    assert last.status is Status.BLOCKED
    assert ask(of, "talk:2", "b").status is Status.OK


def test_runs_are_forgotten_the_oldest_first() -> None:
    """Memory is bounded; a forgotten run begins again."""
    of = box()
    for number in range(1_200):
        of.turn(f"talk-{number}:1")
    assert len(of._runs) == 1_000
    assert ("talk-0", None) not in of._runs


def test_beginning_a_turn_touches_both_counts() -> None:
    """Identical calls and loops."""
    ledger = RunLedger()
    ledger.loops.unknown("fnd")
    ledger.loops.unknown("fnd")
    ledger.begin_turn()
    assert (ledger.identical.turn, ledger.loops.unknown("fnd")) == (1, 2)
