"""Any schema: its strict form is one that the provider takes, and loses no valid arguments.

Laws: the form passes a checker that was written from the provider's documentation alone; every
valid value of declared fields can be written under it, with null for what is left out, so that
it is valid again when the forced nulls were taken out; no invalid value becomes valid.
"""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from any_schema import NAMES, OBJECTS, schemas
from handrail.contract.forced import admits_null, without_forced
from handrail.contract.strict import strict_form
from handrail.contract.subsets import SUBSETS
from handrail.testing.arguments import valid
from strict_subset import check_strict, embedded

PROVIDERS = st.sampled_from(["openai", "anthropic", "gemini", "bedrock"])
CORPUS = os.environ.get("HANDRAIL_SCHEMAS")

Schema = dict[str, Any]  # Any: JSON Schema


def kinds(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    """Parts of schemas as authors write them, around smaller ones."""
    lists = st.fixed_dictionaries(
        {"type": st.just("array"), "items": inner},
        optional={"maxItems": st.integers(1, 3), "uniqueItems": st.booleans()},
    )
    return lists | objects(inner) | unions(inner)


def unions(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    """One of several, or null."""
    several = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        several.map(lambda branches: {"anyOf": branches}),
        inner.map(lambda one: {"oneOf": [one, {"type": "null"}]}),
    )


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Schema]) -> Schema:
    """Declared fields, some of them required; closed or silent."""
    fields = draw(st.dictionaries(NAMES, inner, min_size=1, max_size=3))
    required = draw(st.lists(st.sampled_from(sorted(fields)), unique=True))
    closed = draw(st.booleans())
    made: Schema = {"type": "object", "properties": fields, "required": required}
    return {**made, "additionalProperties": False} if closed else made


SCALARS = st.sampled_from(
    [
        {"type": "string", "minLength": 1},
        {"type": ["string", "null"], "description": "Words."},
        {"type": "integer", "minimum": 1, "multipleOf": 2},
        {"enum": ["a", 1, None, True]},
        {"const": 0},
        {"type": "string", "format": "date"},
        {"$ref": "#/$defs/x", "description": "Another."},
        {"$ref": "#/$defs/tree"},
        {"type": "null"},
    ]
)
TREE = {"type": "object", "properties": {"up": {"$ref": "#/$defs/tree"}, "n": {"type": "integer"}}}
PARTS = st.recursive(SCALARS, kinds, max_leaves=5)


@st.composite
def sensible(draw: st.DrawFn) -> Schema:
    """Schemas of which most have a strict form."""
    return {**draw(objects(PARTS)), "$defs": {"x": draw(objects(SCALARS)), "tree": TREE}}


def laws_hold(schema: Schema, provider: str, values: list[Any]) -> bool:  # Any: JSON values
    """Check all laws on these values; whether there was a strict form."""
    subset = SUBSETS[provider]
    assert subset is not None
    made = strict_form(schema, subset).schema
    if made is None:
        return False
    check_strict(made, provider)
    own, strict = jsonschema_rs.validator_for(schema), jsonschema_rs.validator_for(made)
    for value in values:
        written = embedded(value, made, made)
        kept = [one for one in written if own.is_valid(without_forced(one, schema))]
        if not own.is_valid(value):
            assert not kept or own.is_valid(without_forced(value, schema))
        elif written:
            assert any(strict.is_valid(one) for one in kept), written
    return True


@given(schemas(), PROVIDERS, st.lists(OBJECTS, max_size=4))
@settings(max_examples=100)
def test_any_schema(schema: Schema, provider: str, values: list[Any]) -> None:
    """However strange; most of these have no strict form."""
    laws_hold(schema, provider, values)


WORDS = {"type": "string", "minLength": 1}
TWICE_ANOTHER = {
    "type": "object",
    "properties": {
        "b": WORDS,
        "a/b": {"oneOf": [{"type": "array", "items": WORDS}, {"type": "null"}]},
        "a": {
            "anyOf": [
                {"$ref": "#/$defs/x", "description": "Another."},
                {"$ref": "#/$defs/x", "description": "Another."},
                {"$ref": "#/$defs/tree"},
            ]
        },
    },
    "required": ["b"],
    "$defs": {
        "x": {"type": "object", "properties": {"a": WORDS}, "required": ["a"]},
        "tree": TREE,
    },
}


def test_the_branch_that_fits_comes_last() -> None:
    """Two branches that a value does not fit, before the one that it does."""
    assert laws_hold(TWICE_ANOTHER, "openai", [{"b": "0", "a/b": [], "a": {}}])


def test_one_branch_requires_what_another_leaves_out() -> None:
    """A null can only be that of the branch in which the field may be left out."""
    fields = {"type": "object", "properties": {"a": WORDS}}
    either = {"anyOf": [{**fields, "required": ["a"]}, fields]}
    schema = {"type": "object", "properties": {"b": either}, "required": ["b"]}
    assert laws_hold(schema, "openai", [{"b": {}}, {"b": {"a": "x"}}, {"b": {"a": None}}])


def test_one_branch_has_more_fields_than_another() -> None:
    """A strict model writes every field of the branch that it means."""
    more = {"a": {"type": ["string", "null"]}, "b": WORDS}
    large = {"type": "object", "properties": more, "required": ["a", "b"]}
    small = {"type": "object", "properties": {"a": WORDS}}
    schema = {"type": "object", "properties": {"b": {"anyOf": [large, small]}}, "required": ["b"]}
    assert laws_hold(schema, "openai", [{"b": {}}, {"b": {"a": None, "b": "x"}}])


@given(st.data(), sensible(), PROVIDERS)
@settings(max_examples=100)
def test_a_sensible_schema(data: st.DataObject, schema: Schema, provider: str) -> None:
    """With values that are valid, which is where nulls matter."""
    shut = {**schema, "additionalProperties": False}
    value = data.draw(valid(shut))
    assume(laws_hold(schema, provider, [value]))


def refers_back(schema: Schema, part: object) -> bool:
    """Whether a reference may lead back to itself at the same value, which is undefined."""
    another = schema["$defs"]["x"]
    said = json.dumps([part, another])
    return '#"' in said or "loop" in said or "#/$defs/x" in json.dumps(another)


@given(st.sampled_from([None]), schemas())
@settings(max_examples=100)
def test_what_is_said_of_null_is_exact(null: None, schema: Schema) -> None:
    """The same as what a validator says, for every part of a schema."""
    for part in schema["properties"].values():
        whole = {"$defs": schema["$defs"], "properties": schema["properties"], "allOf": [part]}
        if not refers_back(schema, part):
            said = jsonschema_rs.validator_for(whole).is_valid(null)
            assert admits_null(part, whole) is said


@pytest.mark.parametrize("around", [None, "allOf", "anyOf"])
def test_what_only_refers_to_itself_says_nothing_of_null(around: str | None) -> None:
    """As for the validator, however the reference is wrapped."""
    again: Schema = {"$ref": "#/$defs/x"}
    whole = {"$defs": {"x": again if around is None else {around: [again]}}, "allOf": [again]}
    assert admits_null(again, whole) is jsonschema_rs.validator_for(whole).is_valid(None) is True


@pytest.mark.skipif(CORPUS is None, reason="HANDRAIL_SCHEMAS names no file")
@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini", "bedrock"])
def test_recorded_schemas(provider: str) -> None:
    """Real tools: all but those with free keys have a strict form."""
    rows = [json.loads(row) for row in Path(str(CORPUS)).read_text(encoding="utf-8").splitlines()]
    without = [row["ref"] for row in rows if not laws_hold(row["parameters"], provider, [{}])]
    assert len(without) < len(rows) / 50
