"""A streamed Converse reply."""

import pytest

from handrail.wire.bedrock_stream import BedrockChunks


def fed(*events):
    """The blocks after these events, and whether they are all."""
    stream = BedrockChunks()
    for event in events:
        stream.feed(event)
    return stream.whole()["output"]["message"]["content"], stream.finished


def delta(index, **said):
    """A piece of a block."""
    return {"contentBlockDelta": {"contentBlockIndex": index, "delta": said}}


def start(index, **call):
    """The start of a call."""
    use = {"toolUseId": "t", "name": "look", **call}
    return {"contentBlockStart": {"contentBlockIndex": index, "start": {"toolUse": use}}}


STOP = {"messageStop": {"stopReason": "tool_use"}}


def test_arguments_stay_text():
    """So that what is cut is judged as cut; without pieces they are an empty object."""
    (cut,), _ = fed(start(0), delta(0, toolUse={"input": '{"q": "a'}))
    assert cut["toolUse"] == {"toolUseId": "t", "name": "look", "input": '{"q": "a'}
    assert fed(start(0))[0][0]["toolUse"]["input"] == {}


def test_a_tool_of_the_provider_keeps_an_object():
    """Its block goes back as it is, so its input is read."""
    (use,), _ = fed(start(0, type="server_tool_use"), delta(0, toolUse={"input": '{"q": 1}'}))
    assert use["toolUse"]["input"] == {"q": 1}


def test_reasoning_is_joined_and_kept_when_it_is_done():
    """Text, signature and redacted bytes."""
    pieces = [
        delta(0, reasoningContent={"text": "h"}),
        delta(0, reasoningContent={"text": "m"}),
        delta(0, reasoningContent={"signature": "s"}),
    ]
    done = {"contentBlockStop": {"contentBlockIndex": 0}}
    said = {"reasoningText": {"text": "hm", "signature": "s"}}
    assert fed(*pieces)[0] == []
    assert fed(*pieces, done)[0] == [{"reasoningContent": said}]
    redacted = [delta(0, reasoningContent={"redactedContent": one}) for one in (b"a", b"b")]
    assert fed(*redacted, STOP)[0] == [{"reasoningContent": {"redactedContent": b"ab"}}]


def test_it_is_finished_when_it_says_so():
    """A stop reason; an exception afterwards breaks it off."""
    begun = [{"messageStart": {"role": "assistant"}}, delta(0, text="a"), delta(0, text="b")]
    assert fed(*begun) == ([{"text": "ab"}], False)
    assert fed(*begun, STOP, {"metadata": {"usage": {}}})[1]
    assert not fed(*begun, STOP, {"modelStreamErrorException": {"message": "x"}})[1]


@pytest.mark.parametrize(
    ("event", "message"),
    [({"choices": []}, "keys choices"), ({"contentBlockDelta": {}}, "contentBlockIndex")],
)
def test_something_else_is_refused(event, message):
    """An event of another stream, or one without its place."""
    with pytest.raises(ValueError, match=message):
        fed(event)
