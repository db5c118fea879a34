"""Real parts that many tests use: a few tools, a clock that tests turn, calls with fresh ids."""

from itertools import count
from typing import Literal

from handrail import Tool, Toolbox, ToolCall

__all__ = ["Clock", "call", "shop"]

_ids = count(1)


class Clock:
    """A clock that stands still until a test moves it."""

    def __init__(self, now: float = 1_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        """Time passes at once."""
        self.now += seconds


def call(name: str, arguments: object = "{}", id: str | None = None) -> ToolCall:
    """A call with an id of its own unless one is given."""
    return ToolCall(id or f"c{next(_ids)}", name, arguments)  # type: ignore[arg-type]  # hostile on purpose


def shop(**options: object) -> tuple[Toolbox, list[tuple[str, object]]]:
    """A toolbox with a read, a write and a destructive tool, and the list of what ran."""
    ran: list[tuple[str, object]] = []
    box = Toolbox(name="shop", **options)  # type: ignore[arg-type]  # options of each test

    def search_orders(customer_id: str, page: int = 1) -> dict[str, object]:
        """List the orders of a customer."""
        ran.append(("search_orders", (customer_id, page)))
        return {"orders": [f"O-{page}"], "customer_id": customer_id}

    def set_status(order_id: str, status: Literal["placed", "shipped"]) -> str:
        """Set the status of an order."""
        ran.append(("set_status", (order_id, status)))
        return f"{order_id} is {status}"

    def delete_order(order_id: str) -> str:
        """Delete an order for ever."""
        ran.append(("delete_order", order_id))
        return f"{order_id} deleted"

    box.add(Tool.from_function(search_orders, when_to_use="the user asks about past orders"))
    box.add(Tool.from_function(set_status, action_type="write"))
    box.add(Tool.from_function(delete_order, action_type="destructive"))
    return box, ran
