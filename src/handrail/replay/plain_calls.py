"""One call in a row of its own: a name, the arguments, and what else a log says about it."""

from collections.abc import Mapping
from typing import Any

from handrail.replay.records import Place, Recorded
from handrail.wire.plain import count, field, raw_arguments
from handrail.wire.shapes import UsageDict

__all__ = ["conversation_of", "is_call", "labels_of", "read_call"]

Object = Mapping[str, Any]  # Any: JSON values

_NAMES = ("tool", "tool_name", "name", "function")
_ARGUMENTS = ("arguments", "args_raw", "args_raw_rebuilt", "args", "input", "parameters")
_MAYBE_SENT = frozenset(_ARGUMENTS[:2])
_CONVERSATIONS = (
    "conversation",
    "conv",
    "conversation_id",
    "session",
    "session_id",
    "thread_id",
    "trace_id",
)
_LONGEST_LABEL = 64


def is_call(row: Object) -> bool:
    """Whether a row is one call: ``tool`` is enough, other names need arguments beside them."""
    own = _own(row)
    if isinstance(row.get("tool"), str) and row["tool"]:
        return True
    return bool(_name(own)) and any(key in own for key in _ARGUMENTS)


def read_call(row: Object, place: Place) -> Recorded:
    """The call of a row for which `is_call` holds."""
    own = _own(row)
    schema = row.get("schema")
    finish = row.get("finish_reason", row.get("fin"))
    turn = row.get("turn")
    return Recorded(
        place=place,
        tool=_name(own),
        arguments=_arguments(own),
        schema=schema if isinstance(schema, str | Mapping) else None,
        unoffered="schema" in row and schema is None,
        labels=frozenset() if isinstance(schema, str | Mapping) else labels_of(row),
        result=row.get("result"),
        error=row.get("error"),
        call_id=_first_text(row, ("call_id", "tool_call_id", "id")) or "",
        conversation=conversation_of(row),
        turn=turn if isinstance(turn, int) and not isinstance(turn, bool) else None,
        model=_first_text(row, ("model",)),
        usage=_usage(row.get("usage")),
        finish_reason=finish if isinstance(finish, str) else None,
    )


def conversation_of(row: Object) -> str | None:
    """The name of the conversation that a row belongs to, if it names one."""
    found = row.get("conversation")
    if isinstance(found, Mapping):  # OpenAI Responses
        found = found.get("id")
        return found if isinstance(found, str) and found else None
    return _first_text(row, _CONVERSATIONS)


def labels_of(row: Object) -> frozenset[str]:
    """The short texts of a row."""
    return frozenset(
        value
        for value in row.values()
        if isinstance(value, str) and 0 < len(value) <= _LONGEST_LABEL
    )


def _own(row: Object) -> Object:
    """Where name and arguments are: in the row, or in its ``function``."""
    inner = row.get("function")
    return inner if isinstance(inner, Mapping) else row


def _name(own: Object) -> str:
    return _first_text(own, _NAMES) or ""


def _arguments(own: Object) -> str | Object | None:
    for key in _ARGUMENTS:
        value = own.get(key)
        if isinstance(value, bool) and key not in _MAYBE_SENT:
            continue
        if value is not None:
            return raw_arguments(value)
    return None


def _first_text(row: Object, keys: tuple[str, ...]) -> str | None:
    return next((row[key] for key in keys if isinstance(row.get(key), str) and row[key]), None)


def _usage(usage: object) -> UsageDict | None:
    sent = count(field(usage, "input_tokens")) or count(field(usage, "prompt_tokens"))
    got = count(field(usage, "output_tokens")) or count(field(usage, "completion_tokens"))
    return UsageDict(input_tokens=sent, output_tokens=got) if sent or got else None
