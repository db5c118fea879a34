"""Defaults that a schema states are filled in, wherever they stand."""

from typing import Any

from handrail.contract.defaults import Defaults


def test_defaults_are_filled_in() -> None:
    """Absent properties with a stated default count as given, nested and through references."""
    schema = {
        "properties": {
            "a": {"default": 1},
            "n": {"$ref": "#/$defs/N"},
            "m": {"$ref": "#/$defs/N"},
            "l": {"items": {"$ref": "#/$defs/N"}},
        },
        "$defs": {"N": {"properties": {"x": {"default": [2]}}}},
    }
    given_ = {"n": {}, "l": [{"x": 1}, {}]}
    assert Defaults(schema).fill(given_) == {"a": 1, "n": {"x": [2]}, "l": [{"x": 1}, {"x": [2]}]}
    assert given_ == {"n": {}, "l": [{"x": 1}, {}]}


def test_a_circular_reference_ends() -> None:
    """A schema that refers to itself only is no endless loop."""
    schema = {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"$ref": "#/$defs/A"}}}
    assert Defaults(schema).fill({"a": 1}) == {"a": 1}


def test_defaults_of_every_part_are_filled_in() -> None:
    """All parts of ``allOf`` hold; a schema need not name properties."""
    schema = {
        "allOf": [
            {"properties": {"a": {"default": 1}}},
            {"properties": {"n": {"properties": {"x": {"default": 2}}}}},
        ]
    }
    assert Defaults(schema).fill({"n": {}}) == {"a": 1, "n": {"x": 2}}
    assert Defaults({"type": "object"}).fill({"b": 1}) == {"b": 1}


def test_words_beside_a_reference_hold_too() -> None:
    """A field with a default of its own is filled inside where it was given."""
    schema = {
        "properties": {
            "n": {"$ref": "#/$defs/a~1b~0c", "default": {"x": 9}},
            "any": {"$ref": "#/$defs/any"},
            "gone": {"$ref": "#/$defs/gone/x"},
        },
        "$defs": {"a/b~c": {"properties": {"x": {"default": 2}}}, "any": True},
    }
    assert Defaults(schema).fill({}) == {"n": {"x": 9}}
    given_ = {"n": {}, "any": {"y": 1}, "gone": {}}
    assert Defaults(schema).fill(given_) == {"n": {"x": 2}, "any": {"y": 1}, "gone": {}}


def test_what_is_whole_is_given_back_as_it_is() -> None:
    """Nothing is copied where nothing is absent, and nothing given is ever changed."""
    made = Defaults({"properties": {"a": {"default": 1}, "l": {"items": {"type": "object"}}}})
    whole = {"a": 2, "l": [{}]}
    assert made.fill(whole) is whole
    assert Defaults({"type": "object"}).fill(whole) is whole
    short: dict[str, Any] = {"l": []}  # Any: JSON values
    assert (made.fill(short), short) == ({"a": 1, "l": []}, {"l": []})
    items = Defaults({"properties": {"l": {"items": {"properties": {"x": {"default": 1}}}}}})
    whole = {"l": [{"x": 2}, 3]}
    assert items.fill(whole) is whole
    assert items.fill({"l": [{"x": 2}, {}]}) == {"l": [{"x": 2}, {"x": 1}]}


def test_a_tree_is_filled_at_every_level() -> None:
    """A schema that refers to itself is read once and holds at any depth."""
    tree = {"properties": {"up": {"$ref": "#/$defs/tree"}, "n": {"default": 0}}}
    made = Defaults({"$ref": "#/$defs/tree", "$defs": {"tree": tree}})
    assert made.fill({"up": {"up": {"n": 1}}}) == {"n": 0, "up": {"n": 0, "up": {"n": 1}}}


def test_each_reference_has_its_own_target() -> None:
    """Also where one target is only a reference to the next."""
    schema = {
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}},
        "$defs": {
            "A": {"$ref": "#/$defs/C"},
            "B": {"properties": {"y": {"default": 2}}},
            "C": {"properties": {"x": {"default": 1}}},
        },
    }
    assert Defaults(schema).fill({"a": {}, "b": {}}) == {"a": {"x": 1}, "b": {"y": 2}}


def test_defaults_at_the_top_alone_are_flat() -> None:
    """Where something is filled in further below, or in a part, they are not."""
    top = {"a": {"default": 1}, "l": {"items": {"type": "object"}}}
    assert Defaults({"properties": top, "items": {"type": "object"}}).flat == {"a": 1}
    assert Defaults({"type": "object"}).flat == {}
    nested = {"properties": {"n": {"properties": {"x": {"default": 1}}}}}
    assert Defaults(nested).flat is None
    assert Defaults({"allOf": [nested]}).flat is None
    assert Defaults({"items": {"properties": {"x": {"default": 1}}}}).flat is None
