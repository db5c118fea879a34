"""What an extension shows: generic nodes, and the dozen that are used in practice.

A node is a type and its properties, both JSON, so that a console, a terminal or a host of one's
own can draw it. Children are nodes in the property ``children``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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
]

Props = Mapping[str, Any]  # Any: JSON values and nodes
Json = dict[str, Any]  # Any: JSON values


@dataclass(frozen=True)
class UINode:
    """A node of a user interface.

    Attributes:
        type: What it is, such as ``Table``; a host draws what it knows.
        props: Its properties: JSON values, nodes, and lists and mappings of them.
    """

    type: str
    props: Props = field(default_factory=dict)

    def to_dict(self) -> Json:
        """As JSON values; `from_dict` takes it back."""
        return {"type": self.type, "props": {key: _plain(item) for key, item in self.props.items()}}

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> "UINode":  # Any: JSON values
        """What `to_dict` gave, as a node again.

        Raises:
            ValueError: It is no node.
        """
        node = _revived(value)
        if not isinstance(node, UINode):
            raise ValueError('a node is {"type": text, "props": object}')
        return node


def _plain(value: Any) -> Any:  # Any: JSON values and nodes
    if isinstance(value, UINode):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _revived(value: Any) -> Any:  # Any: JSON values and nodes
    if isinstance(value, list):
        return [_revived(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    if value.keys() == {"type", "props"} and isinstance(value["type"], str):
        props = value["props"]
        if isinstance(props, Mapping):
            return UINode(value["type"], {key: _revived(item) for key, item in props.items()})
    return {key: _revived(item) for key, item in value.items()}


def _node(type: str, /, **props: Any) -> UINode:  # Any: JSON values and nodes
    return UINode(type, {key: item for key, item in props.items() if item is not None})


def Text(text: str, *, variant: str | None = None) -> UINode:
    """Words.

    Args:
        text: The words.
        variant: ``heading``, ``muted`` or ``code``.
    """
    return _node("Text", text=text, variant=variant)


def Stack(*children: UINode, direction: str = "vertical", gap: int | None = None) -> UINode:
    """Nodes below or beside each other.

    Args:
        children: The nodes.
        direction: ``vertical`` or ``horizontal``.
        gap: Space between them, in steps of the host's own grid.
    """
    return _node("Stack", children=list(children), direction=direction, gap=gap)


def Section(title: str, *children: UINode, collapsed: bool | None = None) -> UINode:
    """Nodes below a heading.

    Args:
        title: The heading.
        children: The nodes.
        collapsed: Whether only the heading is shown at first.
    """
    return _node("Section", title=title, children=list(children), collapsed=collapsed)


def Card(*children: UINode, title: str | None = None, subtitle: str | None = None) -> UINode:
    """Nodes in a frame.

    Args:
        children: The nodes.
        title: First line.
        subtitle: Second line.
    """
    return _node("Card", title=title, subtitle=subtitle, children=list(children))


def Stat(label: str, value: object, *, unit: str | None = None) -> UINode:
    """One number with its name.

    Args:
        label: What it counts.
        value: The number, or a text of it.
        unit: Its unit.
    """
    return _node("Stat", label=label, value=value, unit=unit)


def Badge(text: str, *, tone: str = "neutral") -> UINode:
    """A short word about something.

    Args:
        text: The word.
        tone: ``neutral``, ``info``, ``success``, ``warning`` or ``error``.
    """
    return _node("Badge", text=text, tone=tone)


def Alert(text: str, *, tone: str = "info", title: str | None = None) -> UINode:
    """A sentence that must be seen.

    Args:
        text: The sentence.
        tone: ``info``, ``success``, ``warning`` or ``error``.
        title: What it is about.
    """
    return _node("Alert", title=title, text=text, tone=tone)


def Button(label: str, *, call: str | None = None, args: Props | None = None) -> UINode:
    """Something to press.

    Args:
        label: What is written on it.
        call: The function that is called, such as ``notes.create_note``; it goes the way of every
            other call, confirmation included.
        args: Arguments of the call.
    """
    return _node("Button", label=label, call=call, args=args)


def Table(
    columns: Sequence[str], rows: Sequence[Sequence[object] | Mapping[str, object]]
) -> UINode:
    """Rows and columns.

    Args:
        columns: Headings.
        rows: Cells in the order of the columns, or mappings by heading.
    """
    return _node("Table", columns=list(columns), rows=[_plain(row) for row in rows])


def Form(*fields: UINode, call: str, submit: str = "Send") -> UINode:
    """Fields that are sent as the arguments of one call.

    Args:
        fields: Inputs and selects.
        call: The function that is called.
        submit: What is written on the button.
    """
    return _node("Form", children=list(fields), call=call, submit=submit)


def Input(
    name: str,
    *,
    label: str | None = None,
    value: object = None,
    placeholder: str | None = None,
    kind: str = "text",
) -> UINode:
    """A field to type into.

    Args:
        name: The argument that it fills.
        label: What is written before it.
        value: What stands in it at first.
        placeholder: An example, shown while it is empty.
        kind: ``text``, ``number``, ``date``, ``password`` or ``multiline``.
    """
    return _node("Input", name=name, label=label, value=value, placeholder=placeholder, kind=kind)


def Select(
    name: str,
    options: Sequence[str | Mapping[str, object]],
    *,
    label: str | None = None,
    value: object = None,
) -> UINode:
    """A field to choose from.

    Args:
        name: The argument that it fills.
        options: Values, or mappings with ``value`` and ``label``.
        label: What is written before it.
        value: What is chosen at first.
    """
    return _node("Select", name=name, options=list(options), label=label, value=value)
