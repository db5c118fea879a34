"""JSON of a schema as a model's whole answer: asked for in the provider's shape, read with care.

The provider is given the strict subset of its own decoding; what that cannot say is listed and
judged here. Where it wants every field, a field that may be left out becomes one that may be
null, and these nulls are taken out again, silently. An answer that was refused or cut off is not
a wrong answer: each has an outcome of its own, and neither is worth a retry as it stands.

Source: seed 003 (response formats are built in one place; shapes are enforced in transport); the
design's output page, section 4.
"""

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from handrail.contract.call import Mend
from handrail.contract.forced import without_forced
from handrail.contract.issue import Issue
from handrail.contract.mend import read_broken, read_input
from handrail.contract.offer import Unenforced
from handrail.contract.parse import Parsed, parse
from handrail.contract.policy import Settings
from handrail.contract.reading import Rejected
from handrail.contract.record import Record
from handrail.contract.references import inlined
from handrail.contract.strict import strict_form
from handrail.contract.subsets import Subset, subset_of
from handrail.contract.tool import Tool
from handrail.errors import ConfigError, ContractError

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["ResponseFormat", "StructuredReply", "build_json_schema_response_format"]

Outcome = Literal["ok", "refused", "cut", "invalid"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}\Z")
_BALANCED = Settings()


