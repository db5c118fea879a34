"""The judge of a goal: whatever goes wrong on the way, nothing is satisfied."""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence import ANNA, GET, TOOLS, found
from handrail import Coverage, Goal, ToolResult
from handrail.models import ModelReply
from handrail.protocol.judging import UNJUDGED
from handrail.runtime.goals import judged, read_by
from handrail.testing import ScriptedModel, call, text

GOAL = Goal("What is Anna's number?")
FOUND = (found(GET, ANNA, {"contact_id": "c1"}),)
YES = json.dumps({"reason": "r", "missing": [], "status": "SATISFIED", "confidence": 1})


class Replies:
    """A model that gives one reply, whatever it is asked."""

    def __init__(self, reply: object) -> None:
        self.reply = reply

    async def respond(self, messages: object, tools: object, **options: object) -> Any:
        """The reply."""
        return self.reply


async def coverage(judge: Any, timeout_s: float = 5.0) -> Coverage:
    """What the judge comes to."""
    said = await judged(judge, GOAL, FOUND, "It is 1.", TOOLS, timeout_s=timeout_s)
    return said.coverage


async def test_a_model_judges_by_the_schema() -> None:
    """It is offered no tools, and the shape is enforced in transport."""
    model = ScriptedModel([text(YES)])
    assert await coverage(model) is Coverage.SATISFIED
    (request,) = model.requests
    assert (request.tools, request.tool_choice) == ([], None)


async def test_a_function_judges() -> None:
    """It gets the goal, the results and the answer; it may be sync or async."""

    async def judge(goal: Goal, results: tuple[ToolResult, ...], answer: str) -> Coverage:
        fine = goal is GOAL and results[0].data == ANNA and answer == "It is 1."
        return Coverage.SATISFIED if fine else Coverage.FAILED

    assert await coverage(judge) is Coverage.SATISFIED
    assert await coverage(lambda *_: "NEED_USER_INPUT") is Coverage.NEED_USER_INPUT


async def test_a_judge_that_is_late_says_nothing() -> None:
    """Its time is limited."""

    async def late(*_: object) -> str:
        await asyncio.sleep(60)
        return "SATISFIED"

    assert await coverage(late, timeout_s=0.01) is Coverage.NEEDS_MORE_TOOLS


async def test_the_operator_hears_of_it(caplog: pytest.LogCaptureFixture) -> None:
    """The fault is logged with its trace; the model never reads it."""

    def broken(*_: object) -> str:
        raise RuntimeError("secret host")

    with caplog.at_level(logging.WARNING, logger="handrail.runtime"):
        said = await judged(broken, GOAL, FOUND, "")
    assert said is UNJUDGED
    assert "secret host" in caplog.text


def raising(error: Exception) -> Callable[..., object]:
    """A judge that raises this."""

    def judge(*_: object) -> object:
        raise error

    return judge


RUBBISH = st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.just([YES])
FAULTS = st.sampled_from([ValueError("x"), TimeoutError(), OSError(), KeyError("SATISFIED")])
REPLIES = st.one_of(
    st.builds(ModelReply, text=st.text(max_size=40)),
    st.builds(ModelReply, text=st.just(YES), finish_reason=st.sampled_from(["length", "refusal"])),
    st.just(ModelReply(text=YES, tool_calls=(call("get_contact", {}),))),
    RUBBISH,
)
JUDGES = st.one_of(
    RUBBISH.map(lambda said: lambda *_: said),
    FAULTS.map(raising),
    FAULTS.map(lambda error: ScriptedModel([error])),
    REPLIES.map(Replies),
    st.just(object()),
)


@settings(deadline=None)
@given(JUDGES)
def test_a_judge_that_fails_never_satisfies(judge: object) -> None:
    """Raises, is late, refuses, is cut off, calls tools, talks rubbish, is no judge at all."""
    assert asyncio.run(coverage(judge)) is Coverage.NEEDS_MORE_TOOLS


async def test_a_goal_is_read_by_a_model() -> None:
    """And where that fails, the user's own words are a query."""
    reply = json.dumps({"text": "Call Anna", "kind": "action", "needs": ["call_contact"]})
    read = await read_by(ScriptedModel([text(reply)]), "call anna", TOOLS)
    assert read == Goal("Call Anna", "action", ["call_contact"])
    assert await read_by(ScriptedModel([OSError()]), "call anna", TOOLS) == Goal("call anna")
