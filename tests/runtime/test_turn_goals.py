"""A turn with a goal, with hidden tools, with a question: through the public doors."""

import asyncio
from typing import Annotated, Any

import pytest
from pydantic import Field

from handrail import ConfigError, Coverage, Goal, ProtocolError, Status, Toolbox, ToolCall
from handrail.testing import ScriptedModel, call, text
from parts import shop

ASKED: list[dict[str, Any]] = [{"role": "user", "content": "What is Anna's number?"}]
GOAL = Goal("What is Anna's number?")
FIND = call("find_people", {"query": "Anna"})
READ = call("read_person", {"person_id": "a1"})


def people(**options: Any) -> Toolbox:
    """A toolbox that finds people, reads one, calls one, and searches a diary in vain."""
    box = Toolbox(name="people", **options)

    @box.tool(group="people")
    def find_people(query: str, limit: Annotated[int, Field(le=50)] = 5) -> list[dict[str, Any]]:
        """Find people."""
        if query == "which":
            return {"ambiguous": ["x", "y"], "question": "Which?"}  # type: ignore[return-value]  # a question
        known = [{"person_id": f"a{n}", "name": f"Anna {n}"} for n in range(1, 9)]
        return known[:limit] if query == "Anna" else []

    @box.tool(group="people", ids=("person_id",))
    def read_person(person_id: str) -> dict[str, Any]:
        """Read about a person."""
        return {"person_id": person_id, "phone": "1"}

    @box.tool(group="people", ids=("person_id",), action_type="write")
    def call_person(person_id: str) -> str:
        """Call a person."""
        return "called"

    @box.tool()
    def search_diary(query: str) -> list[str]:
        """Search the diary."""
        return []

    return box


# ---- goals


async def test_an_early_answer_is_sent_back_and_then_taken() -> None:
    """The host's loop goes on with what `to_messages` gives; the transcript tells the story."""
    async with people().turn(goal=GOAL) as turn:
        await turn.take([ToolCall("c1", "find_people", {"query": "Anna"})])
        assert turn.coverage is Coverage.NEEDS_MORE_TOOLS
        assert (turn.next.tool, turn.next.arguments) == ("read_person", {"person_id": "a1"})
        early = await turn.take({"role": "assistant", "content": "Her number is 7."})
        assert (early.done, early.results) == (False, ())
        said, asked = early.to_messages()
        assert (said["role"], asked["role"]) == ("assistant", "user")
        assert '{"person_id": "a1"}' in asked["content"]
        await turn.take([ToolCall("c2", "read_person", {"person_id": "a1"})])
        final = await turn.take({"role": "assistant", "content": "It is 1."})
        assert (final.done, turn.coverage) == (True, Coverage.SATISFIED)


def test_each_providers_history_takes_the_words() -> None:
    """An Anthropic turn, answered as Anthropic's user message."""
    with people().turn(goal="What is Anna's number?") as turn:
        turn.answer_sync(ToolCall("c1", "find_people", {"query": "Anna"}))
        content = [{"type": "text", "text": "It is 7."}]
        reply = {
            "type": "message",
            "role": "assistant",
            "content": content,
            "stop_reason": "end_turn",
        }
        messages = turn.take_sync(reply).to_messages()
    assert [one["role"] for one in messages] == ["assistant", "user"]


def test_without_a_goal_every_answer_is_final() -> None:
    """Nothing is asked for that the host did not declare."""
    with people().turn(user_text="all of them") as turn:
        result = turn.answer_sync(ToolCall("c1", "find_people", {"query": "Anna", "limit": 2}))
        answers = turn.take_sync({"role": "assistant", "content": "Here."})
    assert (result.mends, answers.done, turn.coverage) == ((), True, Coverage.SATISFIED)


async def test_the_active_loop_follows_up() -> None:
    """The model reads it, calls, and answers again."""
    model = ScriptedModel([FIND, text("It is 7."), READ, text("It is 1.")])
    said = await people().run(model, ASKED, goal=GOAL)
    assert (said.stop_reason, said.text, said.turn.coverage) == (
        "answered",
        "It is 1.",
        "SATISFIED",
    )
    assert model.requests[2].messages[-1]["content"].startswith("This is not finished.")
    assert said.messages == [
        *model.requests[-1].messages,
        {"role": "assistant", "content": "It is 1."},
    ]


async def test_the_active_loop_does_not_ask_for_ever() -> None:
    """A model that will not be told is let go, and the turn says how far it came."""
    model = ScriptedModel([FIND, text("It is 7."), text("It is 7.")])
    said = await people().run(model, ASKED, goal=GOAL)
    assert (said.stop_reason, said.turn.coverage) == ("answered", "NEEDS_MORE_TOOLS")


