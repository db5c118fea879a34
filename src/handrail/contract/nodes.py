"""Every schema that may hold at a place in the arguments, whichever branch was meant.

Feedback needs the one branch that came closest; mending must know all of them, because a reading
counts only if no other branch allows another one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from handrail.contract.words import Schema, resolve, types_of

__all__ = [
    "Nodes",
    "field_names",
    "is_open",
    "nodes_at",
    "options_of",
    "required_of",
    "types_at",
]

_UNIONS = ("anyOf", "oneOf", "allOf")
_MAX_DEPTH = 6
_MAX_NODES = 64


_MOST_PATHS = 2_000
"""Places that are remembered; arguments may be as deep and long as they like."""


class Nodes:
    """The schemas of the places of one root, remembered: the same fields fail again and again.

    Args:
        root: The whole schema.
    """

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._known: dict[tuple[str | int, ...], Sequence[Schema]] = {}
        self._options: dict[tuple[str | int, ...], list[str]] = {}

    def at(self, path: tuple[str | int, ...]) -> Sequence[Schema]:
        """As `nodes_at`."""
        nodes = self._known.get(path)
        if nodes is None:
            nodes = nodes_at(self._root, path)
            if len(self._known) < _MOST_PATHS:
                self._known[path] = nodes
        return nodes

    def options(self, path: tuple[str | int, ...]) -> list[str]:
        """As `options_of` for a place."""
        options = self._options.get(path)
        if options is None:
            options = options_of(self.at(path))
            if len(self._options) < _MOST_PATHS:
                self._options[path] = options
        return options


def nodes_at(root: Schema, path: Sequence[str | int]) -> list[Schema]:
    """The schemas that may hold at a place, unions and references resolved; at most 64."""
    nodes = list(_flat(root, root, _MAX_DEPTH))
    for part in path:
        below = [child for node in nodes for child in _children(node, part)]
        nodes = [leaf for child in below for leaf in _flat(child, root, _MAX_DEPTH)][:_MAX_NODES]
    return nodes


def _flat(schema: Any, root: Schema, depth: int) -> Iterator[Schema]:  # Any: JSON Schema
    schema = resolve(schema, root)
    yield {key: item for key, item in schema.items() if key not in _UNIONS}
    if depth > 0:
        for keyword in _UNIONS:
            for branch in schema.get(keyword, ()):
                yield from _flat(branch, root, depth - 1)


def _children(node: Schema, part: str | int) -> Iterator[Any]:  # Any: JSON Schema
    if isinstance(part, str):
        known = node.get("properties", {})
        patterns = node.get("patternProperties", {})
        matched = [item for pattern, item in patterns.items() if _matches(pattern, part)]
        yield from matched
        if part in known:
            yield known[part]
        elif not matched and isinstance(node.get("additionalProperties"), Mapping):
            yield node["additionalProperties"]
        return
    items = node.get("items")
    first = node.get("prefixItems", items if isinstance(items, list) else ())
    if part < len(first):
        yield first[part]
    elif isinstance(items, Mapping):
        yield items


def _matches(pattern: str, name: str) -> bool:
    try:
        return re.search(pattern, name) is not None
    except re.error:
        return False


def types_at(nodes: Sequence[Schema]) -> frozenset[str]:
    """JSON types that any of the schemas admits, as far as they say."""
    return frozenset(name for node in nodes for name in types_of(node, node))


def options_of(nodes: Sequence[Schema]) -> list[str]:
    """Every text that some schema lists."""
    found: dict[str, None] = {}
    for node in nodes:
        for option in (*_listed(node.get("enum")), node.get("const")):
            if isinstance(option, str):
                found[option] = None
    return list(found)


def _listed(stated: Any) -> Sequence[Any]:  # Any: JSON values
    return stated if isinstance(stated, list | tuple) else ()


def field_names(nodes: Sequence[Schema]) -> list[str]:
    """Every field that some schema names."""
    names = (
        name
        for node in nodes
        for name, field in node.get("properties", {}).items()
        if field is not False
    )
    return list(dict.fromkeys(names))


def required_of(nodes: Sequence[Schema]) -> frozenset[str]:
    """Every field that some schema requires."""
    return frozenset(name for node in nodes for name in _listed(node.get("required")))


def is_open(nodes: Sequence[Schema]) -> bool:
    """Whether some schema states that further fields may be given."""
    for node in nodes:
        further = node.get("additionalProperties", node.get("unevaluatedProperties", False))
        if further is not False or node.get("patternProperties"):
            return True
    return False
