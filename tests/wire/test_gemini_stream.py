"""A streamed Gemini reply."""

import pytest

from handrail.wire.gemini_stream import GeminiChunks


def chunk(*parts, finish=None):
    """One chunk."""
    return {"candidates": [{"content": {"parts": list(parts)}, "finishReason": finish}]}


def fed(*chunks):
    """The parts after these chunks, and whether they are all."""
    stream = GeminiChunks()
    for one in chunks:
        stream.feed(one)
    return stream.whole()["candidates"][0]["content"]["parts"], stream.finished


def call(name=None, more=None, **values):
    """A part with a piece of a call; ``a__b`` stands for the path ``$.a.b``."""
    pieces = [
        {"jsonPath": path, **({"stringValue": one} if isinstance(one, str) else one)}
        for path, one in values.items()
    ]
    sent = {"name": name, "willContinue": more, "partialArgs": pieces}
    return {"functionCall": {key: one for key, one in sent.items() if one}}


def test_texts_are_joined_and_signatures_kept():
    """A part with a signature stays by itself."""
    signed = {"text": "", "thoughtSignature": "s"}
    parts, finished = fed(
        chunk({"text": "a"}),
        chunk({"text": "b"}),
        chunk(signed),
        chunk({"text": ""}, finish="STOP"),
    )
    assert parts == [{"text": "ab"}, signed]
    assert finished


def test_streamed_arguments_are_put_in_their_places():
    """By path: text in pieces, numbers, lists, objects."""
    parts, finished = fed(
        chunk(call("look", True)),
        chunk(call(None, True, **{"$.place.city": "Bos"})),
        chunk(call(None, True, **{"$.place.city": "ton", "$.days[0]": {"numberValue": 3.0}})),
        chunk(call(None, True, **{"$.days[1]": {"numberValue": 1.5}, "$['a b']": "x"})),
        chunk(
            call(None, None, **{"$.ok": {"boolValue": False}, "$.no": {"nullValue": "NULL_VALUE"}})
        ),
        chunk(finish="STOP"),
    )
    args = {"place": {"city": "Boston"}, "days": [3, 1.5], "a b": "x", "ok": False, "no": None}
    assert parts == [{"functionCall": {"name": "look", "args": args}}]
    assert finished


def test_a_call_that_is_still_open_is_not_finished():
    """Whatever the finish reason says."""
    assert fed(chunk(call("look", True)), chunk(finish="STOP"))[1] is False
    assert fed(chunk(call("look", True)), chunk({"functionCall": {}}), chunk(finish="STOP"))[1]


def test_whole_calls_stand_side_by_side():
    """The usual case: one part, one call."""
    whole = {"functionCall": {"name": "look", "args": {"q": 1}}}
    assert fed(chunk(whole, whole, finish="STOP")) == ([whole, whole], True)


def test_an_error_breaks_it_off_and_a_block_ends_it():
    """A prompt that was blocked has no parts to wait for."""
    assert fed(chunk({"text": "a"}), {"error": {"code": 503}}) == ([{"text": "a"}], False)
    assert fed({"promptFeedback": {"blockReason": "SAFETY"}}) == ([], True)


@pytest.mark.parametrize("path", ["", "$", "city", "$.a[", "$.days[7]", "$.text.inner"])
def test_a_path_that_leads_nowhere_is_refused(path):
    """It raises ValueError and names the path."""
    begun = chunk(call("look", True, **{"$.text": "t", "$.days[0]": "x"}))
    with pytest.raises(ValueError, match="jsonPath"):
        fed(begun, chunk(call(None, True, **{path: "x"})))


def test_something_else_is_refused():
    """A chunk of another stream raises ValueError."""
    with pytest.raises(ValueError, match="keys choices"):
        fed({"choices": []})
