"""What an engine says about arguments: the values and the shape that both engines share."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from pydantic_core import ValidationError

from handrail.contract.issue import Issue

__all__ = ["Change", "Engine", "Explained", "LaxReading", "Rejected"]

Change = tuple[str, Any, Any]  # Any: pointer, JSON value before, JSON value after


class Explained(NamedTuple):
    """What the short way says of refused arguments.

    Attributes:
        issues: Everything that is wrong.
        firm: Whether a laxer reading would refuse the arguments too.
    """

    issues: list[Issue]
    firm: bool


class Rejected(Exception):
    """The arguments do not fit the contract; `Engine.explain` says why.

    Attributes:
        error: What pydantic said, for pydantic tools.
        fault: What an author's validator raised that is no verdict (a KeyError, say). It is for
            the operator's log and never for the model.
        quick: What the short way said of it, once it was asked; None if it stood aside.
    """

    quick: Explained | None

    def __init__(
        self, error: ValidationError | None = None, fault: BaseException | None = None
    ) -> None:
        super().__init__("the arguments do not fit the contract")
        self.error = error
        self.fault = fault


@dataclass(frozen=True, slots=True)
class LaxReading:
    """What the author's own lax model makes of arguments that failed strictly.

    Attributes:
        value: The arguments with the coerced values put in; as given where no JSON value says
            exactly what the model understood.
        prepared: What the handler gets.
        changes: Pointer, value before, value after; one for each coerced place.
    """

    value: dict[str, Any]  # Any: JSON values
    prepared: Any  # Any: a model of the author's, or a JSON object
    changes: tuple[Change, ...]


class Engine(Protocol):
    """Judges JSON arguments against one contract."""

    @property
    def schema(self) -> Mapping[str, Any]:  # Any: JSON Schema
        """The JSON Schema to publish."""
        ...

    @property
    def states_lax(self) -> bool:
        """Whether the author asks for lax reading (``strict=False``): no mends, no warnings."""
        ...

    def accept(self, text: str, *, exact: bool = False) -> Any:  # Any: what the handler gets
        """What the handler gets for JSON text that `parse` let through.

        Args:
            text: JSON text of one object.
            exact: Exact types only, whatever the author states (destructive tools).

        Raises:
            Rejected: The arguments do not fit.
        """
        ...

    def explain(
        self, text: str, value: Mapping[str, Any], rejected: Rejected
    ) -> list[Issue]:  # Any: JSON values
        """Everything wrong with rejected arguments; never empty."""
        ...

    def is_firm(self, value: Mapping[str, Any], rejected: Rejected) -> bool:  # Any: JSON values
        """Whether it is plain that no laxer reading would take rejected arguments."""
        ...

    def unknown(self, value: Mapping[str, Any]) -> Sequence[Issue]:  # Any: JSON values
        """A warning for each field that an open schema does not name."""
        ...

    def droppable(
        self, value: Mapping[str, Any], unknown: Collection[str]
    ) -> frozenset[str]:  # Any: JSON values
        """Those of the unknown fields, by pointer, about which the author states nothing.

        They are refused because we close what an author leaves open, so a policy may drop them.
        """
        ...

    def lax(self, value: dict[str, Any]) -> LaxReading | None:  # Any: JSON values
        """What the author's own lax model makes of the arguments, if it takes them."""
        ...

    def prepare(self, value: Mapping[str, Any]) -> Any:  # Any: JSON values; what the handler gets
        """What the handler gets for mended or approved arguments, read laxly if need be.

        Raises:
            Rejected: They do not fit either way.
        """
        ...
