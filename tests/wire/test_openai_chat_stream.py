"""A streamed chat completion, with what servers make of it."""

import pytest

from handrail.wire.openai_chat_stream import ChatChunks


def chunk(finish=None, **delta):
    """One chunk with one choice."""
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def calls(*fragments):
    """Name, id and arguments of the calls that these fragments come to."""
    stream = ChatChunks()
    for fragment in fragments:
        stream.feed(chunk(tool_calls=[fragment]))
    message = stream.whole()["choices"][0]["message"]
    return [
        (one["id"], one["function"]["name"], one["function"]["arguments"])
        for one in message.get("tool_calls", [])
    ]


def piece(index, arguments=None, name=None, id=None):
    """A fragment of a call; what is None is not sent."""
    function = {"name": name, "arguments": arguments}
    sent = {"function": {key: one for key, one in function.items() if one is not None}}
    return {**({} if index is None else {"index": index}), **({"id": id} if id else {}), **sent}


A, B = ("a", "look", '{"q":1}'), ("b", "find", "{}")


@pytest.mark.parametrize(
    "fragments",
    [
        [piece(0, "", "look", "a"), piece(0, '{"q"'), piece(0, ":1}"), piece(1, "{}", "find", "b")],
        [
            piece(0, "", "look", "a"),
            piece(1, "", "find", "b"),
            piece(0, '{"q"'),
            piece(1, "{}"),
            piece(0, ":1}"),
        ],
        [piece(0, '{"q":1}', "look", "a"), piece(0, "{}", "find", "b")],
        [piece(None, '{"q":1}', "look", "a"), piece(None, "{}", "find", "b")],
        [
            piece(None, '{"q"', "look", "a"),
            piece(None, ":1}"),
            piece(None, "{}", "find", "b"),
        ],
        [
            piece(0, '{"q"', "look", "a"),
            piece(0, ":1}", "look", "a"),
            piece(1, "{}", "find", "b"),
        ],
        [piece(0, None, "lo", "a"), piece(0, '{"q":1}', "ok"), piece(1, "{}", "find", "b")],
    ],
    ids=["in order", "mixed", "all index 0", "no index", "pieces", "name again", "name cut"],
)
def test_fragments_come_together(fragments):
    """Two calls, however a server cuts and numbers them."""
    assert calls(*fragments) == [A, B]


def test_arguments_may_come_as_an_object():
    """Some servers send them whole and parsed."""
    assert calls(piece(0, {"q": 1}, "look", "a")) == [("a", "look", {"q": 1})]


def test_a_call_without_a_name_yet_is_left_out():
    """It cannot be answered."""
    assert calls({"index": 0, "id": "a", "function": {}}) == []


def test_it_is_finished_when_it_says_so():
    """A reason finishes it; an error and the closing mark do not."""
    stream = ChatChunks()
    stream.feed(chunk(content="x"))
    stream.feed("data: [DONE]")
    assert not stream.finished
    stream.feed(chunk(finish="stop"))
    assert stream.finished
    stream.feed({"error": {"message": "overloaded"}})
    assert not stream.finished


def test_only_the_first_choice_counts():
    """Others are alternatives."""
    stream = ChatChunks()
    other = {"index": 1, "delta": {"content": "other"}, "finish_reason": "stop"}
    stream.feed({"choices": [other]})
    assert not stream.finished
    assert stream.whole()["choices"][0]["message"]["content"] is None


def test_the_old_spelling_and_refusals_are_read():
    """``function_call`` in pieces; a refusal is text of its own."""
    stream = ChatChunks()
    stream.feed(chunk(function_call={"name": "look", "arguments": "{"}))
    stream.feed(chunk(function_call={"arguments": "}"}, refusal="No."))
    message = stream.whole()["choices"][0]["message"]
    assert message["tool_calls"][0]["function"] == {"name": "look", "arguments": "{}"}
    assert message["refusal"] == "No."


def test_something_else_is_refused():
    """A chunk of another stream raises ValueError."""
    with pytest.raises(ValueError, match="keys type"):
        ChatChunks().feed({"type": "message_start"})
