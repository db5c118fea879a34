"""The report of a replay for people."""

import io
import json
from pathlib import Path

import pytest

from handrail.cli.replay_report import ReplayReport, percent
from handrail.contract.policy import Settings
from handrail.contract.tool import Tool
from handrail.replay.calibrate import Calibration
from handrail.replay.check import Check
from handrail.replay.records import Place, Recorded, Unreadable
from handrail.replay.schemas import Catalogue
from handrail.replay.verdict_report import limits_of
from snapshots import matches_snapshot

SCHEMA = {
    "type": "object",
    "properties": {"status": {"enum": ["placed"]}, "days": {"type": "integer", "maximum": 7}},
    "required": ["status", "days"],
    "additionalProperties": False,
}


def lines(*, whole: bool = False, count: int = 40) -> str:
    """A report of calls, some of which the contract does not like."""
    tool = Tool.from_json_schema("find", "Find.", SCHEMA)
    calibration = Calibration(Settings())
    run = Check(Catalogue([tool]), Settings(), followers=[calibration])
    rows = []
    for line in range(count):
        arguments: dict[str, object] = {"status": "placed", "days": 3}
        if line % 8 == 0:
            arguments["status"] = "returned"
        if line % 10 == 1:
            arguments["days"] = 9
        if line == 5:
            del arguments["days"]
        error = line in (3, 16)
        result = "no" if error else json.dumps({"rows": [1], "has_more": line == 7})
        rows.append(
            Recorded(
                place=Place("log.jsonl", line + 1),
                tool="find",
                arguments=arguments,
                result=result,
                error=error,
                conversation="c",
                turn=line,
            )
        )
    broken = Unreadable(Place("log.jsonl", 99), "the line is not JSON", "correct it")
    list(run.findings([*rows, broken]))
    out = io.StringIO()
    report = ReplayReport(out, whole=whole)
    report.alarms(calibration, calibration.suggestions())
    report.verdicts(calibration)
    report.habits(run.habits.totals, 1)
    limits = limits_of(calibration.totals, {"max_false_alarms": 0.0, "max_blocked": 0.5})
    report.summary(calibration, run.totals, limits, "balanced", ["log.jsonl:99: not JSON."])
    return out.getvalue()


def test_the_report() -> None:
    """As a person reads it."""
    assert matches_snapshot(lines(), "replay_report", folder="cli")


def test_nothing_found_is_short() -> None:
    """No lists without entries."""
    text = lines(count=1)
    assert "Suggested widenings" not in text
    assert "Blocked, and" not in text


@pytest.mark.parametrize(
    ("part", "text"),
    [(0, "0 %"), (1, "100 %"), (0.041, "4.1 %"), (0.00092, "0.092 %"), (0.5, "50.0 %")],
)
def test_percent(part: float, text: str) -> None:
    """Small shares keep their digits."""
    assert percent(part) == text


def test_a_place_cannot_forge_a_line(tmp_path: Path) -> None:
    """Names of files are anything."""
    calibration = Calibration(Settings())
    run = Check(Catalogue([Tool.from_json_schema("find", "Find.", SCHEMA)]), Settings())
    run = Check(run.catalogue, Settings(), followers=[calibration])
    place = Place(f"{tmp_path}\nkept: all", 1)
    list(run.findings([Recorded(place=place, tool="find", arguments={}, error=False)]))
    out = io.StringIO()
    ReplayReport(out).alarms(calibration, [])
    assert "\nkept" not in out.getvalue()
