"""Carries the questions about a goal to a model or to the host's own judge, and the answers back.

Whatever goes wrong on the way says nothing: a judge that fails, is late or talks rubbish leaves
the turn where it was, at NEEDS_MORE_TOOLS, and the operator's log says why.
"""

import inspect
import logging
from collections.abc import Awaitable, Sequence
from typing import TypeVar

from handrail.contract.goal import Goal
from handrail.contract.internal_schemas import COVERAGE_SCHEMA, GOAL_SCHEMA
from handrail.contract.tool import Tool
from handrail.protocol.coverage import Cover
from handrail.protocol.found import Found
from handrail.protocol.judging import (
    UNJUDGED,
    coverage_messages,
    goal_messages,
    read_coverage,
    read_goal,
    read_word,
    response_format,
)
from handrail.runtime.parties import Judge, ModelLike

__all__ = ["TIMEOUT_S", "judged", "read_by"]

T = TypeVar("T")

logger = logging.getLogger("handrail.runtime")

TIMEOUT_S = 30.0
"""Seconds that a judge may take."""


async def judged(
    judge: Judge,
    goal: Goal,
    found: Sequence[Found],
    answer: str,
    tools: Sequence[Tool] = (),
    *,
    timeout_s: float = TIMEOUT_S,
) -> Cover:
    """What the judge says; `UNJUDGED` where it fails, is late, or says what nobody asked for."""
    try:
        return await _in_time(_asked(judge, goal, found, answer, tools), timeout_s)
    except Exception:
        logger.warning("The judge of a goal failed; it counts as not satisfied", exc_info=True)
        return UNJUDGED


async def _asked(
    judge: Judge, goal: Goal, found: Sequence[Found], answer: str, tools: Sequence[Tool]
) -> Cover:
    if hasattr(judge, "respond"):
        messages = coverage_messages(goal, found, answer, tools)
        reply = await judge.respond(
            messages, [], response_format=response_format(COVERAGE_SCHEMA, "coverage")
        )
        return UNJUDGED if reply.tool_calls else read_coverage(reply.text, _finish(reply))
    said = judge(goal, tuple(one.result for one in found), answer)
    return read_word(await said if inspect.isawaitable(said) else said)


async def read_by(model: ModelLike, text: str, tools: Sequence[Tool]) -> Goal:
    """What the user wants, as a model reads it; the user's own words as a query where it fails."""
    try:
        reply = await _in_time(
            model.respond(
                goal_messages(text, tools), [], response_format=response_format(GOAL_SCHEMA, "goal")
            ),
            TIMEOUT_S,
        )
        return read_goal(reply.text, _finish(reply), text, tools)
    except Exception:
        logger.warning("A goal could not be read; the user's own words stand", exc_info=True)
        return Goal(text)


async def _in_time(work: Awaitable[T], timeout_s: float) -> T:
    from asyncio import wait_for

    return await wait_for(work, timeout_s)


def _finish(reply: object) -> object:
    return getattr(reply, "finish_reason", "stop")
