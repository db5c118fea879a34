"""What the model and the user are told about how far a turn is: every text is kept."""

from hypothesis import given
from hypothesis import strategies as st

from evidence import ANNA, BEN, GET, NOTE, SEARCH, found
from handrail import Advice, Status
from handrail.protocol import limits
from handrail.protocol.results import Facts
from handrail.protocol.words import follow_up, more_tools, partial_answer, told_of
from snapshots import matches_snapshot

EXACT = Advice("other_tool", {"contact_id": "c1"}, "get_contact")


def test_follow_ups() -> None:
    """With exact arguments, with some, with a tool alone, with nothing."""
    texts = [
        follow_up("A candidate was found and not looked at yet.", EXACT, whole=True),
        follow_up("The goal needs more.", EXACT, whole=False),
        follow_up("The goal needs more.", EXACT._replace(arguments=None), whole=False),
        follow_up("The goal needs more.", Advice(), whole=False),
    ]
    assert matches_snapshot("\n\n".join(texts), "follow_ups", "protocol")


def test_widening_and_the_end() -> None:
    """What stands behind the result, and what is told after the end."""
    ended = limits.ended(Facts("", "t")).content
    texts = [more_tools(["a", "b"]), more_tools([]), more_tools(list("abcdefghijk")), ended]
    assert matches_snapshot("\n\n".join(texts), "widening", "protocol")


def test_partial_answers() -> None:
    """What was found, by its names; or that nothing was."""
    ended = [
        found(SEARCH, [ANNA, BEN]),
        found(SEARCH, [ANNA, BEN]),
        found(SEARCH, []),
        found(NOTE, "a plain text"),
        found(GET, status=Status.FAILED),
        *(found(SEARCH, [{"name": f"Person {n}-{m}"} for m in range(7)]) for n in range(8)),
    ]
    texts = [partial_answer(ended, "The number of Anna."), partial_answer([])]
    assert matches_snapshot("\n\n".join(texts), "partial_answers", "protocol")


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_value_forges_a_line(name: str, id: str) -> None:
    """Ids and names of rows stay on one line each."""
    advice = EXACT._replace(arguments={"contact_id": id})
    assert follow_up("Why.", advice, whole=True).count("\n") == 2
    assert "\n" not in told_of(found(SEARCH, [{"contact_id": id, "name": name}]))
