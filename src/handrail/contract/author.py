"""The one function through which code of a tool's author is called.

Whatever it raises becomes a value for the operator: nothing escapes, and no exception text can
reach the model. Cancellation and the interpreter's own exits are let through.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["Broken", "ask_author", "broken", "described"]


class Broken(NamedTuple):
    """An author's code raised.

    Attributes:
        detail: For the operator: which code, and what it raised.
        error: The exception.
    """

    detail: str
    error: Exception


def ask_author(fn: Callable[..., Any], *args: object) -> Any:  # Any: what the author returns
    """Call the author's code; `Broken` where it raises."""
    try:
        return fn(*args)
    except Exception as error:
        return broken(fn, error)


def broken(fn: Callable[..., Any], error: Exception) -> Broken:  # Any: the author's function
    """The fault of an author's function."""
    named = getattr(fn, "func", fn)  # of a partial
    name = getattr(named, "__qualname__", None) or type(named).__name__
    return Broken(f"{name} raised {described(error)}", error)


def described(error: BaseException) -> str:
    """Class and text of an exception, for the operator; never raises."""
    try:
        return f"{type(error).__name__}: {str(error)[:500]}"
    except Exception:  # an author's own __str__
        return type(error).__name__
