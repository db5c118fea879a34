"""Ready-made checks of results: what a schema cannot say, and authors say again and again.

Each function returns a check ``(value, args) -> ToolError | None`` for ``check_output=`` of a tool
or ``check=`` of a guard. A path names one value: a field (``orders``), fields in fields
(``meta.page``), or an RFC 6901 pointer (``/meta/page``); models and dataclasses are read like
objects. Source: seed 001 (`check_orders`, the weather in celsius).
"""

from collections.abc import Callable, Mapping
from typing import Any

from handrail.contract.facts import MISSING
from handrail.contract.issue import split_pointer
from handrail.contract.preview import preview, word
from handrail.contract.tool_error import ToolError

__all__ = ["Check", "at_path", "echoes_argument", "not_empty", "paged", "unit"]

Check = Callable[[Any, Mapping[str, Any]], ToolError | None]  # Any: the result; JSON values


def paged(items: str = "items", more: str = "has_more", page: str = "page") -> Check:
    """Partial while more pages exist; senseless where the first page is empty although they do.

    Args:
        items: Path of the rows.
        more: Path of what says that more exist: a flag, a cursor or a link.
        page: Path of the page's number; also the argument that asks for a page.
    """

    def check(value: Any, args: Mapping[str, Any]) -> ToolError | None:  # Any: as in Check
        further = at_path(value, more)
        if further is MISSING or not further:
            return None
        rows = at_path(value, items)
        count = len(rows) if hasattr(rows, "__len__") else 0
        number = at_path(value, page)
        number = args.get(page, 1) if number is MISSING else number
        if number in (0, 1) and not count:
            return ToolError(
                "semantic_garbage",
                "empty_first_page",
                f"More pages exist, but page {number} holds nothing under {word(items)}",
                "Do not turn the page. Check the ids and filters, or search more broadly.",
            )
        onward = f"Call again with {word(page)}={number + 1}" if type(number) is int else ""
        rows_here = "1 row" if count == 1 else f"{count} rows"
        return ToolError(
            "partial_data",
            "more_pages_available",
            f"Page {word(number)} holds {rows_here}, and more exist",
            f"{onward} to go on." if onward else None,
        )

    return check


def not_empty(path: str = "") -> Check:
    """Senseless where nothing stands at a path: no rows, an empty text, null, no such field."""

    def check(value: Any, args: Mapping[str, Any]) -> ToolError | None:  # Any: as in Check
        found = at_path(value, path)
        if found is not MISSING and found is not None and not _is_hollow(found):
            return None
        place = f" under {word(path)}" if path else ""
        return ToolError(
            "semantic_garbage",
            "empty_result",
            f"There is nothing{place}, although there should be",
            "Check the spelling, the ids and the filters, or tell the user.",
        )

    return check


def unit(path: str, expected: str) -> Check:
    """Senseless where a value is in another unit, or does not say in which.

    Args:
        path: Where the unit stands, alone (``"celsius"``) or behind a number (``"21.5 °C"``).
        expected: The unit; usual spellings of temperatures are known.
    """
    wanted = _unit_of(expected)

    def check(value: Any, args: Mapping[str, Any]) -> ToolError | None:  # Any: as in Check
        found = at_path(value, path)
        if isinstance(found, str) and _unit_of(found) == wanted:
            return None
        said = "is missing" if found is MISSING else f"is {preview(found, limit=60)}"
        return ToolError(
            "semantic_garbage",
            "wrong_unit",
            f"The unit under {word(path)} {said}, expected is {word(expected)}",
            f"Ask for {word(expected)}, or convert the values before you use them.",
        )

    return check


def echoes_argument(path: str, argument: str) -> Check:
    """Senseless where the result speaks of something else than was asked for.

    Args:
        path: Where the result says what it is about.
        argument: The argument that it must repeat; calls without it pass.
    """

    def check(value: Any, args: Mapping[str, Any]) -> ToolError | None:  # Any: as in Check
        asked = args.get(argument)
        if asked is None:
            return None
        found = at_path(value, path)
        if found is not MISSING and _alike(found, asked):
            return None
        said = "does not say" if found is MISSING else f"says {preview(found, limit=80)}"
        return ToolError(
            "semantic_garbage",
            "not_what_was_asked",
            f"{word(argument)} was {preview(asked, field=argument, limit=80)}, and the result "
            f"{said} under {word(path)}",
            f"Do not use this result. Check {word(argument)}, or tell the user.",
        )

    return check


# ---- values


def at_path(value: Any, path: str) -> Any:  # Any: a result; what stands there
    """What stands at a path of a result; `MISSING` where it leads nowhere."""
    parts = split_pointer(path) if path[:1] in ("", "/") else path.split(".")
    for part in parts:
        if isinstance(value, Mapping):
            value = value.get(part, MISSING)
        elif isinstance(value, list | tuple):
            inside = part.isdecimal() and int(part) < len(value)
            value = value[int(part)] if inside else MISSING
        else:
            value = MISSING if part.startswith("_") else getattr(value, part, MISSING)
        if value is MISSING:
            break
    return value


def _is_hollow(found: object) -> bool:
    """Whether it can be counted and holds nothing; a number or a flag is something."""
    if isinstance(found, str):
        return not found.strip()
    return hasattr(found, "__len__") and len(found) == 0


_SPELLINGS = {
    "celsius": ("c", "°c", "degc", "deg c", "centigrade", "degrees celsius", "metric"),
    "fahrenheit": ("f", "°f", "degf", "deg f", "degrees fahrenheit", "imperial"),
    "kelvin": ("k", "°k", "degrees kelvin"),
}
_UNITS = {spelling: name for name, spellings in _SPELLINGS.items() for spelling in spellings}


def _unit_of(text: str) -> str:
    """The unit in a text, without the number before it, in one spelling."""
    bare = text.strip().casefold().lstrip("+-0123456789., ").strip()
    return _UNITS.get(bare, bare)


def _alike(found: object, asked: object) -> bool:
    """Whether a result repeats an argument: ids come back as numbers, names in another case."""
    if isinstance(found, bool) or isinstance(asked, bool):
        return found is asked
    if isinstance(found, str | int | float) and isinstance(asked, str | int | float):
        return str(found).strip().casefold() == str(asked).strip().casefold()
    return bool(found == asked)
