"""Which contract judges a recorded call: found by what the row says, compiled once.

In this order: a tool of the candidate toolbox; the schema or the ref in the row; the tools that
its request offered; a definition of that name from a schema file or from the log. Where several
definitions share a name, the one is taken whose ref is made of labels that the row has
(``shop/eu/find_order`` for a row with ``"source": "shop"`` and ``"domain": "eu"``).
"""

import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from handrail.contract.preview import word
from handrail.contract.tool import Tool
from handrail.errors import ContractError
from handrail.replay.records import Definition, Place, Recorded, content_key

__all__ = ["Catalogue", "Contract", "Faulty", "Match", "NotOffered", "Unknown", "tool_name"]

_FOREIGN = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME = 64
_COMPILED = 4096
_VIEWS = 1024
_ANYTHING: Mapping[str, Any] = {"type": "object", "properties": {}}  # Any: JSON Schema


@dataclass(frozen=True, eq=False)
class Contract:
    """A tool under the name that the model knows.

    Attributes:
        tool: The tool.
        name: Its name in the log.
        declared: Whether its author says what it does, and not only a schema what it takes.
        ref: What a schema file calls it, where several tools share a name.
    """

    tool: Tool
    name: str
    declared: bool = False
    ref: str | None = None

    @property
    def schema(self) -> Mapping[str, Any]:  # Any: JSON Schema
        """The published JSON Schema of the arguments."""
        return self.tool.schema

    @property
    def when_to_use(self) -> str:
        """The intent."""
        return self.tool.when_to_use

    @cached_property
    def format_issue(self) -> Any:  # Any: the author's function, or None
        """The author's own words for an issue."""
        return self.tool.format_issue


class NotOffered(NamedTuple):
    """The tool is not among those that the model was offered."""

    names: Sequence[str]


class Unknown(NamedTuple):
    """Nothing tells what the tool takes."""

    why: str


class Faulty(NamedTuple):
    """What should be the schema of the tool is none."""

    place: Place
    faults: tuple[str, ...]


Match = Contract | NotOffered | Unknown | Faulty


