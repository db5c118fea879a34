"""Seed 003, requirement by requirement: a list to read beside the seed.

Names in the seed are those of another program: ``tools/contracts.py`` is `Tool` and its contract
keywords, the pre-execution validator is `judge_input`, the post-execution validator is
`judge_output` with `Turn.coverage`. The example with the seed's own tools is
``examples/assistant.py``; ``tests/examples/test_assistant.py`` goes through its rules one by one.
"""

import inspect
import json
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mcp.types
import pytest

from handrail import Coverage, Goal, Issue, Status, Tool, Toolbox, ToolCall, ToolResult, Turn
from handrail.contract.internal_schemas import COVERAGE_SCHEMA, GOAL_SCHEMA
from handrail.protocol.judging import coverage_messages, goal_messages
from handrail.testing import ScriptedModel, call, text

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "assistant.py"
NAMES: dict[str, Any] = runpy.run_path(str(EXAMPLE))  # Any: what the example defines
STATUS = "What is the current status of the boiler repair?"
SPAN = {"action": "by_time_span", "start": "2026-03-01", "end": "2026-03-31"}
ANNA = {"action": "search", "query": "Anna"}


def box() -> Toolbox:
    """The five tools of the seed."""
    made: Toolbox = NAMES["box"]
    return made


def answer(turn: Turn, tool: str, **arguments: object) -> ToolResult:
    """One call."""
    return turn.answer_sync(ToolCall("", tool, arguments))


def alone(tool: str, **arguments: object) -> ToolResult:
    """One call in a turn of its own."""
    with box().turn() as turn:
        return answer(turn, tool, **arguments)


def names(tools: Sequence[Tool]) -> list[str]:
    """Their names."""
    return [tool.name for tool in tools]


# ---- the pipeline


def test_two_stages_around_every_call() -> None:
    """A valid call runs, and its result says how far the turn is; an invalid one does not run."""
    with box().turn() as turn:
        bad = answer(turn, "lookup_contact", action="get")
        good = answer(turn, "lookup_contact", action="get", contact_id="c3")
    assert (bad.status, bad.data) == (Status.INVALID, None)
    assert (good.status, good.coverage) == (Status.OK, Coverage.SATISFIED)


def test_an_invalid_call_goes_back_to_the_model() -> None:
    """Repair feedback is the result of the call."""
    assert alone("lookup_contact", action="get").content.startswith("Validation failed for tool")


def test_a_valid_call_leads_to_state_and_coverage() -> None:
    """What came back is kept, and the turn knows how far it is."""
    with box().turn(goal=Goal(STATUS)) as turn:
        answer(turn, "get_events", **SPAN)
        assert turn.results[0].data["events"]
        assert turn.coverage is Coverage.NEEDS_MORE_TOOLS


# ---- before the call


def test_required_and_unknown_parameters() -> None:
    """Each is an issue with a code of its own."""
    assert {one.code for one in alone("lookup_contact").issues} == {"VAL-001"}
    assert {one.code for one in alone("lookup_contact", **ANNA, x=1).issues} == {"VAL-005"}


def test_types_ranges_and_enumerations() -> None:
    """The schema's own constraints."""
    found = alone("get_events", action="by_id", event_ids="e1", limit="many")
    assert {one.path for one in found.issues if one.severity == "error"} >= {"/action", "/limit"}


def test_validators_of_the_contract() -> None:
    """The author's own check runs once the arguments fit."""

    def check(args: dict[str, Any]) -> str | None:
        return "the span is empty" if args["start"] == args["end"] else None

    def span(start: str, end: str) -> str:
        """A span."""
        return "ok"

    own = Toolbox([Tool.from_function(span, check_input=check)])
    with own.turn() as turn:
        assert "the span is empty" in answer(turn, "span", start="a", end="a").content


def test_checks_that_depend_on_the_action() -> None:
    """Rules between fields, as data."""
    assert alone("lookup_contact", action="get", query="Anna").issues[0].path == "/contact_id"
    assert alone("lookup_contact", action="get", contact_id="c1").status is Status.OK


def test_home_assistant_call_tool_requires_tool_name() -> None:
    """``list_tools`` does not."""
    assert alone("home_assistant", action="call_tool").issues[0].path == "/tool_name"
    assert alone("home_assistant", action="list_tools").status is Status.OK


