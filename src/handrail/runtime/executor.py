"""Runs a handler once and says what came of it."""

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextvars import copy_context
from functools import partial
from typing import Any, NoReturn

from handrail.contract.author import described
from handrail.contract.call import Context
from handrail.contract.failures import failure_of
from handrail.contract.payload import PLAIN, drained
from handrail.contract.reading import Rejected
from handrail.contract.terms import Handler
from handrail.contract.tool import Tool
from handrail.protocol.asks import AskTool, Fault, Raised, Returned
from handrail.runtime.loop import refuse_running_loop, run_private

__all__ = ["run_async", "run_sync"]

logger = logging.getLogger("handrail.runtime")

Clock = Callable[[], float]


def run_sync(tool: Tool, ask: AskTool, user: object, clock: Clock) -> Returned | Raised:
    """Run the handler from synchronous code; an async one on a private loop.

    Raises:
        ProtocolError: The handler is async and an event loop is running here.
    """
    if tool.is_async:
        refuse_running_loop(tool.name)
    try:
        handler, arguments = _bound(tool, ask, user)
        if tool.is_async:
            value = run_private(_awaited(handler, arguments, tool.timeout_s), tool.name)
        elif tool.timeout_s is None:
            value = _read_out(handler(**arguments))
        else:
            value = _in_time(handler, arguments, tool.timeout_s)
    except Exception as error:
        return _raised(tool, error, clock)
    return Returned(value, clock())


async def run_async(tool: Tool, ask: AskTool, user: object, clock: Clock) -> Returned | Raised:
    """Run the handler on the running loop; a synchronous one in a thread."""
    import asyncio

    try:
        handler, arguments = _bound(tool, ask, user)
        if tool.is_async:
            value = await _awaited(handler, arguments, tool.timeout_s)
        else:
            async with asyncio.timeout(tool.timeout_s):
                value = (await asyncio.to_thread(_outcome, handler, arguments))()
    except Exception as error:
        return _raised(tool, error, clock)
    return Returned(value, clock())


def _fault_of(tool: Tool, error: Exception, at: float) -> Fault:
    """What an exception of a handler amounts to; its text goes to the log and the operator."""
    reference = os.urandom(4).hex()
    logger.error(
        "Tool handler raised",
        exc_info=error,
        extra={"tool_name": tool.name, "reference": reference},
    )
    failure = failure_of(error, at)
    kind = "transient" if failure.transient else failure.code
    detail = f"{tool.name} raised {described(error)} ({reference})"
    return Fault(kind, reference, detail, failure.retry_after, failure)


def _raised(tool: Tool, error: Exception, clock: Clock) -> Raised:
    at = clock()
    return Raised(_fault_of(tool, error, at), at)


def _bound(tool: Tool, ask: AskTool, user: object) -> tuple[Handler, Mapping[str, Any]]:
    # Any: keyword arguments of the handler
    if tool.handler is None:
        raise TypeError(f"tool {tool.name!r} was declared without a handler")
    prepared = ask.prepared
    if prepared is None:
        prepared = _prepared(tool, ask.arguments)
    if tool.injected is None:
        return tool.handler, tool.arguments_for(prepared, None)
    context = Context(tool.name, ask.call.id, user, ask.attempt, ask.key)
    return tool.handler, tool.arguments_for(prepared, context)


def _prepared(tool: Tool, arguments: Mapping[str, Any] | None) -> Any:
    # Any: JSON values; what the handler gets
    """What the handler gets for approved arguments; in shadow mode, invalid ones as they are."""
    if arguments is None:
        raise ValueError("the arguments could not be read, so there is nothing to run with")
    try:
        return tool.engine.prepare(arguments)
    except Rejected:
        return tool.unjudged(arguments)


async def _awaited(handler: Handler, arguments: Mapping[str, Any], timeout_s: float | None) -> Any:
    # Any: keyword arguments and result of the handler
    if timeout_s is None:
        return _read_out(await handler(**arguments))
    import asyncio

    async with asyncio.timeout(timeout_s):
        return _read_out(await handler(**arguments))


def _outcome(handler: Handler, arguments: Mapping[str, Any]) -> Callable[[], Any]:
    # Any: keyword arguments and result of the handler
    """Call the handler, and hand out its result or exception only when asked for it.

    A future cannot carry StopIteration: it would wait for ever.
    """
    try:
        value = handler(**arguments)
        value = _read_out(value)
    except Exception as error:
        return partial(_raise, error)
    return lambda: value


def _read_out(value: Any) -> Any:  # Any: what a handler returned
    """Rows that come one after the other are read where they block nobody, and within the time."""
    if type(value) not in PLAIN and isinstance(value, Iterator):
        return drained(value)
    return value


def _raise(error: Exception) -> NoReturn:
    raise error


def _in_time(handler: Handler, arguments: Mapping[str, Any], timeout_s: float) -> Any:
    # Any: keyword arguments and result of the handler
    from concurrent.futures import ThreadPoolExecutor
    from concurrent.futures import TimeoutError as FutureTimeout

    pool = ThreadPoolExecutor(1, thread_name_prefix="handrail-tool")
    try:
        context = copy_context()
        outcome = pool.submit(context.run, _outcome, handler, arguments).result(timeout_s)
    except FutureTimeout:
        raise TimeoutError(f"no result within {timeout_s:g} s") from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return outcome()
