"""A personal assistant with five tools whose rules are declared, and a turn that knows its goal.

Run it: ``python examples/assistant.py``. Nothing is needed but handrail; the model is scripted,
so that the session is the same every time.

The rules between the fields of a call are data. Each is checked before the tool runs, told to the
model in words that it can follow, and can be shown on a page:

* ``home_assistant``: ``call_tool`` needs the name of the tool.
* ``lookup_contact``: ``search`` needs a query, ``get`` needs an id.
* ``lookup_contact_places``: one of contact, query or group.
* ``lookup_place_contacts``: a place, by id or by query.
* ``get_events``: for ``by_ids`` a limit says nothing, so it is left out before the tool runs.
"""

import asyncio
from typing import Any, Literal

from handrail import AnyOf, Goal, Irrelevant, Requires, Toolbox, ToolCall
from handrail.testing import ScriptedModel, call, text

CONTACTS = [
    {"contact_id": "c1", "name": "Anna Kos", "group": "family", "phone": "555-0101"},
    {"contact_id": "c2", "name": "Anna Berg", "group": "work", "phone": "555-0102"},
    {"contact_id": "c3", "name": "Ben Roth", "group": "work", "phone": "555-0103"},
]
PLACES = [
    {"place_id": "p1", "name": "Harbour Office", "contact_ids": ["c2", "c3"]},
    {"place_id": "p2", "name": "Lake House", "contact_ids": ["c1"]},
]
EVENTS = [
    {"event_id": "e1", "at": "2026-03-01T09:00:00Z", "title": "Boiler repair ordered"},
    {"event_id": "e2", "at": "2026-03-04T15:30:00Z", "title": "Boiler repair postponed"},
    {"event_id": "e3", "at": "2026-03-03T10:00:00Z", "title": "Dentist"},
]
NOTES = {"e1": "Ordered from Roth & Sons.", "e2": "A part is missing; new date 9 March.", "e3": ""}

Row = dict[str, Any]  # Any: JSON values


box = Toolbox(name="assistant")


@box.tool(
    action_type="write",
    repeatable=True,
    group="home",
    when_to_use="the user wants something at home switched or looked up",
    rules=[Requires(when={"action": "call_tool"}, fields=["tool_name"])],
)
def home_assistant(action: Literal["list_tools", "call_tool"], tool_name: str | None = None) -> Row:
    """List the switches at home, or use one of them."""
    if action == "list_tools":
        return {"tools": ["light.on", "light.off"]}
    return {"done": tool_name}


@box.tool(
    group="contacts",
    ids=("contact_id",),
    when_to_use="a person is named; search first, then get by id",
    rules=[
        Requires(when={"action": "search"}, fields=["query"]),
        Requires(when={"action": "get"}, fields=["contact_id"]),
    ],
)
def lookup_contact(
    action: Literal["search", "get"], query: str | None = None, contact_id: str | None = None
) -> Row:
    """Find people by name, or get one by id."""
    if action == "get":
        found = [one for one in CONTACTS if one["contact_id"] == contact_id]
        return dict(found[0]) if found else {}
    found = _named(CONTACTS, query)
    short = [{key: one[key] for key in ("contact_id", "name")} for one in found]
    if len(short) > 1:
        return {"need_user_input": True, "question": "Which one?", "candidates": short}
    return {"contacts": short}


@box.tool(
    group="contacts",
    ids=("contact_id",),
    rules=[AnyOf("contact_id", "contact_query", "group_query")],
)
def lookup_contact_places(
    contact_id: str | None = None,
    contact_query: str | None = None,
    group_query: str | None = None,
) -> Row:
    """List the places of a person or of a group of people."""
    people = {
        one["contact_id"]
        for one in CONTACTS
        if one["contact_id"] == contact_id
        or one in _named(CONTACTS, contact_query)
        or (group_query and one["group"] == group_query)
    }
    return {"places": [one for one in PLACES if people & {*one["contact_ids"]}]}


