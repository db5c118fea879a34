"""The rows of a result as candidates: what they are called, how old and how well scored they are.

Only names of keys and shapes of values are looked at, so that any tool's result can be read
without its author's help.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from handrail.contract.goal import content_words
from handrail.contract.similarity import bare

__all__ = ["Candidate", "candidates_of", "chosen", "id_in", "newest"]

_DEPTH = 3
_MOST = 1_000
_MOST_TEXT = 1_000_000
_LABELS = ("name", "title", "label", "display_name", "subject", "summary", "full_name", "text")
_TIMES_LISTED = (
    "at time timestamp date datetime when start startsat starttime createdat created updatedat "
    "updated modifiedat modified occurredat happenedat eventtime eventdate lastseen sentat "
    "receivedat publishedat loggedat"
)
_TIMES = frozenset(_TIMES_LISTED.split())
_SCORES = frozenset({"score", "relevance", "similarity", "rank_score", "confidence"})
_BARE_IDS = frozenset({"id", "uid", "uuid", "guid"})
_EPOCH_MS = 100_000_000_000
_MOST_SCORE = 1e300
JSON = Mapping[str, Any]  # Any: JSON values


class Candidate(NamedTuple):
    """One row of a result.

    Attributes:
        row: The row itself.
        listed: Key of the list that it stands in; ``""`` where the result is the list.
        at: Its time, seconds since the epoch; None where it has none.
        score: How well it is said to fit; None where nothing says so.
    """

    row: JSON
    listed: str = ""
    at: float | None = None
    score: float | None = None

    @property
    def label(self) -> str:
        """What a person would call it; ``""`` where no key says so."""
        found = (self.row.get(key) for key in _LABELS)
        return next((one.strip() for one in found if isinstance(one, str) and one.strip()), "")

    def is_about(self, words: frozenset[str]) -> bool:
        """Whether one of these words (`content_words`) stands in its values."""
        return not words.isdisjoint(content_words(*_texts(self.row)))


def candidates_of(data: object) -> list[Candidate]:
    """The rows of a result: of a list of objects, or of the lists inside an object.

    A single object is what was looked up, not something to choose from.
    """
    if isinstance(data, str):
        data = _parsed(data)
    found: list[Candidate] = []
    for listed, row in _rows(data, "", _DEPTH):
        if len(found) == _MOST:
            break
        found.append(Candidate(row, listed, _time(row), _score(row)))
    return found


def id_in(row: JSON, name: str, *, alone: bool) -> str | int | None:
    """The id for an argument of this name that a row carries.

    Args:
        row: The row.
        name: Name of the argument, such as ``contact_id``, ``contactId`` or ``contact_ids``.
        alone: Whether a plain ``id`` of the row can only be this one.
    """
    wanted = bare(name).removesuffix("s")
    for key, value in row.items():
        if bare(str(key)) == wanted and _is_id(value):
            return value  # type: ignore[no-any-return]  # just checked
    for key, value in row.items():
        if alone and bare(str(key)) in _BARE_IDS and _is_id(value):
            return value  # type: ignore[no-any-return]  # just checked
    return None


def newest(found: Sequence[Candidate], words: frozenset[str]) -> Candidate | None:
    """The latest row with a time among those that are about the goal; None where there is none."""
    dated = [one for one in found if one.at is not None]
    about = [one for one in dated if one.is_about(words)] if words else dated
    return max(about, key=lambda one: one.at or 0.0, default=None)


def chosen(found: Sequence[Candidate], words: frozenset[str]) -> Candidate | None:
    """The row to look at first: about the goal, best scored, first in the list."""
    about = [one for one in found if one.is_about(words)] or list(found)
    return max(about, key=lambda one: -math.inf if one.score is None else one.score, default=None)


def _parsed(text: str) -> object:
    if text[:1] not in "[{" or len(text) > _MOST_TEXT:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _rows(data: object, listed: str, depth: int) -> Iterator[tuple[str, JSON]]:
    if isinstance(data, list | tuple):
        yield from ((listed, item) for item in data if isinstance(item, Mapping))
    elif isinstance(data, Mapping) and depth:
        for key, value in data.items():
            if isinstance(value, list | Mapping):
                yield from _rows(value, str(key), depth - 1)


def _texts(value: object, depth: int = _DEPTH) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, Mapping | list):
        inner = value.values() if isinstance(value, Mapping) else value
        for one in inner:
            yield from _texts(one, depth - 1)


def _time(row: JSON) -> float | None:
    times = (_seconds(value) for key, value in row.items() if bare(str(key)) in _TIMES)
    return max((time for time in times if time is not None), default=None)


def _seconds(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, int | float):
            seconds = value / 1000 if abs(value) > _EPOCH_MS else float(value)
            return seconds if math.isfinite(seconds) else None
        if not isinstance(value, str):
            return None
        when = datetime.fromisoformat(value[:64])
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _score(row: JSON) -> float | None:
    for key, value in row.items():
        if str(key).lower() in _SCORES and isinstance(value, int | float):
            known = not isinstance(value, bool) and -_MOST_SCORE < value < _MOST_SCORE
            return float(value) if known else None
    return None


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""
