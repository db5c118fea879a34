"""Outputs that are too big: compacted, kept, read in pieces, forgotten with their conversation."""

import copy
import gc
import json
import pickle
from typing import Any
from weakref import ref

import pytest

from handrail import Policy, Status, Toolbox, ToolCall, ToolResult
from handrail.runtime.artifacts import READ_ARTIFACT, MemoryArtifacts
from handrail.runtime.parties import Artifact
from handrail.runtime.turn import Turn

Json = Any  # Any: JSON value

SMALL = Policy.preset("balanced").replace(compact_tokens=400, artifact_tokens=1_000)


def rows(count: int) -> dict[str, Json]:
    """Orders, each with some text."""
    return {
        "orders": [{"order_id": f"O-{n}", "note": f"{n} " + "bell " * 20} for n in range(count)]
    }


def box_of(value: Json, policy: Policy = SMALL, **more: Any) -> Toolbox:  # Any: of Toolbox
    """A toolbox with one tool that gives this value."""
    box = Toolbox(policy=policy, **more)

    @box.tool(repeatable=True)
    def give(order_id: str = "") -> dict[str, Json]:
        """Give it."""
        return value() if callable(value) else value

    return box


def asked(turn: Turn, name: str = "give", **arguments: Json) -> ToolResult:
    """The result of one call."""
    return turn.answer_sync(ToolCall("c", name, arguments))


def artifact_id(result: ToolResult) -> str:
    """The id that a result gives of its artifact."""
    return str(json.loads(result.content)["_meta"]["artifact"]["id"])


def names(turn: Turn) -> list[str]:
    """Tools that are published."""
    return [one["function"]["name"] for one in turn.schemas()]


def test_a_small_output_is_untouched() -> None:
    """And no tool is added."""
    with box_of(rows(2)).turn() as turn:
        result = asked(turn)
        assert json.loads(result.content) == rows(2)
        assert names(turn) == ["give"]


def test_a_big_output_is_compacted_for_the_model_alone() -> None:
    """The program's data stay whole."""
    with box_of(rows(20)).turn() as turn:
        result = asked(turn, order_id="O-3")
        shown = json.loads(result.content)
        assert result.data == rows(20)
        assert shown["orders"][3] == rows(20)["orders"][3]
        assert [row["order_id"] for row in shown["orders"]] == [f"O-{n}" for n in range(20)]
        assert set(shown["_meta"]) == {"compacted"}
        assert names(turn) == ["give"]
    assert len(result.content) <= 4 * 400


def test_above_the_second_limit_the_whole_is_an_artifact() -> None:
    """With a preview, and a tool that reads the rest, page after page."""
    with box_of(rows(100)).turn() as turn:
        result = asked(turn)
        id = artifact_id(result)
        assert names(turn) == ["give", READ_ARTIFACT]
        assert len(result.content) <= 4 * 400
        read: list[Json] = []
        start: int | None = 0
        while start is not None:
            page = asked(turn, READ_ARTIFACT, id=id, path="/orders", start=start).data
            assert "_meta" not in page
            read += page["items"]
            start = page.get("next")
        assert read == rows(100)["orders"]
        note = asked(turn, READ_ARTIFACT, id=id, path="/orders/7/note", count=4)
        assert note.data["text"] == "7 be"


def test_the_tool_is_published_before_the_result_is_sent() -> None:
    """A host may ask for the schemas first."""
    with box_of(rows(100)).turn() as turn:
        asked(turn)
        assert names(turn) == ["give", READ_ARTIFACT]


def test_a_long_text_becomes_one_too() -> None:
    """Its id stands below what is left of it."""
    text = "\n".join(f"line {n}" for n in range(2_000))
    with box_of(lambda: text).turn() as turn:
        result = asked(turn)
        assert "characters left out ...]" in result.content
        id = result.content.rpartition("artifact ")[2].partition(":")[0]
        page = asked(turn, READ_ARTIFACT, id=id, count=13).data
        assert (page["text"], page["total"], page["next"]) == ("line 0\nline 1", len(text), 13)


def test_the_same_output_is_kept_once() -> None:
    """However often it is given or read."""
    with box_of(rows(100)).turn() as turn:
        assert artifact_id(asked(turn)) == artifact_id(asked(turn))


@pytest.mark.parametrize(
    ("arguments", "path", "text"),
    [
        ({"id": "art_0"}, "/id", "There is no such artifact"),
        ({"path": "/nowhere"}, "/path", "Nothing is there"),
        ({"start": 5}, "/start", "Only 1 are there"),
    ],
)
def test_wrong_arguments_are_told(arguments: Json, path: str, text: str) -> None:
    """As those of any tool: the model corrects them."""
    with box_of(rows(100)).turn() as turn:
        id = artifact_id(asked(turn))
        result = asked(turn, READ_ARTIFACT, **{"id": id, **arguments})
        assert result.status is Status.INVALID
        assert result.issues[0].path == path
        assert text in result.content


