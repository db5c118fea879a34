"""What really came of a recorded call, and what a contract says of its result.

The log decides where it says whether the tool failed. Where it does not, a result that states no
failure by its own structure counts as accepted, which is told apart: it is an assumption.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from handrail.contract.output import Output
from handrail.contract.raised import judge_failure
from handrail.contract.returned import judge_output
from handrail.contract.tool import Tool

__all__ = ["Came", "came_of", "judged_result"]

_ANYTHING: Mapping[str, Any] = {"type": "object", "properties": {}}  # Any: JSON Schema
_FAILED = frozenset({"tool_failed", "transient"})
_EXCEPTION = re.compile(
    r"(?:[A-Za-z_][\w]*\.)*([A-Z]\w{2,60}?(?:Error|Exception|Timeout))\b\s*[:(]?"
)


class Came(NamedTuple):
    """What really came of a call.

    Attributes:
        accepted: Whether the tool took it; None if nothing is known.
        stated: Whether the log says so itself.
    """

    accepted: bool | None
    stated: bool = False


def came_of(result: object, error: object) -> Came:
    """What came of a call.

    Args:
        result: What the tool gave; None if not known.
        error: Whether the tool failed, or how; None if the log does not say.
    """
    if error is not None:
        return Came(not error, stated=True)
    if result is None:
        return Came(None)
    return Came(judge_output(_nobody(), result).error_class not in _FAILED)


def judged_result(
    tool: Tool, result: object, error: object, arguments: Mapping[str, Any] | None
) -> Output | None:  # Any: JSON values
    """What a contract says of a recorded result; None where there is nothing to judge.

    A result of a call that failed is judged by its structure first. If that says nothing, the
    word of the log counts: ``TimeoutError: ...`` by the name of the exception, and anything else
    as a failure that the tool reported.
    """
    output = judge_output(tool, result, arguments) if result is not None else None
    if not error or (output is not None and output.error_class in _FAILED):
        return output
    if isinstance(error, str) and (raised := _exception(error)):
        return judge_failure(tool, raised, arguments)
    text = result if isinstance(result, str) else error if isinstance(error, str) else ""
    return judge_output(
        tool, {"content": [{"type": "text", "text": text}], "isError": True}, arguments
    )


def _exception(error: str) -> BaseException | None:
    """An exception of the name with which a recorded error begins, without its text."""
    named = _EXCEPTION.match(error.strip())
    return type(named[1], (Exception,), {})() if named else None


@lru_cache(maxsize=1)
def _nobody() -> Tool:
    """A contract that says nothing."""
    return Tool.from_json_schema("tool", "a recorded tool", _ANYTHING)
