"""What writing a message costs: ten issues in each of the five forms, and folding a hundred."""

import json
from collections.abc import Callable
from typing import Any, Literal

from pydantic import BaseModel, Field

from cases.measure import Batch, Figure, Goal, Section, Spread, duel, rounds_of
from handrail import Issue, Judgement, Tool, Toolbox, ToolCall, render
from handrail.contract.aggregate import aggregate

__all__ = ["run"]

FORMS = ("text", "compact", "prose", "json", "problem")
FORMAT_GOAL = Goal(1000.0, "contract handrail/1, section 11")
AGGREGATE_GOAL = Goal(100.0, "contract handrail/1, section 11")


class Part(BaseModel):
    """One of the parts."""

    qty: int = Field(ge=1)
    unit: Literal["piece", "box", "pallet"]


class Wish(BaseModel):
    """Ten fields that can all be wrong."""

    title: str = Field(max_length=20)
    path: str
    level: Literal["low", "normal", "high"]
    count: int = Field(ge=1, le=9)
    ratio: float
    email: str = Field(pattern="^[^@]+@[^@]+$")
    tags: list[str] = Field(max_length=2)
    done: bool
    parts: list[Part]


WRONG = {
    "title": "A title that is much too long for its field",
    "level": "urgent",
    "count": 12,
    "ratio": "a lot",
    "email": "nobody",
    "tags": ["one", "two", "three"],
    "done": "perhaps",
    "parts": [{"qty": 1, "unit": "piece"}, {"qty": "many", "unit": "boxes"}],
}


def _judged() -> tuple[Tool, Judgement]:
    tool = Tool("save", "Save it.", lambda **_: None, Wish, when_to_use="when a wish is saved")
    judgement = Toolbox([tool]).check(ToolCall("1", "save", json.dumps(WRONG)))
    if len(judgement.issues) != 10:
        raise AssertionError(f"expected 10 issues, got {len(judgement.issues)}")
    return tool, judgement


def _distinct(number: int) -> Issue:
    codes = ("VAL-001", "VAL-002", "VAL-003", "VAL-008", "VAL-009")
    return _issue(codes[number % 5], f"/group_{number % 7}/field_{number}")


def _same_cause(number: int) -> Issue:
    return _issue("VAL-002", f"/items/{number}/qty")


def _issue(code: str, path: str) -> Issue:
    fields: dict[str, Any] = {"expected": "integer >= 1", "actual": '"many"'}
    return Issue(code, path, "Type mismatch: expected integer, got string", **fields)


def _again(work: Callable[[], object], times: int) -> Batch:
    def run() -> None:
        for _ in range(times):
            work()

    return duel(lambda: run, times)


def run(*, quick: bool) -> Section:
    """Forms and aggregation."""
    times, rounds = (3, 5) if quick else (20, 61)
    tool, judgement = _judged()
    mixed = [_distinct(number) for number in range(100)]
    alike = [_same_cause(number) for number in range(100)]
    work: dict[str, Callable[[], object]] = {
        f"10 issues as {form}, attempt {attempt}": _writer(judgement, tool, form, attempt)
        for form in FORMS
        for attempt in (1, 2)
    }
    work["aggregate 100 issues, 100 causes"] = lambda: aggregate(mixed)
    work["aggregate 100 issues, one cause"] = lambda: aggregate(alike)
    taken = rounds_of({name: _again(one, times) for name, one in work.items()}, rounds)
    figures = [
        Figure(
            name,
            "µs",
            Spread.of([one * 1e6 for one in seconds]),
            AGGREGATE_GOAL if name.startswith("aggregate") else FORMAT_GOAL,
        )
        for name, seconds in taken.items()
    ]
    return Section(
        "Messages",
        "`render` of one real judgement with ten issues, sanitising and fitting included; from "
        "attempt 2 the message also names intent and fields. `aggregate` of a hundred issues.",
        figures,
    )


def _writer(judgement: Judgement, tool: Tool, form: str, attempt: int) -> Callable[[], object]:
    return lambda: render(judgement, tool=tool, form=form, attempt=attempt)
