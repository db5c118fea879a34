"""A node as plain text: what a terminal shows, without colours and without control characters."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from handrail.contract.preview import neutralise
from handrail.sdk.nodes import UINode

__all__ = ["text_of"]

_MOST_DEPTH = 20
_MOST_CELL = 60

Props = Mapping[str, Any]  # Any: JSON values and nodes
Drawn = list[str]


def text_of(node: UINode) -> str:
    """The lines of a node; a type that is unknown here is drawn as its name and its children."""
    return "\n".join(_lines(node, 0))


def _lines(node: object, depth: int) -> Drawn:
    if not isinstance(node, UINode):
        return [] if node is None else _words(node)
    if depth > _MOST_DEPTH:
        return ["..."]
    draw = _DRAWN.get(node.type)
    if draw is not None:
        return draw(node.props, depth)
    return [f"[{_word(node.type)}]", *_indented(_children(node.props, depth))]


def _words(value: object) -> Drawn:
    return [neutralise(line) for line in str(value).splitlines()] or [""]


def _word(value: object) -> str:
    return " ".join(_words(value)).strip()


def _children(props: Props, depth: int) -> Drawn:
    return [line for child in _several(props, "children") for line in _lines(child, depth + 1)]


def _several(props: Props, key: str) -> Sequence[Any]:  # Any: JSON values and nodes
    given = props.get(key)
    if isinstance(given, list | tuple):
        return given
    return () if given is None else (given,)


def _indented(lines: Iterable[str]) -> Drawn:
    return [f"  {line}" if line else line for line in lines]


def _text(props: Props, depth: int) -> Drawn:
    lines = _words(props.get("text", ""))
    if props.get("variant") == "heading":
        return [*lines, "-" * max(map(len, lines))]
    return lines


def _stack(props: Props, depth: int) -> Drawn:
    lines = _children(props, depth)
    return ["  ".join(lines)] if props.get("direction") == "horizontal" and lines else lines


def _section(props: Props, depth: int) -> Drawn:
    title = _word(props.get("title", ""))
    return [title, *_indented(_children(props, depth))]


def _card(props: Props, depth: int) -> Drawn:
    heads = [_word(props[key]) for key in ("title", "subtitle") if props.get(key)]
    lines = [*heads, *_children(props, depth)]
    return ["+--", *(f"| {line}".rstrip() for line in lines), "+--"]


def _stat(props: Props, depth: int) -> Drawn:
    shown = " ".join(_word(props[key]) for key in ("value", "unit") if props.get(key) is not None)
    return [f"{_word(props.get('label', ''))}: {shown}"]


def _badge(props: Props, depth: int) -> Drawn:
    return [f"[{_word(props.get('text', ''))}]"]


def _alert(props: Props, depth: int) -> Drawn:
    title = f"{_word(props['title'])}: " if props.get("title") else ""
    return [f"{_word(props.get('tone', 'info')).upper()}: {title}{_word(props.get('text', ''))}"]


def _button(props: Props, depth: int) -> Drawn:
    call = f" -> {_word(props['call'])}" if props.get("call") else ""
    return [f"( {_word(props.get('label', ''))} ){call}"]


def _cells(row: object, columns: Sequence[object]) -> list[str]:
    if isinstance(row, Mapping):
        found = [row.get(column) for column in columns]
    else:
        found = list(row) if isinstance(row, list | tuple) else [row]
    shown = ["" if cell is None else _word(cell) for cell in found]
    return [cell if len(cell) <= _MOST_CELL else f"{cell[: _MOST_CELL - 3]}..." for cell in shown]


def _table(props: Props, depth: int) -> Drawn:
    columns = _several(props, "columns")
    grid = [[_word(column) for column in columns]]
    grid += [_cells(row, columns) for row in _several(props, "rows")]
    count = max(len(row) for row in grid)
    full = [row + [""] * (count - len(row)) for row in grid]
    widths = [max(len(row[at]) for row in full) for at in range(count)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in full]
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:]]


def _form(props: Props, depth: int) -> Drawn:
    shown = {"label": props.get("submit", "Send"), "call": props.get("call")}
    return [*_children(props, depth), *_button(shown, depth)]


def _input(props: Props, depth: int) -> Drawn:
    label = _word(props.get("label") or props.get("name", ""))
    stated = props.get("value")
    if props.get("kind") == "password" and stated is not None:
        stated = "****"
    shown = _word(stated) if stated is not None else _word(props.get("placeholder", ""))
    return [f"{label}: [{shown}]"]


def _select(props: Props, depth: int) -> Drawn:
    label = _word(props.get("label") or props.get("name", ""))
    options = []
    for option in _several(props, "options"):
        value = option.get("value") if isinstance(option, Mapping) else option
        name = option.get("label", value) if isinstance(option, Mapping) else option
        mark = "*" if value is not None and value == props.get("value") else ""
        options.append(f"{mark}{_word(name)}")
    return [f"{label}: {' | '.join(options)}"]


_DRAWN: dict[str, Callable[[Props, int], Drawn]] = {
    "Text": _text,
    "Stack": _stack,
    "Section": _section,
    "Card": _card,
    "Stat": _stat,
    "Badge": _badge,
    "Alert": _alert,
    "Button": _button,
    "Table": _table,
    "Form": _form,
    "Input": _input,
    "Select": _select,
}
