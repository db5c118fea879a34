"""The engine for tools declared with pydantic: pydantic decides, the schema explains.

The JSON *text* is judged strictly: a strict look at parsed values would refuse ISO dates, UUIDs
and enums. What JSON Schema calls valid and strict pydantic does not (``1.0`` for an integer) is
tried once more on normalised text. What pydantic lets through and the published schema does not
(equal items of a set, true for the literal 1, unknown fields where only some models state
``extra``) is checked against the schema, for the models where that can happen at all.

The explanation comes from the published schema, as for foreign tools; a schema issue is kept
only if pydantic complains there too, and what only pydantic can say is added.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json, to_json

from handrail.contract.branches import Path, closest, real_path
from handrail.contract.canonical import normalise
from handrail.contract.issue import Issue, join_pointer, split_pointer
from handrail.contract.lax import changes_of
from handrail.contract.published import publish
from handrail.contract.pydantic_errors import (
    Located,
    explained_branches,
    is_authors,
    issue_for,
    located,
    touches,
)
from handrail.contract.reading import Explained, LaxReading, Rejected
from handrail.contract.schema_engine import INTEGRAL, compile_schema, unjudged
from handrail.contract.shortcut import Shortcut
from handrail.contract.translate import issues_of
from handrail.contract.words import Schema

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError as SchemaError
    from jsonschema_rs import Validator

__all__ = ["PydanticEngine"]

_PARSED = ("IP", "email")
"""Formats whose parsers raise ValueError themselves: that text is not an author's."""

_LAX_LOOKED_AT = frozenset({"uniqueItems", "additionalProperties"})
_LOOKED_AT = _LAX_LOOKED_AT | {"enum", "const"}


