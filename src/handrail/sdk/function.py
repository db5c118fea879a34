"""A function as declared, and the contract that it registers.

The handler itself is never wrapped. What the runtime runs is a `Tool` like any other, whose
handler only turns the runtime's context into ``ctx``: judging, retries, budgets and approvals are
those of every other call.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, get_args, get_origin

from handrail.contract.call import Context
from handrail.contract.terms import Handler, is_async
from handrail.contract.tool import Tool
from handrail.errors import ContractError
from handrail.sdk.action_result import ActionResult
from handrail.sdk.blame import Place, warn_author
from handrail.sdk.events import event_type
from handrail.sdk.params import Taken, annotation_of, taken_by

__all__ = ["ContextFor", "Declaration", "Function", "declare", "refused"]

ContextFor = Callable[[Context], object]
"""The runtime's context of a call -> the ``ctx`` that its handler gets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """What an author wrote about a function; the keywords of ``@chat.function`` (seed 002).

    Attributes:
        name: Unique in its chat.
        description: For the model that chooses.
        params: An explicit schema; None reads the handler's annotations.
        action_type: ``read``, ``write`` or ``destructive``.
        event: What follows the app's id in the type of its event; empty emits none.
        event_schema: The pydantic model of that event's data.
        chain_callable: Whether a chain calls it with arguments; None means yes.
        effects: ``verb:resource``, as the ledger stores them.
        id_projection: The field that holds the id of its target.
        background: Whether it runs detached, after an acknowledgement.
        long_running: Whether it may take 1,800 s instead of 180 s there.
        returns: The type or JSON Schema of its data.
        scopes: What a user needs to be allowed.
        terms: Further contract keywords.
    """

    name: str
    description: str = ""
    params: Any = None  # Any: JSON Schema, flat fields, or a model
    action_type: Any = "read"  # Any: what an author wrote; a Tool refuses what is none
    event: str = ""
    event_schema: Any = None  # Any: a pydantic model, or what an author wrote in its place
    chain_callable: bool | None = None
    effects: Sequence[str] = ()
    id_projection: str | None = None
    background: bool = False
    long_running: bool = False
    returns: Any = None  # Any: a type or a JSON Schema
    scopes: Sequence[str] = ()
    terms: Mapping[str, Any]  # Any: contract keywords


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A declared function.

    Attributes:
        declared: What its author wrote.
        handler: As decorated.
        place: Where it was declared.
        event_type: The full type of its event; empty without one.
        taken: How it takes its arguments; None where the declaration was refused.
        tool: The contract; None where the declaration was refused.
        annotated: Whether its return annotation is `ActionResult`.
    """

    declared: Declaration
    handler: Handler
    place: Place
    event_type: str
    taken: Taken | None
    tool: Tool | None
    annotated: bool

    @property
    def name(self) -> str:
        """Name in calls."""
        return self.declared.name

    @property
    def chain_callable(self) -> bool:
        """Whether a chain calls it with arguments; True unless its author says no."""
        return self.declared.chain_callable is not False

    @property
    def changes(self) -> bool:
        """Whether it is declared as ``write`` or ``destructive``."""
        return self.declared.action_type in ("write", "destructive")

    @property
    def retries(self) -> bool:
        """Whether wrong arguments go back to the model; not for a handler without a schema."""
        return self.taken is not None and self.taken.kind != "legacy"


def declare(
    declared: Declaration, handler: Handler, *, app_id: str, place: Place, context: ContextFor
) -> Function:
    """Build the contract of a function.

    Raises:
        ContractError: The declaration is wrong; every fault is listed.
    """
    faults = _faults(declared)
    if faults:
        raise ContractError(declared.name, faults)
    taken = taken_by(handler, declared.name, declared.params)
    annotation = _returned(handler, declared.name)
    returns = declared.returns if declared.returns is not None else _data_type(annotation)
    terms = dict(declared.terms)
    if taken.kind == "legacy":
        terms.setdefault("attempts", 1)
    tool = Tool(
        declared.name,
        declared.description or _summary(handler),
        _runner(handler, taken, context),
        taken.params,
        returns,
        signature=taken.signature,
        action_type=declared.action_type,
        effects=declared.effects,
        **terms,
    )
    if taken.kind == "legacy":
        warn_author(
            f"function {declared.name!r} has no schema: its arguments are not checked and wrong "
            "ones are not retried; annotate its second parameter with a pydantic model",
            UserWarning,
        )
    return refused(declared, handler, app_id=app_id, place=place, taken=taken, tool=tool)


def refused(
    declared: Declaration,
    handler: Handler,
    *,
    app_id: str,
    place: Place,
    taken: Taken | None = None,
    tool: Tool | None = None,
) -> Function:
    """The function as far as it is known, without a contract."""
    try:
        annotation = _returned(handler, declared.name)
    except Exception:  # a callable that tells nothing of itself
        annotation = None
    return Function(
        declared=declared,
        handler=handler,
        place=place,
        event_type=event_type(app_id, declared.event),
        taken=taken,
        tool=tool,
        annotated=_is_action_result(annotation),
    )


def _faults(declared: Declaration) -> list[str]:
    from pydantic import BaseModel

    stated: Any = declared  # Any: an author may have written anything
    faults = [
        f"{key}={getattr(stated, key)!r} must be text"
        for key in ("name", "description", "event")
        if not isinstance(getattr(stated, key), str)
    ]
    if not isinstance(stated.id_projection, str | None):
        faults.append(f"id_projection={stated.id_projection!r} must be the name of a field")
    schema = stated.event_schema
    if schema is not None and not (isinstance(schema, type) and issubclass(schema, BaseModel)):
        faults.append(f"event_schema={schema!r} must be a pydantic model")
    if not isinstance(stated.chain_callable, bool | None):
        faults.append(f"chain_callable={stated.chain_callable!r} must be True, False or None")
    return faults


def _runner(handler: Handler, taken: Taken, context_for: ContextFor) -> Handler:
    """What the runtime runs: the handler, with ``ctx`` in place of the runtime's context."""
    if is_async(handler):

        async def run(_context: Context, **given: Any) -> Any:  # Any: JSON values; of the handler
            return await taken.call(handler, context_for(_context), given)

        return run

    def run_here(_context: Context, **given: Any) -> Any:  # Any: JSON values; of the handler
        return taken.call(handler, context_for(_context), given)

    return run_here


def _returned(handler: Handler, name: str) -> Any:  # Any: an annotation
    """The return annotation; nothing where it cannot be resolved, which the rules report."""
    try:
        return annotation_of(handler, "return", name)
    except ContractError:
        return inspect.Parameter.empty


def _bare(annotation: Any) -> Any:  # Any: an annotation
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _is_action_result(annotation: Any) -> bool:  # Any: an annotation
    kind = get_origin(_bare(annotation)) or _bare(annotation)
    return isinstance(kind, type) and issubclass(kind, ActionResult)


def _data_type(annotation: Any) -> Any:  # Any: an annotation
    """``T`` of ``ActionResult[T]``."""
    if not _is_action_result(annotation) or not get_args(_bare(annotation)):
        return None
    stated = get_args(_bare(annotation))[0]
    return None if stated is Any or isinstance(stated, TypeVar) else stated


def _summary(handler: Handler) -> str:
    return " ".join((inspect.getdoc(handler) or "").split("\n\n", 1)[0].split())
