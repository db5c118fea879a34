"""A JSON Schema in the strict subset of a provider.

The strict form takes every value that the schema takes, closed objects excepted where the schema
is silent about further fields: a keyword that the provider does not enforce is dropped, which
lets more through, and is enforced here. What cannot be said without forbidding a value that the
schema takes (free keys, any value, lists with a schema for each place) has no strict form: the
tool is then published in full and not strict, rather than crippled. A field that may be left out
becomes one that may be null where the provider wants every field; `handrail.contract.forced`
takes these nulls out again.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from handrail.contract.issue import join_pointer, split_pointer
from handrail.contract.subsets import Subset
from handrail.contract.words import Schema, json_type, subschema

__all__ = ["Dropped", "StrictForm", "strict_form"]

Json = dict[str, Any]  # Any: JSON Schema
Path = tuple[str | int, ...]

_ANNOTATIONS = ("title", "description")
_SCALARS = {
    "string": {"minLength", "maxLength", "pattern", "format"},
    "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
}
_LISTS = {"minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"}
_LISTS |= {"unevaluatedItems", "prefixItems", "items", "additionalItems"}
_OBJECTS = {"minProperties", "maxProperties", "propertyNames", "dependentRequired"}
_OBJECTS |= {"properties", "required", "additionalProperties", "unevaluatedProperties"}
_OBJECTS |= {"patternProperties"}
_COMPOSED = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else")
_COMPOSED_MORE = ("dependentSchemas", "dependencies")
_ENFORCED = {"type", "enum", "const", "$ref", *_COMPOSED, *_COMPOSED_MORE, *_LISTS, *_OBJECTS}
_ENFORCED |= _SCALARS["string"] | _SCALARS["number"]
_MOST_PARTS = 5_000
"""Parts of a form without references: each reference may double what it is written out to."""

_LOOKS_AROUND = re.compile(r"\(\?<?[=!]")
_ORDER = ("string", "integer", "number", "boolean", "object", "array", "null")


class Dropped(NamedTuple):
    """A keyword that the strict form does not say.

    Attributes:
        path: JSON Pointer into the schema.
        keyword: The keyword.
    """

    path: str
    keyword: str


@dataclass(frozen=True, slots=True)
class StrictForm:
    """What became of a schema.

    Attributes:
        schema: The strict form; None if there is none.
        dropped: What it does not say.
        place: JSON Pointer to what has no strict form.
        why: Why there is none, as a clause; empty if there is one.
    """

    schema: Json | None
    dropped: tuple[Dropped, ...] = ()
    place: str = ""
    why: str = ""


class _No(Exception):
    """This part has no strict form."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(why)
        self.path = path
        self.why = why


def strict_form(schema: Schema, subset: Subset) -> StrictForm:
    """The schema of an object in a provider's strict subset."""
    writer = _Writer(schema, subset)
    try:
        made = writer.root()
    except _No as no:
        return StrictForm(None, (), join_pointer(no.path), no.why)
    except RecursionError:
        return StrictForm(None, (), "", "it is nested too deep")
    return StrictForm(made, tuple(dict.fromkeys(writer.dropped)))


