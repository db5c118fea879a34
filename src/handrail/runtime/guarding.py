"""One function behind the contract of its results, without a toolbox: seed 001.

A guarded function runs as it always did; what it returns or raises is judged as a toolbox judges
it, and comes back as a value that says what the model should do. Identical calls are counted in a
window (`handrail.runtime.windows`). Nothing is classified or counted here: judging is
`handrail.contract.returned` and `raised`, counting is `handrail.protocol.repeats`.
"""

import inspect
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import lru_cache, partial, update_wrapper
from types import UnionType
from typing import Any, Literal, NamedTuple, ParamSpec, Protocol, TypeVar, overload

from handrail.contract.author import ask_author
from handrail.contract.call import ActionType, ToolResult
from handrail.contract.callee import Called, Callee
from handrail.contract.findings import with_output_findings
from handrail.contract.guarded import Guarded, seed_form
from handrail.contract.output import Output, result_of
from handrail.contract.raised import judge_failure
from handrail.contract.returned import judge_output
from handrail.contract.terms import is_async
from handrail.errors import ContractError, ProtocolError
from handrail.protocol.asks import Raised, Returned
from handrail.protocol.identical import Made
from handrail.runtime.driver import look
from handrail.runtime.executor import raised, read_out
from handrail.runtime.loop import run_private
from handrail.runtime.windows import GuardTurn, Window, current_window

__all__ = ["Decorator", "Guard", "GuardedFunction", "Guarding", "guard", "guarded_call"]

P = ParamSpec("P")
T_co = TypeVar("T_co", covariant=True)

Check = Callable[..., object]
Later = Coroutine[Any, Any, Guarded]  # Any: of Coroutine

_TERMS = frozenset(
    {"name", "description", "failed_when", "facts", "pages", "ids"}
    | {"idempotent", "repeatable", "poll"}
)
"""Contract keywords that say something about a function which a program calls."""