def test_another_user_is_told_the_same_as_for_no_artifact() -> None:
    """Not even that it exists."""
    box = box_of(rows(100))
    with box.turn(user="ann") as anns, box.turn(user="bob") as bobs:
        id = artifact_id(asked(anns))
        artifact_id(asked(bobs))
        foreign = asked(bobs, READ_ARTIFACT, id=id)
        unknown = asked(bobs, READ_ARTIFACT, id="art_" + "0" * 24)
        assert foreign.status is Status.INVALID
        assert foreign.issues == unknown.issues
        assert foreign.content.splitlines()[-1] == unknown.content.splitlines()[-1]
        assert asked(anns, READ_ARTIFACT, id=id).status is Status.OK


def test_nobodys_artifact_stays_in_its_run() -> None:
    """Without a user the run is all that can vouch."""
    box = box_of(rows(100))
    with box.turn() as one, box.turn() as other:
        id = artifact_id(asked(one))
        artifact_id(asked(other))
        assert asked(other, READ_ARTIFACT, id=id).status is Status.INVALID


def test_it_ends_with_its_turn() -> None:
    """A turn without a key is all of its run; a result read later is compacted and no more."""
    box = box_of(rows(100))
    with box.turn(user="ann") as turn:
        id = artifact_id(asked(turn))
        late = asked(turn, order_id="O-1")
    assert box._artifacts.get(id) is None
    assert set(json.loads(late.content)["_meta"]) == {"compacted"}


def test_with_a_key_it_lasts_for_the_run() -> None:
    """The next turn of the conversation offers the tool from the start."""
    box = box_of(rows(100))
    with box.turn(key="talk:1") as turn:
        id = artifact_id(asked(turn))
    with box.turn(key="talk:2") as turn:
        assert names(turn) == [READ_ARTIFACT, "give"] or names(turn) == ["give", READ_ARTIFACT]
        assert asked(turn, READ_ARTIFACT, id=id).status is Status.OK
    with box.turn(key="other:1") as turn:
        assert names(turn) == ["give"]
        assert asked(turn, READ_ARTIFACT, id=id).status is Status.REFUSED


def test_a_run_that_is_forgotten_takes_its_artifacts_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Memory is bounded by the runs that are remembered."""
    monkeypatch.setattr("handrail.runtime.toolbox._RUNS", 2)
    box = box_of(rows(100))
    with box.turn(key="talk:1", user="ann") as turn:
        id = artifact_id(asked(turn))
    for number in range(2):
        box.turn(key=f"other-{number}:1")
    assert box._artifacts.get(id) is None


def test_shadow_mode_changes_nothing() -> None:
    """It only observes."""
    with box_of(rows(100), enforce=False).turn() as turn:
        assert json.loads(asked(turn).content) == rows(100)


@pytest.mark.parametrize(
    ("compact", "artifact", "keys"),
    [(None, None, None), (400, None, {"compacted"}), (None, 1_000, {"compacted", "artifact"})],
)
def test_each_limit_can_be_switched_off(
    compact: int | None, artifact: int | None, keys: set[str] | None
) -> None:
    """None is off; an artifact alone still has a preview."""
    policy = SMALL.replace(compact_tokens=compact, artifact_tokens=artifact)
    with box_of(rows(1_000), policy).turn() as turn:
        shown = json.loads(asked(turn).content)
    assert set(shown.get("_meta", ())) == (keys or set())


def test_a_tool_of_that_name_wins() -> None:
    """Then outputs are compacted, and no artifacts are made."""
    box = box_of(rows(100))

    @box.tool
    def read_artifact(id: str) -> str:
        """One of our own."""
        return "ours"

    with box.turn() as turn:
        assert set(json.loads(asked(turn).content)["_meta"]) == {"compacted"}
        assert asked(turn, READ_ARTIFACT, id="x").content == "ours"


def test_feedback_and_errors_are_never_compacted() -> None:
    """They have bounds of their own."""
    policy = SMALL.replace(compact_tokens=100)
    with box_of(rows(1), policy).turn() as turn:
        result = asked(turn, wrong="x" * 4_000)
        assert "left out" not in result.content
        assert result.content.startswith("Validation failed")


def test_a_result_can_be_copied_and_pickled() -> None:
    """With the text that was shown here; the turn and its store do not go along."""
    with box_of(rows(20)).turn() as turn:
        result = asked(turn)
    for copied in (copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert (copied.content, copied.data) == (result.content, result.data)
    assert len(result.content) <= 4 * 400


def test_a_turn_is_freed_when_it_is_over() -> None:
    """No cycle keeps it, its results or its tools alive."""
    gc.disable()
    try:
        box = box_of(rows(100))
        turn = box.turn()
        asked(turn)
        turn.close()
        gone = ref(turn._state)
        del turn
        assert gone() is None
    finally:
        gc.enable()


def test_memory_is_bounded_by_use() -> None:
    """What was read longest ago goes first; what is too big is not kept at all."""
    store = MemoryArtifacts(most_characters=25)
    for name in ("a", "b"):
        store.put(Artifact(name, "scope", None, "t", name * 10))
    assert store.get("a") is not None
    store.put(Artifact("c", "scope", None, "t", "c" * 10))
    store.put(Artifact("d", "scope", None, "t", "d" * 30))
    assert [name for name in "abcd" if store.get(name)] == ["a", "c"]
    store.drop("scope")
    assert not store.holds("scope")
