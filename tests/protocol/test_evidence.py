"""What the calls of a turn have shown, and which call would look closer."""

from typing import Any

import pytest

from evidence import ANNA, BEN, CALL, GET, NOTE, SEARCH, TOOLS, found
from handrail import Status, Tool
from handrail.protocol.evidence import clarification_in, leads, open_question, related

ASKED = found(
    SEARCH, {"need_user_input": True, "question": "Which Anna?", "candidates": [ANNA, BEN]}
)


def test_a_row_leads_to_the_tool_that_takes_its_id() -> None:
    """Reads only; a write is no way to look."""
    (first, second) = leads([found(SEARCH, [ANNA, BEN])], TOOLS)
    assert (first.tool, first.field, first.id, second.id) == (GET, "contact_id", "c1", "c2")


def test_what_was_asked_for_by_id_is_no_lead() -> None:
    """The rows of a call that named their id were looked at."""
    assert leads([found(GET, [ANNA], {"contact_id": "c1"})], TOOLS) == []
    assert leads([found(SEARCH, [ANNA], status=Status.FAILED)], TOOLS) == []


def test_a_lead_is_followed_by_a_later_call_of_the_group() -> None:
    """A failed one, one of another id or one before is none."""
    listed = found(SEARCH, [ANNA])
    looked = found(GET, {}, {"contact_id": "c1"})
    (lead,) = leads([listed], TOOLS)
    assert lead.followed([listed, looked])
    assert lead.followed([listed, found(CALL, "x", {"contact_id": ["c1", "c2"]})])
    assert not lead.followed([listed, found(GET, {}, {"contact_id": "c2"})])
    assert not lead.followed([listed, found(GET, {}, {"contact_id": "c1"}, status=Status.FAILED)])
    assert not lead.followed([listed, found(NOTE, {}, {"text": "c1"})])


def test_the_first_id_of_a_row_is_its_own() -> None:
    """An order refers to its customer; looking at the order is what leads on."""
    order = {"order_id": "o1", "contact_id": "c1"}
    assert leads([found(SEARCH, [order])], TOOLS) == []


def test_a_plain_id_goes_where_it_belongs() -> None:
    """With two kinds of ids in a group, the list's name or the tool's says which."""

    def get_place(place_id: str) -> dict[str, Any]:
        """Get a place."""
        return {}

    place = Tool.from_function(get_place, group="contacts", ids=("place_id",))
    tools = (SEARCH, GET, place)
    one = leads([found(SEARCH, {"places": [{"id": "p1"}]})], (*tools[::2],))
    assert [(lead.tool, lead.id) for lead in one] == [(place, "p1")]
    both = leads([found(SEARCH, {"contacts": [{"id": "c1"}]})], tools)
    assert [(lead.tool, lead.id) for lead in both] == [(GET, "c1")]


def test_declared_facts_come_first() -> None:
    """What the author named is the controller's own choice."""
    one = found(SEARCH, [ANNA, BEN], facts={"contact_id": "c2"})
    assert [lead.id for lead in leads([one], TOOLS)] == ["c2", "c1", "c2"]
    several = found(SEARCH, "two of them", facts={"contact_id": ["c1", "c2"], "total": 2})
    assert [lead.id for lead in leads([several], TOOLS)] == ["c1", "c2"]


def test_a_tool_with_several_actions_looks_by_itself() -> None:
    """Without a group, the tool that found it is the one that may take the id."""

    def lookup(query: str | None = None, contact_id: str | None = None) -> list[dict[str, Any]]:
        """Look up."""
        return []

    tool = Tool.from_function(lookup, ids=("contact_id",))
    (lead,) = leads([found(tool, [ANNA], {"query": "Anna"})], (tool, GET))
    assert lead.tool is tool
    assert not related(tool, GET)


@pytest.mark.parametrize("data", [[], {}, None, "", " [] ", {"items": []}])
def test_empty(data: object) -> None:
    """In every shape, JSON text included."""
    assert found(SEARCH, data).empty


def test_a_question_is_read_where_it_may_be_one() -> None:
    """What a contract declares is data, unless it was judged to be a question."""
    declared = Tool.from_json_schema("t", "d", {"type": "object"}, output_schema={"type": "object"})
    asked = clarification_in(ASKED)
    assert asked is not None
    assert (asked.question, asked.tool) == ("Which Anna?", "search_contacts")
    same = found(declared, ASKED.result.data)
    assert clarification_in(same) is None
    judged = same._replace(result=same.result.replace(error_class="need_user_input"))
    assert clarification_in(judged) is not None
    assert clarification_in(found(SEARCH, ASKED.result.data, status=Status.FAILED)) is None


def test_a_guess_answers_nothing() -> None:
    """Taking a candidate that the user never named leaves the question open."""
    guess = found(GET, ANNA, {"contact_id": "c1"})
    assert open_question([ASKED, guess], ["Call Anna"]) is not None
    assert open_question([ASKED, guess], ["Call Anna Kos"]) is None
    assert open_question([ASKED, guess], ["the one with c1"]) is None


def test_candidates_of_one_name_are_told_apart_by_id_only() -> None:
    """The user said the name, and both bear it."""
    twins = {"ambiguous": True, "candidates": [ANNA, {**BEN, "name": "Anna Kos"}]}
    guess = found(GET, ANNA, {"contact_id": "c1"})
    assert open_question([found(SEARCH, twins), guess], ["Call Anna Kos"]) is not None


def test_a_better_search_answers_it() -> None:
    """A later result of the group that asks nothing; an empty or foreign one does not."""
    better = found(SEARCH, [ANNA], {"query": "Anna in Vienna"})
    assert open_question([ASKED, better], []) is None
    assert open_question([ASKED, found(SEARCH, [])], []) is not None
    assert open_question([ASKED, found(NOTE, "x")], []) is not None
    assert open_question([found(SEARCH, [ANNA])], []) is None