class PydanticEngine:
    """Judges by one pydantic model.

    Args:
        model: The author's model of the arguments.
        tool: Name for errors.

    Raises:
        ContractError: The model cannot be built or published.
    """

    def __init__(self, model: type[BaseModel], *, tool: str = "") -> None:
        published = publish(model, tool)
        self.model = model
        self.schema: Schema = published.schema
        self.states_lax = model.model_config.get("strict") is False
        self._told: dict[Path, str] = {}
        self._shortcut = Shortcut(self.schema)
        self._spellings = published.spellings
        self._extra: Any = None if published.opened else "forbid"  # Any: pydantic's literal
        self._validate = model.__pydantic_validator__.validate_json
        mixed = published.opened and published.silent
        self._looked_at = frozenset(
            (["additionalProperties"] if mixed else [])
            + (["uniqueItems"] if _has(self.schema, "uniqueItems") else [])
            + (["enum", "const"] if _lists_numbers(self.schema) else [])
        )

    @cached_property
    def _validator(self) -> Validator:
        return compile_schema(self.schema)

    def accept(self, text: str, *, exact: bool = False) -> Any:  # Any: the author's model
        """The author's model, built from JSON text; see `Engine.accept`."""
        try:
            prepared = self._validate(text, strict=True, extra=self._extra)
        except ValidationError as error:
            return self._accept_again(text, error, exact)
        except Exception as fault:  # an author's validator
            raise Rejected(fault=fault) from fault
        if self._looked_at:
            self._look(text)
        return prepared

    def _accept_again(self, text: str, error: ValidationError, exact: bool) -> Any:
        # Any: the author's model
        normal = _normalised(text)
        try:
            if normal is not None:
                try:
                    prepared = self._validate(to_json(normal), strict=True, extra=self._extra)
                    self._look(text)
                    return prepared
                except ValidationError as again:
                    error = again
            if self.states_lax and not exact:
                prepared = self._validate(text, extra=self._extra)
                self._look(text, _LAX_LOOKED_AT)
                return prepared
        except ValidationError:
            pass
        except Rejected:
            raise
        except Exception as fault:  # an author's validator
            raise Rejected(fault=fault) from fault
        raise Rejected(error)

    def _look(self, text: str | bytes, only: frozenset[str] = _LOOKED_AT) -> None:
        """Raise Rejected for what pydantic passes over in silence."""
        looked_at = self._looked_at & only
        if looked_at and self._silent(from_json(text), looked_at):
            raise Rejected

    def _silent(self, value: Any, looked_at: frozenset[str]) -> list[SchemaError]:
        # Any: JSON value
        """Schema errors that pydantic does not see."""
        if self._validator.is_valid(value):
            return []
        found: list[SchemaError] = []
        for error in self._validator.iter_errors(value):
            self._gather(error, looked_at, found)
        return found

    def _gather(
        self, error: SchemaError, looked_at: frozenset[str], found: list[SchemaError]
    ) -> None:
        context = getattr(error.kind, "context", None)
        if context:
            for inner in closest(context, tuple(error.instance_path)).errors:
                self._gather(inner, looked_at, found)
            return
        name = error.kind.name
        if name not in looked_at:
            return
        if name == "additionalProperties" and self._spellings.issuperset(error.kind.value):
            return
        if name in ("enum", "const") and not isinstance(error.instance, bool | int | float):
            return
        found.append(error)

    def explain(
        self, text: str, value: Mapping[str, Any], rejected: Rejected
    ) -> list[Issue]:  # Any: JSON values
        """Everything wrong; a safe sentence when only an author's code failed."""
        quick = self._quick(value, rejected)
        return self.explain_at_length(value, rejected) if quick is None else quick.issues

    def is_firm(self, value: Mapping[str, Any], rejected: Rejected) -> bool:  # Any: JSON values
        """Whether the arguments are plainly wrong however laxly they are read."""
        quick = self._quick(value, rejected)
        return quick is not None and quick.firm

    def _quick(self, value: Mapping[str, Any], rejected: Rejected) -> Explained | None:
        # Any: JSON values
        """What can be said the short way, kept with the refusal that it explains."""
        if rejected.error is None or self._looked_at:
            return None
        if not hasattr(rejected, "quick"):
            try:
                rejected.quick = self._shortcut.explain(rejected.error, value)
            except Exception:  # an author's error text may itself fail
                rejected.quick = None
        return rejected.quick

    def explain_at_length(
        self, value: Mapping[str, Any], rejected: Rejected
    ) -> list[Issue]:  # Any: JSON values
        """What both engines say, joined: the long way, which knows unions and authors' texts."""
        by_schema = self._schema_issues(value)
        if rejected.fault is not None:
            return by_schema or [unjudged()]
        try:
            error = rejected.error
            errors = located(error, value, self.schema) if error is not None else []
            silent = {join_pointer(path) for path in self._silent_places(value)}
            return _joined(by_schema, errors, silent, self.schema, value) or [unjudged()]
        except Exception:  # an author's error text may itself fail
            return by_schema or [unjudged()]

    def _schema_issues(self, value: Mapping[str, Any]) -> list[Issue]:  # Any: JSON values
        try:
            return issues_of(self._validator.iter_errors(value), self.schema, value, self._told)
        except Exception:  # a huge number, or a pattern beyond its limits
            return []

    def unknown(self, value: Mapping[str, Any]) -> list[Issue]:  # Any: JSON values
        """Nothing: a pydantic tool is closed, or its author says that it is open."""
        return []

    def droppable(
        self, value: Mapping[str, Any], unknown: Collection[str]
    ) -> frozenset[str]:  # Any: JSON values
        """The fields of models without ``extra="forbid"``: pydantic names those of the others."""
        try:
            self._validate(to_json(value), strict=True)
        except ValidationError as error:
            errors = located(error, value, self.schema)
        except Exception:  # an author's validator: nothing is known
            return frozenset()
        else:
            errors = []
        stated = {join_pointer(at) for at, one in errors if one["type"] == "extra_forbidden"}
        return frozenset(unknown) - stated

    def lax(self, value: dict[str, Any]) -> LaxReading | None:  # Any: JSON values
        """What the author's own lax model takes, with the coercions path by path."""
        try:
            text = to_json(value)
            prepared = self._lax_prepared(text)
            if prepared is None:
                return None
            self._look(text, _LAX_LOOKED_AT)
        except Exception:  # refused, or an author's validator failed: `explain` tells which
            return None
        return self._reading(value, text, prepared)

    def _lax_prepared(self, text: bytes) -> Any:  # Any: the author's model
        try:
            return self._validate(text, extra=self._extra)
        except ValidationError:
            normal = _normalised(text.decode())
            return None if normal is None else self._validate(to_json(normal), extra=self._extra)

    def _reading(self, value: dict[str, Any], text: bytes, prepared: Any) -> LaxReading:
        # Any: JSON values; the author's model
        errors: list[Located] = []
        try:
            return LaxReading(value, self.accept(text.decode(), exact=True), ())
        except Rejected as rejected:
            if rejected.error is not None:
                errors = located(rejected.error, normalise(value), self.schema)
        for path in self._silent_places(value):
            errors.append((path, {"type": "literal_error"}))
        patched, changes = changes_of(value, errors, self.schema)
        try:
            again = self.accept(to_json(patched).decode(), exact=True)
            if again == prepared:
                known = tuple(change for change in changes if change[1] is not change[2])
                return LaxReading(patched, again, known)
        except Rejected:
            pass
        return LaxReading(value, prepared, tuple((at, old, old) for at, old, _ in changes))

    def _silent_places(self, value: Any) -> list[Path]:  # Any: JSON value
        if not self._looked_at:
            return []
        places: list[Path] = []
        for error in self._silent(value, self._looked_at):
            place = real_path(error.instance_path, value)
            if error.kind.name == "additionalProperties":
                places.extend((*place, name) for name in error.kind.value)
            else:
                places.append(place)
        return places

    def prepare(self, value: Mapping[str, Any]) -> Any:  # Any: JSON values; the author's model
        """Strictly, or else laxly; see `Engine.prepare`."""
        text = to_json(value).decode()
        try:
            return self.accept(text)
        except Rejected as rejected:
            reading = self.lax(dict(value)) if rejected.fault is None else None
            if reading is None:
                raise
            return reading.prepared


