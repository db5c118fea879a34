"""Generated arguments for a JSON Schema: valid ones, and valid ones with something spoiled.

Values are built along the schema and then asked of a validator, so what comes out is valid even
where a keyword is not built for. This module needs hypothesis; `handrail.testing.laws` imports
it when it is called.
"""

import copy
import re
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from handrail.contract.formats import describe_format
from handrail.contract.schema_engine import compile_schema
from handrail.contract.words import Schema, json_type, resolve

__all__ = ["spoiled", "valid"]

Values = st.SearchStrategy[Any]  # Any: JSON values

_MAX_DEPTH = 5
_TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="<>", categories=["L", "N", "Zs"]))
_SMALL = st.integers(-1000, 1000)
_SCALARS: Values = st.none() | st.booleans() | _SMALL | st.floats(-1e6, 1e6) | _TEXTS
_ANY: Values = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_TEXTS, inner, max_size=2)
)
_KINDS = ("string", "integer", "number", "boolean", "object", "array", "null")


def valid(schema: Schema) -> Values:
    """Arguments that a schema accepts."""
    return _value(schema, schema, 0).filter(compile_schema(schema).is_valid)


def spoiled(schema: Schema) -> Values:
    """Valid arguments after one accident somewhere: mostly, but not always, invalid."""
    return _after_an_accident(valid(schema))


@st.composite
def _after_an_accident(draw: st.DrawFn, values: Values) -> Any:  # Any: JSON values
    value = draw(values.map(copy.deepcopy))
    at, key = draw(st.sampled_from(_places(value)))
    accident = draw(st.sampled_from(["drop", "replace", "add", "kind"]))
    if key is None or accident == "add":
        target = at if isinstance(at, dict) else value
        target[draw(st.sampled_from(["unknown", "Id", ""]))] = draw(_SCALARS)
    elif accident == "drop":
        del at[key]
    elif accident == "replace":
        at[key] = draw(_ANY)
    else:
        at[key] = draw(st.sampled_from([[at[key]], str(at[key]), None, {"value": at[key]}]))
    return value


def _places(value: Any, depth: int = 0) -> list[tuple[Any, Any]]:  # Any: JSON values, keys
    """Every container with each of its keys; the arguments alone if they are empty."""
    found: list[tuple[Any, Any]] = [] if depth else [(value, None)]
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            found.append((value, key))
            found += _places(value[key], depth + 1)
    return found


def _value(schema: Any, root: Schema, depth: int) -> Values:  # Any: JSON Schema
    if depth > _MAX_DEPTH or schema is False:
        return st.nothing()
    if not isinstance(schema, Mapping) or not schema:
        return _ANY
    schema = _joined(resolve(schema, root), root)
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"]) if schema["enum"] else st.nothing()
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            rest = {key: item for key, item in schema.items() if key != keyword}
            branches = [_both(rest, resolve(branch, root)) for branch in schema[keyword]]
            return st.one_of([_value(branch, root, depth + 1) for branch in branches])
    stated = schema.get("type") or _implied(schema)
    kinds = [stated] if isinstance(stated, str) else list(stated)
    return st.one_of([_of_kind(kind, schema, root, depth) for kind in kinds])


def _implied(schema: Schema) -> Any:  # Any: a type or several
    if "properties" in schema:
        return "object"
    return "array" if "items" in schema else _KINDS


def _joined(schema: Schema, root: Schema) -> Schema:
    """The schema with the parts of ``allOf`` put into it, as far as that goes."""
    made = {key: item for key, item in schema.items() if key != "allOf"}
    for part in schema.get("allOf") or ():
        made = _both(made, _joined(resolve(part, root), root))
    return made


def _both(one: Schema, other: Any) -> dict[str, Any]:  # Any: JSON Schema
    other = other if isinstance(other, Mapping) else {}
    made = {**one, **other}
    if "properties" in one and "properties" in other:
        made["properties"] = {**one["properties"], **other["properties"]}
    if "required" in one and "required" in other:
        made["required"] = [*one["required"], *other["required"]]
    return made


