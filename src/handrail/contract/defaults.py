"""Arguments with the defaults that their schema states: what two calls are compared by.

Nested objects and array items are filled too; an absent object is not made up. Inside unions
nothing is filled, since the branch is not known. A schema is read once: what is left of it is the
few places where a default stands, so that most arguments are not walked at all.
"""

from collections.abc import Mapping
from typing import Any

__all__ = ["Defaults"]

_MAX_REFS = 32
"""`$ref` followed one after another before a schema counts as circular."""


class _Node:
    """What is filled in at one place.

    Attributes:
        parts: What each of ``allOf`` fills in.
        stated: Defaults of absent fields.
        fields: What is filled in below fields that are there.
        items: What is filled in below each item of an array.
    """

    __slots__ = ("fields", "items", "parts", "stated")

    def __init__(self) -> None:
        self.parts: list[_Node] = []
        self.stated: dict[str, Any] = {}  # Any: JSON values
        self.fields: dict[str, _Node] = {}
        self.items: _Node | None = None

    def below(self) -> list["_Node"]:
        """The places inside this one."""
        return [*self.parts, *self.fields.values(), *([self.items] if self.items else [])]

    def fill(self, value: Any) -> Any:  # Any: JSON values
        """The value with what is absent; itself where nothing is."""
        for part in self.parts:
            value = part.fill(value)
        if isinstance(value, dict):
            changed = {name: item for name, item in self.stated.items() if name not in value}
            for name, node in self.fields.items():
                if name in value:
                    inner = node.fill(value[name])
                    if inner is not value[name]:
                        changed[name] = inner
            return {**value, **changed} if changed else value
        if isinstance(value, list) and self.items is not None:
            filled = [self.items.fill(item) for item in value]
            same = all(new is old for new, old in zip(filled, value, strict=True))
            return value if same else filled
        return value


class Defaults:
    """The defaults of one schema.

    Args:
        schema: JSON Schema; references into itself are followed.

    Attributes:
        flat: The defaults of the fields at the top, where there are no others; else None.
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:  # Any: JSON Schema
        self._root = schema
        self._made: dict[object, _Node] = {}
        top = self._node(schema)
        alive = _alive(list(self._made.values()))
        for node in self._made.values():
            _prune(node, alive)
        self._top = top if id(top) in alive else None
        self.flat: dict[str, Any] | None = None if top.below() else top.stated  # Any: JSON values

    def fill(self, value: Any) -> Any:  # Any: JSON values
        """The value plus every default that is stated for an absent property.

        The value itself is not changed; where nothing is absent, it is what is given back.
        """
        return value if self._top is None else self._top.fill(value)

    def _node(self, schema: Any) -> _Node:  # Any: JSON Schema
        if isinstance(schema, Mapping) and list(schema) == ["$ref"]:
            key: object = str(schema["$ref"])
        else:
            key = id(schema)  # of a part of the root, which lives as long as this
        node = self._made.get(key)
        if node is None:
            node = self._made[key] = _Node()
            self._read(node, _resolved(schema, self._root))
        return node

    def _read(self, node: _Node, schema: Any) -> None:  # Any: JSON Schema
        if not isinstance(schema, Mapping):
            return
        node.parts = [self._node(part) for part in schema.get("allOf", ())]
        for name, field in schema.get("properties", {}).items():
            stated = _resolved(field, self._root)
            if isinstance(stated, Mapping) and "default" in stated:
                node.stated[name] = stated["default"]
            node.fields[name] = self._node(field)
        if isinstance(schema.get("items"), Mapping):
            node.items = self._node(schema["items"])


def _alive(nodes: list[_Node]) -> set[int]:
    """Ids of the nodes that fill in anything, or hold one that does."""
    alive = {id(node) for node in nodes if node.stated}
    while more := {
        id(node)
        for node in nodes
        if id(node) not in alive and any(id(inner) in alive for inner in node.below())
    }:
        alive |= more
    return alive


def _prune(node: _Node, alive: set[int]) -> None:
    node.parts = [part for part in node.parts if id(part) in alive]
    node.fields = {name: inner for name, inner in node.fields.items() if id(inner) in alive}
    if node.items is not None and id(node.items) not in alive:
        node.items = None


def _resolved(schema: Any, root: Mapping[str, Any]) -> Any:  # Any: JSON Schema
    for _ in range(_MAX_REFS):
        if not isinstance(schema, Mapping):
            return schema
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#"):
            return schema
        target: Any = root  # Any: JSON Schema
        for part in reference[1:].split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(target, Mapping) or part not in target:
                return schema
            target = target[part]
        others = {key: item for key, item in schema.items() if key != "$ref"}
        schema = {**target, **others} if isinstance(target, Mapping) else target
    return schema
