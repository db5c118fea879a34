"""A question that a tool puts to the user, as fields that a form can show.

Tools say it in many spellings: a status ``need_user_input``, a flag ``needs_clarification``, a
list of candidates with a question, an MCP elicitation request. All of them become one value here,
and the value becomes an MCP elicitation form again. A field has one of five kinds; whatever else a
tool names is read as text, so that a question is never lost for want of a widget.
Sources: seed 003; MCP 2025-11-25, elicitation.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self

__all__ = ["Clarification", "ClarificationField", "Kind", "Option", "read_clarification"]

Kind = Literal["text", "select", "datetime", "number", "boolean"]
JSON = Mapping[str, Any]  # Any: JSON values

_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("text", "string", "str", "textarea"), "text"),
    **dict.fromkeys(("select", "choice", "enum", "dropdown", "radio", "option"), "select"),
    **dict.fromkeys(("datetime", "date", "time", "date_time", "timestamp"), "datetime"),
    **dict.fromkeys(("number", "integer", "int", "float", "decimal"), "number"),
    **dict.fromkeys(("boolean", "bool", "checkbox", "confirm", "yes_no"), "boolean"),
}
_ASKING_LISTED = (
    "need_user_input needs_user_input user_input_required input_required needs_clarification "
    "need_clarification clarification_needed clarification_required requires_clarification "
    "ambiguous ambiguity"
)
_ASKING = frozenset(_ASKING_LISTED.split())
_STATES = ("status", "type", "kind", "code", "error", "result")
_QUESTIONS = ("question", "message", "prompt", "reason", "text", "detail", "description")
_FIELDS = ("fields", "inputs", "questions", "clarifications")
_CANDIDATES = ("candidates", "matches", "options", "choices", "alternatives")
_INNER = ("clarification", "data", "payload", "details")
_LABELS = ("label", "name", "title", "display_name", "full_name", "text", "summary")
_VALUES = ("value", "id", "const", "key")
_NO_QUESTION = "More information is needed to go on."
_TRUE = frozenset({"true", "yes", "y", "1", "on"})
_FALSE = frozenset({"false", "no", "n", "0", "off"})


class Option(NamedTuple):
    """One choice of a ``select`` field.

    Attributes:
        value: What the tool wants to get back; text or a number.
        label: What the user sees.
    """

    value: str | int | float
    label: str


class ClarificationField(NamedTuple):
    """One thing that the user is asked.

    Attributes:
        name: Key of the answer, where possible the argument that it goes to.
        kind: ``text``, ``select``, ``datetime``, ``number`` or ``boolean``.
        label: What the user sees.
        required: Whether there is no going on without it.
        options: The choices of a ``select`` field.
        default: What stands there at first; None for nothing.
    """

    name: str
    kind: Kind = "text"
    label: str = ""
    required: bool = True
    options: tuple[Option, ...] = ()
    default: str | int | float | bool | None = None


class Clarification(NamedTuple):
    """What the user must say before the work can go on.

    Attributes:
        question: The question, for the user.
        fields: What a form shows; never empty.
        tool: Name of the tool that asks; ``""`` where it is not known.
    """

    question: str
    fields: tuple[ClarificationField, ...]
    tool: str = ""

    @property
    def candidates(self) -> tuple[Option, ...]:
        """Every choice that is offered."""
        return tuple(option for field in self.fields for option in field.options)

    def to_elicitation(self) -> dict[str, Any]:  # Any: JSON values
        """Parameters of an MCP ``elicitation/create`` request in form mode."""
        asked = {field.name: _property(field) for field in self.fields}
        schema: dict[str, Any] = {"type": "object", "properties": asked}  # Any: JSON Schema
        required = [field.name for field in self.fields if field.required]
        if required:
            schema["required"] = required
        return {"mode": "form", "message": self.question, "requestedSchema": schema}

    @classmethod
    def from_elicitation(cls, params: JSON, tool: str = "") -> Self:
        """The question of an MCP ``elicitation/create`` request in form mode.

        Raises:
            ValueError: It is no such request: it has no ``requestedSchema`` of an object.
        """
        schema = params.get("requestedSchema", params.get("requested_schema"))
        if not isinstance(schema, Mapping) or not isinstance(schema.get("properties"), Mapping):
            raise ValueError("an elicitation in form mode has a requestedSchema with properties")
        stated = schema.get("required")
        required = set(stated) if isinstance(stated, list) else set()
        fields = [
            _field({"name": name, "required": name in required, **_spec(asked)})
            for name, asked in schema["properties"].items()
        ]
        question = _text(params, ("message",)) or _NO_QUESTION
        return cls(question, tuple(fields) or (_ANSWER,), tool)

    def read_answer(self, answer: JSON) -> dict[str, Any] | None:  # Any: JSON values
        """The values that the user gave, by field and of the field's kind.

        Args:
            answer: An MCP elicitation result (``action``, ``content``), or the values alone.

        Returns:
            Values of known fields that can be read; None where the user declined, dismissed the
            form, or left a required field without a value that can be read.
        """
        content = answer
        if answer.get("action") in ("accept", "decline", "cancel"):
            if answer["action"] != "accept":
                return None
            content = answer.get("content") or {}
        read = {field.name: _read(field, content.get(field.name)) for field in self.fields}
        if any(read[field.name] is None for field in self.fields if field.required):
            return None
        return {name: value for name, value in read.items() if value is not None}

    def to_dict(self) -> dict[str, Any]:  # Any: JSON values
        """The same as JSON values."""
        fields = [
            {**field._asdict(), "options": [option._asdict() for option in field.options]}
            for field in self.fields
        ]
        return {"question": self.question, "fields": fields, "tool": self.tool}


_ANSWER = ClarificationField("answer", label="Answer")


# reading


def read_clarification(data: object, tool: str = "") -> Clarification | None:
    """The question in a tool's result; None where it asks nothing.

    Only the structure counts: a key or a status that says so, or candidates together with a
    question. A list of candidates alone is an ordinary result.

    Args:
        data: What the tool returned: JSON values, or JSON text.
        tool: Name of the tool.
    """
    if isinstance(data, str):
        data = _parsed(data)
    if not isinstance(data, Mapping):
        return None
    if isinstance(data.get("requestedSchema"), Mapping):
        try:
            return Clarification.from_elicitation(data, tool)
        except ValueError:
            return None
    body = _asking(data)
    if body is None:
        return None
    levels = list(_levels(body, data))
    question = next(filter(None, (_text(one, _QUESTIONS) for one in levels)), _NO_QUESTION)
    fields = next(filter(None, map(_stated_fields, levels)), ())
    if not fields:
        fields = next(filter(None, map(_choice, levels)), ())
    return Clarification(question, tuple(fields) or (_ANSWER,), tool)


def _parsed(text: str) -> object:
    if "{" not in text[:64] or len(text) > 1_000_000:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _asking(data: JSON) -> JSON | None:
    """The part of a result that asks, if it does."""
    for key, value in data.items():
        if _plain(key) in _ASKING and value and value not in ("false", "no"):
            if isinstance(value, Mapping):
                return value
            return {"candidates": value} if isinstance(value, list) else {}
    if any(_plain(data.get(key)) in _ASKING for key in _STATES):
        return {}
    question = data.get("question")
    if isinstance(question, str) and question.strip() and _choice(data):
        return {}
    return None


def _levels(body: JSON, data: JSON) -> Iterator[JSON]:
    for level in (body, data):
        yield level
        yield from (level[key] for key in _INNER if isinstance(level.get(key), Mapping))


def _plain(value: object) -> str:
    return value.strip().lower().replace("-", "_") if isinstance(value, str) else ""


def _text(level: JSON, keys: Sequence[str]) -> str:
    found = (level.get(key) for key in keys)
    return next((one.strip() for one in found if isinstance(one, str) and one.strip()), "")


def _stated_fields(level: JSON) -> tuple[ClarificationField, ...]:
    for key in _FIELDS:
        stated = level.get(key)
        if isinstance(stated, Mapping):
            stated = [{"name": name, **_spec(spec)} for name, spec in stated.items()]
        if isinstance(stated, list) and stated:
            fields = [_field(_spec(one), number) for number, one in enumerate(stated, 1)]
            return tuple({field.name: field for field in fields}.values())
    return ()


def _spec(stated: object) -> dict[str, Any]:  # Any: JSON values
    if isinstance(stated, Mapping):
        return dict(stated)
    return {"name": stated, "label": stated} if isinstance(stated, str) else {}


def _field(spec: JSON, number: int = 1) -> ClarificationField:
    name = _text(spec, ("name", "key", "id", "field")) or f"answer_{number}"
    options = _options(spec)
    stated = _plain(spec.get("format")) if spec.get("format") in ("date", "date-time") else ""
    stated = stated or _plain(spec.get("kind")) or _plain(spec.get("type"))
    kind = _KINDS.get(stated, "text") if stated else ("select" if options else "text")
    if kind == "text" and options and stated in ("string", ""):
        kind = "select"
    if kind == "select" and not options:
        kind = "text"
    default = spec.get("default")
    return ClarificationField(
        name,
        kind,
        _text(spec, ("label", "title", "question", "prompt", "description", "message")) or name,
        spec.get("required") is not False,
        options if kind == "select" else (),
        default if isinstance(default, str | int | float | bool) else None,
    )


def _options(spec: JSON) -> tuple[Option, ...]:
    named = spec.get("enumNames")
    if isinstance(spec.get("enum"), list) and isinstance(named, list):
        pairs = zip(spec["enum"], named, strict=False)
        return _distinct([{"value": value, "label": label} for value, label in pairs], "")
    for key in ("options", "choices", "oneOf", "enum", "values", "candidates"):
        if isinstance(spec.get(key), list) and spec[key]:
            return _distinct(spec[key], _text(spec, ("name",)))
    return ()


def _distinct(items: Sequence[object], name: str) -> tuple[Option, ...]:
    options = (_option(item, name) for item in items)
    return tuple({option.value: option for option in options if option is not None}.values())


def _option(item: object, name: str) -> Option | None:
    if isinstance(item, str | int | float) and not isinstance(item, bool):
        return Option(item, str(item))
    if not isinstance(item, Mapping):
        return None
    value = next((item[key] for key in (name, *_VALUES) if _is_value(item.get(key))), None)
    label = _text(item, _LABELS)
    if value is None:
        value = label
    return Option(value, label or str(value)) if value != "" else None


def _is_value(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""


def _choice(level: JSON) -> tuple[ClarificationField, ...]:
    """One ``select`` field of the candidates, named as the id that they carry."""
    for key in _CANDIDATES:
        items = level.get(key)
        if isinstance(items, list) and items:
            name = _id_name(items)
            options = _distinct(items, name)
            if options:
                label = name.removesuffix("_id").replace("_", " ").capitalize() or "Choice"
                return (ClarificationField(name, "select", label, options=options),)
    return ()


def _id_name(items: Sequence[object]) -> str:
    first = items[0]
    keys = list(first) if isinstance(first, Mapping) else []
    named = [key for key in keys if isinstance(key, str) and key.endswith(("_id", "Id"))]
    return named[0] if named and "id" not in keys else "choice"


# the form of MCP


def _property(field: ClarificationField) -> dict[str, Any]:  # Any: JSON Schema
    made: dict[str, Any] = {"title": field.label}  # Any: JSON Schema
    match field.kind:
        case "boolean":
            made["type"] = "boolean"
        case "number":
            made["type"] = "number"
        case "datetime":
            made |= {"type": "string", "format": "date-time"}
        case "select" if all(str(one.value) == one.label for one in field.options):
            made |= {"type": "string", "enum": [one.label for one in field.options]}
        case "select":
            choices = [{"const": str(one.value), "title": one.label} for one in field.options]
            made |= {"type": "string", "oneOf": choices}
        case _:
            made["type"] = "string"
    default = _read(field, field.default)
    if default is not None:
        made["default"] = str(default) if field.kind == "select" else default
    return made


def _read(field: ClarificationField, given: object) -> str | int | float | bool | None:
    """What was given, as the field's kind has it; None where it cannot be read so."""
    match field.kind:
        case "select":
            chosen = (one.value for one in field.options if str(one.value) == str(given))
            labelled = (one.value for one in field.options if one.label == given)
            return next(chosen, next(labelled, None))
        case "boolean":
            word = str(given).strip().lower()
            return True if word in _TRUE else False if word in _FALSE else None
        case "number":
            return _number(given)
    return given.strip() or None if isinstance(given, str) else None


def _number(given: object) -> int | float | None:
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        return None
    try:
        number = float(given)
    except (ValueError, OverflowError):
        return None
    if number != number or number in (float("inf"), float("-inf")):
        return None
    return int(number) if number.is_integer() else number
