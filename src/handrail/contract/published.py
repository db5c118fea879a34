"""The JSON Schema that a pydantic tool publishes.

It is pydantic's own, with three changes: objects of models, dataclasses and TypedDicts whose
author does not state ``extra`` are closed (unknown fields are errors, so the schema says so);
titles that pydantic makes up are left out, since they cost tokens and say nothing; and a field
that is read from a path inside the arguments (``AliasPath``) is published where it is read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from handrail.contract.schema_engine import compile_schema, require_object
from handrail.contract.words import resolve
from handrail.errors import ContractError

__all__ = ["Published", "publish"]

_DECIMAL = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"


@dataclass(frozen=True, slots=True)
class Published:
    """What is known about a model's arguments once and for all.

    Attributes:
        schema: JSON Schema to publish.
        silent: Some model does not state ``extra``.
        opened: Some model states ``extra="allow"`` or ``"ignore"``.
        spellings: Every name by which some field may be given, aliases included.
    """

    schema: dict[str, Any]  # Any: JSON Schema
    silent: bool
    opened: bool
    spellings: frozenset[str]


def publish(model: type[BaseModel], tool: str = "") -> Published:
    """The published schema of a model.

    Raises:
        ContractError: The model cannot be built, or has no JSON Schema with an object at its root.
    """
    notes = _Notes()
    kind = type("ClosedSchema", (_Closed,), {"notes": notes})
    try:
        if not model.__pydantic_complete__:
            model.model_rebuild()
        schema = model.model_json_schema(schema_generator=kind)
    except Exception as error:  # pydantic has no common base for what a declaration may raise
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ContractError(tool, [f"{model.__name__} has no JSON Schema: {reason}"]) from error
    for part in schema.get("$defs", {}).values():
        if part.get("title") in notes.enums and ("enum" in part or "const" in part):
            part.pop("title")
    schema = _inlined(schema)
    _spell_keys(schema, schema)
    require_object(schema, tool)
    compile_schema(schema, tool)
    return Published(schema, notes.silent, notes.opened, frozenset(notes.spellings))


def _inlined(schema: dict[str, Any]) -> dict[str, Any]:  # Any: JSON Schema
    """The root object written out where pydantic only refers to it (recursive models)."""
    reference = schema.get("$ref", "")
    name = reference.removeprefix("#/$defs/")
    target = schema.get("$defs", {}).get(name)
    if not reference or target is None:
        return schema
    return {**target, **{key: item for key, item in schema.items() if key != "$ref"}}


def _spell_keys(part: Any, root: dict[str, Any]) -> None:  # Any: JSON value, JSON Schema
    """Say in strings which keys a mapping takes: pydantic lists those of an IntEnum as numbers."""
    if isinstance(part, list):
        for item in part:
            _spell_keys(item, root)
    elif isinstance(part, dict):
        for item in part.values():
            _spell_keys(item, root)
        keys = resolve(part.get("propertyNames"), root)
        options = keys.get("enum")
        if isinstance(options, list) and not all(isinstance(option, str) for option in options):
            part["propertyNames"] = {"enum": [str(option) for option in options]}


class _Notes:
    """What the generator saw on its way."""

    def __init__(self) -> None:
        self.silent = False
        self.opened = False
        self.spellings: set[str] = set()
        self.enums: set[str] = set()


class _Closed(GenerateJsonSchema):
    notes: _Notes

    def field_title_should_be_set(self, schema: Any) -> bool:  # Any: pydantic's schemas
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        made = super().model_schema(schema)
        return self._closed(made, schema["cls"], schema["cls"].model_config.get("extra"))

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        made = super().dataclass_schema(schema)
        return self._closed(made, schema["cls"], _inherited_extra(schema))

    def _closed(
        self, made: JsonSchemaValue, cls: type[Any] | None, extra: str | None
    ) -> JsonSchemaValue:  # Any: any class
        if cls is not None and made.get("title") == cls.__name__:
            made.pop("title")
        if made.get("type") != "object" or getattr(cls, "__pydantic_root_model__", False):
            return made
        if extra is None:
            self.notes.silent = True
            made.setdefault("additionalProperties", False)
        elif extra != "forbid":
            self.notes.opened = True
        return made

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        self._note_fields(schema["fields"])
        made = super().typed_dict_schema(schema)
        extra = _inherited_extra(schema)
        if extra is None and schema.get("extra_behavior") != "ignore":  # ignore is the default
            extra = schema.get("extra_behavior")
        return self._closed(made, schema.get("cls"), extra)

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        self.notes.enums.add(schema["cls"].__name__)
        return super().enum_schema(schema)

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        made = super().decimal_schema(schema)
        for branch in made.get("anyOf", ()):
            if branch.get("type") == "string":
                branch.setdefault("pattern", _DECIMAL)
        return made

    def model_fields_schema(self, schema: core_schema.ModelFieldsSchema) -> JsonSchemaValue:
        fields = schema["fields"]
        self._note_fields(fields)
        made = super().model_fields_schema(schema)
        for name, field in fields.items():
            path = _path_alias(_paths(field))
            if path and name in made.get("properties", {}):
                _move(made, name, path)
        return made

    def dataclass_args_schema(self, schema: core_schema.DataclassArgsSchema) -> JsonSchemaValue:
        self._note_fields({field["name"]: field for field in schema["fields"]})
        return super().dataclass_args_schema(schema)

    def _note_fields(self, fields: Mapping[str, Any]) -> None:  # Any: pydantic's schemas
        for name, field in fields.items():
            self.notes.spellings.add(name)
            self.notes.spellings.update(str(path[0]) for path in _paths(field))


def _inherited_extra(schema: Any) -> str | None:  # Any: pydantic's schemas
    """What a dataclass or TypedDict states on ``extra``, or takes from the model around it."""
    stated = (getattr(schema.get("cls"), "__pydantic_config__", None) or {}).get("extra")
    extra = stated or schema.get("config", {}).get("extra_fields_behavior")
    return None if extra is None else str(extra)


def _paths(field: Mapping[str, Any]) -> list[list[str | int]]:  # Any: pydantic's schemas
    """Every place that a field may be read from, besides its own name."""
    alias = field.get("validation_alias")
    if isinstance(alias, str):
        return [[alias]]
    if not isinstance(alias, list) or not alias:
        return []
    return alias if isinstance(alias[0], list) else [alias]


def _path_alias(paths: Sequence[Sequence[str | int]]) -> Sequence[str | int] | None:
    """The first path of an alias that has no plain name among its choices."""
    if not paths or any(len(path) == 1 for path in paths):
        return None
    return paths[0]


def _move(made: JsonSchemaValue, name: str, path: Sequence[str | int]) -> None:
    """Publish a field at its path; paths that share their beginning are merged."""
    field = made["properties"].pop(name)
    required = name in made.get("required", [])
    if required:
        made["required"].remove(name)
        made["required"].append(path[0])
        made["required"] = list(dict.fromkeys(made["required"]))
    elif not made.get("required", True):
        made.pop("required")
    nested = _at_path(path[1:], field, required)
    known = made["properties"].get(path[0])
    made["properties"][path[0]] = _merged(known, nested) if known else nested


def _at_path(path: Sequence[str | int], field: Any, required: bool) -> Any:  # Any: JSON Schema
    if not path:
        return field
    inner = _at_path(path[1:], field, required)
    if isinstance(path[0], int):
        if path[0] < 0:
            return {"type": "array", "minItems": 1} if required else {"type": "array"}
        made: dict[str, Any] = {"type": "array", "prefixItems": [*[{}] * path[0], inner]}
        return {**made, "minItems": path[0] + 1} if required else made
    made = {"type": "object", "properties": {path[0]: inner}}
    return {**made, "required": [path[0]]} if required else made


def _merged(one: Any, other: Any) -> Any:  # Any: JSON Schemas
    if not isinstance(one, dict) or not isinstance(other, dict):
        return other
    merged = {**one, **other}
    for key in ("properties",):
        if key in one and key in other:
            shared = {name: _merged(one[key].get(name), item) for name, item in other[key].items()}
            merged[key] = {**one[key], **shared}
    if "required" in one or "required" in other:
        both = [*one.get("required", []), *other.get("required", [])]
        merged["required"] = list(dict.fromkeys(both))
    return merged
