"""The contract of one tool: what it is called, what it takes, what it does, who may be harmed.

Everything that can be known at declaration is built here once: the engine that judges arguments,
the published schema, how the handler is called. A bad contract raises `ContractError` with every
fault in it, so that an author mends it in one go.
"""

import inspect
import json
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal, Self

from pydantic import BaseModel

from handrail.contract.call import ActionType, Context
from handrail.contract.canonical import digest
from handrail.contract.engine import engine_for_model, engine_for_schema
from handrail.contract.issue import Issue
from handrail.contract.policy import ACTION_TYPES
from handrail.contract.reading import Engine, Rejected
from handrail.contract.rules import Rule
from handrail.contract.screens import IdPattern, id_patterns
from handrail.contract.signature import Signature, model_for
from handrail.errors import ContractError

__all__ = ["Handler", "Terms", "Tool", "is_async"]

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


@dataclass(frozen=True, eq=False, init=False)
class Tool(Terms):
    """The contract of one tool.

    Args:
        name: ``^[A-Za-z_][A-Za-z0-9_-]{0,63}$``.
        description: What it does, for the model.
        handler: Sync or async; takes keyword arguments, or the one model parameter. None for a
            tool that is judged but never run.
        params: A pydantic model, or a JSON Schema of an object.
        returns: The type or JSON Schema of its results.
        terms: The contract keywords of `Terms`.

    Raises:
        ContractError: The contract is wrong; every fault is listed.
    """

    name: str = ""
    description: str = ""
    handler: Handler | None = None
    params: type[BaseModel] | Mapping[str, Any] = field(default_factory=dict)  # Any: JSON Schema
    engine: Engine = field(init=False)
    signature: Signature | None = None

    def __init__(
        self,
        name: str,
        description: str,
        handler: Handler | None,
        params: type[BaseModel] | Mapping[str, Any],  # Any: JSON Schema
        returns: Any = None,  # Any: a type or a JSON Schema
        *,
        signature: Signature | None = None,
        **terms: Any,  # Any: the fields of Terms
    ) -> None:
        faults = _unknown_terms(terms)
        values = {**_TERM_DEFAULTS, **terms, "returns": returns}
        values |= {"name": name, "description": description, "handler": handler}
        values |= {"params": params, "signature": signature}
        for key, value in values.items():
            object.__setattr__(self, key, value)
        if signature is None and isinstance(params, type) and handler is not None:
            object.__setattr__(self, "signature", _handler_signature(handler, params))
        faults += _name_faults(name) + _term_faults(self)
        try:
            engine = _engine(name, params)
        except ContractError as error:
            faults += error.faults
        else:
            object.__setattr__(self, "engine", engine)
            faults += _field_faults(self) + _example_faults(self)
        if faults:
            raise ContractError(name, faults)
        if not description.strip():
            warnings.warn(
                f"tool {name!r} has no description: models choose tools by it",
                stacklevel=3,
            )

    @classmethod
    def from_function(cls, fn: Handler, /, **terms: Any) -> Self:  # Any: the fields of Terms
        """A tool whose name, description and parameters come from a function.

        Terms may also hold ``name`` and ``description``, which win.
        """
        signature = model_for(fn, tool=str(terms.get("name") or ""))
        name = terms.pop("name", None) or getattr(fn, "__name__", "")
        description = terms.pop("description", None)
        if description is None:
            description = signature.description
        returns = terms.pop("returns", None)
        if returns is None and signature.returns is not inspect.Signature.empty:
            returns = signature.returns
        return cls(name, description, fn, signature.model, returns, signature=signature, **terms)

    @classmethod
    def from_json_schema(
        cls,
        name: str,
        description: str,
        schema: Mapping[str, Any],  # Any: JSON Schema
        handler: Handler | None = None,
        *,
        output_schema: Mapping[str, Any] | None = None,  # Any: JSON Schema
        **terms: Any,  # Any: the fields of Terms
    ) -> Self:
        """A tool that is known by its JSON Schema (draft-07 and later)."""
        return cls(name, description, handler, schema, output_schema, **terms)

    @property
    def schema(self) -> Mapping[str, Any]:  # Any: JSON Schema
        """The published JSON Schema of the arguments."""
        return self.engine.schema

    @cached_property
    def full_description(self) -> str:
        """The description that a provider gets: what, when, when not, examples."""
        parts = [self.description.strip()]
        if self.when_to_use:
            parts.append(f"Use it when: {self.when_to_use.strip()}")
        if self.when_not_to_use:
            parts.append(f"Do not use it when: {self.when_not_to_use.strip()}")
        parts += [f"Example arguments: {_json(example)}" for example in self.examples]
        return "\n".join(part for part in parts if part)

    @cached_property
    def plain(self) -> bool:
        """Whether nothing but the schema judges the arguments."""
        return not (self.rules or self.check_input or self.seen_ids or self.ids)

    @cached_property
    def id_patterns(self) -> Mapping[str, IdPattern | None]:
        """Declared id fields with the pattern of a real id, where the author gave one."""
        return id_patterns(self.ids)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of what an approval rests on: name, schema, kind of action, effects."""
        facts = [self.name, dict(self.schema), self.action_type, list(self.effects)]
        return digest(facts)

    @cached_property
    def is_async(self) -> bool:
        """Whether the handler must be awaited."""
        return is_async(self.handler)

    def unjudged(
        self, arguments: Mapping[str, Any]
    ) -> Any:  # Any: JSON values; what the handler gets
        """Arguments for the handler though they were not valid: shadow mode blocks nothing."""
        if self.signature is None:
            return dict(arguments)
        return self.signature.model.model_construct(**arguments)

    def arguments_for(self, prepared: Any, context: Context | None) -> Mapping[str, Any]:
        # Any: what the engine prepared; keyword arguments of the handler
        """Keyword arguments of the handler."""
        if self.signature is not None:
            bound = self.signature.bind(prepared)
            if self.signature.ctx is not None:
                return {**bound, self.signature.ctx: context}
            return bound
        if isinstance(prepared, Mapping):
            return prepared
        return dict(prepared)


def is_async(fn: object) -> bool:
    """Whether calling it gives an awaitable."""
    call = getattr(fn, "func", fn)
    if inspect.iscoroutinefunction(call):
        return True
    return inspect.iscoroutinefunction(getattr(call, "__call__", None))  # noqa: B004


_TERM_DEFAULTS = {item.name: item.default for item in fields(Terms)}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _engine(name: str, params: type[BaseModel] | Mapping[str, Any]) -> Engine:  # Any: JSON Schema
    if isinstance(params, type) and issubclass(params, BaseModel):
        return engine_for_model(params, tool=name)
    if isinstance(params, Mapping):
        return engine_for_schema(params, tool=name)
    raise ContractError(name, [f"params must be a pydantic model or a JSON Schema, got {params!r}"])


def _handler_signature(handler: Handler, params: type[BaseModel]) -> Signature:
    """How a handler takes a model that was given beside it: whole, or field by field."""
    try:
        parameters = list(inspect.signature(handler).parameters)
    except (TypeError, ValueError):  # a builtin tells nothing of itself
        parameters = []
    ctx = next((name for name in parameters if name == "ctx"), None)
    asked = [name for name in parameters if name != ctx]
    whole = asked[0] if len(asked) == 1 and asked[0] not in params.model_fields else None
    names = {} if whole else {name: name for name in params.model_fields}
    return Signature(params, whole, names, ctx, "", None)


def _unknown_terms(terms: Mapping[str, Any]) -> list[str]:  # Any: values of Terms
    return [
        f"{key!r} is no contract keyword; known are {', '.join(sorted(_TERM_DEFAULTS))}"
        for key in terms
        if key not in _TERM_DEFAULTS
    ]


def _name_faults(name: str) -> list[str]:
    if _NAME.match(str(name)):
        return []
    return [f"the name {name!r} must match ^[A-Za-z_][A-Za-z0-9_-]{{0,63}}$"]


def _term_faults(tool: Tool) -> list[str]:
    faults = []
    if tool.action_type not in ACTION_TYPES:
        faults.append(f"action_type={tool.action_type!r} must be one of {', '.join(ACTION_TYPES)}")
    if tool.empty not in ("advise", "ok", "error"):
        faults.append(f"empty={tool.empty!r} must be 'advise', 'ok' or 'error'")
    if tool.attempts is not None and not 1 <= tool.attempts <= 10:
        faults.append(f"attempts={tool.attempts!r} must be 1 to 10")
    if tool.mend not in (None, "off", 0, 1, 2, 3):
        faults.append(f"mend={tool.mend!r} must be 'off' or a level from 0 to 3")
    if tool.max_identical is not None and tool.max_identical < 1:
        faults.append(f"max_identical={tool.max_identical!r} must be at least 1")
    if tool.timeout_s is not None and tool.timeout_s <= 0:
        faults.append(f"timeout_s={tool.timeout_s!r} must be more than 0 seconds")
    try:
        _ = tool.id_patterns
    except ValueError as error:
        faults.append(str(error))
    return faults


def _field_faults(tool: Tool) -> list[str]:
    known = _field_names(tool.schema)
    try:
        ids = tool.id_patterns
    except ValueError:
        ids = {}
    top = set(tool.schema.get("properties", {}))
    faults = [
        f"{what} names the field {name!r}, which the parameters do not have"
        for what, names in (("ids", ids), ("seen_ids", tool.seen_ids))
        for name in names
        if name not in known
    ]
    for rule in tool.rules:
        faults += [
            f"the rule {type(rule).__name__} names the field {name!r}, "
            "which the parameters do not have"
            for name in rule.named_fields()
            if name not in top
        ]
    return faults


def _field_names(schema: Mapping[str, Any]) -> set[str]:  # Any: JSON Schema
    """Names of all properties in a schema, nested ones and definitions included."""
    names: set[str] = set()
    waiting: list[Any] = [schema]  # Any: JSON values
    while waiting:
        at = waiting.pop()
        if isinstance(at, Mapping):
            properties = at.get("properties")
            if isinstance(properties, Mapping):
                names.update(properties)
            waiting.extend(at.values())
        elif isinstance(at, list):
            waiting.extend(at)
    return names


def _example_faults(tool: Tool) -> list[str]:
    faults = []
    for number, example in enumerate(tool.examples):
        try:
            tool.engine.accept(_json(example))
        except Rejected as rejected:
            issues = tool.engine.explain(_json(example), example, rejected)
            said = "; ".join(f"{issue.path or '(root)'}: {issue.message}" for issue in issues[:3])
            faults.append(f"examples[{number}] does not fit the parameters: {said}")
        except (TypeError, ValueError) as error:
            faults.append(f"examples[{number}] is not JSON ({error})")
    return faults
