"""Which calls of single functions were made in one window, and which of them may run.

A function that is guarded by itself has no turn. What it has is a window, for which identical
calls are counted exactly as a turn counts them. One thing is added: where a result was one that
the same arguments will give again (a broken form, nonsense), the call is not made again inside its
budget either; its answer is given once more. Seventeen retries of one broken call are then one
run. Source: seed 001 («a budget of three», «stop at once»); the contract `handrail/1`, sections 6
and 7.
"""

from collections.abc import Hashable, Mapping
from typing import Any

from handrail.contract.call import ToolResult
from handrail.contract.policy import Settings
from handrail.contract.tool import Tool
from handrail.contract.verdict import VERDICTS
from handrail.protocol import limits
from handrail.protocol.identical import Identical, Made
from handrail.protocol.results import Facts

__all__ = ["Repeats"]

_KEPT = 1_000
"""Functions remembered in one window; the one that was called longest ago is forgotten first."""


class Repeats:
    """The identical calls of one window. Not thread-safe: its owner's lock is held."""

    def __init__(self) -> None:
        self._by_function: dict[Hashable, Identical] = {}
        self._budgets = Settings().identical

    def admit(
        self,
        function: Hashable,
        tool: Tool,
        arguments: Mapping[str, Any],  # Any: JSON values
    ) -> Made | ToolResult | None:
        """Reserve one run of this call.

        Args:
            function: What is called: two functions may share a name.
            tool: Its contract.
            arguments: All that tells one call from another.

        Returns:
            The reserved run, to be settled or released; the answer where it may not run; None
            where it may run at will.
        """
        if (tool.poll or tool.repeatable) and tool.action_type != "destructive":
            return None
        identical = self._by_function.pop(function, None) or Identical()
        self._by_function[function] = identical
        if len(self._by_function) > _KEPT:
            del self._by_function[next(iter(self._by_function))]
        made = identical.find(tool, dict(arguments), 0)
        last = made.result
        allowed = self._allowed(tool, last)
        standing = identical.standing(made, allowed)
        if standing >= allowed:
            return limits.identical(Facts("", tool.name), standing, last)
        if standing and last is not None and _stays(last):
            made.count += 1
            return last.replace(reused=True, duration_ms=0.0)
        made.running += 1
        return made

    def _allowed(self, tool: Tool, last: ToolResult | None) -> int:
        """The budget of this call: a state-changing one is retried after a transient failure."""
        if tool.max_identical is not None:
            return tool.max_identical
        transient = last is not None and last.error_class == "transient"
        return self._budgets["read" if transient else tool.action_type]

    def settle(self, function: Hashable, tool: Tool, made: Made, result: ToolResult) -> None:
        """Record that a run ended with `result`; a change starts the counts of all again."""
        identical = self._by_function.get(function)
        if identical is None:  # forgotten, or reset while it ran
            return
        before = identical.epoch
        identical.settle(tool, made, result)
        if identical.epoch != before:
            for other in self._by_function.values():
                if other is not identical:
                    other.changed()

    def release(self, function: Hashable, made: Made) -> None:
        """Give back a run that did not end: it was cancelled."""
        identical = self._by_function.get(function)
        if identical is not None:
            identical.release(made)

    def forget(self, function: Hashable) -> None:
        """Forget the calls of one function."""
        self._by_function.pop(function, None)


def _stays(result: ToolResult) -> bool:
    """Whether the same arguments will give this again: what came back is bad, not the moment."""
    verdict = VERDICTS.get(result.error_class or "")
    return verdict is not None and verdict.stage == "output" and verdict.again == "never"