class StructuredReply(Record):
    """What a model answered where JSON of a schema was wanted.

    Attributes:
        outcome: ``ok``; ``refused``, in words or by a filter; ``cut`` by the output limit or a
            broken stream; ``invalid``, and ``issues`` say why.
        value: An instance of the model, or the JSON object; None unless ``ok``.
        text: What was said, as it was said.
        issues: What is wrong; `render(reply.issues, tool=name)` tells the model.
        mends: What was read as something else than it was written.
    """

    outcome: Outcome = "ok"
    value: Any = None  # Any: the author's model, or a JSON object
    text: str = ""
    issues: tuple[Issue, ...] = ()
    mends: tuple[Mend, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is a value."""
        return self.outcome == "ok"


class ResponseFormat(dict[str, Any]):  # Any: JSON values
    """A response format in the provider's shape: a plain dict to send, which can also read.

    Attributes:
        name: Name of the schema.
        provider: Whose shape it is.
        strict: Whether the provider keeps to the schema while it writes.
        dropped: What of the schema the provider does not enforce. It is enforced by `read`.
        request: The same at its place in a request, such as ``{"response_format": {...}}``.
    """

    name: str
    provider: str
    strict: bool
    dropped: tuple[Unenforced, ...]
    request: dict[str, Any]  # Any: JSON values
    _tool: Tool
    _forces_null: bool

    def read(self, reply: object, *, finish_reason: str | None = None) -> StructuredReply:
        """What a reply holds, judged by the whole schema.

        Args:
            reply: A whole response of a provider, an assistant message, an object with ``text``,
                or the text alone.
            finish_reason: Why the reply ended, where `reply` does not say so.

        Raises:
            ValueError: `reply` is no shape that is understood.
        """
        text, ended, refusal = _said(reply)
        ended = finish_reason or ended
        if refusal or ended == "content_filter":
            return StructuredReply(outcome="refused", text=refusal or text)
        if ended in ("length", "interrupted"):
            issue = Issue.of("VAL-011", length=len(text), expected="a complete JSON object")
            return StructuredReply(outcome="cut", text=text, issues=(issue,))
        return _judged(self._tool, text, self._forces_null)


def build_json_schema_response_format(
    model_or_schema: "type[BaseModel] | Mapping[str, Any]",  # Any: JSON Schema
    name: str,
    *,
    strict: bool = True,
    provider: str = "openai",
) -> ResponseFormat:
    """Ask a model for JSON of this schema, in the shape of a provider.

    Args:
        model_or_schema: A pydantic model, or a JSON Schema whose root is an object.
        name: Letters, digits, ``_`` and ``-``; at most 64 characters.
        strict: Whether the provider's strict subset is used, for schemas that can be said in it;
            the others are sent in full, and ``dropped`` says why. Anthropic and Bedrock take
            nothing but their subset.
        provider: ``openai`` (chat completions), ``openai-responses``, ``anthropic``, ``gemini``
            or ``bedrock``.

    Raises:
        ConfigError: The provider or the name cannot be used.
        ContractError: It is no JSON Schema of an object, or this provider cannot be given it.
    """
    from handrail.wire.response_format import RESPONSE_SHAPES  # late: not every program asks

    shape = RESPONSE_SHAPES.get(provider)
    if shape is None:
        known = ", ".join(RESPONSE_SHAPES)
        raise ConfigError(f"provider={provider!r} has no response format: choose one of {known}")
    if not _NAME.match(name):
        raise ConfigError(f"name={name!r} must be letters, digits, _ and -, at most 64 of them")
    tool = Tool(name, name, None, model_or_schema)
    subset = subset_of(provider)
    assert subset is not None  # every shape has one
    must = shape.needs_subset
    schema, enforced, dropped = _sent(tool, subset, provider, strict=strict or must, must=must)
    made = ResponseFormat(shape.write(name, schema, enforced))
    made.name, made.provider, made.strict, made.dropped = name, provider, enforced, dropped
    made.request = shape.request(dict(made))
    made._tool, made._forces_null = tool, enforced and subset.optional == "nullable"
    return made


def _sent(
    tool: Tool, subset: Subset, provider: str, *, strict: bool, must: bool
) -> tuple[dict[str, Any], bool, tuple[Unenforced, ...]]:  # Any: JSON Schema
    """The schema for the provider, whether it keeps to it, and what it does not enforce."""
    full = dict(tool.schema)
    if subset.inline:
        full = inlined(full) or full
    if not strict:
        return full, False, ()
    form = strict_form(tool.schema, subset)
    if form.schema is not None:
        dropped = [
            Unenforced(tool.name, path, keyword, f"{keyword} is not enforced by {provider}")
            for path, keyword in form.dropped
        ]
        return form.schema, True, tuple(dropped)
    if must:
        place = form.place or "the root"
        fault = f"{provider} takes no schema that it cannot enforce; at {place}, {form.why}"
        raise ContractError(tool.name, [fault])
    text = f"sent in full and not strict: {form.why}"
    return full, False, (Unenforced(tool.name, form.place, "strict", text),)


def _said(reply: object) -> tuple[str, str, str]:
    """The text of a reply, why it ended, and the words in which it refuses."""
    if isinstance(reply, str):
        return reply, "", ""
    from handrail.wire.registry import read_reply
    from handrail.wire.response_format import refusal_of

    message = read_reply(reply)
    return message["text"], message["finish_reason"], refusal_of(reply)


def _judged(tool: Tool, text: str, forces_null: bool) -> StructuredReply:
    if text.strip() in ("", "null"):
        issue = Issue.of("VAL-004", problem="the answer holds no object", expected="a JSON object")
        return StructuredReply(outcome="invalid", text=text, issues=(issue,))
    parsed = parse(text)
    mends: tuple[Mend, ...] = ()
    if parsed.value is None:
        again = read_broken(tool, text, parsed, _BALANCED)
        if again is None or again[0].value is None:
            is_cut = any(issue.code == "VAL-011" for issue in parsed.issues)
            outcome: Outcome = "cut" if is_cut else "invalid"
            return StructuredReply(outcome=outcome, text=text, issues=parsed.issues)
        parsed, mends = again[0], again[1]
    if forces_null and "null" in parsed.text:
        kept = without_forced(parsed.value, tool.schema)
        parsed = Parsed(kept, json.dumps(kept, ensure_ascii=False), parsed.issues)
    try:
        tried: object = tool.engine.accept(parsed.text)
    except Rejected as rejected:
        tried = rejected
    reading = read_input(tool, parsed, _BALANCED, tried)
    if reading.prepared is None:
        return StructuredReply(outcome="invalid", text=text, issues=tuple(reading.issues))
    return StructuredReply(value=reading.prepared, text=text, mends=(*mends, *reading.mends))