def test_lookup_contact_needs_query_or_id_by_action() -> None:
    """A search needs words, a get needs an id."""
    assert alone("lookup_contact", action="search").issues[0].path == "/query"
    assert alone("lookup_contact", action="get").issues[0].path == "/contact_id"


def test_lookup_contact_places_needs_one_of_three() -> None:
    """Any one will do."""
    assert alone("lookup_contact_places").issues[0].code == "VAL-013"
    for name in ("contact_id", "contact_query", "group_query"):
        assert alone("lookup_contact_places", **{name: "x"}).status is Status.OK


def test_lookup_place_contacts_needs_one_of_two() -> None:
    """By id or by query."""
    assert alone("lookup_place_contacts").issues[0].code == "VAL-013"
    for name in ("place_id", "place_query"):
        assert alone("lookup_place_contacts", **{name: "x"}).status is Status.OK


def test_feedback_holds_the_intent_of_the_contract() -> None:
    """From the second attempt on."""
    with box().turn() as turn:
        answer(turn, "lookup_contact", action="get")
        again = answer(turn, "lookup_contact", action="get", query="x")
    assert "Intent: a person is named; search first, then get by id" in again.content


def test_feedback_holds_the_valid_parameters() -> None:
    """Names and types, from the second attempt on."""
    with box().turn() as turn:
        answer(turn, "lookup_contact", action="get")
        again = answer(turn, "lookup_contact", action="get", query="x")
    assert "Fields: " in again.content
    assert "contact_id" in again.content.partition("Fields: ")[2]


def test_feedback_holds_a_targeted_suggestion() -> None:
    """What exactly to change."""
    said = alone("lookup_contact_places").content.splitlines()[-1]
    assert said.endswith("add one of /contact_id, /contact_query, /group_query.")


def test_feedback_stays_visible_on_the_next_turn() -> None:
    """What the model is sent next holds the whole feedback, whatever its size."""
    with box().turn() as turn:
        answers = turn.take_sync([ToolCall("c1", "lookup_contact", {"action": "get"})])
    sent = answers.to_messages()[-1]["content"]
    assert sent == answers.results[0].content
    assert answers.results[0].is_error


def test_irrelevant_parameters_are_dropped_when_safe() -> None:
    """``by_ids`` runs without its limit; both sides are told."""
    found = alone("get_events", action="by_ids", event_ids=["e1"], limit=5)
    assert [(one.kind, one.path) for one in found.mends] == [("irrelevant", "/limit")]
    assert "/limit: The field does not apply here and was left out" in found.content


def test_a_limit_stays_where_it_applies() -> None:
    """``by_time_span`` keeps it."""
    assert len(alone("get_events", **SPAN, limit=1).data["events"]) == 1


# ---- after the call


def test_an_explicit_failure_is_detected() -> None:
    """A handler that raises is a failure, without a word of the exception."""

    def fails(query: str) -> str:
        """Fail."""
        raise RuntimeError("db-7.internal is down")

    with Toolbox([Tool.from_function(fails)]).turn(goal=Goal("x")) as turn:
        found = answer(turn, "fails", query="x")
        assert (found.error_class, turn.coverage) == ("tool_failed", Coverage.FAILED)
    assert "db-7" not in found.content


def test_an_empty_result_is_detected() -> None:
    """It does not cover a goal."""
    with box().turn(goal=Goal("Who is Zoe?")) as turn:
        answer(turn, "lookup_contact", action="search", query="Zoe")
        assert turn.coverage is Coverage.NEEDS_MORE_TOOLS


def test_coverage_satisfied() -> None:
    """Found, looked at, answered."""
    with box().turn(goal=Goal("What is Ben's number?")) as turn:
        answer(turn, "lookup_contact", action="search", query="Ben")
        answer(turn, "lookup_contact", action="get", contact_id="c3")
        assert turn.coverage is Coverage.SATISFIED


def test_coverage_needs_more_tools() -> None:
    """Found only."""
    with box().turn(goal=Goal("What is Ben's number?")) as turn:
        answer(turn, "lookup_contact", action="search", query="Ben")
        assert turn.coverage is Coverage.NEEDS_MORE_TOOLS


def test_coverage_need_user_input() -> None:
    """Two of that name."""
    with box().turn(goal=Goal("What is Anna's number?")) as turn:
        answer(turn, "lookup_contact", **ANNA)
        assert turn.coverage is Coverage.NEED_USER_INPUT


