"""Screens: what a schema cannot see in arguments that fit it.

A small model that lacks a value does not leave it out, it invents one: a placeholder, an id of
the right look, the text of the error it was just shown, a tool that ought to exist. Each screen
finds one of these, VAL-016 to VAL-020, at any depth, in one walk that neither recurses nor
copies a value.

*The shape of an invented id* is the one seen in recorded traffic, ``gmail-inbox-4``: two or more
words joined by hyphens, then a number, and nothing else. A word is two or more letters with up
to four digits after them (``office365``), the number has at most nine digits. So UUIDs (five
groups, the last of twelve), hex ids, ``C-9921`` (one word), timestamps (ten digits) and
``sofia_kim_7287`` (underscores, which real ids use as often as invented ones) do not match.

Each screen reports at most `LIMIT` findings: more would say the same, and cost more to say.
Sources: seed 000, I-AH-1; the contract `handrail/1`, section 1.
"""

import heapq
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, TypeAlias

from pydantic_core import SchemaError, SchemaValidator, core_schema

from handrail.contract.issue import CODES, Issue, Severity, join_pointer
from handrail.contract.pointer import safe_pointer
from handrail.contract.preview import is_secret_field, preview, word
from handrail.contract.walk import Place, leaves, parts, strings

__all__ = [
    "ALWAYS_IDS",
    "LIMIT",
    "Echo",
    "IdPattern",
    "echo_of",
    "echoes_of",
    "error_echoes",
    "fabricated_ids",
    "id_patterns",
    "is_error_text",
    "placeholders",
    "unknown_tool",
    "unseen_ids",
]

LIMIT = 1_000
"""Findings that one screen reports."""

ALWAYS_IDS = frozenset({"message_id", "thread_id", "email_id", "msg_id"})
"""Fields whose values only a provider mints (I-AH-1); screened without being declared."""

IdPattern: TypeAlias = str | re.Pattern[str]
"""What every real id matches from end to end."""

Echo: TypeAlias = Literal["is", "contains"]
"""Whether a text is one of our error texts, or holds one among other words."""

# Placeholders.

_PLACEHOLDER = re.compile(r"<\w[\w \-]{0,99}>")


def placeholders(value: object) -> list[Issue]:
    """VAL-016 for every string that is nothing but ``<UPPER_CASE>``.

    Inside may be letters, digits, underscores, hyphens and spaces, at most 100, no letter of
    them lower case; white space around it does not make it a real value.
    """
    found: list[Issue] = []
    for place, _, text in strings(value):
        if "<" in text and _is_placeholder(text.strip()):
            found.append(_issue("VAL-016", place, text, "ask the user for the real value of {}"))
            if len(found) == LIMIT:
                break
    return found


def _is_placeholder(text: str) -> bool:
    return _PLACEHOLDER.fullmatch(text) is not None and text.isupper()


# Ids.

_INVENTED = re.compile(r"(?:[^\W\d_]{2,}\d{0,4}-){2,}\d{1,9}")

_USE_REAL_ID = "use a tool that returns real ids to find {}"


def id_patterns(
    ids: Iterable[str] | Mapping[str, IdPattern | None],
) -> Mapping[str, IdPattern | None]:
    """Declared ids in the form that the screens take: field to pattern, or to None.

    Raises:
        ValueError: A pattern is not a regular expression, or a field has no name.
    """
    declared = dict(ids) if isinstance(ids, Mapping) else _unpatterned(ids)
    for name, pattern in declared.items():
        if not isinstance(name, str) or not name:
            raise ValueError(f"ids takes names of fields, got {name!r}")
        if pattern is None:
            continue
        if not isinstance(pattern, str | re.Pattern):
            raise ValueError(f"the id pattern of {name!r} is no text, got {pattern!r}")
        try:
            _matcher(pattern)
        except re.error as fault:
            raise ValueError(f"the id pattern of {name!r} is not valid: {fault}") from fault
    return MappingProxyType(declared)


def _unpatterned(ids: Iterable[str]) -> dict[str, IdPattern | None]:
    return dict.fromkeys([ids] if isinstance(ids, str) else ids)


