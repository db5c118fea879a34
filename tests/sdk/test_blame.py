"""Findings and warnings point at the author's line."""

import inspect
import warnings

from handrail import Extension
from handrail.chat import ActionResult, ChatExtension, NoParams
from handrail.sdk.blame import author_place, warn_author


def line() -> int:
    """The line that calls this."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def test_extension_knows_its_line() -> None:
    """And its file."""
    ext, here = Extension("a"), line()
    assert ext.place == (__file__, here)


def test_function_is_placed_at_its_decorator() -> None:
    """Where its keywords are."""
    chat = ChatExtension(Extension("a"), "a", "A")
    here = line() + 2

    @chat.function("look", "Look at all of them.")
    async def look(ctx: object, params: NoParams) -> ActionResult[object]:
        return ActionResult.success()

    assert chat.functions[0].place == (__file__, here)


def test_warning_points_here() -> None:
    """Not into the package."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        warn_author("told", UserWarning)
        here = line() - 1
    assert [(one.filename, one.lineno) for one in heard] == [(__file__, here)]


def test_outside_of_the_package_it_is_the_caller() -> None:
    """Whoever asks."""
    assert author_place().file == __file__
