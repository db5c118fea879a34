"""Judging a stream: counts, findings, and what the model would have been told."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.policy import Settings
from handrail.contract.tool import Tool
from handrail.replay import check as module
from handrail.replay.check import OTHER_TOOLS, Check, Finding, Totals
from handrail.replay.records import Definition, Item, Place, Recorded, Unanswered, Unreadable
from handrail.replay.schemas import Catalogue

HERE = Place("log.jsonl", 1)
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}


def call(arguments: object, tool: str = "weather", **fields: Any) -> Recorded:  # Any: of Recorded
    """A call of the weather, judged by its schema."""
    fields.setdefault("schema", SCHEMA)
    return Recorded(place=HERE, tool=tool, arguments=arguments, **fields)  # type: ignore[arg-type]  # logs hold anything


def judged(items: Sequence[Item], **fields: Any) -> tuple[Totals, list[Finding]]:
    """Counts and findings of a stream."""  # Any: fields of Check
    run = Check(fields.pop("catalogue", Catalogue()), fields.pop("policy", Settings()), **fields)
    found = list(run.findings(items))
    return run.totals, found


def test_counts_add_up() -> None:
    """Valid, invalid, refused and not judged calls, and what was none."""
    placeholder = call({"thread_id": "happy-blue-123"}, schema={"type": "object"})
    items: list[Item] = [
        call('{"city": "Oslo"}'),
        call('{"days": 2}'),
        placeholder,
        call("{}", "lost", schema="r/lost"),
        Unanswered(HERE, "no reply (null)"),
        Unreadable(HERE, "the line is not JSON", "correct it"),
    ]
    totals, found = judged(items)
    counts = (totals.calls, totals.ok, totals.invalid, totals.refused, totals.no_schema)
    assert (*counts, totals.no_reply, totals.unreadable) == (4, 1, 1, 1, 1, 1, 1)
    assert [one.status for one in found] == ["invalid", "refused", "unreadable"]
    assert dict(totals.by_code) == {"VAL-001": 1, "VAL-017": 1}


def test_message_is_what_the_model_would_have_read() -> None:
    """Under the name that it used, with the attempts that the policy allows."""
    _, (finding,) = judged([call('{"days": 2}', "ns.weather")], attempts={"ns.weather": 5})
    assert finding.message.splitlines()[0] == (
        "Validation failed for tool 'ns.weather' (attempt 1/5):"
    )
    assert "Required field 'city' is missing" in finding.message


def test_tool_that_was_not_offered_is_refused() -> None:
    """With the names that were."""
    catalogue = Catalogue([Tool.from_json_schema("weather", "d", SCHEMA)])
    totals, (finding,) = judged([call({}, "wether", schema=None)], catalogue=catalogue)
    assert (totals.refused, finding.codes) == (1, ("VAL-019",))
    assert "weather" in finding.message


def test_schema_that_is_none_is_told_once() -> None:
    """Its calls are counted, and the rest goes on."""
    bad = {"type": "nonsense"}
    items = [call("{}", schema=bad), call("{}", schema=bad), call('{"city": "Oslo"}')]
    totals, found = judged(items)
    assert (totals.calls, totals.ok, totals.no_schema, totals.unreadable) == (3, 1, 2, 1)
    assert [one.status for one in found] == ["unreadable"]


def test_definition_counts_from_its_place_on() -> None:
    """A log may bring its schemas along."""
    early, late = call({}, schema=None), call({}, schema=None)
    definition = Definition(place=HERE, name="weather", schema=SCHEMA)
    totals, _ = judged([early, definition, late])
    assert (totals.no_schema, totals.invalid) == (1, 1)


def test_mended_calls_are_ok() -> None:
    """And counted by the kind of mend."""
    totals, found = judged([call('{"city": "Oslo"}', as_text=True)])
    assert (totals.ok, totals.mended, dict(totals.mends), found) == (1, 1, {"salvage": 1}, [])


def test_warnings_are_counted_apart() -> None:
    """An unknown field of an open schema does not stop a call."""
    totals, found = judged([call({"x": 1}, schema={"type": "object", "properties": {}})])
    assert (totals.ok, totals.warned, dict(totals.warnings), found) == (1, 1, {"VAL-005": 1}, [])


def test_cut_off_reply_is_invalid() -> None:
    """Its arguments may look whole."""
    totals, _ = judged([call('{"city": "Oslo"}', finish_reason="length")])
    assert dict(totals.by_code) == {"VAL-011": 1}


def test_code_counts_once_for_a_call() -> None:
    """Thirty wrong items are one wrong call."""
    rows = {"type": "array", "items": {"type": "integer"}}
    schema = {"type": "object", "properties": {"rows": rows}}
    totals, _ = judged([call({"rows": ["x"] * 30}, schema=schema)])
    assert totals.of("weather").to_dict()["by_code"] == {"VAL-002": 1}


def test_names_of_tools_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log of a thousand invented names does not fill the memory."""
    monkeypatch.setattr(module, "MOST_TOOLS", 2)
    totals, _ = judged([call('{"city": "Oslo"}', f"t{number}") for number in range(9)])
    assert {name: one.calls for name, one in totals.by_tool.items()} == {
        "t0": 1,
        "t1": 1,
        OTHER_TOOLS: 7,
    }


def test_finding_as_json_has_the_pinned_keys() -> None:
    """And the file, since there may be several."""
    _, (finding,) = judged([call("[]")])
    assert list(finding.to_dict()) == ["file", "line", "tool", "status", "issues", "message"]


@given(
    st.lists(
        st.builds(
            call,
            st.none()
            | st.text(max_size=20)
            | st.dictionaries(st.sampled_from(["city", "days", "x"]), st.integers() | st.text()),
            st.text(max_size=10),
            schema=st.sampled_from([SCHEMA, None, "r/t", {"type": "nonsense"}]),
            as_text=st.booleans(),
        ),
        max_size=8,
    )
)
def test_nothing_is_lost(items: list[Recorded]) -> None:
    """Every call is counted once, in all and for its tool, and every message can be made."""
    totals, found = judged(items)
    for one in (totals, *totals.by_tool.values()):
        assert one.calls == one.ok + one.invalid + one.refused + one.no_schema
    assert totals.calls == len(items) == sum(one.calls for one in totals.by_tool.values())
    assert len(found) == totals.invalid + totals.refused + totals.unreadable
    assert all(finding.to_dict()["message"] for finding in found)
