"""How often exactly this call was made, with nothing changed in between.

The key is (tool, canonical arguments with the schema's defaults). A count starts again when the
result changed, or when another state-changing call succeeded in between. Source: the contract
`handrail/1`, section 6; seed 001 («a budget of three»).

Hashing is put off as long as can be. Python's equality of two parsed objects says almost what
their canonical forms say, and costs a tenth: it takes ``true`` for 1, and tells two spellings of
one accented letter apart. So calls of a tool are compared by equality, among those whose scalars
are the same, and an equal pair is proved by its hashes. From the first text of a tool that is not
plain ASCII, and where many calls have the same scalars, its calls are told apart by their hashes.
"""

from typing import Any

from handrail.contract.call import Status, ToolResult
from handrail.contract.canonical import digest
from handrail.contract.tool import Tool

__all__ = ["Identical", "Made", "alike"]

_KEPT = 10_000
"""Different calls of one tool remembered in one turn; the oldest is forgotten first."""


_COMPARED = 8
"""Different calls, and calls with the same scalars, that are told apart by equality alone."""


class Made:
    """One call as it was made so far.

    Attributes:
        value: The argument object.
        by: Id of the turn that last ran it.
        count: Finished runs that still count.
        running: Runs that are not finished.
        step: Number of the model message that last made it.
        epoch: State-changing successes in the run when it last finished.
        turn: Number of the turn that last made it.
        result: Its last result.
        runs: Finished runs in all; never starts again.
    """

    __slots__ = ("by", "count", "epoch", "result", "running", "runs", "step", "turn", "value")

    def __init__(self, value: Any, step: int, epoch: int, turn: int) -> None:  # Any: JSON object
        self.value = value
        self.by = ""
        self.count = 0
        self.running = 0
        self.step = step
        self.epoch = epoch
        self.turn = turn
        self.result: ToolResult | None = None
        self.runs = 0


class _Plain:
    """The calls of one tool whose texts are plain ASCII: a few by themselves, more by scalars.

    Attributes:
        crowded: Whether so many have the same scalars that their hashes tell them apart better.
    """

    __slots__ = ("_alike", "_few", "crowded")

    def __init__(self) -> None:
        self.crowded = False
        self._few: list[Made] = []
        self._alike: dict[frozenset[tuple[str, object]], list[Made]] = {}

    def of(self, value: Any, step: int, epoch: int, turn: int) -> Made:  # Any: JSON object
        """The record of the call with these arguments, made new where there is none."""
        for made in self._few:
            if made.value == value and digest(made.value) == digest(value):
                return made
        alike = self._few
        if len(alike) >= _COMPARED:
            alike = self._alike.setdefault(_scalars(value), [])
            for made in alike:
                if made.value == value and digest(made.value) == digest(value):
                    return made
        alike.append(Made(value, step, epoch, turn))
        self.crowded = len(alike) > _COMPARED or len(self._alike) >= _KEPT
        return alike[-1]

    def made(self) -> list[Made]:
        """Every call that is remembered."""
        return [*self._few, *(made for several in self._alike.values() for made in several)]


def _scalars(value: dict[str, Any]) -> frozenset[tuple[str, object]]:  # Any: JSON values
    """What two equal objects have in common, and most others not."""
    try:
        return frozenset(value.items())
    except TypeError:  # some value is a list or an object
        return frozenset(
            [(key, item) for key, item in value.items() if type(item) not in (dict, list)]
        )


class Identical:
    """Counts identical calls of one run. Not thread-safe: the turn's lock is held.

    Attributes:
        epoch: State-changing successes so far.
        turn: Number of the turn. A new one excuses one call of each: the user spoke.
    """

    __slots__ = ("_hashed", "_plain", "epoch", "turn")

    def __init__(self) -> None:
        self._plain: dict[str, _Plain] = {}
        self._hashed: dict[str, dict[str, Made]] = {}
        self.epoch = 0
        self.turn = 0

    def find(self, tool: Tool, value: Any, step: int, *, plain: bool = False) -> Made:
        """The record of this call, made new where it is the first of its kind.

        Args:
            tool: The contract.
            value: The argument object.
            step: Number of the model message.
            plain: Whether its text is ASCII without escapes.
        """  # Any: JSON object
        value = tool.completed(value)
        hashed = self._hashed.get(tool.name)
        if hashed is None:
            known = self._plain.get(tool.name)
            if known is None:
                known = self._plain[tool.name] = _Plain()
            if plain and not known.crowded:
                return known.of(value, step, self.epoch, self.turn)
            hashed = self._hashed[tool.name] = {digest(one.value): one for one in known.made()}
        key = digest(value)
        made = hashed.get(key)
        if made is None:
            if len(hashed) >= _KEPT:
                hashed.pop(next(iter(hashed)))
            made = hashed[key] = Made(value, step, self.epoch, self.turn)
        return made

    def standing(self, made: Made, allowed: int = 0) -> int:
        """How many runs of it count now, those under way included.

        Args:
            made: The call.
            allowed: Runs that may count; in a new turn at most one less do.
        """
        if made.epoch != self.epoch and made.running == 0:
            made.count = 0
        if made.turn != self.turn:
            made.turn = self.turn
            made.count = min(made.count, max(allowed - 1, 0))
        return made.count + made.running

    def settle(self, tool: Tool, made: Made, result: ToolResult) -> None:
        """Record that a run of it ended with `result`."""
        made.running = max(0, made.running - 1)
        made.runs += 1
        succeeded = result.status is Status.OK
        if succeeded and tool.action_type != "read":
            self.changed()
        if made.result is not None and not alike(made.result, result):
            made.count = 0
        if not (result.error_class == "transient" and tool.idempotent):
            made.count += 1
        made.epoch = self.epoch
        made.result = result

    def changed(self) -> None:
        """A state-changing call succeeded."""
        self.epoch += 1

    def release(self, made: Made) -> None:
        """A run that was admitted will not take place."""
        made.running = max(0, made.running - 1)


def alike(one: ToolResult, other: ToolResult) -> bool:
    """Whether two results say the same to the model; of two failures, whether the class is one."""
    if one.status is not other.status or one.error_class != other.error_class:
        return False
    try:
        if one.data is other.data or bool(one.data == other.data):
            return True
    except Exception:  # an author's own __eq__
        pass
    return one.status is Status.OK and one.content == other.content
