"""Which tools the model sees in a turn: ``none``, ``restricted`` or ``full``.

A turn that begins with a few tools is wider only once by itself: when it gets no further, all are
offered, and when that brings nothing new either, it ends with what was found. The host may widen
at any time. A hidden tool is an unknown one. Source: seed 003.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from handrail.contract.screens import unknown_tool
from handrail.contract.tool import Tool
from handrail.errors import ConfigError

__all__ = ["Level", "Move", "Visibility"]


class Level(StrEnum):
    """How much of the toolbox the model sees."""

    NONE = "none"
    RESTRICTED = "restricted"
    FULL = "full"


class Move(StrEnum):
    """What a turn does that gets no further."""

    STAY = "stay"
    WIDEN = "widen"
    STOP = "stop"


class Visibility:
    """The tools of one turn.

    Args:
        every: All tools by name; a turn that began full sees those that are added later, too.
        names: Those that the model sees; None is all, an empty list is none.

    Attributes:
        level: How much is seen now.
        tools: What is seen; one object for the whole turn, which widening fills.
        stopped: Whether the turn is over.

    Raises:
        ConfigError: There is no tool of a name.
    """

    __slots__ = ("_every", "_few", "_moved_at", "_restricted", "level", "stopped", "tools")

    def __init__(self, every: Mapping[str, Tool], names: Iterable[str] | None = None) -> None:
        self._every = every
        self._moved_at: int | None = None
        self.stopped = False
        self.tools = every
        self.level = Level.FULL
        self._few: dict[str, Tool] = {}
        if names is not None:
            wanted = dict.fromkeys([names] if isinstance(names, str) else names)
            self.tools = self._few = {name: _known(name, every) for name in wanted}
            self.level = Level.RESTRICTED if wanted else Level.NONE
        self._restricted = self.level is Level.RESTRICTED

    def widen(self) -> tuple[str, ...]:
        """All tools from now on; the names of those that were hidden."""
        hidden = tuple(name for name in self._every if name not in self.tools)
        self._few.update(self._every)
        self.level = Level.FULL
        return hidden

    def stuck(self, step: int) -> Move:
        """The turn got no further with this message: what comes of it.

        Only a turn that began restricted moves. One message moves it once.
        """
        if not self._restricted or self.stopped or step == self._moved_at:
            return Move.STAY
        if self.level is Level.RESTRICTED:
            self._moved_at = step
            return Move.WIDEN
        self._moved_at = step
        self.stopped = True
        return Move.STOP


def _known(name: object, every: Mapping[str, Tool]) -> Tool:
    tool = every.get(name) if isinstance(name, str) else None
    if tool is None:
        said = unknown_tool(str(name), every).message
        raise ConfigError(f"visible names no tool of this toolbox: {said}")
    return tool
