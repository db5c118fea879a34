"""The shipped example with the five rules of seed 003: it runs, and each rule holds."""

import asyncio
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from handrail import Status, Toolbox, ToolCall, ToolResult
from handrail.testing import laws
from snapshots import matches_snapshot

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "assistant.py"
NAMES: dict[str, Any] = runpy.run_path(str(EXAMPLE))  # Any: what the example defines


def answer(tool: str, **arguments: object) -> ToolResult:
    """One call in a turn of its own."""
    box: Toolbox = NAMES["box"]
    with box.turn() as turn:
        return turn.answer_sync(ToolCall("", tool, arguments))


@pytest.mark.parametrize(
    ("tool", "arguments", "missing"),
    [
        ("home_assistant", {"action": "call_tool"}, {"/tool_name"}),
        ("lookup_contact", {"action": "search", "contact_id": "c1"}, {"/query"}),
        ("lookup_contact", {"action": "get", "query": "Anna"}, {"/contact_id"}),
        ("lookup_contact_places", {}, {"/contact_id", "/contact_query", "/group_query"}),
        ("lookup_place_contacts", {"place_query": ""}, {"/place_id", "/place_query"}),
        ("get_events", {"action": "by_time_span", "limit": 5}, {"/start", "/end"}),
    ],
)
def test_what_is_missing_is_named(tool: str, arguments: Any, missing: set[str]) -> None:
    """The model reads which field to add, or which of several."""
    result = answer(tool, **arguments)
    assert (result.status, result.issues[0].code) == (Status.INVALID, "VAL-013")
    call_to_action = result.content.splitlines()[-1]
    assert {path for path in missing if path in call_to_action} == missing


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("home_assistant", {"action": "list_tools"}),
        ("home_assistant", {"action": "call_tool", "tool_name": "light.on"}),
        ("lookup_contact", {"action": "search", "query": "Ben"}),
        ("lookup_contact", {"action": "get", "contact_id": "c3"}),
        ("lookup_contact_places", {"group_query": "work"}),
        ("lookup_place_contacts", {"place_query": "lake"}),
    ],
)
def test_what_is_complete_runs(tool: str, arguments: Any) -> None:
    """Every action has its own fields and no others."""
    result = answer(tool, **arguments)
    assert result.status is Status.OK
    assert result.mends == ()


def test_a_limit_that_says_nothing_is_left_out() -> None:
    """``by_ids`` runs without its limit, and both sides are told."""
    result = answer("get_events", action="by_ids", event_ids=["e2"], limit=5)
    assert [(mend.kind, mend.path) for mend in result.mends] == [("irrelevant", "/limit")]
    assert result.data["events"][0]["note"].startswith("A part is missing")


def test_the_model_is_sent_to_the_newest_event() -> None:
    """Its first answer came from a list; the second from the event that counts."""
    messages = asyncio.run(NAMES["ask_for_status"]())
    assert messages[-1]["content"].endswith("a part is missing.")
    assert [one["role"] for one in messages].count("user") == 2


def test_the_example_runs_as_a_program() -> None:
    """What it prints is kept: the page quotes it."""
    ran = subprocess.run([sys.executable, EXAMPLE], capture_output=True, text=True, check=True)
    assert matches_snapshot(ran.stdout.rstrip("\n"), "assistant", "examples")


def test_the_tools_keep_the_laws() -> None:
    """Generated arguments: no tool of the example breaks a law."""
    laws(NAMES["box"])