async def test_a_judge_is_asked_only_where_rules_cannot_tell() -> None:
    """And what it wants is forced like a rule's word."""
    asked: list[str] = []

    async def judge(goal: Goal, results: object, answer: str) -> str:
        asked.append(answer)
        return "SATISFIED" if "1" in answer else "NEEDS_MORE_TOOLS"

    model = ScriptedModel([FIND, text("early"), READ, text("vague"), text("It is 1.")])
    said = await people().run(model, ASKED, goal=GOAL, judge=judge)
    assert asked == ["vague", "It is 1."]
    assert (said.text, said.turn.coverage) == ("It is 1.", Coverage.SATISFIED)


def test_a_judge_behind_the_sync_door() -> None:
    """It runs on the private loop; from inside a loop the async door is named."""

    async def judge(*_: object) -> Coverage:
        return Coverage.SATISFIED

    with people().turn(goal=GOAL, judge=judge) as turn:
        turn.answer_sync(ToolCall("c", "read_person", {"person_id": "a1"}))
        assert turn.coverage is Coverage.NEEDS_MORE_TOOLS
        assert turn.take_sync({"role": "assistant", "content": "It is 1."}).done
        assert turn.coverage is Coverage.SATISFIED

    async def inside() -> None:
        with people().turn(goal=GOAL, judge=judge) as turn:
            turn.answer_sync(ToolCall("c", "read_person", {"person_id": "a1"}))
            turn.take_sync({"role": "assistant", "content": "It is 1."})

    with pytest.raises(ProtocolError, match="the judge"):
        asyncio.run(inside())


async def test_a_goal_may_be_read_by_a_model() -> None:
    """The toolbox names its tools; what it reads is a goal of the turn."""
    reply = '{"text": "Call Anna", "kind": "action", "needs": ["call_person"]}'
    goal = await people().read_goal("call anna", ScriptedModel([text(reply)]))
    with people().turn(goal=goal) as turn:
        assert (turn.coverage, turn.next.tool) == (Coverage.NEEDS_MORE_TOOLS, "call_person")


def test_a_goal_that_needs_no_tool_of_this_box() -> None:
    """The nearest names are told."""
    with pytest.raises(ConfigError, match="read_person"):
        people().turn(goal=Goal("x", needs=["read_persons"]))


def test_limits_are_lifted_where_the_user_asked_for_all() -> None:
    """The model and the host are told; the next model message reads it."""
    with people().turn(user_text="List all Annas", goal=Goal("List them")) as turn:
        result = turn.answer_sync(ToolCall("c", "find_people", '{"query": "Anna", "limit": 2}'))
    assert [(one.kind, one.before, one.after) for one in result.mends] == [("limit_lifted", 2, 50)]
    assert "- /limit: The user asked for all, so the limit was lifted" in result.content
    assert len(result.data) == 8


def test_shadow_mode_lifts_nothing() -> None:
    """It observes."""
    with people(enforce=False).turn(goal=Goal("List all")) as turn:
        result = turn.answer_sync(ToolCall("c", "find_people", {"query": "Anna", "limit": 2}))
        assert turn.take_sync({"role": "assistant", "content": "Here."}).done
    assert (result.mends, len(result.data)) == ((), 2)


# ---- questions


def test_a_question_waits_for_the_user() -> None:
    """NEED_USER_INPUT until the user speaks in the same turn."""
    box = people()
    with box.turn(key="k:1", goal=GOAL) as turn:
        turn.answer_sync(ToolCall("c", "find_people", {"query": "which"}))
        asked = turn.clarification
        assert asked is not None
        assert (asked.question, turn.coverage) == ("Which?", Coverage.NEED_USER_INPUT)
        assert turn.take_sync({"role": "assistant", "content": "I take x."}).done
    with box.turn(key="k:1", user_text="y") as again:
        assert (again is turn, again.clarification) == (True, None)


def test_a_human_who_is_awaited() -> None:
    """While a call waits for approval the turn needs the user; then it does not."""
    box, _ = shop()
    with box.turn(goal=Goal("Delete it", kind="action"), user="ann") as turn:
        waiting = turn.answer_sync(ToolCall("c", "delete_order", {"order_id": "O-1"}))
        assert (waiting.status, turn.coverage) == (Status.PENDING, Coverage.NEED_USER_INPUT)
        (card,) = box.approvals(user="ann")
        box.approve_sync(card.id, by="ann")
        assert turn.coverage is Coverage.SATISFIED


