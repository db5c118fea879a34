"""Calls that a model wrote as text: what is one, what is only a mention, what stays cut."""

import json
import re
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.wire.text import TextCalls, find_calls
from operations import operations

NAMES = ("get_weather", "search_orders")
ARGS = '{"city": "Oslo", "days": 2}'
CALL = f'{{"name": "get_weather", "arguments": {ARGS}}}'


def read(text, names=NAMES):
    """Name and arguments of each call, in order."""
    return [(call["name"], call["arguments"]) for call in find_calls(text, names).calls]


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"\n  {CALL}\n",
        f"```json\n{CALL}\n```",
        f"```tool_call\n{CALL}\n```",
        f"```\n{CALL}\n```",
        f"```json {CALL} ```",
        f"```json\n{CALL}",
        f"```json\n[{CALL}]\n```\n\nThis call returns the forecast.",
        f"Let me look that up.\n{CALL}",
        f"Let me look that up. {CALL}",
        f"I will call this: {CALL}",
        f"{CALL}.json",
        f"{CALL}<|im_end|>",
        f"The call is\n`{CALL}`",
        f"[{CALL}]",
        f'{{"tool": "get_weather", "args": {ARGS}}}',
        f'{{"tool_name": "get_weather", "input": {ARGS}}}',
        f'{{"function": "get_weather", "parameters": {ARGS}}}',
        f'{{"type": "function", "name": "get_weather", "parameters": {ARGS}}}',
        f'{{"id": "x", "type": "function", "function": {CALL}}}',
        f'{{"tool_calls": [{CALL}]}}',
        json.dumps({"function": {"name": "get_weather", "arguments": ARGS}}),
        f"Here is the call in JSON format:\n```json\n{CALL}\n```",
        f"I don't know yet, so let me look:\n{CALL}",
        f"<think>{CALL} or not</think>\n{CALL}",
        f"maybe {CALL}\n</think>\n{CALL}",
    ],
)
def test_one_call_keeps_its_text(text):
    """However the call is dressed, the arguments are the text that the model wrote."""
    assert read(text) == [("get_weather", ARGS)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The weather in Oslo is fine [see below] {not json} <b>now</b>.",
        "JSON objects look like {} or [1, 2].",
        f"For example {CALL} would ask for Oslo.",
        f"An example:\n\n```json\n{CALL}\n```",
        f"Do not send {CALL}",
        f"Use something like {CALL}",
        f"A request, e.g. {CALL}",
        f"I already called {CALL}",
        f"You would write {CALL}, and so on.",
        'Or {"name": "get_weather", "arguments": {}, "args": {}} in a sentence.',
        f'He wrote "{CALL}" to me.',
        f"Use `{CALL}` for that.",
        f"The object {CALL} is a call.",
        f"```python\n{CALL}\n```",
        f"```json\n{CALL}\nand more\n```",
        f"<think>{CALL}</think>\nIt is warm.",
        f"<think>{CALL}",
        f'{{"result": {CALL}}}',
        '{"name": "Oslo", "arguments": {"city": "Oslo"}}',
        '{"name": "get_weather"}',
        '{"name": "get_weather", "arguments": "Oslo"}',
        '{"name": "get_weather", "arguments": [1]}',
        '{"name": "get_weather", "temperature": 3, "arguments": {}}',
        'See {"name": "get_weather", "arguments": {...}}',
        '{"type": "function", "function": {"name": "get_weather", "description": "d", '
        '"parameters": {"type": "object", "properties": {}}}}',
        '{"name": "get_weather", "parameters": {"type": "object", "properties": {}}}',
        'Use `<tool_call>{"name": "get_weather"}</tool_call>` to call.',
        "[get_weather](https://example.com)",
        "I would run get_weather(city='Oslo').",
        'I first wrote {"name": "get_weather", "arguments": {"city": "Os',
    ],
)
def test_an_answer_is_no_call(text):
    """What only mentions JSON, a tool or a call is an answer."""
    assert find_calls(text, NAMES) == TextCalls()


@pytest.mark.parametrize(
    "text",
    [
        f'{{"name": "get_weather", "tool": "search_orders", "arguments": {ARGS}}}',
        f'{{"name": "get_weather", "arguments": {ARGS}, "parameters": {{}}}}',
        f'{{"name": "get_weather", "name": "search_orders", "arguments": {ARGS}}}',
        f"```json\n{CALL}\n```\n{CALL.replace('Oslo', 'Rome')}",
        f'<tool_call>{{"name": "get_weather", "arguments": {{}}, "args": {ARGS}}}</tool_call>',
    ],
)
def test_two_readings_are_none(text):
    """Where two readings are possible there is no call, and the caller is told."""
    assert find_calls(text, NAMES) == TextCalls(ambiguous=True)


def test_several_calls_keep_their_order():
    """Calls on lines of their own, and in a list, come in the order of the text."""
    other = '{"name": "search_orders", "arguments": {}}'
    expected = [("get_weather", ARGS), ("search_orders", "{}")]
    assert read(f"{CALL}\n{other}") == expected
    assert read(f"{CALL}; {other}") == expected
    assert read(f"[{CALL}, {other}]") == expected
    assert read(f"```json\n{CALL}\n{other}\n```") == expected
    assert read(f"```json\n{CALL}\n```\nand\n```json\n{other}\n```") == expected


def test_a_list_with_something_else_is_no_call():
    """A list is read whole or not at all."""
    assert find_calls(f'[{CALL}, {{"name": "Oslo"}}]', NAMES) == TextCalls()


