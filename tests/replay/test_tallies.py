"""Counts and examples."""

import pytest

from handrail.replay import tallies as module
from handrail.replay.records import Place, Recorded
from handrail.replay.tallies import GroupKey, Groups, ToolTally, example_of

CALL = Recorded(place=Place("log", 4), tool="find", arguments='{"q": "shoes"}')
KEY = GroupKey("false_alarm", "find", "VAL-008", "/q")


def test_examples_are_shapes_unless_raw_is_asked_for() -> None:
    """Arguments and result."""
    shape, raw = (example_of(CALL, {"n": 1}, raw=raw) for raw in (False, True))
    assert (shape.arguments, shape.result) == ('{"q": "string(5)"}', '{"n": "integer"}')
    assert (raw.arguments, raw.result) == ('{"q": "shoes"}', '{"n": 1}')
    assert shape.to_dict()["line"] == 4


def test_groups_count_calls_and_keep_a_few_examples() -> None:
    """A call counts once in a group, however often it has the finding."""
    groups = Groups(raw=False, examples=2)
    for _ in range(5):
        groups.add([KEY, KEY], CALL, None, "one of a, b")
    ((key, group),) = groups.ranked("false_alarm")
    assert (key, group.calls, len(group.examples)) == (KEY, 5, 2)
    assert group.message == "one of a, b"
    assert groups.ranked("caught") == []


def test_groups_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond that, what is counted has no tool and no field."""
    monkeypatch.setattr(module, "MOST_GROUPS", 2)
    groups = Groups(raw=False, examples=1)
    for number in range(5):
        groups.add([KEY._replace(tool=f"t{number}")], CALL, None, "")
    ranked = groups.ranked("false_alarm")
    assert [(key.tool, key.field, one.calls) for key, one in ranked] == [
        ("(others)", "", 3),
        ("t0", "/q", 1),
        ("t1", "/q", 1),
    ]


def test_what_counts_as_broken() -> None:
    """Not what is partial, nor a question."""
    tally = ToolTally(invalid=2, refused=1)
    tally.outputs.update(
        {"ok": 9, "partial_data": 3, "need_user_input": 1, "schema_mismatch": 2, "transient": 1}
    )
    assert (tally.blocked, tally.broken) == (3, 3)
    assert tally.to_dict()["outputs"]["ok"] == 9
