"""What a model is asked about a goal, and how little of its answer is believed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence import ANNA, BEN, GET, SEARCH, TOOLS, found
from handrail import Coverage, Goal
from handrail.contract.internal_schemas import COVERAGE_SCHEMA
from handrail.protocol.judging import (
    UNJUDGED,
    coverage_messages,
    goal_messages,
    read_coverage,
    read_goal,
    read_word,
    response_format,
)
from snapshots import matches_snapshot

SURE = {"reason": "It is there.", "missing": [], "status": "SATISFIED", "confidence": 0.9}


def said(**changes: object) -> str:
    """A judge's reply."""
    return json.dumps({**SURE, **changes})


def test_the_questions() -> None:
    """Every word that a judge reads."""
    ended = [found(SEARCH, [ANNA, BEN]), found(GET, {**ANNA, "phone": "1"}, {"contact_id": "c1"})]
    asked = [
        *coverage_messages(Goal("What is Anna's number?"), ended, "It is 1.", TOOLS),
        *coverage_messages(Goal("Call Anna", "action"), [], ""),
        *goal_messages("Call Anna", TOOLS),
    ]
    text = "\n\n".join(f"[{one['role']}]\n{one['content']}" for one in asked)
    assert matches_snapshot(text, "judging", "protocol")


def test_the_schema_travels_beside_the_words() -> None:
    """The prompt holds no copy of it."""
    sent = response_format(COVERAGE_SCHEMA, "coverage")
    assert sent["json_schema"]["schema"] == COVERAGE_SCHEMA
    asked = coverage_messages(Goal("x"), [], "")
    assert not any("confidence" in one["content"] or "{" in one["content"] for one in asked)


def test_what_is_too_large_is_told_by_its_names() -> None:
    """The latest evidence stays whole; ids and words are not cut in the middle."""
    large = found(SEARCH, [{"name": f"Person {n}", "text": "x" * 3_000} for n in range(9)])
    looked = found(GET, {"phone": "555", "note": "y" * 9_000}, {"contact_id": "c1"})
    asked = coverage_messages(Goal("x"), [large, looked], "")[1]["content"]
    assert "- search_contacts: Person 0, Person 1" in asked
    assert "y" * 9_000 in asked
    assert "xxx" not in asked


def test_a_sure_word_is_believed() -> None:
    """And only that."""
    assert read_coverage(said()).coverage is Coverage.SATISFIED
    assert read_word(Coverage.SATISFIED).coverage is Coverage.SATISFIED
    assert read_word("FAILED").coverage is Coverage.FAILED


def test_what_more_is_wanted() -> None:
    """Reason, tool and question of the judge are handed on."""
    more = read_coverage(said(status="NEEDS_MORE_TOOLS", next_tool="get_contact"))
    assert (more.next.tool, more.reason, more.forced) == ("get_contact", "It is there.", True)
    asks = read_coverage(said(status="NEED_USER_INPUT", question="Which?"))
    assert (asks.next.next, asks.reason) == ("ask_user", "Which?")
    assert read_coverage(said(status="FAILED")).next.next == "stop"


@pytest.mark.parametrize(
    "reply",
    [
        "", "SATISFIED", "null", "[]", "{}", '{"status": "SATISFIED"}', said(missing=["x"]),
        said(confidence=0.2), said(status="satisfied"), said(extra=1), said() + said(),
        said()[:-1], f"```json\n{said()}\n```", said(confidence="0.9"), None, 7,
    ],
)  # fmt: skip
def test_what_is_not_believed(reply: object) -> None:
    """Rubbish, doubt, something missing, words around it, a cut."""
    assert read_coverage(reply) is UNJUDGED


@pytest.mark.parametrize("finish", ["length", "content_filter", "refusal", "error"])
def test_a_reply_that_did_not_end_is_not_believed(finish: str) -> None:
    """Cut off or refused, whatever stands in it."""
    assert read_coverage(said(), finish) is UNJUDGED


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(0, 1)
    | st.sampled_from(["SATISFIED", "x"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
REPLIES = st.one_of(
    st.text(max_size=30),
    JSON.map(json.dumps),
    st.dictionaries(st.sampled_from([*SURE, "next_tool", "question", "x"]), JSON).map(
        lambda changes: said(**changes)
    ),
    st.integers(0, len(said()) - 1).map(lambda end: said()[:end]),
)


@given(REPLIES)
def test_only_a_whole_and_sure_reply_satisfies(reply: str) -> None:
    """Nothing else ever does."""
    if read_coverage(reply).coverage is Coverage.SATISFIED:
        value: dict[str, Any] = json.loads(reply)
        assert value["status"] == "SATISFIED"
        assert value["missing"] == []
        assert value["confidence"] >= 0.5


@given(JSON | st.text(max_size=20))
def test_a_hosts_judge_says_a_word_or_nothing(word: object) -> None:
    """True, 1, a lower-case word and the like are rubbish."""
    satisfied = read_word(word).coverage is Coverage.SATISFIED
    assert satisfied == (word == "SATISFIED")


def test_a_goal_that_was_read() -> None:
    """Needs that are no tools are left out; what cannot be used leaves the user's words."""
    reply = json.dumps({"text": "Call Anna", "kind": "action", "needs": ["call_contact", "fly"]})
    assert read_goal(reply, "stop", "x", TOOLS) == Goal("Call Anna", "action", ["call_contact"])
    assert read_goal(reply, "length", "x", TOOLS) == Goal("x")
    assert read_goal("{}", "stop", "x", TOOLS) == Goal("x")
