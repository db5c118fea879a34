"""Real small models against wrong calls: what was corrected, refused, escalated.

    python bench/live.py local:0.5b --output bench/results/live-0.5b.md

Every prompt is a turn of its own. Nothing here asserts a share of successes: small models are
what they are. The page holds the counts, and one whole transcript of each kind of ending.
"""

import argparse
import asyncio
import platform
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from handrail import Status, Toolbox, ToolResult
from handrail.cli.demo_story import Story
from handrail.models import Model, connect
from handrail.testing import AutoHuman

SYSTEM = "You are an assistant with tools. Answer with one tool call."
MOST_ROUNDS = 6
PROMPTS = (
    "Weather forecast for Paris for the next 14 days, in celsius.",
    "How warm is it in Oslo, in kelvin?",
    "Create the event 'Standup' at 9 AM tomorrow for 15 minutes.",
    "Create the event 'Retreat' on 2026-07-01 at 09:00 for three days with ann@example.com.",
    "Search the orders of customer C-9921 again and again until one is there.",
    "Set the priority of ticket T-12 to very urgent.",
    "Send the report to everybody in the sales team.",
    "Delete the event evt-204 from my calendar.",
    "Remind me to call Bob, priority asap.",
    "Forecast for Rome, ten days.",
)


def box_with(story: Story) -> Toolbox:
    """Six tools whose contracts small models often miss."""
    box = Toolbox(name="live", subscribers=[story], human=AutoHuman(approve=True, by="you"))
    add_reads(box)
    add_writes(box)
    return box


def add_reads(box: Toolbox) -> None:
    """Weather and orders."""

    @box.tool(action_type="read", when_to_use="the user asks about the weather")
    def get_weather(
        city: str,
        unit: Literal["celsius", "fahrenheit"],
        days: Annotated[int, Field(ge=1, le=7, description="Days of forecast")] = 1,
    ) -> dict[str, Any]:  # Any: JSON values
        """Weather forecast for a city, at most 7 days."""
        return {"city": city, "unit": unit, "highs": [18 + day % 4 for day in range(days)]}

    @box.tool(action_type="read", when_to_use="the user asks about orders")
    def search_orders(customer_id: str, status: str = "any") -> dict[str, Any]:  # Any: JSON values
        """Orders of a customer."""
        return {"orders": [], "customer_id": customer_id, "status": status}


def add_writes(box: Toolbox) -> None:
    """Events, tickets and mail."""

    @box.tool(action_type="write", when_to_use="the user wants an appointment")
    def create_event(
        title: str,
        start: Annotated[
            str,
            Field(
                pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$",
                description="Start, like 2026-06-15T09:00",
            ),
        ],
        duration_minutes: Annotated[int, Field(ge=5, le=480)],
        attendees: list[str] | None = None,
    ) -> str:
        """Create a calendar event."""
        return f"created {title} at {start}"

    @box.tool(action_type="write")
    def set_priority(ticket_id: str, priority: Literal["low", "normal", "high"]) -> str:
        """Set the priority of a ticket."""
        return f"{ticket_id} is {priority}"

    @box.tool(action_type="write")
    def send_email(
        to: Annotated[list[Annotated[str, Field(pattern="^[^@ ]+@[^@ ]+$")]], Field(min_length=1)],
        subject: Annotated[str, Field(max_length=60)],
        body: str,
    ) -> str:
        """Send an e-mail."""
        return f"sent to {len(to)}"

    @box.tool(action_type="destructive", effects=["delete:event"])
    def delete_event(event_id: str) -> str:
        """Delete a calendar event for ever."""
        return f"{event_id} is deleted"


async def talk(model: Model, prompt: str) -> tuple[str, list[ToolResult], list[str]]:
    """One turn: how it ended, the results, the transcript."""
    lines: list[str] = []
    story = Story(lambda line, _: lines.append(line))
    box = box_with(story)
    messages: list[dict[str, Any]] = [  # Any: OpenAI chat messages
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": prompt},
    ]
    results: list[ToolResult] = []
    lines.append(f"user      {prompt}")
    with box.turn(user_text=prompt) as turn:
        for _ in range(MOST_ROUNDS):
            answers = await turn.take(await model.respond(messages, turn.schemas("openai")))
            messages += answers.to_messages()
            results += answers.results
            if answers.done:
                story.model_said(answers.text)
                break
            if ending(results) != "ran":
                break
    return ending(results, answered=answers.done), results, lines


def ending(results: list[ToolResult], *, answered: bool = False) -> str:
    """The kind of ending that a reader wants to see."""
    if any(one.escalation for one in results):
        return "escalated"
    if any(one.code == "BUD-002" for one in results):
        return "refused"
    if any(one.outcome == "success" for one in results):
        return "corrected"
    if any(one.status is Status.INVALID for one in results) and answered:
        return "gave up"
    return "ran" if results else "no call"


async def run(name: str) -> str:
    """All prompts with one model; the page."""
    model = connect(name)
    counts: Counter[str] = Counter()
    samples: dict[str, list[str]] = {}
    began = time.monotonic()
    for prompt in PROMPTS:
        kind, results, lines = await talk(model, prompt)
        counts[kind] += 1
        samples.setdefault(kind, lines)
        print(f"{kind:<10}{len(results)} calls  {prompt}", flush=True)
    return page_of(name, counts, samples, time.monotonic() - began)


def page_of(name: str, counts: Counter[str], samples: dict[str, list[str]], seconds: float) -> str:
    """The page in Markdown."""
    head = (
        f"# {name}, {datetime.now(UTC):%Y-%m-%d}\n\n"
        f"{len(PROMPTS)} prompts over six tools, temperature 0, {seconds:.0f} s on one thread, "
        f"Python {platform.python_version()}, {platform.machine()}. Made by `bench/live.py`.\n\n"
    )
    rows = "".join(f"| {kind} | {count} |\n" for kind, count in counts.most_common())
    parts = [head, "| ending | turns |\n|---|---|\n", rows]
    for kind in ("corrected", "refused", "escalated", "gave up"):
        if kind in samples:
            parts.append(f"\n## Ending: {kind}\n\n```text\n" + "\n".join(samples[kind]) + "\n```\n")
    return "".join(parts)


def main(arguments: list[str]) -> int:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("model", nargs="?", default="local")
    parser.add_argument("--output", type=Path)
    given = parser.parse_args(arguments)
    page = asyncio.run(run(given.model))
    if given.output is not None:
        given.output.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
