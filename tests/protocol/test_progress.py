"""How far a turn is: when an answer is sent back, when a turn widens and ends."""

from evidence import ANNA, BEN, GET, NOTE, SEARCH, TOOLS, found
from handrail import Coverage, Goal, ToolCall, ToolResult
from handrail.protocol.coverage import Cover
from handrail.protocol.progress import Progress
from handrail.protocol.visibility import Visibility

EVERY = {tool.name: tool for tool in TOOLS}
ASK = Goal("What is Anna's number?")


def progress(
    goal: Goal | None = ASK,
    said: str = "",
    *,
    visible: list[str] | None = None,
    enforce: bool = True,
) -> Progress:
    """A turn in which two contacts were listed."""
    made = Progress(Visibility(EVERY, visible), goal, said, enforce=enforce)
    made.found.append(found(SEARCH, [ANNA, BEN]))
    return made


def cover(made: Progress, *, judge: bool = False) -> Cover:
    """How far it is."""
    return made.cover(TOOLS, correcting=False, judge=judge)


def test_an_early_answer_is_sent_back_once() -> None:
    """The same call is not asked for twice."""
    made = progress()
    made.answered("Her number is 1.")
    text = made.follow_up(cover(made))
    assert text is not None
    assert '{"contact_id": "c1"}' in text
    assert made.follow_up(cover(made)) is None


def test_a_turn_sends_three_answers_back_at_most() -> None:
    """Whatever is missing then, the answer is taken."""
    made = progress()
    asked = []
    for n in range(5):
        made.found[:] = [found(SEARCH, [{"contact_id": f"x{n}", "name": "Anna"}])]
        made.answered("Here.")
        asked.append(made.follow_up(cover(made)))
    assert [text is not None for text in asked] == [True, True, True, False, False]


def test_a_question_to_the_user_is_taken() -> None:
    """The model asks instead of guessing."""
    made = progress()
    made.answered("Which Anna do you mean?  ")
    assert made.follow_up(cover(made)) is None


def test_shadow_mode_only_observes() -> None:
    """Nothing is sent back, lifted, widened or ended."""
    made = progress(Goal("All contacts"), visible=["search_contacts"], enforce=False)
    made.answered("Here.")
    result = ToolResult(call_id="", tool="search_contacts", data=[])
    assert made.follow_up(cover(made)) is None
    assert made.stuck(result, 1) is result
    assert (made.wants_all, list(made.visibility.tools)) == (False, ["search_contacts"])


def test_the_user_speaks_again() -> None:
    """What was asked is answered, a new goal counts, and answers may be sent back again."""
    made = progress()
    asking = {"need_user_input": True, "question": "Which?", "candidates": [ANNA, BEN]}
    made.found.append(found(SEARCH, asking))
    assert made.clarification is not None
    assert cover(made).coverage is Coverage.NEED_USER_INPUT
    made.hear("Anna Kos, and all others", Goal("x", kind="action"))
    assert made.clarification is None
    assert made.wants_all
    assert cover(made).rule == "execution"
    made.hear("")
    assert made.goal == Goal("x", kind="action")


def test_what_rules_cannot_tell_is_the_judges() -> None:
    """Until it speaks nothing is satisfied, and what it said holds for this evidence only."""
    made = progress()
    made.found.append(found(GET, ANNA, {"contact_id": "c1"}, step=2))
    assert cover(made).coverage is Coverage.SATISFIED
    assert cover(made, judge=True).coverage is Coverage.NEEDS_MORE_TOOLS
    made.judged(Cover(Coverage.SATISFIED, "judge"))
    assert cover(made, judge=True).coverage is Coverage.SATISFIED
    made.found.append(found(NOTE, "x", step=3))
    assert cover(made, judge=True).coverage is Coverage.NEEDS_MORE_TOOLS


def test_a_judge_overrules_no_rule() -> None:
    """What was only listed is not satisfied, whoever says so."""
    made = progress()
    made.judged(Cover(Coverage.SATISFIED, "judge"))
    assert cover(made, judge=True).rule == "inspection"


def test_getting_no_further_widens_and_then_ends() -> None:
    """The first time all tools are named behind the result; the second is the end."""
    made = progress(visible=["search_contacts"])
    result = ToolResult(call_id="", tool="search_contacts", data=[])
    told = made.stuck(result, 1)
    assert told.content.startswith("[]\n\nMore tools are available from now on: get_contact, ")
    assert made.ended is None
    assert made.stuck(result, 2) is result
    assert made.ended is not None
    assert "Anna Kos, Ben Roth" in made.ended
    assert "Missing: A candidate was found and not looked at yet." in made.ended


def test_what_is_missing_is_the_goal_where_no_rule_says_more() -> None:
    """Or nothing, where there is no goal."""
    result = ToolResult(call_id="", tool="search_contacts", data=[])
    for goal, missing in ((Goal("The number"), True), (None, False)):
        made = Progress(Visibility(EVERY, ["get_contact"]), goal)
        made.stuck(result, 1)
        made.stuck(result, 2)
        assert made.ended is not None
        assert ("Missing: The number" in made.ended) is missing


def test_a_limit_is_lifted() -> None:
    """Where the user asked for all."""
    made = progress(said="Give me all of them")
    call, mends = made.lift(SEARCH, ToolCall("c", "search_contacts", {"query": "", "limit": 1}))
    assert (call.arguments, len(mends)) == ({"query": ""}, 1)
    assert not progress().wants_all