def fabricated_ids(
    value: object, ids: Mapping[str, IdPattern | None], seen: Callable[[str], bool]
) -> list[Issue]:
    """VAL-017 for every id that was never seen and looks invented.

    Args:
        value: The arguments.
        ids: Declared id fields, by name at any depth, lists of ids included; `ALWAYS_IDS` are
            screened too. A pattern replaces the shape: what does not match it is reported.
        seen: Whether an id occurred in user text, tool results or given context. Asked only
            about ids that look invented; numbers as their text.
    """
    found: list[Issue] = []
    for place, name, item in leaves(value):
        if name is None or (name not in ids and name not in ALWAYS_IDS):
            continue
        text = _id_text(item)
        if text is None:
            continue
        pattern = ids.get(name)
        real = _matcher(pattern)(text) if pattern is not None else not _is_invented(text)
        if real or seen(text):
            continue
        found.append(_issue("VAL-017", place, text, _USE_REAL_ID, _id_words(pattern)))
        if len(found) == LIMIT:
            break
    return found


def unseen_ids(value: object, ids: Collection[str], seen: Callable[[str], bool]) -> list[Issue]:
    """VAL-018 for every value of the given id fields that was never seen.

    An empty string names no id and is left to the schema.

    Args:
        value: The arguments.
        ids: Fields, by name at any depth, lists of ids included.
        seen: As in `fabricated_ids`.
    """
    found: list[Issue] = []
    for place, name, item in leaves(value):
        if name is None or name not in ids:
            continue
        text = _id_text(item)
        if not text or seen(text):
            continue
        found.append(_issue("VAL-018", place, text, _USE_REAL_ID))
        if len(found) == LIMIT:
            break
    return found


def _is_invented(text: str) -> bool:
    return _INVENTED.fullmatch(text) is not None


def _id_text(item: object) -> str | None:
    if isinstance(item, str):
        return item
    if isinstance(item, bool) or not isinstance(item, int | float):
        return None
    if isinstance(item, float):
        return str(int(item)) if item.is_integer() else repr(item)
    return str(item) if item.bit_length() < 4_096 else hex(item)


@lru_cache(maxsize=1_024)
def _matcher(pattern: IdPattern) -> Callable[[str], bool]:
    """A whole-text match, in linear time where the pattern allows it.

    The model chooses the text, so a pattern such as ``(a+)+b`` must not let it choose the
    running time as well: the engine without backtracking comes first. What only Python's engine
    knows (look-around, back references) and compiled patterns run on Python's.
    """
    if isinstance(pattern, str):
        re.compile(pattern)
        try:
            whole = core_schema.str_schema(pattern=rf"\A(?:{pattern})\z", strict=True)
            return SchemaValidator(whole).isinstance_python
        except SchemaError:
            pass
    compiled = re.compile(pattern)
    return lambda text: compiled.fullmatch(text) is not None


def _id_words(pattern: IdPattern | None) -> str | None:
    if pattern is None:
        return None
    return f"id with pattern {word(pattern if isinstance(pattern, str) else pattern.pattern)}"


# Error echo.

_LONGEST_TEXT = 4_000
_LONGEST_JSON = 16_000
_HEADER = "Validation failed for tool '"
_REFUSED = " was not called ("
_VERDICT = re.compile(
    r"Tool '[^'\n]{1,200}' "
    r"(?:validation failed after \d{1,3} attempt|was not called \((?:attempt \d|refused))"
)
_ITEM = re.compile(
    r"^(?:[•·*-] ?)?(?:/[^\s()]{0,256}|\(root\)) \((?:VAL|BUD)-\d{3}\): ", re.MULTILINE
)
_JSON_MARKS = re.compile(
    r'\\?"format\\?"\s*:\s*\\?"handrail/\d'
    r'|\\?"type\\?"\s*:\s*\\?"urn:handrail:'
    r'|\\?"RESULT\\?"\s*:\s*\\?"ERROR\\?"\s*,\s*\\?"error_code'
)
_MESSAGES = tuple(
    f"{row.code}: {opening}" for row in CODES.values() if (opening := row.message.split("{")[0])
)


def is_error_text(text: str) -> bool:
    """Whether a text is one of our feedback texts, told by its fixed opening.

    Known are the summary line, an item line ``/path (VAL-001): ``, a code with the opening of
    its message, the escalation line, and our JSON forms as a whole object. Longer than
    any feedback can be, a text is not one; it may still contain one.
    """
    text = text.strip()
    if text.startswith("{"):
        return len(text) <= _LONGEST_JSON and _is_error_json(text)
    return len(text) <= _LONGEST_TEXT and (
        text.startswith((_HEADER, *_MESSAGES))
        or _VERDICT.match(text) is not None
        or _ITEM.match(text) is not None
    )


def _is_error_json(text: str) -> bool:
    if not _JSON_MARKS.search(text):
        return False
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and (
        str(value.get("format")).startswith("handrail/")
        or str(value.get("type")).startswith("urn:handrail:")
        or (value.get("RESULT") == "ERROR" and "error_code" in value)
    )


