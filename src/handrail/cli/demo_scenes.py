"""The three scenes of the demo: tools, and what a user says."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from handrail.contract.call import Status
from handrail.protocol.journal import Subscriber
from handrail.runtime.answers import Answers
from handrail.runtime.parties import Human
from handrail.runtime.toolbox import Toolbox

__all__ = ["SCENES", "Scene"]


class Scene(NamedTuple):
    """One scene.

    Attributes:
        title: What is shown.
        user: What the user says.
        system: What the model is told to be.
        box: Makes the tools, with a reader of the journal and somebody to approve.
        rounds: Model messages at most.
        model: The local model that plays it best.
        over: Whether the scene has shown what it is about.
    """

    title: str
    user: str
    system: str
    box: Callable[[Sequence[Subscriber], Human | None], Toolbox]
    rounds: int
    model: str
    over: Callable[[Answers], bool]


def _weather(subscribers: Sequence[Subscriber], human: Human | None) -> Toolbox:
    box = Toolbox(name="demo", subscribers=subscribers, human=human)

    @box.tool(action_type="read", when_to_use="the user asks about the weather")
    def get_weather(
        city: str,
        unit: Literal["celsius", "fahrenheit"],
        days: Annotated[int, Field(ge=1, le=7, description="Days of forecast")] = 1,
    ) -> dict[str, Any]:  # Any: JSON values
        """Weather forecast for a city, at most 7 days."""
        highs = [18 + (3 * day) % 5 for day in range(days)]
        return {"city": city, "unit": unit, "highs": highs}

    return box


def _orders(subscribers: Sequence[Subscriber], human: Human | None) -> Toolbox:
    box = Toolbox(name="demo", subscribers=subscribers, human=human)

    @box.tool(action_type="read", when_to_use="the user asks about orders")
    def search_orders(customer_id: str, status: str = "any") -> dict[str, Any]:  # Any: JSON values
        """Orders of a customer."""
        return {"orders": [], "customer_id": customer_id, "status": status}

    return box


def _calendar(subscribers: Sequence[Subscriber], human: Human | None) -> Toolbox:
    box = Toolbox(name="demo", subscribers=subscribers, human=human)

    @box.tool(action_type="destructive", effects=["delete:event"])
    def delete_event(event_id: str) -> str:
        """Delete a calendar event for ever."""
        return f"{event_id} is deleted"

    return box


def _ran(answers: Answers) -> bool:
    return any(result.status is Status.OK for result in answers.results)


def _stopped(answers: Answers) -> bool:
    return any(result.status in (Status.REFUSED, Status.BLOCKED) for result in answers.results)


_SYSTEM = "You are an assistant with tools. Answer with one tool call."

SCENES = (
    Scene(
        "A wrong call, what the model is told, and the corrected call",
        "Weather forecast for Paris for the next 14 days, in celsius.",
        _SYSTEM,
        _weather,
        4,
        "local:1.5b",
        _ran,
    ),
    Scene(
        "A call that is repeated until it is refused",
        "Search the orders of customer C-9921 again and again until one is there.",
        _SYSTEM,
        _orders,
        6,
        "local:0.5b",
        _stopped,
    ),
    Scene(
        "A call that stops in front of a human",
        "Delete the event evt-204 from my calendar.",
        _SYSTEM,
        _calendar,
        2,
        "local:1.5b",
        _ran,
    ),
)
