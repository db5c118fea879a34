"""What a narrowing would catch: where a contract is wider than everything that was accepted.

Looked at are the top-level arguments of a tool: those that every accepted call gave, numbers that
stayed within bounds, texts of a small closed set. A narrowing is told of only if calls that the
real tool failed lie outside of it, so that it would have caught them. It is a report: whether the
bounds of a sample are a rule, only the author knows.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from handrail.replay.shapes import pointer_shape
from handrail.replay.widening import FEWEST_CALLS

__all__ = ["Narrowing", "Profile"]

_MOST_FIELDS = 64
_MOST_FAILED = 200
_LONGEST_FAILED = 4_096
_MOST_VALUES = 12
_LONGEST_VALUE = 40
_OFTEN = 5
"""Times that each value of a set was seen on average before it is taken for closed."""

Arguments = Mapping[str, Any]  # Any: JSON values


class Narrowing(NamedTuple):
    """One thing that could be said more narrowly.

    Attributes:
        field: Pointer of the argument.
        rule: What held for every accepted call.
        catches: Failed calls for which it did not hold.
    """

    field: str
    rule: str
    catches: int


@dataclass(slots=True)
class _Field:
    given: int = 0
    low: float | None = None
    high: float | None = None
    numbers: int = 0
    texts: Counter[str] = field(default_factory=Counter)
    open: bool = False


class Profile:
    """The accepted and the failed calls of one tool, as far as they are kept.

    Attributes:
        accepted: Accepted calls.
    """

    def __init__(self) -> None:
        self.accepted = 0
        self._fields: dict[str, _Field] = {}
        self._failed: Counter[str] = Counter()

    def accept(self, arguments: Arguments) -> None:
        """Take note of an accepted call."""
        self.accepted += 1
        for name, value in arguments.items():
            if name not in self._fields and len(self._fields) >= _MOST_FIELDS:
                continue
            one = self._fields.setdefault(name, _Field())
            one.given += 1
            _note(one, value)

    def fail(self, arguments: Arguments) -> None:
        """Take note of a call that the contract lets pass and the real tool failed."""
        text = json.dumps(arguments, ensure_ascii=False, sort_keys=True)
        if len(text) > _LONGEST_FAILED:
            return
        if text in self._failed or len(self._failed) < _MOST_FAILED:
            self._failed[text] += 1

    def narrowings(self, required: list[str]) -> list[Narrowing]:
        """What would have caught failed calls, what catches most first.

        Args:
            required: Arguments that must be given anyway.
        """
        if self.accepted < FEWEST_CALLS or not self._failed:
            return []
        failed = [(json.loads(text), calls) for text, calls in self._failed.items()]
        found = [one for name in self._fields for one in self._of(name, failed, required)]
        return sorted(found, key=lambda one: (-one.catches, one.field))

    def _of(
        self, name: str, failed: list[tuple[Arguments, int]], required: list[str]
    ) -> Iterator[Narrowing]:
        one, at = self._fields[name], pointer_shape(f"/{name}")
        if one.given == self.accepted and name not in required:
            missed = sum(calls for given, calls in failed if name not in given)
            if missed:
                yield Narrowing(at, "required", missed)
        given = [(one[name], calls) for one, calls in failed if name in one]
        if one.numbers == one.given and one.low is not None and one.high is not None:
            below = sum(calls for value, calls in given if _number(value) and value < one.low)
            above = sum(calls for value, calls in given if _number(value) and value > one.high)
            yield from [Narrowing(at, f"minimum {one.low}", below)] if below else ()
            yield from [Narrowing(at, f"maximum {one.high}", above)] if above else ()
        seen = sum(one.texts.values())
        if not one.open and seen == one.given and seen >= _OFTEN * len(one.texts):
            other = sum(calls for value, calls in given if value not in one.texts)
            if other:
                yield Narrowing(at, f"one of the {len(one.texts)} values that were accepted", other)


def _note(one: _Field, value: Any) -> None:  # Any: JSON value
    if _number(value):
        one.numbers += 1
        one.low = value if one.low is None else min(one.low, value)
        one.high = value if one.high is None else max(one.high, value)
    elif isinstance(value, str) and not one.open:
        one.texts[value[: _LONGEST_VALUE + 1]] += 1
        one.open = len(one.texts) > _MOST_VALUES or len(value) > _LONGEST_VALUE


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
