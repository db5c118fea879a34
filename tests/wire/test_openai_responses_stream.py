"""A streamed response."""

import pytest

from handrail.wire.openai_responses_stream import ResponsesChunks
from wire_samples import Said, chunks

SAID = Said((("c1", "look", '{"q": "x"}'),), "Hm.")
EVENTS = chunks("openai-responses", SAID, 4)


def fed(events):
    """The response after these events, and whether it is finished."""
    stream = ResponsesChunks()
    for event in events:
        stream.feed(event)
    return stream.whole(), stream.finished


def test_the_last_event_is_believed():
    """It carries the whole response."""
    response, finished = fed(EVENTS)
    assert finished
    assert response["output"] == EVENTS[-1]["response"]["output"]


def test_a_last_event_without_items_is_completed():
    """Some servers leave them out; the pieces that came are used."""
    last = {**EVENTS[-1], "response": {"status": "completed", "output": []}}
    response, finished = fed([*EVENTS[:-1], last])
    assert finished
    assert [item["type"] for item in response["output"]] == ["message", "function_call"]
    assert response["output"][1]["arguments"] == '{"q": "x"}'


def test_what_is_begun_is_kept_as_far_as_it_came():
    """Pieces of arguments and texts; no id, since the server need not know it."""
    cut = next(n for n, one in enumerate(EVENTS) if one["type"].endswith("arguments.delta"))
    response, finished = fed(EVENTS[: cut + 1])
    assert not finished
    assert response["status"] == "in_progress"
    assert response["output"][1]["arguments"] == '{"q"'
    assert "id" not in response["output"][1]


def test_reasoning_that_is_not_done_is_left_out():
    """It cannot be sent back."""
    item = {"type": "reasoning", "id": "r", "summary": []}
    added = {"type": "response.output_item.added", "output_index": 0, "item": item}
    done = {**added, "type": "response.output_item.done"}
    assert fed([added])[0]["output"] == []
    assert fed([added, done])[0]["output"] == [item]


@pytest.mark.parametrize("kind", ["response.failed", "error"])
def test_a_failure_is_not_the_end_of_a_reply(kind):
    """The stream counts as broken off."""
    assert fed([*EVENTS[:5], {"type": kind}])[1] is False


@pytest.mark.parametrize(
    ("event", "message"),
    [({"choices": []}, "keys choices"), ({"type": "response.output_text.delta"}, "output_index")],
)
def test_something_else_is_refused(event, message):
    """An event of another stream, or one without its place."""
    with pytest.raises(ValueError, match=message):
        ResponsesChunks().feed(event)


def test_items_without_an_index_are_known_by_their_id() -> None:
    """Some servers number nothing."""
    chunks = ResponsesChunks()
    call = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "find", "arguments": ""}
    words = {"type": "message", "id": "msg_1", "role": "assistant", "content": []}
    chunks.feed({"type": "response.output_item.added", "item": words})
    chunks.feed({"type": "response.output_item.added", "item": call})
    said = {"type": "response.function_call_arguments.delta", "item_id": "fc_1", "delta": "{}"}
    chunks.feed(said)
    kinds = [(one["type"], one.get("arguments")) for one in chunks.whole()["output"]]
    assert kinds == [("message", None), ("function_call", "{}")]
    with pytest.raises(ValueError, match="neither output_index nor item_id"):
        chunks.feed({"type": "response.output_item.done", "item": {"type": "message"}})
