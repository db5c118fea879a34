"""What a handler returns: a success with data, or an error in its author's own words.

Source: seed 002, "Return types".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, NoReturn, Self, TypeVar, overload

from handrail.sdk.nodes import UINode

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["ActionResult"]

T = TypeVar("T")

_KEYS = ("status", "data", "summary", "error", "retryable", "code", "ui", "refresh_panels")


class _Error:
    """One name for two things of the seed: on the class it makes an error, on a value it is text.

    It has no ``__set__``, so the text in a value's own dictionary goes before it.
    """

    @overload
    def __get__(
        self, instance: None, owner: type[ActionResult[Any]]
    ) -> Callable[..., ActionResult[Any]]: ...  # Any: an error holds no data

    @overload
    def __get__(self, instance: ActionResult[Any], owner: object) -> str: ...  # Any: as above

    def __get__(self, instance: object, owner: Any) -> Any:  # Any: as the overloads say
        def error(message: str, retryable: bool = False, code: str | None = None) -> Any:
            # Any: an ActionResult of whatever class was asked
            """Make an error.

            Args:
                message: Shown to the user as it is: no exception texts, paths or class names.
                retryable: Offers the user to try again.
                code: A short word for programs.
            """
            return owner("error", error=message, retryable=retryable, code=code)

        return error


class ActionResult(Generic[T]):
    """What a handler returns; make one with `success` or `error`.

    A frozen value. ``ActionResult[Model]`` as a return annotation declares what `data` holds, and
    it is validated. ``ActionResult.error(message, retryable=False, code=None)`` makes an error:
    its words reach the user as they are.

    Attributes:
        status: ``success`` or ``error``.
        data: A JSON object: for the steps that follow, the event and the ledger.
        summary: What the user reads; conversational and informative.
        error: What the user reads of an error; empty on success.
        retryable: Whether the user may simply try again.
        code: A short word for programs, such as ``FOLDER_NOT_FOUND``.
        ui: A node shown in the chat's answer.
        refresh_panels: Panels to refresh: None is all, an empty list none, else those named.
    """

    status: Literal["success", "error"]
    data: dict[str, Any]  # Any: JSON values
    summary: str
    error = _Error()
    retryable: bool
    code: str | None
    ui: UINode | None
    refresh_panels: list[str] | None

    def __init__(
        self,
        status: Literal["success", "error"],
        data: Mapping[str, Any] | BaseModel | None = None,  # Any: JSON values
        summary: str = "",
        *,
        error: str = "",
        retryable: bool = False,
        code: str | None = None,
        ui: UINode | None = None,
        refresh_panels: Sequence[str] | None = None,
    ) -> None:
        if status not in ("success", "error"):
            raise ValueError(f"status={status!r} must be 'success' or 'error'")
        self.__dict__.update(
            status=status,
            data=_data(data),
            summary=summary,
            error=error,
            retryable=retryable,
            code=code,
            ui=ui,
            refresh_panels=_panels(refresh_panels),
        )

    @classmethod
    def success(
        cls,
        data: Mapping[str, Any] | BaseModel | None = None,  # Any: JSON values
        summary: str = "",
        *,
        ui: UINode | None = None,
        refresh_panels: Sequence[str] | None = None,
    ) -> Self:
        """A success.

        Args:
            data: A JSON object, or a pydantic model of one. None is an empty object.
            summary: Always shown to the user.
            ui: A node shown in the chat's answer, not in a panel.
            refresh_panels: None refreshes all panels, ``[]`` none, else those named.

        Raises:
            TypeError: `data` is neither a mapping nor a model, or `refresh_panels` is a text.
        """
        return cls("success", data, summary, ui=ui, refresh_panels=refresh_panels)

    def to_dict(self) -> dict[str, Any]:  # Any: JSON values
        """Everything as JSON values; `from_dict` takes it back."""
        values = {key: self.__dict__[key] for key in _KEYS}
        values["ui"] = None if self.ui is None else self.ui.to_dict()
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:  # Any: JSON values
        """What `to_dict` gave, as a value again.

        Raises:
            ValueError: `status` is neither ``success`` nor ``error``, or there is an unknown key.
        """
        given = dict(values)
        unknown = sorted(given.keys() - set(_KEYS))
        if unknown:
            raise ValueError(f"an ActionResult has no {', '.join(unknown)}")
        node = given.get("ui")
        given["ui"] = None if node is None else UINode.from_dict(node)
        return cls(given.pop("status", ""), **given)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"an ActionResult is frozen: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"an ActionResult is frozen: cannot delete {name!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ActionResult):
            return NotImplemented
        return all(self.__dict__[key] == other.__dict__[key] for key in _KEYS)

    __hash__ = None  # type: ignore[assignment]  # data is a dict

    def __repr__(self) -> str:
        stated = {key: self.__dict__[key] for key in _KEYS}
        shown = ", ".join(f"{key}={one!r}" for key, one in stated.items() if one not in _EMPTY)
        return f"ActionResult({shown})"


_EMPTY: tuple[object, ...] = ({}, "", False, None)


def _data(given: Any) -> dict[str, Any]:  # Any: JSON values
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return dict(given)
    dump = getattr(given, "model_dump", None)
    if callable(dump):
        return dict(dump(mode="json"))
    raise TypeError(f"data must be a mapping or a pydantic model, got {type(given).__name__}")


def _panels(given: Sequence[str] | None) -> list[str] | None:
    if isinstance(given, str):
        raise TypeError(f"refresh_panels must be a list of names: [{given!r}]")
    return None if given is None else list(given)
