"""What a turn is for, and what the user's own words ask of its evidence.

The words are looked up, never understood: a few English words that change what counts as done.
Where none of them stands, nothing is asked beyond the rules. Source: seed 003.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from handrail.contract.late import late
from handrail.errors import ConfigError

__all__ = ["Goal", "asks_for_all", "asks_for_status", "content_words"]


@dataclass(frozen=True, slots=True)
class Goal:
    """What a turn is for.

    Attributes:
        text: What is wanted, in the user's words.
        kind: ``query``: something is to be found out. ``action``: something is to be done, and
            finding out about it is not doing it.
        needs: Names of the tools whose successful result is required.

    Raises:
        ConfigError: A value makes no sense.
    """

    text: str
    kind: Literal["query", "action"] = "query"
    needs: Sequence[str] = ()

    def __post_init__(self) -> None:
        text: object = self.text
        if not isinstance(text, str):
            raise ConfigError(f"Goal.text={text!r} must be text")
        if self.kind not in ("query", "action"):
            raise ConfigError(f"Goal.kind={self.kind!r} must be 'query' or 'action'")
        named: object = self.needs
        needs = [named] if isinstance(named, str) else named
        if not isinstance(needs, list | tuple) or not all(isinstance(n, str) for n in needs):
            raise ConfigError(f"Goal.needs={named!r} must be a list of tool names")
        object.__setattr__(self, "needs", tuple(needs))


_QUOTED = late(r"\"[^\"]*\"|“[^”]*”|«[^»]*»")
_ALL = late(r"\b(?:all|everyone|everybody|everything|every|entire|entirety|whole)\b", re.I)
_NOT_ALL = late(
    r"\b(?:at|after|above|first of|once and for|that['’]?s|that is) all\b"
    r"|\ball (?:right|of a sudden|the best|the same)\b|\bevery (?:now and then|so often)\b"
    r"|(?:\bnot|n['’]t|\bnever|\bno)(?:\s+\w+){0,2}?\s+(?:all|every\w*|entire|whole)\b"
    r"|\bon the whole\b",
    re.I,
)
_STATUS = late(
    r"\b(?:status|latest|newest|most recent|current|currently|right now|so far|still|yet"
    r"|progress|updates?|up to date|any news|how far)\b",
    re.I,
)
_WORD = late(r"[^\W_]{3,}")
_COMMON_LISTED = (
    "the and for are was were with what when where which who whom whose how why this that these "
    "those there here has have had can could will would should shall may might must does did "
    "about from into onto over under than then them they their our your you his her its any "
    "some all every everyone everybody everything entire whole please tell show give find list "
    "get look let know status latest newest most recent current currently right now far still "
    "yet progress update updates news not but out me my mine"
)
_COMMON = frozenset(_COMMON_LISTED.split())
_STEM = 5


def asks_for_all(*texts: str) -> bool:
    """Whether the words ask for everything: all, everyone, every, entire, whole.

    Not counted is what stands in quotation marks (it is a name), phrases that only look so («at
    all»), and what is negated.
    """
    return any(_ALL.search(_NOT_ALL.sub(" ", _QUOTED.sub(" ", text))) for text in texts)


def asks_for_status(*texts: str) -> bool:
    """Whether the words ask how something stands that goes on changing."""
    return any(_STATUS.search(_QUOTED.sub(" ", text)) for text in texts)


def content_words(*texts: str) -> frozenset[str]:
    """The words by which a candidate is known to be about the same thing.

    Words that every question holds are left out, and so are endings: the first five letters count.
    """
    return frozenset(_stems(word for text in texts for word in _WORD.findall(text.casefold())))


def _stems(words: Iterable[str]) -> Iterable[str]:
    return (word[:_STEM] for word in words if word not in _COMMON)
