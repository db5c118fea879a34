"""The families' own tags."""

import json

import pytest

from handrail.wire.text import find_calls

NAMES = ("get_weather", "search_orders")
ARGS = '{"city": "Oslo", "days": 2}'
CALL = f'{{"name": "get_weather", "arguments": {ARGS}}}'
BAR, GAP = "\uff5c", "\u2581"
BEGIN, SEP, END = (
    f"<{BAR}tool{GAP}{part}{BAR}>" for part in (f"call{GAP}begin", "sep", f"call{GAP}end")
)


def read(text, names=NAMES):
    """Name and arguments of each call, in order."""
    return [(call["name"], call["arguments"]) for call in find_calls(text, names).calls]


def element(tag, name, body, closed=True):
    """One element with a ``name`` attribute."""
    end = f"</{tag}>" if closed else ""
    return f'<{tag} name="{name}">{body}{end}'


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("tool_call", f"<tool_call>\n{CALL}\n</tool_call>"),
        ("tool_call", f"Let me see.\n<tool_call>{CALL}"),
        ("tool_call", f"<tool_call>\n```json\n{CALL}\n```\n</tool_call>"),
        ("tool_call", f"<tool_calls>[{CALL}]</tool_calls>"),
        ("tool_call", f"<|tool_call|>[{CALL}]<|/tool_call|>"),
        ("tools", f"<tools>{CALL}</tools>"),
        ("function", f"<function=get_weather>{ARGS}</function>"),
        ("function", f"<tool_call><function=get_weather>{ARGS}</function></tool_call>"),
        ("python_tag", f"<|python_tag|>{CALL}<|eom_id|>"),
        ("python_tag", f'<|python_tag|>{{"name": "get_weather", "parameters": {ARGS}}}'),
        ("mistral", f"[TOOL_CALLS][{CALL}]</s>"),
        ("mistral", f"[TOOL_CALLS]get_weather{ARGS}"),
        ("mistral", f"[TOOL_CALLS]get_weather[CALL_ID]abc[ARGS]{ARGS}"),
        ("deepseek", f"{BEGIN}function{SEP}get_weather\n```json\n{ARGS}\n```{END}"),
        ("deepseek", f"{BEGIN}get_weather{SEP}{ARGS}{END}"),
        ("deepseek", f"<|tool_call_begin|>get_weather<|tool_sep|>{ARGS}<|tool_call_end|>"),
        ("tool_call", f"```xml\n<tool_call>{CALL}</tool_call>\n```"),
    ],
)
def test_a_familys_tag_is_a_call(kind, text):
    """Each family's tag gives the call with the text of its arguments."""
    found = find_calls(text, NAMES)
    assert [(call["name"], call["arguments"]) for call in found.calls] == [("get_weather", ARGS)]
    assert found.kinds == [kind]


def test_several_tags_keep_their_order():
    """Each tag is a call of its own, closed or not."""
    other = '{"name": "search_orders", "arguments": {}}'
    expected = [("get_weather", ARGS), ("search_orders", "{}")]
    assert read(f"<tool_call>{CALL}</tool_call>\n<tool_call>{other}</tool_call>") == expected
    assert read(f"<tool_call>{CALL}\n<tool_call>{other}") == expected
    assert read(f"<tool_call>{CALL}\n{other}</tool_call>") == expected
    assert read(f"<|python_tag|>{CALL}; {other}") == expected
    tags = f"<tool_call>{CALL}</tool_call>\n<tool_call>{other}</tool_call>"
    assert read(f"```xml\n{tags}\n```") == expected
    assert read(f"[TOOL_CALLS]get_weather{ARGS}[TOOL_CALLS]search_orders{{}}") == expected
    assert read(f"{BEGIN}get_weather{SEP}{ARGS}{END}{BEGIN}search_orders{SEP}{{}}{END}") == expected


def test_an_unknown_tool_in_a_tag_is_a_call():
    """The model can only be told of an unknown tool if its call is seen."""
    assert read('<tool_call>{"name": "drop_table", "arguments": {}}</tool_call>') == [
        ("drop_table", "{}")
    ]
    assert read("<function=drop_table>{}</function>") == [("drop_table", "{}")]
    assert read('<tools>{"name": "drop_table", "arguments": {}}</tools>') == []


