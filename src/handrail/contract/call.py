"""What the model proposed, what it gets back, and the words for how it went.

Sources: seed 004, FR-026..FR-030; the contract `handrail/1`, section 7.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic_core import to_json, to_jsonable_python

from handrail.contract.issue import CONTRACT, Issue, Severity
from handrail.contract.pointer import safe_pointer
from handrail.contract.record import Record

if TYPE_CHECKING:
    from handrail.wire.shapes import ResultDict

__all__ = [
    "ActionType",
    "Advice",
    "Attempt",
    "Context",
    "Coverage",
    "Escalation",
    "Mend",
    "NextStep",
    "Status",
    "ToolCall",
    "ToolResult",
]

ActionType = Literal["read", "write", "destructive"]
NextStep = Literal["retry_changed", "retry_same", "other_tool", "ask_user", "stop", "none"]


class Status(StrEnum):
    """How a call ended, or where it stands."""

    OK = "ok"
    INVALID = "invalid"
    REFUSED = "refused"
    PENDING = "pending"
    DENIED = "denied"
    STARTED = "started"
    FAILED = "failed"
    UNKNOWN = "unknown"
    BLOCKED = "blocked"


class Coverage(StrEnum):
    """How far a result brings the turn towards its goal (seed 003)."""

    SATISFIED = "SATISFIED"
    NEEDS_MORE_TOOLS = "NEEDS_MORE_TOOLS"
    NEED_USER_INPUT = "NEED_USER_INPUT"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What the model proposed.

    Attributes:
        id: The provider's id of this call; ``""`` where it has none.
        name: Name of the tool.
        arguments: JSON text as sent, or a mapping where the provider sends one.
    """

    id: str
    name: str
    arguments: str | Mapping[str, Any] | None = None  # Any: JSON values

    @classmethod
    def parse(cls, obj: object) -> "ToolCall":
        """One call in a shape of a provider, or ``{"id", "name", "arguments"}``.

        Raises:
            ValueError: The shape is not understood, or holds no call.
        """
        if isinstance(obj, ToolCall):
            return obj
        if (
            isinstance(obj, Mapping)
            and isinstance(obj.get("name"), str)
            and _NOT_PLAIN.isdisjoint(obj)
        ):
            given = obj.get("arguments", obj.get("args"))
            return cls(str(obj.get("id") or ""), obj["name"], given)
        from handrail.wire.registry import read_call  # late: a host may never read a reply

        call = read_call(obj)
        return cls(call["id"], call["name"], call["arguments"])


_NOT_PLAIN = frozenset({"type", "toolUseId"})
"""Keys that say that a mapping with a name is a provider's own block."""


class Mend(NamedTuple):
    """One lossless reading of what was provably meant.

    Attributes:
        kind: A kind of the contract's section 5, such as ``lax`` or ``salvage``.
        path: RFC 6901 pointer of the value.
        before: The value as sent.
        after: The value as read.
    """

    kind: str
    path: str
    before: Any  # Any: JSON value
    after: Any  # Any: JSON value


class Attempt(NamedTuple):
    """One judged proposal in the history of a call: compact, and without raw values.

    Attributes:
        number: From 1.
        issues: What was wrong, values sanitised.
        at: Seconds since the epoch.
        call_id: The provider's id of this proposal.
    """

    number: int
    issues: tuple[Issue, ...]
    at: float
    call_id: str = ""


class Advice(NamedTuple):
    """What to do next, for a program.

    Attributes:
        next: ``retry_changed``, ``retry_same``, ``other_tool``, ``ask_user``, ``stop`` or ``none``.
        arguments: Exact next arguments, where they are known.
        tool: Name of the tool to use instead, where it is known.
        retry_after: Seconds to wait before calling again.
        reason: One sentence.
    """

    next: NextStep = "none"
    arguments: Mapping[str, Any] | None = None  # Any: JSON values
    tool: str | None = None
    retry_after: float | None = None
    reason: str = ""


