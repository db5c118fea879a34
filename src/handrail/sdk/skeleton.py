"""``ctx.skeleton``: what is known of the user's data when a tool is chosen, never in a handler.

Source: seed 002, "ctx.skeleton access in handlers (V24)".
"""

from collections.abc import Awaitable, Callable
from typing import Any

from handrail.errors import SkeletonAccessForbidden

__all__ = ["Sections"]

Read = Callable[[str], Awaitable[Any]]  # Any: JSON value


class Sections:
    """Sections of an app's skeleton.

    Args:
        read: Gives a section; None where this is no skeleton tool.
    """

    def __init__(self, read: Read | None = None) -> None:
        self._read = read

    def get(self, section: str) -> Awaitable[Any]:  # Any: JSON value
        """What a section held last; None before its first refresh. To be awaited.

        Raises:
            SkeletonAccessForbidden: Outside a skeleton tool, already when it is called.
        """
        if self._read is None:
            raise SkeletonAccessForbidden(
                f"ctx.skeleton.get({section!r}): skeleton data is there for choosing a tool, not "
                "for handlers; use ctx.store, ctx.http or ctx.cache"
            )
        return self._read(section)
