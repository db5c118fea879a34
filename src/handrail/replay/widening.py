"""What to widen in a contract, where what it rejects looks legitimate.

A keyword is widened as far as accepted calls went beyond it, if enough of them did: from 30
accepted calls of the tool and 1 % of them up. Of values, types and fields each must reach that
share by itself; a bound is moved to the farthest that was seen. Source: seed 001; the pinned
details, command line.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from handrail.contract.issue import join_pointer
from handrail.contract.preview import preview
from handrail.contract.words import Schema, subschema
from handrail.replay.patterns import pattern_of
from handrail.replay.violations import Violation

__all__ = [
    "ABSENT",
    "FEWEST_CALLS",
    "LEAST_SHARE",
    "Broken",
    "Change",
    "Evidence",
    "widened",
    "widenings",
]

FEWEST_CALLS = 30
LEAST_SHARE = 0.01

_MOST_SEEN = 64
_LONGEST_SEEN = 500
_LONGEST_VALUE = 100
_Node = tuple[str | int, ...]


class _Absent:
    """Nothing there."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()
"""What stands in a `Change` where there is no value."""

_PYTHON = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
_PYTHON |= {"array": "list", "object": "dict", "null": "None"}


class Change(NamedTuple):
    """One edit of a schema.

    Attributes:
        path: Parts of the pointer of what changes.
        before: What stands there; `ABSENT` is nothing.
        after: What should; `ABSENT` takes it out.
        calls: Accepted calls that ask for it.
        seen: What was seen, in words.
    """

    path: _Node
    before: Any  # Any: JSON value
    after: Any  # Any: JSON value
    calls: int
    seen: str

    @property
    def pointer(self) -> str:
        """RFC 6901 pointer of what changes."""
        return join_pointer(self.path)

    @property
    def annotation(self) -> str | None:
        """The new types as Python writes them (``str | None``); None for other edits."""
        if self.path[-1] != "type" or not isinstance(self.after, str | list):
            return None
        kinds = [self.after] if isinstance(self.after, str) else self.after
        return " | ".join(_PYTHON.get(kind, kind) for kind in kinds)


@dataclass(slots=True)
class Evidence:
    """What accepted calls broke one keyword with.

    Attributes:
        calls: Accepted calls that broke it.
        seen: JSON text of each thing seen -> calls.
        overflow: Whether there were more different ones than are kept.
        low: The lowest number, or None.
        high: The highest number, or None.
    """

    calls: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    overflow: bool = False
    low: float | None = None
    high: float | None = None

    def add(self, seen: Iterable[Any]) -> None:  # Any: JSON values
        """Count one call, with everything that it broke the keyword with."""
        self.calls += 1
        texts = set()
        for item in seen:
            text = json.dumps(item, ensure_ascii=False, sort_keys=True)
            if len(text) > _LONGEST_SEEN:
                self.overflow = True
                continue
            texts.add(text)
            if isinstance(item, int | float) and not isinstance(item, bool):
                self.low = item if self.low is None else min(self.low, item)
                self.high = item if self.high is None else max(self.high, item)
        for text in texts:
            if text in self.seen or len(self.seen) < _MOST_SEEN:
                self.seen[text] += 1
            else:
                self.overflow = True


class Broken:
    """Keywords of one schema that accepted calls broke."""

    def __init__(self) -> None:
        self.evidence: dict[tuple[_Node, str], Evidence] = {}

    def add(self, found: Sequence[Violation]) -> None:
        """Take note of what one call broke."""
        grouped: dict[tuple[_Node, str], list[Any]] = {}  # Any: JSON values
        for one in found:
            grouped.setdefault((one.node, one.keyword), []).append(one.seen)
        for key, seen in grouped.items():
            self.evidence.setdefault(key, Evidence()).add(seen)


def widenings(schema: Schema, broken: Broken, accepted: int) -> list[Change]:
    """The edits that accepted calls ask for, in the order of the schema's pointers.

    Args:
        schema: The schema.
        broken: What they broke.
        accepted: Accepted calls of the tool in all.
    """
    if accepted < FEWEST_CALLS:
        return []
    changes: list[Change] = []
    for (node, keyword), evidence in broken.evidence.items():
        rule = _RULES.get(keyword)
        least = LEAST_SHARE * accepted
        if rule is None or evidence.calls < least:
            continue
        stated = subschema(schema, node)
        changes += rule(_Place(stated, node, keyword, evidence, least))
    return sorted(_joined(changes), key=lambda one: one.pointer)


def widened(schema: Schema, changes: Iterable[Change]) -> dict[str, Any]:  # Any: JSON Schema
    """The schema with the edits made; a copy."""
    made = deepcopy(dict(schema))
    for change in changes:
        at: Any = made  # Any: JSON value
        for part in change.path[:-1]:
            at = at[int(part)] if isinstance(at, list) else at.setdefault(part, {})
        if change.after is ABSENT:
            at.pop(change.path[-1], None)
        else:
            at[change.path[-1]] = change.after
    return made


def _joined(changes: Sequence[Change]) -> list[Change]:
    """One edit for each pointer; of two, the first stands."""
    kept: dict[_Node, Change] = {}
    for change in changes:
        kept.setdefault(change.path, change)
    return list(kept.values())