@dataclass(slots=True)
class _Writer:
    schema: Schema
    subset: Subset
    dropped: list[Dropped] = field(default_factory=list)
    defs: Json = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    opened: list[str | None] = field(default_factory=list)
    fields: int = 0
    values: int = 0
    parts: int = 0

    def root(self) -> Json:
        schema = dict(self.schema)
        if "$ref" in schema:
            schema = {**_target(self.schema, str(schema["$ref"]), ()), **schema}
            schema.pop("$ref")
        if "properties" not in schema and ("anyOf" in schema or "oneOf" in schema):
            raise _No((), "the arguments are one of several objects")
        schema.setdefault("properties", {})
        made = self._object(schema, ())
        if self.defs:
            made["$defs"] = self.defs
        return made

    def write(self, schema: Any, path: Path) -> Json:  # Any: JSON Schema, or true and false
        """The strict form of one part."""
        if self.subset.inline:
            self.parts += 1
            self._within(self.parts, _MOST_PARTS, "parts once its references are written out", path)
        if not isinstance(schema, Mapping):
            raise _No(path, "any value is allowed" if schema is True else "no value is allowed")
        if "$ref" in schema:
            return self._reference(schema, path)
        if "allOf" in schema and len(schema["allOf"]) == 1 and isinstance(schema["allOf"][0], dict):
            rest = {key: item for key, item in schema.items() if key != "allOf"}
            if not set(rest) & set(schema["allOf"][0]) & _ENFORCED and "$ref" not in rest:
                return self.write({**schema["allOf"][0], **rest}, path)
        if "enum" in schema or "const" in schema:
            return self._listed(schema, path)
        if "properties" not in schema:
            for keyword in ("anyOf", "oneOf"):
                if keyword in schema:
                    return self._union(schema, keyword, path)
        types = self._types(schema, path)
        if len(types) > 1 and {"object", "array"} & set(types):
            branches = [self.write({**schema, "type": one}, path) for one in types]
            return {"anyOf": branches}
        if types[0] == "object":
            return self._object(schema, path)
        if types[0] == "array":
            return self._array(schema, path)
        return self._scalar(schema, types, path)

    def _types(self, schema: Schema, path: Path) -> list[str]:
        stated = schema.get("type")
        if stated is None:
            if "properties" in schema:
                return ["object"]
            if "items" in schema:
                return ["array"]
            raise _No(path, "any type is allowed")
        types = [stated] if isinstance(stated, str) else list(stated)
        return [one for one in _ORDER if one in types]

    def _scalar(self, schema: Schema, types: list[str], path: Path) -> Json:
        made: Json = {"type": types[0] if len(types) == 1 else types}
        known: set[str] = set()
        for one in types:
            known |= _SCALARS.get("number" if one == "integer" else one, set())
        return self._kept(made, schema, path, known, {"type"})

    def _kept(
        self, made: Json, schema: Schema, path: Path, known: set[str], said: set[str]
    ) -> Json:
        """The form with annotations and enforced keywords; whatever else constrains is dropped."""
        made |= {key: schema[key] for key in _ANNOTATIONS if key in schema}
        for key in schema.keys() - said - set(_ANNOTATIONS):
            if key in known and self._enforced(key, schema[key]):
                made[key] = schema[key]
            elif key in known or key in _COMPOSED or key in _COMPOSED_MORE:
                self._drop(path, key)
        return made

    def _enforced(self, key: str, value: object) -> bool:
        if key == "format":
            return key in self.subset.keywords and value in self.subset.formats
        if key == "pattern" and _LOOKS_AROUND.search(str(value)):
            return False
        if key == "minItems":
            fits = isinstance(value, int | float) and value <= self.subset.most_min_items
            return key in self.subset.keywords and fits
        return key in self.subset.keywords

    def _drop(self, path: Path, keyword: str) -> None:
        self.dropped.append(Dropped(join_pointer(path), keyword))

    def _listed(self, schema: Schema, path: Path) -> Json:
        values = list(schema["enum"]) if "enum" in schema else [schema["const"]]
        if "enum" in schema and "const" in schema:
            values = [one for one in values if one == schema["const"]]
        stated = self._types(schema, path) if "type" in schema else list(_ORDER)
        kinds = [(one, json_type(one)) for one in values]
        kinds = [(one, kind) for one, kind in kinds if kind in stated or _is_number(kind, stated)]
        if not kinds or any(kind in ("object", "array") for _, kind in kinds):
            raise _No(path, "a listed value is an object or a list" if kinds else "nothing fits")
        self.values += len(kinds)
        self._within(self.values, self.subset.most_values, "listed values", path)
        kept = [(one, kind) for one, kind in kinds if kind in self.subset.enums]
        free = {kind for _, kind in kinds} - {kind for _, kind in kept}
        if free - {"null"}:
            self._drop(path, "enum" if "enum" in schema else "const")
        types = [one for one in _ORDER if any(kind == one for _, kind in kept)]
        if "number" in types and "integer" in types:
            types.remove("integer")
        branches: list[Json] = [{"type": one} for one in _ORDER if one in free]
        if kept:
            branches.insert(
                0,
                {"type": types[0] if len(types) == 1 else types, "enum": [one for one, _ in kept]},
            )
        made = branches[0] if len(branches) == 1 else {"anyOf": branches}
        said = {"type", "enum", "const"}
        return self._kept(made, schema, path, _ENFORCED - self.subset.keywords, said)

    def _union(self, schema: Schema, keyword: str, path: Path) -> Json:
        if keyword == "oneOf":
            self._drop(path, keyword)
        branches = []
        for index, branch in enumerate(schema[keyword]):
            if branch is False:
                continue
            at = (*path, keyword, index)
            if "type" in schema and isinstance(branch, Mapping) and not _is_typed(branch):
                branch = {"type": schema["type"], **branch}
            branches.append(self.write(branch, at))
        if not branches:
            raise _No(path, "no value is allowed")
        said = {keyword, "type"}
        return self._kept(
            {"anyOf": branches}, schema, path, _ENFORCED - self.subset.keywords - said, said
        )

    def _array(self, schema: Schema, path: Path) -> Json:
        if "prefixItems" in schema or isinstance(schema.get("items"), list):
            raise _No(path, "each place of the list has a schema of its own")
        if "items" not in schema:
            raise _No(path, "the list may hold anything")
        with self._inside(path):
            made: Json = {"type": "array", "items": self.write(schema["items"], (*path, "items"))}
        return self._kept(made, schema, path, _LISTS, {"type", "items"})

    def _object(self, schema: Schema, path: Path) -> Json:
        declared = schema.get("properties") or {}
        self._require_closed(schema, declared, path)
        required = set(schema.get("required") or ())
        made: Json = {"type": "object", "properties": {}, "required": []}
        made["additionalProperties"] = False
        with self._inside(path):
            for name, part in declared.items():
                at = (*path, "properties", name)
                if part is False and name not in required:
                    continue
                written = self.write(part, at)
                if name in required:
                    made["required"].append(name)
                elif self.subset.optional == "nullable":
                    made["required"].append(name)
                    written = self._nullable(written)
                made["properties"][name] = written
        self.fields += len(made["properties"])
        self._within(self.fields, self.subset.most_fields, "fields", path)
        said = {"type", "properties", "required", "additionalProperties", "unevaluatedProperties"}
        return self._kept(made, schema, path, _OBJECTS, said)

    def _require_closed(self, schema: Schema, declared: Schema, path: Path) -> None:
        """Raise _No where a closed object with these fields would forbid a valid value."""
        further = [schema.get("additionalProperties"), schema.get("unevaluatedProperties")]
        if any(one is not None and one is not False for one in further):
            raise _No(path, "the object may have further fields")
        if schema.get("patternProperties"):
            raise _No(path, "names of fields are given by a pattern")
        if path and not declared and further == [None, None]:
            raise _No(path, "the object may have any fields")
        if not set(_named(schema, self.schema)) <= set(declared):
            raise _No(path, "more fields are named than the object declares")

    def _nullable(self, made: Json) -> Json:
        """The same form, or null."""
        if self._takes_null(made, 0):
            return made
        stated = made.get("type")
        if "anyOf" in made:
            return {**made, "anyOf": [*made["anyOf"], {"type": "null"}]}
        if stated is None or stated in ("object", "array"):
            outside = {key: made[key] for key in _ANNOTATIONS if key in made}
            inside = {key: item for key, item in made.items() if key not in outside}
            return {**outside, "anyOf": [inside, {"type": "null"}]}
        types = [stated] if isinstance(stated, str) else list(stated)
        nullable = {**made, "type": [*types, "null"]}
        return {**nullable, "enum": [*made["enum"], None]} if "enum" in made else nullable

    def _takes_null(self, made: Json, depth: int) -> bool:
        if "$ref" in made and depth < 32:
            target = self.defs.get(split_pointer(made["$ref"][1:])[-1])
            return target is not None and self._takes_null(target, depth + 1)
        if "anyOf" in made:
            return any(self._takes_null(branch, depth) for branch in made["anyOf"])
        stated = made.get("type", ())
        return "null" in ([stated] if isinstance(stated, str) else stated)

    def _reference(self, schema: Schema, path: Path) -> Json:
        reference = str(schema["$ref"])
        target = _target(self.schema, reference, path)
        for key in schema.keys() & (_ENFORCED - {"$ref"}):
            if key in _OBJECTS or key in _COMPOSED or key in _COMPOSED_MORE:
                raise _No(path, "more is said beside a reference")
            self._drop(path, key)
        self._require_progress(reference, path)
        notes = {key: schema[key] for key in _ANNOTATIONS if key in schema}
        if self.subset.inline:
            with self._within_reference(reference):
                return {**self.write(target, path), **notes}
        if reference not in self.names:
            self.names[reference] = name = self._name(reference)
            with self._within_reference(reference):
                self.defs[name] = self.write(target, tuple(split_pointer(reference[1:])))
        made: Json = {"$ref": f"#/$defs/{self.names[reference]}"}
        return {**notes, "anyOf": [made]} if notes else made

    def _require_progress(self, reference: str, path: Path) -> None:
        if reference not in self.opened:
            return
        since = self.opened[self.opened.index(reference) :]
        if None not in since:
            raise _No(path, "it refers to itself and to nothing else")
        if not self.subset.recursion:
            raise _No(path, "it refers to itself")

    def _name(self, reference: str) -> str:
        wanted = split_pointer(reference[1:])[-1] if reference not in ("#", "#/") else "root"
        kept = "".join(one if one.isascii() and one.isalnum() else "_" for one in wanted) or "_"
        number, name = 1, kept
        while name in self.names.values():
            number, name = number + 1, f"{kept}_{number + 1}"
        return name

    @contextmanager
    def _within_reference(self, reference: str) -> Iterator[None]:
        self.opened.append(reference)
        yield
        self.opened.pop()

    @contextmanager
    def _inside(self, path: Path) -> Iterator[None]:
        self.opened.append(None)
        self._within(self.opened.count(None), self.subset.most_depth, "levels", path)
        yield
        self.opened.pop()

    def _within(self, count: int, most: float, what: str, path: Path) -> None:
        if count > most:
            raise _No(path, f"there are more than {most} {what}")


