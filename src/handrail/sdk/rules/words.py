"""Rules about the words that a model chooses by."""

import re
from collections.abc import Iterator

from handrail.contract.similarity import bare
from handrail.sdk.function import Function
from handrail.sdk.rules.app import App, Found

__all__ = ["distinct", "impersonal"]

_PERSON = re.compile(
    r"(?:^|[.!?;:,(]\s*|\b(?:and|as|if|or|so|that|then|what|when)\s+)(I)(?=\s+[a-z])"
    r"|\bI'(?:ll|m|ve|d)\b|\b[Ww]e\b(?!-)|\b[Yy]ou\b(?!-)"
)
"""A person as the subject; "your notes" and "phase I" are none."""

_WORD = re.compile(r"[^\W_]+")
_EMPTY = frozenset(
    {"a", "all", "an", "and", "by", "for", "from", "in", "its", "new", "of", "on", "or", "the"}
    | {"to", "their", "this", "that", "user", "users", "s", "with"}
)


def distinct(app: App) -> Iterator[Found]:
    """V44: no two tools have the same name but for its writing, or say the same words."""
    seen: dict[object, Function] = {}
    for function in app.callables:
        words = frozenset(_words(_description(function)))
        for key in (bare(function.name), words or None):
            if key is None:
                continue
            first = seen.setdefault(key, function)
            if first is not function:
                told = f"a model cannot tell {function.name} from {first.name}"
                yield Found(told, function.place)
                break


def impersonal(app: App) -> Iterator[Found]:
    """V45: a description speaks about the tool, not as somebody to somebody."""
    for function in app.callables:
        found = _PERSON.search(_description(function))
        if found:
            said = found[1] or found[0]
            told = f"the description of {function.name} speaks in person ({said!r})"
            yield Found(told, function.place)


def _description(function: Function) -> str:
    if function.tool is not None:
        return function.tool.description
    return str(function.declared.description)


def _words(text: str) -> Iterator[str]:
    for word in _WORD.findall(text.casefold()):
        if word not in _EMPTY:
            yield word.removesuffix("s")