def _joined(
    by_schema: list[Issue],
    errors: list[Located],
    silent: set[str],
    root: Schema,
    value: Any,  # Any: JSON value
) -> list[Issue]:
    """Schema issues that pydantic shares or cannot see, then what only pydantic says."""
    places = {tuple([str(part) for part in path]) for path, _ in errors}
    exact = {tuple(split_pointer(issue.path)) for issue in by_schema}
    if exact == places and not any(is_authors(detail) for _, detail in errors):
        return by_schema
    kept: list[Issue] = []
    shared: list[Issue] = []
    known: list[Path] = []
    for issue in by_schema:
        at = tuple(split_pointer(issue.path))
        if at in places or any(touches(at, place) for place in places):
            shared.append(issue)
            known.append(at)
            kept.append(issue)
        elif issue.path in silent:
            kept.append(issue)

    def covered(path: Path) -> bool:
        place = tuple([str(part) for part in path])
        return any(touches(at, place) for at in known)

    parsers = {issue.path for issue in shared if (issue.expected or "").startswith(_PARSED)}
    for path, detail in explained_branches(errors, covered):
        authors = is_authors(detail) and join_pointer(path) not in parsers
        if authors or not covered(path):
            kept.append(issue_for(path, detail, root, value))
    unique = {(issue.code, issue.path, issue.message): issue for issue in kept}
    return list(unique.values())


def _normalised(text: str) -> Any:  # Any: JSON value
    """The value of a text with its integral floats as integers; None where it has none."""
    if not INTEGRAL.search(text):
        return None
    value = from_json(text)
    normal = normalise(value)
    return None if normal is value else normal


def _has(schema: Any, keyword: str) -> bool:  # Any: JSON value
    if isinstance(schema, Mapping):
        return schema.get(keyword) is True or any(_has(item, keyword) for item in schema.values())
    return isinstance(schema, list) and any(_has(item, keyword) for item in schema)


def _lists_numbers(schema: Any) -> bool:  # Any: JSON value
    """Whether some enum or constant holds a number or boolean: Python takes true for 1."""
    if isinstance(schema, Mapping):
        options = [*_options(schema.get("enum")), schema.get("const")]
        if any(isinstance(option, int | float) for option in options):
            return True
        return any(_lists_numbers(item) for item in schema.values())
    return isinstance(schema, list) and any(_lists_numbers(item) for item in schema)


def _options(stated: Any) -> list[Any]:  # Any: JSON values
    return stated if isinstance(stated, list) else []
