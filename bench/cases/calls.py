"""What one call costs through `Turn.answer_sync`, beside pydantic-core alone.

The bare side is ``SchemaValidator.validate_json(text, strict=True)`` of the same pydantic model,
then the handler with the model's fields. Where the call is invalid the bare side catches the
error; in rows of their own it asks it for its details (``errors()``), or writes pydantic's text
of it: something must be told to a model.
"""

from collections.abc import Callable, Iterator
from itertools import count

from pydantic import ValidationError

from cases.measure import Batch, Figure, Goal, Section, Spread, duel, ratio, rounds_of
from cases.shapes import SHAPES, Shape
from handrail import Toolbox, ToolCall

__all__ = ["run"]

VALID_GOAL = Goal(10.0, "issue 2: the hot path will be held to 10 times")
INVALID_GOAL = Goal(20.0, "issue 3: an invalid call at most 20 with the whole message")

BARE = "bare, valid"
BARE_DISTINCT = "bare, valid, distinct arguments"
BARE_BAD = "bare, invalid, error caught"
BARE_DETAILS = "bare, invalid, error's details"
BARE_TOLD = "bare, invalid, error as text"

VALID = {
    "valid, a turn per call": BARE,
    "valid, one long turn, same arguments": BARE,
    "valid, one long turn, distinct arguments": BARE_DISTINCT,
}
INVALID = {
    "invalid with message, a turn per call": BARE_BAD,
    "invalid with message, one long turn": BARE_BAD,
}


class Contest:
    """The contestants of one shape.

    Args:
        shape: The tool.
        calls: Calls of one batch; a long turn is as long as a batch.
    """

    def __init__(self, shape: Shape, calls: int) -> None:
        self.shape = shape
        self.calls = calls
        self.box = Toolbox([shape.tool])
        self.numbers: Iterator[int] = count()

    def batches(self) -> dict[str, Batch]:
        """Everything that is timed, by name."""
        prepared = {
            BARE: self.bare,
            BARE_DISTINCT: self.bare_distinct,
            BARE_BAD: self.bare_bad,
            BARE_DETAILS: self.bare_details,
            BARE_TOLD: self.bare_told,
            "valid, a turn per call": self.turn_each,
            "valid, one long turn, same arguments": self.long_same,
            "valid, one long turn, distinct arguments": self.long_distinct,
            "invalid with message, a turn per call": self.bad_turn_each,
            "invalid with message, one long turn": self.bad_long,
        }
        return {name: duel(prepare, self.calls) for name, prepare in prepared.items()}

    def _ids(self) -> list[str]:
        return [f"call_{next(self.numbers)}" for _ in range(self.calls)]

    def _texts(self) -> list[str]:
        return [self.shape.valid(next(self.numbers)) for _ in range(self.calls)]

    def _bare(self, texts: list[str]) -> Callable[[], object]:
        validate, handler = self.shape.validate, self.shape.handler

        def run() -> None:
            for text in texts:
                handler(**validate(text, strict=True).__dict__)

        return run

    def bare(self) -> Callable[[], object]:
        """One text, again and again."""
        return self._bare([self.shape.valid(1)] * self.calls)

    def bare_distinct(self) -> Callable[[], object]:
        """A new text each time."""
        return self._bare(self._texts())

    def bare_bad(self) -> Callable[[], object]:
        """The error is caught and dropped."""
        return self._bare_error(lambda error: error)

    def bare_details(self) -> Callable[[], object]:
        """The error says what is wrong where."""
        return self._bare_error(lambda error: error.errors())

    def bare_told(self) -> Callable[[], object]:
        """The error is written as pydantic writes it."""
        return self._bare_error(str)

    def _bare_error(self, tell: Callable[[ValidationError], object]) -> Callable[[], object]:
        validate, text = self.shape.validate, self.shape.invalid(1)

        def run() -> None:
            for _ in range(self.calls):
                try:
                    validate(text, strict=True)
                except ValidationError as error:
                    tell(error)

        return run

    def turn_each(self) -> Callable[[], object]:
        """Open a turn, answer one call, close the turn."""
        ids, text, box = self._ids(), self.shape.valid(1), self.box

        def run() -> None:
            for id in ids:
                with box.turn() as turn:
                    turn.answer_sync(ToolCall(id, "save", text))

        return run

    def long_same(self) -> Callable[[], object]:
        """One turn; equal arguments under new ids."""
        return self._long([self.shape.valid(1)] * self.calls)

    def long_distinct(self) -> Callable[[], object]:
        """One turn; new arguments under new ids."""
        return self._long(self._texts())

    def _long(self, texts: list[str]) -> Callable[[], object]:
        ids, turn = self._ids(), self.box.turn()

        def run() -> None:
            for id, text in zip(ids, texts, strict=True):
                turn.answer_sync(ToolCall(id, "save", text))

        return run

    def bad_turn_each(self) -> Callable[[], object]:
        """Open a turn, answer a wrong call with the whole message, close the turn."""
        ids, text, box = self._ids(), self.shape.invalid(1), self.box

        def run() -> None:
            for id in ids:
                with box.turn() as turn:
                    len(turn.answer_sync(ToolCall(id, "save", text)).content)

        return run

    def bad_long(self) -> Callable[[], object]:
        """One turn; each wrong call is a chain of its own, so that none is an attempt more."""
        ids, text, turn = self._ids(), self.shape.invalid(1), self.box.turn()

        def run() -> None:
            for id in ids:
                len(turn.answer_sync(ToolCall(id, "save", text), chain=id).content)

        return run


