"""A calibration as JSON, and its limits."""

import json

import pytest

from handrail.contract.policy import Settings
from handrail.contract.tool import Tool
from handrail.replay.calibrate import Calibration
from handrail.replay.check import Check
from handrail.replay.records import Place, Recorded
from handrail.replay.schemas import Catalogue
from handrail.replay.tallies import ToolTally
from handrail.replay.verdict_report import left_after, limits_of, report_of, share

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
FIND = Tool.from_json_schema("find", "Find.", SCHEMA)


def test_report_holds_everything_as_json() -> None:
    """False alarms first, and a widening with what stood there and what should."""
    calibration = Calibration(Settings())
    run = Check(Catalogue([FIND]), Settings(), followers=[calibration])
    rows = [
        Recorded(
            place=Place("log", line), tool="find", arguments={"city": city}, result="x", error=False
        )
        for line, city in enumerate(["Oslo"] * 38 + [7, 7])
    ]
    list(run.findings(rows))
    suggestions = calibration.suggestions()
    limits = limits_of(calibration.totals, {"max_false_alarms": 0.01})
    report = report_of(calibration, suggestions, run.totals, run.habits.totals, limits)
    assert report == json.loads(json.dumps(report))
    assert list(report)[:3] == ["calls", "false_alarms", "widenings"]
    assert (report["false_alarms"]["calls"], report["false_alarms"]["share"]) == (2, 0.05)
    (group,) = report["false_alarms"]["groups"]
    assert (group["field"], group["calls"], len(group["examples"])) == ("/city", 2, 2)
    (widening,) = report["widenings"]
    assert (widening["before"], widening["after"]) == ("string", ["string", "integer"])
    assert report["widened"] == {"false_alarms_before": 2, "false_alarms_after": 0}
    assert report["limits"][0]["kept"] is False
    assert left_after(suggestions) == (2, 0)


@pytest.mark.parametrize(
    ("most", "kept"), [(0.0, False), (0.049, False), (0.05, True), (1.0, True)]
)
def test_a_limit_that_is_just_reached_is_kept(most: float, kept: bool) -> None:
    """Each is a share of something else."""
    tally = ToolTally(calls=40, accepted=20, alarmed=1, invalid=2, results=20)
    tally.outputs["schema_mismatch"] = 1
    names = ("max_false_alarms", "max_blocked", "max_broken")
    found = limits_of(tally, dict.fromkeys(names, most))
    assert [one.kept for one in found] == [kept] * 3
    assert [one.of for one in found] == [20, 40, 20]


def test_a_share_of_nothing_is_nothing() -> None:
    """No division by zero in an empty log."""
    assert share(0, 0) == 0.0
