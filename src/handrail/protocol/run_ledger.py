"""What the turns of one run share: the counts by which a loop is known.

A turn ends with the user's next words, and so do its attempts and withdrawals. What went round in
it is remembered: the same calls with the same results are one loop, however many turns it takes.
The user's words excuse one call of each, so that nothing is refused which was just asked for.
"""

from handrail.protocol.identical import Identical
from handrail.protocol.loops import Loops

__all__ = ["RunLedger"]


class RunLedger:
    """Counts of one run, bounded. Not thread-safe: all its turns hold one lock.

    Attributes:
        identical: How often each call was made.
        loops: What goes round.
        steps: Model messages so far.
    """

    __slots__ = ("identical", "loops", "steps")

    def __init__(self) -> None:
        self.identical = Identical()
        self.loops = Loops()
        self.steps = 0

    def begin_turn(self) -> None:
        """The user spoke."""
        self.identical.turn += 1
        self.loops.begin_turn()
