"""What an extension shows: nodes for a console, drawn as plain text in a terminal."""

from handrail.sdk.node_text import text_of
from handrail.sdk.nodes import (
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

__all__ = [
    "Alert",
    "Badge",
    "Button",
    "Card",
    "Form",
    "Input",
    "Section",
    "Select",
    "Stack",
    "Stat",
    "Table",
    "Text",
    "UINode",
    "text_of",
]
