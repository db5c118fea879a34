"""The one ready-made check that needs a clock: whether a result is new enough."""

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from handrail.contract.checks import Check, at_path
from handrail.contract.preview import word
from handrail.contract.tool_error import ToolError

__all__ = ["fresh"]

_MILLISECONDS = 1e11
"""Numbers from here on are milliseconds since the epoch: as seconds, this is the year 5138."""


def fresh(path: str, max_age_s: float, *, clock: Callable[[], float] = time.time) -> Check:
    """Senseless where a result is older than `max_age_s`, or does not say how old it is.

    Args:
        path: Where the time stands: ISO 8601 (UTC where no zone is stated), or seconds or
            milliseconds since the epoch.
        max_age_s: Longest age, in seconds.
        clock: Now, in seconds since the epoch.
    """

    def check(value: Any, args: Mapping[str, Any]) -> ToolError | None:  # Any: as in Check
        made_at = _seconds(at_path(value, path))
        if made_at is None:
            detail = f"The result does not say under {word(path)} when it was made"
            return ToolError("semantic_garbage", "unknown_age", detail, _HINT)
        age_s = clock() - made_at
        if age_s <= max_age_s:
            return None
        detail = f"The result is {_span(age_s)} old; at most {_span(max_age_s)} is allowed"
        return ToolError("semantic_garbage", "stale_result", detail, _HINT)

    return check


_HINT = "Do not use it as the present state. Ask another source, or tell the user how old it is."
_UNITS_S = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def _seconds(stated: object) -> float | None:
    if isinstance(stated, bool):
        return None
    if isinstance(stated, int | float):
        return stated / 1000 if stated >= _MILLISECONDS else float(stated)
    if isinstance(stated, str):
        try:
            stated = datetime.fromisoformat(stated.strip())
        except ValueError:
            return None
    if not isinstance(stated, datetime):
        return None
    return (stated if stated.tzinfo else stated.replace(tzinfo=UTC)).timestamp()


def _span(seconds: float) -> str:
    """A length of time in its largest whole unit."""
    size, name = next((one for one in _UNITS_S if seconds >= one[0]), _UNITS_S[-1])
    count = round(seconds / size)
    return f"{count} {name}" if count == 1 else f"{count} {name}s"