def _target(root: Schema, reference: str, path: Path) -> Schema:
    if not reference.startswith("#") or (len(reference) > 1 and not reference.startswith("#/")):
        raise _No(path, "a reference leads out of the schema")
    found = subschema(root, split_pointer(reference[1:]) if len(reference) > 1 else ())
    if not found:
        raise _No(path, "a reference leads to nothing, or to anything")
    return found


def _is_number(kind: str, stated: list[str]) -> bool:
    return kind == "integer" and "number" in stated


def _is_typed(schema: Schema) -> bool:
    return bool({"type", "$ref", "enum", "const", "anyOf", "oneOf"} & set(schema))


def _named(schema: Any, root: Schema, depth: int = 0) -> Iterator[str]:  # Any: JSON Schema
    """Every field that a schema names for the object itself, in whatever way."""
    if not isinstance(schema, Mapping):
        return
    if depth > 8:
        yield ""  # too deep to tell: a name that is never declared
        return
    yield from schema.get("required") or ()
    yield from schema.get("properties") or ()
    for name, needed in (schema.get("dependentRequired") or {}).items():
        yield from (name, *needed)
    if schema.get("patternProperties") or "$dynamicRef" in schema:
        yield ""
    if isinstance(schema.get("$ref"), str):
        yield from _named(subschema(root, split_pointer(schema["$ref"][1:])), root, depth + 1)
    for keyword in _COMPOSED:
        parts = schema.get(keyword, ())
        for part in parts if isinstance(parts, list | tuple) else [parts]:
            yield from _named(part, root, depth + 1)
    for keyword in _COMPOSED_MORE:
        for name, part in (schema.get(keyword) or {}).items():
            yield name
            yield from part if isinstance(part, list) else _named(part, root, depth + 1)