@box.tool(group="places", ids=("place_id",), rules=[AnyOf("place_id", "place_query")])
def lookup_place_contacts(place_id: str | None = None, place_query: str | None = None) -> Row:
    """List the people of a place."""
    named = _named(PLACES, place_query)
    places = [one for one in PLACES if one["place_id"] == place_id or one in named]
    ids = {id for place in places for id in place["contact_ids"]}
    return {"contacts": [one for one in CONTACTS if one["contact_id"] in ids]}


@box.tool(
    group="events",
    ids=("event_ids",),
    when_to_use="what happened, or how something stands; list first, then read by id",
    rules=[
        Requires(when={"action": "by_ids"}, fields=["event_ids"]),
        Requires(when={"action": "by_time_span"}, fields=["start", "end"]),
        Irrelevant(when={"action": "by_ids"}, fields=["limit"]),
    ],
)
def get_events(
    action: Literal["by_ids", "by_time_span"],
    event_ids: list[str] | None = None,
    start: str | None = None,
    end: str | None = None,
    limit: int | None = None,
) -> Row:
    """List the events of a time span, or read events by id, with their notes."""
    if action == "by_ids":
        read = [one for one in EVENTS if one["event_id"] in (event_ids or [])]
        return {"events": [{**one, "note": NOTES[one["event_id"]]} for one in read]}
    span = [one for one in EVENTS if (start or "") <= one["at"] <= (end or "")]
    return {"events": span[:limit]}


def _named(rows: list[Row], query: str | None) -> list[Row]:
    return [one for one in rows if query and query.casefold() in one["name"].casefold()]


MISTAKES: dict[str, Row] = {
    "home_assistant": {"action": "call_tool"},
    "lookup_contact": {"action": "get", "query": "Anna"},
    "lookup_contact_places": {},
    "lookup_place_contacts": {"place_query": ""},
    "get_events": {"action": "by_ids", "event_ids": ["e2"], "limit": 5},
}
"""One mistake for each rule."""


def show_rules() -> None:
    """What the model is told about each mistake; the last is mended and runs."""
    for tool, arguments in MISTAKES.items():
        with box.turn() as turn:
            result = turn.answer_sync(ToolCall("", tool, arguments))
        print(f"model: {tool} {arguments}")
        print(f"  {result.status}: {result.content.splitlines()[-1]}")


async def ask_for_status() -> list[Row]:
    """A model that answers from a list is sent back to read the newest event."""
    span = {"action": "by_time_span", "start": "2026-03-01", "end": "2026-03-31"}
    model = ScriptedModel(
        [
            call("get_events", span),
            text("The boiler repair is ordered."),
            call("get_events", {"action": "by_ids", "event_ids": ["e2"]}),
            text("The boiler repair is postponed to 9 March: a part is missing."),
        ]
    )
    asked = "What is the current status of the boiler repair?"
    said = await box.run(model, [{"role": "user", "content": asked}], goal=Goal(asked))
    return said.messages


def ask_the_user() -> Row:
    """Two people of one name: the turn waits for the user, and a form can show the question."""
    with box.turn(user_text="Call Anna", goal=Goal("Call Anna", kind="action")) as turn:
        turn.answer_sync(ToolCall("", "lookup_contact", {"action": "search", "query": "Anna"}))
        asked = turn.clarification
        assert asked is not None  # two are called Anna
        print(f"{turn.coverage}: {asked.question} {[one.label for one in asked.candidates]}")
        return asked.to_elicitation()


def main() -> None:
    """The whole session."""
    print("# Five rules\n")
    show_rules()
    print("\n# A goal\n")
    for message in asyncio.run(ask_for_status()):
        for called in message.get("tool_calls") or ():
            print(f"model calls: {called['function']['name']} {called['function']['arguments']}")
        if message.get("content"):
            print(f"{message['role']}: {message['content']}")
    print("\n# A question for the user\n")
    print("form:", ask_the_user()["requestedSchema"])


if __name__ == "__main__":
    main()
