"""What a calibration counts: by tool, by kind of finding, code and field, with a few examples.

An example holds shapes. Raw values are kept only where they are asked for.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from handrail.replay.records import Place, Recorded
from handrail.replay.shapes import raw_text, shape_text

__all__ = ["Example", "Group", "GroupKey", "Groups", "ToolTally", "example_of"]

MOST_GROUPS = 5_000


class GroupKey(NamedTuple):
    """What findings of one kind have in common.

    Attributes:
        kind: Which list they stand in.
        tool: Name of the tool, safe for one line.
        code: Code of an issue or of a result, or kind of a mend.
        field: RFC 6901 pointer with ``*`` for positions; ``""`` is the whole.
    """

    kind: str
    tool: str
    code: str
    field: str


class Example(NamedTuple):
    """One call, as much of it as may be shown.

    Attributes:
        place: Where it stands.
        arguments: Shape or text of the arguments.
        result: Shape or text of the result; None if it is not known.
    """

    place: Place
    arguments: str
    result: str | None

    def to_dict(self) -> dict[str, Any]:  # Any: JSON object
        """The example as a JSON object."""
        shown = {"file": self.place.file, "line": self.place.line, "arguments": self.arguments}
        return {**shown, "result": self.result}


@dataclass(slots=True)
class Group:
    """Findings of one kind.

    Attributes:
        calls: Calls that have it.
        message: What it says, without values; the first one's.
        examples: The first ones.
    """

    calls: int = 0
    message: str = ""
    examples: list[Example] = field(default_factory=list)


@dataclass(slots=True)
class ToolTally:
    """Counts of one tool.

    Attributes:
        calls: Calls that were judged.
        accepted: Calls that the real tool accepted.
        assumed: Those among them of which the log does not say it itself.
        failed: Calls that the real tool failed.
        mended: Calls that would run and were read as something else than written.
        asked: Calls that would run once a human had said yes.
        invalid: Calls that the model would have been asked to correct.
        refused: Calls that would not be made.
        input_alarms: Invalid and refused calls that the real tool accepted.
        caught: Invalid and refused calls that the real tool failed.
        results: Results that were judged.
        output_alarms: Results judged broken although the call was accepted.
        alarmed: Calls with a suspected false alarm of either kind.
        outputs: Results by error class; clean ones are ``ok``.
    """

    calls: int = 0
    accepted: int = 0
    assumed: int = 0
    failed: int = 0
    mended: int = 0
    asked: int = 0
    invalid: int = 0
    refused: int = 0
    input_alarms: int = 0
    caught: int = 0
    results: int = 0
    output_alarms: int = 0
    alarmed: int = 0
    outputs: Counter[str] = field(default_factory=Counter)

    @property
    def blocked(self) -> int:
        """Calls that would not have run as they were written."""
        return self.invalid + self.refused

    @property
    def broken(self) -> int:
        """Results that a model would have been told are an error."""
        fine = ("ok", "partial_data", "need_user_input")
        return sum(calls for name, calls in self.outputs.items() if name not in fine)

    def to_dict(self) -> dict[str, Any]:  # Any: JSON object
        """The counts as a JSON object."""
        names = ("calls", "accepted", "assumed", "failed", "mended", "asked", "invalid", "refused")
        more = ("input_alarms", "caught", "results", "output_alarms", "alarmed")
        counts = {name: getattr(self, name) for name in (*names, *more)}
        return {**counts, "outputs": dict(sorted(self.outputs.items()))}


class Groups:
    """Findings by kind, tool, code and field; what is too many is counted under no field.

    Args:
        raw: Whether examples hold raw values.
        examples: Examples of each.
    """

    def __init__(self, *, raw: bool, examples: int) -> None:
        self._raw = raw
        self._examples = examples
        self._groups: dict[GroupKey, Group] = {}

    def add(self, keys: Iterable[GroupKey], call: Recorded, result: object, message: str) -> None:
        """Count one call under each key."""
        for key in dict.fromkeys(keys):
            group = self._groups.get(key)
            if group is None:
                if len(self._groups) >= MOST_GROUPS:
                    key = GroupKey(key.kind, "(others)", key.code, "")
                group = self._groups.setdefault(key, Group(message=message))
            group.calls += 1
            if len(group.examples) < self._examples:
                group.examples.append(example_of(call, result, raw=self._raw))

    def ranked(self, *kinds: str) -> list[tuple[GroupKey, Group]]:
        """The groups of these kinds, those with most calls first."""
        found = [(key, one) for key, one in self._groups.items() if key.kind in kinds]
        return sorted(found, key=lambda entry: (-entry[1].calls, entry[0]))


def example_of(call: Recorded, result: object, *, raw: bool) -> Example:
    """One call as an example."""
    text = raw_text if raw else shape_text
    arguments = {} if call.arguments is None else call.arguments
    return Example(call.place, text(arguments), None if result is None else text(result))
