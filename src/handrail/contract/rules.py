"""Rules between the fields of one call, as data that an author declares and a page can show.

Each rule is a frozen value that names top-level fields (a dot or slash in a name is part of the
name) and says what is wrong with given arguments. Two words carry all of them:

*given* means present, not null and not an empty string: models fill what they do not need with
null or ``""``. 0, false and ``[]`` are given.

*when* is a mapping of field to a value, or to a list of values of which one must match; all
fields must match. A bare ``True`` means «given, and not false», a bare ``None`` «not given»;
``[True]`` is exactly true. Values compare as JSON does: 1 equals 1.0, and true is no number.

A rule judges what it understands and never raises: what it cannot compare, it leaves alone.
Codes: VAL-013, VAL-014, VAL-015. Source: seed 003, action-dependent checks.
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypeAlias

from handrail.contract.issue import Issue, Suggestion, join_pointer
from handrail.contract.pointer import safe_pointer
from handrail.contract.preview import is_secret_field, preview, word

__all__ = ["AnyOf", "Exclusive", "Irrelevant", "Ordered", "Requires", "Rule", "Scalar", "When"]

Scalar: TypeAlias = str | int | float | bool | None
When: TypeAlias = Mapping[str, Scalar | Iterable[Scalar]]
"""How an author spells a condition."""

Condition: TypeAlias = tuple[str, Scalar | tuple[Scalar, ...]]
"""One field of a `When`, as a rule keeps it."""

Arguments: TypeAlias = Mapping[str, object]

_SHOWN = 5


@dataclass(frozen=True, slots=True, init=False)
class Requires:
    """Fields that must be given when others have certain values (VAL-013).

    ``Requires(when={"action": "call_tool"}, fields=["tool_name"])``

    Raises:
        ValueError: A name or condition makes no sense.
    """

    when: tuple[Condition, ...]
    fields: tuple[str, ...]

    def __init__(self, when: When, fields: Iterable[str] | str) -> None:
        _fill(self, _names("Requires", (fields,), 1), _conditions("Requires", when))
        _refuse_own_condition("Requires", self.when, self.fields)

    def check(self, args: Arguments) -> list[Issue]:
        """One issue for each field that is not given."""
        if not _holds(self.when, args):
            return []
        return [self._missing(name) for name in self.fields if not _given(args, name)]

    def _missing(self, name: str) -> Issue:
        return Issue.of(
            "VAL-013",
            join_pointer([name]),
            hint=f"add {_where(name)}",
            problem=f"Field {_quoted(name)} is required{_because(self.when)}",
        )

    def named_fields(self) -> tuple[str, ...]:
        """Every field that the rule names, conditions included."""
        return _all_names(self.fields, self.when)


@dataclass(frozen=True, slots=True, init=False)
class AnyOf:
    """Fields of which at least one must be given (VAL-013).

    ``AnyOf("contact_id", "contact_query", "group_query", when={"action": "places"})``

    Raises:
        ValueError: A name or condition makes no sense.
    """

    fields: tuple[str, ...]
    when: tuple[Condition, ...]

    def __init__(self, *fields: str | Iterable[str], when: When | None = None) -> None:
        _fill(self, _names("AnyOf", fields, 2), _optional("AnyOf", when))

    def check(self, args: Arguments) -> list[Issue]:
        """One issue, about the whole object, when none is given."""
        if any(_given(args, name) for name in self.fields) or not _holds(self.when, args):
            return []
        return [
            Issue.of(
                "VAL-013",
                hint=f"add one of {', '.join(map(_where, self.fields))}",
                problem=f"One of {_listed(self.fields)} is required{_because(self.when)}",
            )
        ]

    def named_fields(self) -> tuple[str, ...]:
        """Every field that the rule names, conditions included."""
        return _all_names(self.fields, self.when)


@dataclass(frozen=True, slots=True, init=False)
class Exclusive:
    """Fields of which at most one may be given (VAL-014).

    ``Exclusive("contact_id", "contact_query")``

    Raises:
        ValueError: A name or condition makes no sense.
    """

    fields: tuple[str, ...]
    when: tuple[Condition, ...]

    def __init__(self, *fields: str | Iterable[str], when: When | None = None) -> None:
        _fill(self, _names("Exclusive", fields, 2), _optional("Exclusive", when))

    def check(self, args: Arguments) -> list[Issue]:
        """One issue, at the last of them in the rule's order, when several are given."""
        given = [name for name in self.fields if _given(args, name)]
        if len(given) < 2 or not _holds(self.when, args):
            return []
        return [
            Issue.of(
                "VAL-014",
                join_pointer(given[-1:]),
                hint=f"send only one of {', '.join(map(_where, given))}",
                problem=f"Only one of {_listed(given)} may be given{_because(self.when)}",
            )
        ]

    def named_fields(self) -> tuple[str, ...]:
        """Every field that the rule names, conditions included."""
        return _all_names(self.fields, self.when)


