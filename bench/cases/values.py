"""Three sets of arguments as real tools have them: six fields, twenty, an order with nested items.

Models, known-right values and ways to spoil them. Nothing of handrail is imported here: other
libraries are measured with the same arguments, in environments where it is not installed.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "Address",
    "Item",
    "Order",
    "Six",
    "Twenty",
    "order",
    "six",
    "spoil_order",
    "spoil_six",
    "spoil_wide",
    "wide",
]

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


def six(number: int) -> dict[str, Any]:
    return {
        "title": f"Weekly report {number}",
        "body": "Sales rose in the north and fell in the south. See the table for the details.",
        "level": "normal",
        "count": number + 1,
        "tags": ["report", "weekly", "sales"],
        "notify": True,
    }


def wide(number: int) -> dict[str, Any]:
    values: list[Any] = [f"value {number}", number + 1, "high", True, ["one", "two"]]
    return {f"field_{index:02}": values[index % 5] for index in range(20)}


def order(number: int) -> dict[str, Any]:
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


def spoil_six(value: dict[str, Any]) -> None:
    value["level"] = "urgent"
    value["count"] = 0


def spoil_wide(value: dict[str, Any]) -> None:
    value["field_02"] = "urgent"
    value["field_06"] = 0


def spoil_order(value: dict[str, Any]) -> None:
    value["level"] = "urgent"
    value["items"][3]["qty"] = 0
