"""Nodes in a terminal: plain text."""

from hypothesis import given
from hypothesis import strategies as st

from handrail.ui import (
    Alert,
    Badge,
    Button,
    Card,
    Form,
    Input,
    Section,
    Select,
    Stack,
    Stat,
    Table,
    Text,
    UINode,
    text_of,
)

EVERYTHING = Stack(
    Text("Notes", variant="heading"),
    Section("Today", Stat("Open", 3, unit="notes"), Badge("new")),
    Card(Alert("Disk is full", tone="warning", title="Server"), title="State", subtitle="now"),
    Table(["title", "tags"], [["Milk", None], {"title": "Bread", "tags": 2}]),
    Form(
        Input("title", label="Title", placeholder="Milk"),
        Input("key", value="secret", kind="password"),
        Select("kind", ["a", {"value": "b", "label": "B"}], value="b"),
        call="notes.create_note",
    ),
    Stack(Button("Go", call="notes.go"), Button("Stay"), direction="horizontal"),
)

DRAWN = """\
Notes
-----
Today
  Open: 3 notes
  [new]
+--
| State
| now
| WARNING: Server: Disk is full
+--
title  tags
-----  ----
Milk
Bread  2
Title: [Milk]
key: [****]
kind: a | *B
( Send ) -> notes.create_note
( Go ) -> notes.go  ( Stay )"""


def test_every_node_is_drawn() -> None:
    """As a reader of a terminal sees it."""
    assert text_of(EVERYTHING) == DRAWN


def test_unknown_type_is_named_and_its_children_drawn() -> None:
    """Nothing is lost silently."""
    assert text_of(UINode("Map", {"children": [Text("here")]})) == "[Map]\n  here"


def test_control_characters_reach_no_terminal() -> None:
    """What a tool found is not what the terminal obeys."""
    assert "\x1b" not in text_of(Text("\x1b[2Jgone"))


def test_long_cells_are_cut() -> None:
    """A table stays a table."""
    assert text_of(Table(["a"], [["x" * 100]])).splitlines()[2] == "x" * 57 + "..."


def test_deep_nodes_end() -> None:
    """Nodes inside each other without end."""
    node = Text("in")
    for _ in range(100):
        node = Stack(node)
    assert text_of(node) == "..."


PROPS = st.dictionaries(
    st.sampled_from(["text", "title", "children", "rows", "columns", "options", "value", "label"]),
    st.none() | st.text() | st.integers() | st.lists(st.text() | st.integers(), max_size=3),
)
TYPES = ["Text", "Stack", "Section", "Card", "Stat", "Badge", "Alert", "Button", "Table", "Form"]


@given(st.sampled_from([*TYPES, "Input", "Select", "Other"]), PROPS)
def test_any_properties_can_be_drawn(type: str, props: dict[str, object]) -> None:
    """A host may send what it likes; it is text without control characters."""
    drawn = text_of(UINode(type, props))
    assert all(char.isprintable() or char == "\n" for char in drawn if ord(char) < 128)
