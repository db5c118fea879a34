"""The contract of one tool: what it is called, what it takes, what it does, who may be harmed.

Everything that can be known at declaration is built here once: the engine that judges arguments,
the published schema, how the handler is called. A bad contract raises `ContractError` with every
fault in it, so that an author mends it in one go.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self, TypeGuard, get_args, get_type_hints

from handrail.contract.call import ActionType, Context
from handrail.contract.canonical import digest, with_defaults
from handrail.contract.issue import Issue
from handrail.contract.policy import ACTION_TYPES
from handrail.contract.reading import Engine, Rejected
from handrail.contract.rules import Rule
from handrail.contract.screens import IdPattern, id_patterns
from handrail.errors import ContractError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from handrail.contract.signature import Signature

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
        values = {**_TERM_DEFAULTS, **terms, "returns": returns}
        values |= {"name": name, "description": description, "handler": handler}
        faults = _unknown_terms(terms) + _stated_faults(values)
        values |= {"params": params, "signature": signature}
        for key, value in values.items():
            object.__setattr__(self, key, _items(value) if key in _LISTS else value)
        try:
            engine = _engine(name, params)
            if signature is None and isinstance(params, type) and callable(handler):
                object.__setattr__(self, "signature", _signature_beside(handler, params, name))
        except ContractError as error:
            faults += error.faults
        else:
            object.__setattr__(self, "engine", engine)
            faults += _field_faults(self) + _example_faults(self)
        if faults:
            raise ContractError(name, faults)
        for doubt in _doubts(self):
            warnings.warn(doubt, stacklevel=_callers_level())

    @classmethod
    def from_function(cls, fn: Handler, /, **terms: Any) -> Self:  # Any: the fields of Terms
        """A tool whose name, description and parameters come from a function.

        Terms may also hold ``name`` and ``description``, which win.
        """
        from handrail.contract.signature import model_for  # late: declaring is what loads pydantic

        name = terms.pop("name", None) or getattr(fn, "__name__", "")
        description = terms.pop("description", None)
        try:
            signature = model_for(fn, tool=str(name))
        except ContractError as error:
            values = {**_TERM_DEFAULTS, **terms, "name": name}
            stated = _unknown_terms(terms) + _stated_faults(values)
            raise ContractError(str(name), [*stated, *error.faults]) from error
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
    def injected(self) -> str | None:
        """Name of the handler's parameter that gets the `Context`, if there is one."""
        if self.signature is not None:
            return self.signature.ctx
        from handrail.contract.explain import field_names

        name = _context_parameter(*_read(self.handler))
        return None if name == "ctx" and name in field_names(self.schema) else name

    def completed(self, value: Any) -> Any:  # Any: JSON object
        """The argument object with the defaults that the schema states: what is compared."""
        stated = self._stated_defaults
        if stated is None:
            return with_defaults(value, self.schema)
        return {**stated, **value} if stated else value

    @cached_property
    def _stated_defaults(self) -> dict[str, Any] | None:  # Any: JSON values
        """Defaults of the fields at the top; None if the schema states defaults deeper down too."""
        fields_at_top = self.schema.get("properties", {})
        at_top = {
            name: schema["default"]
            for name, schema in fields_at_top.items()
            if isinstance(schema, Mapping) and "default" in schema
        }
        everywhere = _json(dict(self.schema)).count('"default":')
        return at_top if everywhere == len(at_top) else None

    @cached_property
    def waits(self) -> bool:
        """Whether its handler or its check must be awaited."""
        return self.is_async or is_async(self.check_input)

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
        bound = prepared if self.signature is None else self.signature.bind(prepared)
        return bound if self.injected is None else {**bound, self.injected: context}


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
    from handrail.contract.engine import engine_for_model, engine_for_schema

    if _is_model(params):
        return engine_for_model(params, tool=name)
    if isinstance(params, Mapping):
        return engine_for_schema(params, tool=name)
    raise ContractError(name, [f"params must be a pydantic model or a JSON Schema, got {params!r}"])


