"""One change of arguments that mending may make, and how changes are made and taken back."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from handrail.contract.call import Mend
from handrail.contract.issue import Issue, join_pointer
from handrail.contract.nodes import Nodes

__all__ = ["Place", "Step", "applied", "place_of", "value_at", "without_spoilt"]

Path = tuple[str | int, ...]


class Place(NamedTuple):
    """Where an engine reported an issue.

    Attributes:
        issue: What it said.
        path: The place.
        parent: The container around it; None for the root.
        nodes: The schemas that may hold at a place.
    """

    issue: Issue
    path: Path
    parent: Any  # Any: JSON value
    nodes: Nodes

    @property
    def value(self) -> Any:  # Any: JSON value
        """What was given there; None also where nothing was."""
        if isinstance(self.parent, dict):
            return self.parent.get(self.path[-1])
        return self.parent[self.path[-1]]


class Step(NamedTuple):
    """One change at one place.

    Attributes:
        kind: A kind of the contract's section 5.
        path: The place, in the arguments as they are when the step is made.
        after: The new value; for `renamed`, the new name.
        change: ``set``, ``drop`` or ``rename``.
    """

    kind: str
    path: Path
    after: Any = None  # Any: JSON value
    change: str = "set"

    @property
    def result(self) -> Path:
        """The place afterwards."""
        return (*self.path[:-1], self.after) if self.change == "rename" else self.path

    def mend(self, value: Any) -> Mend:  # Any: JSON value
        """The record of this step, made on a value."""
        before = self.path[-1] if self.change == "rename" else value_at(value, self.path)
        return Mend(self.kind, join_pointer(self.path), before, self.after)


def place_of(issue: Issue, parts: Sequence[str], value: Any, nodes: Nodes) -> Place | None:
    """The place of an issue; None for the root, and where the arguments have no such place."""
    path: list[str | int] = []
    parent: Any = None  # Any: JSON value
    for part in parts:
        parent = value
        if isinstance(parent, list) and part.isdecimal() and int(part) < len(parent):
            path.append(int(part))
        elif isinstance(parent, dict):
            path.append(part)
        else:
            return None
        value = parent.get(part) if isinstance(parent, dict) else parent[int(part)]
    return Place(issue, tuple(path), parent, nodes) if path else None


def value_at(value: Any, path: Path) -> Any:  # Any: JSON values
    """What is at a place.

    Raises:
        LookupError: Nothing is.
    """
    for part in path:
        value = value[part]
    return value


def applied(steps: Sequence[Step], value: Any) -> Any:  # Any: JSON values
    """The value after all steps; the given one is not changed."""
    for step in steps:
        value = _changed(value, step.path, step)
    return value


def _changed(value: Any, path: Path, step: Step) -> Any:  # Any: JSON values
    head = path[0]
    if len(path) > 1:
        inner = _changed(value[head], path[1:], step)
    elif step.change == "rename":
        return {step.after if key == head else key: item for key, item in value.items()}
    elif step.change == "drop":
        return {key: item for key, item in value.items() if key != head}
    else:
        inner = step.after
    if isinstance(value, dict):
        return {**value, head: inner}
    return [inner if at == head else item for at, item in enumerate(value)]


def without_spoilt(steps: Sequence[Step], places: Sequence[Sequence[str]]) -> list[Step]:
    """The steps whose place has no issue at or below it, and that build on no other such step.

    Args:
        steps: In the order in which they were made.
        places: Where issues are left.
    """
    if not steps:
        return []
    spoilt = {
        place[:length]
        for place in (tuple(parts) for parts in places)
        for length in range(1, len(place) + 1)
    }
    kept: list[Step] = []
    lost: set[tuple[str, ...]] = set()
    for step in steps:
        before, after = (tuple(map(str, path)) for path in (step.path, step.result))
        builds = any(before[:length] in lost for length in range(1, len(before) + 1))
        if builds or before in spoilt or after in spoilt:
            lost.update((before, after))
        else:
            kept.append(step)
    return kept
