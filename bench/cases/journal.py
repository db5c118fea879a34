"""Whether the journal and the toolbox stay as large as they are, however many calls pass."""

import gc
import tracemalloc

from cases.measure import Figure, Goal, Section, Spread
from cases.shapes import SHAPES
from handrail import Toolbox, ToolCall
from handrail.protocol.journal import CAPACITY

__all__ = ["run"]

SHAPE = SHAPES[0]
ENTRIES_A_CALL = 4
FLAT_GOAL = Goal(1.0, "issue 2: the journal is bounded")
FULL = CAPACITY // ENTRIES_A_CALL


def _calls(box: Toolbox, calls: int, *, bad: bool) -> None:
    text = SHAPE.invalid(1) if bad else SHAPE.valid(1)
    for number in range(calls):
        with box.turn() as turn:
            turn.answer_sync(ToolCall(f"call_{number}", "save", text))


def _traced() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def _growth(calls: int, *, bad: bool) -> tuple[float, int]:
    """Growth of everything after the journal was full, in percent; and the journal's length."""
    box = Toolbox([SHAPE.tool])
    _calls(box, FULL + 10, bad=bad)
    before = _traced()
    _calls(box, calls, bad=bad)
    return (_traced() - before) / before * 100, len(box.journal)


def _long_turn(calls: int) -> float:
    """Bytes a call that remain while one turn is open; it keeps its results on purpose."""
    box = Toolbox([SHAPE.tool])
    _calls(box, FULL + 10, bad=False)
    with box.turn() as turn:
        before = _traced()
        for number in range(calls):
            turn.answer_sync(ToolCall(f"call_{number}", "save", SHAPE.valid(number)))
        return (_traced() - before) / calls


def run(*, quick: bool) -> Section:
    """Entries and memory."""
    calls = FULL if quick else 10 * FULL
    tracemalloc.start()
    try:
        valid, entries = _growth(calls, bad=False)
        invalid, _ = _growth(calls // 5, bad=True)
        held = _long_turn(calls // 5)
    finally:
        tracemalloc.stop()
    figures = [
        Figure("entries kept", "entries", _one(entries), Goal(CAPACITY, "the journal's capacity")),
        Figure("growth by valid calls", "%", _one(valid), FLAT_GOAL),
        Figure("growth by invalid calls", "%", _one(invalid), FLAT_GOAL),
        Figure("kept of a valid call while its turn is open", "bytes", _one(held)),
    ]
    return Section(
        "The journal is bounded",
        f"A full journal ({CAPACITY} entries), then {calls} valid and {calls // 5} invalid calls, "
        "a turn for each: how much larger everything is afterwards (`tracemalloc`). Then "
        f"{calls // 5} distinct calls in one turn.",
        figures,
    )


def _one(value: float) -> Spread:
    return Spread.of([float(value)])