def test_coverage_failed() -> None:
    """What was to be done was not allowed."""
    denied = box()
    with denied.turn(goal=Goal("Switch it on", kind="action")) as turn:
        result = answer(turn, "home_assistant", action="call_tool")
        assert (result.status, turn.coverage) == (Status.INVALID, Coverage.NEEDS_MORE_TOOLS)
        for _ in range(2):
            answer(turn, "home_assistant", action="call_tool")
        assert turn.coverage is Coverage.FAILED


def test_ambiguity_asks_the_user_and_is_not_retried() -> None:
    """Neither a forced call nor a retry: the question, with its candidates as a form."""
    with box().turn(goal=Goal("What is Anna's number?")) as turn:
        answer(turn, "lookup_contact", **ANNA)
        asked = turn.clarification
        assert asked is not None
        assert turn.next.next == "ask_user"
        assert turn.take_sync({"role": "assistant", "content": "Two are called so."}).done
    form = mcp.types.ElicitRequestFormParams.model_validate(asked.to_elicitation())
    assert list(form.requested_schema["properties"]) == ["contact_id"]


def test_a_guess_among_candidates_does_not_settle_it() -> None:
    """The user never said which."""
    with box().turn(user_text="Call Anna", goal=Goal("Call Anna")) as turn:
        answer(turn, "lookup_contact", **ANNA)
        answer(turn, "lookup_contact", action="get", contact_id="c1")
        assert turn.coverage is Coverage.NEED_USER_INPUT


def test_the_judge_sees_inspected_evidence_whole() -> None:
    """Broad candidates give way first, and what was looked at is not cut."""
    asked = {"query": "x" * 10}
    seen: list[str] = []

    def find(query: str) -> list[dict[str, str]]:
        """Find."""
        return [{"name": f"N{n}", "text": "broad " * 900} for n in range(9)]

    def read(query: str) -> str:
        """Read."""
        return "key text " * 900

    model = ScriptedModel([lambda messages, _: seen.append(messages[1]["content"]) or text("{}")])
    with Toolbox([Tool.from_function(find), Tool.from_function(read)]).turn(
        goal=Goal("x"), judge=model
    ) as turn:
        answer(turn, "find", **asked)
        answer(turn, "read", **asked)
        turn.take_sync({"role": "assistant", "content": "Done."})
    assert "key text " * 900 in seen[0]
    assert "broad" not in seen[0]
    assert "N0, N1" in seen[0]


def test_the_newest_relevant_event_comes_before_a_higher_score() -> None:
    """For a status that changes; the unrelated, newer one does not count either."""
    with box().turn(goal=Goal(STATUS)) as turn:
        answer(turn, "get_events", **SPAN)
        answer(turn, "get_events", action="by_ids", event_ids=["e1"])
        assert turn.coverage is Coverage.NEEDS_MORE_TOOLS
        assert turn.next.arguments == {"action": "by_ids", "event_ids": ["e2"]}
        answer(turn, "get_events", action="by_ids", event_ids=["e2"])
        assert turn.coverage is Coverage.SATISFIED


def test_a_forced_follow_up_is_exact() -> None:
    """Tool, id and every required argument; the model continues from it."""
    with box().turn(goal=Goal("What is Ben's number?")) as turn:
        answer(turn, "lookup_contact", action="search", query="Ben")
        early = turn.take_sync({"role": "assistant", "content": "I do not know."})
        exact = {"action": "get", "contact_id": "c3"}
        assert (turn.next.tool, turn.next.arguments) == ("lookup_contact", exact)
        assert json.dumps(exact) in early.to_messages()[-1]["content"]
        assert answer(turn, "lookup_contact", **exact).status is Status.OK


# ---- contracts of tools


def test_contracts_carry_usage_guidance() -> None:
    """When to use it, when not, examples: beside each tool, not in one prompt."""
    tool = Tool.from_function(
        lambda: "x",
        name="t",
        description="D.",
        when_to_use="now",
        when_not_to_use="later",
        examples=[{}],
    )
    described = tool.full_description
    assert described.splitlines() == [
        "D.", "Use it when: now", "Do not use it when: later", "Example arguments: {}",
    ]  # fmt: skip
    (shown,) = Toolbox([tool]).schemas()
    assert shown["function"]["description"] == described


# ---- model calls with a shape


