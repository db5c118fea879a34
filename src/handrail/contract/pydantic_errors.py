"""pydantic's errors -> pointers into the arguments, and Issues where no schema error says it.

A pydantic ``loc`` mixes places with union branches, tags, ``[key]`` and names of wrapping
functions. The pointer is found by walking the arguments along it, leaving out what is no place,
until the value there is the one that pydantic says it looked at.

Text of the author's own checks (``value_error``, ``assertion_error``, custom types) is passed on,
sanitised; text of any other exception is not.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import core_schema

from handrail.contract.branches import Path
from handrail.contract.explain import Spot, enum_issue, required_issue, type_issue, unknown_issues
from handrail.contract.formats import describe_format
from handrail.contract.issue import Issue, join_pointer
from handrail.contract.preview import preview, word
from handrail.contract.words import Schema, describe, field_name, resolve, shown_path

__all__ = [
    "Located",
    "explained_branches",
    "is_authors",
    "issue_for",
    "locate",
    "located",
    "schema_at",
    "touching",
]

Located = tuple[Path, Mapping[str, Any]]  # Any: pydantic's error details

_MAX_AUTHOR_TEXT = 300
_AUTHORS_TYPES = ("value_error", "assertion_error")
_LIBRARY_TYPES = ("ip_v4_", "ip_v6_", "ip_any_", "path_", "byte_size", "color_error")
"""Types that pydantic itself raises from Python, and does not list."""

_EMAIL = "value is not a valid email address"


def located(
    error: ValidationError, arguments: Any, root: Schema
) -> list[Located]:  # Any: JSON value
    """Every error with its place in the arguments."""
    details = error.errors(include_url=False)
    return [(locate(one["loc"], arguments, one, root), one) for one in details[:1000]]


def explained_branches(errors: Sequence[Located], covered: Callable[[Path], bool]) -> list[Located]:
    """The errors without those of union branches that were not meant.

    pydantic lists the errors of every branch. Where an issue already covers the union, only the
    texts of authors are kept; elsewhere those of the branch that came closest.
    """
    unions: dict[Path, dict[str, list[Located]]] = {}
    for one in errors:
        at, tag = _branch(one)
        if tag is not None:
            unions.setdefault(at, {}).setdefault(tag, []).append(one)
    dropped: set[int] = set()
    for at, tags in unions.items():
        if len(tags) > 1:
            best = None if covered(at) else min(tags, key=lambda tag: _distance(at, tags[tag]))
            for tag, found in tags.items():
                dropped.update(id(one[1]) for one in found if tag != best)
    return [one for one in errors if id(one[1]) not in dropped or is_authors(one[1])]


def _branch(one: Located) -> tuple[Path, str | None]:
    """The place of the outermost union on the way to an error, and its branch."""
    path, loc = one[0], one[1]["loc"]
    for index, part in enumerate(loc):
        if index >= len(path) or path[index] != part:
            return path[:index], str(part)
    return path, None


def _distance(at: Path, errors: Sequence[Located]) -> tuple[bool, int]:
    wrong = any(path == at and detail["type"].endswith("_type") for path, detail in errors)
    return wrong, len(errors)


def locate(
    loc: Sequence[str | int], arguments: Any, detail: Mapping[str, Any], root: Schema
) -> Path:  # Any: JSON value, pydantic's error details
    """The place that a ``loc`` means.

    Args:
        loc: As pydantic gives it.
        arguments: The arguments as sent.
        detail: The error; its ``input`` is the value looked at, or the object around it when a
            field is missing.
        root: The published schema; of two places that fit, it names the one meant.
    """
    missing = detail.get("type") in _MISSING
    loc = tuple(loc)
    seen = _value(arguments, loc[:-1] if missing else loc)
    direct = loc and seen is not _NOWHERE and _same(seen, detail.get("input"))
    if direct and (len(loc) == 1 or schema_at(root, loc)):
        return loc
    ends: list[tuple[Path, Path]] = []
    _walk(loc[:40], arguments, (), missing, ends, [200])
    likely = [
        path for path, seen in ends if _same(_value(arguments, seen), detail.get("input"))
    ] or [path for path, _ in ends]
    stated = (path for path in likely if len(likely) == 1 or schema_at(root, path))
    return next(stated, likely[0] if likely else ())


def _walk(
    loc: Path,
    value: Any,  # Any: JSON value
    path: Path,
    missing: bool,
    ends: list[tuple[Path, Path]],
    budget: list[int],
) -> None:
    """Collect the places that a loc may mean, each with the place pydantic looked at."""
    budget[0] -= 1
    if budget[0] < 0:
        return
    if not loc:
        if not missing:
            ends.append((path, path))
        return
    part, rest = loc[0], loc[1:]
    inside = (isinstance(value, dict) and isinstance(part, str) and part in value) or (
        isinstance(value, list) and isinstance(part, int) and 0 <= part < len(value)
    )
    if inside:
        _walk(rest, value[part], (*path, part), missing, ends, budget)
    holder = dict if isinstance(part, str) else list
    absent = missing and not inside and isinstance(value, holder)
    if absent and not rest:
        ends.append(((*path, part), path))
        return
    _walk(rest, value, path, missing, ends, budget)
    if absent:
        ends.append(((*path, *loc), path))


_MISSING = frozenset({"missing", "missing_argument", "missing_keyword_only_argument"})


def _value(arguments: Any, path: Path) -> Any:  # Any: JSON value
    try:
        for part in path:
            arguments = arguments[part]
    except (KeyError, IndexError, TypeError):
        return _NOWHERE
    return arguments


_NOWHERE = object()


def _same(one: Any, other: Any) -> bool:  # Any: JSON values
    try:
        return bool(one == other)
    except Exception:  # an input may be an author's object
        return False


def touching(places: Iterable[Path]) -> Callable[[Path], bool]:
    """Whether a place is one of these, around one of them or inside one of them.

    One look for each level of a place, however many there are.
    """
    inner = {*places}
    around = {place[:end] for place in inner for end in range(len(place) + 1)}

    def touches(place: Path) -> bool:
        return place in around or any(place[:end] in inner for end in range(len(place)))

    return touches


def is_authors(detail: Mapping[str, Any]) -> bool:  # Any: pydantic's error details
    """Whether the text of an error is a tool author's, and no schema can say it."""
    kind = str(detail["type"])
    if kind.startswith(_LIBRARY_TYPES) or str(detail.get("msg", "")).startswith(_EMAIL):
        return False
    return kind in _AUTHORS_TYPES or kind not in _BUILT_IN


