"""The parts of a Gemini content."""

import pytest
from google.genai import types

from handrail.wire.gemini_parts import call_of, part_of, response_of, said_of

CALL = {"name": "f", "args": {"a_b": None}}


def test_both_spellings_are_one():
    """REST, dicts of the library and its objects; arguments keep their names and nulls."""
    wanted = {"functionCall": CALL}
    own = types.Part(function_call=types.FunctionCall(**CALL))
    assert part_of({"functionCall": CALL}, "p") == wanted
    assert part_of({"function_call": CALL, "thought": None}, "p") == wanted
    assert part_of(own, "p") == wanted
    assert [call_of(one) for one in (wanted, own)] == [CALL, own.function_call]


def test_other_parts_are_kept():
    """Bytes become text; inner keys are spelled alike."""
    blob = {"inline_data": {"mime_type": "x/y", "data": b"\xff", "display_name": None}}
    assert part_of(blob, "p") == {"inlineData": {"mimeType": "x/y", "data": "_w=="}}


def test_what_a_part_says():
    """A thought, a call and a result say nothing."""
    parts = [{"text": "a"}, {"text": "b", "thought": True}, {"functionCall": CALL}, {}]
    assert [said_of(part) for part in parts] == ["a", "", "", ""]


def test_a_result_is_found_and_nonsense_is_not():
    """A value that is no object holds no call."""
    assert response_of({"function_response": {"name": "f"}}) == {"name": "f"}
    assert call_of({"functionCall": "f"}) is None
    assert call_of(None) is None
    with pytest.raises(ValueError, match="p must be an object"):
        part_of("x", "p")
