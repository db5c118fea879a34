"""A calibration as one JSON object, false alarms first; and whether it keeps within limits."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from handrail.replay.calibrate import Calibration, Suggestion
from handrail.replay.check import Totals
from handrail.replay.habits import HabitTotals
from handrail.replay.tallies import Group, GroupKey, ToolTally
from handrail.replay.widening import ABSENT

__all__ = ["Limit", "left_after", "limits_of", "report_of", "share"]

Object = dict[str, Any]  # Any: JSON values

_OUTPUTS = ("schema_mismatch", "semantic_garbage", "partial_data", "tool_failed", "transient")
_OUTPUT_KINDS = tuple(f"output_{name}" for name in (*_OUTPUTS, "need_user_input", "budget_spent"))
_ALARM_KINDS = ("false_alarm", "false_alarm_output")
_BLOCKED_KINDS = ("caught", "unsure")


class Limit(NamedTuple):
    """A share that must not be exceeded.

    Attributes:
        name: The option that sets it, such as ``max_false_alarms``.
        most: The largest share that is fine, from 0 to 1.
        found: What was found.
        calls: The calls that this is.
        of: The calls of which it is a share.
    """

    name: str
    most: float
    found: float
    calls: int
    of: int

    @property
    def kept(self) -> bool:
        """Whether it is not exceeded."""
        return self.found <= self.most

    def to_dict(self) -> Object:
        """The limit as a JSON object."""
        return {**self._asdict(), "kept": self.kept}


def share(part: int, whole: int) -> float:
    """A share from 0 to 1; none of nothing is 0."""
    return part / whole if whole else 0.0


def limits_of(totals: ToolTally, most: dict[str, float]) -> list[Limit]:
    """The limits that were set, beside what was found.

    Args:
        totals: Counts of everything.
        most: ``max_false_alarms`` (of accepted calls), ``max_blocked`` (of calls),
            ``max_broken`` (of results), each from 0 to 1.
    """
    figures = {
        "max_false_alarms": (totals.alarmed, totals.accepted),
        "max_blocked": (totals.blocked, totals.calls),
        "max_broken": (totals.broken, totals.results),
    }
    return [Limit(name, most[name], share(*figures[name]), *figures[name]) for name in most]


def left_after(suggestions: Sequence[Suggestion]) -> tuple[int, int]:
    """Suspected false alarms of the contracts with suggestions: before, and after all of them."""
    by_tool = {one.contract: (one.before, one.after) for one in suggestions}
    return sum(one for one, _ in by_tool.values()), sum(one for _, one in by_tool.values())


def report_of(
    calibration: Calibration,
    suggestions: Sequence[Suggestion],
    totals: Totals,
    habits: HabitTotals,
    limits: Sequence[Limit],
) -> Object:
    """Everything that was found, as a JSON object."""
    seen = calibration.totals
    before, after = left_after(suggestions)
    return {
        "calls": totals.calls,
        "false_alarms": _alarms(calibration),
        "widenings": [_suggestion(one) for one in suggestions],
        "widened": {"false_alarms_before": before, "false_alarms_after": after},
        **_verdicts(calibration),
        "by_tool": {name: one.to_dict() for name, one in sorted(calibration.by_tool.items())},
        "narrowings": [
            {"tool": tool, "accepted": accepted, **one._asdict()}
            for tool, accepted, one in calibration.narrowings()
        ],
        "failed": seen.failed,
        "outcome_unknown": calibration.unknown,
        "no_schema": totals.no_schema,
        "no_reply": totals.no_reply,
        "unreadable": totals.unreadable,
        "reasons": dict(totals.reasons.most_common()),
        "stopped": habits.stopped.to_dict(),
        **{key: habits.to_dict()[key] for key in ("loops", "tokens")},
        "limits": [one.to_dict() for one in limits],
    }


def _alarms(calibration: Calibration) -> Object:
    seen = calibration.totals
    return {
        "calls": seen.alarmed,
        "share": share(seen.alarmed, seen.accepted),
        "accepted": seen.accepted,
        "accepted_assumed": seen.assumed,
        "input": seen.input_alarms,
        "output": seen.output_alarms,
        "groups": _groups(calibration.groups.ranked(*_ALARM_KINDS)),
    }


def _verdicts(calibration: Calibration) -> Object:
    """What would have become of the calls and their results."""
    seen, groups = calibration.totals, calibration.groups
    return {
        "blocked": {
            "calls": seen.blocked,
            "share": share(seen.blocked, seen.calls),
            "invalid": seen.invalid,
            "refused": seen.refused,
            "caught": seen.caught,
            "groups": _groups(groups.ranked(*_BLOCKED_KINDS)),
        },
        "mended": {"calls": seen.mended, "groups": _groups(groups.ranked("mended"))},
        "asked": {"calls": seen.asked, "groups": _groups(groups.ranked("asked"))},
        "outputs": {
            "judged": seen.results,
            "by_class": dict(sorted(seen.outputs.items())),
            "unchecked": calibration.unchecked,
            "groups": _groups(groups.ranked(*_OUTPUT_KINDS)),
        },
    }


def _groups(ranked: Sequence[tuple[GroupKey, Group]]) -> list[Object]:
    return [
        {
            **key._asdict(),
            "calls": group.calls,
            "expected": group.message,
            "examples": [one.to_dict() for one in group.examples],
        }
        for key, group in ranked
    ]


def _suggestion(one: Suggestion) -> Object:
    change = one.change
    told: Object = {"tool": one.tool, "side": one.side, "pointer": change.pointer}
    told |= {"before": change.before} if change.before is not ABSENT else {}
    told |= {"after": change.after} if change.after is not ABSENT else {}
    return {
        **told,
        "seen": change.seen,
        "calls": change.calls,
        "accepted": one.accepted,
        "share": share(change.calls, one.accepted),
        "false_alarms_before": one.before,
        "false_alarms_after": one.after,
        "not_judged_again": one.unproved,
    }
