"""What the model can have seen: the source of every real id."""

from collections.abc import Iterable, Iterator
from typing import Protocol

__all__ = ["Seen"]


class _HasContent(Protocol):
    @property
    def content(self) -> str: ...


class Seen:
    """Texts and ids that were shown to the model in a turn.

    Args:
        texts: What the user wrote, and other given context.
        ids: Ids that the host vouches for.
    """

    __slots__ = ("_ids", "_results", "_texts")

    def __init__(self, texts: Iterable[str] = (), ids: Iterable[object] = ()) -> None:
        self._texts = [text for text in texts if text]
        self._ids = {str(one) for one in ([ids] if isinstance(ids, str) else ids)}
        self._results: list[_HasContent] = []

    def add_text(self, text: str) -> None:
        """Something that was shown to the model."""
        self._texts.append(text)

    def add_result(self, result: _HasContent) -> None:
        """A tool's result; its text is made only if somebody asks."""
        self._results.append(result)

    def __call__(self, value: str) -> bool:
        """Whether this id occurred, whole, in anything shown so far."""
        if value in self._ids:
            return True
        return any(_holds(text, value) for text in self._all_texts())

    def _all_texts(self) -> Iterator[str]:
        yield from self._texts
        for result in self._results:
            yield result.content


def _holds(text: str, value: str) -> bool:
    start = text.find(value)
    while value and start >= 0:
        end = start + len(value)
        before = text[start - 1] if start else " "
        after = text[end] if end < len(text) else " "
        if not _joins(before) and not _joins(after):
            return True
        start = text.find(value, start + 1)
    return False


def _joins(char: str) -> bool:
    return char.isalnum() or char == "_"