def _signature_beside(handler: Handler, params: type[BaseModel], tool: str) -> Signature:
    """How a handler takes a model that was given beside it: whole, or field by field.

    Raises:
        ContractError: It cannot take it.
    """
    from handrail.contract.signature import Signature

    parameters, hints = _read(handler)
    ctx = _context_parameter(parameters, hints)
    fields = params.model_fields
    if not parameters:  # no parameters, or a builtin that tells nothing of itself
        return Signature(params, None, {name: name for name in fields}, ctx, "", None)
    asked = {key: item for key, item in parameters.items() if key != ctx}
    takes_any = any(item.kind is item.VAR_KEYWORD for item in asked.values())
    single = next(iter(asked)) if len(asked) == 1 and not takes_any else None
    if single is not None and (_is_model(hints.get(single)) or single not in fields):
        return Signature(params, single, {}, ctx, "", None)
    faults = [
        f"the handler asks for {name!r}, which the parameters do not have"
        for name, item in asked.items()
        if item.default is item.empty and item.kind in _NAMED and name not in fields
    ]
    if not takes_any:
        lacking = [name for name in fields if name not in asked]
        faults += [f"the handler does not take the field {name!r}" for name in lacking]
    if faults:
        raise ContractError(tool, faults)
    return Signature(params, None, {name: name for name in fields}, ctx, "", None)


_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)

Parameters = Mapping[str, inspect.Parameter]
Hints = Mapping[str, Any]  # Any: annotations


def _read(handler: Handler | None) -> tuple[Parameters, Hints]:
    """Parameters and annotations of a handler, as far as it tells them."""
    if handler is None:
        return {}, {}
    try:
        parameters = inspect.signature(handler).parameters
    except (TypeError, ValueError):  # a builtin
        return {}, {}
    stated = {name: item.annotation for name, item in parameters.items()}
    target = handler if inspect.isroutine(handler) else getattr(handler, "__call__", handler)  # noqa: B004
    try:
        return parameters, {**stated, **get_type_hints(target)}
    except Exception:  # an annotation may be any expression
        return parameters, stated


def _context_parameter(parameters: Parameters, hints: Hints) -> str | None:
    for name in parameters:
        hint = hints.get(name)
        if name == "ctx" or Context in (hint, *get_args(hint)):
            return name
    return None


def _is_model(hint: Any) -> TypeGuard[type[BaseModel]]:  # Any: an annotation
    from pydantic import BaseModel

    return isinstance(hint, type) and issubclass(hint, BaseModel)


def _unknown_terms(terms: Mapping[str, Any]) -> list[str]:  # Any: values of Terms
    return [
        f"{key!r} is no contract keyword; known are {', '.join(sorted(_TERM_DEFAULTS))}"
        for key in terms
        if key not in _TERM_DEFAULTS
    ]


_LISTS = ("examples", "rules", "seen_ids", "effects")
_TEXTS = ("description", "when_to_use", "when_not_to_use")
_FUNCTIONS = ("handler", "check_input", "check_output", "format_issue")


def _items(stated: object) -> tuple[Any, ...]:  # Any: what an author gave
    """What was given where a list is meant; one text stands for a list of it."""
    if isinstance(stated, str):
        return (stated,)
    return tuple(stated) if isinstance(stated, Sequence | Set) else ()


def _stated_faults(values: Mapping[str, Any]) -> list[str]:  # Any: values of Terms and of Tool
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
    for key in _LISTS:
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


def _doubts(tool: Tool) -> list[str]:
    """What is allowed and probably not meant."""
    doubts = []
    if not tool.description.strip():
        doubts.append(f"tool {tool.name!r} has no description: models choose tools by it")
    if tool.action_type == "destructive" and tool.engine.states_lax:
        doubts.append(
            f"tool {tool.name!r} is destructive: strict=False of its model is ignored, "
            "since destructive calls need exact types"
        )
    return doubts


def _callers_level() -> int:
    """The ``stacklevel`` at which a warning points out of this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("handrail."):
        level, frame = level + 1, frame.f_back
    return level


def _field_faults(tool: Tool) -> list[str]:
    from handrail.contract.explain import field_names, property_names

    known = field_names(tool.schema)
    try:
        ids = tool.id_patterns
    except (ValueError, TypeError, AttributeError):  # told already
        ids = {}
    top = set(property_names(tool.schema, tool.schema))
    faults = [
        f"{what} names the field {name!r}, which the parameters do not have"
        for what, names in (("ids", ids), ("seen_ids", tool.seen_ids))
        for name in names
        if name not in known
    ]
    for number, rule in enumerate(tool.rules):
        if not callable(getattr(rule, "named_fields", None)):
            faults.append(f"rules[{number}] is no rule of handrail.rules, got {rule!r}")
            continue
        faults += [
            f"the rule {type(rule).__name__} names the field {name!r}, "
            "which the parameters do not have"
            for name in rule.named_fields()
            if name not in top
        ]
    return faults


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