def run(*, quick: bool) -> Section:
    """All shapes."""
    calls, rounds = (20, 5) if quick else (50, 101)
    figures: list[Figure] = []
    for shape in SHAPES:
        _check(shape)
        taken = rounds_of(Contest(shape, calls).batches(), rounds)
        for name, bare in VALID.items():
            figures.append(_times(shape, name, ratio(taken, name, bare), bare, VALID_GOAL))
        for name, bare in INVALID.items():
            figures.append(_times(shape, name, ratio(taken, name, bare), bare, None))
            details = ratio(taken, name, BARE_DETAILS)
            figures.append(_times(shape, name, details, BARE_DETAILS, INVALID_GOAL))
            told = ratio(taken, name, BARE_TOLD)
            figures.append(_times(shape, name, told, BARE_TOLD, None))
        for name, seconds in taken.items():
            spread = Spread.of([one * 1e6 for one in seconds])
            figures.append(Figure(f"{shape.name}: {name}", "µs", spread))
    return Section(
        "A call beside bare pydantic-core",
        f"`Turn.answer_sync` with a new call id each time, batches of {calls} calls; a long turn "
        "is as long as a batch. Bare is `SchemaValidator.validate_json(text, strict=True)` of the "
        "same model and the same handler. Ratios are taken round by round.",
        figures,
        [
            "The time of an invalid call includes the message (`result.content`) about two errors. "
            "Nobody listens to the log, so no log records are made."
        ],
    )


def _times(shape: Shape, name: str, spread: Spread, bare: str, goal: Goal | None) -> Figure:
    return Figure(f"{shape.name}: {name}", "times", spread, goal, bare)


def _check(shape: Shape) -> None:
    """The two sides do the same work, or the figures mean nothing."""
    turn = Toolbox([shape.tool]).turn()
    good = turn.answer_sync(ToolCall("a", "save", shape.valid(1)))
    bare = shape.handler(**shape.validate(shape.valid(1), strict=True).__dict__)
    bad = turn.answer_sync(ToolCall("b", "save", shape.invalid(1)))
    told = bad.status == "invalid" and len(bad.issues) == 2
    if good.data.keys() != bare.keys() or not good.content or not told:
        raise AssertionError(f"{shape.name}: the benchmark's own calls are judged otherwise")
