"""Fields of dicts and objects alike."""

from types import SimpleNamespace

import pytest
from pydantic import BaseModel

from handrail.wire.plain import (
    ANY_OBJECT,
    arguments_object,
    arguments_text,
    count,
    dump,
    either,
    ended,
    field,
    items,
    json_text,
    name_of,
    pruned,
    raw_arguments,
    shape_of,
    string,
    tool_head,
    tool_read,
    usage_read,
)


def test_a_field_is_a_key_or_an_attribute():
    """Dicts and objects are read alike, absent fields as None."""
    assert field({"a": 1}, "a") == field(SimpleNamespace(a=1), "a") == 1
    assert field({}, "a") is field(None, "a") is None


def test_lists_and_names_are_checked():
    """A wrong type is named with its place."""
    assert (items(None, "p"), items([1], "p"), name_of("n", "p")) == ((), [1], "n")
    with pytest.raises(ValueError, match="p must be a list, got dict"):
        items({}, "p")
    with pytest.raises(ValueError, match="p must be a non-empty string, got nothing"):
        name_of(None, "p")


def test_arguments_stay_as_sent():
    """Text and mappings are unchanged; other JSON is text that a parser can refuse."""
    assert [raw_arguments(value) for value in ("{", {"a": 1}, None, [1], 5)] == [
        "{",
        {"a": 1},
        "",
        "[1]",
        "5",
    ]
    assert raw_arguments({1, 2}) == "[set]"


def test_only_positive_whole_numbers_count():
    """Anything else is no number of tokens."""
    assert [count(value) for value in (3, 0, -1, True, 2.5, None, "4")] == [3, 0, 0, 0, 0, 0, 0]


def test_blocks_are_dumped_without_their_own_nulls():
    """Nulls inside are values of the model and stay."""

    class Block(BaseModel):
        type: str
        note: str | None = None
        input: dict[str, object] = {}

    assert dump(Block(type="t", input={"a": None}), "p") == {"type": "t", "input": {"a": None}}
    assert dump({"type": "t", "note": None}, "p") == {"type": "t"}
    with pytest.raises(ValueError, match="p must be an object, got int"):
        dump(5, "p")


def test_a_shape_is_told_by_its_keys():
    """An error names types and keys only."""
    assert shape_of({"a": "secret"}) == "a dict with the keys a"
    assert shape_of({}) == "a dict with the keys (none)"
    assert shape_of(5) == "an object of type int"


def test_two_spellings_of_a_field():
    """The first that is there; False and 0 are there."""
    assert either({"aB": None, "a_b": 0}, "aB", "a_b") == 0
    assert either(SimpleNamespace(a_b=False), "aB", "a_b") is False
    assert either({}, "aB", "a_b") is None
    assert [string(one) for one in ("x", None, 5)] == ["x", "", ""]


@pytest.mark.parametrize("broken", ['{"q": ', "[1]", "null", "[" * 100_000])
def test_arguments_for_a_shape_of_objects(broken):
    """What is no object becomes an empty one; a mapping stays."""
    assert arguments_object(broken) == {}
    assert arguments_object('{"q": null}') == arguments_object({"q": None}) == {"q": None}
    assert arguments_object("") == {}


def test_arguments_for_a_shape_of_text():
    """Text goes back as it was sent, even if it is broken."""
    assert [arguments_text(one) for one in ('{"q": ', "", {"q": "é"})] == [
        '{"q": ',
        "{}",
        '{"q": "é"}',
    ]
    assert arguments_text({"q": object()}) == "{}"
    assert (json_text([1, "é"]), json_text(object())) == ('[1, "é"]', "[object]")


def test_nulls_are_pruned_at_every_depth():
    """Lists keep their length."""
    assert pruned({"a": None, "b": [None, {"c": None, "d": 1}]}, "p") == {"b": [None, {"d": 1}]}
    with pytest.raises(ValueError, match="p must be an object"):
        pruned(5, "p")


def test_tokens_are_added_up():
    """Counts that are absent or no numbers are none."""
    usage = {"in": 3, "cached": 4, "out": 5, "odd": "6"}
    assert usage_read(usage, ("in", "cached", "odd"), "out") == {
        "input_tokens": 7,
        "output_tokens": 5,
    }
    assert usage_read(None, ("in",), "out") == {"input_tokens": 0, "output_tokens": 0}


def test_a_reply_ends_for_a_known_reason_or_another():
    """Whatever the provider sent."""
    known = {"STOP": "stop"}
    assert [ended(one, known) for one in ("STOP", "NEW", None, [])] == ["stop", *["other"] * 3]


def test_tools_are_told_and_read_alike():
    """A missing description is left out; a schema that is none is empty."""
    tool = {"name": "look", "description": "", "schema": ANY_OBJECT}
    assert tool_head(tool) == {"name": "look"}
    assert tool_head({**tool, "description": "Looks."}) == {"name": "look", "description": "Looks."}
    assert tool_read({"name": "look"}, "tools[0]", ANY_OBJECT) == tool
    assert tool_read({"name": "look"}, "tools[0]", None) == {**tool, "schema": {}}
    with pytest.raises(ValueError, match=r"tools\[0\].name must be a non-empty string"):
        tool_read({}, "tools[0]", None)
