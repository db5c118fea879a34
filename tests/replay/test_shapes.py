"""Shapes say what a value is like, and never what it is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.replay.shapes import pointer_shape, raw_text, shape_of, shape_text

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ({"status": "returned"}, {"status": "string(8)"}),
        ([1, 2.5], ["integer", "... 2 items"]),
        ([], []),
        (None, "null"),
        ({"a": {"b": [True]}}, {"a": {"b": ["boolean"]}}),
        (
            {"credit_card_4412": 1, "street name": 2},
            {"string(16)": "integer", "string(11)": "integer"},
        ),
    ],
)
def test_shape(value: object, shape: object) -> None:
    """Types and sizes; a key that looks like data is hidden as well."""
    assert shape_of(value) == shape


def test_json_in_a_text_is_opened() -> None:
    """A result is logged as text more often than not."""
    assert shape_text('{"total": 3}') == '{"total": "integer"}'
    assert shape_text("{cut") == "string(4)"


@given(JSON)
def test_no_text_of_a_value_is_in_its_shape(value: object) -> None:
    """A mark put into every text of a value does not come out."""

    def marked(part: object) -> object:
        if isinstance(part, str):
            return f"{part}QZX"
        if isinstance(part, list):
            return [marked(one) for one in part]
        if isinstance(part, dict):
            return {f"{name} QZX": marked(one) for name, one in part.items()}
        return part

    assert "QZX" not in shape_text(marked(value))


@given(JSON)
def test_shapes_are_short_lines(value: object) -> None:
    """Whatever is in a log."""
    text = shape_text(value, 200)
    assert len(text) <= 200
    assert "\n" not in text
    assert json.dumps(shape_of(value))


def test_raw_is_the_value_without_secrets() -> None:
    """What was asked for with --raw, on one line."""
    assert raw_text({"city": "Oslo\n", "password": "hunter2hunter2"}) == (
        '{"city": "Oslo\\n", "password": "[redacted]"}'
    )


def test_pointers_lose_positions_and_data() -> None:
    """So that findings of one field are counted together."""
    assert pointer_shape("/orders/12/status") == "/orders/*/status"
    assert pointer_shape("/cards/card_4412981") == "/cards/*"
    assert pointer_shape("") == ""
