"""The fields of the failing objects are found in any schema, and told in one line."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.parameters import failing_fields, fields_line, parameter_names

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
        "who": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/Who"}]},
    },
    "required": ["path"],
    "$defs": {
        "Item": {"type": "object", "properties": {"qty": {"type": "integer", "minimum": 1}}},
        "Who": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
    },
}


def test_fields_of_the_root() -> None:
    """A problem of a top-level field shows all top-level fields."""
    assert fields_line(failing_fields(SCHEMA, ["/path"])) == (
        "path (string, required), items (array of object), who (null or object)"
    )


def test_fields_of_nested_objects() -> None:
    """References, items of arrays and optional objects are followed."""
    fields = failing_fields(SCHEMA, ["/items/*/qty", "/who/name"])
    assert fields_line(fields) == "in /items/*: qty (integer >= 1); in /who: id (string, required)"
    assert parameter_names(fields) == ["/items/*/qty", "/who/id"]


def test_the_line_is_cut_after_a_field() -> None:
    """What does not fit is counted."""
    wide = {"properties": {f"field_{at:02}": {"type": "string"} for at in range(30)}}
    line = fields_line(failing_fields(wide, [""]), 100)
    assert line.endswith("field_03 (string), and 26 more")
    assert len(line) <= 100


def test_references_in_a_circle_end() -> None:
    """A schema that refers to itself gives a line, or none."""
    loop = {"properties": {"a": {"$ref": "#/properties/a"}}}
    assert fields_line(failing_fields(loop, ["/a/b/c"])) == "a (any value)"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["properties", "items", "$ref", "anyOf", "required", "type", "a\nb", "0"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON, st.text(max_size=8))
def test_any_schema_gives_one_line(schema: object, path: str) -> None:
    """Nonsense where a schema should be gives no guidance, never an error or a second line."""
    line = fields_line(failing_fields(schema, [path, "/a\nb/0/x"]))
    assert len(line) <= 420
    assert line.splitlines() in ([line], [])