def test_a_tag_says_that_no_arguments_are_meant():
    """A tool named alone in a tag is called without arguments; with other keys it is not."""
    assert read('<tool_call>{"name": "search_orders"}</tool_call>') == [("search_orders", "{}")]
    assert read('<tool_call>{"name": "get_weather", "city": "Oslo"}</tool_call>') == []


def test_a_tag_wins_over_what_is_said_beside_it():
    """Beside a tag, a fence is explanation."""
    assert read(f"```json\n{{}}\n```\n{CALL}\n<tool_call>{CALL}</tool_call>") == [
        ("get_weather", ARGS)
    ]


def test_a_closing_tag_inside_a_string_does_not_close():
    """Arguments that hold the closing tag are read whole."""
    raw = '{"city": "</tool_call> and </function>"}'
    whole = f'{{"name": "get_weather", "arguments": {raw}}}'
    assert read(f"<tool_call>{whole}</tool_call>") == [("get_weather", raw)]
    assert read(f"<function=get_weather>{raw}</function>") == [("get_weather", raw)]


def test_elements_are_text_unless_the_schema_says_otherwise():
    """Qwen3-Coder's values have no type: text without a schema, JSON where it wants none."""
    body = "<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n2\n</parameter>"
    text = f"<tool_call>\n<function=get_weather>\n{body}\n</function>\n</tool_call>"
    schema = {"properties": {"city": {"type": "string"}, "days": {"type": ["integer", "null"]}}}
    assert read(text) == [("get_weather", '{"city": "Oslo", "days": "2"}')]
    assert read(text, {"get_weather": schema}) == [("get_weather", '{"city": "Oslo", "days": 2}')]
    assert find_calls(text, NAMES).kinds == ["parameters"]


def test_named_elements_are_read():
    """An invoke element, with or without a namespace, is a call."""
    body = element("parameter", "city", "Oslo")
    text = element("invoke", "get_weather", f"\n{body}\n")
    assert read(f"<function_calls>\n{text}\n</function_calls>") == [
        ("get_weather", '{"city": "Oslo"}')
    ]
    dsml = text.replace("</", "</|DSML|").replace("<p", "<|DSML|p").replace("<i", "<|DSML|i")
    assert read(dsml.replace('city"', 'city" string="false"')) == [
        ("get_weather", '{"city": "Oslo"}')
    ]
    number = dsml.replace('city"', 'days" string="false"').replace("Oslo", "5")
    assert read(number) == [("get_weather", '{"days": 5}')]


def test_python_calls_in_a_tag_are_read():
    """LFM2 writes a list of Python calls between its markers."""
    text = '<|tool_call_start|>[get_weather(city="Oslo", tags=[1, -2.5], deep={"a": None})]'
    assert read(f"{text}<|tool_call_end|> Done.") == [
        ("get_weather", {"city": "Oslo", "tags": [1, -2.5], "deep": {"a": None}})
    ]


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "get_weather", "arguments": {"city": "Os',
        '<tool_call>{"name": "get_weather", "arguments": {"city": "Os</tool_call>',
        '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}</tool_call>',
        '<tool_call>{"name": "get_weather", "arg',
        '<function=get_weather>{"city": "Os',
        "<function=get_weather>\n<parameter=city>\nOs",
        "<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n",
        element("invoke", "get_weather", element("parameter", "city", "Os", False), False),
        '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Os',
        '[TOOL_CALLS]get_weather{"city": "Os',
        '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Os',
        f'{BEGIN}get_weather{SEP}{{"city": "Os',
        '<|tool_call_start|>[get_weather(city="Os',
    ],
)
def test_a_cut_call_in_a_tag_is_told_as_cut(text):
    """A known tool's call that is cut is a call with arguments that end in the middle."""
    ((name, arguments),) = read(text)
    assert name == "get_weather"
    with pytest.raises(json.JSONDecodeError):
        json.loads(arguments)


def test_whole_calls_before_a_cut_one_are_kept():
    """Calls that were sent whole are not lost because a later one is cut."""
    text = f'<tool_call>{CALL}</tool_call><tool_call>{{"name": "search_orders", "arguments": {{"a'
    assert read(text) == [("get_weather", ARGS), ("search_orders", '{"a')]
