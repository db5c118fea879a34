"""The door to nodes."""

from handrail import ui


def test_names_are_the_dozen_the_node_and_its_text() -> None:
    """Nothing else."""
    assert ui.__all__ == [
        "Alert", "Badge", "Button", "Card", "Form", "Input", "Section", "Select", "Stack", "Stat",
        "Table", "Text", "UINode", "text_of",
    ]  # fmt: skip
    assert ui.text_of(ui.Badge("new")) == "[new]"
