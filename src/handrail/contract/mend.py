"""Reading what is provably meant, before a model round trip is spent.

A mend is lossless, of a listed kind, recorded path by path, and accepted only if the value at
its place then has no issue. Nothing is guessed, no cut text is closed, and between two readings
none is chosen. What remains wrong is told together with what was read how.

Arguments are changed in waves, because one reading may uncover the next fault: the issues of the
engine name the places, `mend_shape` and `mend_value` say what may be read there, and the engine
judges again. If the whole does not validate in the end, every change whose place still has an
issue is taken back. Source: the contract `handrail/1`, section 5.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from handrail.contract.author import described
from handrail.contract.call import Mend
from handrail.contract.explain import property_names
from handrail.contract.issue import Issue, Severity, join_pointer, split_pointer
from handrail.contract.mend_shape import encoded_twice, id_steps, shape_steps
from handrail.contract.mend_syntax import mend_syntax
from handrail.contract.mend_value import key_steps, spells_absent, value_steps
from handrail.contract.parse import Parsed
from handrail.contract.policy import Settings
from handrail.contract.preview import is_secret_field, preview
from handrail.contract.reading import Rejected
from handrail.contract.rules import Irrelevant
from handrail.contract.screens import ALWAYS_IDS
from handrail.contract.steps import Place, Step, applied, place_of, without_spoilt
from handrail.contract.tool import Tool

__all__ = ["Reading", "mend_issues", "read_broken", "read_input"]

_WAVES = 6
"""Readings on top of each other: a list in a string, its one item, a number in a string."""

_MOST_PLACES = 500
"""Arguments with more faults are not mended: the model is asked."""

_LEVELS = {"parsed_json": 2, "whitespace": 2, "null_dropped": 2}
_FIELD_CODES = frozenset({"VAL-001", "VAL-005"})
_CODES = _FIELD_CODES | {"VAL-002", "VAL-008"}


class Reading(NamedTuple):
    """Arguments as they will be judged further.

    Attributes:
        value: The object, mended.
        prepared: What the handler gets; None while something is wrong.
        issues: What is still wrong, or worth a warning.
        mends: What was read as something else than it was written.
        fault: For the operator: what an author's own code raised.
    """

    value: dict[str, Any]  # Any: JSON values
    prepared: Any  # Any: what the handler gets
    issues: list[Issue]
    mends: list[Mend]
    fault: str | None = None


def read_broken(
    tool: Tool, arguments: object, parsed: Parsed, policy: Settings
) -> tuple[Parsed, tuple[Mend, ...]] | None:
    """Arguments that are no JSON object, as they are provably meant; None if that is not known.

    Args:
        tool: The contract.
        arguments: As sent.
        parsed: What the parser said of them.
        policy: The rules.
    """
    level = _level(tool, policy)
    if parsed.kind != "broken" or level < 1:
        return None
    found = mend_syntax(arguments, property_names(tool.schema, tool.schema))
    if found is None and level > 1 and tool.action_type != "destructive":
        inner = encoded_twice(arguments)
        if inner is not None:
            return inner, (Mend("parsed_json", "", arguments, inner.text),)
    return found


def read_input(
    tool: Tool, parsed: Parsed, policy: Settings, tried: Rejected | object = None
) -> Reading:
    """Validate parsed arguments, mending what the policy allows for this kind of action.

    Args:
        tool: The contract.
        parsed: The arguments.
        policy: The rules.
        tried: What the engine said of them as they are: `Rejected`, or what it prepared; None
            where it was not asked.
    """
    given = parsed.value if parsed.value is not None else {}
    steps = _first_steps(tool, given, policy)
    if not steps and tried is not None:
        return _judged(tool, given, given, [], policy, tried, parsed.text)
    value = applied(steps, given)
    text = parsed.text if not steps else _text(value)
    return _judged(tool, given, value, steps, policy, _accepted(tool, text), text)


def _judged(
    tool: Tool,
    given: dict[str, Any],
    value: dict[str, Any],
    steps: list[Step],
    policy: Settings,
    verdict: Rejected | object,
    text: str,
) -> Reading:  # Any: JSON values
    """The reading after the first steps; further ones while the engine refuses."""
    for wave in range(_WAVES + 1):
        if not isinstance(verdict, Rejected):
            return Reading(value, verdict, [], _mends(steps, given))
        issues = tool.engine.explain(text, value, verdict)
        hopeless = tool.engine.is_firm(value, verdict) or not _lax_allowed(tool, policy)
        lax = None if hopeless else tool.engine.lax(value)
        if lax is not None:
            changes = [Mend("lax", *change) for change in lax.changes]
            return Reading(lax.value, lax.prepared, [], [*_mends(steps, given), *changes])
        more = _next_steps(tool, value, issues, policy) if wave < _WAVES else []
        if not more:
            return _remaining(tool, given, value, steps, issues, verdict)
        value = applied(more, value)
        drops = _irrelevant(tool, value, policy)
        value = applied(drops, value)
        steps = [*steps, *more, *drops]
        text = _text(value)
        verdict = _accepted(tool, text)
    raise AssertionError("the last wave has no steps")


def _remaining(
    tool: Tool,
    given: dict[str, Any],
    value: dict[str, Any],
    steps: list[Step],
    issues: list[Issue],
    rejected: Rejected,
) -> Reading:  # Any: JSON values
    """What is still wrong once every step that did not help at its place is taken back."""
    verdict: Rejected | object = rejected
    while isinstance(verdict, Rejected):
        rejected = verdict
        places = [split_pointer(issue.path) for issue in issues] if steps else []
        kept = without_spoilt(steps, places)
        if len(kept) == len(steps):
            fault = rejected.fault
            told = None if fault is None else f"a validator raised {described(fault)}"
            return Reading(value, None, issues, _mends(steps, given), told)
        steps, value = kept, applied(kept, given)
        text = _text(value)
        verdict = _accepted(tool, text)
        if isinstance(verdict, Rejected):
            issues = tool.engine.explain(text, value, verdict)
    return Reading(value, verdict, [], _mends(steps, given))


def _first_steps(
    tool: Tool, value: Mapping[str, Any], policy: Settings
) -> list[Step]:  # Any: JSON values
    """What is done though the engine may have nothing against it."""
    if tool.plain or not _shape_allowed(tool, policy):
        return []
    drops = _irrelevant(tool, value, policy)
    dropped = {step.path[0] for step in drops}
    cleaned = id_steps(value, tool.id_patterns, ALWAYS_IDS) if tool.ids else []
    return [*drops, *(step for step in cleaned if step.path[0] not in dropped)]


def _irrelevant(
    tool: Tool, value: Mapping[str, Any], policy: Settings
) -> list[Step]:  # Any: JSON values
    if not tool.rules or not _shape_allowed(tool, policy):
        return []
    names = {
        name: None
        for rule in tool.rules
        if isinstance(rule, Irrelevant)
        for name in rule.irrelevant(value)
    }
    return [Step("irrelevant", (name,), None, "drop") for name in names]


def _next_steps(
    tool: Tool, value: dict[str, Any], issues: list[Issue], policy: Settings
) -> list[Step]:  # Any: JSON values
    """Steps for what the engine reports: fields first, and only then values."""
    level = _level(tool, policy)
    dropping = policy.drop_unknown and _beyond_syntax(tool)
    if tool.action_type == "destructive" or (level < 2 and not dropping):
        return []
    listed = [issue for issue in issues if issue.code in _CODES]
    if len(issues) > _MOST_PLACES:
        return []
    places = [
        place
        for issue in listed
        if (place := place_of(issue, split_pointer(issue.path), value, tool.nodes)) is not None
    ]
    named = [place for place in places if place.issue.code in _FIELD_CODES] if level > 2 else []
    fields = [step for place in named for step in _only(place, key_steps, level)]
    if dropping:
        spelt = {step.path for step in fields}
        fields += _surplus(tool, value, [place for place in places if place.path not in spelt])
    if fields:
        return list({step.path: step for step in fields}.values())
    found = [step for place in places for step in _only(place, _value_readings, level)]
    return list({step.path: step for step in found}.values())


def _surplus(tool: Tool, value: dict[str, Any], places: Sequence[Place]) -> list[Step]:
    # Any: JSON values
    """Unknown fields dropped, where the author states nothing and no absent field is meant."""
    unknown = {
        place.issue.path: place.path
        for place in places
        if place.issue.code == "VAL-005" and not spells_absent(place)
    }
    free = tool.engine.droppable(value, unknown) if unknown else frozenset()
    return [
        Step("unknown_dropped", path, None, "drop")
        for pointer, path in unknown.items()
        if pointer in free
    ]


def _value_readings(place: Place) -> list[Step]:
    return [*shape_steps(place), *value_steps(place)]


def _only(place: Place, readings: Callable[[Place], list[Step]], level: int) -> list[Step]:
    """The one reading of a place, if it is the only one and its level is allowed."""
    found = readings(place)
    return found if len(found) == 1 and _LEVELS.get(found[0].kind, 3) <= level else []


def _mends(steps: Sequence[Step], given: dict[str, Any]) -> list[Mend]:  # Any: JSON values
    """The record of the steps, with paths in the arguments as sent."""
    mends = []
    value: Any = given  # Any: JSON value
    names: dict[tuple[str | int, ...], str | int] = {}
    for step in steps:
        mend = step.mend(value)
        sent = [names.get(step.path[: at + 1], part) for at, part in enumerate(step.path)]
        mends.append(mend._replace(path=join_pointer(sent)))
        value = applied([step], value)
        if step.change == "rename":
            names[step.result] = step.path[-1]
    return mends


def mend_issues(mends: Sequence[Mend]) -> list[Issue]:
    """What the model is told about mends: one warning each."""
    return [
        Issue.of("MEND", mend.path, severity=Severity.WARNING, problem=_told(mend))
        for mend in mends
    ]


_TOLD = {
    "salvage": "The call was written as text and was read as a call; send it as a tool call",
    "bom": "A byte order mark before the arguments was left out",
    "fence": "The code fence around the arguments was left out; send JSON alone",
    "prose": "The words around the arguments were left out; send JSON alone",
    "trailing_comma": "A comma before a closing bracket was left out",
    "python_literal": "None, True and False were read as null, true and false",
    "quotes": "Single quotes were read as double quotes",
    "irrelevant": "The field does not apply here and was left out",
    "unknown_dropped": "The field is unknown and was left out",
    "null_dropped": "The field must not be null and was left out",
    "limit_lifted": "The user asked for all, so the limit was lifted",
}


def _told(mend: Mend) -> str:
    if mend.kind in _TOLD:
        return _TOLD[mend.kind]
    if not mend.path:
        return "The arguments were sent as a string and were read as an object"
    name = _field_of(mend.path)
    if mend.kind == "key_case":
        return f"The field was read as {preview(mend.after)}"
    return f"{preview(mend.before, field=name)} was read as {preview(mend.after, field=name)}"


def _field_of(path: str) -> str:
    """The name that says whether a value is secret: of the nearest secret field, if any."""
    names = [part for part in split_pointer(path) if not part.isdecimal()]
    secret = [name for name in names if is_secret_field(name)]
    return (secret or names or [""])[-1]


def _accepted(tool: Tool, text: str) -> Any:  # Any: Rejected, or what the handler gets
    try:
        return tool.engine.accept(text, exact=tool.action_type == "destructive")
    except Rejected as rejected:
        return rejected


def _beyond_syntax(tool: Tool) -> bool:
    """Whether the author lets more than the syntax of arguments be mended."""
    return tool.mend is None or (tool.mend != "off" and tool.mend >= 2)


def _lax_allowed(tool: Tool, policy: Settings) -> bool:
    allowed = tool.action_type != "destructive" and tool.action_type in policy.lax
    return allowed and _beyond_syntax(tool)


def _shape_allowed(tool: Tool, policy: Settings) -> bool:
    return tool.action_type != "destructive" and _level(tool, policy) > 1


def _level(tool: Tool, policy: Settings) -> int:
    level = policy.mend_level[tool.action_type]
    if tool.mend == "off":
        return 0
    return level if tool.mend is None else min(level, int(tool.mend))


def _text(value: Mapping[str, Any]) -> str:  # Any: JSON values
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