@dataclass(frozen=True, slots=True, init=False)
class Ordered:
    """Fields whose values must not descend (VAL-015); equal values are fine.

    ``Ordered("start_line", "end_line")``

    Numbers, ISO 8601 dates and date-times, and other strings by code point. Text that is a plain
    number counts as that number, as the author's own model may read it. A date and a date-time
    compare by their dates. Two values of different kinds, and times of which only one has a
    zone, are not compared.

    Raises:
        ValueError: A name makes no sense.
    """

    fields: tuple[str, ...]

    def __init__(self, *fields: str | Iterable[str]) -> None:
        object.__setattr__(self, "fields", _names("Ordered", fields, 2))

    def check(self, args: Arguments) -> list[Issue]:
        """One issue for each value that is below one of an earlier field."""
        issues: list[Issue] = []
        given = [(name, _reading(args[name])) for name in self.fields if _given(args, name)]
        for position, (name, reading) in enumerate(given):
            for earlier, other in reversed(given[:position]):
                if _above(other, reading):
                    issues.append(_descends(args, earlier, name))
                    break
        return issues

    def named_fields(self) -> tuple[str, ...]:
        """Every field that the rule names."""
        return self.fields


@dataclass(frozen=True, slots=True, init=False)
class Irrelevant:
    """Fields that do not apply when others have certain values (VAL-014).

    ``Irrelevant(when={"action": "by_ids"}, fields=["limit"])``

    Raises:
        ValueError: A name or condition makes no sense.
    """

    when: tuple[Condition, ...]
    fields: tuple[str, ...]

    def __init__(self, when: When, fields: Iterable[str] | str) -> None:
        _fill(self, _names("Irrelevant", (fields,), 1), _conditions("Irrelevant", when))
        _refuse_own_condition("Irrelevant", self.when, self.fields)

    def irrelevant(self, args: Arguments) -> tuple[str, ...]:
        """Names of the fields that are given though they do not apply."""
        if not _holds(self.when, args):
            return ()
        return tuple(name for name in self.fields if _given(args, name))

    def check(self, args: Arguments) -> list[Issue]:
        """One issue, with the edit that removes it, for each such field."""
        return [self._surplus(name) for name in self.irrelevant(args)]

    def _surplus(self, name: str) -> Issue:
        path = join_pointer([name])
        return Issue.of(
            "VAL-014",
            path,
            hint=f"Remove {_where(name)}.",
            suggestion=Suggestion(({"op": "remove", "path": path},)),
            problem=f"Field {_quoted(name)} does not apply{_because(self.when)}",
        )

    def named_fields(self) -> tuple[str, ...]:
        """Every field that the rule names, conditions included."""
        return _all_names(self.fields, self.when)


Rule: TypeAlias = Requires | AnyOf | Exclusive | Ordered | Irrelevant
"""Every kind of rule; each has `check` and `named_fields`."""


# Declaring: what an author wrote, made plain or refused.


def _fill(
    rule: Requires | AnyOf | Exclusive | Irrelevant,
    fields: tuple[str, ...],
    when: tuple[Condition, ...],
) -> None:
    object.__setattr__(rule, "fields", fields)
    object.__setattr__(rule, "when", when)


def _names(rule: str, given: tuple[str | Iterable[str], ...], least: int) -> tuple[str, ...]:
    names: list[str] = []
    for item in given:
        names.extend([item] if isinstance(item, str) else item)
    if len(names) < least:
        count = "one field" if least == 1 else "two fields"
        raise ValueError(f"{rule} needs at least {count}, got {names!r}")
    for position, name in enumerate(names):
        if _name(rule, name) in names[:position]:
            raise ValueError(f"{rule} names the field {name!r} twice")
    return tuple(names)


def _optional(rule: str, when: object) -> tuple[Condition, ...]:
    return () if when is None else _conditions(rule, when)


def _conditions(rule: str, when: object) -> tuple[Condition, ...]:
    if not isinstance(when, Mapping) or not when:
        raise ValueError(f"{rule} needs a `when` that maps a field to a value, got {when!r}")
    return tuple((_name(rule, name), _wanted(rule, name, value)) for name, value in when.items())


def _name(rule: str, name: object) -> str:
    if not isinstance(name, str) or not name:
        raise ValueError(f"{rule} takes names of fields, got {name!r}")
    return name


