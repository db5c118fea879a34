"""Whether what was found and done covers what the turn is for."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence import ANNA, BEN, CALL, GET, NOTE, SEARCH, TOOLS, covered, found
from handrail import Coverage, Goal, Status, Tool
from handrail.protocol.coverage import Case, cover
from handrail.protocol.found import Found

ASK = Goal("What is Anna's number?")
DO = Goal("Call Anna", kind="action")
LISTED = found(SEARCH, {"contacts": [ANNA, BEN]}, {"query": "a"})
LOOKED = found(GET, {**ANNA, "phone": "1"}, {"contact_id": "c1"}, step=2)


def test_without_a_goal_the_latest_message_counts() -> None:
    """Nothing was asked for: what came back last says how far the turn is."""
    failed = found(GET, status=Status.FAILED, step=3)
    assert covered().coverage is Coverage.SATISFIED
    assert covered(failed, LISTED._replace(step=4)).coverage is Coverage.SATISFIED
    assert covered(LISTED, failed).coverage is Coverage.FAILED
    assert covered(LISTED._replace(step=3), failed).coverage is Coverage.NEEDS_MORE_TOOLS


def test_nothing_was_called() -> None:
    """A goal that no tool was asked about cannot be told by rules."""
    said = covered(goal=ASK)
    assert (said.coverage, said.decided) == (Coverage.NEEDS_MORE_TOOLS, False)


def test_a_candidate_is_looked_at_before_it_is_reported() -> None:
    """A list alone is discovery; the next call is named with its exact id."""
    said = covered(LISTED, goal=ASK)
    assert (said.coverage, said.rule, said.forced) == ("NEEDS_MORE_TOOLS", "inspection", True)
    assert (said.next.tool, said.next.arguments) == ("get_contact", {"contact_id": "c1"})
    assert covered(LISTED, LOOKED, goal=ASK).coverage is Coverage.SATISFIED


def test_the_candidate_that_is_reported_is_the_one() -> None:
    """Having looked at Anna says nothing about Ben."""
    said = covered(LISTED, LOOKED, goal=ASK, answer="Ben Roth has no number.")
    assert (said.rule, said.next.arguments) == ("inspection", {"contact_id": "c2"})
    assert covered(LISTED, LOOKED, goal=ASK, answer="Anna Kos: 1").coverage is Coverage.SATISFIED


def test_a_long_list_is_no_candidate() -> None:
    """An answer that names many reports a list; one of them looked at is enough."""
    rows = [{"contact_id": f"c{n}", "name": f"Person {n}"} for n in range(1, 6)]
    answer = ", ".join(str(row["name"]) for row in rows)
    listed = found(SEARCH, rows, {"query": "person"})
    assert covered(listed, LOOKED, goal=ASK, answer=answer).coverage is Coverage.SATISFIED
    assert covered(listed, goal=ASK, answer=answer).rule == "inspection"


def test_found_again_after_it_was_looked_at() -> None:
    """The order of the calls does not matter for the same id."""
    again = LISTED._replace(step=3)
    assert covered(LISTED, LOOKED, again, goal=ASK, answer="Anna Kos").rule == ""


def test_nobody_can_look_closer() -> None:
    """Where no tool of the group takes the id, the list is all there is."""
    assert covered(LISTED, goal=ASK, tools=(SEARCH,)).coverage is Coverage.SATISFIED


def test_finding_is_not_doing() -> None:
    """An action needs a successful change; with one id known the call is exact."""
    one = found(SEARCH, [ANNA], {"query": "Anna"})
    said = covered(one, LOOKED, goal=DO)
    assert (said.coverage, said.rule, said.forced) == ("NEEDS_MORE_TOOLS", "execution", True)
    assert (said.next.tool, said.next.arguments) == ("call_contact", {"contact_id": "c1"})
    done = found(CALL, "called", {"contact_id": "c1"}, step=3)
    assert covered(one, done, goal=DO).coverage is Coverage.SATISFIED


def test_a_write_may_be_the_only_one_that_takes_the_id() -> None:
    """Nobody else need be able to look at the candidate."""
    said = covered(found(SEARCH, [ANNA], {"query": "Anna"}), goal=DO, tools=(SEARCH, CALL))
    assert (said.next.tool, said.next.arguments) == ("call_contact", {"contact_id": "c1"})


def test_among_several_nobody_is_guessed() -> None:
    """Two candidates: the tool is named, an id is not."""
    said = covered(LISTED, goal=DO)
    assert (said.next.tool, said.next.arguments) == ("call_contact", None)


@pytest.mark.parametrize("status", [Status.DENIED, Status.FAILED, Status.BLOCKED])
def test_an_action_that_failed(status: Status) -> None:
    """Denied, failed or blocked: it is not asked for again."""
    said = covered(LISTED, found(CALL, status=status), goal=DO)
    assert (said.coverage, said.forced) == (Coverage.FAILED, False)


def test_an_action_without_a_tool_for_it_is_not_forced() -> None:
    """Nothing that is visible could do it."""
    said = covered(LISTED, goal=DO, tools=(SEARCH, GET))
    assert (said.rule, said.forced) == ("execution", False)


def test_what_is_needed() -> None:
    """Every named tool must have succeeded; then rules can tell."""
    goal = Goal("Note it", kind="action", needs=["write_note", "call_contact"])
    noted = found(NOTE, "written", {"text": "x"})
    said = covered(noted, goal=goal)
    assert (said.rule, said.next.tool, said.forced) == ("needs", "call_contact", True)
    whole = covered(noted, found(CALL, "called", {"contact_id": "c1"}), goal=goal)
    assert (whole.coverage, whole.decided) == (Coverage.SATISFIED, True)
    denied = found(CALL, status=Status.DENIED)
    assert covered(noted, denied, goal=goal).coverage is Coverage.FAILED
    assert covered(noted, goal=goal, tools=(NOTE,)).forced is False


def test_nothing_found_after_something_was() -> None:
    """The later, narrower search does not undo the earlier one."""
    nothing = found(SEARCH, {"contacts": []}, {"query": "Anna Kos, Vienna"}, step=2)
    said = covered(LISTED, nothing, goal=ASK, answer="There is nobody.")
    assert (said.rule, said.forced) == ("contradiction", True)
    assert said.next.arguments == {"contact_id": "c1"}
    assert covered(nothing, LISTED, goal=ASK).rule == "inspection"
    assert covered(LISTED, nothing, goal=ASK, answer="Anna Kos").rule == "inspection"


def _places(contact_id: str) -> list[str]:
    """List the places of a contact."""
    return []


def test_nothing_found_that_contradicts_nothing() -> None:
    """About a candidate there may well be nothing; after a change too; or the author says so."""
    places = Tool.from_function(_places, name="places", group="contacts", ids=("contact_id",))
    about_her = found(places, [], {"contact_id": "c1"}, step=3)
    assert covered(LISTED, about_her, goal=ASK).rule != "contradiction"
    changed = found(CALL, "called", {"contact_id": "c1"}, step=2)
    later = found(SEARCH, [], {"query": "x"}, step=3)
    assert covered(LISTED, changed, later, goal=DO).rule != "contradiction"
    other = found(NOTE, [], {}, step=3)
    assert covered(LISTED, LOOKED, other, goal=ASK).rule != "contradiction"
    assert covered(LISTED, LOOKED, later, goal=ASK).rule != "contradiction"


def test_only_empty_results_are_left_to_a_judge() -> None:
    """One search that found nothing proves little; nothing is forced."""
    said = covered(found(SEARCH, [], {"query": "x"}), goal=ASK)
    assert (said.coverage, said.decided, said.forced) == ("NEEDS_MORE_TOOLS", False, False)


STATUS = Goal("What is the current status of the boiler repair?")


def search_all(query: str) -> list[dict[str, Any]]:
    """Search documents and events."""
    return []


def read_item(item_id: str) -> dict[str, Any]:
    """Read one."""
    return {}


FIND = Tool.from_function(search_all, group="items")
READ = Tool.from_function(read_item, group="items", ids=("item_id",))
ITEMS = found(
    FIND,
    [
        {"item_id": "d1", "title": "Boiler manual", "score": 0.98},
        {"item_id": "e1", "title": "Boiler repair ordered", "at": "2026-03-01", "score": 0.4},
        {"item_id": "e2", "title": "Boiler repair postponed", "at": "2026-03-04", "score": 0.2},
        {"item_id": "e3", "title": "Dentist", "at": "2026-03-09", "score": 0.1},
    ],
    {"query": "boiler"},
)


def test_the_newest_relevant_event_beats_a_higher_score() -> None:
    """The manual scores highest, the dentist is newer: neither says how the repair stands."""
    manual = found(READ, {"text": "..."}, {"item_id": "d1"}, step=2)
    said = covered(ITEMS, manual, goal=STATUS, tools=(FIND, READ))
    assert (said.rule, said.next.arguments) == ("newest", {"item_id": "e2"})
    event = found(READ, {"text": "..."}, {"item_id": "e2"}, step=3)
    assert covered(ITEMS, manual, event, goal=STATUS, tools=(FIND, READ)).rule == ""


def test_for_any_other_question_the_best_score_comes_first() -> None:
    """Only a status that changes asks for the newest."""
    said = covered(ITEMS, goal=Goal("How is the boiler cleaned?"), tools=(FIND, READ))
    assert (said.rule, said.next.arguments) == ("inspection", {"item_id": "d1"})


def test_an_event_that_nobody_can_open_was_read_in_the_list() -> None:
    """There is no call that would bring more."""
    assert covered(ITEMS, goal=STATUS, tools=(FIND,)).coverage is Coverage.SATISFIED


def test_all_of_it_is_more_than_a_page() -> None:
    """A part does not satisfy; the call for the rest is exact."""
    goal = Goal("List all contacts")
    page = found(SEARCH, [ANNA, BEN], {"query": "", "limit": 2})
    said = covered(page, goal=goal)
    assert (said.coverage, said.rule, said.forced) == ("NEEDS_MORE_TOOLS", "whole", True)
    assert (said.next.tool, said.next.arguments) == ("search_contacts", {"query": "", "limit": 20})
    whole = found(SEARCH, [ANNA, BEN], {"query": "", "limit": 20}, step=2)
    assert covered(page, whole, goal=goal).coverage is Coverage.SATISFIED
    assert covered(page, goal=Goal("List contacts"), tools=(SEARCH,)).coverage == "SATISFIED"


def test_all_may_stand_in_the_users_words() -> None:
    """The host's goal is short; the user said it."""
    page = found(SEARCH, [ANNA], {"query": "", "limit": 1})
    assert covered(page, goal=ASK, said=["Check everyone, please"]).rule == "whole"