class GuardedFunction(Protocol[P, T_co]):
    """A function behind `guard`: called as before, and gives a `Guarded`."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T_co:
        """Call it; what it raises comes back as a value."""

    def __get__(self, owner: object, kind: type | None = None, /) -> Callable[..., T_co]:
        """The same as a method."""

    def reset(self) -> None:
        """Forget the calls of this function in the window that is open here."""


class Decorator(Protocol):
    """What `guard` gives for a function."""

    @overload
    def __call__(  # type: ignore[overload-overlap]  # what can be awaited is an object too
        self, fn: Callable[P, Awaitable[object]], /
    ) -> GuardedFunction[P, Later]: ...
    @overload
    def __call__(self, fn: Callable[P, object], /) -> GuardedFunction[P, Guarded]: ...
    def __call__(self, fn: Callable[..., object], /) -> Any:  # Any: by the overloads
        """The function behind the contract of its results."""


class Guard:
    """Puts one function behind the contract of its results: `guard`."""

    @overload
    def __call__(  # type: ignore[overload-overlap]  # a class is a function too
        self,
        returns: type | UnionType | Mapping[str, Any] | None = None,  # Any: JSON Schema
        *,
        check: Check | Sequence[Check] | None = None,
        empty: Literal["advise", "ok", "error"] = "advise",
        max_identical: int | None = None,
        action_type: ActionType = "read",
        **terms: Any,  # Any: contract keywords
    ) -> Decorator: ...
    @overload
    def __call__(  # type: ignore[overload-overlap]  # as above
        self, returns: Callable[P, Awaitable[object]], /
    ) -> GuardedFunction[P, Later]: ...
    @overload
    def __call__(self, returns: Callable[P, object], /) -> GuardedFunction[P, Guarded]: ...
    def __call__(
        self,
        returns: Any = None,  # Any: a type, a JSON Schema, or the function itself
        *,
        check: Check | Sequence[Check] | None = None,
        empty: Literal["advise", "ok", "error"] = "advise",
        max_identical: int | None = None,
        action_type: ActionType = "read",
        **terms: Any,  # Any: contract keywords
    ) -> Any:  # Any: by the overloads
        """Decorate a function, so that it returns a `Guarded` and raises nothing of its own.

        Args:
            returns: The type or JSON Schema of its results; the return annotation by default. A
                bare ``@guard`` takes the function.
            check: ``(value, args)`` or ``(value)`` -> ``None | str | ToolError | list``; or some
                of these. Async checks need an async function.
            empty: What an empty result means: ``advise``, ``ok`` or ``error``.
            max_identical: Identical calls that may run in one window; by default 3, and 1 where
                `action_type` is not ``read`` (3 while the last one failed for the moment only).
            action_type: ``read``, ``write`` or ``destructive``.
            terms: ``name``, ``description``, ``failed_when``, ``facts``, ``pages``, ``ids``,
                ``idempotent``, ``repeatable``, ``poll``, as for a tool.

        Raises:
            ContractError: A keyword makes no sense; every fault is listed.
        """
        terms |= {"empty": empty, "max_identical": max_identical, "action_type": action_type}
        if inspect.isroutine(returns) or isinstance(returns, partial):
            return _decorated(returns, None, check, terms)
        return lambda fn: _decorated(fn, returns, check, terms)

    def turn(self) -> GuardTurn:
        """A window of identical calls: what is called inside it is counted by itself.

        Without one the running task counts, else the thread, for as long as it lives.
        """
        return GuardTurn()


guard = Guard()
"""The one guard; it holds no state."""


def guarded_call(
    tool: Callable[..., object],
    schema: Any,  # Any: a pydantic model, another type, or a JSON Schema
    validate_semantics: Check | None = None,
    **kwargs: Any,  # Any: the arguments of the tool
) -> dict[str, Any]:  # Any: JSON values
    """Call a tool once and judge what it gives back (seed 001).

    Args:
        tool: What has the side effect; returns JSON text, or anything else that can be judged.
            An async one is waited for.
        schema: What success looks like.
        validate_semantics: ``(result) -> ToolError | None``: what a schema cannot say.
        kwargs: The arguments of the tool.

    Returns:
        The validated payload (``model_dump(mode="json")``), or the four fields of a `ToolError`.
        Partial data has both: its rows stand under ``data``. A spent budget of identical calls
        has the class ``schema_mismatch`` and the code ``retry_budget_exceeded``.

    Raises:
        ContractError: The schema is none.
        ProtocolError: The tool is async, and an event loop is running here: use `guard`.
    """
    try:
        guarding = _once(tool, schema, validate_semantics)
    except TypeError:  # one of them has no hash
        guarding = _once.__wrapped__(tool, schema, validate_semantics)
    return seed_form(guarding.call_sync((), kwargs))


def _decorated(
    fn: Callable[..., Any],  # Any: what it returns
    returns: Any,  # Any: a type or a JSON Schema
    check: Check | Sequence[Check] | None,
    terms: Mapping[str, Any],  # Any: contract keywords
) -> Any:  # Any: GuardedFunction
    if not callable(fn):
        raise ContractError("guard", [f"it decorates a function, got {fn!r}"])
    guarding = Guarding(fn, returns, check, terms)

    async def later(*args: Any, **kwargs: Any) -> Guarded:  # Any: of the function
        return Guarded(result=await guarding.call(args, kwargs))

    def now(*args: Any, **kwargs: Any) -> Guarded:  # Any: of the function
        return Guarded(result=guarding.call_sync(args, kwargs, waits=False))

    guarded: Any = later if is_async(fn) else now  # Any: a function with one attribute more
    update_wrapper(guarded, fn)
    guarded.reset = guarding.reset
    return guarded


@lru_cache(maxsize=256)
def _once(tool: Callable[..., object], schema: object, check: Check | None) -> "Guarding":
    return Guarding(tool, schema, check, {"empty": "advise"})


class _Run(NamedTuple):
    """One run that was admitted."""

    called: Called
    window: Window
    made: Made | None
    began: float


class Guarding:
    """One guarded function: its contract, and how it is called.

    Args:
        fn: The function.
        returns: As for `guard`, and so on.
        check: One check, or some.
        terms: The other keywords.
    """

    def __init__(
        self,
        fn: Callable[..., Any],  # Any: what it returns
        returns: Any,  # Any: a type or a JSON Schema
        check: Check | Sequence[Check] | None,
        terms: Mapping[str, Any],  # Any: contract keywords
    ) -> None:
        one = _one_check(check)
        self._fn = fn
        self._callee = Callee(fn, returns, check_output=one, **terms)
        self._tool = self._callee.tool
        faults = [
            f"{key!r} says nothing about a function; known are {', '.join(sorted(_TERMS))}"
            for key in terms
            if key not in _TERMS | {"empty", "max_identical", "action_type"}
        ]
        if is_async(one) and not is_async(fn):
            faults.append("an async check needs an async function")
        if faults:
            raise ContractError(self._tool.name, faults)

    def reset(self) -> None:
        """Forget its calls in the window that is open here."""
        window = current_window()
        with window.lock:
            window.repeats.forget(self._callee.identity)

    def call_sync(
        self, args: tuple[object, ...], kwargs: Mapping[str, object], *, waits: bool = True
    ) -> ToolResult:
        """One call of a function that is not async; with `waits`, of one that is, too."""
        run = self._admitted(args, kwargs)
        if isinstance(run, ToolResult):
            return run
        try:
            value = self._fn(*args, **kwargs)
            if inspect.isawaitable(value):
                value = _waited(value, self._tool.name, waits=waits)
            said: Returned | Raised = Returned(read_out(value), time.time())
        except ProtocolError:
            self._withdraw(run)
            raise
        except Exception as error:
            said = raised(self._tool, error, time.time)
        except BaseException:
            self._withdraw(run)
            raise
        return self._settled(run, self._judged(run, said), said.at)

    async def call(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> ToolResult:
        """One call of an async function."""
        run = self._admitted(args, kwargs)
        if isinstance(run, ToolResult):
            return run
        try:
            said: Returned | Raised = Returned(
                read_out(await self._fn(*args, **kwargs)), time.time()
            )
        except Exception as error:
            said = raised(self._tool, error, time.time)
        except BaseException:
            self._withdraw(run)
            raise
        output = self._judged(run, said)
        if output.lookups:
            arguments = dict(run.called.arguments)
            findings = [await look(lookup, arguments) for lookup in output.lookups]
            output = with_output_findings(self._tool, output, findings, arguments)
        return self._settled(run, output, said.at)

    def _admitted(
        self, args: tuple[object, ...], kwargs: Mapping[str, object]
    ) -> _Run | ToolResult:
        called = self._callee.called(args, kwargs)
        window = current_window()
        with window.lock:
            made = window.repeats.admit(self._callee.identity, self._tool, called.all)
        if isinstance(made, ToolResult):
            return made
        return _Run(called, window, made, time.time())

    def _judged(self, run: _Run, said: Returned | Raised) -> Output:
        arguments = run.called.arguments
        if isinstance(said, Returned):
            return judge_output(self._tool, said.value, arguments, at=said.at)
        fault = said.fault
        return judge_failure(
            self._tool,
            fault.amounts_to,
            arguments,
            at=said.at,
            reference=fault.reference,
            detail=fault.detail,
        )

    def _settled(self, run: _Run, output: Output, at: float) -> ToolResult:
        duration_ms = max(0.0, at - run.began) * 1000.0
        result = result_of(self._tool, output, call_id="", duration_ms=duration_ms)
        if run.made is not None:
            with run.window.lock:
                run.window.repeats.settle(self._callee.identity, self._tool, run.made, result)
        return result

    def _withdraw(self, run: _Run) -> None:
        if run.made is not None:
            with run.window.lock:
                run.window.repeats.release(self._callee.identity, run.made)


def _waited(value: Awaitable[Any], name: str, *, waits: bool) -> Any:
    # Any: what the function returns
    async def awaited() -> Any:  # Any: as above
        return await value

    said = "is async and an event loop is running: put @guard on it and await it"
    try:
        if waits:
            return run_private(awaited(), name)
        said = "returns what must be awaited: guard an `async def` that awaits it"
    except ProtocolError:
        pass
    if inspect.iscoroutine(value):
        value.close()
    raise ProtocolError(f"{name!r} {said}")


def _one_check(check: Check | Sequence[Check] | None) -> Check | None:
    """What was given as one check of ``(value, args)``."""
    if check is None or not isinstance(check, Sequence):
        return check if check is None or not callable(check) else _two_sided(check)
    checks = [_two_sided(one) for one in check]
    if not checks:
        return None
    if any(map(is_async, checks)):

        async def awaited(value: object, args: object) -> list[object]:
            return [await look(partial(one, value), args) for one in checks]

        return awaited
    return lambda value, args: [ask_author(one, value, args) for one in checks]


def _two_sided(check: Check) -> Check:
    """A check of the value alone, as seed 001 writes them, takes the arguments and drops them."""
    if not _takes(check, 1) or _takes(check, 2):
        return check
    if is_async(check):

        async def awaited(value: object, args: object) -> object:
            found: Any = check(value)  # Any: an awaitable
            return await found

        return update_wrapper(awaited, check)

    def alone(value: object, args: object) -> object:
        return check(value)

    return update_wrapper(alone, check)


def _takes(check: Check, count: int) -> bool:
    try:
        inspect.signature(check).bind(*[None] * count)
    except (TypeError, ValueError):
        return False
    return True