# ---- what is seen


def test_a_turn_may_begin_with_a_few_tools() -> None:
    """Only these are offered; another is unknown, and the visible ones are named."""
    with people().turn(visible=["find_people"]) as turn:
        assert [one["function"]["name"] for one in turn.schemas()] == ["find_people"]
        assert [tool.name for tool in turn.tools] == ["find_people"]
        hidden = turn.answer_sync(ToolCall("c", "read_person", {"person_id": "a1"}))
        assert (hidden.status, hidden.code) == (Status.REFUSED, "VAL-019")
        assert "find_people" in hidden.content
        assert "call_person" not in hidden.content
        turn.widen()
        assert len(turn.tools) == 4
        assert turn.answer_sync(ToolCall("c", "read_person", {"person_id": "a1"})).data["phone"]


def test_a_turn_may_have_no_tools() -> None:
    """``none``: every call is unknown, and nothing widens it but the host."""
    with people().turn(visible=[]) as turn:
        for n in range(6):
            turn.answer_sync(ToolCall(f"c{n}", "find_people", {"query": "x"}))
        assert (turn.schemas(), turn.tools) == ([], ())


def empty(n: int, tool: str = "find_people") -> ToolCall:
    """A search in vain, each with other words."""
    return ToolCall(f"c{n}", tool, {"query": f"nobody {n}"})


def test_getting_no_further_offers_every_tool_once_and_then_ends() -> None:
    """Three empty searches widen, three more end; what was found is the answer."""
    with people().turn(visible=["find_people", "search_diary"], goal=GOAL) as turn:
        turn.answer_sync(ToolCall("c", "find_people", {"query": "Anna"}))
        widened = [turn.take_sync([empty(n, "search_diary")]) for n in range(3)]
        assert "More tools are available from now on: read_person, call_person." in (
            widened[-1].results[0].content
        )
        assert ([one.done for one in widened], len(turn.tools)) == ([False] * 3, 4)
        ended = [turn.take_sync([empty(n, "search_diary")]) for n in range(3, 6)]
        assert [one.done for one in ended] == [False, False, True]
        assert ended[-1].text.startswith("I could not finish this")
        assert "find_people: Anna 1, Anna 2, Anna 3, Anna 4, Anna 5" in ended[-1].text
        assert len(ended[-1].to_messages()) == 2
        after = turn.take_sync([ToolCall("c9", "read_person", {"person_id": "a1"})])
        assert (after.results[0].status, after.done) == (Status.BLOCKED, True)


def test_a_hidden_tool_that_is_called_again_and_again() -> None:
    """The model is told twice; then the tool is there."""
    with people().turn(visible=["find_people"]) as turn:
        wanted = [ToolCall(f"c{n}", "read_person", {"person_id": "a1"}) for n in range(4)]
        results = [turn.answer_sync(one) for one in wanted]
    assert [one.status for one in results] == ["refused", "refused", "blocked", "ok"]


def test_bad_arguments_again_and_again() -> None:
    """A call that is never right is no progress either."""
    with people().turn(visible=["find_people"]) as turn:
        for n in range(3):
            last = turn.answer_sync(ToolCall(f"c{n}", "find_people", {"query": n}))
        assert last.status is Status.BLOCKED
        assert "More tools are available" in last.content
        assert len(turn.tools) == 4


def test_the_same_call_again_and_again() -> None:
    """The refusal offers more."""
    with people().turn(visible=["find_people"]) as turn:
        same = [ToolCall(f"c{n}", "find_people", {"query": "Anna"}) for n in range(4)]
        results = [turn.answer_sync(one) for one in same]
    assert results[-1].status is Status.REFUSED
    assert "More tools are available" in results[-1].content


def test_a_full_turn_is_not_ended() -> None:
    """What it sees is all there is; the ladder of loops alone holds."""
    with people().turn() as turn:
        done = [turn.take_sync([empty(n)]).done for n in range(9)]
    assert done == [False] * 9


async def test_the_active_loop_ends_with_what_was_found() -> None:
    """Its last words are the partial answer."""
    searches = [call("search_diary", {"query": f"x{n}"}) for n in range(6)]
    model = ScriptedModel([FIND, *searches])
    said = await people().run(model, ASKED, goal=GOAL, visible=["find_people", "search_diary"])
    assert said.stop_reason == "no_progress"
    assert "Anna 1" in said.text
    assert said.messages[-1] == {"role": "assistant", "content": said.text}
    assert len(model.requests[0].tools) == 2
    assert len(model.requests[-1].tools) == 4
