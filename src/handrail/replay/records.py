"""The values that a log is read into: recorded calls, tool definitions, and what was no call.

A reader gives a stream of these in the order of the file, so that nothing of a log is lost: what
cannot be read is a value too, with its place and the way out.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple

from handrail.wire.shapes import UsageDict

__all__ = [
    "Answered",
    "Definition",
    "Item",
    "Offer",
    "Place",
    "Recorded",
    "Unanswered",
    "Unreadable",
    "content_key",
]


class Place(NamedTuple):
    """Where something stands in a log; lines count from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True, kw_only=True)
class Definition:
    """One tool as a log or a schema file tells of it.

    Attributes:
        place: Where it stands.
        name: Name of the tool, in any spelling.
        ref: What calls name it by; None is by name only.
        description: For the model; ``""`` if unknown.
        schema: JSON Schema of the arguments, not checked yet; None is an object of anything.
    """

    place: Place
    name: str
    ref: str | None = None
    description: str = ""
    schema: object = None


@dataclass(frozen=True, eq=False)
class Offer:
    """The tools that one request offered.

    Attributes:
        definitions: By name.
        texts: Names of tools that take free text, which is not judged.
    """

    definitions: Mapping[str, Definition]
    texts: frozenset[str] = frozenset()

    @cached_property
    def schemas(self) -> dict[str, Any]:  # Any: JSON Schema
        """JSON Schemas by name, for finding calls that were written as text."""
        return {
            name: one.schema if isinstance(one.schema, Mapping) else {}
            for name, one in self.definitions.items()
        }


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Recorded:
    """One call that a model made.

    Attributes:
        place: Where it stands.
        tool: Name of the tool as the model wrote it.
        arguments: As the model sent them: text, an object, or None.
        schema: Ref of a definition, or the JSON Schema itself; None if the row has none.
        unoffered: The row states that the tool was not offered.
        offer: The tools of the request; None if the log does not say.
        labels: Short texts of the row, which tell definitions of the same name apart.
        result: What the tool gave; None if not known.
        error: Whether the tool failed, or how; None if not known.
        call_id: What its result names it by; ``""`` if not known.
        conversation: Which conversation it belongs to.
        turn: Position of its message in the conversation, from 0.
        model: Which model made it.
        usage: Tokens of the whole reply, at its first call only; None if not known.
        finish_reason: ``length`` if the reply was cut off by its limit, ``interrupted`` if its
            stream broke off.
        as_text: The call was written as text instead of sent as a call.
    """

    place: Place
    tool: str
    arguments: str | Mapping[str, Any] | None = None  # Any: JSON values
    schema: str | Mapping[str, Any] | None = None  # Any: JSON Schema
    unoffered: bool = False
    offer: Offer | None = None
    labels: frozenset[str] = field(default_factory=frozenset)
    result: object = None
    error: object = None
    call_id: str = ""
    conversation: str | None = None
    turn: int | None = None
    model: str | None = None
    usage: UsageDict | None = None
    finish_reason: str | None = None
    as_text: bool = False

    @property
    def failed(self) -> bool | None:
        """Whether the tool failed; None if the log does not say."""
        return None if self.error is None else bool(self.error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What a tool gave for a call that an earlier row of the log holds.

    Attributes:
        place: Where the result stands.
        call_id: The `Recorded` ``call_id`` of the call.
        conversation: The conversation of the call; None if not known.
        result: What the tool gave.
        failed: Whether the tool failed; None if the log does not say.
    """

    place: Place
    call_id: str
    conversation: str | None = None
    result: object = None
    failed: bool | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A part of a log that could not be read; the rest goes on.

    Attributes:
        place: Where it stands.
        problem: What is wrong, as a sentence without its full stop.
        advice: The way out, as a sentence without its full stop.
    """

    place: Place
    problem: str
    advice: str

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}. {self.advice}."


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A request that got no reply, so that there is nothing to judge.

    Attributes:
        place: Where it stands.
        why: What stands there instead of a reply.
    """

    place: Place
    why: str


def content_key(value: object) -> bytes:
    """Hash of a value that came out of a JSON text; the order of keys counts."""
    return sha256(json.dumps(value).encode()).digest()


Item = Recorded | Answered | Definition | Unreadable | Unanswered