def _wanted(rule: str, name: str, value: Any) -> Scalar | tuple[Scalar, ...]:  # Any: unchecked yet
    if _is_scalar(value):
        return value  # type: ignore[no-any-return]  # just checked
    values = tuple(value) if isinstance(value, list | tuple | set | frozenset) else ()
    if not values or not all(map(_is_scalar, values)):
        raise ValueError(
            f"{rule} compares {name!r} with a string, number, boolean or null, "
            f"or a list of them, got {value!r}"
        )
    return tuple(sorted(values, key=repr)) if isinstance(value, set | frozenset) else values


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)


def _refuse_own_condition(rule: str, when: tuple[Condition, ...], fields: tuple[str, ...]) -> None:
    for name, _ in when:
        if name in fields:
            raise ValueError(f"{rule} names {name!r} both in `when` and in `fields`")


def _all_names(fields: tuple[str, ...], when: tuple[Condition, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*fields, *(name for name, _ in when))))


# Judging.


def _given(args: Arguments, name: str) -> bool:
    value = args.get(name)
    return value is not None and value != ""


def _holds(when: tuple[Condition, ...], args: Arguments) -> bool:
    return all(_matches(args, name, wanted) for name, wanted in when)


def _matches(args: Arguments, name: str, wanted: Scalar | tuple[Scalar, ...]) -> bool:
    if wanted is None:
        return not _given(args, name)
    value = args.get(name)
    if wanted is True:
        return value is not False and _given(args, name)
    if isinstance(wanted, tuple):
        return any(_equal(value, one) for one in wanted)
    return _equal(value, wanted)


def _equal(value: object, wanted: Scalar) -> bool:
    return isinstance(value, bool) == isinstance(wanted, bool) and value == wanted


Reading: TypeAlias = tuple[str, Any]  # Any: number, text, date or date-time, by its kind
"""What a value is for the purpose of comparing: its kind, and itself."""

_UNCOMPARABLE: Reading = ("none", None)
_NUMBER = re.compile(r"[+-]?\d{1,40}(?:\.\d{1,40})?", re.ASCII)
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def _reading(value: object) -> Reading:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return _UNCOMPARABLE
    if isinstance(value, str):
        return _text_reading(value)
    return _UNCOMPARABLE if isinstance(value, float) and math.isnan(value) else ("number", value)


def _text_reading(text: str) -> Reading:
    if _NUMBER.fullmatch(text):
        return ("number", Decimal(text))
    if not _ISO_DATE.match(text):
        return ("text", text)
    try:
        if len(text) == 10:
            return ("date", date.fromisoformat(text))
        when = datetime.fromisoformat(text[:64].upper())
    except ValueError:
        return _UNCOMPARABLE
    return ("local time" if when.utcoffset() is None else "time", when)


def _above(first: Reading, second: Reading) -> bool:
    kind, one = first
    other_kind, two = second
    if kind == other_kind:
        return kind != "none" and bool(one > two)
    if "date" not in (kind, other_kind):
        return False
    day, other_day = _day(one), _day(two)
    return day is not None and other_day is not None and day > other_day


def _day(value: object) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else None


def _descends(args: Arguments, earlier: str, later: str) -> Issue:
    return Issue.of(
        "VAL-015",
        join_pointer([later]),
        expected=f"not below {_quoted(earlier)}: {preview(args[earlier], limit=40, field=earlier)}",
        actual=preview(args[later], field=later),
        hint=f"make {_where(earlier)} at most {_where(later)}",
        problem=f"{_quoted(earlier)} must not be greater than {_quoted(later)}",
    )


# Wording: everything through `word`, so that no name can forge a line.


def _where(name: str) -> str:
    return safe_pointer(join_pointer([name]))


def _quoted(name: str) -> str:
    return f"'{word(name)}'"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(_quoted, names))


def _because(when: tuple[Condition, ...]) -> str:
    return " when " + " and ".join(_phrase(*one) for one in when) if when else ""


def _phrase(name: str, wanted: Scalar | tuple[Scalar, ...]) -> str:
    if wanted is True:
        return f"{_quoted(name)} is given"
    if wanted is None:
        return f"{_quoted(name)} is not given"
    if is_secret_field(name):
        return f"{_quoted(name)} has a certain value"
    values = wanted if isinstance(wanted, tuple) else (wanted,)
    shown = ", ".join(map(_literal, values[:_SHOWN]))
    more = f" or {len(values) - _SHOWN} more" if len(values) > _SHOWN else ""
    return f"{_quoted(name)} is {'one of ' if len(values) > 1 else ''}{shown}{more}"


def _literal(value: Scalar) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return _quoted(value) if isinstance(value, str) else word(value)
