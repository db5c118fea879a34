"""Which branch of a failed union came closest, so that one branch is explained and not all.

A branch whose own type is wrong is out; a branch whose tag (a constant, or the discriminator)
is wrong comes after one whose tag is right; then the fewest errors win, and of equals the one
whose errors lie deepest, because the value went furthest into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

__all__ = ["Closest", "Path", "closest", "leaves", "real_path"]

Path = tuple[str | int, ...]


def real_path(path: Sequence[str | int], arguments: Any) -> Path:  # Any: JSON value
    """A path of jsonschema-rs with names as they are: it gives the field ``"1"`` as 1."""
    parts: list[str | int] = []
    for part in path:
        part = str(part) if isinstance(arguments, dict) else part
        parts.append(part)
        try:
            arguments = arguments[part]
        except (KeyError, IndexError, TypeError):
            arguments = None
    return tuple(parts)


class Closest(NamedTuple):
    """What to report for a failed union.

    Attributes:
        errors: Errors of the branch that came closest; empty when no branch has the value's type.
        tag: Place of the tag, when the tag fits no branch.
        options: Every tag that some branch takes.
    """

    errors: Sequence[ValidationError]
    tag: Path | None = None
    options: tuple[Any, ...] = ()  # Any: JSON values


def closest(
    branches: Sequence[Sequence[ValidationError]], at: Path, discriminator: str | None = None
) -> Closest:
    """Choose among the branches of an ``anyOf`` or ``oneOf`` that failed at a place."""
    typed = [errors for errors in branches if errors and not _wrong_type(errors, at)]
    if not typed:
        return Closest(())
    tags = [_tag_errors(errors, at, discriminator) for errors in typed]
    if len(typed) > 1 or discriminator:
        shared = set.intersection(*(set(found) for found in tags))
        if shared:
            place = min(shared, key=lambda path: (len(path), str(path)))
            options = [option for found in tags for option in found[place]]
            return Closest((), place, tuple(_distinct(options)))
    if discriminator and (missing := _missing(typed[0], at, discriminator)):
        return Closest(missing)
    ranked = sorted(
        range(len(typed)), key=lambda index: _distance(typed[index], tags[index], index)
    )
    return Closest(typed[ranked[0]])


def leaves(errors: Sequence[ValidationError]) -> int:
    """Number of single problems, a nested union counting as its smallest branch."""
    total = 0
    for error in errors:
        context = getattr(error.kind, "context", None)
        total += min((leaves(branch) for branch in context), default=1) if context else 1
    return total


def _distance(
    errors: Sequence[ValidationError], tags: dict[Path, list[Any]], index: int
) -> tuple[int, int, int, int]:  # Any: JSON values
    depth = max(len(error.instance_path) for error in errors)
    return len(tags), leaves(errors), -depth, index


def _wrong_type(errors: Sequence[ValidationError], at: Path) -> bool:
    for error in errors:
        if tuple(error.instance_path) == at:
            if error.kind.name == "type":
                return True
            if context := getattr(error.kind, "context", None):
                return all(branch and _wrong_type(branch, at) for branch in context)
    return False


def _tag_errors(
    errors: Sequence[ValidationError], at: Path, discriminator: str | None
) -> dict[Path, list[Any]]:  # Any: JSON values
    """Tags that do not fit: place -> what this branch would take there."""
    found: dict[Path, list[Any]] = {}  # Any: JSON values
    for error in errors:
        path = tuple(error.instance_path)
        kind = error.kind
        if len(path) > len(at) + 1:
            continue
        named = len(path) == len(at) + 1 and path[-1] == discriminator
        if kind.name == "const":
            found[path] = [kind.value]
        elif kind.name == "enum" and (named or path == at or len(kind.value) == 1):
            found[path] = list(kind.value)
    return found


def _missing(
    errors: Sequence[ValidationError], at: Path, discriminator: str
) -> list[ValidationError]:
    return [
        error
        for error in errors
        if error.kind.name == "required"
        and tuple(error.instance_path) == at
        and error.kind.value == discriminator
    ]


def _distinct(options: Sequence[Any]) -> list[Any]:  # Any: JSON values, lists and dicts too
    kept: list[Any] = []  # Any: JSON values
    for option in options:
        if not any(type(option) is type(other) and option == other for other in kept):
            kept.append(option)
    return kept
