"""Many issues of one call, folded into the few that a model should read.

Deduplicate, group what has one cause, order, cap. Two issues are the same when path and code
agree; codes whose whole message is written by a rule or a check (`VAL-013` and the like) differ
by message too, so that no author's text is lost. Two issues have one cause when they agree in
severity, code and expectation, and their paths differ in array positions only.

The sort key of a path is its list of segments with array positions padded to sixteen digits:
`/a/2` comes before `/a/10`, `/a/b` before `/a-b`. One pass over 100 issues stays below 100 µs,
which is why the common case works on the issues as they are, and only a malformed one (a path
that is no string, a code that cannot be hashed) makes everything go through `tame` first.
Source: seed 004, FR-031..FR-035, NFR-002; the contract `handrail/1`, section 3.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from handrail.contract.issue import CODES, Issue, Severity

__all__ = ["Aggregate", "Item", "aggregate", "in_order", "order_of", "tame"]

_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
_POSITION = re.compile(r"/(?:0|[1-9][0-9]{0,15})(?=[/\0]|\Z)")
_TEXT = {str}
_SEPARATOR = "\0"
_DIGIT = re.compile(r"/[0-9]")
_OWN_WORDS = frozenset(
    code for code, row in CODES.items() if row.message == "{problem}" and code != "MEND"
)


class Item(NamedTuple):
    """One cause, shown once.

    Attributes:
        issue: The issue; for a group the first one, its path with `*` where positions differ.
        places: Paths of the group in order; empty for a single issue.
        members: Every issue behind this item, in the order of `places`.
    """

    issue: Issue
    places: tuple[str, ...] = ()
    members: tuple[Issue, ...] = ()


class Aggregate(NamedTuple):
    """What is shown of a call's issues.

    Attributes:
        items: In the order of severity, path and code.
        hidden: How many more items there are: duplicates are not counted, a group counts once.
    """

    items: tuple[Item, ...]
    hidden: int

    def first(self, limit: int) -> "Aggregate":
        """The same with at most `limit` items."""
        if len(self.items) <= limit:
            return self
        return Aggregate(self.items[:limit], self.hidden + len(self.items) - limit)


def aggregate(issues: Iterable[Issue], limit: int = 10, *, given: object = None) -> Aggregate:
    """The first `limit` causes of `issues`, and the number of the others; never raises.

    Args:
        issues: In any order, repeated ones included.
        limit: How many items to keep.
        given: The arguments as sent. With it, a numeric key of an object is told from an array
            position; without it every number counts as a position.
    """
    found = list(issues)
    try:
        alone = _single(found)
        if alone is not None:
            items = tuple([Item(issue, (), (issue,)) for issue in alone[: max(limit, 0)]])
            return Aggregate(items, len(alone) - len(items))
        groups = _sorted_groups(_unique(found), given)
    except Exception:
        groups = _sorted_groups(_unique([tame(issue) for issue in found]), given)
    limit = max(limit, 0)
    items = tuple(_item(group) for group in groups[:limit])
    return Aggregate(items, max(len(groups) - limit, 0))


def _single(issues: list[Issue]) -> list[Issue] | None:
    """The issues, sorted; None if some may be the same or have one cause."""
    paths = [issue.path for issue in issues]
    if len({*paths}) < len(paths) or _DIGIT.search(_SEPARATOR.join(paths)):
        return None
    if {type(issue.code) for issue in issues} != _TEXT:
        return None
    return sorted(issues, key=_plain_order) if len(issues) > 1 else issues


def in_order(issues: Sequence[Issue]) -> Sequence[Issue]:
    """The issues as they are shown: by severity, path with numeric array order, code."""
    if len(issues) < 2:
        return issues
    digits = _DIGIT.search(_SEPARATOR.join([issue.path for issue in issues]))
    return sorted(issues, key=order_of if digits else _plain_order)


def _plain_order(issue: Issue) -> tuple[int, list[str], str]:
    """`order_of` for a path without numbers."""
    return _RANK[issue.severity], issue.path.split("/"), issue.code


def _unique(issues: Sequence[Issue]) -> list[Issue]:
    kept: dict[tuple[str, ...], Issue] = {}
    for issue in issues:
        code = issue.code
        key = (issue.path, code, issue.message) if code in _OWN_WORDS else (issue.path, code)
        first = kept.setdefault(key, issue)
        if first is not issue and _RANK[issue.severity] < _RANK[first.severity]:
            kept[key] = issue
    return list(kept.values())


def _sorted_groups(issues: list[Issue], given: object) -> list[list[Issue]]:
    shapes = _shapes(issues)
    if shapes is None:
        return sorted([[issue] for issue in issues], key=_group_order)
    groups: dict[tuple[object, ...], list[Issue]] = {}
    for issue, shape in zip(issues, shapes, strict=True):
        code = issue.code
        if code in _OWN_WORDS:
            cause: tuple[object, ...] = (shape, code, issue.expected, issue.severity, issue.message)
        else:
            cause = (shape, code, issue.expected, issue.severity)
        group = groups.get(cause)
        if group is None:
            groups[cause] = [issue]
        else:
            group.append(issue)
    ordered = list(groups.values())
    if len(ordered) < len(issues):
        for cause, group in groups.items():
            if len(group) > 1:
                group.sort(key=_one_position if str(cause[0]).count("*") == 1 else _steps)
        if given is not None:
            ordered = [part for group in ordered for part in _split(group, given)]
    ordered.sort(key=_group_order)
    return ordered


def _shapes(issues: list[Issue]) -> list[str] | None:
    """Each path with `*` for its positions, found in one pass; None where there are none."""
    joined = _SEPARATOR.join([issue.path for issue in issues])
    if not _POSITION.search(joined):
        return None
    shapes = _POSITION.sub("/*", joined).split(_SEPARATOR)
    if len(shapes) == len(issues):
        return shapes
    return [_POSITION.sub("/*", issue.path) for issue in issues]


def _one_position(issue: Issue) -> tuple[int, str]:
    """Among paths that differ in one number, the shorter number is the smaller one."""
    return len(issue.path), issue.path


def _steps(issue: Issue) -> list[str]:
    path = issue.path
    parts = path.split("/")
    if not _DIGIT.search(path):
        return parts
    return [part.zfill(16) if part.isdecimal() else part for part in parts]


def _group_order(group: list[Issue]) -> tuple[int, list[str], str]:
    return order_of(group[0])


def order_of(issue: Issue) -> tuple[int, list[str], str]:
    """Sorts issues as they are shown: severity, path with numeric array order, code."""
    return _RANK[issue.severity], _steps(issue), issue.code


def _split(group: list[Issue], given: object) -> list[list[Issue]]:
    """The group apart again if a position that differs is a key of an object in `given`."""
    if len(group) == 1:
        return [group]
    paths = [issue.path.split("/") for issue in group]
    varying = _varying(paths)
    if all(_in_arrays(parts, varying, given) for parts in paths):
        return [group]
    return [[issue] for issue in group]


def _in_arrays(parts: list[str], varying: set[int], value: object) -> bool:
    for index, part in enumerate(parts[1:], start=1):
        if isinstance(value, list) and part.isdecimal():
            place = int(part)
            value = value[place] if place < len(value) else None
        elif isinstance(value, dict):
            if index in varying:
                return False
            value = value.get(part.replace("~1", "/").replace("~0", "~"))
    return True


def _varying(paths: list[list[str]]) -> set[int]:
    return {index for index, parts in enumerate(zip(*paths, strict=False)) if len({*parts}) > 1}


def _item(members: list[Issue]) -> Item:
    first = members[0]
    if len(members) == 1:
        return Item(first, (), (first,))
    places = tuple([issue.path for issue in members])
    path = _common_path(places)
    same_actual = all(issue.actual == first.actual for issue in members)
    shown = Issue(
        first.code,
        path,
        first.message,
        first.severity,
        first.slug,
        first.expected,
        first.actual if same_actual or first.actual is None else f"{first.actual}, ...",
        _common_hint(members, path),
    )
    return Item(shown, places, tuple(members))


def _common_path(places: Sequence[str]) -> str:
    shape = _POSITION.sub("/*", places[0])
    if shape.count("*") == 1 and len(set(places)) > 1:
        return shape
    paths = [place.split("/") for place in places]
    varying = _varying(paths)
    return "/".join("*" if at in varying else part for at, part in enumerate(paths[0]))


def _common_hint(members: Sequence[Issue], path: str) -> str | None:
    """The members' hint said once for `path`; None where it is not the same for all of them."""
    first = members[0]
    if not isinstance(first.hint, str):
        return None
    before, found, after = first.hint.partition(first.path)
    if not found:
        return first.hint if all(issue.hint == first.hint for issue in members) else None
    same = all(issue.hint == before + issue.path + after for issue in members)
    return before + path + after if same else None


def tame(issue: object) -> Issue:
    """An issue whose fields have the right types, whatever was put in; never raises."""
    severity = _read(issue, "severity")
    try:
        rank = severity if isinstance(severity, Severity) else Severity(str(severity).lower())
    except Exception:
        rank = Severity.ERROR
    suggestion = _read(issue, "suggestion")
    return Issue(
        _text(_read(issue, "code")) or "VAL-015",
        _text(_read(issue, "path")) or "",
        _text(_read(issue, "message")) or "",
        rank,
        _text(_read(issue, "slug")) or "semantic",
        _text(_read(issue, "expected")),
        _text(_read(issue, "actual")),
        _text(_read(issue, "hint")),
        suggestion if hasattr(suggestion, "ops") else None,  # type: ignore[arg-type]  # by shape
    )


def _read(thing: object, name: str) -> object:
    try:
        return getattr(thing, name, None)
    except Exception:
        return None


def _text(value: object) -> str | None:
    if value is None:
        return None
    try:
        return value if type(value) is str else str(value)
    except Exception:
        return "[unreadable]"
