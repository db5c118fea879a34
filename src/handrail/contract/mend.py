"""Reading what is provably meant, before a model round trip is spent.

A mend is lossless, of a listed kind, recorded path by path, and accepted only if the value then
judges clean. Nothing is guessed, no cut text is closed, and between two readings none is chosen.
Source: the contract `handrail/1`, section 5.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from handrail.contract.author import described
from handrail.contract.call import Mend
from handrail.contract.issue import Issue, Severity, join_pointer, split_pointer
from handrail.contract.parse import Parsed
from handrail.contract.policy import Settings
from handrail.contract.preview import preview
from handrail.contract.reading import Rejected
from handrail.contract.rules import Irrelevant
from handrail.contract.tool import Tool

__all__ = ["Reading", "mend_issues", "read_input"]


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
    value = parsed.value if parsed.value is not None else {}
    mends: list[Mend] = []
    text = parsed.text
    dropped = _drop_irrelevant(tool, value, policy)
    if dropped:
        value = {key: item for key, item in value.items() if key not in dropped}
        mends += [
            Mend("irrelevant", join_pointer([key]), item, None) for key, item in dropped.items()
        ]
        text = ""
    if text == "" or tried is None:
        reading = _accepted(tool, value, text, mends)
    elif isinstance(tried, Rejected):
        reading = tried
    else:
        return Reading(value, tried, [], mends)
    if isinstance(reading, Reading):
        return reading
    issues = tool.engine.explain(text or _text(value), value, reading)
    kept, left_out = _without_unknown(tool, value, issues, policy)
    mended = _accepted(tool, kept, "", [*mends, *left_out]) if left_out else None
    if not isinstance(mended, Reading):
        mended = _lax(tool, kept, [*mends, *left_out], policy)
    if mended is not None:
        return mended
    fault = None if reading.fault is None else f"a validator raised {described(reading.fault)}"
    return Reading(value, None, issues, mends, fault)


def _lax(
    tool: Tool, value: dict[str, Any], mends: list[Mend], policy: Settings
) -> Reading | None:  # Any: JSON values
    lax = tool.engine.lax(value) if _lax_allowed(tool, policy) else None
    if lax is None:
        return None
    changes = [Mend("lax", path, before, after) for path, before, after in lax.changes]
    return Reading(lax.value, lax.prepared, [], [*mends, *changes])


def mend_issues(mends: Sequence[Mend]) -> list[Issue]:
    """What the model is told about mends: one warning each."""
    return [
        Issue.of("MEND", mend.path, severity=Severity.WARNING, problem=_told(mend))
        for mend in mends
    ]


def _told(mend: Mend) -> str:
    if mend.kind == "salvage":
        return "The call was written as text and was read as a call; send it as a tool call"
    name = split_pointer(mend.path)[-1] if mend.path else None
    before = preview(mend.before, field=name)
    if mend.kind in ("irrelevant", "unknown_dropped"):
        why = "does not apply here" if mend.kind == "irrelevant" else "is unknown"
        return f"The field {why} and was left out"
    return f"{before} was read as {preview(mend.after, field=name)}"


def _accepted(
    tool: Tool, value: dict[str, Any], text: str, mends: list[Mend]
) -> Reading | Rejected:
    # Any: JSON values
    try:
        prepared = tool.engine.accept(text or _text(value), exact=tool.action_type == "destructive")
    except Rejected as rejected:
        return rejected
    return Reading(value, prepared, [], mends)


def _lax_allowed(tool: Tool, policy: Settings) -> bool:
    chosen = tool.mend is None or (tool.mend != "off" and tool.mend >= 2)
    return chosen and tool.action_type != "destructive" and tool.action_type in policy.lax


def _level(tool: Tool, policy: Settings) -> int:
    level = policy.mend_level[tool.action_type]
    if tool.mend == "off":
        return 0
    return level if tool.mend is None else min(level, int(tool.mend))


def _drop_irrelevant(
    tool: Tool, value: Mapping[str, Any], policy: Settings
) -> dict[str, Any]:  # Any: JSON values
    if tool.action_type == "destructive" or _level(tool, policy) < 2:
        return {}
    return {
        name: value[name]
        for rule in tool.rules
        if isinstance(rule, Irrelevant)
        for name in rule.irrelevant(value)
    }


def _without_unknown(
    tool: Tool, value: dict[str, Any], issues: list[Issue], policy: Settings
) -> tuple[dict[str, Any], list[Mend]]:
    """The arguments as they are, or where the policy drops unknown fields, without those."""
    # Any: JSON values
    dropped: list[Mend] = []
    kept = value
    if policy.drop_unknown and tool.action_type != "destructive":
        for issue in issues:
            if issue.code == "VAL-005":
                kept, before = _without(kept, split_pointer(issue.path))
                dropped.append(Mend("unknown_dropped", issue.path, before, None))
    return kept, dropped


def _without(value: Any, parts: list[str]) -> tuple[Any, Any]:  # Any: JSON values
    head, rest = parts[0], parts[1:]
    if isinstance(value, dict):
        if not rest:
            return {key: item for key, item in value.items() if key != head}, value.get(head)
        inner, before = _without(value[head], rest)
        return {**value, head: inner}, before
    index = int(head)
    inner, before = _without(value[index], rest)
    return [*value[:index], inner, *value[index + 1 :]], before


def _text(value: Mapping[str, Any]) -> str:  # Any: JSON values
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
