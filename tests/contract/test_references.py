"""References written out, where that is possible."""

from handrail.contract.references import inlined

POINT = {"type": "object", "properties": {"x": {"type": "integer"}}}


def test_references_are_written_out() -> None:
    """Notes beside a reference stay, constraints beside it are joined to it."""
    schema = {
        "$defs": {"P": POINT},
        "properties": {
            "a": {"$ref": "#/$defs/P", "description": "Here."},
            "b": {"type": "array", "items": {"$ref": "#/$defs/P", "minProperties": 1}},
        },
    }
    assert inlined(schema) == {
        "properties": {
            "a": {**POINT, "description": "Here."},
            "b": {"type": "array", "items": {"minProperties": 1, "allOf": [POINT]}},
        }
    }


def test_what_only_looks_like_a_reference_stays() -> None:
    """A field that is named so, and a listed value."""
    schema = {
        "properties": {"$ref": {"enum": [{"$ref": "#/x"}], "default": {"a": {"$ref": "#/x"}}}}
    }
    assert inlined(schema) == schema


def test_what_stands_beside_a_reference_is_kept() -> None:
    """Each note in its place, and parts that hold together with the target."""
    notes = {"title": "T", "description": "D", "default": {}, "examples": [], "deprecated": True}
    schema = {
        "definitions": {"P": POINT},
        "properties": {
            "a": {"$ref": "#/definitions/P", **notes},
            "b": {"$ref": "#/definitions/P", "allOf": [{"required": ["x"]}]},
        },
    }
    assert inlined(schema) == {
        "properties": {
            "a": {**POINT, **notes},
            "b": {"allOf": [{"required": ["x"]}, POINT]},
        }
    }


def test_what_cannot_be_written_out() -> None:
    """It refers to itself, out of itself, to nothing, or it would be huge."""
    tree = {
        "$defs": {"t": {"items": {"$ref": "#/$defs/t"}}},
        "properties": {"a": {"$ref": "#/$defs/t"}},
    }
    doubling = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(20)}
    huge = {"$defs": {**doubling, "d20": POINT}, "allOf": [{"$ref": "#/$defs/d0"}]}
    assert inlined(tree) is None
    assert inlined(huge) is None
    assert inlined({"$ref": "other.json"}) is None
    assert inlined({"items": {"$ref": "#/$defs/none"}}) is None
    assert inlined({"$defs": {"P": POINT}, "items": {"$ref": "x/$defs/P"}}) is None


def test_names_in_references_may_be_escaped() -> None:
    """As a JSON pointer has it (RFC 6901)."""
    schema = {"$defs": {"a/b~c": POINT}, "items": {"$ref": "#/$defs/a~1b~0c"}}
    assert inlined(schema) == {"items": POINT}


def test_five_thousand_parts_are_written() -> None:
    """The schema itself is one of them."""
    whole = {"allOf": [True] * 4_999}
    assert inlined(whole) == whole
    assert inlined({"allOf": [True] * 5_000}) is None