_CODES = {
    "missing": "VAL-001",
    "missing_argument": "VAL-001",
    "missing_keyword_only_argument": "VAL-001",
    "extra_forbidden": "VAL-005",
    "unexpected_keyword_argument": "VAL-005",
    "greater_than": "VAL-003",
    "greater_than_equal": "VAL-003",
    "less_than": "VAL-003",
    "less_than_equal": "VAL-003",
    "multiple_of": "VAL-003",
    "finite_number": "VAL-003",
    "decimal_max_digits": "VAL-003",
    "decimal_max_places": "VAL-003",
    "decimal_whole_digits": "VAL-003",
    "too_short": "VAL-006",
    "too_long": "VAL-006",
    "string_pattern_mismatch": "VAL-007",
    "enum": "VAL-008",
    "literal_error": "VAL-008",
    "none_required": "VAL-002",
    "union_tag_invalid": "VAL-008",
    "union_tag_not_found": "VAL-001",
    "string_too_short": "VAL-009",
    "string_too_long": "VAL-009",
    "bytes_too_short": "VAL-009",
    "bytes_too_long": "VAL-009",
    "url_scheme": "VAL-010",
    "url_too_long": "VAL-009",
    "uuid_version": "VAL-010",
    "int_from_float": "VAL-002",
    "int_parsing_size": "VAL-003",
    "is_instance_of": "VAL-002",
    "string_unicode": "VAL-010",
    "date_past": "VAL-003",
    "date_future": "VAL-003",
    "datetime_past": "VAL-003",
    "datetime_future": "VAL-003",
    "timezone_naive": "VAL-010",
    "timezone_aware": "VAL-010",
    "timezone_offset": "VAL-010",
    "date_from_datetime_inexact": "VAL-010",
    "string_not_ascii": "VAL-007",
    "recursion_loop": "VAL-004",
}
"""Codes of pydantic's own error types; the rest go by their ending."""

