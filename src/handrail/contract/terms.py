"""What an author may say about a tool beside its parameters, and what of it makes no sense."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, fields
from typing import Any, Literal

from handrail.contract.call import ActionType
from handrail.contract.issue import Issue
from handrail.contract.output_terms import output_faults
from handrail.contract.policy import ACTION_TYPES
from handrail.contract.rules import Rule
from handrail.contract.screens import id_patterns

__all__ = [
    "LISTS",
    "TERM_DEFAULTS",
    "Handler",
    "Terms",
    "is_async",
    "items_of",
    "stated_faults",
    "unknown_terms",
]

Handler = Callable[..., Any]  # Any: handlers return what they like

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}\Z")


@dataclass(frozen=True, eq=False, kw_only=True)
class Terms:
    """What an author may say about a tool beside its parameters: the contract keywords.

    Attributes:
        action_type: ``read``, ``write`` or ``destructive``.
        when_to_use: When the model should choose it; also the intent shown on a retry.
        when_not_to_use: When it should not.
        examples: Argument objects, validated at declaration.
        ids: Fields that hold ids, or a mapping of field to the pattern of a real one.
        seen_ids: Id fields whose value must have been seen before.
        rules: Rules between fields, as data.
        check_input: ``(args) -> None | str | Issue | list[Issue]``, sync or async.
        check_output: ``(value, args) -> None | str | ToolError | list``, sync or async.
        empty: What an empty result means: ``advise``, ``ok`` or ``error``.
        idempotent: Whether running it twice is the same as once.
        repeatable: Whether the same call may be made again at will (toggle, send).
        poll: Whether it is meant to be asked again and again.
        reuse: Whether an identical read is answered from its earlier result.
        max_identical: Identical calls allowed; None is the policy's number.
        timeout_s: Seconds that the handler may take.
        attempts: Attempts of one logical call; None is the policy's number.
        mend: ``off`` or the highest mending level; None is the policy's.
        format_issue: ``(issue) -> str | None``, the author's own words for an issue.
        group: Name of the group of tools it belongs to.
        failed_when: Top-level values of a result that mean failure.
        facts: Names and JSON Pointers of what to extract from results.
        pages: How the next page is asked for.
        compensate: Name of the tool that undoes it.
        effects: What it changes, as ``verb:resource``.
        returns: The type or JSON Schema of its results.
    """

    action_type: ActionType = "read"
    when_to_use: str = ""
    when_not_to_use: str = ""
    examples: Sequence[Mapping[str, Any]] = ()  # Any: JSON values
    ids: Sequence[str] | Mapping[str, str | None] = ()
    seen_ids: Sequence[str] = ()
    rules: Sequence[Rule] = ()
    check_input: Callable[..., object] | None = None
    check_output: Callable[..., object] | None = None
    empty: Literal["advise", "ok", "error"] = "advise"
    idempotent: bool = False
    repeatable: bool = False
    poll: bool = False
    reuse: bool = False
    max_identical: int | None = None
    timeout_s: float | None = None
    attempts: int | None = None
    mend: Literal["off"] | int | None = None
    format_issue: Callable[[Issue], str | None] | None = None
    group: str | None = None
    failed_when: Mapping[str, Any] | None = None  # Any: JSON values
    facts: Mapping[str, str] | None = None
    pages: Mapping[str, str] | None = None
    compensate: str | None = None
    effects: Sequence[str] = ()
    returns: Any = None  # Any: a type, a JSON Schema, or nothing


TERM_DEFAULTS = {item.name: item.default for item in fields(Terms)}
"""What each contract keyword is where the author says nothing."""


def is_async(fn: object) -> bool:
    """Whether calling it gives an awaitable."""
    call = getattr(fn, "func", fn)
    if inspect.iscoroutinefunction(call):
        return True
    return inspect.iscoroutinefunction(getattr(call, "__call__", None))  # noqa: B004


def unknown_terms(terms: Mapping[str, Any]) -> list[str]:  # Any: values of Terms
    """Keywords that no contract has."""
    return [
        f"{key!r} is no contract keyword; known are {', '.join(sorted(TERM_DEFAULTS))}"
        for key in terms
        if key not in TERM_DEFAULTS
    ]


LISTS = ("examples", "rules", "seen_ids", "effects")
_TEXTS = ("description", "when_to_use", "when_not_to_use")
_FUNCTIONS = ("handler", "check_input", "check_output", "format_issue")


def items_of(stated: object) -> tuple[Any, ...]:  # Any: what an author gave
    """What was given where a list is meant; one text stands for a list of it."""
    if isinstance(stated, str):
        return (stated,)
    return tuple(stated) if isinstance(stated, Sequence | Set) else ()


def stated_faults(values: Mapping[str, Any]) -> list[str]:  # Any: values of Terms and of Tool
    """What is wrong with each keyword by itself."""
    faults = []
    name = values["name"]
    if not (isinstance(name, str) and _NAME.match(name)):
        faults.append(f"the name {name!r} must match ^[A-Za-z_][A-Za-z0-9_-]{{0,63}}$")
    for key in _TEXTS:
        if not isinstance(values.get(key, ""), str):
            faults.append(f"{key}={values[key]!r} must be text")
    for key in _FUNCTIONS:
        if not (values.get(key) is None or callable(values[key])):
            faults.append(f"{key}={values[key]!r} must be a function")
    for key in LISTS:
        if isinstance(values[key], Mapping) or not isinstance(values[key], Sequence | Set):
            faults.append(f"{key}={values[key]!r} must be a list")
    for key, allowed in {"action_type": ACTION_TYPES, "empty": _EMPTY}.items():
        if values[key] not in allowed:
            faults.append(f"{key}={values[key]!r} must be one of {', '.join(allowed)}")
    for key, (low, high) in _NUMBERS.items():
        faults += _number_faults(key, values[key], low, high)
    seconds = values["timeout_s"]
    if seconds is not None and not (_is_number(seconds) and seconds > 0):
        faults.append(f"timeout_s={seconds!r} must be a number of seconds above 0")
    level = values["mend"]
    if not (level is None or level == "off" or (_is_whole(level) and 0 <= level <= 3)):
        faults.append(f"mend={level!r} must be 'off' or a level from 0 to 3")
    faults += output_faults(values)
    try:
        id_patterns(values["ids"])
    except (ValueError, TypeError, AttributeError) as error:
        faults.append(str(error))
    return faults


_EMPTY = ("advise", "ok", "error")
_NUMBERS: Mapping[str, tuple[int, int | None]] = {"attempts": (1, 10), "max_identical": (1, None)}


def _number_faults(key: str, value: object, low: int, high: int | None) -> list[str]:
    if value is None:
        return []
    top = float("inf") if high is None else high
    if isinstance(value, int) and _is_whole(value) and low <= value <= top:
        return []
    bounds = f"{low} to {high}" if high is not None else f"at least {low}"
    return [f"{key}={value!r} must be a whole number, {bounds}"]


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
