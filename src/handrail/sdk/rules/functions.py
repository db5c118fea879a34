"""Rules about what is declared of each function."""

import re
from collections.abc import Iterator

from handrail.contract.explain import property_names
from handrail.contract.policy import ACTION_TYPES
from handrail.sdk.function import Function
from handrail.sdk.rules.app import App, Found

__all__ = [
    "VERBS",
    "accepted",
    "action_type",
    "chain_callable",
    "description",
    "effect_words",
    "effects",
    "event",
    "explicit_schema",
    "function_returns",
    "id_projection",
    "params_model",
    "scopes",
    "tool_returns",
]

VERBS = ("create", "update", "delete", "trash", "send", "archive", "move")
"""Verbs of effects (seed 002, "effects")."""

_EFFECT = re.compile(rf"(?:{'|'.join(VERBS)}):[a-z][a-z0-9_-]*\Z")
_LEAST_DESCRIPTION = 20


def action_type(app: App) -> Iterator[Found]:
    """V4: the kind of action is one of three."""
    for function in app.callables:
        stated = function.declared.action_type
        if stated not in ACTION_TYPES:
            told = f"{function.name} has action_type={stated!r}, not {', '.join(ACTION_TYPES)}"
            yield Found(told, function.place)


def tool_returns(app: App) -> Iterator[Found]:
    """V5: a tool's return annotation is ActionResult."""
    return _returns(app.ext.tools)


def function_returns(app: App) -> Iterator[Found]:
    """V18: a function's return annotation is ActionResult."""
    return _returns(app.functions)


def _returns(functions: tuple[Function, ...]) -> Iterator[Found]:
    for function in functions:
        if not function.annotated:
            told = f"{function.name} is not annotated as returning ActionResult"
            yield Found(told, function.place)


def explicit_schema(app: App) -> Iterator[Found]:
    """V6: a schema written by hand where a model would do; what V17 lets pass."""
    for function in app.callables:
        if function.taken is not None and function.taken.kind == "schema":
            told = f"{function.name} states params by hand, and its handler gets no model"
            yield Found(told, function.place)


def event(app: App) -> Iterator[Found]:
    """V10: what changes something says so."""
    for function in app.functions:
        if function.changes and not function.declared.event:
            told = f"{function.name} is {function.declared.action_type} and has no event"
            yield Found(told, function.place)


def description(app: App) -> Iterator[Found]:
    """V16: a description that a model can choose by."""
    for function in app.functions:
        tool = function.tool
        told = str(function.declared.description) if tool is None else tool.description
        length = len(told.strip())
        if length < _LEAST_DESCRIPTION:
            least = _LEAST_DESCRIPTION
            yield Found(
                f"the description of {function.name} has {length} characters, at least {least} "
                "are needed",
                function.place,
            )


def params_model(app: App) -> Iterator[Found]:
    """V17: the parameters are a pydantic model at module scope."""
    for function in app.functions:
        taken = function.taken
        if taken is None or taken.kind == "schema":
            continue
        model = taken.model
        if model is None:
            told = _NO_MODEL[taken.kind].format(name=function.name)
            yield Found(told, function.place)
        elif "<locals>" in model.__qualname__:
            told = f"the model {model.__name__} of {function.name} is defined inside a function"
            yield Found(told, function.place)


_NO_MODEL = {
    "nothing": "{name} takes no parameters model: an empty one says that it takes nothing",
    "keywords": "{name} takes its parameters one by one, not as a pydantic model",
    "legacy": "{name} has no schema: arguments are neither checked nor retried",
}


def chain_callable(app: App) -> Iterator[Found]:
    """V19: what changes something can be a step of a chain."""
    if not app.ext.actions_explicit:
        return
    for function in app.functions:
        if function.changes and not function.chain_callable:
            kind = function.declared.action_type
            told = f"{function.name} is {kind} with chain_callable=False, and actions are explicit"
            yield Found(told, function.place)


def effects(app: App) -> Iterator[Found]:
    """V20: what changes something says what."""
    for function in app.functions:
        if function.changes and not function.declared.effects:
            told = f"{function.name} is {function.declared.action_type} and declares no effects"
            yield Found(told, function.place)


def scopes(app: App) -> Iterator[Found]:
    """V34: what may be called with which scope is declared, by the tool and by the app."""
    for function in app.callables:
        if not function.declared.scopes and function in app.ext.tools:
            yield Found(f"tool {function.name} declares no scopes", function.place)
        for scope in function.declared.scopes:
            if scope not in app.ext.capabilities:
                told = f"scope {scope!r} of {function.name} is not among the app's capabilities"
                yield Found(told, function.place)


def effect_words(app: App) -> Iterator[Found]:
    """V41: an effect is a known verb and a resource."""
    for function in app.callables:
        stated = function.declared.effects
        listed = [stated] if isinstance(stated, str) else list(stated)
        for effect in listed:
            if not _EFFECT.match(str(effect)):
                told = f"effect {effect!r} of {function.name} is not verb:resource"
                yield Found(f"{told} with one of {', '.join(VERBS)}", function.place)


def id_projection(app: App) -> Iterator[Found]:
    """V42: the field that is said to hold the id of the target exists."""
    for function in app.functions:
        named, tool = function.declared.id_projection, function.tool
        if not named or tool is None or not function.retries:
            continue
        known = property_names(tool.schema, tool.schema)
        if named.split(".")[0] not in known:
            told = f"id_projection={named!r} of {function.name} is none of its fields"
            yield Found(f"{told}: {', '.join(known) or 'it has none'}", function.place)


def accepted(app: App) -> Iterator[Found]:
    """V46: the contract of each function can be built."""
    for refusal in app.refusals:
        for fault in refusal.faults:
            if not fault.startswith("action_type="):  # V4 says so
                yield Found(f"{refusal.name}: {fault}", refusal.place)
