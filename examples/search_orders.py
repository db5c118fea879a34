"""What a model reads when the tool behind it misbehaves, and how often the tool then runs.

    python examples/search_orders.py

One tool asks a real HTTP server for orders, and the server cuts, hangs, empties and renames what
it is asked for. For each way of failing the same call is made seventeen times, as a model does
that is told nothing useful. Printed is what it reads the first time, and how many of the
seventeen calls reached the server. No model is needed; `bench/outputs_live.py` asks a real one.
"""

import logging
from collections.abc import Callable
from typing import Literal
from urllib.parse import urlencode
from urllib.request import urlopen

from orders_server import MISBEHAVIOURS, OrderServer
from pydantic import BaseModel

from handrail import guard
from handrail.checks import paged

RETRIES = 17
PATIENCE_S = 0.3


class Order(BaseModel):
    """One order of a customer."""

    id: str
    total_cents: int
    status: Literal["placed", "shipped", "delivered", "cancelled"]


class Orders(BaseModel):
    """One page of them: what the tool promises."""

    orders: list[Order]
    page: int
    has_more: bool


def orders_tool(url: str, patience_s: float = PATIENCE_S) -> Callable[..., str]:
    """The tool as anybody would write it: ask, read, hand on."""

    def search_orders(customer_id: str, page: int = 1) -> str:
        """List the orders of a customer, one page at a time."""
        query = urlencode({"customer_id": customer_id, "page": page})
        with urlopen(f"{url}/orders?{query}", timeout=patience_s) as response:
            return str(response.read().decode())

    return search_orders


def main() -> None:
    """Play every misbehaviour."""
    logging.getLogger("handrail").addHandler(logging.NullHandler())  # tracebacks are for operators
    with OrderServer() as server:
        guarded = guard(Orders, check=paged(items="orders"))(orders_tool(server.url))
        for behaviour, told in MISBEHAVIOURS.items():
            server.behaviour = behaviour
            server.requests.clear()
            with guard.turn():
                results = [guarded("C-9921", page=1) for _ in range(RETRIES)]
            first = results[0]
            print(f"== {told}")
            print(f"class    {first.error.error_class}, {first.error.code}" if first.error else "")
            print(f"next     {first.advice.next} {first.advice.arguments or ''}".rstrip())
            print(f"tool ran {len(server.requests)} of {RETRIES} times")
            print(f"\n{first.for_model()}\n")


if __name__ == "__main__":
    main()