_BUILT_IN = frozenset(get_args(core_schema.ErrorType))


def _code(kind: str) -> str:
    if kind in _CODES:
        return _CODES[kind]
    return "VAL-002" if kind.endswith("_type") else "VAL-010"


def issue_for(path: Path, detail: Mapping[str, Any], root: Schema, arguments: Any) -> Issue:
    # Any: pydantic's error details, JSON value
    """The issue for one pydantic error."""
    if is_authors(detail):
        return _authors_issue(path, detail, arguments)
    code = _code(str(detail["type"]))
    schema = schema_at(root, path)
    spot = Spot(root, arguments, path, schema, ())
    match code:
        case "VAL-001":
            return _missing_issue(path, detail, root, arguments)
        case "VAL-005" if path:
            owner = Spot(root, arguments, path[:-1], schema_at(root, path[:-1]), ())
            return unknown_issues(owner, [str(path[-1])])[0]
        case "VAL-002":
            return type_issue(spot)
        case "VAL-008" if "enum" in schema or "const" in schema:
            return enum_issue(spot, schema.get("enum", [schema.get("const")]))
    return _plain_issue(code, spot, detail)


def _missing_issue(
    path: Path, detail: Mapping[str, Any], root: Schema, arguments: Any
) -> Issue:  # Any: pydantic's error details, JSON value
    if detail["type"] == "union_tag_not_found":
        name = str(detail.get("ctx", {}).get("discriminator", "")).strip("'")
        path = (*path, name)
    parent = Spot(root, arguments, path[:-1], schema_at(root, path[:-1]), ())
    return required_issue(parent, str(path[-1]) if path else "", True)


def _authors_issue(
    path: Path, detail: Mapping[str, Any], arguments: Any
) -> Issue:  # Any: pydantic's error details, JSON value
    text = str(detail["msg"])
    for prefix in ("Value error, ", "Assertion failed, "):
        text = text.removeprefix(prefix)
    value = _value(arguments, path)
    actual = None if value is _NOWHERE or not path else preview(value, field=field_name(path))
    problem = word(text.strip(), _MAX_AUTHOR_TEXT) or "The value is not accepted"
    return Issue.of("VAL-015", join_pointer(path), problem=problem, actual=actual)


def _plain_issue(
    code: str, spot: Spot, detail: Mapping[str, Any]
) -> Issue:  # Any: pydantic's error details
    """An issue told in pydantic's own words, which hold no values beyond those of the schema."""
    said = word(detail["msg"], 200)
    stated = describe(spot.schema, spot.root)
    known = describe_format(str(spot.schema.get("format", "")))
    message = said
    hint = f"correct {shown_path(spot.path)}"
    if known and code == "VAL-010":
        message = f"Invalid format: {known.words}, e.g. {known.example}"
        hint = f"send {shown_path(spot.path)} as {known.words}, e.g. {known.example}"
    value = _value(spot.arguments, spot.path)
    return Issue(
        code,
        join_pointer(spot.path),
        message,
        expected=said.removeprefix("Input should be ") if stated == "any value" else stated,
        actual=None if value is _NOWHERE else preview(value, field=field_name(spot.path)),
        hint=hint,
    )


def schema_at(root: Schema, path: Path) -> Schema:
    """The schema of a place in the arguments; the first that fits where a union has several."""
    at: Schema = resolve(root, root)
    for part in path:
        at = _step(at, part, root, 4)
    return at


def _step(schema: Schema, part: str | int, root: Schema, depth: int) -> Schema:
    found: Any = None  # Any: JSON Schema
    if isinstance(part, str):
        found = schema.get("properties", {}).get(part, schema.get("additionalProperties"))
    else:
        first = schema.get("prefixItems", ())
        found = first[part] if part < len(first) else schema.get("items")
    if isinstance(found, Mapping):
        return resolve(found, root)
    for keyword in ("anyOf", "oneOf", "allOf"):
        for branch in schema.get(keyword, ()) if depth else ():
            if inner := _step(resolve(branch, root), part, root, depth - 1):
                return inner
    return {}
