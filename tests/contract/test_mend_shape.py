"""Level 2: the right value in the wrong shape."""

from typing import Any

import pytest

from handrail import Issue
from handrail.contract.mend_shape import encoded_twice, id_steps, is_container_text, shape_steps
from handrail.contract.nodes import Nodes
from handrail.contract.steps import Step, place_of

ROOT = {
    "type": "object",
    "properties": {
        "tags": {"type": "array"},
        "box": {"type": ["object", "null"]},
        "text": {"anyOf": [{"type": "string"}, {"type": "array"}]},
        "must": {"type": "integer"},
        "may": {"type": "integer"},
    },
    "required": ["must"],
}


def steps(name: str, value: Any, code: str = "VAL-002") -> list[tuple[str, Any]]:
    """Kinds and new values at a field."""
    place = place_of(Issue(code, f"/{name}", ""), [name], {name: value}, Nodes(ROOT))
    assert place is not None
    return [(step.kind, step.after) for step in shape_steps(place)]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("tags", '["a", 1]', [("parsed_json", ["a", 1])]),
        ("box", ' {"a": {}} ', [("parsed_json", {"a": {}})]),
        ("tags", '{"a": 1}', []),
        ("tags", '["a"', []),
        ("tags", "['a']", []),
        ("tags", '[1], "b": [2]', []),
        ("tags", "[1], 2", []),
        ("tags", '[{"a": 1, "a": 2}]', []),
        ("tags", "[NaN]", []),
        ("tags", "a", []),
        ("text", '["a"]', []),
        ("may", None, [("null_dropped", None)]),
        ("must", None, []),
        ("box", None, []),
        ("unknown", None, []),
    ],
)
def test_one_reading_or_none(name: str, value: Any, expected: list[tuple[str, Any]]) -> None:
    """Strictly parsed, of the wanted type; null only from what may be left out."""
    assert steps(name, value) == expected


def test_other_issues_are_no_matter_of_shape() -> None:
    """A text that is too short is not parsed."""
    assert steps("tags", '["a"]', "VAL-006") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"{\\"a\\": 1}"', {"a": 1}),
        ('"{\\"a\\": 1"', None),
        ('"[1]"', None),
        ('"a"', None),
        ('"{}", "b": "{}"', None),
        ('{"a": 1}', None),
        (b"", None),
    ],
)
def test_arguments_sent_as_one_string(text: object, expected: object) -> None:
    """Exactly one string, of exactly one whole object."""
    read = encoded_twice(text)
    assert (read.value if read else None) == expected


def test_ids_lose_the_whitespace_around_them() -> None:
    """At any depth; what the pattern takes as it is, and other fields, stay."""
    value = {"id": " a ", "rows": [{"id": "b\n"}], "name": " c ", "raw": " d", "no": "  "}
    found = id_steps(value, {"id": None, "raw": r"\s*\w", "no": None}, ())
    assert found == [Step("whitespace", ("id",), "a"), Step("whitespace", ("rows", 0, "id"), "b")]
    assert id_steps(value, {}, {"name"}) == [Step("whitespace", ("name",), "c")]


def test_container_texts() -> None:
    """The first character says it."""
    assert is_container_text("\n [1]")
    assert not is_container_text("x [1]")