def test_a_person_comes_first() -> None:
    """Approval, unknown outcome, an open question: nothing is retried before."""
    unknown = found(CALL, status=Status.UNKNOWN)
    asked = found(SEARCH, {"need_user_input": True, "question": "Which?", "candidates": [ANNA]})
    for said in (
        covered(LISTED, goal=ASK, waiting=True),
        covered(LISTED, unknown, goal=ASK),
        covered(LISTED, asked, goal=ASK, correcting=True),
    ):
        assert (said.coverage, said.next.next, said.forced) == (
            "NEED_USER_INPUT",
            "ask_user",
            False,
        )
    assert covered(LISTED, asked, goal=ASK, since=2).coverage is Coverage.NEEDS_MORE_TOOLS


def test_what_is_being_corrected_is_not_done() -> None:
    """Not even where everything else is."""
    assert covered(LISTED, LOOKED, goal=ASK, correcting=True).rule == "correcting"


def test_nothing_worked() -> None:
    """Where no call succeeded, the last ones say how far the turn is."""
    assert covered(found(GET, status=Status.FAILED), goal=ASK).coverage is Coverage.FAILED


DATA = st.recursive(
    st.none() | st.integers(-5, 5) | st.sampled_from(["c1", "c2", "Anna Kos", "2026-03-01"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["contact_id", "id", "name", "at", "score", "contacts"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)
CALLS = st.builds(
    found,
    st.sampled_from(TOOLS),
    DATA,
    st.dictionaries(st.sampled_from(["contact_id", "limit", "query"]), DATA, max_size=2),
    st.integers(1, 4),
    status=st.sampled_from([Status.OK, Status.OK, Status.FAILED, Status.REFUSED]),
)
GOALS = st.builds(
    Goal,
    st.sampled_from(["Find Anna", "List all", "Current status?", ""]),
    st.sampled_from(["query", "action"]),
    st.lists(st.sampled_from([tool.name for tool in TOOLS]), max_size=2),
)


@given(st.lists(CALLS, max_size=5), GOALS, st.none() | st.text(max_size=20))
def test_a_goal_is_never_covered_by_nothing(ended: list[Found], goal: Goal, answer: str) -> None:
    """Whatever came back: SATISFIED only with a success, an action only with a change."""
    said = cover(Case(ended, TOOLS, goal, answer=answer))
    if said.coverage is Coverage.SATISFIED:
        assert any(one.good for one in ended)
        assert goal.kind == "query" or any(one.changed for one in ended)
        assert all(any(one.good and one.tool.name == name for one in ended) for name in goal.needs)
    if said.forced:
        assert said.coverage is Coverage.NEEDS_MORE_TOOLS
        assert said.reason
    assert said.next.tool is None or said.next.tool in {tool.name for tool in TOOLS}