class Catalogue:
    """The contracts that are known, and the one that fits a call.

    Args:
        tools: Tools of a candidate toolbox; they come before whatever the log says.
    """

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._own = {tool.name: Contract(tool, tool.name, declared=True) for tool in tools}
        self._by_ref: dict[str, Definition] = {}
        self._by_name: dict[str, list[Definition]] = {}
        self._compiled: WeakKeyDictionary[Definition, Match] = WeakKeyDictionary()
        self._by_content: OrderedDict[bytes, Match] = OrderedDict()
        self._views: dict[frozenset[str], tuple[str, ...]] = {}
        self._schemas: dict[str, Any] | None = None  # Any: JSON Schema
        self._candidates: frozenset[str] = frozenset()

    def prefer(self) -> None:
        """From here on, tools that are known now come before what a row or its request says."""
        self._candidates = frozenset(self._by_name)

    def add(self, definition: Definition) -> Faulty | None:
        """Take up a definition; a later one replaces an earlier one of the same ref.

        Gives what is wrong with its schema.
        """
        same = self._by_name.setdefault(definition.name, [])
        same[:] = [one for one in same if one.ref != definition.ref]
        same.append(definition)
        if definition.ref:
            self._by_ref[definition.ref] = definition
        self._views.clear()
        self._schemas = None
        made = self._contract(definition)
        return made if isinstance(made, Faulty) else None

    @property
    def names(self) -> tuple[str, ...]:
        """Every tool that is known apart from requests."""
        return tuple(dict.fromkeys((*self._own, *self._by_name)))

    @property
    def schemas(self) -> Mapping[str, Any]:  # Any: JSON Schema
        """Schemas by name, for finding calls that were written as text."""
        if self._schemas is None:
            found = {
                name: one.schema if isinstance(one.schema, Mapping) else {}
                for name, several in self._by_name.items()
                for one in several[:1]
            }
            self._schemas = found | {name: one.schema for name, one in self._own.items()}
        return self._schemas

    def match(self, call: Recorded) -> Match:
        """The contract of a call, or why there is none."""
        if call.tool in self._own:
            return self._own[call.tool]
        referred = isinstance(call.schema, str) and call.schema in self._by_ref
        if call.tool in self._candidates and not referred and not call.unoffered:
            return self._named(call)
        if isinstance(call.schema, Mapping):
            inline = Definition(place=call.place, name=call.tool, schema=call.schema)
            return self._contract(inline)
        if call.schema is not None:
            return self._referred(call, call.schema)
        if call.offer is not None:
            offered = call.offer.definitions
            if call.tool in offered:
                return self._contract(offered[call.tool])
            return NotOffered(tuple(dict.fromkeys((*offered, *self._own))))
        return self._named(call)

    def _referred(self, call: Recorded, ref: str) -> Match:
        if ref in self._by_ref:
            return self._contract(self._by_ref[ref])
        if ref == call.tool or ref in self._by_name:
            return self._named(call)
        return Unknown(f"the schema {word(ref)} is in no schema file")

    def _named(self, call: Recorded) -> Match:
        names = self.names
        if not names:
            return Unknown("no schemas are known")
        several = self._by_name.get(call.tool)
        if call.unoffered or not several:
            return NotOffered(self._visible(call.labels))
        best = _nearest(several, call.labels)
        first = best[0]
        if all((one.schema, one.output) == (first.schema, first.output) for one in best):
            return self._contract(first)
        return Unknown(f"several schemas are named {word(call.tool)}")

    def _visible(self, labels: frozenset[str]) -> tuple[str, ...]:
        """Names that the row's labels point to; every name if they point nowhere."""
        if labels not in self._views:
            if len(self._views) >= _VIEWS:
                self._views.clear()
            every = [one for several in self._by_name.values() for one in several]
            near = _nearest(every, labels) if any(_score(one, labels) for one in every) else every
            self._views[labels] = tuple(dict.fromkeys((*self._own, *(one.name for one in near))))
        return self._views[labels]

    def _contract(self, definition: Definition) -> Match:
        known = self._compiled.get(definition)
        if known is None:
            key = content_key(_content(definition))
            known = self._by_content.get(key)
            if known is None:
                known = self._by_content[key] = _compile(definition)
                if len(self._by_content) > _COMPILED:
                    self._by_content.popitem(last=False)
            self._compiled[definition] = known
        return known


def tool_name(recorded: str) -> str:
    """A recorded name as contracts take names."""
    name = _FOREIGN.sub("_", recorded)[:_LONGEST_NAME]
    if not name or not (name[0].isalpha() or name[0] == "_"):
        name = f"_{name}"[:_LONGEST_NAME]
    return name


def _score(definition: Definition, labels: frozenset[str]) -> int:
    parts = (definition.ref or "").split("/")[:-1]
    return sum(part in labels for part in parts)


def _nearest(several: Sequence[Definition], labels: frozenset[str]) -> list[Definition]:
    best = max(_score(one, labels) for one in several)
    return [one for one in several if _score(one, labels) == best]


def _content(definition: Definition) -> list[object]:
    """What makes one contract of two definitions."""
    return [definition.name, definition.ref, definition.schema, definition.output]


def _compile(definition: Definition) -> Match:
    schema = definition.schema
    output = definition.output if isinstance(definition.output, Mapping) else None
    if schema is None or schema == {}:
        schema = _ANYTHING
    if not isinstance(schema, Mapping):
        kind = type(schema).__name__
        return Faulty(definition.place, (f"it must be an object, not {kind}",))
    name = tool_name(definition.name)
    try:
        described = definition.description.strip() or name
        tool = Tool.from_json_schema(name, described, schema, output_schema=output)
    except ContractError as error:
        return Faulty(definition.place, error.faults)
    return Contract(tool, definition.name, ref=definition.ref)
