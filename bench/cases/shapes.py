"""Three tools as real ones are: six fields, twenty fields, and an order with nested items.

Each shape is declared twice: as a tool, and as the pydantic model by which the bare side
validates. Arguments are texts, as models send them; the number in them makes each distinct.
"""

import json
import logging
from collections.abc import Callable
from itertools import count
from typing import Any

from pydantic import BaseModel

from cases.values import Order, Six, Twenty, order, six, spoil_order, spoil_six, spoil_wide, wide
from handrail import Tool

__all__ = ["SHAPES", "Shape"]

# Nobody listens to the log, as in a program that sets up none: a terminal is not measured.
logging.getLogger("handrail").addHandler(logging.NullHandler())


_runs = count()


def _ran(**arguments: Any) -> dict[str, Any]:
    """Another result each time: one result for varying arguments would be a loop."""
    return {"ok": True, "run": next(_runs)}


class Shape:
    """A tool, its bare validator, and texts of calls.

    Attributes:
        name: As reported.
        tool: Declared by model; reading, and made to be called again and again.
        validate: ``SchemaValidator.validate_json`` of the same model.
        handler: What runs in both cases.
    """

    def __init__(
        self,
        name: str,
        model: type[BaseModel],
        value: Callable[[int], dict[str, Any]],
        spoil: Callable[[dict[str, Any]], None],
    ) -> None:
        self.name = name
        self.handler = _ran
        self.validate = model.__pydantic_validator__.validate_json
        self.tool = Tool("save", "Save it.", _ran, model, action_type="read")
        self._value = value
        self._spoil = spoil

    def valid(self, number: int) -> str:
        """JSON text of a valid call."""
        return json.dumps(self._value(number))

    def invalid(self, number: int) -> str:
        """The same with two wrong values that no mend can repair."""
        value = self._value(number)
        self._spoil(value)
        return json.dumps(value)


SHAPES = [
    Shape("6 fields", Six, six, spoil_six),
    Shape("20 fields", Twenty, wide, spoil_wide),
    Shape("nested order", Order, order, spoil_order),
]
