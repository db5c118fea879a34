"""Calls in JSON objects."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.wire.envelope import Place, is_whole, read_arguments, read_sequence, read_value
from handrail.wire.spans import BROKEN, CUT

NAMES = ("f", "g")


def names_of(reading):
    """The names of the calls that were read."""
    return [call["name"] for call in reading.calls]


@settings(max_examples=100)
@given(
    st.sampled_from(["name", "tool", "function", "tool_name"]),
    st.sampled_from(["arguments", "parameters", "args", "input"]),
    st.dictionaries(st.text(max_size=4), st.none() | st.integers() | st.text(max_size=9)),
    st.sampled_from([None, 1]),
)
def test_every_spelling_keeps_the_arguments(named, given_as, arguments, indent):
    """Whatever the keys are called, the arguments are the very text that was written."""
    raw = json.dumps(arguments, indent=indent)
    text = f'{{"{named}": "f", "{given_as}": {raw}}}'
    reading = read_value(text, 0, NAMES, Place.PROSE)
    assert reading.calls == [{"id": "", "name": "f", "arguments": raw}]
    assert reading.end == len(text)


def test_a_sequence_ends_at_the_first_that_is_no_call():
    """Calls before it are read, and the end says how far."""
    text = '{"name": "f", "args": {}} {"name": "g", "args": {}} {"a": 1}'
    reading = read_sequence(text, 0, NAMES, Place.PROSE)
    assert names_of(reading) == ["f", "g"]
    assert text[reading.end :] == ' {"a": 1}'


def test_a_place_decides_what_is_believed():
    """An unknown tool, or arguments that are no object, is a call in a tag only."""
    unknown = '{"name": "x", "arguments": {}}'
    listed = '{"name": "f", "arguments": [1]}'
    believed = [
        [names_of(read_value(text, 0, NAMES, place)) for place in Place]
        for text in (unknown, listed)
    ]
    assert believed == [[[], [], ["x"]], [[], [], ["f"]]]


def test_ids_are_kept():
    """An id that the model wrote is kept, inside a wrapper or beside it."""
    flat = '{"id": "a", "name": "f", "arguments": {}}'
    wrapped = '{"id": "b", "type": "function", "function": {"name": "f", "arguments": {}}}'
    read = [read_value(text, 0, NAMES, Place.PROSE).calls[0]["id"] for text in (flat, wrapped)]
    assert read == ["a", "b"]


def test_ends_say_whether_it_was_json():
    """Cut and broken texts are told apart."""
    ends = [read_value(text, 0, NAMES, Place.TAG).end for text in ('{"a": ', "{a}", "[", "[1]")]
    assert ends == [CUT, BROKEN, CUT, 3]


def test_arguments_are_text_or_a_literal():
    """JSON and nearly JSON stay text, a literal becomes values, the rest needs a fence."""
    assert read_arguments('{"a": 1,}', Place.PROSE) == ('{"a": 1,}', False)
    assert read_arguments("{'a': None}", Place.PROSE) == ({"a": None}, True)
    assert read_arguments("{...}", Place.PROSE) is None
    assert read_arguments("{...}", Place.FENCE) == ("{...}", False)


def test_whole_is_json_or_values():
    """Values are whole, and so is text that is JSON."""
    calls = [{"id": "", "name": "f", "arguments": one} for one in ({}, "{}", "{")]
    assert [is_whole(call) for call in calls] == [True, True, False]
