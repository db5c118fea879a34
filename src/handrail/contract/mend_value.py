"""Level 3: the right value in another spelling.

An enum member or a field name that differs in case or separators alone, a number or boolean
sent as text, a scalar where a list of one was wanted and the other way round. Whether a reading
is the only one is decided by everything that the schema allows at the place, not by the branch
that an explanation would choose.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

from handrail.contract.mend_shape import is_container_text
from handrail.contract.nodes import field_names, is_open, options_of, types_at
from handrail.contract.steps import Place, Step

__all__ = ["bare", "key_steps", "spells_absent", "value_steps"]

_SEPARATOR = re.compile(r"(?<=[^\W_])[\s_-]+(?=([^\W_]))")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?\Z")
_SEVERAL = re.compile(r"[\s,;|/&+]")
_MOST_FIELDS = 200
"""An object with more is not looked through for the field that was meant."""

_SCALARS = (str, bool, int, float)
_SCALAR_TYPES = frozenset({"string", "number", "integer", "boolean"})


def bare(text: str) -> str:
    """A name without case and separators; one between digits stays, so 1-0 is not 10."""
    if text.isalnum():
        return text.lower()
    return _SEPARATOR.sub(_kept_between_digits, text.strip()).lower()


def _kept_between_digits(found: re.Match[str]) -> str:
    before = found.string[found.start() - 1]
    return "_" if before.isdigit() and found[1].isdigit() else ""


def value_steps(place: Place) -> list[Step]:
    """Every reading of this level that an issue allows; more than one means none."""
    match place.issue.code:
        case "VAL-002":
            return _other_type(place)
        case "VAL-008" if isinstance(place.value, str):
            return _option(place, place.value)
    return []


def _option(place: Place, text: str) -> list[Step]:
    options = place.nodes.options(place.path)
    return [Step("enum_case", place.path, one) for one in _alike(text, options)]


def _alike(text: str, options: Iterable[str]) -> list[str]:
    wanted = bare(text)
    return [option for option in options if wanted and _known(option) == wanted]


@lru_cache(maxsize=2048)
def _known(name: str) -> str:
    """`bare` of a name, which is mostly an author's and comes back."""
    return bare(name)


def _other_type(place: Place) -> list[Step]:
    value, path = place.value, place.path
    lone = isinstance(value, list) and len(value) == 1 and isinstance(value[0], _SCALARS)
    if not lone and not isinstance(value, _SCALARS):
        return []
    kinds = types_at(place.nodes.at(path))
    steps: list[Step] = []
    if isinstance(value, str) and "string" not in kinds:
        number = _number(value) if kinds & {"integer", "number"} else None
        if number is not None:
            steps.append(Step("number_text", path, number))
        if "boolean" in kinds and value.lower() in ("true", "false"):
            steps.append(Step("boolean_text", path, value.lower() == "true"))
    if "array" in kinds and isinstance(value, _SCALARS) and not _may_be_several(place):
        steps.append(Step("wrapped", path, [value]))
    if lone and "array" not in kinds and kinds & _SCALAR_TYPES:
        steps.append(Step("unwrapped", path, value[0]))
    return steps


def _may_be_several(place: Place) -> bool:
    """Whether a text could as well be a list written in words; not if it is a listed item."""
    text = place.value
    if not isinstance(text, str):
        return False
    if text in options_of(place.nodes.at((*place.path, 0))):
        return False
    return not text or is_container_text(text) or _SEVERAL.search(text) is not None


def _number(text: str) -> int | float | None:
    """The number that a text is, if it is the same number in JSON."""
    if not _NUMBER.match(text):
        return None
    if "." not in text:
        return int(text)
    number = float(text)
    return number if Decimal(repr(number)) == Decimal(text) else None


def key_steps(place: Place) -> list[Step]:
    """A field renamed to the one absent field from which it differs in case or separators."""
    owner, parent, name = place.path[:-1], place.parent, place.path[-1]
    if not isinstance(parent, dict) or not isinstance(name, str):
        return []
    if len(parent) > _MOST_FIELDS or (name not in parent and not _alike(name, parent)):
        return []
    nodes = place.nodes.at(owner)
    known = field_names(nodes)
    strange = [key for key in parent if key not in known]
    if name in parent:
        given = [name] if name in strange else []
    else:
        given = _alike(name, strange) if name in known else []
    if len(given) != 1 or is_open(nodes):
        return []
    meant = _alike(given[0], known)
    rivals = _alike(given[0], strange)
    if len(meant) != 1 or meant[0] in parent or rivals != given:
        return []
    return [Step("key_case", (*owner, given[0]), meant[0], "rename")]


def spells_absent(place: Place) -> bool:
    """Whether an unknown field could be the spelling of an absent one: then it is not surplus."""
    known = field_names(place.nodes.at(place.path[:-1]))[:_MOST_FIELDS]
    return any(name not in place.parent for name in _alike(str(place.path[-1]), known))
