"""What a rule looks at, and what it finds."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from handrail.sdk.blame import Place
from handrail.sdk.collecting import Refusal
from handrail.sdk.extension import Extension
from handrail.sdk.function import Function
from handrail.sdk.rules.source import Sources, place_of

__all__ = ["App", "Check", "Found", "Level"]


class Level(StrEnum):
    """How bad a finding is."""

    ERROR = "ERROR"
    WARN = "WARN"
    INFO = "INFO"


class Found(NamedTuple):
    """What a rule found in one place.

    Attributes:
        message: What is wrong, one sentence that names the thing.
        place: The author's line.
    """

    message: str
    place: Place


@dataclass(frozen=True)
class App:
    """An extension under validation.

    Attributes:
        ext: The extension.
        refusals: Declarations that were refused while it was imported.
        system_authors: Who may declare an app that is part of the host.
    """

    ext: Extension
    refusals: Sequence[Refusal] = ()
    system_authors: Sequence[str] = field(default=())

    @property
    def functions(self) -> tuple[Function, ...]:
        """What ``@chat.function`` declared."""
        return self.ext.functions

    @property
    def callables(self) -> tuple[Function, ...]:
        """What can be called by name: functions and tools."""
        return (*self.ext.functions, *self.ext.tools)

    @property
    def place(self) -> Place:
        """Where the extension is made."""
        return self.ext.place

    @property
    def folder(self) -> Path:
        """Where its file stands."""
        return Path(self.ext.place.file).resolve().parent

    @cached_property
    def sources(self) -> Sources:
        """The author's files."""
        handlers = [one.handler for one in self.callables]
        handlers += [one.handler for one in self.ext.subscriptions]
        handlers += [one.handler for one in self.ext.panels]
        handlers += [one.handler for one in self.ext.sections]
        files = [self.ext.place.file, *(place_of(handler).file for handler in handlers)]
        files += [one.place.file for one in self.callables]
        return Sources(self.folder, files)


Check = Callable[[App], Iterable[Found]]
