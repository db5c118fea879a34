"""What went wrong in a tool, said by somebody who knows: the tool's author or a check.

Source: seed 001 (`ToolError`); the public names, `ToolError`.
"""

from typing import Any

__all__ = ["ToolError", "tool_error_of"]

_FIELDS = ("error_class", "code", "detail", "hint")
_FROZEN = frozenset({*_FIELDS, "args"})


class ToolError(Exception):
    """One structured error of a tool: returned, raised, or found by a check of the result.

    A frozen value with keyword construction, equality and `model_dump`; it can be raised too.
    Its words are for the model: they are redacted, put on one line and bounded before it reads
    them.

    Attributes:
        error_class: ``schema_mismatch``, ``partial_data``, ``semantic_garbage``, ``transient``,
            ``tool_failed`` or ``budget_spent``; ``need_user_input`` is understood too, and
            anything else is read as ``tool_failed``.
        code: A short word of your own, such as ``empty_result``.
        detail: One line: what is wrong.
        hint: What the model should try next.
    """

    def __init__(
        self, error_class: str, code: str, detail: str = "", hint: str | None = None
    ) -> None:
        super().__init__(error_class, code, detail, hint)

    @property
    def error_class(self) -> str:
        """The class: what kind of failure it is."""
        return str(self.args[0])

    @property
    def code(self) -> str:
        """A short word of its author's."""
        return str(self.args[1])

    @property
    def detail(self) -> str:
        """One line: what is wrong."""
        return str(self.args[2])

    @property
    def hint(self) -> str | None:
        """What the model should try next."""
        hint = self.args[3]
        return None if hint is None else str(hint)

    def model_dump(self) -> dict[str, Any]:  # Any: JSON values
        """The four fields, as seed 001 returns them."""
        return {name: getattr(self, name) for name in _FIELDS}

    def __setattr__(self, name: str, value: object) -> None:
        if name in _FROZEN:
            raise AttributeError(f"ToolError is frozen: cannot set {name!r}")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        if name in _FROZEN:
            raise AttributeError(f"ToolError is frozen: cannot delete {name!r}")
        super().__delattr__(name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ToolError):
            return NotImplemented
        return self.args == other.args

    def __hash__(self) -> int:
        return hash(self.args)

    def __str__(self) -> str:
        return f"{self.error_class}/{self.code}: {self.detail}"

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in _FIELDS)
        return f"ToolError({fields})"


def tool_error_of(value: object) -> ToolError | None:
    """The structured error that a value is, or that an exception carries.

    An exception carries one as its first argument (``raise Refused(ToolError(...))``) or in an
    attribute ``tool_error``. An object with exactly the four fields of another class of that
    name (seed 001 declares its own with pydantic) is read as one too.
    """
    if isinstance(value, ToolError):
        return value
    if isinstance(value, BaseException):
        carried = getattr(value, "tool_error", None)
        if carried is None and value.args:
            carried = value.args[0]
        return (
            tool_error_of(carried)
            if not isinstance(carried, BaseException | None)
            else (carried if isinstance(carried, ToolError) else None)
        )
    if type(value).__name__ == "ToolError" and all(hasattr(value, name) for name in _FIELDS):
        error_class, code, detail, hint = (getattr(value, name) for name in _FIELDS)
        return ToolError(
            str(error_class), str(code), str(detail), None if hint is None else str(hint)
        )
    return None
