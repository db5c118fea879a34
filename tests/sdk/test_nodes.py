"""Nodes: generic, JSON, and the dozen."""

import json
from typing import Any

import pytest

from handrail import ui
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
)

DOZEN = [
    Text("words", variant="heading"),
    Stack(Text("a"), Text("b"), direction="horizontal", gap=2),
    Section("Title", Text("a"), collapsed=True),
    Card(Text("a"), title="T", subtitle="S"),
    Stat("Notes", 3, unit="pcs"),
    Badge("new", tone="success"),
    Alert("Careful", tone="warning", title="Disk"),
    Button("Go", call="notes.list_notes", args={"limit": 3}),
    Table(["a", "b"], [[1, 2], {"a": 3, "b": None}]),
    Form(Input("title"), call="notes.create_note"),
    Input("title", label="Title", value="x", placeholder="Milk", kind="text"),
    Select("kind", ["a", {"value": "b", "label": "B"}], value="a"),
]


@pytest.mark.parametrize("node", DOZEN, ids=lambda node: node.type)
def test_node_survives_its_dictionary(node: UINode) -> None:
    """As JSON text too."""
    assert UINode.from_dict(json.loads(json.dumps(node.to_dict()))) == node


def test_the_dozen() -> None:
    """Those used in practice, each under its own name."""
    names = [name for name in ui.__all__ if name not in ("UINode", "text_of")]
    assert sorted(node.type for node in DOZEN) == sorted(names)
    assert len(names) == 12


def test_what_is_not_given_is_not_there() -> None:
    """Hosts have their own defaults."""
    assert Text("x").props == {"text": "x"}


def test_node_may_be_of_any_type() -> None:
    """Hosts draw what they know."""
    node = UINode("Map", {"at": [1, 2], "pins": [Text("here")], "more": {"deep": Text("x")}})
    assert UINode.from_dict(node.to_dict()) == node


@pytest.mark.parametrize("value", [{}, {"type": "Text"}, {"type": 3, "props": {}}, [], "Text"])
def test_other_values_are_no_nodes(value: Any) -> None:
    """Type and props, both."""
    with pytest.raises(ValueError, match="a node is"):
        UINode.from_dict(value)


def test_mappings_with_other_keys_stay_mappings() -> None:
    """Rows of a table are no nodes."""
    row = {"type": "note", "props": {}, "id": 3}
    node = UINode("List", {"rows": [row]})
    assert UINode.from_dict(node.to_dict()).props["rows"] == [row]
