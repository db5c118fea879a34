"""When a run that failed for reasons of its own is made once more, and after which wait.

A timeout or a lost connection says nothing about the arguments, so no model is asked: the same
call runs again inside the same exchange, with the same idempotency key. Only what is harmless
twice is run twice: a read, or what its author calls idempotent. A wait longer than the longest of
the policy's backoff is left to the model, whose result says how long it is. Source: the contract
`handrail/1`, section 6.
"""

import math
from collections.abc import Mapping
from typing import Any

from handrail.contract.policy import Backoff, Settings
from handrail.contract.tool import Tool
from handrail.protocol.asks import Fault

__all__ = ["allowed", "fault_of_status", "wait"]

_BUSY = frozenset({429, 502, 503, 504})
"""HTTP statuses that speak of the moment and not of the request."""

_STATUS_FIELDS = ("status_code", "status")
_WAIT_FIELDS = frozenset({"retry-after", "retry_after", "retryafter"})


def allowed(tool: Tool, policy: Settings) -> int:
    """How often one execution of this tool may be made again after a transient failure."""
    if tool.action_type != "read" and not tool.idempotent:
        return 0
    return policy.transient_reruns[tool.action_type]


def wait(done: int, fault: Fault, backoff: Backoff) -> float | None:
    """Seconds before re-run number `done` + 1; None where it would be too long to wait inside."""
    asked = fault.retry_after
    if asked is not None:
        return asked if asked <= backoff.cap_s else None
    try:
        grown = backoff.first_s * backoff.factor**done
    except OverflowError:
        grown = backoff.cap_s
    return min(grown, backoff.cap_s)


def fault_of_status(tool: str, value: Any) -> Fault | None:  # Any: whatever the handler returned
    """The transient fault that a returned dict states by its status, if it states one.

    Read are ``status_code`` and ``status``, where they are whole numbers, and ``Retry-After`` in
    seconds, beside them or under ``headers``. Anything else is a result.
    """
    for name in _STATUS_FIELDS:
        status = value.get(name)
        if type(status) is int and status in _BUSY:
            return Fault("transient", "", f"{tool} returned status {status}", _retry_after(value))
    return None


def _retry_after(value: Mapping[Any, Any]) -> float | None:  # Any: whatever the handler returned
    headers = value.get("headers")
    for place in (value, headers if isinstance(headers, Mapping) else {}):
        for name, stated in place.items():
            if isinstance(name, str) and name.lower() in _WAIT_FIELDS:
                return _seconds(stated)
    return None


def _seconds(stated: object) -> float | None:
    """Seconds from a number or its text; a date is not read, since nobody here knows the time."""
    if isinstance(stated, bool) or not isinstance(stated, int | float | str):
        return None
    try:
        seconds = float(stated)
    except (ValueError, OverflowError):
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None
