"""Which result answers which call."""

import pytest

from handrail.wire.history import Pairs, Part, Turn, copied, fitting_name


def settled(*events: tuple[int, object, str], optional: bool = False) -> Pairs:
    """Pairs after these events: a list of ids is a turn of calls, a text is a result."""
    pairs = Pairs(optional=optional)
    for at, what, result in events:
        if isinstance(what, list):
            pairs.add(Part("call", at, None, id, "look") for id in what)
        elif what is None:
            pairs.elsewhere()
        else:
            id, _, name = str(what).partition(":")
            pairs.answer(Part("result", at, result, id, name))
    pairs.settle(lambda id: len(id) < 9)
    return pairs


def results(pairs: Pairs) -> list[list[object]]:
    """The results of each group of calls."""
    return [[one.result and one.result.value for one in group] for group in pairs.groups]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([(0, ["a", "b"], ""), (1, "b", "B"), (2, "a", "A")], [["A", "B"]]),
        ([(0, ["a"], ""), (1, ["a"], ""), (2, "a", "new")], [[None], ["new"]]),
        ([(0, ["a", "a"], ""), (1, "a", "1"), (2, "a", "2")], [["1", "2"]]),
        ([(0, "a", "early"), (1, ["a"], "")], [["early"]]),
        ([(0, ["a"], ""), (1, "a", "1"), (2, "a", "2"), (3, ["a"], "")], [["1"], [None]]),
        ([(0, "a", "cut"), (1, ["a"], ""), (2, "a", "1"), (3, ["a"], "")], [["1"], [None]]),
        ([(0, ["", ""], ""), (1, "", "1"), (2, "", "2")], [["1", "2"]]),
        ([(0, ["a"], ""), (1, None, ""), (2, "", "1")], [[None]]),
        ([(0, ["a"], ""), (1, "other", "1")], [[None]]),
        ([(0, [""], ""), (1, None, ""), (2, ":look", "1")], [["1"]]),
        ([(0, [""], ""), (1, ":find", "1")], [[None]]),
    ],
)
def test_a_result_finds_its_call(
    events: list[tuple[int, object, str]], expected: list[list[object]]
) -> None:
    """The nearest one before it that waits; never one under another id."""
    assert results(settled(*events)) == expected


def test_ids_are_made_unique_and_fit() -> None:
    """The first that bears an id keeps it; minted ones collide with none that was sent."""
    pairs = settled((0, ["a", "", "call_1"], ""), (1, ["a", "much too long"], ""))
    ids = [one.id for group in pairs.groups for one in group]
    assert ids == ["a", "call_2", "call_1", "call_3", "call_4"]
    assert [change.kind for change in pairs.changes] == ["id_changed"] * 3


def test_ids_may_be_left_out_where_they_are_optional() -> None:
    """Only those that repeat or do not fit are replaced; a result without one is in order."""
    pairs = settled((0, ["", "a", "a"], ""), (1, "", "A"), optional=True)
    assert [one.id for group in pairs.groups for one in group] == ["", "a", "call_1"]
    assert [change.kind for change in pairs.changes] == ["id_changed"]


def test_a_call_is_named_for_a_log() -> None:
    """By id and name, or by name alone."""
    pairs = settled((0, ["", "a"], ""), optional=True)
    assert [str(one) for one in pairs.groups[0]] == ["a call of 'look'", "the call 'a' of 'look'"]


def test_a_turn_knows_what_it_holds() -> None:
    """Of any of the kinds asked for."""
    turn = Turn("user", [Part("said", 0, "x")])
    assert (turn.holds("call", "said"), turn.holds("call", "result")) == (True, False)


def test_what_answers_nothing_is_told() -> None:
    """With the position of the message that held it."""
    (change,) = settled((7, "a", "A")).changes
    assert change == ("result_dropped", 7, "a result for 'a' answers no call")


def test_names_and_copies() -> None:
    """A name that no provider takes is made one; a copy keeps nulls, and is another object."""
    assert [fitting_name(name) for name in ("a b/c", "", None, "x" * 70)] == [
        "a_b_c", "_", "_", "x" * 64,
    ]  # fmt: skip
    message = {"content": None}
    assert copied(message, "messages[0]") == message
    assert copied(message, "messages[0]") is not message
