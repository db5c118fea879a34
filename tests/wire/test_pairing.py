"""Ids of calls, and one result for each."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.wire.pairing import Pending, block_turns, is_minted, paired, with_ids

IDS = st.lists(st.sampled_from(["", "a", "b", "call_1", "call_2", "call_3"]), max_size=7)


def call(call_id, name="f"):
    """A call of a tool."""
    return {"id": call_id, "name": name, "arguments": ""}


def result(call_id, content=""):
    """A result for an id."""
    return {"call_id": call_id, "name": "f", "content": content, "is_error": False}


def test_missing_and_repeated_ids_are_minted():
    """Ids that were sent once are kept, and never minted again."""
    named = with_ids([call(""), call("a"), call("a"), call("call_1")])
    assert [one["id"] for one in named] == ["call_2", "a", "call_3", "call_1"]


@settings(max_examples=100)
@given(IDS)
def test_ids_are_unique_and_stable(ids):
    """Ids are unique; naming twice changes nothing."""
    named = with_ids([call(one) for one in ids])
    assert len({one["id"] for one in named}) == len(ids)
    assert "" not in {one["id"] for one in named}
    assert with_ids(named) == named


@settings(max_examples=100)
@given(IDS)
def test_results_pair_with_the_ids_that_were_sent(ids):
    """Results that repeat the ids as sent, shared or missing, answer the calls in order."""
    calls = [call(one) for one in ids]
    results = [result(one, str(index)) for index, one in enumerate(ids)]
    assert [one["content"] for _, one in paired(calls, results)] == [
        str(index) for index in range(len(ids))
    ]


def test_nothing_is_answered_twice_or_never():
    """A missing and a surplus result are errors that name the id."""
    with pytest.raises(ValueError, match="call 'a' of tool 'f' has no result"):
        paired([call("a")], [])
    with pytest.raises(ValueError, match=r"results \['b'\] answer no call"):
        paired([call("a")], [result("a"), result("b")])
    with pytest.raises(ValueError, match=r"results \['a'\] answer no call"):
        paired([call("a")], [result("a"), result("a")])


def test_a_logged_result_finds_its_call():
    """By id, else by name, else the oldest; an unknown id stays as it is."""
    pending = Pending()
    pending.add([call("a", "f"), call("b", "g"), call("", "h")])
    assert pending.answer("b", "") == ("b", "g")
    assert pending.answer("", "h") == ("call_3", "h")
    assert pending.answer("zz", "x") == ("zz", "x")
    assert pending.answer("", "") == ("a", "f")
    assert pending.answer("", "") == ("", "")


def test_minted_ids_are_told_from_the_providers():
    """Those of this room and those of a turn; a provider's look different."""
    assert all(map(is_minted, ["", "call_1", "call_0123456789abcdef_12"]))
    assert not any(map(is_minted, ["call_aB3dEf", "toolu_01A", "chatcmpl-tool-1", "x_1"]))


def test_calls_stand_where_their_blocks_stood():
    """Surplus calls come last, surplus blocks go; a side that says nothing has no message."""
    blocks = [{"c": 1}, {"text": "x"}, {"c": 2}]
    turns = block_turns(blocks, lambda one: "c" in one, [{"c": 3}], [{"r": 3}])
    assert turns == [
        {"role": "assistant", "content": [{"c": 3}, {"text": "x"}]},
        {"role": "user", "content": [{"r": 3}]},
    ]
    (turn,) = block_turns([], lambda one: "c" in one, [{"c": 3}, {"c": 4}], [])
    assert turn["content"] == [{"c": 3}, {"c": 4}]
    assert block_turns([], lambda one: "c" in one, [], []) == []