def _of_kind(kind: str, schema: Schema, root: Schema, depth: int) -> Values:
    match kind:
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "integer":
            return _integers(schema)
        case "number":
            return _numbers(schema)
        case "string":
            return _strings(schema)
        case "array":
            return _arrays(schema, root, depth)
    return _objects(schema, root, depth)


def _bounds(schema: Schema) -> tuple[float | None, float | None]:
    low = [schema[key] for key in ("minimum", "exclusiveMinimum") if key in schema]
    high = [schema[key] for key in ("maximum", "exclusiveMaximum") if key in schema]
    return max(low, default=None), min(high, default=None)


def _integers(schema: Schema) -> Values:
    low, high = _bounds(schema)
    step = schema.get("multipleOf", 1)
    step = step if isinstance(step, int) else 1
    first = -(-int(low) // step) if low is not None else None
    last = int(high) // step if high is not None else None
    if first is not None and last is not None and first > last:
        return st.nothing()
    if first is None and last is None:
        first, last = -1000, 1000
    return st.integers(first, last).map(lambda number: number * step)


def _numbers(schema: Schema) -> Values:
    if "multipleOf" in schema:
        step = schema["multipleOf"]
        return st.integers(-100, 100).map(lambda number: number * step)
    low, high = _bounds(schema)
    if low is not None and high is not None and low > high:
        return st.nothing()
    floats = st.floats(low, high, allow_nan=False, allow_infinity=False, width=64)
    return floats if low is not None or high is not None else floats | _SMALL


def _strings(schema: Schema) -> Values:
    low, high = int(schema.get("minLength", 0)), schema.get("maxLength")
    if schema.get("format"):
        described = describe_format(schema["format"])
        return st.just(described.example) if described is not None else _TEXTS
    if "pattern" in schema:
        try:
            made = st.from_regex(re.compile(schema["pattern"]))
        except re.error:
            return _TEXTS
        return made.filter(lambda text: low <= len(text) <= (high or len(text)))
    most = int(high) if high is not None else low + 20
    if most < low:
        return st.nothing()
    return st.text(_LETTERS, min_size=low, max_size=min(most, low + 200))


_LETTERS = st.characters(codec="utf-8", exclude_characters="<>", categories=["L", "N", "Zs"])


def _arrays(schema: Schema, root: Schema, depth: int) -> Values:
    low = int(schema.get("minItems", 0))
    high = min(int(schema.get("maxItems", low + 3)), low + 3)
    first = [_value(part, root, depth + 1) for part in schema.get("prefixItems", ())]
    if high < low:
        return st.nothing()
    items = _value(schema.get("items", True), root, depth + 1)
    if items.is_empty:
        return st.tuples(*first).map(list) if len(first) >= low else st.nothing()
    unique = repr if schema.get("uniqueItems") else None
    more = st.lists(
        items,
        min_size=max(low - len(first), 0),
        max_size=max(high - len(first), 0),
        unique_by=unique,
    )
    if not first:
        return more
    return st.tuples(st.tuples(*first), more).map(lambda both: [*both[0], *both[1]])


def _objects(schema: Schema, root: Schema, depth: int) -> Values:
    required, optional = {}, {}
    wanted = set(schema.get("required") or ())
    for name, part in (schema.get("properties") or {}).items():
        made = _value(part, root, depth + 1)
        if name in wanted:
            required[name] = made
        elif not made.is_empty:
            optional[name] = made
    further = schema.get("additionalProperties", "properties" not in schema)
    for name in wanted - required.keys():
        required[name] = _value(further, root, depth + 1)
    whole = st.fixed_dictionaries(required, optional=optional)
    if further is False:
        return whole
    names = _value(schema.get("propertyNames", {"type": "string"}), root, depth + 1)
    extra = _value(further, root, depth + 1)
    if names.is_empty or extra.is_empty:
        return whole
    more = st.dictionaries(names.filter(lambda one: json_type(one) == "string"), extra, max_size=2)
    return st.tuples(more, whole).map(lambda both: {**both[0], **both[1]})
