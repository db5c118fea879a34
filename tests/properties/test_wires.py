"""Whatever a server sends, every wire reads it or refuses it with ValueError."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail import ToolCall
from handrail.wire.registry import PROVIDERS, recognise, whose_calls
from handrail.wire.stream import Collector
from wire_samples import PROVIDER_NAMES, Said, chunks, whole

every_provider = pytest.mark.parametrize("provider", PROVIDER_NAMES)
ODD = st.sampled_from([None, 0, -1, 1.5, True, "", "x", "$.a", "text", [], {}, [None], b"\xff"])
SAID = Said((("id_1", "look", '{"q": [1, {"r": null}]}'), ("id_2", "find", "{}")), "Hm.")


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:  # Any: JSON values
    """Every place in a JSON value."""
    inner: list[tuple[Any, Any]] = []  # Any: JSON values
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path, *(place for key, one in inner for place in places(one, (*path, key)))]


def replaced(value: Any, path: tuple[Any, ...], odd: object) -> Any:  # Any: JSON values
    """The same value with something else at one place."""
    if not path:
        return odd
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(copy[path[0]], path[1:], odd)
    return copy


@every_provider
@settings(max_examples=120)
@given(data=st.data())
def test_an_odd_reply_is_read_or_refused(provider: str, data: st.DataObject) -> None:
    """One place of a real reply holds something else; what is read can be answered."""
    reply = whole(provider, SAID)
    odd = replaced(reply, data.draw(st.sampled_from(places(reply))), data.draw(ODD))
    recognise(odd)
    wire = PROVIDERS[provider]
    try:
        read = wire.read_reply(odd)
        whose_calls(odd if isinstance(odd, list) else [odd])
    except ValueError:
        return
    results: Any = [  # Any: ResultDict
        {"call_id": call["id"], "name": call["name"], "content": "x", "is_error": False}
        for call in read["calls"]
    ]
    json.dumps(wire.write(read, results), default=repr)


@every_provider
@settings(max_examples=120)
@given(data=st.data())
def test_an_odd_chunk_is_read_or_refused(provider: str, data: st.DataObject) -> None:
    """One place of one chunk holds something else."""
    parts = chunks(provider, SAID, 9)
    number = data.draw(st.integers(0, len(parts) - 1))
    at = data.draw(st.sampled_from(places(parts[number])))
    parts[number] = replaced(parts[number], at, data.draw(ODD))
    collector = Collector(PROVIDERS[provider])
    try:
        for part in parts:
            collector.feed(part)
        collector.reply()
    except ValueError:
        return


@every_provider
@settings(max_examples=60)
@given(data=st.data())
def test_an_odd_call_is_read_or_refused(provider: str, data: st.DataObject) -> None:
    """`ToolCall.parse` of anything raises nothing but ValueError."""
    reply = whole(provider, SAID)
    place = data.draw(st.sampled_from(places(reply)))
    value = reply
    for key in place:
        value = value[key]
    try:
        ToolCall.parse(value)
        ToolCall.parse(replaced(value, data.draw(st.sampled_from(places(value))), data.draw(ODD)))
    except ValueError:
        return