_NO_ADVICE = Advice()


@dataclass(frozen=True, slots=True)
class Context:
    """What a handler may ask for with a parameter named ``ctx`` or annotated `Context`.

    Attributes:
        tool: Name of the tool.
        call_id: The provider's id of the call that runs.
        user: Who the turn belongs to, as given to the turn.
        attempt: Which attempt of the call runs, from 1.
        idempotency_key: Stable over re-runs of one call.
    """

    tool: str
    call_id: str
    user: object = None
    attempt: int = 1
    idempotency_key: str = ""


class Escalation(Record):
    """A call that stopped in front of a human (seed 004, FR-041..FR-045).

    Attributes:
        call: The first proposal, sanitised.
        attempts: Every attempt with its issues.
        by_code: How often each code occurred.
        by_field: How often each path occurred.
        likely_cause: One sentence.
        text: The message for the human.
    """

    call: ToolCall
    attempts: tuple[Attempt, ...]
    by_code: Mapping[str, int]
    by_field: Mapping[str, int]
    likely_cause: str
    text: str

    def for_human(self) -> str:
        """The message for the person who takes over."""
        return self.text


class ToolResult(Record):
    """What goes back to the model, and what the program around it may want to know.

    ``content`` is all that the model reads; ``host_advice`` is for the operator and never
    reaches the model.

    Attributes:
        call_id: Id of the call that this answers.
        tool: Name of the tool.
        status: How it went.
        data: What the handler returned; None if it did not run.
        is_error: Whether the provider is told that this is an error.
        issues: What was wrong, or worth a warning.
        attempt: Number of this attempt, from 1.
        max_attempts: The attempts budget of the call.
        history: All attempts so far.
        mends: What was read as something else than it was written.
        coverage: How far this brings the turn.
        error_class: The one public word for the kind of failure; None when clean.
        code: Code of the first issue shown.
        advice: What to do next.
        host_advice: For the operator.
        facts: Values extracted by the contract's paths.
        complete: False for a partial result.
        escalation: Set when the call stopped in front of a human.
        approval_id: Set while a human is awaited.
        duration_ms: Time in the handler, milliseconds.
        reused: Whether an earlier result was given again.
        outcome: Outcome of the logical call, once it is closed; None before, and for calls
            refused before validation.
    """

    call_id: str
    tool: str
    status: Status = Status.OK
    data: Any = None  # Any: whatever the handler returns
    is_error: bool = False
    issues: tuple[Issue, ...] = ()
    attempt: int = 1
    max_attempts: int = 3
    history: tuple[Attempt, ...] = ()
    mends: tuple[Mend, ...] = ()
    coverage: Coverage = Coverage.SATISFIED
    error_class: str | None = None
    code: str | None = None
    advice: Advice = _NO_ADVICE
    host_advice: str | None = None
    facts: Mapping[str, Any] = {}  # Any: JSON values; a frozen default
    complete: bool = True
    escalation: Escalation | None = None
    approval_id: str | None = None
    duration_ms: float = 0.0
    reused: bool = False
    outcome: str | None = None
    _text: str | None = None
    _behind: str | None = None
    _fit: Callable[[str], str] | None = None
    _notes: tuple[Issue, ...] = ()

    @cached_property
    def content(self) -> str:
        """What the model reads: the feedback, or the data as text with the warnings behind it."""
        text = self._text
        if text is None:
            text = _data_text(self.data)
            text = text if self._fit is None else self._fit(text)
        if self._behind is not None:
            text = f"{text}\n\n{self._behind}"
        warnings = [note for note in self._notes if note.severity is Severity.WARNING]
        if not warnings:
            return text
        shown = warnings[:_NOTES_SHOWN]
        lines = [f"- {safe_pointer(note.path) or '(root)'}: {note.message}" for note in shown]
        if len(warnings) > _NOTES_SHOWN:
            lines.append(f"- and {len(warnings) - _NOTES_SHOWN} more")
        return "\n".join([text, "", "Note:", *lines])

    def fit_by(self, fit: Callable[[str], str]) -> None:
        """Say how the data becomes short enough for the model, before anybody reads `content`."""
        self.__dict__["_fit"] = fit

    def __getstate__(self) -> dict[str, Any]:  # Any: fields
        """What a copy or a pickle carries: the text as it was read here, not how it is made."""
        fields = dict(self.__dict__)
        if fields.pop("_fit", None) is not None:
            fields["content"] = self.content
        return fields

    def to_openai(self) -> dict[str, Any]:  # Any: JSON object
        """One tool message of OpenAI chat completions; that shape has no error flag."""
        return self._written("openai")

    def to_openai_responses(self) -> dict[str, Any]:  # Any: JSON object
        """One ``function_call_output`` item; that shape has no error flag."""
        return self._written("openai-responses")

    def to_anthropic(self) -> dict[str, Any]:  # Any: JSON object
        """One ``tool_result`` block; all those of a reply belong into one user message."""
        return self._written("anthropic")

    def to_gemini(self) -> dict[str, Any]:  # Any: JSON object
        """One ``functionResponse`` part; all those of a reply belong into one user content."""
        return self._written("gemini")

    def to_bedrock(self) -> dict[str, Any]:  # Any: JSON object
        """One ``toolResult`` block; all those of a reply belong into one user message."""
        return self._written("bedrock")

    def to_mcp(self) -> dict[str, Any]:  # Any: JSON object
        """The result of one ``tools/call`` request."""
        return self._written("mcp")

    def _written(self, provider: str) -> dict[str, Any]:  # Any: JSON object
        result: ResultDict = {
            "call_id": self.call_id,
            "name": self.tool,
            "content": self.content,
            "is_error": self.is_error,
        }
        from handrail.wire.registry import PROVIDERS

        return PROVIDERS[provider].write_result(result)

    def to_problem(self) -> dict[str, Any]:  # Any: JSON object
        """Problem details (RFC 9457) of a result that is an error; status 200 where it is none."""
        problem_class = self.error_class or self.status.value
        return {
            "type": f"urn:handrail:{problem_class}",
            "title": problem_class.replace("_", " "),
            "status": 422 if self.is_error else 200,
            "detail": self.content,
            "instance": f"urn:handrail:call:{self.call_id}",
            "format": CONTRACT,
            "tool": self.tool,
            "attempt": self.attempt,
            "max_attempts": self.max_attempts,
            "issues": [issue.to_dict() for issue in self.issues],
        }

    def to_dict(self) -> dict[str, Any]:  # Any: JSON object
        """Every public field, ``content`` and the contract's version as JSON values."""
        fields = {name: getattr(self, name) for name in self.field_names()}
        fields |= {"content": self.content, "format": CONTRACT}
        plain: dict[str, Any] = to_jsonable_python(  # Any: JSON object
            fields, fallback=_plain, inf_nan_mode="null"
        )
        return plain


_NOTES_SHOWN = 10


def _plain(value: object) -> object:
    if isinstance(value, Record):
        return {name: getattr(value, name) for name in value.field_names()}
    return f"<{type(value).__name__}>"


def _data_text(data: Any) -> str:  # Any: whatever the handler returned
    if isinstance(data, str):
        return data if data.isascii() else data.encode("utf-8", "backslashreplace").decode()
    if data is None:
        return "The tool ran and returned nothing."
    try:
        return to_json(data, fallback=_plain, inf_nan_mode="null").decode()
    except Exception:  # bytes, lone surrogates, a loop, a serializer of the author's
        return _escaped_text(data)


def _escaped_text(data: Any) -> str:  # Any: whatever the handler returned
    try:
        plain = to_jsonable_python(data, fallback=_plain, inf_nan_mode="null", bytes_mode="base64")
        return json.dumps(plain, separators=(",", ":"))
    except Exception:  # as above
        return "The tool ran, but its result cannot be shown."
