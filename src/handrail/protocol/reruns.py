"""When a run that failed for reasons of its own is made once more, and after which wait.

A timeout or a lost connection says nothing about the arguments, so no model is asked: the same
call runs again inside the same exchange, with the same idempotency key. Only what is harmless
twice is run twice: a read, or what its author calls idempotent. A wait longer than the longest of
the policy's backoff is left to the model, whose result says how long it is. Source: the contract
`handrail/1`, section 6.
"""

from handrail.contract.policy import Backoff, Settings
from handrail.contract.tool import Tool

__all__ = ["allowed", "wait"]


def allowed(tool: Tool, policy: Settings) -> int:
    """How often one execution of this tool may be made again after a transient failure."""
    if tool.action_type != "read" and not tool.idempotent:
        return 0
    return policy.transient_reruns[tool.action_type]


def wait(done: int, asked: float | None, backoff: Backoff) -> float | None:
    """Seconds before re-run number `done` + 1; None where it would be too long to wait inside.

    Args:
        done: Re-runs so far.
        asked: Seconds that the other side asked for, if it did.
        backoff: The policy's own waits.
    """
    if asked is not None:
        return asked if asked <= backoff.cap_s else None
    try:
        grown = backoff.first_s * backoff.factor**done
    except OverflowError:
        grown = backoff.cap_s
    return min(grown, backoff.cap_s)
