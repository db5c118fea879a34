"""The tools and calls that every contestant gets, and the bare work beside which it is measured.

Each tool is a plain function whose typed parameters are the fields of a pydantic model. The bare
side validates a text by that model in pydantic-core and calls the function; where the call is
wrong it catches the error and asks for its details.
"""

import inspect
import json
from collections.abc import Awaitable, Callable
from typing import Any, get_type_hints

from cases.values import Order, Six, Twenty, order, six, spoil_order, spoil_six, spoil_wide, wide
from pydantic import BaseModel, ValidationError

__all__ = ["CASES", "TASKS", "Task"]

CASES = ("valid", "mended", "invalid", "two rounds", "whole turn")
"""What is measured.

``mended`` sends one list or object as JSON text. ``two rounds`` is a wrong call and then the right
one through the tool dispatch; ``whole turn`` the same through the library's own agent loop, with a
model that says what is written down for it.
"""


class Task:
    """One tool, its calls, and the bare work.

    Args:
        title: As reported.
        model: The fields.
        value: Known-right arguments, made distinct by a number.
        spoil: Makes two values wrong in place.
        texted: The field that a mended call sends as text.
        wrong: The two fields that are wrong once spoiled.
    """

    def __init__(
        self,
        title: str,
        model: type[BaseModel],
        value: Callable[[int], dict[str, Any]],
        spoil: Callable[[dict[str, Any]], None],
        texted: str,
        wrong: tuple[str, str],
    ) -> None:
        self.title = title
        self.wrong = wrong
        self.ran = 0
        self._model = model
        self._value = value
        self._spoil = spoil
        self._texted = texted

    # the tool

    def function(self) -> Callable[..., dict[str, Any]]:
        """The tool as a function."""

        def save(*values: Any, **arguments: Any) -> dict[str, Any]:
            self.ran += 1
            return {"saved": self.ran}

        return self._typed(save, bare=False)

    def coroutine(self, *, bare: bool = False) -> Callable[..., Awaitable[dict[str, Any]]]:
        """The same as an async function: several libraries give a plain one to a thread.

        Args:
            bare: Whether constraints stand as default values, and not in the annotations.
        """

        async def save(*values: Any, **arguments: Any) -> dict[str, Any]:
            self.ran += 1
            return {"saved": self.ran}

        return self._typed(save, bare=bare)

    def _typed(self, function: Callable[..., Any], *, bare: bool) -> Callable[..., Any]:
        hints = get_type_hints(self._model, include_extras=not bare)
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = []
        for name, field in self._model.model_fields.items():
            default = inspect.Parameter.empty if field.is_required() else field.default
            default = field if bare else default
            parameters.append(
                inspect.Parameter(name, kind, annotation=hints[name], default=default)
            )
        returned = dict[str, Any]
        function.__signature__ = inspect.Signature(parameters, return_annotation=returned)
        function.__annotations__ = {one.name: one.annotation for one in parameters}
        function.__annotations__["return"] = returned
        function.__doc__ = "Save it."
        return function

    # the calls

    def text(self, case: str, number: int) -> str:
        """JSON text of the arguments of a ``valid``, ``mended`` or ``invalid`` call."""
        value = self._value(number)
        if case == "invalid":
            self._spoil(value)
        elif case == "mended":
            value[self._texted] = json.dumps(value[self._texted])
        return json.dumps(value)

    # the bare work

    def bare_valid(self) -> Callable[[str], object]:
        """Validate a text, and call the function with what came out."""
        validate, function = self._model.__pydantic_validator__.validate_json, self.function()

        def run(text: str) -> object:
            return function(**validate(text).__dict__)

        return run

    def bare_invalid(self) -> Callable[[str], object]:
        """Validate a wrong text, and ask the error what is wrong where."""
        validate = self._model.__pydantic_validator__.validate_json

        def run(text: str) -> object:
            try:
                return validate(text)
            except ValidationError as error:
                return error.errors()

        return run


TASKS = {
    "six": Task("6 fields", Six, six, spoil_six, "tags", ("level", "count")),
    "twenty": Task("20 fields", Twenty, wide, spoil_wide, "field_04", ("field_02", "field_06")),
    "nested": Task("nested order", Order, order, spoil_order, "ship_to", ("qty", "level")),
}