def echo_of(text: str) -> Echo | None:
    """Whether a text is, or contains, something that only our feedback says."""
    if len(text) < 16:
        return None
    if is_error_text(text):
        return "is"
    if _HEADER in text or (_REFUSED in text and _VERDICT.search(text)):
        return "contains"
    if ("(VAL-" in text or "(BUD-" in text) and _ITEM.search(text):
        return "contains"
    if ("handrail" in text or "RESULT" in text) and _JSON_MARKS.search(text):
        return "contains"
    return None


def echoes_of(texts: Iterable[str]) -> Callable[[str], Echo | None]:
    """`echo_of` that also knows the very texts a model was shown, white space aside.

    Args:
        texts: What was shown; texts shorter than 16 characters are left out.
    """
    known = frozenset(plain for text in texts if len(plain := " ".join(text.split())) >= 16)

    def echo(text: str) -> Echo | None:
        general = echo_of(text)
        if general == "is" or not known or len(text) < 16:
            return general
        plain = " ".join(text.split())
        if plain in known:
            return "is"
        return "contains" if any(one in plain for one in known) else general

    return echo


def error_echoes(value: object, echoes: Callable[[str], Echo | None] = echo_of) -> list[Issue]:
    """VAL-020 for every string that repeats an error text; meant for writes.

    A value that *is* one blocks the call; a value that contains one among other words, such as a
    bug report, is a warning.
    """
    found: list[Issue] = []
    for place, _, text in strings(value):
        echo = echoes(text)
        if echo is not None:
            found.append(_echo_issue(place, text, echo))
            if len(found) == LIMIT:
                break
    return found


def _echo_issue(place: Place, text: str, echo: Echo) -> Issue:
    path, secret = _spell(place)
    actual = preview(text, field=secret)
    if echo == "is":
        hint = f"send the real content of {_where(path)}, not the error message"
        return Issue.of("VAL-020", path, actual=actual, hint=hint)
    return Issue(
        "VAL-020",
        path,
        "The value contains the text of an error message",
        Severity.WARNING,
        actual=actual,
        hint=f"check that {_where(path)} is meant to quote an error message",
    )


# Unknown tools.

_NEAREST = 5
_LONGEST_NAME = 128
_SEPARATORS = re.compile(r"[\W_]+")


def unknown_tool(name: str, names: Iterable[str]) -> Issue:
    """VAL-019 with at most five of the visible names, nearest first.

    Likeness does not see case, separators or the order of the words. Names less than half as
    near as the nearest one are left out.

    Args:
        name: What the model called.
        names: Tools that it can see.
    """
    near = ", ".join(word(one, 64) for one in _nearest(str(name), names))
    return Issue.of(
        "VAL-019",
        tool=word(name, 64),
        nearest=f". Nearest: {near}" if near else "",
        hint=f"use {'one of ' if ', ' in near else ''}{near}" if near else "answer without a tool",
    )


def _nearest(name: str, names: Iterable[str]) -> list[str]:
    wanted = _features(name)
    scored = [(-_likeness(wanted, _features(one)), at, one) for at, one in enumerate(names)]
    best = heapq.nsmallest(_NEAREST, scored)
    return [one for score, _, one in best if score <= best[0][0] / 2]


def _features(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a name, and its letter pairs within words."""
    words = [one for one in _SEPARATORS.split(name[:_LONGEST_NAME].casefold()) if one]
    pairs = {f" {one} "[at : at + 2] for one in words for at in range(len(one) + 1)}
    return frozenset(words), frozenset(pairs)


def _likeness(
    one: tuple[frozenset[str], frozenset[str]], other: tuple[frozenset[str], frozenset[str]]
) -> float:
    return max(_shared(one[0], other[0]), _shared(one[1], other[1]))


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


# Wording.


def _issue(code: str, place: Place, text: str, hint: str, expected: str | None = None) -> Issue:
    path, secret = _spell(place)
    return Issue.of(
        code,
        path,
        expected=expected,
        actual=preview(text, field=secret),
        hint=hint.format(_where(path)),
        value="[redacted]" if secret else word(text, 60),
    )


def _spell(place: Place) -> tuple[str, str | None]:
    """The pointer of a place, and the name on the way to it that makes the value a secret."""
    steps = parts(place)
    names = (step for step in steps if isinstance(step, str))
    return join_pointer(steps), next((name for name in names if is_secret_field(name)), None)


def _where(path: str) -> str:
    return safe_pointer(path) or "the value"
