"""Where in the author's own code something was declared: for findings and for warnings."""

import sys
import warnings
from typing import NamedTuple

__all__ = ["Place", "author_place", "warn_author"]


class Place(NamedTuple):
    """A line of the author's code.

    Attributes:
        file: Path as Python knows it; empty where it is unknown.
        line: From 1; 0 where it is unknown.
    """

    file: str = ""
    line: int = 0


def author_place() -> Place:
    """The nearest line up the stack that is not of this package."""
    frame = sys._getframe(_level())
    return Place(frame.f_code.co_filename, frame.f_lineno)


def warn_author(text: str, category: type[Warning]) -> None:
    """A warning that points at the author's line."""
    warnings.warn(text, category, stacklevel=_level() + 1)


def _level() -> int:
    """Frames between the caller and the author's code."""
    level, frame = 0, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("handrail."):
        level, frame = level + 1, frame.f_back
    return level
