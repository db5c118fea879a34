"""A streamed Anthropic message."""

import pytest

from handrail.wire.anthropic_stream import AnthropicChunks


def fed(*events):
    """The stream after these events."""
    stream = AnthropicChunks()
    for event in events:
        stream.feed(event)
    return stream


def start(index, **block):
    """The start of a block."""
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index, kind, **said):
    """A piece of a block."""
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **said}}


USE = start(0, type="tool_use", id="u", name="look", input={})
STOP = {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {}}


def test_arguments_stay_text():
    """So that what is cut is judged as cut; without pieces they are the start's object."""
    cut = fed(USE, delta(0, "input_json_delta", partial_json='{"q": "a'))
    assert cut.whole()["content"][0]["input"] == '{"q": "a'
    assert fed(USE).whole()["content"][0]["input"] == {}


def test_thoughts_are_kept_with_their_signature_only():
    """Without one they cannot be sent."""
    thought = [start(0, type="thinking", thinking="", signature="")]
    thought.append(delta(0, "thinking_delta", thinking="hm"))
    assert fed(*thought).whole()["content"] == []
    signed = fed(*thought, delta(0, "signature_delta", signature="s"))
    assert signed.whole()["content"] == [{"type": "thinking", "thinking": "hm", "signature": "s"}]


def test_a_tool_of_the_provider_keeps_an_object():
    """Its block goes back as it is, so its input is read."""
    use = start(0, type="server_tool_use", id="s", name="web_search", input={})
    search = fed(use, delta(0, "input_json_delta", partial_json='{"q": 1}'))
    assert search.whole()["content"][0]["input"] == {"q": 1}


def test_usage_is_added_up_over_events():
    """The start says what came in, the end what went out."""
    begun = {"type": "message_start", "message": {"usage": {"input_tokens": 5, "output_tokens": 1}}}
    ended = {**STOP, "usage": {"input_tokens": None, "output_tokens": 7}}
    assert fed(begun, ended).whole()["usage"] == {"input_tokens": 5, "output_tokens": 7}


def test_citations_are_kept():
    """They belong to their text."""
    cited = fed(start(0, type="text", text=""), delta(0, "citations_delta", citation={"a": 1}))
    assert cited.whole()["content"] == [{"type": "text", "text": "", "citations": [{"a": 1}]}]


def test_it_is_finished_when_it_says_so():
    """A stop reason or the last event; an error afterwards is none."""
    assert not fed(USE, {"type": "ping"}, {"type": "input_json", "snapshot": {}}).finished
    assert fed(USE, STOP).finished
    assert fed(USE, {"type": "message_stop"}).finished
    assert not fed(USE, {"type": "error", "error": {}}).finished


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({"choices": []}, "keys choices"),
        (delta(3, "text_delta", text="x"), "content_block_delta 3 came before"),
        ({"type": "content_block_start", "content_block": {}}, "index must be a number"),
    ],
)
def test_something_else_is_refused(event, message):
    """An event of another stream, or one out of order."""
    with pytest.raises(ValueError, match=message):
        fed(event)
