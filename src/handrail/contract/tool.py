"""The contract of one tool: what it is called, what it takes, what it does, who may be harmed.

Everything that can be known at declaration is built here once: the engine that judges arguments,
the published schema, how the handler is called. A bad contract raises `ContractError` with every
fault in it, so that an author mends it in one go.
"""

from __future__ import annotations

import inspect
import json
import sys
import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypeGuard, get_args, get_type_hints

from handrail.contract.call import Context
from handrail.contract.canonical import digest
from handrail.contract.defaults import Defaults
from handrail.contract.reading import Engine, Rejected
from handrail.contract.screens import IdPattern, id_patterns
from handrail.contract.terms import (
    LISTS,
    TERM_DEFAULTS,
    Handler,
    Terms,
    is_async,
    items_of,
    stated_faults,
    unknown_terms,
)
from handrail.errors import ContractError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from handrail.contract.nodes import Nodes
    from handrail.contract.returns import Declared
    from handrail.contract.signature import Signature

__all__ = ["Tool"]


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
    declared: Declared | None = field(init=False, default=None)
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
        values = {**TERM_DEFAULTS, **terms, "returns": returns}
        values |= {"name": name, "description": description, "handler": handler}
        faults = unknown_terms(terms) + stated_faults(values)
        values |= {"params": params, "signature": signature}
        for key, value in values.items():
            object.__setattr__(self, key, items_of(value) if key in LISTS else value)
        try:
            engine = _engine(name, params)
            if signature is None and isinstance(params, type) and callable(handler):
                object.__setattr__(self, "signature", _signature_beside(handler, params, name))
        except ContractError as error:
            faults += error.faults
        else:
            object.__setattr__(self, "engine", engine)
            faults += _field_faults(self) + _example_faults(self) + _returns_faults(self)
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
            values = {**TERM_DEFAULTS, **terms, "name": name}
            stated = unknown_terms(terms) + stated_faults(values)
            raise ContractError(str(name), [*stated, *error.faults]) from error
        if description is None:
            description = signature.description
        returns = terms.pop("returns", None)
        if returns is not None:  # what is stated is more than an annotation
            signature = replace(signature, returns=inspect.Signature.empty)
        elif signature.returns is not inspect.Signature.empty:
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
    def plain_results(self) -> frozenset[type]:
        """Types of results about which the contract says nothing but that they are fine."""
        if self.check_output or self.failed_when or self.facts or self.pages:
            return frozenset()
        if self.empty == "error":
            return frozenset()
        kinds: Collection[type] = _PLAIN if self.declared is None else self.declared.plain
        nothing = frozenset() if self.action_type == "read" else frozenset({type(None)})
        return frozenset(kinds) | (nothing if self.declared is None else frozenset())

    @cached_property
    def nodes(self) -> Nodes:
        """The schemas that may hold at each place of the arguments."""
        from handrail.contract.nodes import Nodes

        return Nodes(self.schema)

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
        stated = self._defaults.flat
        if stated is None:
            return self._defaults.fill(value)
        return value if stated.keys() <= value.keys() else {**stated, **value}

    @cached_property
    def _defaults(self) -> Defaults:
        return Defaults(self.schema)

    @cached_property
    def waits(self) -> bool:
        """Whether its handler or one of its checks must be awaited."""
        return self.is_async or is_async(self.check_input) or is_async(self.check_output)

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


def _turned(tool: Tool) -> list[str]:
    """The argument with which the next page is asked for, where the contract names it."""
    named = tool.pages.get("argument") if isinstance(tool.pages, Mapping) else None
    return [named] if isinstance(named, str) else []


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
        for what, names in (("ids", ids), ("seen_ids", tool.seen_ids), ("pages", _turned(tool)))
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


_PLAIN = (str, dict, list, int, float, bool)


def _returns_faults(tool: Tool) -> list[str]:
    """What is wrong with what is declared of the results; what is right is compiled."""
    if tool.returns is None:
        return []
    from handrail.contract.returns import compile_returns

    annotated = tool.signature is not None and tool.signature.returns is tool.returns
    try:
        declared = compile_returns(tool.returns, annotated=annotated, tool=tool.name)
    except ContractError as error:
        return list(error.faults)
    object.__setattr__(tool, "declared", declared)
    return []


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
