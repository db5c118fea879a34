"""How a handler takes its arguments: found from its annotations, or from what its author states.

Annotations are resolved as Python resolves them, with the names of the module and, for models
inside a function, of that function. A name that cannot be resolved raises at declaration: nothing
is ever silently left unjudged. Source: seed 002, "params"; seed 000, last section.
"""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from handrail.contract.signature import Signature, locals_of, model_for
from handrail.contract.terms import Handler
from handrail.errors import ContractError
from handrail.sdk.flat_schema import full_schema

__all__ = ["CONTEXT", "NoParams", "Taken", "annotation_of", "taken_by"]

Kind = Literal["model", "keywords", "schema", "legacy", "nothing"]

CONTEXT = "_context"
"""Name under which the runtime injects its context; no field of a model can be called so."""

_MODEL = "_params"


class NoParams(BaseModel):
    """The parameters of a function that takes none (seed 002, V17)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """How a handler takes its arguments.

    Attributes:
        kind: ``model``: one pydantic model; ``keywords``: typed parameters; ``schema``: a JSON
            Schema of its author's; ``legacy``: anything, unjudged; ``nothing``: ``ctx`` alone.
        params: The model, or the JSON Schema.
        signature: How a judged model is bound; None for JSON Schemas.
        whole: The parameter that takes the model or the whole object, else None.
        accepted: Names that a handler with a JSON Schema takes; None where it takes any.
        by_position: Whether `whole` cannot be given by its name.
    """

    kind: Kind
    params: type[BaseModel] | Mapping[str, Any]  # Any: JSON Schema
    signature: Signature | None = None
    whole: str | None = None
    accepted: frozenset[str] | None = None
    by_position: bool = False

    @property
    def model(self) -> type[BaseModel] | None:
        """The pydantic model that its author wrote, if there is one."""
        given = self.params
        return given if self.kind == "model" and isinstance(given, type) else None

    def call(self, handler: Handler, ctx: object, given: dict[str, Any]) -> Any:
        # Any: arguments and what the handler returns
        """Call the handler as it wants to be called; an async one gives its awaitable."""
        if self.whole is None:
            if self.accepted is not None:
                given = {name: item for name, item in given.items() if name in self.accepted}
            return handler(ctx, **given)
        whole = given[_MODEL] if self.signature is not None else given
        return handler(ctx, whole) if self.by_position else handler(ctx, **{self.whole: whole})


def taken_by(handler: Handler, name: str, stated: Any = None) -> Taken:
    """How a handler takes its arguments.

    Args:
        handler: Takes ``ctx`` first.
        name: Name of the tool, for errors.
        stated: ``params=``: a JSON Schema, a flat mapping of fields, or a pydantic model.

    Raises:
        ContractError: Its parameters cannot be read, an annotation cannot be resolved, or what is
            stated does not fit the handler.
    """  # Any: what an author wrote
    rest = _without_ctx(handler, name)
    if stated is not None:
        return _stated(handler, name, stated, rest)
    if not rest:
        signature = Signature(NoParams, None, {}, CONTEXT, "", None)
        return Taken(kind="nothing", params=NoParams, signature=signature)
    named = [item for item in rest if item.kind not in _VARIADIC]
    if len(named) == 1:
        hint = annotation_of(handler, named[0].name, name)
        model = _model_in(hint)
        if model is not None:
            return _by_model(model, named[0])
        if hint is inspect.Parameter.empty or _is_mapping(hint):
            return _legacy(named[0])
    if any(item.kind is item.VAR_KEYWORD for item in rest):
        return _legacy(None)
    signature = model_for(handler, skip={_first(handler, name)}, tool=name)
    bound = Signature(signature.model, None, signature.names, CONTEXT, "", None)
    return Taken(kind="keywords", params=signature.model, signature=bound)


def annotation_of(fn: Handler, parameter: str, tool: str) -> Any:  # Any: an annotation
    """One annotation of a function, resolved by itself; `inspect.Parameter.empty` without one.

    Args:
        fn: A function, method or callable object.
        parameter: Name of the parameter, or ``return``.
        tool: Name for errors.

    Raises:
        ContractError: It names something that is not there.
    """
    target = inspect.unwrap(getattr(fn, "func", fn))
    if not inspect.isroutine(target) and not inspect.isclass(target):
        target = type(target).__call__
    target = getattr(target, "__func__", target)
    stated = getattr(target, "__annotations__", {})
    if parameter not in stated:
        return inspect.Parameter.empty

    def alone() -> None: ...

    alone.__annotations__ = {parameter: stated[parameter]}
    names = getattr(target, "__globals__", {})
    try:
        hints = get_type_hints(alone, names, locals_of(target), include_extras=True)
    except NameError as error:
        fault = (
            f"annotation {error.name!r} of {parameter!r} cannot be resolved: define the model at "
            "module scope, before the function"
        )
        raise ContractError(tool, [fault]) from error
    except Exception as error:  # an annotation may be any expression
        raise ContractError(tool, [f"annotation of {parameter!r} cannot be resolved"]) from error
    return hints[parameter]


_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _parameters(handler: Handler, name: str) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(handler).parameters.values())
    except (TypeError, ValueError, NameError) as error:
        raise ContractError(name, ["its signature cannot be read"]) from error


def _first(handler: Handler, name: str) -> str:
    return _parameters(handler, name)[0].name


def _without_ctx(handler: Handler, name: str) -> list[inspect.Parameter]:
    """The parameters behind ``ctx``."""
    parameters = _parameters(handler, name)
    first = parameters[0] if parameters else None
    if first is None or first.kind in (*_VARIADIC, inspect.Parameter.KEYWORD_ONLY):
        raise ContractError(name, ["the handler must take ctx as its first parameter"])
    if first.name in ("self", "cls"):
        raise ContractError(
            name, ["a method is declared on an object: chat.function()(made.method)"]
        )
    model = _model_in(annotation_of(handler, first.name, name)) if first.name != "ctx" else None
    if model is not None:
        fault = f"its first parameter is the model {model.__name__}: write (ctx, {first.name}: ...)"
        raise ContractError(name, [fault])
    return parameters[1:]


def _model_in(hint: Any) -> type[BaseModel] | None:  # Any: an annotation
    """The pydantic model that an annotation means; ``Model | None`` means it too."""
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    parts = [part for part in get_args(hint) if part is not type(None)]
    if len(parts) == 1 and get_origin(hint) in _UNIONS:
        hint = parts[0]
    is_model = isinstance(hint, type) and issubclass(hint, BaseModel) and hint is not BaseModel
    return hint if is_model else None


_UNIONS = (Union, type(int | str))


def _is_mapping(hint: Any) -> bool:  # Any: an annotation
    plain = get_origin(hint) or hint
    return hint is Any or (isinstance(plain, type) and issubclass(plain, Mapping))


def _by_model(model: type[BaseModel], parameter: inspect.Parameter) -> Taken:
    return Taken(
        kind="model",
        params=model,
        signature=Signature(model, _MODEL, {}, CONTEXT, "", None),
        whole=parameter.name,
        by_position=parameter.kind is not parameter.KEYWORD_ONLY,
    )


def _legacy(parameter: inspect.Parameter | None) -> Taken:
    whole = None if parameter is None else parameter.name
    by_position = parameter is not None and parameter.kind is not parameter.KEYWORD_ONLY
    anything = {"type": "object", "additionalProperties": True}
    return Taken(kind="legacy", params=anything, whole=whole, by_position=by_position)


def _stated(
    handler: Handler, name: str, stated: Any, rest: Sequence[inspect.Parameter]
) -> Taken:  # Any: what an author wrote
    named = [item for item in rest if item.kind not in _VARIADIC]
    if isinstance(stated, type) and issubclass(stated, BaseModel):
        if len(named) != 1:
            raise ContractError(name, [f"params={stated.__name__} goes with (ctx, params) only"])
        return _by_model(stated, named[0])
    if not isinstance(stated, Mapping):
        fault = f"params={stated!r} must be a JSON Schema, a mapping of fields, or a pydantic model"
        raise ContractError(name, [fault])
    models = [item.name for item in named if _model_in(annotation_of(handler, item.name, name))]
    if models:
        fault = f"params= and the model of {models[0]!r} say the same twice: leave params out"
        raise ContractError(name, [fault])
    open_ended = any(item.kind is item.VAR_KEYWORD for item in rest)
    needed = [item.name for item in named if item.default is item.empty]
    schema = full_schema(stated, name, needed=None if open_ended else needed)
    return _by_schema(schema, name, named, open_ended)


def _by_schema(
    schema: Mapping[str, Any],  # Any: JSON Schema
    name: str,
    named: Sequence[inspect.Parameter],
    open_ended: bool,
) -> Taken:
    fields = set(schema.get("properties", {}))
    if len(named) == 1 and not open_ended and named[0].name not in fields:
        by_position = named[0].kind is not inspect.Parameter.KEYWORD_ONLY
        return Taken(kind="schema", params=schema, whole=named[0].name, by_position=by_position)
    taken = {item.name for item in named}
    faults = [
        f"the handler asks for {item.name!r}, which params does not have"
        for item in named
        if item.default is item.empty and item.name not in fields
    ]
    if not open_ended:
        lacking = sorted(fields - taken)
        faults += [f"the handler does not take {field!r}, which params has" for field in lacking]
    if faults:
        raise ContractError(name, faults)
    accepted = None if open_ended else frozenset(taken)
    return Taken(kind="schema", params=schema, accepted=accepted)