async def test_the_shape_is_enforced_in_transport() -> None:
    """The judge is asked with a response format."""
    sent: list[Any] = []

    class Model:
        """Keeps what it was sent."""

        async def respond(self, messages: object, tools: object, **options: Any) -> Any:
            sent.append(options["response_format"])
            return ScriptedModel([text("{}")])

    async with box().turn(goal=Goal("x"), judge=Model()) as turn:
        await turn.take({"role": "assistant", "content": "Done."})
        assert turn.coverage is Coverage.NEEDS_MORE_TOOLS
    assert sent[0]["json_schema"]["schema"] == COVERAGE_SCHEMA


def test_prompts_do_not_repeat_the_schema() -> None:
    """They say what is meant, and no field of the reply's form."""
    asked = [*coverage_messages(Goal("x"), [], ""), *goal_messages("x", [])]
    prompts = "\n".join(one["content"] for one in asked)
    assert "{" not in prompts
    fields = {*COVERAGE_SCHEMA["properties"], *GOAL_SCHEMA["properties"]} - {"text", "kind"}
    shaped = {name for name in fields if f"{name}:" in prompts or f'"{name}"' in prompts}
    assert shaped == set()


# ---- escalation


def test_repeated_invalid_paths_are_detected() -> None:
    """The same bad arguments end the call, three such calls the tool."""
    with box().turn() as turn:
        results = [answer(turn, "lookup_contact", action="get") for _ in range(9)]
    assert results[2].status is Status.BLOCKED
    assert "lookup_contact" in turn.withdrawn


def test_repeated_empty_paths_are_detected() -> None:
    """Three searches in vain: the result says so."""
    with box().turn() as turn:
        for n in range(3):
            last = answer(turn, "lookup_contact", action="search", query=f"nobody {n}")
    assert "3 calls of lookup_contact in a row found nothing" in last.content


def test_restricted_visibility_escalates_to_full() -> None:
    """Once, when nothing new comes of it."""
    with box().turn(visible=["lookup_contact"]) as turn:
        assert names(turn.tools) == ["lookup_contact"]
        for n in range(3):
            last = answer(turn, "lookup_contact", action="search", query=f"nobody {n}")
        assert "More tools are available from now on" in last.content
        assert len(turn.tools) == 5


@pytest.mark.parametrize("word", ["all", "everyone", "entire", "every", "whole"])
def test_words_for_everything_lift_limits(word: str) -> None:
    """The user's phrasing, not the model's."""
    with box().turn(user_text=f"Show me {word} events", goal=Goal("Show events")) as turn:
        found = answer(turn, "get_events", **SPAN, limit=1)
    assert [one.kind for one in found.mends] == ["limit_lifted"]
    assert len(found.data["events"]) == 3


def test_a_part_does_not_cover_everything() -> None:
    """A result that fills its limit is not the whole, whoever set the limit."""

    def list_people(limit: int = 2) -> list[dict[str, str]]:
        """List people."""
        return [{"name": f"P{n}"} for n in range(min(limit, 5))]

    with Toolbox([Tool.from_function(list_people)]).turn(goal=Goal("List everyone")) as turn:
        answer(turn, "list_people")
        assert (turn.coverage, turn.next.arguments) == (Coverage.NEEDS_MORE_TOOLS, {"limit": 20})
        answer(turn, "list_people", limit=20)
        assert turn.coverage is Coverage.SATISFIED


# ---- the minimum of tests


def test_contracts_and_handlers_fit() -> None:
    """A handler that asks for what the parameters lack is refused at declaration."""
    for tool in box().tools:
        assert tool.handler is not None
        assert {*inspect.signature(tool.handler).parameters} == {*tool.schema["properties"]}


async def test_a_whole_flow_with_clarification_and_retries() -> None:
    """A wrong call, an ambiguity, the user's word, the answer."""
    asking = ScriptedModel(
        [
            call("lookup_contact", {"action": "search"}),
            call("lookup_contact", ANNA),
            text("Which Anna: Kos or Berg?"),
        ]
    )
    first = await box().run(asking, [{"role": "user", "content": "Anna's number?"}], goal="Number")
    assert (first.stop_reason, first.turn.coverage) == ("answered", Coverage.NEED_USER_INPUT)
    said = [*first.messages, {"role": "user", "content": "Anna Berg"}]
    knowing = ScriptedModel(
        [call("lookup_contact", {"action": "get", "contact_id": "c2"}), text("555-0102")]
    )
    second = await box().run(knowing, said, goal="Anna Berg's number")
    assert (second.text, second.turn.coverage) == ("555-0102", Coverage.SATISFIED)
    assert isinstance(first.results[0].issues[0], Issue)