def test_the_parser_still_sees_what_is_wrong():
    """Duplicate keys, NaN and trailing commas reach the parser as written."""
    for raw in ('{"a": 1, "a": 2}', '{"a": NaN}', '{"a": true,}'):
        assert read(f'{{"name": "get_weather", "arguments": {raw}}}') == [("get_weather", raw)]


def test_python_literals_become_values():
    """Single quotes and True are read as Python; a repeated key is left to the parser."""
    text = (
        "{'name': 'get_weather', 'arguments': {'city': \"O'Hare\", 'hourly': True, 'unit': None}}"
    )
    found = find_calls(text, NAMES)
    assert found.calls[0]["arguments"] == {"city": "O'Hare", "hourly": True, "unit": None}
    assert found.kinds == ["bare+python"]
    repeated = "{'name': 'get_weather', 'arguments': {'city': 'a', 'city': 'b'}}"
    assert read(f"```\n{repeated}\n```") == [("get_weather", "{'city': 'a', 'city': 'b'}")]


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ('```json\n{"name": "get_weather", "arguments": {"city": "Os', '{"city": "Os'),
        ('```json\n{"name": "get_weather", "arguments": {"city": "Os\n```', '{"city": "Os'),
        ('{"name": "get_weather", "arguments": {"city": "Os', '{"city": "Os'),
        ('```\n{"name": "get_weather", "argu', '{"name": "get_weather", "argu'),
        ('```\n{"name": "get_weather", "arguments": {}', '{"name": "get_weather", "arguments": {}'),
        ('```\n{"function": {"name": "get_weather", "arguments": {"a": [1', '{"a": [1'),
    ],
)
def test_what_is_cut_stays_cut(text, raw):
    """A cut call of a known tool is told with a text that ends in the middle."""
    assert read(text) == [("get_weather", raw)]
    with pytest.raises(json.JSONDecodeError):
        json.loads(raw)


def test_a_cut_call_of_an_unknown_tool_is_none():
    """A cut object that names no known tool is an answer."""
    assert find_calls('```json\n{"name": "Oslo", "arguments": {"a": "b', NAMES) == TextCalls()


def test_python_calls_are_read_where_they_stand_alone():
    """Llama 4 and Gemma write lists of Python calls, or print them."""
    expected = [("get_weather", {"city": "Oslo", "days": 2}), ("search_orders", {})]
    assert read('[get_weather(city="Oslo", days=2), search_orders()]') == expected
    code = "print(get_weather(city='Oslo', days=2))\nprint(default_api.search_orders())"
    assert read(f"```tool_code\n{code}\n```") == expected
    assert read('[get_weather("Oslo")]') == []
    assert read("[unknown(a=1)]") == []


def test_a_fence_inside_a_string_does_not_end_the_call():
    """A call whose text holds a fence is read whole."""
    call = json.dumps({"name": "get_weather", "arguments": {"city": "```py\nx\n```"}})
    assert read(f"```json\n{call}\n```") == [("get_weather", '{"city": "```py\\nx\\n```"}')]


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="{}[]\"'`<>|/=:,\\ \n()ntf1agetw_call", max_size=300), st.booleans())
def test_any_text_is_read_without_a_fault(noise, wrap):
    """Whatever stands in a text, reading it gives calls or none, never a fault."""
    found = find_calls(f"{noise}{CALL}{noise}" if wrap else noise, NAMES)
    assert len(found.calls) == len(found.kinds)
    assert not (found.ambiguous and found.calls)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40), st.integers(0, 200))
def test_a_cut_text_never_gives_whole_arguments_that_were_not_sent(city, note, cut):
    """Of a call that is cut anywhere, the arguments are never a smaller whole object."""
    arguments = json.dumps({"city": city, "note": {"text": note}})
    text = f'```json\n{{"name": "get_weather", "arguments": {arguments}}}\n```'[: 8 + cut]
    for _, given_arguments in read(text):
        if given_arguments == arguments:
            continue
        with pytest.raises(json.JSONDecodeError):
            json.loads(given_arguments)


OPENINGS = """
{ | {"a": | [ | [{ | ``` | ```json{ | <tool_call> | <tool_call>{ | [f( | <function=f> | {' | {"
{"name": "get_weather", "arguments": { | <|tool_call_start|>[ | [TOOL_CALLS][{ | < | <think> | <a
for example {"a" | <function=f><parameter=a> | [[[[{ | <tool_call>{"a":"</tool_call> | </think>
{"a": {"b": [1]}}
"""


@pytest.mark.parametrize("piece", [one.strip() for one in re.split(r" \| |\n", OPENINGS) if one])
def test_work_is_bounded(piece):
    """The work for a text of openings grows with its length."""
    texts = [piece * (length // len(piece)) for length in (25_000, 100_000)]
    done = [operations(partial(find_calls, text, NAMES)) for text in texts]
    assert done[1] <= 4.5 * done[0] + 1_000
    assert done[1] < 40 * len(texts[1])


def test_an_example_of_an_expected_tool_is_the_correction() -> None:
    """Asked to correct a call, models write «for example, call it like this», and mean it."""
    said = 'The limit is 7. For example:\n```json\n{"name": "read", "arguments": {"days": 7}}\n```'
    assert find_calls(said, {"read"}).calls == []
    (call,) = find_calls(said, {"read", "write"}, expected=["read"]).calls
    assert call["name"] == "read"
    assert find_calls(said, {"read", "write"}, expected=["write"]).calls == []
