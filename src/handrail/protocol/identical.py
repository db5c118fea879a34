"""How often exactly this call was made, with nothing changed in between.

The key is (tool, canonical arguments). A count starts again when the result changed, or when
another state-changing call succeeded in between. Hashing is put off: the first call of a tool
has nothing to be compared with, and most turns call a tool once. Source: the contract
`handrail/1`, section 6; seed 001 («a budget of three»).
"""

from typing import Any

from handrail.contract.call import Status, ToolResult
from handrail.contract.canonical import digest
from handrail.contract.tool import Tool

__all__ = ["Identical", "Made"]

_KEPT = 10_000
"""Different calls remembered in one turn; the oldest is forgotten first."""


class Made:
    """One call as it was made so far.

    Attributes:
        value: The argument object.
        count: Finished runs that still count.
        running: Runs that are not finished.
        step: Number of the model message that last made it.
        epoch: State-changing successes in the turn when it last finished.
        result: Its last result.
        runs: Finished runs in all; never starts again.
    """

    __slots__ = ("count", "epoch", "result", "running", "runs", "step", "value")

    def __init__(self, value: Any, step: int, epoch: int) -> None:  # Any: JSON object
        self.value = value
        self.count = 0
        self.running = 0
        self.step = step
        self.epoch = epoch
        self.result: ToolResult | None = None
        self.runs = 0


class Identical:
    """Counts identical calls of one turn. Not thread-safe: the turn's lock is held."""

    __slots__ = ("_keyed", "_single", "epoch")

    def __init__(self) -> None:
        self._single: dict[str, Made] = {}
        self._keyed: dict[str, dict[str, Made]] = {}
        self.epoch = 0

    def find(self, tool: str, value: Any, step: int) -> Made:  # Any: JSON object
        """The record of this call, made new where it is the first of its kind."""
        keyed = self._keyed.get(tool)
        if keyed is None:
            first = self._single.get(tool)
            if first is None:
                first = self._single[tool] = Made(value, step, self.epoch)
                return first
            keyed = self._keyed[tool] = {digest(first.value): first}
        key = digest(value)
        made = keyed.get(key)
        if made is None:
            if len(keyed) >= _KEPT:
                keyed.pop(next(iter(keyed)))
            made = keyed[key] = Made(value, step, self.epoch)
        return made

    def standing(self, made: Made) -> int:
        """How many runs of it count now, those under way included."""
        if made.epoch != self.epoch and made.running == 0:
            made.count = 0
        return made.count + made.running

    def settle(self, tool: Tool, made: Made, result: ToolResult) -> None:
        """Record that a run of it ended with `result`."""
        made.running = max(0, made.running - 1)
        made.runs += 1
        succeeded = result.status is Status.OK
        if succeeded and tool.action_type != "read":
            self.epoch += 1
        if made.result is not None and not _same(made.result, result):
            made.count = 0
        if not (result.error_class == "transient" and tool.idempotent):
            made.count += 1
        made.epoch = self.epoch
        made.result = result

    def release(self, made: Made) -> None:
        """A run that was admitted will not take place."""
        made.running = max(0, made.running - 1)


def _same(one: ToolResult, other: ToolResult) -> bool:
    if one.status is not other.status:
        return False
    try:
        if one.data is other.data or bool(one.data == other.data):
            return True
    except Exception:  # an author's own __eq__
        pass
    return one.status is Status.OK and one.content == other.content
