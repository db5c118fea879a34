"""Three tools as real ones are: six fields, twenty fields, and an order with nested items.

Each shape is declared twice: as a tool, and as the pydantic model by which the bare side
validates. Arguments are texts, as models send them; the number in them makes each distinct.
"""

import json
import logging
from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from handrail import Tool

__all__ = ["SHAPES", "Shape"]

# Log records are made, as in a program that logs, and dropped: a terminal is not measured.
logging.getLogger("handrail").addHandler(logging.NullHandler())

Level = Literal["low", "normal", "high"]
Count = Annotated[int, Field(ge=1, le=100_000_000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class Six(BaseModel):
    """Six fields."""

    model_config = ConfigDict(extra="forbid")
    title: Name
    body: str
    level: Level
    count: Count
    tags: list[str]
    notify: bool = False


class Item(BaseModel):
    """One line of an order."""

    model_config = ConfigDict(extra="forbid")
    sku: Name
    qty: Count
    price: float
    note: str | None = None


class Address(BaseModel):
    """Where to."""

    model_config = ConfigDict(extra="forbid")
    street: Name
    city: Name
    country: Annotated[str, Field(pattern="^[A-Z]{2}$")]


class Order(BaseModel):
    """Two levels of objects, and a list of five."""

    model_config = ConfigDict(extra="forbid")
    number: Count
    ship_to: Address
    bill_to: Address
    items: list[Item]
    level: Level


def _twenty() -> type[BaseModel]:
    kinds: list[Any] = [Name, Count, Level, bool, list[str]]
    fields = {f"field_{index:02}": kinds[index % 5] for index in range(20)}
    body = {"__annotations__": fields, "model_config": ConfigDict(extra="forbid")}
    return type("Twenty", (BaseModel,), {**body, "__module__": __name__})


Twenty = _twenty()


def _ran(**arguments: Any) -> dict[str, Any]:
    return {"ok": True, "fields": len(arguments)}


def _six(number: int) -> dict[str, Any]:
    return {
        "title": f"Weekly report {number}",
        "body": "Sales rose in the north and fell in the south. See the table for the details.",
        "level": "normal",
        "count": number + 1,
        "tags": ["report", "weekly", "sales"],
        "notify": True,
    }


def _wide(number: int) -> dict[str, Any]:
    values: list[Any] = [f"value {number}", number + 1, "high", True, ["one", "two"]]
    return {f"field_{index:02}": values[index % 5] for index in range(20)}


def _order(number: int) -> dict[str, Any]:
    address = {"street": "12 Long Street", "city": "Bern", "country": "CH"}
    items = [
        {"sku": f"sku {index}", "qty": index + 1, "price": 9.5, "note": None} for index in range(5)
    ]
    return {
        "number": number + 1,
        "ship_to": address,
        "bill_to": address,
        "items": items,
        "level": "low",
    }


def _spoil_six(value: dict[str, Any]) -> None:
    value["level"] = "urgent"
    value["count"] = 0


def _spoil_wide(value: dict[str, Any]) -> None:
    value["field_02"] = "urgent"
    value["field_06"] = 0


def _spoil_order(value: dict[str, Any]) -> None:
    value["level"] = "urgent"
    value["items"][3]["qty"] = 0


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
    Shape("6 fields", Six, _six, _spoil_six),
    Shape("20 fields", Twenty, _wide, _spoil_wide),
    Shape("nested order", Order, _order, _spoil_order),
]
