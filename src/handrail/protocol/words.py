"""What the model and the user are told about how far a turn is.

Every value goes through the redactor and stands on one line, as in feedback about arguments.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from handrail.contract.call import Advice
from handrail.contract.candidates import candidates_of
from handrail.contract.preview import preview, word
from handrail.protocol.found import Found

__all__ = ["follow_up", "more_tools", "partial_answer", "told_of"]

_NAMED = 5
_LINES = 8
_ARGUMENTS = 600


def follow_up(reason: str, next: Advice, *, whole: bool) -> str:
    """What is sent back to a model that answered too early.

    Args:
        reason: Why it is too early, one sentence.
        next: The call that would help.
        whole: Whether the arguments are all that the call needs.
    """
    parts = [f"This is not finished. {reason}"]
    if next.tool is not None:
        parts.append(_call(next.tool, next.arguments, whole=whole))
    parts.append("If that is not possible, tell the user what is missing; do not guess.")
    return "\n".join(parts)


def _call(tool: str, arguments: Mapping[str, Any] | None, *, whole: bool) -> str:
    # Any: JSON values
    """The call to make; without arguments where the redactor would change what must be exact."""
    exact = json.dumps(arguments, ensure_ascii=False)
    if arguments is None or word(exact, _ARGUMENTS) != exact:
        return f"Call {word(tool)}."
    how = "with exactly these arguments" if whole else "with at least these arguments"
    return f"Call {word(tool)} {how}: {exact}"


def more_tools(names: Sequence[str]) -> str:
    """Said behind the result with which a restricted turn was widened."""
    if not names:
        return "Try another way, or tell the user what is missing."
    shown = ", ".join(word(name, 64) for name in names[:_LINES])
    more = f" and {len(names) - _LINES} more" if len(names) > _LINES else ""
    return f"More tools are available from now on: {shown}{more}. Use one of them if it fits."


def partial_answer(found: Sequence[Found], missing: str = "") -> str:
    """What a turn says that ends without getting there: what was found, and what is missing.

    Args:
        found: The calls that ended.
        missing: What is missing, one sentence.
    """
    lines = [told_of(one) for one in found if one.good and not one.empty]
    unique = list(dict.fromkeys(lines))
    shown = unique[:_LINES]
    if len(unique) > _LINES:
        shown.append(f"- and {len(unique) - _LINES} more results")
    head = "I could not finish this: the last calls brought nothing new."
    body = ["Found so far:", *shown] if shown else ["Nothing was found."]
    tail = [f"Missing: {missing}"] if missing else []
    return "\n".join([head, *body, *tail])


def told_of(found: Found) -> str:
    """One line about a result: the names of its rows, or the beginning of what it is."""
    name, data = word(found.tool.name), found.result.data
    labels = list(dict.fromkeys(filter(None, (row.label for row in candidates_of(data)))))
    if labels:
        shown = ", ".join(word(label, 60) for label in labels[:_NAMED])
        more = f" and {len(labels) - _NAMED} more" if len(labels) > _NAMED else ""
        return f"- {name}: {shown}{more}"
    return f"- {name}: {preview(data, limit=200)}"
