"""Regular expressions that are compiled when they are first asked for anything.

Most rules of the redactor are never needed in the life of a program, and compiling all of them
would be a good part of what an import costs.
"""

import re
from typing import Any, cast

__all__ = ["late"]


class _Late:
    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:  # Any: an attribute of a compiled pattern
        """Asked once for each name: what was found stands on the object itself."""
        found = getattr(re.compile(self.pattern, self._flags), name)
        self.__dict__[name] = found
        return found


def late(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that is compiled with its first use; then its methods cost what they always do."""
    return cast("re.Pattern[str]", _Late(pattern, flags))