# ---- one rule for each keyword


class _Place(NamedTuple):
    node: Mapping[str, Any]  # Any: JSON Schema
    path: _Node
    keyword: str
    evidence: Evidence
    least: float

    def common(self) -> list[tuple[Any, int]]:  # Any: JSON values
        """What was seen often enough, most often first."""
        found = self.evidence.seen.most_common()
        return [(json.loads(text), calls) for text, calls in found if calls >= self.least]

    def change(self, after: Any, seen: str, keyword: str = "") -> Change:  # Any: JSON value
        name = keyword or self.keyword
        before = self.node.get(name, ABSENT)
        return Change((*self.path, name), before, after, self.evidence.calls, seen)


def _type(place: _Place) -> list[Change]:
    common = place.common()
    if not common:
        return []
    stated = place.node.get("type", [])
    types = [stated] if isinstance(stated, str) else list(stated)
    for kind, _ in common:
        if kind == "number" and "integer" in types:
            types[types.index("integer")] = "number"
        elif kind not in types:
            types.append(kind)
    return [place.change(types[0] if len(types) == 1 else types, _times(common))]


def _union(place: _Place) -> list[Change]:
    common = place.common()
    if not common:
        return []
    branches = list(place.node.get(place.keyword, ()))
    return [place.change([*branches, *({"type": kind} for kind, _ in common)], _times(common))]


def _enum(place: _Place) -> list[Change]:
    common = [(item, calls) for item, calls in place.common() if _showable(item)]
    if not common:
        return []
    return [
        place.change([*place.node.get("enum", ()), *(one for one, _ in common)], _values(common))
    ]


def _const(place: _Place) -> list[Change]:
    common = [(item, calls) for item, calls in place.common() if _showable(item)]
    if not common:
        return []
    seen = _values(common)
    values = [place.node.get("const"), *(item for item, _ in common)]
    return [place.change(ABSENT, seen), place.change(values, seen, "enum")]


def _low(place: _Place) -> list[Change]:
    return [place.change(place.evidence.low, f"down to {place.evidence.low}")]


def _high(place: _Place) -> list[Change]:
    return [place.change(place.evidence.high, f"up to {place.evidence.high}")]


def _exclusive(place: _Place) -> list[Change]:
    low = place.keyword == "exclusiveMinimum"
    bound = place.evidence.low if low else place.evidence.high
    seen = f"down to {bound}" if low else f"up to {bound}"
    name = "minimum" if low else "maximum"
    return [place.change(ABSENT, seen), place.change(bound, seen, name)]


def _dropped(place: _Place) -> list[Change]:
    return [place.change(ABSENT, "other values")]


def _pattern(place: _Place) -> list[Change]:
    texts = [json.loads(text) for text in place.evidence.seen]
    common = pattern_of(text for text in texts if isinstance(text, str))
    if common is None or place.evidence.overflow:
        return [place.change(ABSENT, "texts of other forms")]
    stated = place.node.get("pattern", "")
    return [place.change(f"(?:{stated})|^(?:{common})$", f"texts of the form {common}")]


def _required(place: _Place) -> list[Change]:
    common = place.common()
    if not common:
        return []
    gone = {name for name, _ in common}
    left = [name for name in place.node.get("required", ()) if name not in gone]
    missing = ", ".join(f"no {preview(name)} ×{calls:,}" for name, calls in common)
    return [place.change(left or ABSENT, missing)]


def _extra(place: _Place) -> list[Change]:
    if place.evidence.overflow:
        return [place.change(True, f"more than {_MOST_SEEN} different fields")]
    changes = []
    kinds: dict[str, Counter[str]] = {}
    for (name, kind), calls in place.common():
        kinds.setdefault(name, Counter())[kind] += calls
    for name, seen in kinds.items():
        types = list(seen)
        taken = {"type": types[0] if len(types) == 1 else types}
        told = f"{preview(name)} ×{sum(seen.values()):,}"
        path = (*place.path, "properties", name)
        changes.append(Change(path, ABSENT, taken, sum(seen.values()), told))
    return changes


def _showable(value: object) -> bool:
    """Whether a value may be named in a contract: short, and nothing that is hidden."""
    text = json.dumps(value, ensure_ascii=False)
    return len(text) <= _LONGEST_VALUE and preview(value, limit=2 * _LONGEST_VALUE) == text


def _times(common: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{item} ×{calls:,}" for item, calls in common)


def _values(common: Sequence[tuple[Any, int]]) -> str:  # Any: JSON values
    return ", ".join(f"{preview(item)} ×{calls:,}" for item, calls in common)


_RULES: Mapping[str, Callable[[_Place], list[Change]]] = {
    "type": _type,
    "anyOf": _union,
    "oneOf": _union,
    "enum": _enum,
    "const": _const,
    "minimum": _low,
    "maximum": _high,
    "exclusiveMinimum": _exclusive,
    "exclusiveMaximum": _exclusive,
    "minItems": _low,
    "maxItems": _high,
    "minLength": _low,
    "maxLength": _high,
    "minProperties": _low,
    "maxProperties": _high,
    "pattern": _pattern,
    "format": _dropped,
    "multipleOf": _dropped,
    "uniqueItems": _dropped,
    "required": _required,
    "additionalProperties": _extra,
}
